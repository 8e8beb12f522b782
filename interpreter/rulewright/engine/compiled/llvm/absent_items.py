"""Which test of a sieve fails for an item that is none, if the table that it reads says the right thing of none.

In: a sieve, the tables of a program. Out: an `AbsentItem`. The test compares a sum of bytes with one byte. Bytes that
count for no thing are 0 in each row of the table; where they are 255 in the row of none, its sum is above every byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rulewright.engine.compiled.kernel.kernel import Binary, ByteSum, Int, LanesAbove, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS
from rulewright.engine.compiled.llvm.llvm_facts import TableShape
from rulewright.engine.compiled.llvm.sifting import Sieve
from rulewright.frozen import frozen

LANES: Final = MACHINE_BITS // LANE_BITS
HIGHEST_BYTE: Final = (1 << LANE_BITS) - 1
LEAST_SPARE_LANES: Final = 2  # their sum, for an item that is none, is above every byte


@frozen
class AbsentItem:
    """`test`: that an item is one, which need not be asked; `lanes`: what the other test sums up, of a row of `table`
    less `subtracted`; `row`: that of none.
    """

    test: Node
    lanes: LanesAbove
    table: str
    subtracted: Node
    row: int


def find_absent_item(
    sieve: Sieve, item: str, tables: Mapping[str, TableShape], is_byte: Callable[[Node], bool]
) -> AbsentItem | None:
    """The test of a sieve that need not be asked; None where there is none. `is_byte`: a number is from 0 to 255."""
    values = {statement.name: statement.value for statement in sieve.assigned}

    def meaning(node: Node) -> Node:
        return values.get(node.text, node) if isinstance(node, Name) else node

    asked = next((test for test in sieve.tests if _row_of_none(test, item) is not None), None)
    row = None if asked is None else _row_of_none(asked, item)
    if asked is None or row is None:
        return None
    for test in sieve.tests:
        match test:
            case Binary(op="<=", left=left, right=most) if is_byte(most):
                summed = meaning(left)
            case _:
                continue
        lanes = meaning(summed.of) if isinstance(summed, ByteSum) else None
        if not isinstance(lanes, LanesAbove):
            continue
        match meaning(lanes.of):
            case Binary(op="-", left=TableEntry(table=table, index=Name(text=text)), right=Name() as subtracted) if (
                text == item and subtracted.text not in values and _has_spare_lanes(lanes.ones, tables[table], row)
            ):
                return AbsentItem(asked, lanes, table, subtracted, row)
            case _:
                continue
    return None


def _row_of_none(test: Node, item: str) -> int | None:
    """The item that is none, where a test asks that an item is one."""
    match test:
        case Binary(op="!=", left=Name(text=text), right=Int(value=row)) if text == item:
            return row
        case _:
            return None


def counted_bits(ones: int) -> int:
    """All bits of the bytes that count."""
    return ones * HIGHEST_BYTE


def _has_spare_lanes(ones: int, table: TableShape, row: int) -> bool:
    is_in_it = table.entries is not None and 0 <= row < table.entries
    is_marked = not table.used_bits & ~counted_bits(ones)
    return is_in_it and is_marked and LANES - ones.bit_count() >= LEAST_SPARE_LANES


__all__ = ["AbsentItem", "counted_bits", "find_absent_item"]
