"""A program as machine code.

In: a `CompiledProgram`; needs llvmlite (the extra `native`). Out: a `NativeProgram`: functions that are called with the
addresses of a position, of a list of legal actions and of the numbers of the play.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.llvm_printer import LlvmModule
from rulewright.errors import RulewrightError

OPTIMISATION: Final = 2
POINTERS: Final = [ctypes.c_void_p] * 3


class NoMachineCode(RulewrightError):
    """Machine code cannot be made here: llvmlite is missing."""


class NativeProgram:
    """The functions of a program as machine code. Raises `NoMachineCode` without llvmlite.

    `run(cells, options, play, point)` goes on from a point; `step(cells, options, play, index)` does the action with
    that index; `play(cells, options, play, streams, counts, forced, most_turns, most_decisions)` plays on at random;
    `asked`: by name the functions that give a number about a seat, with the seat and the acting seat.
    """

    def __init__(self, program: CompiledProgram, *, optimisation: int = OPTIMISATION) -> None:
        try:
            import llvmlite.binding as llvm
        except ImportError:
            raise NoMachineCode(
                "machine code needs llvmlite: pip install 'rulewright[native]', or use --engine python"
            ) from None
        module = LlvmModule(program)
        self.program = program
        self.widths = module.widths
        self.text = module.text()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=optimisation)
        parsed = llvm.parse_assembly(self.text)
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=optimisation))
        builder.getModulePassManager().run(parsed, builder)
        self._engine: Any = llvm.create_mcjit_compiler(parsed, machine)  # keeps the code as long as it is used
        self._engine.finalize_object()
        self.run = self._entry("run", ctypes.c_int64)
        self.step = self._entry("step", ctypes.c_int64)
        self.play = self._entry("play", *POINTERS, ctypes.c_int64, ctypes.c_int64)
        self.asked = {
            name: self._entry(f"ask.{name}", ctypes.c_int64, ctypes.c_int64) for name in module.names_of_asked()
        }

    def _entry(self, name: str, *parameters: Any) -> Callable[..., int]:  # types of ctypes have no common class
        make = ctypes.CFUNCTYPE(ctypes.c_int64, *POINTERS, *parameters)
        return make(self._engine.get_function_address(name))


__all__ = ["NativeProgram", "NoMachineCode"]
