"""What rules ask of the places of zones: their things one by one, only how many there are, or what a field adds up to.

In: rules. Out: the zones whose things have to be kept, and the fields of which a sum is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from rulewright.expr.tree import Amount, Call, Expr, FieldTotal, Place, ReadZone
from rulewright.expr.walk import child_exprs
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, choice_exprs


def _played_exprs(rules: Rules) -> Iterator[Expr]:
    """All expressions that are evaluated in play, or for the result."""
    for action in rules.actions:
        for choice in action.choices:
            yield from choice_exprs(choice)
        yield from (clause.condition for clause in action.clauses)
    for value in rules.values.values():
        yield from (term for _, term in (*value.terms, *value.deductions))
    for block in rules.blocks:
        for step in block.steps:
            yield from asked_exprs(step)
    yield from (invariant.condition for invariant in rules.invariants)
    yield from (criterion.of for criterion in rules.ranking)
    yield from (measure.of for measure in rules.measures)


def _evaluated_exprs(rules: Rules) -> Iterator[Expr]:
    """All expressions by which bots evaluate positions."""
    for terms in (rules.evaluation, *(strategy.terms for strategy in rules.strategies)):
        for term in terms:
            yield term.of
            if term.when is not None:
                yield term.when


def find_uses(rules: Rules, *, is_evaluated: bool) -> tuple[set[str], Mapping[str, tuple[str, ...]]]:
    """The zones whose things rules go through one by one, and by zone the fields that rules add up. `is_evaluated`:
    also where bots evaluate positions.
    """
    walked = {zone.refill.zone for zone in rules.zones.values() if zone.refill is not None}
    totals: dict[str, dict[str, None]] = {}
    waiting = [*_played_exprs(rules), *(_evaluated_exprs(rules) if is_evaluated else ())]
    while waiting:
        expr = waiting.pop()
        match expr:
            case FieldTotal(of=ReadZone(name=zone, keys=keys), name=field):
                totals.setdefault(zone, {})[field] = None
                waiting.extend(keys)
            case Call(function="count", args=(ReadZone(keys=keys),)):
                waiting.extend(keys)
            case ReadZone(name=zone):
                walked.add(zone)
                waiting.extend(child_exprs(expr))
            case _:
                waiting.extend(child_exprs(expr))
    for block in rules.blocks:
        for step in block.steps:
            match step.effect:
                case Move(source=Place(zone=zone), amount=Amount(mode=mode)) if mode not in ("exactly", "up to"):
                    walked.add(zone)
                case Move() | SetState() | Roll() | Reveal() | Choose() | GiveTurn() | Finish() | Leave() | RunSteps():
                    pass  # takes no things that it does not name
                case _:
                    assert_never(step.effect)
    return walked, {zone: tuple(fields) for zone, fields in totals.items()}


__all__ = ["find_uses"]
