"""Which lists need no gathering: each of their items keeps a place of its own, whether it is there or not.

In: a function that changes no cell. Out: the lists that are made of rows of cells and gone through once. How many items
each row has is asked when they are tested, all together. An item is taken as it was written, number by number: a
processor waits long for two numbers at once of which one was written just before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.engine.compiled.kernel.kernel_statements import (
    AppendCells,
    Body,
    Function,
    ListLoop,
    NewList,
    Statement,
    bodies_of,
    names_given,
    names_read,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements

MAX_ITEMS: Final = 16  # tested without a loop


def spread_loops(function: Function) -> dict[str, ListLoop]:
    """By the name of a list the loop through it."""
    if not function.is_pure:
        return {}
    statements = list(all_statements(function.body))
    found: dict[str, ListLoop] = {}
    for body in _bodies(function.body):
        for at, statement in enumerate(body.statements):
            if isinstance(statement, NewList) and statement.size <= MAX_ITEMS:
                rows = _rows_before_use(body.statements[at + 1 :], statement.name)
                uses = [other for other in statements if _is_about(other, statement.name)]
                match uses[1 + len(rows) :]:
                    case [ListLoop() as loop] if uses[1 : 1 + len(rows)] == rows:
                        found[statement.name] = loop
                    case _:
                        pass
    return found


def _rows_before_use(statements: Sequence[Statement], items: str) -> list[AppendCells]:
    """The rows that are added to a list before anything else is done with it."""
    rows: list[AppendCells] = []
    for statement in statements:
        if isinstance(statement, AppendCells) and statement.items == items:
            rows.append(statement)
        elif any(_is_about(part, items) for part in all_statements(Body([statement]))):
            break
    return rows


def _is_about(statement: Statement, items: str) -> bool:
    return items in names_read(statement) or items in names_given(statement)


def _bodies(body: Body) -> Iterator[Body]:
    yield body
    for statement in body.statements:
        for inner in bodies_of(statement):
            yield from _bodies(inner)


__all__ = ["MAX_ITEMS", "spread_loops"]
