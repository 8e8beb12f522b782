"""Figures against known values: published tables, numbers worked out by hand, and what must hold for any numbers."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isclose, sqrt
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.simulation.statistics import (
    QUANTILE_LEVELS,
    Ratio,
    Summary,
    quantile,
    student_quantile_95,
    summarize,
    summarize_paired_shares,
    summarize_shares,
    wilson_interval,
)

pytestmark = pytest.mark.slow

whole_numbers = st.lists(st.integers(-1000, 1000), min_size=2, max_size=60)


def found(of: Summary | None) -> Summary:
    assert of is not None
    return of


# ---- known values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "published"),  # two-sided 95 %, any table of Student's distribution
    [
        (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (7, 2.365), (8, 2.306), (9, 2.262),
        (10, 2.228), (20, 2.086), (29, 2.045), (30, 2.042), (40, 2.021), (60, 2.000), (120, 1.980), (10**9, 1.960),
    ],
)  # fmt: skip
def test_students_t_is_that_of_the_tables(freedom: int, published: float) -> None:
    assert isclose(student_quantile_95(freedom), published, abs_tol=0.0005)


def test_sum_and_series_of_students_t_meet() -> None:
    assert isclose(student_quantile_95(200), 1.971896224, abs_tol=2e-9)
    steps = [student_quantile_95(n) - student_quantile_95(n + 1) for n in range(195, 206)]
    assert all(earlier > later > 0 for earlier, later in pairwise(steps))


def test_numbers_of_numbers() -> None:
    one = found(summarize([2, 4, 4, 6]))
    assert (one.count, one.mean, one.minimum, one.maximum) == (4, 4, 2, 6)
    assert one.deviation is not None
    assert isclose(one.deviation, sqrt(8 / 3))
    assert one.interval is not None
    assert isclose(one.interval[1] - 4, 3.182446305 * sqrt(8 / 3) / 2)
    assert summarize([]) is None


def test_of_one_number_nothing_is_known_but_itself() -> None:
    for one in (found(summarize([5])), found(summarize_shares([1])), found(summarize_paired_shares([0.5]))):
        assert one.deviation is None
    assert found(summarize([5])).interval is None
    assert found(summarize_paired_shares([0.5])).interval is None


def test_quantiles_are_those_of_the_definition() -> None:
    # the inverse of the empirical distribution function: definition 1 of Hyndman and Fan (1996)
    ten = dict.fromkeys(range(1, 11), 1)
    assert [quantile(ten, level) for level in QUANTILE_LEVELS] == [1, 3, 5, 8, 10]
    assert [quantile({7: 3}, level) for level in QUANTILE_LEVELS] == [7] * 5
    assert [quantile({0: 95, 1: 5}, level) for level in (5, 95, 96)] == [0, 0, 1]


def ratio(parts: Sequence[int], wholes: Sequence[int]) -> Ratio:
    """The ratio of some games."""
    total = Ratio()
    for part, whole in zip(parts, wholes, strict=True):
        total.add(part, whole)
    return total


def test_a_ratio_counts_all_games_together() -> None:
    same = ratio([10, 90], [1, 9])
    assert (same.mean(), same.interval()) == (10, (10, 10))
    other = ratio([2, 6], [1, 2])  # 8/3; residues 2 - 8/3 and 6 - 16/3
    assert other.mean() == Fraction(8, 3)
    error = sqrt(2 * (2 / 3) ** 2 / 1) / 1.5 / sqrt(2)
    low, high = other.interval() or (0, 0)
    assert isclose(high - low, 2 * 12.706204736 * error)
    assert ratio([1], [0]).mean() is None
    assert ratio([1], [1]).interval() is None


def test_the_interval_of_a_share_is_wilsons() -> None:
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
    for wins, games, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        interval = found(summarize_shares([1] * wins + [0] * (games - wins))).interval or (0, 0)
        assert isclose(interval[0], low, abs_tol=5e-5)
        assert isclose(interval[1], high, abs_tol=5e-5)
    assert summarize_shares([]) is None


def test_pairs_that_balance_make_a_narrow_interval() -> None:
    balanced = found(summarize_paired_shares([Fraction(1, 2)] * 98 + [0, 1]))
    loose = found(summarize_paired_shares([0, 1] * 50))
    assert balanced.mean == loose.mean == 0.5
    reach = [(one.interval[1] - one.interval[0]) / 2 for one in (balanced, loose) if one.interval]
    assert isclose(
        reach[0], student_quantile_95(99) * (balanced.deviation or 0) / 10, rel_tol=0.02
    )  # as the mean of numbers has
    assert isclose(reach[1], 0.097, abs_tol=0.002)
    assert isclose(reach[1], (wilson_interval(0.5, 100)[1] - wilson_interval(0.5, 100)[0]) / 2, rel_tol=0.02)


def test_a_few_pairs_that_are_alike_are_no_certainty() -> None:
    split = found(summarize_paired_shares([Fraction(1, 2)] * 5)).interval or (0, 0)
    assert split[0] < 0.3
    assert split[1] > 0.7
    won = found(summarize_paired_shares([1] * 5)).interval
    assert won == wilson_interval(1, 5)


@pytest.mark.parametrize("advantage", [0.5, 0.7, 0.9, 0.97])
def test_intervals_of_pairs_hold_what_they_promise(advantage: float) -> None:
    """Of many tournaments whose truth is known, nearly 95 % of the intervals contain it."""
    dice = random.Random(20)
    hits = 0
    for _ in range(400):
        deals = []
        for _ in range(40):  # the luck of a deal helps whoever has the better seat: the two games are not independent
            luck = dice.uniform(-0.1, 0.1)
            chances = (min(1, advantage + luck), advantage - luck) if advantage < 0.9 else (advantage, advantage)
            deals.append(Fraction(sum(dice.random() < one for one in chances), 2))
        low, high = found(summarize_paired_shares(deals)).interval or (0, 0)
        hits += low <= advantage <= high
    assert hits >= 0.93 * 400


# ---- what holds for any numbers -----------------------------------------------------------------------------------


@given(whole_numbers)
def test_a_summary_is_that_of_the_standard_library(numbers: list[int]) -> None:
    one = found(summarize(numbers))
    assert isclose(one.mean, fmean(numbers), abs_tol=1e-9)
    assert isclose(one.deviation or 0, stdev(numbers), abs_tol=1e-9)
    assert (one.minimum, one.maximum) == (min(numbers), max(numbers))


@given(whole_numbers, st.randoms(use_true_random=False))
def test_the_order_changes_nothing(numbers: list[int], dice: random.Random) -> None:
    mixed = list(numbers)
    dice.shuffle(mixed)
    assert summarize(mixed) == summarize(numbers)


@given(whole_numbers)
def test_quantiles_occur_and_ascend(numbers: list[int]) -> None:
    one = found(summarize(numbers))
    assert set(one.quantiles) <= set(numbers)
    assert list(one.quantiles) == sorted(one.quantiles)
    for level, value in zip(QUANTILE_LEVELS, one.quantiles, strict=True):
        assert sum(x <= value for x in numbers) * 100 >= level * len(numbers) > 100 * sum(x < value for x in numbers)


@given(st.lists(st.sampled_from([0, Fraction(1, 3), Fraction(1, 2), 1]), min_size=1, max_size=60))
def test_shares_stay_shares(numbers: list[Fraction]) -> None:
    for one in (found(summarize_shares(numbers)), found(summarize_paired_shares(numbers))):
        if one.interval is not None:
            assert 0 <= one.interval[0] <= one.mean <= one.interval[1] <= 1
            assert one.interval[1] - one.interval[0] > 0


@given(st.lists(st.integers(0, 10**12), max_size=5))
def test_nothing_is_written_that_json_has_not(numbers: list[int]) -> None:
    one = summarize(numbers)
    json.dumps(None if one is None else one.to_data(), allow_nan=False)
