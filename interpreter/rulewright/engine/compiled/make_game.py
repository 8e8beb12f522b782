"""A game in a compiled program, by the name of the engine.

In: a program, `python` or `native`. Out: a game. Raises `NoMachineCode` for machine code without llvmlite.
"""

from __future__ import annotations

from rulewright.engine.compiled.compiled_game import CompiledGame
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.engine_names import NATIVE_ENGINE


def make_compiled_game(program: CompiledProgram, engine: str) -> CompiledGame:
    """A game that is not begun yet."""
    if engine == NATIVE_ENGINE:  # only one of the two is imported
        from rulewright.engine.compiled.native_game import NativeGame
        from rulewright.engine.compiled.native_program import NativeProgram

        return NativeGame(NativeProgram(program))
    from rulewright.engine.compiled.python_game import PythonGame
    from rulewright.engine.compiled.python_program import PythonProgram

    return PythonGame(PythonProgram(program))


__all__ = ["make_compiled_game"]
