"""Sequences of decisions, counted by a compiled program.

In: a program, and how the game begins. Out: how many sequences there are of each length: the counts of `game_tree`,
sooner. Positions are lists of cells, of which one is made for each action; where chance comes from outside an action
is carried out with each of its outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rulewright import limits
from rulewright.engine.compiled.playing.compiled_game import initial_cells
from rulewright.engine.compiled.playing.outside_chance import ChanceNeeded, outcome_number
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.game_tree import TooManyPositions
from rulewright.engine.state import Action
from rulewright.frozen import frozen

Known: TypeAlias = dict[tuple[int, tuple[int, ...]], int]  # how long the sequences, and the cells: how many there are


@frozen
class _Position:
    """A position at a decision, or at the end: `ways`: of chance that lead to it."""

    cells: list[int]
    options: list[int]
    ways: int


class CompiledTree:
    """The sequences of decisions of a game from its beginning. Arguments as of `interface.Engine.start`.

    Raises `TooManyPositions` where chance leads to more positions at once than are followed. An event that is reached
    in several ways counts as often, so that they can be too many for a program and not for the reference engine.
    """

    def __init__(
        self,
        program: PythonProgram,
        *,
        seed: int | None = None,
        first: int = 0,
        orders: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        self.program = program
        self._game = PythonGame(program)
        self._words = program.program.words
        self._over = program.program.cells.counters["over"]
        self._is_outside = seed is None and bool(program.program.chance_sites)
        self._program = program.outside if self._is_outside else program
        self._roots = self._reach(initial_cells(program.program, seed=seed, first=first, orders=orders), None)

    @property
    def beginnings(self) -> int:
        """How many first positions there are: 1, or as many as follow from chance."""
        return len(self._roots)

    def count(self, depth: int) -> int:
        """The number of sequences of exactly `depth` decisions."""
        if not depth:
            return 1
        known: Known = {}
        return sum(root.ways * self._count(root.cells, root.options, depth, known) for root in self._roots)

    def divide(self, depth: int) -> list[tuple[Action, int]]:
        """For each first action the number of sequences that begin with it."""
        known: Known = {}
        return [
            (self._words.action(word), root.ways * self._count_after(root.cells, word, depth, known))
            for root in self._roots
            for word in root.options
        ]

    def _count(self, cells: list[int], options: list[int], depth: int, known: Known) -> int:
        if depth == 1:
            return len(options)
        key = (depth, tuple(cells))
        count = known.get(key)
        if count is None:
            count = sum([self._count_after(cells, word, depth, known) for word in options])
            known[key] = count
        return count

    def _count_after(self, cells: list[int], word: int, depth: int, known: Known) -> int:
        """The sequences of `depth` decisions of which the first is an action."""
        if depth == 1:
            return 1
        return sum(
            [
                reached.ways * self._count(reached.cells, reached.options, depth - 1, known)
                for reached in self._reach(cells, word)
            ]
        )

    def _reach(self, cells: list[int], word: int | None) -> list[_Position]:
        """The positions that an action leads to, or (None) the beginning of the game."""
        if self._is_outside:
            return self._follow_chance(cells, word)
        cells, options = cells.copy(), list[int]()
        self._carry_out(cells, options, word)
        return [_Position(cells, options, 1)]

    def _carry_out(self, cells: list[int], options: list[int], word: int | None) -> None:
        if word is None:
            self._program.start(cells, options)
        else:
            self._program.act(cells, options, word)
        if cells[self._over]:
            options.clear()

    def _follow_chance(self, before: list[int], word: int | None) -> list[_Position]:
        """Each outcome of each chance event; positions that are reached in several ways are one."""
        found: dict[tuple[int, ...], tuple[list[int], int]] = {}
        waiting: list[tuple[int, ...]] = [()]
        while waiting:
            following: list[tuple[int, ...]] = []
            for outcomes in waiting:
                cells, options = before.copy(), list[int]()
                self._program.queue.fill(outcomes)
                try:
                    self._carry_out(cells, options, word)
                except ChanceNeeded as needed:
                    event = self._game.event_at(needed, cells)
                    following += [(*outcomes, outcome_number(event, value)) for value, _ in event.outcomes]
                else:
                    self._program.program.cells.clear_unused(cells)
                    key = tuple(cells)
                    found[key] = options, found[key][1] + 1 if key in found else 1
                if len(following) + len(found) > limits.MAX_CHANCE_POSITIONS:
                    raise TooManyPositions
            waiting = following
        return [_Position(list(cells), options, ways) for cells, (options, ways) in found.items()]


__all__ = ["CompiledTree"]
