"""A game that is played by machine code.

In: a `NativeProgram`, a seed, who begins, and which of the legal actions is taken. Out: all that a `CompiledGame` has;
cells and options lie in memory of the game, outside of Python's objects.
"""

from __future__ import annotations

import ctypes
import mmap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.compiled_game import CompiledGame, initial_cells, require_start
from rulewright.engine.compiled.llvm_entries import ASKED, ENDLESS
from rulewright.engine.compiled.llvm_expressions import (
    ASKED_OFFSET,
    ASKED_SITE,
    FAULT,
    OPTION_COUNT,
    PUSHED_COUNT,
    QUEUE,
    QUEUE_LENGTH,
    QUEUE_USED,
    ROOM_IN_QUEUE,
    WORD_CELLS,
)
from rulewright.engine.compiled.llvm_statements import ROOM_FOR_OPTIONS, SHORT_COPY
from rulewright.engine.compiled.native_program import NativeProgram
from rulewright.engine.compiled.outside_chance import ChanceNeeded, outcome_number
from rulewright.engine.faults import EndlessSteps, RuleFault, TooMuchWork
from rulewright.engine.interface import NotWaitingError
from rulewright.frozen import frozen

NO_FAULT: Final = -1
GENERATOR: Final = -1  # instead of the length of a queue
ROOM_FOR_PUSHED: Final = 4096  # cells
MOST_DECISIONS: Final = limits.MAX_GAME_TURNS * limits.MAX_DECISIONS_PER_TURN
ROOM_FOR_COUNTS: Final = 4096  # decisions that are played at once
WORD_BYTES: Final = 8


@frozen
class _NativeAct:
    """What is under way where chance comes from outside. `index`: None for the beginning of a game."""

    cells: bytes
    numbers: bytes
    words: tuple[int, ...]
    index: int | None


class NativeGame(CompiledGame):
    """One game. `cells`: the position, an array of `ctypes`; `options`: the words of the legal actions."""

    __slots__ = ("_addresses", "_counts", "_initial", "_native", "_numbers", "_room", "_words")

    def __init__(self, native: NativeProgram) -> None:
        self.event, self.outcomes, self._act_under_way = None, (), None
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

    def start(
        self,
        *,
        seed: int | None = None,
        first: int = 0,
        orders: Mapping[int, Sequence[int]] | None = None,
        outcomes: Sequence[int] = (),
    ) -> None:
        """A new game; see `CompiledGame.start`."""
        program, numbers = self._native.program, self._numbers
        if orders:
            self.cells[: program.cells.size] = initial_cells(program, seed=seed, first=first, orders=orders)
        else:
            require_start(program, seed, first)
            ctypes.memmove(self.cells, self._initial, ctypes.sizeof(self._initial))
            self.cells[program.cells.counters["generator"]] = 0 if seed is None else chance.seed_rng(seed)
            self.cells[program.cells.counters["first"]] = first
        numbers[OPTION_COUNT] = numbers[PUSHED_COUNT] = 0
        numbers[FAULT], numbers[QUEUE_LENGTH] = NO_FAULT, GENERATOR
        self.event, self._act_under_way = None, None
        if seed is None:
            self._run_native(self._snapshot(None), outcomes)
            return
        self._native.run(*self._addresses, program.start_point)
        if numbers[FAULT] != NO_FAULT:
            self._fail()

    def act(self, index: int, outcomes: Sequence[int] = ()) -> None:
        """The deciding seat does the legal action with this index. Raises `IndexError` and `RuleFault`."""
        if not 0 <= index < self._numbers[OPTION_COUNT]:
            raise IndexError(index)
        if self._act_under_way is not None:
            self._run_native(self._snapshot(index), outcomes)
            return
        self._native.step(*self._addresses, index)
        if self._numbers[FAULT] != NO_FAULT:
            self._fail()

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside; see `CompiledGame.resolve_chance`."""
        if self.event is None or self._act_under_way is None:
            raise NotWaitingError("no chance event is pending")
        assert isinstance(self._act_under_way, _NativeAct)
        self._run_native(self._act_under_way, (*self.outcomes, outcome_number(self.event, outcome)))

    def _snapshot(self, index: int | None) -> _NativeAct:
        words = self._words[: self._numbers[OPTION_COUNT] * self._native.widths.stride]
        return _NativeAct(bytes(self.cells), bytes(self._numbers), tuple(words), index)

    def _run_native(self, act: _NativeAct, outcomes: Sequence[int]) -> None:
        """What is under way, from its beginning, with the outcomes given so far."""
        numbers = self._numbers
        self._act_under_way, self.outcomes, self.event = act, outcomes, None
        ctypes.memmove(self.cells, act.cells, len(act.cells))
        ctypes.memmove(numbers, act.numbers, len(act.numbers))
        self._words[: len(act.words)] = list(act.words)
        if len(outcomes) > ROOM_IN_QUEUE:
            raise TooMuchWork(self._round, None, f"more than {ROOM_IN_QUEUE:,} chance events for one action")
        numbers[QUEUE : QUEUE + len(outcomes)] = list(outcomes)
        numbers[QUEUE_LENGTH], numbers[QUEUE_USED] = len(outcomes), 0
        if act.index is None:
            self._native.run(*self._addresses, self._native.program.start_point)
        else:
            self._native.step(*self._addresses, act.index)
        if numbers[FAULT] == len(self._native.program.faults) + ASKED:
            numbers[FAULT], numbers[OPTION_COUNT] = NO_FAULT, 0
            asked = ChanceNeeded(numbers[ASKED_SITE], numbers[ASKED_OFFSET])
            self.event = self.event_at(asked, self.cells)
        elif numbers[FAULT] != NO_FAULT:
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

    def play_many(self, seed: int, count: int, *, most_decisions: int = MOST_DECISIONS) -> int:
        """Plays so many games, with this seed and those after it, by uniform choices from stream 1 of each seed.

        Returns how many decisions they had in all. Raises `RuleFault`.
        """
        self.start(seed=seed)
        made = self._native.games(*self._addresses, ctypes.addressof(self._initial), seed, count, most_decisions)
        if self._numbers[FAULT] != NO_FAULT:
            self._fail()
        return made

    def _fail(self) -> None:
        program, number = self._native.program, self._numbers[FAULT]
        self._numbers[FAULT] = NO_FAULT
        if number < len(program.faults):
            site = program.faults[number]
            raise RuleFault(site.address, site.span, site.text)
        if number == len(program.faults) + ENDLESS:
            raise EndlessSteps(self._round)
        raise TooMuchWork(self._round, None, f"more than {ROOM_FOR_OPTIONS:,} legal actions")

    @property
    def _round(self) -> str:
        rules = self._native.program.rules
        return rules.blocks[rules.round].address

    def _function(self, name: str, *arguments: int) -> int:
        return self._native.asked[name](*self._addresses, *arguments)


__all__ = ["NativeGame"]
