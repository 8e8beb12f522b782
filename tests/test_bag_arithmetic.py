"""The arithmetic that is written out for bags of one length is that of bags of any length."""

from __future__ import annotations

import random

import pytest

from rulewright.engine.bag_arithmetic import ANY_LENGTH, MAX_WRITTEN_LENGTH, BagArithmetic, bag_arithmetic


@pytest.mark.parametrize("length", [1, 2, 3, 6, 13, MAX_WRITTEN_LENGTH])
@pytest.mark.parametrize("name", BagArithmetic._fields)
def test_written_out_and_looped_are_equal(length: int, name: str) -> None:
    written, looped = getattr(bag_arithmetic(length), name), getattr(ANY_LENGTH, name)
    assert written is not looped
    rng = random.Random(length)
    bags = [(), (0,) * length, *[tuple(rng.choices(range(most + 1), k=length)) for most in (1, 2, 3, 9) * 3]]
    pairs = [(left, right) for left in bags for right in bags]
    results = [(written(left, right), looped(left, right)) for left, right in pairs]
    assert all(result == expected and type(result) is type(expected) for result, expected in results)
    assert len({result for result, _ in results}) > 1


@pytest.mark.parametrize("length", [0, MAX_WRITTEN_LENGTH + 1])
def test_what_is_empty_or_long_is_looped_over(length: int) -> None:
    assert bag_arithmetic(length) is ANY_LENGTH


def test_a_sub_bag_is_one_that_leaves_nothing() -> None:
    arithmetic = bag_arithmetic(3)
    assert arithmetic.is_sub_bag((1, 0, 2), (1, 1, 2))
    assert not arithmetic.is_sub_bag((1, 0, 2), (1, 1, 1))
    assert arithmetic.count_rest((1, 0, 2), (1, 1, 1)) == 1
    assert arithmetic.subtract_bag((1, 0, 2), (1, 1, 1)) == (0, 0, 1)
