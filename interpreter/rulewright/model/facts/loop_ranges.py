"""Ranges of loops: quantifiers, filters, sums, the most and the least.

In: expressions with a variable that runs over a set. Out: their ranges. A loop over few elements is followed element by
element. A part of `ExpressionRanges`.
"""

from __future__ import annotations

from typing import Final

from rulewright.expr.tree import Expr, Extremum, Filter, Quantifier, Sum
from rulewright.expr.types import Bag
from rulewright.model.bag_indexes import family_size
from rulewright.model.facts.content_ranges import ContentRanges
from rulewright.model.facts.range_operations import opposite, total_of_bags, total_of_numbers
from rulewright.model.facts.range_reader import Variables
from rulewright.model.facts.value_ranges import (
    EITHER,
    EMPTY_SCALARS,
    FALSE,
    TRUE,
    BagRange,
    Scalars,
    SetRange,
    ValueRange,
)

MAX_FOLLOWED: Final = 4096  # elements that loops inside one another are followed over, one by one


class LoopRanges(ContentRanges):
    """Ranges of loops."""

    def _each(self, over: SetRange) -> list[Scalars] | None:
        """The elements of a loop one by one; None when they are too many."""
        listed = over.elements.listed
        if listed is None or len(listed) * self._followed > MAX_FOLLOWED:
            return None
        return [Scalars(value, value, frozenset({value})) for value in sorted(listed)]

    def _conditions(
        self,
        over: SetRange,
        slot: int,
        condition: Expr | None,
        env: Variables,
        me: Scalars,
        *,
        until_either: bool = False,
    ) -> list[tuple[Scalars, Scalars]]:
        """The elements (or all together, when they are many), each with whether the condition holds for it.

        `until_either`: only so many that it can hold, and can fail.
        """
        each = self._each(over) or ([] if over.elements.is_empty else [over.elements])
        if condition is None:
            return [(element, TRUE) for element in each]
        found: list[tuple[Scalars, Scalars]] = []
        outcomes = set[int]()
        self._followed *= max(1, len(each))
        try:
            for element in each:
                holds = self.scalars(condition, {**env, slot: element}, me)
                found.append((element, holds))
                outcomes.update(outcome for outcome in (0, 1) if outcome in holds)
                if until_either and len(outcomes) == 2:
                    break
        finally:
            self._followed //= max(1, len(each))
        return found

    def quantifier_range(self, expr: Quantifier, env: Variables, me: Scalars) -> Scalars:
        """Whether some, every or no element has something."""
        over = self.elements(expr.over, env, me)
        # where it is not known which elements there are, one for which it can hold and one for which not say it all
        found = self._conditions(over, expr.slot, expr.condition, env, me, until_either=not over.is_exact)
        can_hold = any(1 in holds for _, holds in found)
        can_fail = any(0 in holds for _, holds in found)
        some_surely = over.fewest > 0 and not can_fail and bool(found)
        if over.is_exact and any(holds == TRUE for element, holds in found if element.single is not None):
            some_surely = True
        some_fails_surely = over.fewest > 0 and not can_hold and bool(found)
        if over.is_exact and any(holds == FALSE for element, holds in found if element.single is not None):
            some_fails_surely = True
        if expr.quantifier == "every":
            return TRUE if not can_fail else FALSE if some_fails_surely else EITHER
        some = FALSE if not can_hold else TRUE if some_surely else EITHER
        return some if expr.quantifier == "some" else opposite(some)

    def filter_range(self, expr: Filter, env: Variables, me: Scalars) -> SetRange:
        """The elements that have something."""
        over = self.elements(expr.over, env, me)
        found = self._conditions(over, expr.slot, expr.condition, env, me)
        kept = EMPTY_SCALARS
        sure = 0
        for element, holds in found:
            if 1 in holds:
                kept = kept.join(element)
            sure += holds == TRUE
        if len(found) == 1 and found[0][0].single is None:  # all together
            return SetRange.of(kept, over.fewest if sure else 0, over.most)
        doubtful = len(found) - sure
        return SetRange.of(kept, sure if over.is_exact else over.fewest - doubtful, over.most)

    def sum_range(self, expr: Sum, env: Variables, me: Scalars) -> ValueRange:
        """A number or bag added up over elements."""
        over = self.elements(expr.over, env, me)
        found = self._conditions(over, expr.slot, expr.condition, env, me)
        is_sure = all(holds == TRUE for _, holds in found)
        fewest = over.fewest if is_sure else 0
        together = len(found) == 1 and found[0][0].single is None
        if isinstance(expr.type, Bag):
            size = family_size(self.rules, expr.type.kind) if expr.type.kind else 0
            bags = [self.bag(expr.of, {**env, expr.slot: element}, me) for element, holds in found if 1 in holds]
            if together and bags:
                most = bags[0].times(0, over.most)
                return BagRange.of((0,) * len(most.highs), most.highs, 0, most.high_total)
            return total_of_bags(bags, fewest, over.most, size)
        numbers = [self.scalars(expr.of, {**env, expr.slot: element}, me) for element, holds in found if 1 in holds]
        if together and numbers:
            (each,) = numbers
            return Scalars.between(min(0, each.low * over.most, each.low * fewest), max(0, each.high * over.most))
        return total_of_numbers(numbers, fewest, over.most)

    def extremum_range(self, expr: Extremum, env: Variables, me: Scalars) -> Scalars:
        """The most or the least over elements; 0 if there are none."""
        over = self.elements(expr.over, env, me)
        found = self._conditions(over, expr.slot, expr.condition, env, me)
        is_sure = over.fewest > 0 and all(holds == TRUE for _, holds in found)
        numbers = [self.scalars(expr.of, {**env, expr.slot: element}, me) for element, holds in found if 1 in holds]
        result = EMPTY_SCALARS if is_sure and numbers else FALSE  # none: 0
        for number in numbers:
            result = result.join(number)
        return result


__all__ = ["LoopRanges"]
