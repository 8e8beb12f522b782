"""A few counts in one number, a byte for each: how a bag stands in one cell.

In: counts that are never above some bounds. Out: whether they can stand in one number, that number, and the counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

LANE_BITS: Final = 8
MIN_LANES: Final = 3  # for fewer it is not worth while
MAX_LANES: Final = 7  # of a machine word whose own sign stays free
HIGHEST_BIT: Final = 1 << (LANE_BITS - 1)  # of a lane: free for the sign of a difference
MAX_IN_LANE: Final = HIGHEST_BIT - 1
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


__all__ = [
    "HIGHEST_BIT",
    "LANE_BITS",
    "MAX_IN_LANE",
    "MAX_IN_LANES",
    "MAX_LANES",
    "MIN_LANES",
    "can_pack",
    "packed",
    "unpacked",
]
