"""Parts of a bag.

In: a bag and a number of pieces. Out: all parts with so many pieces, in a fixed order.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.engine.faults import TooManyAnswersError
from rulewright.engine.values import BagCounts


def sub_bags(bag: BagCounts, total: int) -> list[BagCounts]:
    """All parts of a bag with `total` pieces, more of an earlier member first."""
    later = sum(bag)
    if total == later:
        return [bag]
    if total == 0:
        return [(0,) * len(bag)]
    # counts of the members so far, pieces still to take
    partial: list[tuple[BagCounts, int]] = [((), total)]
    for available in bag:
        if not available:
            partial = [((*counts, 0), left) for counts, left in partial]
            continue
        later -= available  # pieces of the members after this one
        longer: list[tuple[BagCounts, int]] = []
        for counts, left in partial:
            least = left - later if left > later else 0
            most = available if available < left else left
            longer.extend([((*counts, count), left - count) for count in range(most, least - 1, -1)])
            if len(longer) > limits.MAX_ANSWERS:
                raise TooManyAnswersError
        partial = longer
    return [counts for counts, _ in partial]


__all__ = ["sub_bags"]
