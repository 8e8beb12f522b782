"""Which members a kind has and which things a component, one by one: to be offered where one of them can be written.

In: the tree of a game, a kind or a component. Out: their names, in the order of the rules. Only what is written with
numbers is known: not the members of a kind that goes up to a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final

from rulewright import limits
from rulewright.document.address import child_entries, find_entry
from rulewright.editor.known_names import HOLE_OF_ID, key_sorts
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.grid_lines import DIRECTIONS, straight_lines
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items, as_mapping

RANGE: Final = lazy_pattern(r"(\d+) to (\d+)")
GRID: Final = lazy_pattern(r"(\d+) by (\d+)")
MAX_LISTED: Final = 100  # numbers of a kind
MAX_SIDE: Final = 26  # columns, which are letters, and rows of a grid
MAX_LINES: Final = 2_000  # of a grid


def members_of_kind(root: MappingNode, kind: str) -> Iterator[str]:
    """The members of a kind; none of what is not one."""
    return _members(root, kind, ())


def things_of_component(root: MappingNode, component: str) -> Iterator[str]:
    """The ids of the things of a component, also of those that a row with `for_each` stands for."""
    rows = find_entry(root, f"components.{component}.rows")
    for row in child_entries(rows.value) if rows is not None else ():
        kinds = dict(key_sorts(as_mapping(row.value).get("for_each")))
        if not kinds:
            yield row.key.text
            continue
        members = [[*members_of_kind(root, kind)] for kind in kinds.values()]
        for chosen in islice(product(*members), limits.MAX_ROWS):
            yield _filled(row.key.text, dict(zip(kinds, chosen, strict=True)))


def _filled(pattern: str, members: Mapping[str, str]) -> str:
    return HOLE_OF_ID.sub(lambda hole: members.get(hole[1], hole[0]), pattern)


def _members(root: MappingNode, kind: str, seen: tuple[str, ...]) -> Iterator[str]:
    entry = find_entry(root, f"kinds.{kind}")
    node = None if entry is None or kind in seen else entry.value
    if isinstance(node, MappingNode) and "members" in node:
        node = node.get("members")
    if isinstance(node, MappingNode) and ("grid" in node or "lines_of" in node):
        yield from _cells(node) if "grid" in node else _lines(root, node)
        return
    if isinstance(node, ScalarNode) and (numbers := RANGE.fullmatch(node.text)):
        yield from map(str, range(int(numbers[1]), min(int(numbers[2]) + 1, int(numbers[1]) + MAX_LISTED)))
        return
    for member in child_entries(node) if node is not None else ():
        every, _, other = member.key.text.rpartition(" ")
        yield from _members(root, other, (*seen, kind)) if every == "every" else (other,)


def _size(node: MappingNode) -> tuple[int, int]:
    """How many columns and rows a grid has, as far as its cells are listed; none where that is not known."""
    grid = node.get("grid")
    size = GRID.fullmatch(grid.text) if isinstance(grid, ScalarNode) else None
    return (0, 0) if size is None else (min(int(size[1]), MAX_SIDE), min(int(size[2]), MAX_SIDE))


def _cells(node: MappingNode) -> Iterator[str]:
    columns, rows = _size(node)
    yield from (_cell(column, row) for row in range(rows) for column in range(columns))


def _cell(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def _lines(root: MappingNode, node: MappingNode) -> Iterator[str]:
    """The lines of a grid: each is called after its first and its last cell."""
    of, length = node.get("lines_of"), node.get("length")
    grid = find_entry(root, f"kinds.{of.text}") if isinstance(of, ScalarNode) else None
    columns, rows = (0, 0) if grid is None else _size(as_mapping(grid.value))
    if not isinstance(length, ScalarNode) or not columns:
        return
    numbers = RANGE.fullmatch(length.text)
    least, most = (numbers[1], numbers[2]) if numbers is not None else (length.text, length.text)
    if not (least.isdecimal() and most.isdecimal()):
        return
    along = [item.text for item in as_items(node.get("along")) if isinstance(item, ScalarNode)] or [*DIRECTIONS]
    lengths = range(int(least), min(int(most), max(columns, rows)) + 1)
    lines = straight_lines(columns, rows, lengths, along, both_ways=_is_true(node.get("both_ways")))
    for line in islice(lines, MAX_LINES):
        first, last = (_cell(cell % columns, cell // columns) for cell in (line[0], line[-1]))
        yield f"{first}_{last}"


def _is_true(node: Node | None) -> bool:
    return isinstance(node, ScalarNode) and node.value is True


__all__ = ["members_of_kind", "things_of_component"]
