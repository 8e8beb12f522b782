"""Which places have to be empty for a condition to hold?

In: a condition. Out: reads of places, each with the part that asks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.expr.tree import Call, Compare, Constant, Expr, ReadZone
from rulewright.expr.types import Bag, SetOf
from rulewright.expr.walk import conjuncts

NONE: Final = (("is", 0), ("<=", 0), ("<", 1))  # how a count is compared where nothing is there


def empty_places(condition: Expr | None) -> Iterator[tuple[Expr, ReadZone]]:
    """The places of which a condition says, in each case in which it holds, that nothing at all is there."""
    for part in () if condition is None else conjuncts(condition):
        match part:
            case Compare(op="is", left=ReadZone(member=None) as place, right=Constant(type=Bag("") | SetOf(None))):
                yield part, place
            case Compare(
                op=op, left=Call(function="count", args=(ReadZone(member=None) as place,)), right=Constant(value=number)
            ) if (op, number) in NONE:
                yield part, place


__all__ = ["empty_places"]
