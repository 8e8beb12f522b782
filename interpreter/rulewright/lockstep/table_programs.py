"""What the engines of one table play is compiled once, and only where a game needs it; what follows from the same cells
and actions is worked out once.

In: rules, and the choices that are made piece by piece. Out: their programs, by what they are for, what viewers know,
and what cells mean.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.kernel.optimisations import Optimisation
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.knowledge_replay import KnowledgeReplay
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.state import Action, State
from rulewright.frozen import frozen
from rulewright.lockstep.unpacked_cells import UnpackedCells
from rulewright.model.rules import Rules

REMEMBERED_WORDS: Final = 1 << 16  # of actions, with what they mean
GivenOrders: TypeAlias = Mapping[int, Sequence[int]]


@frozen
class FollowedBeginning:
    """How a game began: its seed, the seat that begins, orders of piles, and outcomes of chance from outside."""

    seed: int | None
    first: int
    orders: GivenOrders | None = None
    outcomes: Sequence[int] = ()


@frozen
class FollowedAction:
    """An action by its word, with its outcomes of chance from outside."""

    word: int
    outcomes: Sequence[int]


class SharedKnowledge:
    """What viewers know in a game that several engines play: followed once as long as they play alike, since the same
    program would say the same of the same actions.
    """

    def __init__(self, program: CompiledProgram) -> None:
        self._replay = KnowledgeReplay(program)
        self._beginning: FollowedBeginning | None = None
        self._actions: list[FollowedAction] = []

    @property
    def latest(self) -> Knowledge:
        """What viewers knew when that was last asked."""
        return self._replay.knowledge

    def after(self, beginning: FollowedBeginning, actions: Sequence[FollowedAction]) -> Knowledge:
        """What viewers know after these actions; until the next call."""
        followed, known = self._actions, len(self._actions)
        if beginning != self._beginning or len(actions) < known or actions[:known] != followed:
            self._beginning = None  # where following fails, nothing has been followed
            self._replay.follow(beginning.seed, beginning.first, orders=beginning.orders, outcomes=beginning.outcomes)
            self._beginning, known = beginning, 0
            followed.clear()
        for action in actions[known:]:
            self._replay.go_on(action.word, action.outcomes)
            followed.append(action)
        return self._replay.knowledge


class SharedReading:
    """What cells mean, for games whose cells are the same: worked out for the first of them. `program`: one that packs
    nothing into bytes; that of a game may, which says the same of the same position.
    """

    def __init__(self, program: CompiledProgram) -> None:
        self._program = program
        self._of_packed: UnpackedCells | None = None  # all packed games of a table have the same program
        self._action = lru_cache(REMEMBERED_WORDS)(program.words.action)
        self._generator = program.cells.counters["generator"]
        self._size = program.cells.size
        self._rows = tuple(_rows(program))
        self._are_all_in_cells = program.open_answer is None and not program.together  # no word lies beside the cells
        self._key: tuple[object, ...] = ()
        self._state: State | None = None

    def legal(self, game: CompiledGame) -> tuple[Action, ...]:
        """The legal actions."""
        return () if game.is_over else tuple(map(self._action, game.options))

    def state(self, game: CompiledGame, knowledge: Knowledge) -> State:
        """The position."""
        if not self._are_all_in_cells:
            return game.state(knowledge)
        cells = self._plain(game)
        cells[self._generator] &= chance.UINT64_MASK
        for first, end, count in self._rows:
            used = first + cells[count]
            cells[used:end] = [0] * (end - used)
        known = (tuple(knowledge.thing_pools), knowledge.pools, knowledge.known_pieces)
        key = (cells, game.event, game.has_seed, known)
        if self._state is None or key != self._key:
            self._key, self._state = key, game.state(knowledge)
        return self._state

    def _plain(self, game: CompiledGame) -> list[int]:
        if game.program is self._program:
            return list(game.cells[: self._size])
        if self._of_packed is None:
            self._of_packed = UnpackedCells(game.program.cells, self._program.cells)
        return self._of_packed.of(game.cells)


def _rows(program: CompiledProgram) -> Iterator[tuple[int, int, int]]:
    """Where things lie one behind another: the first cell, the one after the last, and that of their count. What is
    behind them means nothing.
    """
    layout = program.cells
    for zone in program.rules.zones.values():
        if zone.name in layout.counts and layout.storage[zone.name] in ("row", "pile"):
            first, room, count = layout.contents[zone.name], layout.rooms[zone.name], layout.counts[zone.name]
            for offset in range(zone.size):
                yield first + offset * room, first + (offset + 1) * room, count + offset


class TablePrograms:
    """The programs of some rules. `played` says what positions are worth, `knowledge` what viewers see happen. Both
    raise `NotCompiled` for rules that cannot be compiled yet.
    """

    def __init__(self, rules: Rules, tokenwise: Collection[str], without: Collection[Optimisation]) -> None:
        def make(*, takes_orders: bool, is_witnessed: bool, is_native: bool = False) -> CompiledProgram:
            return compile_program(
                rules,
                tokenwise=tokenwise,
                takes_orders=takes_orders,
                is_witnessed=is_witnessed,
                is_evaluated=not is_witnessed,
                without=without,
                is_native=is_native,
            )

        self._make = cache(make)
        self.without = frozenset(without)
        self.knowledge: Callable[..., SharedKnowledge] = cache(self._follow)
        self.reading: Callable[..., SharedReading] = cache(self._read)

    def played(self, *, takes_orders: bool, is_native: bool) -> CompiledProgram:
        """The program of a game. `is_native`: in machine code."""
        return self._make(takes_orders=takes_orders, is_witnessed=False, is_native=is_native)

    def _follow(self, *, takes_orders: bool) -> SharedKnowledge:
        return SharedKnowledge(self._make(takes_orders=takes_orders, is_witnessed=True))

    def _read(self, *, takes_orders: bool) -> SharedReading:
        return SharedReading(self.played(takes_orders=takes_orders, is_native=False))


__all__ = ["FollowedAction", "FollowedBeginning", "SharedKnowledge", "SharedReading", "TablePrograms"]
