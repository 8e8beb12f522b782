"""A game that is played by generated Python.

In: a `PythonProgram`, a seed, who begins, and which of the legal actions is taken. Out: all that a `CompiledGame` has;
it also goes on from positions of the reference engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import cast

from rulewright.engine import chance
from rulewright.engine.compiled.playing.compiled_game import MAX_DECISIONS, CompiledGame, initial_cells
from rulewright.engine.compiled.playing.fault_messages import Beginning
from rulewright.engine.compiled.playing.outside_chance import ChanceNeeded
from rulewright.engine.compiled.playing.python_program import ProgramFault, PythonProgram
from rulewright.engine.compiled.translation.game_points import ENDS, MAX_POINTS
from rulewright.engine.state import State
from rulewright.frozen import frozen


@frozen
class _Act:
    """What is under way where chance comes from outside, as it began. `word`: None for the beginning of a game."""

    cells: tuple[int, ...]
    options: tuple[int, ...]
    word: int | None


class PythonGame(CompiledGame):
    """One game. `cells`: the position, a list; `options`: the words of the legal actions."""

    __slots__ = ("_act", "_options", "_points", "_python", "_under_way")

    def __init__(self, python: PythonProgram) -> None:
        super().__init__(python.program, [])
        self._python = python
        self._act, self._points = python.point_after, python.points
        self._options: list[int] = []
        self._under_way = _Act((), (), None)

    @property
    def options(self) -> list[int]:
        """The words of the legal actions, in their order."""
        return self._options

    @property
    def option_count(self) -> int:
        """How many actions are legal."""
        return len(self._options)

    def start(
        self,
        *,
        seed: int | None = None,
        first: int = 0,
        orders: Mapping[int, Sequence[int]] | None = None,
        outcomes: Sequence[int] = (),
    ) -> None:
        """A new game; see `CompiledGame.start`."""
        self.cells = initial_cells(self.program, seed=seed, first=first, orders=orders)
        self._options = []
        self._note_beginning(Beginning(seed, first, orders))
        if self.has_seed:
            self._run(self.program.start_point)
        else:
            self._under_way = _Act(tuple(self.cells), (), None)
            self._carry_out(outcomes)

    def act(self, index: int, outcomes: Sequence[int] = ()) -> None:
        """The deciding seat does the legal action with this index; see `CompiledGame.act`."""
        if index < 0:
            raise IndexError(index)
        word = self._options[index]
        self._taken.append(index)
        if not self.has_seed:
            self._under_way = _Act(tuple(self.cells), tuple(self._options), word)
            self._carry_out(outcomes)
            return
        try:
            point = self._act(self.cells, self._options, word)
        except ProgramFault as fault:
            self._raise(fault.number)
        if point >= 0:
            self._run(point)

    def play_many(self, seed: int, count: int, *, max_decisions: int = MAX_DECISIONS) -> int:
        """Plays so many games; see `CompiledGame.play_many`: the same without a call for each action and its count."""
        made, act, points = 0, self._act, self._points
        for own_seed in range(seed, seed + count):
            self.start(seed=own_seed)
            if self.is_over:
                continue
            cells, options, taken = self.cells, self._options, self._taken
            numbers = islice(chance.random_numbers(chance.seed_rng(own_seed, stream=1)), max_decisions)
            try:
                for number in numbers:
                    index = number * len(options) >> 64
                    taken.append(index)
                    point = act(cells, options, options[index])
                    if point >= 0:  # seldom more than once: a call for each would cost as much as the point itself
                        point = points[point](cells, options)
                        if point >= 0:
                            point = self._run(point)
                    if point == ENDS:
                        break
            except ProgramFault as fault:
                self._raise(fault.number)
            made += len(taken)
        return made

    def _run(self, point: int) -> int:
        """Goes on from a point; returns `WAITS` or `ENDS`."""
        points, cells, options = self._points, self.cells, self._options
        try:
            for _ in range(MAX_POINTS):
                point = points[point](cells, options)
                if point < 0:
                    return point
            self._require_end()
            return self._python.run(cells, options, point)
        except ProgramFault as fault:
            self._raise(fault.number)

    def _carry_out(self, outcomes: Sequence[int]) -> None:
        python, act = self._python.outside, self._under_way
        self._note_outcomes(outcomes)
        self.cells[:], self._options[:] = act.cells, act.options
        python.queue.fill(outcomes)
        try:
            if act.word is None:
                point = self.program.start_point
            else:
                point = python.point_after(self.cells, self._options, act.word)
            if point >= 0:
                point = python.run(self.cells, self._options, point, MAX_POINTS)
            if point >= 0:
                self._require_end()
                python.run(self.cells, self._options, point)
        except ChanceNeeded as needed:
            self._options.clear()
            self.event = self.event_at(needed, self.cells)
        except ProgramFault as fault:
            self._raise(fault.number)

    def load(self, state: State) -> None:
        """Goes on from a position. Raises `NotCompiled` for what a program cannot hold."""
        self.cells = self._python.loader.load(state)
        self._options = self._python.list_options(self.cells)
        self.has_seed, self.event = True, None
        self._beginning, self._taken, self._given = None, [], {}

    def word_at(self, cell: int) -> int:
        """The word of an action that a cell holds."""
        return cast("int", self.cells[cell])

    def number_of(self, name: str, *arguments: int) -> int:
        """What a function of the program gives in this position."""
        return int(cast("int", self._python.functions[name](self.cells, self._options, *arguments)))


__all__ = ["PythonGame"]
