"""A game that is played by machine code.

In: a `NativeProgram`, a seed, who begins, and which of the legal actions is taken. Out: all that a `CompiledGame` has;
cells and options lie in memory of the game, outside of Python's objects.
"""

from __future__ import annotations

import ctypes
import mmap
from collections import Counter
from typing import Any, Final

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.compiled_game import CompiledGame
from rulewright.engine.compiled.llvm_expressions import FAULT, OPTION_COUNT, WORD_CELLS
from rulewright.engine.compiled.llvm_statements import ROOM_FOR_OPTIONS, SHORT_COPY
from rulewright.engine.compiled.native_program import NativeProgram
from rulewright.engine.faults import EndlessSteps, RuleFault, TooMuchWork

NO_FAULT: Final = -1
ROOM_FOR_PUSHED: Final = 4096  # cells
ROOM_FOR_COUNTS: Final = 4096  # decisions that are played at once
WORD_BYTES: Final = 8


class NativeGame(CompiledGame):
    """One game. `cells`: the position, an array of `ctypes`; `options`: the words of the legal actions."""

    __slots__ = ("_addresses", "_counts", "_initial", "_native", "_numbers", "_room", "_words")

    def __init__(self, native: NativeProgram) -> None:
        self._program = native  # type: ignore[assignment]  # what is read of it is the same
        self._native = native
        cells = native.program.cells
        self._initial = (ctypes.c_int64 * cells.size)(*cells.initial_cells)
        self.cells: Any = (ctypes.c_int64 * (cells.size + ROOM_FOR_PUSHED))()
        self._numbers = (ctypes.c_int64 * (WORD_CELLS + len(native.widths.word_cell_ranks) * native.widths.stride))()
        room = (ROOM_FOR_OPTIONS + 1 + SHORT_COPY) * native.widths.stride
        self._room = mmap.mmap(-1, room * WORD_BYTES)  # memory is taken as far as it is used
        self._words = (ctypes.c_uint64 * room).from_buffer(self._room)
        self._counts = (ctypes.c_int32 * ROOM_FOR_COUNTS)()
        self._addresses = tuple(ctypes.addressof(part) for part in (self.cells, self._words, self._numbers))

    @property
    def options(self) -> list[int]:  # type: ignore[override]  # made when somebody asks
        """The words of the legal actions, in their order."""
        count, stride = self._numbers[OPTION_COUNT], self._native.widths.stride
        if stride == 1:
            return self._words[:count]
        return [self._word(self._words[index : index + stride]) for index in range(0, count * stride, stride)]

    @property
    def option_count(self) -> int:
        """How many actions are legal."""
        return self._numbers[OPTION_COUNT]

    @staticmethod
    def _word(parts: list[int]) -> int:
        return sum((part & chance.UINT64_MASK) << 64 * place for place, part in enumerate(parts))

    def _word_at(self, cell: int) -> int:
        rank, stride = self._native.widths.word_cell_ranks.get(cell), self._native.widths.stride
        if rank is None:
            return int(self.cells[cell])
        first = WORD_CELLS + rank * stride
        return self._word(self._numbers[first : first + stride])

    def start(self, *, seed: int, first: int = 0) -> None:
        """A new game, up to its first decision. Raises `ValueError` for a seat or seed that cannot be."""
        program = self._native.program
        program.require_start(seed, first)
        ctypes.memmove(self.cells, self._initial, ctypes.sizeof(self._initial))
        ctypes.memset(self._numbers, 0, ctypes.sizeof(self._numbers))
        self._numbers[FAULT] = NO_FAULT
        self.cells[program.cells.counters["generator"]] = chance.seed_rng(seed)
        self.cells[program.cells.counters["first"]] = first
        self._native.run(*self._addresses, program.start_point)
        if self._numbers[FAULT] != NO_FAULT:
            self._fail()

    def act(self, index: int) -> None:
        """The deciding seat does the legal action with this index. Raises `IndexError` and `RuleFault`."""
        if not 0 <= index < self._numbers[OPTION_COUNT]:
            raise IndexError(index)
        self._native.step(*self._addresses, index)
        if self._numbers[FAULT] != NO_FAULT:
            self._fail()

    def play_on(self, streams: list[int], *, cap: int) -> tuple[Counter[int], int]:
        """Plays to the end, or to a cap of turns, by uniform choices. `streams`: by seat the state of a generator.

        Returns how often so many actions were legal, and how many decisions left no choice. Raises `RuleFault`.
        """
        states = (ctypes.c_uint64 * len(streams))(*streams)
        forced = ctypes.c_int64()
        option_counts: Counter[int] = Counter()
        left = cap * limits.MAX_DECISIONS_PER_TURN
        while True:
            room = min(left, len(self._counts))
            made = self._native.play(*self._addresses, states, self._counts, ctypes.byref(forced), cap, room)
            option_counts.update(self._counts[:made])
            if self._numbers[FAULT] != NO_FAULT:
                self._fail()
            left -= made
            if made < room or not left:
                return option_counts, forced.value

    def _fail(self) -> None:
        program, number = self._native.program, self._numbers[FAULT]
        self._numbers[FAULT] = NO_FAULT
        if number < len(program.faults):
            site = program.faults[number]
            raise RuleFault(site.address, site.span, site.text)
        round_ = program.rules.blocks[program.rules.round].address
        if number == len(program.faults):
            raise EndlessSteps(round_)
        raise TooMuchWork(round_, None, f"more than {ROOM_FOR_OPTIONS:,} legal actions")

    def _function(self, name: str, *arguments: int) -> int:
        return self._native.asked[name](*self._addresses, *arguments)


__all__ = ["NativeGame"]
