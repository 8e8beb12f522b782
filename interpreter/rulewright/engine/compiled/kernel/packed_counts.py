"""A few counts in one number, a byte for each: how a bag stands in one cell, and the things of a pile in a few.

In: counts that are never above some bounds. Out: whether they can stand in one number, that number, and the counts;
numbers of things side by side in cells.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, MutableSequence, Sequence
from typing import Final

LANE_BITS: Final = 8
MIN_LANES: Final = 3  # for fewer it is not worth while
MAX_LANES: Final = 7  # of a machine word whose own sign stays free
HIGHEST_BIT: Final = 1 << (LANE_BITS - 1)  # of a lane: free for the sign of a difference
MAX_IN_LANE: Final = HIGHEST_BIT - 1
MAX_IN_BYTE: Final = 255  # of a number that is only looked at
BYTES_OF_CELL: Final = 8
BYTES_AT_ONCE: Final = 32  # of things that move in any case where one before them goes
MAX_IN_LANES: Final = 254  # together: their sum is what is left of the number modulo 255


def can_pack(mosts: Sequence[int]) -> bool:
    """Whether counts that are never above these can stand in one number."""
    return MIN_LANES <= len(mosts) <= MAX_LANES and max(mosts) <= MAX_IN_LANE and sum(mosts) <= MAX_IN_LANES


def packed(counts: Iterable[int]) -> int:
    """Counts in one number, a byte for each."""
    return sum(count << LANE_BITS * lane for lane, count in enumerate(counts))


def unpacked(number: int, lanes: int) -> tuple[int, ...]:
    """So many counts that stand in one number."""
    return tuple(number >> LANE_BITS * lane & 0xFF for lane in range(lanes))


def cells_of_bytes(count: int) -> int:
    """How many cells have room for so many bytes, and for those behind them that move in any case."""
    return -(-(count + BYTES_AT_ONCE) // BYTES_OF_CELL)


def bytes_in_cells(numbers: Sequence[int], cells: int) -> list[int]:
    """Numbers side by side in so many cells, a byte for each, in the order of this machine's memory."""
    row = bytes(numbers).ljust(cells * BYTES_OF_CELL, b"\0")
    parts = (row[at : at + BYTES_OF_CELL] for at in range(0, len(row), BYTES_OF_CELL))
    return [int.from_bytes(part, sys.byteorder, signed=True) for part in parts]


def byte_in_cells(cells: Sequence[int], first: int, at: int) -> int:
    """One of the numbers that `bytes_in_cells` has put into cells from `first` on."""
    return cells[first + at // BYTES_OF_CELL] >> _bits_below(at) & MAX_IN_BYTE


def put_byte(cells: MutableSequence[int], first: int, at: int, number: int) -> None:
    """Puts another number there."""
    cell, below = first + at // BYTES_OF_CELL, _bits_below(at)
    cells[cell] = cells[cell] & ~(MAX_IN_BYTE << below) | number << below


def _bits_below(at: int) -> int:
    rank = at % BYTES_OF_CELL
    return LANE_BITS * (rank if sys.byteorder == "little" else BYTES_OF_CELL - 1 - rank)


__all__ = [
    "BYTES_AT_ONCE",
    "HIGHEST_BIT",
    "LANE_BITS",
    "MAX_IN_BYTE",
    "MAX_IN_LANE",
    "MAX_IN_LANES",
    "MAX_LANES",
    "MIN_LANES",
    "byte_in_cells",
    "bytes_in_cells",
    "can_pack",
    "cells_of_bytes",
    "packed",
    "put_byte",
    "unpacked",
]
