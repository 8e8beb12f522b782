"""Does a step bring back at once what one before it has moved away?

In: rules, and the composition they were built from. Out: warnings about steps that move all that is in a place to where
it was taken from just before, by the same loop, with nothing in between that looks there or chooses: then all is as it
was. A pile that is shuffled as things come to it, or lies in an order, is left alone. Under variants only what a
variant wrote.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Binding, Expr, Filter, Place, ReadZone
from rulewright.expr.types import SetOf
from rulewright.expr.walk import is_all_seats, is_constant
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import filled_zones, run_blocks, step_exprs


def check_there_and_back(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    steps = [step for block in rules.blocks for step in block.steps]
    names = NamesTouched(rules)
    for block in rules.blocks:
        for index, step in enumerate(block.steps):
            away = _whole_move(step)
            if away is None or not _is_only_way(step, away[1].zone, steps, rules):
                continue
            back = _next_there(block.steps[index + 1 :], {away[0].zone, away[1].zone}, names, rules)
            if back is None or not _brings_back(step, back):
                continue
            span = key_span(composition.document.root, back.address, "to", back.span)
            if not composition.is_judged(span):
                continue
            message = "this brings everything back to where it has just been taken from"
            related = [Related(step.span, "taken away here")]
            diagnostics.add(
                span,
                CHANGES_NOTHING,
                message,
                label="all is as it was",
                help="name another place behind `to` or `from`, here or there",
                address=back.address,
                related=related,
            )


def _whole_move(step: Step) -> tuple[Place, Place] | None:
    """From where to where a step moves all that there is."""
    move = step.effect
    if not isinstance(move, Move) or step.times is not None or step.while_condition is not None:
        return None
    of = move.amount.of
    while isinstance(of, Filter) and of.condition is None:
        of = of.over
    if move.source is not None:
        return (move.source, move.to) if move.amount.mode == "all" else None
    if isinstance(of, ReadZone) and of.member is None and isinstance(of.type, SetOf):
        return Place(of.name, of.keys, of.offsets), move.to
    return None


def _is_only_way(step: Step, zone: str, steps: list[Step], rules: Rules) -> bool:
    """Whether nothing else ever comes to where a step moves things, and no place it touches has an order."""
    away = _whole_move(step)
    assert away is not None
    places = [rules.zones[place.zone] for place in away]
    others = filled_zones(other for other in steps if other is not step)
    return zone not in others and not any(map(_keeps_order, places)) and away[0].zone != zone


def _keeps_order(zone: ZoneDef) -> bool:
    return zone.is_shuffled or zone.is_arrival_ordered or zone.refill is not None


def _next_there(behind: tuple[Step, ...], zones: set[str], names: NamesTouched, rules: Rules) -> Step | None:
    """The first step behind one that has to do with zones; None where one before it runs others, or chooses."""
    for step in behind:
        touched = names.written(step).union(*map(names.read, step_exprs(step)))
        if touched & zones:
            return step
        if run_blocks(rules, step.effect):
            return None
    return None


def _brings_back(step: Step, back: Step) -> bool:
    away, home = _whole_move(step), _whole_move(back)
    if away is None or home is None or not _are_same_loops(step.for_each, back.for_each):
        return False
    if (step.when is None) != (back.when is None) or not are_same(_given(step.when), _given(back.when)):
        return False
    return _is_same(away[0], home[1]) and _is_same(away[1], home[0])


def _given(condition: Expr | None) -> tuple[Expr, ...]:
    return () if condition is None else (condition,)


def _are_same_loops(one: Binding | None, other: Binding | None) -> bool:
    if one is None or other is None:
        return one is other
    if one.condition is not None or other.condition is not None:
        return False
    are_fixed = is_constant(one.over) and is_constant(other.over)
    return (is_all_seats(one.over) and is_all_seats(other.over)) or (are_fixed and are_same((one.over,), (other.over,)))


def _is_same(one: Place, other: Place) -> bool:
    return one.zone == other.zone and are_same(one.keys, other.keys)


__all__ = ["check_there_and_back"]
