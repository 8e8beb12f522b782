"""A game that is played by machine code.

In: a `NativeProgram`, a seed, who begins, and which of the legal actions is taken. Out: all that a `CompiledGame` has;
cells and options lie in memory of the game, outside of Python's objects.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.kernel.machine_shape import (
    ASKED,
    ASKED_OFFSET,
    ASKED_SITE,
    FAULT,
    MORE_ROOM,
    OPTION_COUNT,
    PUSHED_COUNT,
    QUEUE,
    QUEUE_LENGTH,
    QUEUE_USED,
    ROOM_FOR_PUSHED,
    ROOM_IN_QUEUE,
    TOO_DEEP,
    TOO_LONG,
    WORD_CELLS,
)
from rulewright.engine.compiled.llvm.option_room import ROOM_FOR_LISTED, ROOM_FOR_OPTIONS
from rulewright.engine.compiled.playing.compiled_game import (
    MAX_DECISIONS,
    CompiledGame,
    initial_cells,
    require_start,
)
from rulewright.engine.compiled.playing.fault_messages import Beginning
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.outside_chance import ChanceNeeded
from rulewright.engine.compiled.playing.reserved_memory import reserved_memory
from rulewright.engine.compiled.translation.game_points import MAX_POINTS
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.faults import TooMuchWork
from rulewright.frozen import frozen

NO_FAULT: Final = -1
UNLIMITED: Final = (1 << 63) - 1
GENERATOR: Final = -1  # instead of the length of a queue
ROOM_FOR_COUNTS: Final = 4096  # decisions that are played at once
WORD_BYTES: Final = 8
# cells: as many as a long game puts away that begins something within itself at each decision; few games use any
ROOM_OF_ONE_GAME: Final = 1 << 22


@frozen
class _NativeAct:
    """What is under way where chance comes from outside. `index`: None for the beginning of a game."""

    cells: bytes
    numbers: bytes
    words: tuple[int, ...]
    index: int | None


class NativeGame(CompiledGame):
    """One game. `cells`: the position, an array of `ctypes`; `options`: the words of the legal actions."""

    __slots__ = ("_addresses", "_counts", "_initial", "_native", "_numbers", "_room", "_under_way", "_words")

    def __init__(self, native: NativeProgram) -> None:
        cells = native.program.cells
        more = ROOM_OF_ONE_GAME if native.shape.pushes else 0
        places = reserved_memory((cells.size + ROOM_FOR_PUSHED + more) * WORD_BYTES)
        super().__init__(native.program, (ctypes.c_int64 * (cells.size + ROOM_FOR_PUSHED + more)).from_buffer(places))
        self._native = native
        self._under_way = _NativeAct(b"", b"", (), None)
        self._initial = (ctypes.c_int64 * cells.size)(*cells.initial_cells)
        self._numbers = (
            ctypes.c_int64 * (WORD_CELLS + len(native.shape.words.word_cell_ranks) * native.shape.words.stride)
        )()
        self._numbers[MORE_ROOM] = more
        room = ROOM_FOR_LISTED * native.shape.words.stride
        self._room = reserved_memory(room * WORD_BYTES)
        self._words = (ctypes.c_uint64 * room).from_buffer(self._room)
        self._counts = (ctypes.c_int32 * ROOM_FOR_COUNTS)()
        self._addresses = tuple(ctypes.addressof(part) for part in (self.cells, self._words, self._numbers))

    @property
    def options(self) -> list[int]:
        """The words of the legal actions, in their order; made when somebody asks."""
        count, stride = self._numbers[OPTION_COUNT], self._native.shape.words.stride
        if stride == 1:
            return self._words[:count]
        return [_joined(self._words[index : index + stride]) for index in range(0, count * stride, stride)]

    @property
    def option_count(self) -> int:
        """How many actions are legal."""
        return self._numbers[OPTION_COUNT]

    def word_at(self, cell: int) -> int:
        """The word of an action that a cell holds."""
        rank, stride = self._native.shape.words.word_cell_ranks.get(cell), self._native.shape.words.stride
        if rank is None:
            return int(self.cells[cell])
        first = WORD_CELLS + rank * stride
        return _joined(self._numbers[first : first + stride])

    def number_of(self, name: str, *arguments: int) -> int:
        """What a function of the program gives in this position."""
        return self._native.asked[name](*self._addresses, *arguments)

    def start(
        self,
        *,
        seed: int | None = None,
        first: int = 0,
        orders: Mapping[int, Sequence[int]] | None = None,
        outcomes: Sequence[int] = (),
    ) -> None:
        """A new game; see `CompiledGame.start`."""
        program, numbers = self.program, self._numbers
        if orders:
            self.cells[: program.cells.size] = initial_cells(program, seed=seed, first=first, orders=orders)
        else:
            require_start(program, seed, first)
            ctypes.memmove(self.cells, self._initial, ctypes.sizeof(self._initial))
            self.cells[program.cells.counters["generator"]] = 0 if seed is None else chance.seed_rng(seed)
            self.cells[program.cells.counters["first"]] = first
        self._note_beginning(Beginning(seed, first, orders))
        numbers[OPTION_COUNT] = numbers[PUSHED_COUNT] = 0
        numbers[FAULT], numbers[QUEUE_LENGTH] = NO_FAULT, GENERATOR
        if not self.has_seed:
            self._under_way = self._snapshot(None)
            self._carry_out(outcomes)
            return
        self._native.run(*self._addresses, program.start_point, MAX_POINTS)
        if numbers[FAULT] != NO_FAULT:
            self._fail()

    def act(self, index: int, outcomes: Sequence[int] = ()) -> None:
        """The deciding seat does the legal action with this index. Raises `IndexError` and `RuleFault`."""
        if not 0 <= index < self._numbers[OPTION_COUNT]:
            raise IndexError(index)
        self._taken.append(index)
        if not self.has_seed:
            self._under_way = self._snapshot(index)
            self._carry_out(outcomes)
            return
        self._native.step(*self._addresses, index)
        if self._numbers[FAULT] != NO_FAULT:
            self._fail()

    def _snapshot(self, index: int | None) -> _NativeAct:
        words = self._words[: self._numbers[OPTION_COUNT] * self._native.shape.words.stride]
        used = self.program.cells.size + self._numbers[PUSHED_COUNT]
        cells = ctypes.string_at(self.cells, used * WORD_BYTES)
        return _NativeAct(cells, bytes(self._numbers), tuple(words), index)

    def _carry_out(self, outcomes: Sequence[int]) -> None:
        numbers, act = self._numbers, self._under_way
        self._note_outcomes(outcomes)
        ctypes.memmove(self.cells, act.cells, len(act.cells))
        ctypes.memmove(numbers, act.numbers, len(act.numbers))
        self._words[: len(act.words)] = list(act.words)
        if len(outcomes) > ROOM_IN_QUEUE:
            raise TooMuchWork(self._round, None, f"more than {ROOM_IN_QUEUE:,} chance events for one action")
        numbers[QUEUE : QUEUE + len(outcomes)] = list(outcomes)
        numbers[QUEUE_LENGTH], numbers[QUEUE_USED] = len(outcomes), 0
        if act.index is None:
            self._native.run(*self._addresses, self.program.start_point, MAX_POINTS)
        else:
            self._native.step(*self._addresses, act.index)
        self._settle()

    def _settle(self) -> None:
        """Sees what a run ended with: chance that is asked for, a fault, or nothing."""
        numbers = self._numbers
        if numbers[FAULT] == len(self.program.faults) + ASKED:
            numbers[FAULT], numbers[OPTION_COUNT] = NO_FAULT, 0
            asked = ChanceNeeded(numbers[ASKED_SITE], numbers[ASKED_OFFSET])
            self.event = self.event_at(asked, self.cells)
        elif numbers[FAULT] != NO_FAULT:
            self._fail()

    def play_on(self, streams: list[int], *, cap: int) -> tuple[Counter[int], int]:
        """Plays to the end, or to a cap of turns, by uniform choices; see `CompiledGame.play_on`."""
        states = (ctypes.c_uint64 * len(streams))(*streams)
        forced = ctypes.c_int64()
        option_counts: Counter[int] = Counter()
        left = cap * limits.MAX_DECISIONS_PER_TURN
        while True:
            room = min(left, len(self._counts))
            made = self._native.play(*self._addresses, states, self._counts, ctypes.byref(forced), cap, room)
            option_counts.update(self._counts[:made])
            if self._numbers[FAULT] != NO_FAULT:
                self._begin_again()
                return super().play_on(streams, cap=cap)  # one by one, to see what fails
            left -= made
            if made < room or not left:
                return option_counts, forced.value

    def _begin_again(self) -> None:
        """The position from which the game was played on."""
        beginning, taken = self._beginning, self._taken
        assert beginning is not None, "machine code goes on from no loaded position"
        self.start(seed=beginning.seed, first=beginning.first, orders=beginning.orders)
        for index in taken:
            self.act(index)

    def play_many(self, seed: int, count: int, *, max_decisions: int = MAX_DECISIONS) -> int:
        """Plays so many games; see `CompiledGame.play_many`."""
        self.start(seed=seed)
        made = self._native.games(*self._addresses, ctypes.addressof(self._initial), seed, count, max_decisions)
        if self._numbers[FAULT] == NO_FAULT:
            return made
        return super().play_many(seed, count, max_decisions=max_decisions)  # one by one, to see what fails

    def _fail(self) -> None:
        """Raises the fault that came up, with the values of the moment; what only takes long goes on."""
        faults, number = len(self.program.faults), self._numbers[FAULT]
        self._numbers[FAULT] = NO_FAULT
        if number < faults:
            self._raise(number)
        if number == faults + TOO_LONG:
            raise TooMuchWork(self._round, None, f"more than {ROOM_FOR_OPTIONS:,} legal actions")
        self._require_end()
        if number == faults + TOO_DEEP:
            raise NotCompiled(self._round, "steps within themselves, so deep")
        self._native.run(*self._addresses, self._numbers[ASKED_SITE], UNLIMITED)
        self._settle()


def _joined(parts: Sequence[int]) -> int:
    """The word that so many numbers hold."""
    return sum((part & chance.UINT64_MASK) << 64 * place for place, part in enumerate(parts))


__all__ = ["NativeGame"]
