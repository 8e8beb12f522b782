"""How much there is to do on the way from one decision to the next: an algebra of ways through steps.

In: amounts. Out: `Route`s, which are put one after another, chosen between and repeated as the steps are.
"""

from __future__ import annotations

from typing import Final

from rulewright.frozen import frozen
from rulewright.model.facts.value_ranges import UNBOUNDED


@frozen
class Workload:
    """Work: steps of evaluation, and steps of the rules carried out. From `UNBOUNDED` on: without a bound."""

    evaluation: int = 0
    steps: int = 0

    def __add__(self, other: Workload) -> Workload:
        return Workload(min(UNBOUNDED, self.evaluation + other.evaluation), min(UNBOUNDED, self.steps + other.steps))

    @property
    def is_bounded(self) -> bool:
        """Whether there is a bound at all."""
        return max(self.evaluation, self.steps) < UNBOUNDED

    def times(self, count: int) -> Workload:
        """So many times as much."""
        return Workload(min(UNBOUNDED, self.evaluation * count), min(UNBOUNDED, self.steps * count))


NOTHING: Final = Workload()


@frozen
class Route:
    """The most work on the ways through something; None where there is no such way.

    `through`: without a decision. `until`: up to the first decision. `after`: from the last one. `between`: from one to
    the next.
    """

    through: Workload | None = None
    until: Workload | None = None
    after: Workload | None = None
    between: Workload | None = None

    def then(self, other: Route) -> Route:
        """This, and then another."""
        return Route(
            _both(self.through, other.through),
            _most(self.until, _both(self.through, other.until)),
            _most(other.after, _both(self.after, other.through)),
            _most(_most(self.between, other.between), _both(self.after, other.until)),
        )

    def or_else(self, other: Route) -> Route:
        """This, or another."""
        return Route(
            _most(self.through, other.through),
            _most(self.until, other.until),
            _most(self.after, other.after),
            _most(self.between, other.between),
        )

    def repeated(self, fewest: int, most: int) -> Route:
        """This so many times."""
        if most <= 0:
            return STRAIGHT
        again = _both(self.after, self.until) if most > 1 else None
        several = Route(
            None if self.through is None else self.through.times(most),
            _both(self._through(most - 1), self.until),
            _both(self.after, self._through(most - 1)),
            _most(self.between, _both(again, self._through(most - 2))),
        )
        return several if fewest > 0 else several.or_else(STRAIGHT)

    def chained(self) -> Route:
        """This as often as one likes, each but the first only after a decision in the one before."""
        return Route(
            self.through,
            self.until,
            _most(self.after, _both(self.after, self.through)),
            _most(self.between, _both(self.after, self.until)),
        )

    def _through(self, times: int) -> Workload:
        """So many times without a decision, or as often as that goes."""
        return NOTHING if self.through is None or times <= 0 else self.through.times(times)

    def widened(self, before: Route) -> Route:
        """This, where what has grown has no bound."""
        return Route(
            _widened(before.through, self.through),
            _widened(before.until, self.until),
            _widened(before.after, self.after),
            _widened(before.between, self.between),
        )

    @property
    def longest(self) -> Workload:
        """The most work without a decision, wherever it begins or ends."""
        found = NOTHING
        for each in (self.through, self.until, self.after, self.between):
            found = _most(found, each) or found
        return found


STRAIGHT: Final = Route(through=NOTHING)  # nothing to do, nothing to decide
NOWHERE: Final = Route()  # what never happens


def work(evaluation: int, steps: int) -> Route:
    """Work without a decision."""
    return Route(through=Workload(min(UNBOUNDED, evaluation), min(UNBOUNDED, steps)))


def _both(first: Workload | None, second: Workload | None) -> Workload | None:
    return None if first is None or second is None else first + second


def _most(first: Workload | None, second: Workload | None) -> Workload | None:
    if first is None or second is None:
        return first or second
    return Workload(max(first.evaluation, second.evaluation), max(first.steps, second.steps))


def _widened(before: Workload | None, after: Workload | None) -> Workload | None:
    if before is None or after is None:
        return after
    return Workload(
        UNBOUNDED if after.evaluation > before.evaluation else after.evaluation,
        UNBOUNDED if after.steps > before.steps else after.steps,
    )


__all__ = ["NOTHING", "NOWHERE", "STRAIGHT", "Route", "Workload", "work"]
