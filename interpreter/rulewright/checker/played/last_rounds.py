"""Which round is the last at the latest, from an end of the game that asks for its number?

In: rules. Out: the end that comes first, and the number of the round in which it comes; None where none asks for it.
Raises `RuleFault` where the rules cannot be set up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.expr.tree import Builtin, Compare
from rulewright.expr.walk import disjuncts
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.rules import Rules

LATEST: Final = {">": 1, ">=": 0, "is": 0}  # from the number that an end asks for to the last round


@frozen
class LastRound:
    """The end that comes with the round, and with which one at the latest."""

    end: Step
    number: int


def find_last_round(rules: Rules) -> LastRound | None:
    """The first of the ends that come with a round."""
    ends = [step for number in (rules.round, rules.turn) for step in rules.blocks[number].steps]
    if not any(isinstance(step.effect, Finish) and _asked_rounds(step) for step in ends):
        return None
    return min(_last_rounds(ends, ranges_with_parameters(rules)), key=lambda one: one.number, default=None)


def _asked_rounds(step: Step) -> list[Compare]:
    """The comparisons of the round with a number, of which each is enough for an end."""
    sides = disjuncts(step.when) if step.when is not None else []
    return [
        side
        for side in sides
        if isinstance(side, Compare)
        and side.op in LATEST
        and isinstance(side.left, Builtin)
        and side.left.name == "round_number"
    ]


def _last_rounds(steps: list[Step], ranges: ExpressionRanges) -> Iterator[LastRound]:
    for step in steps:
        for asked in _asked_rounds(step) if isinstance(step.effect, Finish) else ():
            number = ranges.scalars(asked.right, {}, ranges.seats).single
            if number is not None:
                yield LastRound(step, number + LATEST[asked.op])


__all__ = ["LastRound", "find_last_round"]
