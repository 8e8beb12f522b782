"""Tables of bags have every bag that is numbered, in the order of answers, with the rank that defines its number."""

from __future__ import annotations

from itertools import product

import pytest

from rulewright.engine.compiled.kernel.packed_counts import packed, unpacked
from rulewright.engine.compiled.translation.ranked_bags import (
    LARGEST_RANKS,
    RANK_SHIFT,
    bag_ranks,
    hashed_ranks,
    numbered_bags,
    rows_by_members,
    rows_by_total,
)
from rulewright.model.facts.action_numbers import ByCounts

BAGS = [ByCounts((3, 3, 2), 0, 3), ByCounts((5, 5, 5, 5, 5, 0), 0, 5), ByCounts((1, 0, 4, 2), 2, 6), ByCounts((), 0, 0)]


def bag_of(number: int, lanes: int) -> tuple[int, ...]:
    return unpacked(number, lanes)


@pytest.mark.parametrize("numbering", BAGS)
def test_bags_are_those_that_are_numbered(numbering: ByCounts) -> None:
    assert list(numbered_bags(numbering)) == [numbering.counts(rank) for rank in range(numbering.count)]


@pytest.mark.parametrize("numbering", BAGS)
def test_ranks_are_found_by_all_counts(numbering: ByCounts) -> None:
    ranks = bag_ranks(numbering)
    assert ranks is not None
    for rank in range(numbering.count):
        steps = zip(numbering.counts(rank), ranks.strides, strict=True)
        assert ranks.entries[sum(count * stride for count, stride in steps)] == rank


@pytest.mark.parametrize("numbering", BAGS)
def test_ranks_are_found_by_one_multiplication(numbering: ByCounts) -> None:
    ranks = hashed_ranks(numbering)
    assert ranks is not None
    for rank in range(numbering.count):
        above = rank << RANK_SHIFT  # counts for nothing
        bag = packed(numbering.counts(rank)) | above
        assert ranks.entries[bag * ranks.factor >> ranks.shift & ranks.mask] == rank


@pytest.mark.parametrize("numbering", BAGS)
def test_a_row_has_all_bags_of_a_total_more_of_an_earlier_member_first(numbering: ByCounts) -> None:
    rows, lanes = rows_by_total(numbering), len(numbering.highs)
    assert rows is not None
    for total, row in enumerate(rows, start=numbering.low_total):
        every = [bag for bag in product(*(range(high + 1) for high in numbering.highs)) if sum(bag) == total]
        assert [bag_of(number, lanes) for number in row] == sorted(every, reverse=True)
        assert [number >> RANK_SHIFT for number in row] == [numbering.rank(bag_of(number, lanes)) for number in row]


def payment_with(stand_ins: tuple[int, ...], wild: int) -> list[int]:
    """A payment less what it would be without wild pieces."""
    return [sum(stand_ins) if at == wild else -count for at, count in enumerate(stand_ins)]


@pytest.mark.parametrize(("highs", "wild"), [((2, 3, 1, 0), 3), ((0, 2, 3, 1), 0), ((2, 0, 3, 1), 1)])
def test_a_row_by_members_has_what_can_be_made_of_them(highs: tuple[int, ...], wild: int) -> None:
    numbering = ByCounts(highs, 0, 3)
    rows = rows_by_members(numbering, wild)
    assert rows is not None
    used = [at for at, high in enumerate(highs) if high]
    assert len(rows) == 4 * 8
    for most, members in product(range(4), range(8)):
        row = rows[most * 8 + members]
        held = [at for place, at in enumerate(used) if members >> place & 1]
        every = [
            bag
            for bag in product(*(range(high + 1 if at in held else 1) for at, high in enumerate(highs)))
            if sum(bag) <= most
        ]
        payments = {
            bag: [-count for count in bag[:wild]] + [sum(bag)] + [-count for count in bag[wild + 1 :]] for bag in every
        }
        every.sort(key=payments.__getitem__, reverse=True)  # more of an earlier member first
        assert [bag_of(number, 4) for number in row] == every
        assert max(row) < 1 << RANK_SHIFT


def test_tables_that_would_be_too_large_are_none() -> None:
    many = ByCounts((9,) * 6, 0, 54)
    assert LARGEST_RANKS < 10**6
    assert bag_ranks(many) is None
    assert rows_by_total(many) is None
    assert hashed_ranks(many) is None
    assert rows_by_members(many, 5) is None
    assert rows_by_total(ByCounts((1,) * 7, 0, 7)) is None
    assert rows_by_members(ByCounts((3,) * 5, 0, 15), 4) is None
