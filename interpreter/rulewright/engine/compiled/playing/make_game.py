"""A game in a compiled program, by the name of the engine.

In: a program, `python` or `native`. Out: a game. Raises `NoMachineCode` for machine code without llvmlite.
"""

from __future__ import annotations

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.engine_names import NATIVE_ENGINE


def make_compiled_game(program: CompiledProgram, engine: str, *, is_kept: bool = False) -> CompiledGame:
    """A game that is not begun yet. `is_kept`: generated Python is kept, too; machine code always is."""
    if engine == NATIVE_ENGINE:  # only one of the two is imported
        from rulewright.engine.compiled.playing.native_game import NativeGame
        from rulewright.engine.compiled.playing.native_program import NativeProgram

        return NativeGame(NativeProgram(program))
    from rulewright.engine.compiled.playing.python_game import PythonGame
    from rulewright.engine.compiled.playing.python_program import PythonProgram

    if not is_kept:
        return PythonGame(PythonProgram(program))
    from rulewright.engine.compiled.playing.kept_python import kept_python

    return PythonGame(PythonProgram(program, text=kept_python(program)))


__all__ = ["make_compiled_game"]
