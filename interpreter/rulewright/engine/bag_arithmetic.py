"""Arithmetic of bags of a known length, without a loop over their counts.

In: the length of the bags of a family. Out: functions of two such bags, either of which may be `()`, the empty bag of
any kind. What they mean is said by `values`, whose functions take bags of any length; these are written out count by
count (`l0 + r0, l1 + r1, …`) and compiled when a length is first asked for, in a third of the time at each call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from rulewright.engine.values import BagCounts, add_bags, count_rest, is_sub_bag, subtract_bag

BagOperation: TypeAlias = Callable[[BagCounts, BagCounts], BagCounts]

MAX_WRITTEN_LENGTH: Final = 32  # what is longer gains nothing


class BagArithmetic(NamedTuple):
    """What bags of one length need; each field is the function of `values` of that name."""

    add_bags: BagOperation
    subtract_bag: BagOperation
    count_rest: Callable[[BagCounts, BagCounts], int]
    is_sub_bag: Callable[[BagCounts, BagCounts], bool]

    def operation(self, op: str) -> BagOperation:
        """The function of an operator of bags."""
        return self.add_bags if op == "+" else self.subtract_bag


ANY_LENGTH: Final = BagArithmetic(add_bags, subtract_bag, count_rest, is_sub_bag)
TEMPLATES: Final = {  # by function: what an empty bag makes of the other, what is done with two counts, and with all
    "add_bags": ("left or right", "l{0} + r{0}", ", ", ","),
    "subtract_bag": ("left", "l{0} - r{0} if l{0} > r{0} else 0", ", ", ","),
    "count_rest": ("sum(left)", "(l{0} - r{0} if l{0} > r{0} else 0)", " + ", ""),
    "is_sub_bag": ("not any(left)", "l{0} <= r{0}", " and ", ""),
}


@cache
def bag_arithmetic(length: int) -> BagArithmetic:
    """The functions for bags of a length."""
    if not 0 < length <= MAX_WRITTEN_LENGTH:
        return ANY_LENGTH
    written: dict[str, Callable[[BagCounts, BagCounts], object]] = {}
    lefts, rights = [", ".join(f"{side}{index}" for index in range(length)) for side in "lr"]
    for name, (of_empty, of_counts, joint, end) in TEMPLATES.items():
        result = joint.join(of_counts.format(index) for index in range(length))
        lines = [
            f"def {name}(left, right):",
            f" if not left or not right: return {of_empty}",
            f" {lefts}, = left",
            f" {rights}, = right",
            f" return ({result}{end})",
        ]
        exec("\n".join(lines), written)
    return BagArithmetic(*[written[name] for name in TEMPLATES])  # type: ignore[arg-type]  # made at run time


__all__ = ["ANY_LENGTH", "BagArithmetic", "bag_arithmetic"]
