"""How comparisons and totals of ranges come out, whatever the expressions are.

In: ranges. Out: flags (0, 1 or either) and totals.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.model.facts.value_ranges import EITHER, FALSE, TRUE, BagRange, Scalars, SetRange


def total_of_numbers(numbers: Sequence[Scalars], fewest: int, most: int) -> Scalars:
    """The sum over at least `fewest` and at most `most` of these."""
    lows, highs = sorted(number.low for number in numbers), sorted((number.high for number in numbers), reverse=True)
    low = sum(lows[:fewest]) + sum(value for value in lows[fewest:most] if value < 0)
    high = sum(highs[:fewest]) + sum(value for value in highs[fewest:most] if value > 0)
    return Scalars.between(low, high)


def total_of_bags(bags: Sequence[BagRange], fewest: int, most: int, size: int) -> BagRange:
    """The sum over at least `fewest` and at most `most` of these; `size`: the length of the bags."""
    lows = [sum(sorted(bag.lows[index] if bag.lows else 0 for bag in bags)[:fewest]) for index in range(size)]
    highs = [
        sum(sorted((bag.highs[index] if bag.highs else 0 for bag in bags), reverse=True)[:most])
        for index in range(size)
    ]
    low_total = sum(sorted(bag.low_total for bag in bags)[:fewest])
    high_total = sum(sorted((bag.high_total for bag in bags), reverse=True)[:most])
    return BagRange.of(lows, highs, low_total, high_total)


def opposite(flag: Scalars) -> Scalars:
    """Whether a flag is not set."""
    return Scalars.of(1 - value for value in flag.listed or ())


def _flag_of(*, can_be_true: bool, can_be_false: bool) -> Scalars:
    return Scalars.of([1] * can_be_true + [0] * can_be_false)


def compare_scalars(op: str, a: Scalars, b: Scalars) -> Scalars:
    """Whether two numbers, flags, members or things compare so."""
    if a.is_empty or b.is_empty:
        return EITHER
    match op:
        case "is" | "is not":
            same = _flag_of(can_be_true=not a.meet(b).is_empty, can_be_false=a.single is None or a.single != b.single)
            return same if op == "is" else opposite(same)
        case "<":
            return _flag_of(can_be_true=a.low < b.high, can_be_false=a.high >= b.low)
        case "<=":
            return _flag_of(can_be_true=a.low <= b.high, can_be_false=a.high > b.low)
        case ">":
            return _flag_of(can_be_true=a.high > b.low, can_be_false=a.low <= b.high)
        case ">=":
            return _flag_of(can_be_true=a.high >= b.low, can_be_false=a.low < b.high)
    raise AssertionError(op)


def same_bag(a: BagRange, b: BagRange) -> Scalars:
    """Whether two bags are equal."""
    left, right = a, b
    zeros = (0,) * max(len(a.highs), len(b.highs))
    lows, highs = left.lows or zeros, left.highs or zeros
    other_lows, other_highs = right.lows or zeros, right.highs or zeros
    if any(low > high for low, high in zip(lows, other_highs, strict=True)):
        return FALSE
    if any(low > high for low, high in zip(other_lows, highs, strict=True)):
        return FALSE
    if left.low_total > right.high_total or right.low_total > left.high_total:
        return FALSE
    return TRUE if lows == highs == other_lows == other_highs else EITHER


def same_set(a: SetRange, b: SetRange) -> Scalars:
    """Whether two sets are equal."""
    if a.fewest > b.most or b.fewest > a.most:
        return FALSE
    if a.is_exact and b.is_exact:
        return TRUE if a.elements.listed == b.elements.listed else FALSE
    return EITHER


__all__ = ["compare_scalars", "opposite", "same_bag", "same_set", "total_of_bags", "total_of_numbers"]
