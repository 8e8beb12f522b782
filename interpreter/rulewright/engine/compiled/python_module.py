"""A whole program as a Python module: the layout of its cells, its tables and functions, what is called by a number.

In: functions, tables and the layout of cells. Out: the text of the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from rulewright.engine.compiled.cell_layout import Section
from rulewright.engine.compiled.program_code import PythonCode
from rulewright.engine.compiled.python_acts import ACTIONS, POINTS_AFTER
from rulewright.engine.compiled.python_printer import INDENT, print_function, print_number

Table: TypeAlias = Sequence[object] | Mapping[int, object]


def print_tables(tables: Mapping[str, Table]) -> Iterator[str]:
    """Tables of numbers that never change."""
    for name, values in tables.items():
        yield f"{name.upper()} = {_table(values)}"


def _table(values: object) -> str:
    match values:
        case Mapping():
            return f"{{{', '.join(f'{hex(key)}: {_table(row)}' for key, row in values.items())}}}"
        case Sequence():
            return f"({', '.join(map(_table, values))}{',' * (len(values) == 1)})"
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
    size: int,
) -> str:
    """The text of a module. `resume_points`: by decision the point after it; `size`: how many cells a position has."""
    lines = [f"# {title}", "# What stands in which cells of a position:", *print_layout(sections), ""]
    lines += [*print_tables(tables), f"SIZE = {size}", ""]
    for function in code.functions:
        lines += ["", print_function(function), ""]
    lines += [
        "",
        "# What is called by a number:",
        f"{ACTIONS} = ({''.join(f'{name or None}, ' for name in code.actions).rstrip()})",
        f"{POINTS_AFTER} = ({''.join(f'{code.points[point]}, ' for point in resume_points).rstrip()})",
        "POINTS = {",
        *(f"{INDENT}{number}: {name}," for number, name in code.points.items()),
        "}",
        "",
    ]
    return "\n".join(lines)


__all__ = ["Table", "print_layout", "print_program"]
