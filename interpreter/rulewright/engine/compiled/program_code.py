"""The functions of a program, as they are written and as they are carried out.

In: functions straight from the rules. Out: the same functions, fast: joined, with values where they are read, without
what does nothing. That takes as long as writing them, and whoever finds their machine code in the cache never asks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from rulewright.engine.compiled.joined_points import join_points
from rulewright.engine.compiled.kernel_statements import Function
from rulewright.engine.compiled.optimisations import Optimisation
from rulewright.engine.compiled.sinking import sink
from rulewright.engine.compiled.tidy import RowTables, Tables, tidy


class ProgramCode:
    """`written`: the functions as far as work on them has come; `points`: those from which the game goes on, the last
    ones; `return_cells`: see `join_points`; `row_tables`: which tables of words are added to;
    `tables`: those that have no rows.
    """

    def __init__(
        self,
        functions: Sequence[Function],
        points: Sequence[Function],
        return_cells: Collection[int],
        row_tables: RowTables,
        tables: Tables,
        without: Collection[Optimisation],
    ) -> None:
        self.written = (*functions, *points)
        self._functions, self._points, self._return_cells = functions, points, return_cells
        self._row_tables, self._tables, self._without = row_tables, tables, without

    @cached_property
    def finished(self) -> tuple[Function, ...]:
        """The functions as they are carried out."""
        ready_words = None if "ready-words" in self._without else self._row_tables
        for point in self._points:
            tidy(point.body, ready_words, self._tables)
        if "joined-points" not in self._without:
            join_points(self._points, self._functions, self._return_cells)
        for function in self.written:
            if "moved-values" not in self._without:
                sink(function)
            tidy(function.body, ready_words, self._tables)
        return self.written


__all__ = ["ProgramCode"]
