"""Bags by their ranks: which bags an answer can be, in the order of their numbers, and tables that list them.

In: how the bags of a choice are numbered. Out: tables of numbers: ranks by all counts of a bag; and for those who list
actions by their numbers rows of bags, each in one number with a byte for each count, by which its rank is looked up, or
with its rank above them. In such a row only the bags that there is enough for have to be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, product
from operator import mul
from typing import Final, TypeAlias

from rulewright.engine.chance import random_numbers
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS, MAX_IN_LANE, packed
from rulewright.frozen import frozen
from rulewright.model.facts.action_numbers import ByCounts

LARGEST_RANKS: Final = 1 << 14  # entries of a table that has the ranks of bags by all their counts
LARGEST_ROWS: Final = 1 << 12  # bags in all rows of a table
LONGEST_ROW: Final = 256
RANK_SHIFT: Final = 48  # where in a number beside the counts of a bag what gives its rank stands
RANKED_LANES: Final = RANK_SHIFT // LANE_BITS
KEPT: Final = 64  # tables that are not made anew for each decision
SPARE_BITS: Final = range(3, 6)  # of a table in which one multiplication finds bags: with fewer, more factors fail
FACTORS_TRIED: Final = 256
MASKED_LANES: Final = 5  # of which it is told by bits which hold anything

Rows: TypeAlias = tuple[tuple[int, ...], ...]


@frozen
class BagRanks:
    """The ranks of bags by all their counts: `entries`, in which a piece more of a member is so many entries further
    on as `strides` says.
    """

    entries: tuple[int, ...]
    strides: tuple[int, ...]


@lru_cache(KEPT)
def bag_ranks(numbering: ByCounts) -> BagRanks | None:
    """The ranks of all bags, 0 for those that are not numbered; None where the table would be too large."""
    strides, size = [], 1
    for high in reversed(numbering.highs):
        strides.append(size if high else 0)
        size *= high + 1
    strides.reverse()
    if size > LARGEST_RANKS:
        return None
    ranks = [0] * size
    for rank, counts in enumerate(numbered_bags(numbering)):
        ranks[sum(map(mul, counts, strides))] = rank
    return BagRanks(tuple(ranks), tuple(strides))


@frozen
class HashedRanks:
    """The ranks of bags by one multiplication: `entries`, in which that of a bag with a byte for each count stands at
    `bag * factor >> shift & mask`. No two bags that are numbered meet, and what stands above their bytes counts for
    nothing.
    """

    entries: tuple[int, ...]
    factor: int
    shift: int
    mask: int


@lru_cache(KEPT)
def hashed_ranks(numbering: ByCounts) -> HashedRanks | None:
    """The ranks of all bags; None where no factor is found that keeps them apart."""
    if not _fits(numbering) or numbering.count > LONGEST_ROW:
        return None
    bags = list(map(packed, numbered_bags(numbering)))
    for bits in (len(bags).bit_length() + spare for spare in SPARE_BITS):
        shift, mask = RANK_SHIFT - bits, (1 << bits) - 1
        for number in islice(random_numbers(0), FACTORS_TRIED):
            factor = number & (1 << RANK_SHIFT) - 1
            places = [bag * factor >> shift & mask for bag in bags]
            if len(set(places)) == len(bags):
                ranks = dict(zip(places, range(len(bags)), strict=True))
                return HashedRanks(tuple(ranks.get(place, 0) for place in range(mask + 1)), factor, shift, mask)
    return None


@lru_cache(KEPT)
def numbered_bags(numbering: ByCounts) -> tuple[tuple[int, ...], ...]:
    """All bags that have numbers, by their ranks."""
    bags = _bags(numbering.highs, numbering.high_total)
    return tuple(sorted((bag for bag in bags if sum(bag) >= numbering.low_total), key=lambda bag: (sum(bag), bag)))


def _bags(highs: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """All bags of at most so many pieces, with fewer of an earlier member first."""
    bags: list[tuple[int, ...]] = [()]
    for high in highs:
        bags = [(*bag, count) for bag in bags for count in range(min(high, most - sum(bag)) + 1)]
    return bags


@lru_cache(KEPT)
def rows_by_total(numbering: ByCounts) -> Rows | None:
    """For each total, from the lowest on, the bags in the order of answers, with their ranks; None where they are too
    many.
    """
    if not _fits(numbering) or numbering.count > LARGEST_ROWS:
        return None
    rows: list[list[int]] = [[] for _ in range(numbering.low_total, numbering.high_total + 1)]
    for rank, bag in enumerate(numbered_bags(numbering)):
        rows[sum(bag) - numbering.low_total].append(packed(bag) | rank << RANK_SHIFT)
    return tuple(tuple(reversed(row)) for row in rows) if max(map(len, rows)) <= LONGEST_ROW else None


@lru_cache(KEPT)
def rows_by_members(numbering: ByCounts, wild: int) -> Rows | None:
    """For each number of pieces, and then for each set of the members that are ever counted, as bits, the bags of at
    most so many pieces of these members only; None where they are too many. Wild pieces stand in for these pieces, and
    payments with more of an earlier member come first: so bags with fewer pieces of a member before the wild one do,
    then those with more pieces in all.
    """
    used = [at for at, high in enumerate(numbering.highs) if high]
    if not _fits(numbering) or len(used) > MASKED_LANES or numbering.count > LONGEST_ROW:
        return None
    rows, bags = list[tuple[int, ...]](), 0
    for most, members in product(range(numbering.high_total + 1), range(1 << len(used))):
        held = {at for place, at in enumerate(used) if members >> place & 1}
        highs = [high if at in held else 0 for at, high in enumerate(numbering.highs)]
        inside = sorted(_bags(highs, most), key=lambda bag: (bag[:wild], -sum(bag), bag[wild:]))
        bags += len(inside)
        if bags > LARGEST_ROWS:
            return None
        rows.append(tuple(map(packed, inside)))
    return tuple(rows)


@lru_cache(KEPT)
def rows_with_one(numbering: ByCounts, wild: int) -> Rows | None:
    """The same for at most one piece, each bag with its rank. Then for each set of members again no piece, but with the
    rank of one of its only member; nothing for other sets.
    """
    rows = rows_by_members(numbering, wild)
    if rows is None or numbering.high_total == 0 or numbering.low_total > 0:
        return None
    used = [at for at, high in enumerate(numbering.highs) if high]
    sets, ranks = 1 << len(used), {packed(bag): rank for rank, bag in enumerate(numbered_bags(numbering))}
    free = [tuple(bag | ranks[bag] << RANK_SHIFT for bag in row) for row in rows[sets : 2 * sets]]
    needed = list[tuple[int, ...]]([()] * sets)
    for place, at in enumerate(used):
        needed[1 << place] = (ranks[1 << LANE_BITS * at] << RANK_SHIFT,)
    return (*free, *needed)


def _fits(numbering: ByCounts) -> bool:
    return len(numbering.highs) <= RANKED_LANES and max(numbering.highs, default=0) <= MAX_IN_LANE


__all__ = [
    "MASKED_LANES",
    "RANK_SHIFT",
    "BagRanks",
    "HashedRanks",
    "Rows",
    "bag_ranks",
    "hashed_ranks",
    "numbered_bags",
    "rows_by_members",
    "rows_by_total",
    "rows_with_one",
]
