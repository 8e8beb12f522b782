"""A whole program as a Python module: the layout of its cells, its tables and functions, what is called by a number.

In: functions, tables and the layout of cells. Out: the text of the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final, TypeAlias

from rulewright.engine.compiled.kernel.cell_layout import Section
from rulewright.engine.compiled.python.program_code import PythonCode
from rulewright.engine.compiled.python.python_acts import ACTIONS, POINTS_AFTER
from rulewright.engine.compiled.python.python_expressions import print_number
from rulewright.engine.compiled.python.python_notes import Notes
from rulewright.engine.compiled.python.python_printer import INDENT, LONG_LINE, print_function, print_remembered
from rulewright.engine.compiled.translation.game_points import ENDS, WAITS

Table: TypeAlias = Sequence[object] | Mapping[int, object]

HOW_TO_READ: Final = (
    "",
    "s: a position, a list of numbers; out: the legal actions of whoever decides, each one number.",
    "begin_… and after_… are the points from which the game goes on. A point calls the next one, or returns its",
    f"number; {WAITS} says that somebody decides now, {ENDS} that the game is over. Outside of this module are",
    "below(s, n, …), a number below n by chance, fail(n), as the rules fail here, bisect, and @remembered(lists),",
    "which keeps what a function lists, by its arguments.",
    "A bag is one number with a byte for the count of each member: `bag % 255` is the sum of its bytes. In",
    "`(bag | 0x8080) - other & 0x8080` a byte's highest bit stays where `other` has no more of that member, in",
    "`bag + 0x7c7c & 0x8080` it is set where there are 4 or more, since 0x7c is 4 less than 0x80.",
    "WORDS_… are actions by what they depend on; of tables with a number for each thing the last is for no thing.",
    "",
    "What stands in which cells of a position:",
)


def print_tables(tables: Mapping[str, Table]) -> Iterator[str]:
    """Tables of numbers that never change."""
    for name, values in tables.items():
        match values:
            case Mapping():
                yield from _lines(
                    f"{name.upper()} = ", "{}", [f"{hex(key)}: {_row(row)}" for key, row in values.items()]
                )
            case _:
                yield from _lines(f"{name.upper()} = ", "()", list(map(_row, values)))


def _lines(head: str, brackets: str, items: Sequence[str]) -> Iterator[str]:
    """Items in brackets: in one line, or in as many as it takes."""
    opening, closing = brackets[0], brackets[1]
    line = f"{head}{opening}{', '.join(items)}{',' * (len(items) == 1 and opening == '(')}{closing}"
    if len(line) <= LONG_LINE:
        yield line
        return
    yield f"{head}{opening}"
    row = ""
    for item in items:
        if row and len(INDENT) + len(row) + len(item) > LONG_LINE:
            yield from _wrapped(row)
            row = ""
        row += f"{item}, "
    yield from _wrapped(row)
    yield closing


def _wrapped(row: str) -> Iterator[str]:
    """A row of items as a line; in several if it is one item that is too long."""
    lines = [row.rstrip()] if len(row) <= LONG_LINE else wrap(row, LONG_LINE - len(INDENT), subsequent_indent=" ")
    yield from (f"{INDENT}{line}" for line in lines)


def _row(values: object) -> str:
    match values:
        case Sequence():
            return f"({', '.join(map(_row, values))}{',' * (len(values) == 1)})"
        case int():
            return print_number(values) if values >= 0 else str(values)
        case _:
            raise AssertionError(type(values).__name__)


def print_layout(sections: Iterable[Section]) -> Iterator[str]:
    """What stands in which cells, as comments."""
    for section in sections:
        last = section.first + len(section.values) - 1
        numbers = str(section.first) if last <= section.first else f"{section.first}-{last}"
        text = f"  ({section.text})" if section.text else ""
        yield f"#   {numbers:<9}  {section.name}{text}"


def print_program(
    title: str,
    sections: Sequence[Section],
    tables: Mapping[str, Table],
    code: PythonCode,
    resume_points: Sequence[int],
    faults: Sequence[str],
    size: int,
) -> str:
    """The text of a module. `resume_points`: by decision the point after it; `faults`: by number the rule that fails;
    `size`: how many cells a position has.
    """
    points = {WAITS: "somebody decides", ENDS: "the game is over", **code.points}
    cells = {section.first + at: section.name for section in sections for at in range(len(section.values))}
    rows = {section.first: section.name for section in sections if len(section.values) > 1}
    notes = Notes(cells, rows, faults, points)
    lines = [f"# {title}", *(f"# {line}".rstrip() for line in HOW_TO_READ), *print_layout(sections), ""]
    lines += [*print_tables(tables), f"SIZE = {size}", ""]
    for function in code.remembered:
        lines += ["", print_remembered(function, notes), ""]
    for function in code.functions:
        lines += ["", print_function(function, notes), ""]
    lines += [
        "",
        "# What is called by a number:",
        *_lines(f"{ACTIONS} = ", "()", [name or "None" for name in code.actions]),
        *_lines(f"{POINTS_AFTER} = ", "()", [code.points[point] for point in resume_points]),
        "POINTS = {",
        *(f"{INDENT}{number}: {name}," for number, name in code.points.items()),
        "}",
        "",
    ]
    return "\n".join(lines)


__all__ = ["Table", "print_layout", "print_program"]
