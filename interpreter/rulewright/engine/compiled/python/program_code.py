"""The functions of a program, as they are written and as they are carried out.

In: functions straight from the rules. Out: the same functions, fast: joined, with values where they are read, without
what does nothing; for machine code (`finished`), or for Python (`for_python`), where calls and loops cost more. That
takes as long as writing them, and whoever finds their machine code in the cache never asks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.compiled.kernel.joined_points import PointEntries, always_the_same, join_points
from rulewright.engine.compiled.kernel.kernel_statements import (
    Body,
    ForgetPushed,
    Function,
    PushCells,
    bodies_of,
    copy_blocks,
)
from rulewright.engine.compiled.kernel.optimisations import AnyOptimisation
from rulewright.engine.compiled.kernel.sinking import sink
from rulewright.engine.compiled.kernel.tidy import RowTables, Tables, tidy
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import frozen, replace

if TYPE_CHECKING:
    from rulewright.engine.compiled.python.hardest_counts import NewTables
    from rulewright.engine.compiled.python.ready_lists import ReadyLists


@frozen
class PythonCode:
    """Functions of generated Python, and their tables: `points` by number, `actions` by number, empty for none;
    `tables`: what only these functions read; `remembered`: functions whose lists are kept.
    """

    functions: tuple[Function, ...]
    remembered: tuple[Function, ...]
    points: Mapping[int, str]
    actions: tuple[str, ...]
    tables: NewTables


class ProgramCode:
    """`written`: the functions straight from the rules; `points`: those from which the game goes on, which come last;
    `entries`: where games enter them; `tables`: of numbers; `columns`: those of them with a number for each thing;
    `row_tables`: of rows, to which tables of words are added; `written_tables`: as they are before.
    """

    def __init__(
        self,
        functions: Sequence[Function],
        points: Sequence[Function],
        entries: PointEntries,
        tables: Tables,
        columns: Collection[str],
        row_tables: RowTables,
        without: Collection[AnyOptimisation],
    ) -> None:
        self.written = (*functions, *points)
        self.written_tables = dict(row_tables)
        self._functions, self._points, self._entries = functions, points, entries
        self._tables, self._columns, self._without = tables, columns, without
        self._ready_words = None if "ready-words" in without else row_tables

    @cached_property
    def finished(self) -> tuple[Function, ...]:
        """The functions as machine code carries them out."""
        functions, points = self._copies()
        if "joined-points" not in self._without:
            join_points(points, functions, self._entries)
        return self._finish((*functions, *points))

    def for_python(self, taken_up: Collection[int], *, may_decline: bool) -> PythonCode:
        """The functions as generated Python carries them out. `taken_up`: as of `connect_points`; `may_decline`: as of
        `look_up_actions`.
        """
        # only here: who finds the text in the cache needs none of it
        from rulewright.engine.compiled.python.hardest_counts import ask_hardest_first
        from rulewright.engine.compiled.python.least_totals import ask_totals_first
        from rulewright.engine.compiled.python.python_acts import look_up_actions
        from rulewright.engine.compiled.python.python_names import renumber
        from rulewright.engine.compiled.python.python_points import connect_points
        from rulewright.engine.compiled.python.python_values import place_values
        from rulewright.engine.compiled.python.ready_lists import list_from_tables
        from rulewright.engine.compiled.python.remembered_lists import remember_lists

        functions, points = self._copies()
        always = always_the_same(points, functions, self._entries.return_cells)
        if not any(isinstance(each, PushCells) for function in self.written for each in all_statements(function.body)):
            for each in (*functions, *points):
                _drop_forgetting(each.body)
        connected = connect_points(points, functions, always, taken_up)
        ready: ReadyLists = {}
        if self._ready_words is not None:
            pure = [function for function in functions if function.is_pure]
            for function in pure:
                tidy(function.body, self._ready_words, self._tables)  # which adds tables of words
            tables = {**self._tables, **self._ready_words}
            for function in pure:
                list_from_tables(function, tables, ready)
        table = look_up_actions(functions, may_decline=may_decline)
        finished = self._finish((*table.functions, *connected.functions))
        made: NewTables = {**ready}
        for function in finished:
            if function.is_pure and "sifted-loops" not in self._without:
                ask_hardest_first(function, self._tables, made)
                ask_totals_first(function, self._tables, self._columns)
            if "moved-values" not in self._without:
                sink(function)
                place_values(function)
        remembered: list[Function] = []
        if "remembered-lists" not in self._without:
            remembered = [made for function in finished if function.is_pure for made in remember_lists(function)]
        names = {function.name for function in (*finished, *remembered)}
        finished = tuple(renumber(function, names) for function in finished)
        remembered = [renumber(function, names) for function in remembered]
        return PythonCode(finished, tuple(remembered), connected.numbers, table.actions, made)

    def _copies(self) -> tuple[list[Function], list[Function]]:
        functions = [replace(function, body=copy_blocks(function.body)) for function in self._functions]
        points = [replace(point, body=copy_blocks(point.body)) for point in self._points]
        for point in points:
            tidy(point.body, self._ready_words, self._tables)
        return functions, points

    def _finish(self, functions: tuple[Function, ...]) -> tuple[Function, ...]:
        for function in functions:
            if "moved-values" not in self._without:
                sink(function)
            tidy(function.body, self._ready_words, self._tables)
        return functions


def _drop_forgetting(body: Body) -> None:
    """Where nothing is ever put away nothing need be dropped."""
    body.statements[:] = [statement for statement in body.statements if not isinstance(statement, ForgetPushed)]
    for statement in body.statements:
        for inner in bodies_of(statement):
            _drop_forgetting(inner)


__all__ = ["ProgramCode"]
