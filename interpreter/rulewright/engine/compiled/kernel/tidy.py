"""Leaves out of a function what is never reached and what does nothing.

In: the body of a function. Out: the same body, shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from rulewright.engine.compiled.kernel.kernel import Int, Name, Node, TableEntry, child_nodes, names_in
from rulewright.engine.compiled.kernel.kernel_arithmetic import value_of
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AddOptions,
    Body,
    Branch,
    CellLoop,
    CountLoop,
    EntryLoop,
    Fail,
    LeaveLoop,
    ListLoop,
    Remark,
    Return,
    Statement,
    TestLoop,
    nodes_of,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements

RowTables: TypeAlias = dict[str, tuple[tuple[int, ...], ...]]
Tables: TypeAlias = Mapping[str, Sequence[int]]


def tidy(block: Body, tables: RowTables | None, entries: Tables) -> Body:
    """The block without statements after one that leaves it, and without branches in which nothing is done; a loop that
    only lists words made of a table's numbers becomes a table of the words, which is added to `tables`, if given.
    `entries`: the tables of numbers that words can be made of.
    """
    kept: list[Statement] = []
    for statement in block.statements:
        match statement:
            case Branch(then=then, otherwise=otherwise):
                tidy(then, tables, entries)
                tidy(otherwise, tables, entries)
                if not (_does_something(then) or _does_something(otherwise)):
                    continue
            case CountLoop(body=body) | CellLoop(body=body) | EntryLoop(body=body) | ListLoop(body=body):
                tidy(body, tables, entries)
            case TestLoop(body=body):
                tidy(body, tables, entries)
            case _:
                pass
        kept.append(_with_ready_words(statement, tables, entries))
        if isinstance(statement, Return | Fail | LeaveLoop):
            break
    block.statements[:] = kept
    return block


def _with_ready_words(statement: Statement, tables: RowTables | None, entries: Tables) -> Statement:
    """A loop over a row of a table that only adds a word for each number, as a table of words."""
    match statement:
        case EntryLoop(name=name, table=table, index=index, body=Body(statements=[AddOption(word=word)])):
            if tables is None or index is None or table not in tables or names_in(word) != {name}:
                return statement
            rows = tuple(tuple(_words(word, row, entries)) for row in tables[table])
            if tuple(map(len, rows)) != tuple(map(len, tables[table])):
                return statement
            ready, number = f"words_of_{table}", 2
            while tables.setdefault(ready, rows) != rows:
                ready, number = f"words_of_{table}_{number}", number + 1
            return AddOptions(ready, index)
        case _:
            return statement


def _words(word: Node, row: Sequence[int], entries: Tables) -> Iterator[int]:
    """The value of an expression of one variable for each number for which it is known."""
    for number in map(Int, row):
        value = value_of(word, partial(_in_place_of_name, number), entries)
        if value is not None:
            yield value


def _in_place_of_name(number: Int, node: Node) -> Node:
    return number if isinstance(node, Name) else node


def _does_something(block: Body) -> bool:
    return any(not isinstance(statement, Remark) for statement in block.statements)


def tables_in(body: Body) -> Iterator[str]:
    """The names of the tables that statements and expressions read."""
    for statement in all_statements(body):
        if isinstance(statement, EntryLoop | AddOptions):
            yield statement.table
        nodes = [*nodes_of(statement)]
        while nodes:
            node = nodes.pop()
            if isinstance(node, TableEntry):
                yield node.table
            nodes += child_nodes(node)


__all__ = ["tables_in", "tidy"]
