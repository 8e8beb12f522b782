"""Sums and comparisons over the members of a bag, worked out for all members at once.

In: lanes of which the first operand stands in tables, all in the row of one thing, such as what each card costs. Out:
code that reads one number for them all, in which each lane has eight bits, and takes another such number off it; None
where the lanes are not of that sort. The highest bit of a lane says whether the difference is below zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

from rulewright.engine.compiled.cell_layout import CellLayout
from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel import Binary, ByteSum, Cell, Int, Node, TableEntry
from rulewright.engine.compiled.kernel_arithmetic import ZERO, binary, total

LANE_BITS: Final = 8
SIGN: Final = 1 << (LANE_BITS - 1)
MAX_LANES: Final = 7  # of a machine word whose own sign stays free
MIN_LANES: Final = 3  # for fewer it is not worth while
LARGEST_SUM: Final = 254  # of what the lanes of a row hold: `ByteSum` says so


def lane_total(code: CodeBuilder, cells: CellLayout, lanes: Sequence[Node]) -> Node:
    """The sum of the lanes of a bag; all at once, where each is what is short of a price."""
    present = [lane for lane in lanes if lane != ZERO]
    pairs = [(lane.left, lane.right) for lane in present if isinstance(lane, Binary) and lane.op == "less"]
    if len(pairs) != len(present):
        return total(lanes)
    packed = _difference(code, cells, pairs, most=LARGEST_SUM)
    if packed is None:
        return total(lanes)
    difference, signs = packed
    short = code.let(binary("&", difference, Int(signs)), "short")  # the lanes in which something is missing
    kept = binary("-", short, binary(">>", short, Int(LANE_BITS - 1)))
    return ByteSum(binary("&", difference, kept))


def lanes_fit(code: CodeBuilder, cells: CellLayout, pairs: Iterable[tuple[Node, Node]]) -> Node | None:
    """Whether in each pair the first is at most the second; the second are counts of a bag."""
    present = [(part, whole) for part, whole in pairs if part != ZERO]
    packed = _difference(code, cells, present, is_reversed=True)
    if packed is None:
        return None
    difference, signs = packed
    return binary("==", binary("&", difference, Int(signs)), Int(signs))


def _difference(
    code: CodeBuilder,
    cells: CellLayout,
    pairs: Sequence[tuple[Node, Node]],
    *,
    most: int = 0,
    is_reversed: bool = False,
) -> tuple[Node, int] | None:
    """The lanes of a row less the others, or these less the row, each lane with its sign; and all signs."""
    if not MIN_LANES <= len(pairs) <= MAX_LANES:
        return None
    entries = [code.definition(first) for first, _ in pairs]
    tables = [entry.table for entry in entries if isinstance(entry, TableEntry)]
    rows = {entry.index for entry in entries if isinstance(entry, TableEntry)}
    if len(tables) != len(pairs) or len(rows) != 1 or any(isinstance(row, Int) for row in rows):
        return None
    columns = [cells.tables[table] for table in tables]
    held = list(zip(*columns, strict=True))
    if min(map(min, held)) < 0 or max(map(max, held)) >= SIGN or (most and max(map(sum, held)) > most):
        return None
    signs = sum(SIGN << LANE_BITS * lane for lane in range(len(pairs)))
    mark = 0 if is_reversed else signs  # it stands in the number from which the other is taken off
    name = cells.table(f"{_shared_start(tables).rstrip('_')}_lanes", (_packed(row) | mark for row in held))
    row = TableEntry(name, next(iter(rows)))
    others = [_shifted(code, cells, other, lane) for lane, (_, other) in enumerate(pairs)]
    word = reduce(lambda a, b: binary("|", a, b), [*others, *([Int(signs)] if is_reversed else [])])
    has = code.let(word, "has")
    return code.let(binary("-", has, row) if is_reversed else binary("-", row, has), "left"), signs


def _shared_start(names: Sequence[str]) -> str:
    ends = (at for at, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1)
    return names[0][: next(ends, None)]


def _packed(row: Sequence[int]) -> int:
    return sum(value << LANE_BITS * lane for lane, value in enumerate(row))


def _shifted(code: CodeBuilder, cells: CellLayout, count: Node, lane: int) -> Node:
    """A count in its lane; more than any table holds is as much as enough."""
    if _most(code, cells, count) >= SIGN:
        count = code.let(binary("min", code.let(count), Int(SIGN - 1)), "enough")
    return binary("<<", count, Int(LANE_BITS * lane))


def _most(code: CodeBuilder, cells: CellLayout, count: Node) -> int:
    """A number that a count of a bag is not above; `SIGN` where that is not known."""
    match code.definition(count):
        case Int(value=value):
            return value
        case Cell(index=index) if not isinstance(index, Int):
            return cells.most_in_bag
        case Cell(index=Int(value=cell)) if cell >= len(cells.counters):
            return cells.most_in_bag
        case Binary(op="+", left=left, right=right):
            return _most(code, cells, left) + _most(code, cells, right)
        case Binary(op="min", left=left, right=right):
            return min(_most(code, cells, left), _most(code, cells, right))
        case _:
            return SIGN


__all__ = ["lane_total", "lanes_fit"]
