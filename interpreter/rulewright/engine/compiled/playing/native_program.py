"""A program as machine code.

In: a `CompiledProgram`; needs llvmlite (the extra `native`). Out: a `NativeProgram`: functions that are called with the
addresses of a position, of a list of legal actions and of the numbers of the play.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.llvm.batch_block import batch_entries
from rulewright.engine.compiled.llvm.llvm_weigh import weigh_name
from rulewright.engine.compiled.llvm.machine_code import machine_code
from rulewright.engine.compiled.playing.machine_support import require_machine_code
from rulewright.engine.compiled.translation.evaluation_functions import worth_name
from rulewright.engine.engine_names import NATIVE_ENGINE

OPTIMISATION: Final = 2
ENTRIES: Final = ("run", "step")
ENTRIES_FOR_GAMES: Final = ("play", "games", "count_tree")
ENTRIES_FOR_IMAGINED: Final = ("list",)  # positions that somebody only thinks of
POINTERS: Final = [ctypes.c_void_p] * 3


class NativeProgram:
    """The functions of a program as machine code. Raises `NoMachineCode` without llvmlite.

    The first arguments are addresses: of cells, options and numbers of the play. `run(…, point, most)` goes on from a
    point, over so many; `step(…, index)` does the action with that index, `move(…, word)`, where words are narrow, that
    with this word. `list(…, decision, seat)`, of a program for imagined positions, lists what can be chosen there. Of
    others `play(…, streams, counts, forced, most_turns, most_decisions)` plays on at random, `games(…, initial, seed,
    count, most)` plays so many games, each of at most so many decisions, `count_tree(…, depth)` counts sequences of
    actions, see `llvm_tree`. `asked`: by name the functions that give a number about a seat; `weigh`: of a program for
    thinking, by the name of a function that evaluates, the entry that asks it after each of many actions, see
    `llvm_weigh`. A program for batches has only `batches`: the functions that are called with the address of a batch.
    """

    def __init__(self, program: CompiledProgram, *, optimisation: int | None = None) -> None:
        llvm = _llvm()
        level = OPTIMISATION if optimisation is None else optimisation
        made = machine_code(llvm, program, level)
        self.program, self.shape = program, made.shape
        if program.numbering is not None:
            entries = batch_entries(program)
            self._code = _Code(llvm, made.code, entries)
            self.batches = {name: self._batch_entry(name, more) for name, more in entries.items()}
            return
        more = ENTRIES_FOR_IMAGINED if program.is_imagined else ENTRIES_FOR_GAMES
        names = [*ENTRIES, *more, *map(_asked_name, made.asked), *["move"] * made.shape.words.is_narrow]
        worths = [worth_name(strategy) for strategy in program.term_groups] if program.is_weighed else []
        self._code = _Code(llvm, made.code, [*names, *map(weigh_name, worths)])
        self.run = self._entry("run", ctypes.c_int64, ctypes.c_int64)
        self.step = self._entry("step", ctypes.c_int64)
        if made.shape.words.is_narrow:
            self.move = self._entry("move", ctypes.c_int64)
        if program.is_imagined:
            self.list = self._entry("list", ctypes.c_int64, ctypes.c_int64)
        else:
            self.play = self._entry("play", *POINTERS, ctypes.c_int64, ctypes.c_int64)
            self.count_tree = self._entry("count_tree", ctypes.c_int64)
            self.games = self._entry("games", ctypes.c_void_p, *[ctypes.c_int64] * 3)
        self.asked = {
            name: self._entry(_asked_name(name), *[ctypes.c_int64] * len(parameters))
            for name, parameters in made.asked.items()
        }
        self.weigh = {
            worth: self._entry(weigh_name(worth), *[ctypes.c_void_p] * 4, *[ctypes.c_int64] * 3) for worth in worths
        }

    def _batch_entry(self, name: str, more: str) -> Callable[..., int]:
        types = {"i": ctypes.c_int64, "p": ctypes.c_void_p}
        make = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *map(types.__getitem__, more))
        return make(self._code.address(name))

    def batch_step(self, block: Any, *, is_short: bool) -> Callable[[], int]:
        """The step of one batch, ready to be called with nothing: its block is passed as it is, so that nothing is
        converted. A short step keeps the lock of Python: to let it go and take it again would take as long.
        """
        make = ctypes.PYFUNCTYPE if is_short else ctypes.CFUNCTYPE
        return partial(make(ctypes.c_int64)(self._code.address("batch_step")), ctypes.byref(block))

    def _entry(self, name: str, *parameters: Any) -> Callable[..., int]:  # types of ctypes have no common class
        make = ctypes.CFUNCTYPE(ctypes.c_int64, *POINTERS, *parameters)
        return make(self._code.address(name))


def _asked_name(function: str) -> str:
    return f"ask.{function}"


class _Code:
    """Machine code in memory, all of it in one place, so that jumps and tables are near; kept as long as this is."""

    def __init__(self, llvm: Any, code: bytes, names: Iterable[str]) -> None:
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in names:
            library.export_symbol(name)
        self._linker = llvm.create_lljit_compiler(use_jit_link=True)
        self._linked = library.link(self._linker, "rules")

    def address(self, name: str) -> int:
        address: int = self._linked[name]
        return address


def _llvm() -> Any:  # the module has no types
    require_machine_code(NATIVE_ENGINE)
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


__all__ = ["NativeProgram"]
