"""A compiled program as Python functions: what it does to the cells of a position.

In: a program, and its text where that is there. Out: its functions, with a generator for its chance or, from outside, a
queue of numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from itertools import repeat
from typing import Any, Final, TypeAlias

from rulewright import limits
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.outside_chance import ChanceQueue
from rulewright.engine.compiled.playing.position_loader import PositionLoader
from rulewright.engine.faults import EndlessSteps, RuleFault

BUILTINS: Final = {"range": range, "len": len, "min": min, "max": max}
ListWords: TypeAlias = Callable[..., list[int]]  # numbers → words of actions


class ProgramFault(Exception):
    """The rules fail at a site of the program, by its number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class PythonProgram:
    """The functions of a program, made of its Python text. `text`: that text; `queue`: what chance gives where it comes
    from outside; `witnesses`: functions that are told what viewers see. `point_after(cells, options, word)`: the
    deciding seat does what a word says; returns the point from which the game goes on, below 0 if it waits, and raises
    `ProgramFault`, as each of `points` does.
    """

    def __init__(
        self,
        program: CompiledProgram,
        *,
        witnesses: Mapping[str, Callable[..., None]] | None = None,
        text: str | None = None,
    ) -> None:
        self.program = program
        self.text = program.to_python() if text is None else text
        self.queue = ChanceQueue()
        self._witnesses = witnesses or {}
        self._code = compile(self.text, f"<{program.rules.game}, compiled>", "exec")
        self._load(_generator(program.cells.counters["generator"]))

    def _load(self, below: Callable[[list[int], int, int, int], int]) -> None:
        namespace: dict[str, Any] = {
            "__builtins__": BUILTINS, "bisect": bisect_left, "below": below, "fail": _fail,
            "remembered": _remembered, **self._witnesses,
        }  # fmt: skip
        exec(self._code, namespace)
        self.points: Mapping[int, Callable[[list[int], list[int]], int]] = namespace["POINTS"]
        self.point_after: Callable[[list[int], list[int], int], int] = namespace["act"]
        self.functions = namespace

    @cached_property
    def outside(self) -> PythonProgram:
        """The same program, whose chance comes from its queue."""
        program = copy(self)
        program._load(self.queue.below)
        return program

    def start(self, cells: list[int], options: list[int]) -> None:
        """Goes on from the beginning of a game until somebody chooses or the game is over. Raises `RuleFault`."""
        self._finish(cells, options, None)

    def act(self, cells: list[int], options: list[int], word: int) -> None:
        """The deciding seat does what a word says, and the game goes on as far. Raises `RuleFault`."""
        self._finish(cells, options, word)

    def _finish(self, cells: list[int], options: list[int], word: int | None) -> None:
        try:
            point = self.program.start_point if word is None else self.point_after(cells, options, word)
            if point >= 0 and self.run(cells, options, point, limits.MAX_AUTOMATIC_STEPS) >= 0:
                raise EndlessSteps(self.program.rules.blocks[self.program.rules.round].address)
        except ProgramFault as fault:
            raise self._rule_fault(fault) from None

    @cached_property
    def loader(self) -> PositionLoader:
        """What makes cells of positions."""
        return PositionLoader(self.program)

    def list_options(self, cells: list[int]) -> list[int]:
        """The words of the legal actions at the decision for which a position waits; none when it is over. Raises
        `RuleFault`.
        """
        try:
            return self.listed(cells)
        except ProgramFault as fault:
            raise self._rule_fault(fault) from None

    def listed(self, cells: list[int]) -> list[int]:
        """The same; raises `ProgramFault`."""
        program, counters = self.program, self.program.cells.counters
        if cells[counters["over"]]:
            return []
        site, held = program.decisions[cells[counters["decision"]]], program.open_answer
        seat, options = cells[counters["seat"]], list[int]()
        if held is not None and cells[held.action.value]:
            self.functions[site.pieces](cells, options, seat)
            return options
        self.functions[site.options](cells, options, seat)
        if not options and site.otherwise:
            self.functions[site.otherwise](cells, options, seat)
        elif site.pieces:
            options.clear()
            self.functions[site.pieces](cells, options, seat)
        if site.may_decline and not site.pieces:  # which have it already
            options.append(0)
        return options

    def _rule_fault(self, fault: ProgramFault) -> RuleFault:
        site = self.program.faults[fault.number]
        return RuleFault(site.address, site.span, site.text)

    def run(self, cells: list[int], options: list[int], point: int, most: int | None = None) -> int:
        """Goes on from a point until somebody chooses or the game is over, and returns `WAITS` or `ENDS`; after `most`
        points returns the next one. Raises `ProgramFault`.
        """
        points = self.points
        for _ in repeat(None) if most is None else range(most):
            point = points[point](cells, options)
            if point < 0:
                break
        return point


def _generator(cell: int) -> Callable[[list[int], int, int, int], int]:
    def below(s: list[int], count: int, site: int, offset: int) -> int:
        state = (s[cell] + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        s[cell] = state
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return ((state ^ (state >> 31)) * count) >> 64

    return below


def _fail(number: int) -> None:
    raise ProgramFault(number)


def _remembered(
    lists: dict[tuple[int, ...], list[int]],
) -> Callable[[Callable[..., list[int]]], Callable[..., list[int]]]:
    """Keeps what a function lists in `lists`, by its arguments; all of them go when there are too many."""

    def keeping(function: ListWords) -> ListWords:
        room = limits.MAX_REMEMBERED_WORDS

        def listed(*numbers: int) -> list[int]:
            nonlocal room
            words = function(*numbers)
            room -= len(words) + 1
            if room < 0:
                lists.clear()
                room = limits.MAX_REMEMBERED_WORDS
            if len(words) < room:
                lists[numbers] = words
            return words

        return listed

    return keeping


__all__ = ["ProgramFault", "PythonProgram"]
