"""A compiled program as Python functions: what it does to the cells of a position.

In: a program. Out: its functions, with a generator for its chance or, from outside, a queue of numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from typing import Any, Final

from rulewright import limits
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.outside_chance import ChanceQueue
from rulewright.engine.faults import EndlessSteps, RuleFault

BUILTINS: Final = {"range": range, "len": len, "min": min, "max": max}


class _Fault(Exception):
    """The rules fail at a site of the program."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class PythonProgram:
    """The functions of a program, made of its Python text. `text`: that text; `queue`: what chance gives where it comes
    from outside; `witnesses`: functions that are told what viewers see.
    """

    def __init__(self, program: CompiledProgram, *, witnesses: Mapping[str, Callable[..., None]] | None = None) -> None:
        self.program = program
        self.text = program.to_python()
        self.queue = ChanceQueue()
        self._witnesses = witnesses or {}
        self._code = compile(self.text, f"<{program.rules.game}, compiled>", "exec")
        self._load(_generator(program.cells.counters["generator"]))

    def _load(self, below: Callable[[list[int], int, int, int], int]) -> None:
        namespace: dict[str, Any] = {
            "__builtins__": BUILTINS, "bisect": bisect_left, "below": below, "fail": _fail, **self._witnesses,
        }  # fmt: skip
        exec(self._code, namespace)
        self.points: tuple[Callable[[list[int], list[int]], int], ...] = namespace["POINTS"]
        self._act: Callable[[list[int], list[int], int], int] = namespace["act"]
        self.functions = namespace

    @cached_property
    def outside(self) -> PythonProgram:
        """The same program, whose chance comes from its queue."""
        program = copy(self)
        program._load(self.queue.below)
        return program

    def start(self, cells: list[int], options: list[int]) -> None:
        """Goes on from the beginning of a game until somebody chooses or the game is over. Raises `RuleFault`."""
        self.run(cells, options, self.program.start_point)

    def act(self, cells: list[int], options: list[int], word: int) -> None:
        """The deciding seat does what a word says, and the game goes on as far. Raises `RuleFault`."""
        try:
            point = self._act(cells, options, word)
        except _Fault as fault:
            site = self.program.faults[fault.number]
            raise RuleFault(site.address, site.span, site.text) from None
        if point >= 0:
            self.run(cells, options, point)

    def run(self, cells: list[int], options: list[int], point: int) -> None:
        """Goes on from a point until somebody chooses or the game is over. Raises `RuleFault`."""
        points = self.points
        try:
            for _ in range(limits.MAX_AUTOMATIC_STEPS):
                point = points[point](cells, options)
                if point < 0:
                    return
        except _Fault as fault:
            site = self.program.faults[fault.number]
            raise RuleFault(site.address, site.span, site.text) from None
        raise EndlessSteps(self.program.rules.blocks[self.program.rules.round].address)


def _generator(cell: int) -> Callable[[list[int], int, int, int], int]:
    def below(s: list[int], count: int, site: int, offset: int) -> int:
        state = (s[cell] + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        s[cell] = state
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return ((state ^ (state >> 31)) * count) >> 64

    return below


def _fail(number: int) -> None:
    raise _Fault(number)


__all__ = ["PythonProgram"]
