"""Payments with several wild members, or of one sort: they are those that the definition names, found by trying all."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from rulewright.engine.reference.payments import minimal_payments
from rulewright.engine.reference.wild_payments import shared_payments, without_waste

Counts = tuple[int, ...]


def covers(payment: Counts, price: Counts, wild: Sequence[int], worth: Sequence[int], *, is_one_sort: bool) -> bool:
    """Whether a payment covers a price: each wild piece beyond its own share is tried on every sort."""
    if any(payment[member] < price[member] for member in wild):
        return False
    missing = [
        0 if at in wild else max(0, due - paid) for at, (due, paid) in enumerate(zip(price, payment, strict=True))
    ]
    pieces = [number for at, number in zip(wild, worth, strict=True) for _ in range(payment[at] - price[at])]
    if not is_one_sort:
        return sum(missing) <= sum(max(0, number) for number in pieces)
    open_sorts = [at for at, count in enumerate(missing) if count]
    for sorts in product(open_sorts, repeat=len(pieces)):
        left = list(missing)
        for at, number in zip(sorts, pieces, strict=True):
            left[at] -= max(0, number)
        if max(left) <= 0:
            return True
    return not open_sorts


def expected(
    price: Counts, funds: Counts, wild: Sequence[int], worth: Sequence[int], *, is_one_sort: bool
) -> Iterator[Counts]:
    """Every part of a bag that covers a price, and covers it no more without any one of its pieces."""
    for payment in product(*(range(count, -1, -1) for count in funds)):
        if covers(payment, price, wild, worth, is_one_sort=is_one_sort) and not any(
            count
            and covers((*payment[:at], count - 1, *payment[at + 1 :]), price, wild, worth, is_one_sort=is_one_sort)
            for at, count in enumerate(payment)
        ):
            yield payment


@pytest.mark.parametrize("is_one_sort", [False, True])
def test_payments_are_those_of_the_definition(is_one_sort: bool) -> None:
    rng = random.Random(7)
    several = 0
    for _ in range(250):
        wild = rng.choice([[3], [0], [2, 3], [3, 1]])
        worth = [rng.randrange(4) for _ in wild]
        price = tuple(rng.randrange(2 if at in wild else 4) for at in range(4))
        funds = tuple(rng.randrange(4) for _ in range(4))
        wanted = tuple(expected(price, funds, wild, worth, is_one_sort=is_one_sort))
        several += len(wanted) > 1
        assert shared_payments(price, funds, wild, worth, is_one_sort=is_one_sort) == wanted, (
            price,
            funds,
            wild,
            worth,
        )
    assert several > 50


def test_the_usual_case_is_the_same() -> None:
    rng = random.Random(8)
    for _ in range(200):
        price, funds = (tuple(rng.randrange(4) for _ in range(4)) for _ in range(2))
        worth = rng.randrange(1, 4)
        free = funds[3] - price[3]
        wanted = minimal_payments(price, funds, 3, free, worth) if free >= 0 else ()
        assert shared_payments(price, funds, [3], [worth], is_one_sort=False) == wanted


def test_what_contains_another_payment_is_left_out() -> None:
    assert without_waste([(2, 1), (2, 0), (0, 2), (1, 2)]) == ((2, 0), (0, 2))
    assert without_waste([]) == ()
    assert without_waste([()]) == ((),)
