"""What can be answered to a choice.

In: a choice and what its expressions can be. Out: a range of its answers.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag, SetOf
from rulewright.model.actions import Choice, OneOf, Pay, SomeOf
from rulewright.model.bag_indexes import bag_index, family_size
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.value_ranges import (
    EMPTY_SCALARS,
    FALSE,
    TRUE,
    BagRange,
    Scalars,
    SetRange,
    ValueRange,
    join,
)


def domain_range(ranges: ExpressionRanges, choice: Choice, env: Variables, me: Scalars) -> ValueRange | None:
    """What can be answered to a choice; None when there is never anything to choose."""
    answers = _domain_range(ranges, choice, env, me)
    if choice.condition is None:
        return answers
    holds = ranges.scalars(choice.condition, env, me)
    if holds == TRUE:
        return answers
    size = family_size(ranges.rules, choice.type.kind) if isinstance(choice.type, Bag) else 0
    nothing: ValueRange = BagRange.of((0,) * size, (0,) * size, 0, 0)
    if not isinstance(choice.type, Bag):
        nothing = SetRange.of(EMPTY_SCALARS, 0, 0)
    return nothing if answers is None or holds == FALSE else join(answers, nothing)


def _domain_range(ranges: ExpressionRanges, choice: Choice, env: Variables, me: Scalars) -> ValueRange | None:
    match choice.domain:
        case OneOf(of=of):
            answers = ranges.elements(of, env, me).elements
            return None if answers.is_empty else answers
        case SomeOf(of=of, total=total):
            low, high = _total_ends(ranges, total, env, me)
            if isinstance(of.type, Bag):
                bag = ranges.bag(of, env, me)
                if low > bag.high_total:
                    return None
                return BagRange.of((0,) * len(bag.highs), bag.highs, low, min(high, bag.high_total))
            elements = ranges.elements(of, env, me)
            return None if low > elements.most else SetRange.of(elements.elements, low, min(high, elements.most))
        case Pay(price=price, funds=funds, wild=wild):
            cost, have = ranges.bag(price, env, me), ranges.bag(funds, env, me)
            highs = [min(a, b) for a, b in zip(cost.highs or (0,) * len(have.highs), have.highs, strict=True)]
            for member in wild:
                assert isinstance(choice.type, Bag)
                index = bag_index(ranges.rules, choice.type.kind)[member]
                highs[index] = min(have.highs[index], cost.high_total)
            return BagRange.of((0,) * len(highs), highs, 0, min(cost.high_total, have.high_total))
        case _:
            assert_never(choice.domain)


def _total_ends(ranges: ExpressionRanges, total: Expr | None, env: Variables, me: Scalars) -> tuple[int, int]:
    if total is None:
        return 0, 10**9
    is_set = isinstance(total.type, SetOf)
    numbers = ranges.elements(total, env, me).elements if is_set else ranges.scalars(total, env, me)
    return max(0, numbers.low), numbers.high


__all__ = ["domain_range"]
