"""What every function of a module of machine code has to know of the others, of the tables and of the cells.

In: the functions and tables of a program. Out: a `ModuleFacts`.
"""

from __future__ import annotations

import platform
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Final, cast

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.kernel import Below, Invoke, Node, child_nodes
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AddOptions,
    ClearOptions,
    CountOptions,
    Fail,
    Function,
    PushCells,
    Return,
    Statement,
    TakeOption,
    nodes_of,
)
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS, MachineShape
from rulewright.engine.compiled.kernel.word_widths import WordWidths, all_statements
from rulewright.engine.compiled.llvm.option_room import LISTED_AT_ONCE, SHORT_COPY, most_listed
from rulewright.frozen import field, frozen

NUMBER: Final = f"i{MACHINE_BITS}"
SHORT: Final = "i32"  # the number of an action where it is listed
X86_64: Final = ("x86_64", "amd64")
LISTING: Final = (ClearOptions, AddOption, AddOptions, CountOptions, TakeOption)


@frozen
class TableShape:
    """A table: its `entries` (None where it has rows), the type of its numbers, the length of its longest row; where
    it has no rows, the bits that some number in it has (of numbers below 0, all).
    """

    entries: int | None
    type_: str
    longest: int
    used_bits: int = 0


@frozen
class ModuleFacts:
    """`failing`, `listing`, `changing`: names of functions that may fail, list actions, or write cells; `counting`:
    those that return how many actions are listed then, and whether they list but a few; `sifts`: loops gather first
    what passes; `spreads`: without a list where there are few; `lists_numbers`: legal actions are listed by their
    numbers; `finds_full_rows`: rows that lack nothing are listed at once; `has_sum_of_bytes`: whether the processor
    has an instruction for it; `lists_at_once`: short rows of tables are, and items by their places. Noted while
    functions are printed: `rows_of_none`: of tables that are needed once more, the row in which all bits are set;
    `steps_listed`: for which steps from place to place a table is needed.
    """

    widths: WordWidths
    tables: Mapping[str, TableShape]
    failing: Collection[str]
    listing: Collection[str]
    counting: Mapping[str, bool]
    changing: Collection[str]
    shape: MachineShape
    sifts: bool
    spreads: bool
    lists_numbers: bool
    finds_full_rows: bool
    has_sum_of_bytes: bool
    lists_at_once: bool
    rows_of_none: dict[str, int] = field(default_factory=dict)
    steps_listed: set[int] = field(default_factory=set)


def module_facts(
    program: CompiledProgram, functions: Sequence[Function], used_tables: Mapping[str, Sequence[object]]
) -> ModuleFacts:
    """The facts of a program that has these functions, which read these tables."""
    statements = {function.name: [*all_statements(function.body)] for function in functions}
    calls = {name: _called_by(own) for name, own in statements.items()}
    drawing = {name for name, own in statements.items() if _draws(own)}
    widths = WordWidths(functions, program.words.bits, program.cells.word_sections)
    words = "" if program.lists_numbers else f"i{widths.bits}"
    listed = {statement.table for own in statements.values() for statement in own if isinstance(statement, AddOptions)}
    listing = _reaching(calls, _with_statement(statements, LISTING))
    tables = {name: _shape(values, words if name in listed else "") for name, values in used_tables.items()}
    pushes = bool(_with_statement(statements, (PushCells,)))
    return ModuleFacts(
        widths=widths,
        tables=tables,
        failing=_reaching(calls, _with_statement(statements, (Fail, PushCells)) | drawing),
        listing=listing,
        counting={
            function.name: lists_few(function, tables) and not calls[function.name] & listing
            for function in functions
            if function.name in listing and not _has_result(statements[function.name])
        },
        changing={function.name for function in functions if not function.is_pure},
        shape=MachineShape(widths, program.cells.size, len(program.faults), pushes),
        sifts="sifted-loops" not in program.without,
        spreads="spread-lists" not in program.without,
        lists_numbers=program.lists_numbers,
        finds_full_rows="full-rows" not in program.without,
        has_sum_of_bytes=platform.machine().lower() in X86_64,
        lists_at_once=program.lists_numbers and "listed-at-once" not in program.without,
    )


def table_rows(values: Sequence[object]) -> Sequence[Sequence[int]] | None:
    """The rows of a table, if it has rows."""
    return cast("Sequence[Sequence[int]]", values) if values and isinstance(values[0], Sequence) else None


def _shape(values: Sequence[object], words: str) -> TableShape:
    """`words`: the type of words, of a table of them; those of short rows are as wide as they are listed."""
    rows = table_rows(values)
    if rows is None:
        numbers = cast("Sequence[int]", values)
        return TableShape(len(values), number_type(numbers), 0, reduce(or_, numbers, 0))
    longest = max(map(len, rows))
    as_listed = words == NUMBER and longest <= SHORT_COPY
    return TableShape(None, words if as_listed else number_type([number for row in rows for number in row]), longest)


def number_type(numbers: Sequence[int]) -> str:
    """The narrowest type for numbers."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    if low < 0:
        return "i32" if low >= -(1 << 31) and high < 1 << 31 else NUMBER
    narrow = next((bits for bits, limit in ((8, 1 << 8), (16, 1 << 16), (32, 1 << 31)) if high < limit), None)
    if narrow is not None:
        return f"i{narrow}"
    return NUMBER if high < 1 << 63 else f"i{-(-(high.bit_length() + 1) // 64) * 64}"


def _with_statement(functions: Mapping[str, Sequence[Statement]], sorts: tuple[type, ...]) -> set[str]:
    return {name for name, own in functions.items() if any(isinstance(statement, sorts) for statement in own)}


def _has_result(statements: Sequence[Statement]) -> bool:
    return any(isinstance(statement, Return) and statement.values for statement in statements)


def lists_few(function: Function, tables: Mapping[str, TableShape]) -> bool:
    """Whether a function itself lists so few actions that there is room for them behind those that are too many."""
    most = most_listed(function, lambda table: tables[table].longest or tables[table].entries or 0)
    return most is not None and most <= LISTED_AT_ONCE


def _draws(statements: Sequence[Statement]) -> bool:
    """Whether a function asks for chance, which may have to come from outside first."""
    return any(isinstance(node, Below) for node in _all_nodes(statements))


def _reaching(calls: Mapping[str, Collection[str]], reached: Collection[str]) -> set[str]:
    """The functions that call some of these, directly or not, and these. `calls`: what each function calls."""
    found = set(reached)
    while True:
        more = {name for name, called in calls.items() if name not in found and not found.isdisjoint(called)}
        if not more:
            return found
        found |= more


def _called_by(statements: Sequence[Statement]) -> set[str]:
    return {node.function for node in _all_nodes(statements) if isinstance(node, Invoke)}


def _all_nodes(statements: Sequence[Statement]) -> Iterator[Node]:
    """Every expression of some statements, with those inside of others."""
    left = [node for statement in statements for node in nodes_of(statement)]
    while left:
        node = left.pop()
        yield node
        left += child_nodes(node)


__all__ = [
    "LISTING",
    "NUMBER",
    "SHORT",
    "ModuleFacts",
    "TableShape",
    "lists_few",
    "module_facts",
    "number_type",
    "table_rows",
]
