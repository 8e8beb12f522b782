"""Does a variant set how many there may be at most to more than there can ever be?

In: rules with variants, and the composition they were built from. Out: warnings at what sets a parameter that is only
there as a bound, in `min(parameter, …)` beside numbers that never come up to it, however many play, where they can come
up to the number of the game itself. A number as high as its type allows is meant to lift the bound.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.most_players import with_most_players
from rulewright.checker.common.steps_asked import fills_zone
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.diagnostics import Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.expr.tree import Call, Expr, Local, ReadParameter, ReadZone
from rulewright.expr.types import Number, SetOf, Thing
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.effects import Move
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import ComponentDef, Rules, ZoneDef

PARAMETERS: Final = "parameters"
PARTS: Final = 2  # of the address of a parameter as a whole


@frozen
class _Bound:
    """A parameter that is never reached, what is bounded by it, and the most that this ever is."""

    name: str
    number: int
    most: int


def check_unreached_bounds(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    changes = {
        change.parts[1]: (variant, change)
        for variant in composition.chosen_variants
        for change in variant.changes
        if change.parts[0] == PARAMETERS and len(change.parts) == PARTS
    }
    found = {bound.name: bound for bound in _bounds(rules, changes)} if changes else {}
    base = base_rules(composition) if found else None
    most = with_most_players(composition) if base is not None else None
    if base is None or most is None:
        return
    known = {bound.name for bound in _bounds(base, found)}
    never = {bound.name for bound in _bounds(most[1], found)}
    for name, bound in found.items():
        if name in known or name not in never:
            continue
        variant, change = changes[name]
        diagnostics.add(
            change.value_span,
            CHANGES_NOTHING,
            f"with variant `{variant.name}`: `{name}` is {bound.number}, and there are never more than {bound.most}",
            label="never reached",
            help=f"write {bound.most}, or see that there can be more",
            address=change.address,
        )


def _bounds(rules: Rules, names: Collection[str]) -> list[_Bound]:
    """Those among some parameters that are read only where they are never reached."""
    reads = [part.name for expr in exprs_of_play(rules) for part in iter_exprs(expr) if isinstance(part, ReadParameter)]
    bounds = [bound for name in names if name in reads for bound in _bounds_of(rules, name)]
    often = {name: sum(bound.name == name for bound in bounds) for name in names}
    return [bound for bound in bounds if often[bound.name] == reads.count(bound.name)]


def _bounds_of(rules: Rules, name: str) -> Iterator[_Bound]:
    """Where it bounds numbers that are never as many."""
    parameter = rules.parameters[name]
    number = parameter.value
    if type(number) is not int or not isinstance(parameter.type, Number) or number == parameter.type.high:
        return
    for expr in exprs_of_play(rules):
        for call in iter_exprs(expr):
            if not isinstance(call, Call) or call.function != "min":
                continue
            others = [arg for arg in call.args if not (isinstance(arg, ReadParameter) and arg.name == name)]
            if len(others) + 1 != len(call.args) or any(map(free_variables, others)):
                continue
            try:
                ranges = ranges_with_parameters(rules)
            except RuleFault:
                return  # reported by the set-up
            most = min(_most(other, rules, ranges) for other in others)
            if most < number:
                yield _Bound(name, number, most)


def _most(of: Expr, rules: Rules, ranges: ExpressionRanges) -> int:
    """The most that a number ever is; of what only one deal of the set-up brings, no more than that."""
    most = ranges.scalars(of, {}, ranges.seats).high
    match of:
        case Call(function="count", args=(ReadZone(member=None, keys=(_,)) as read,)):
            dealt = _dealt(rules.zones[read.name], rules)
            return most if dealt is None else min(most, ranges.scalars(dealt, {}, ranges.seats).high)
    return most


def _dealt(zone: ZoneDef, rules: Rules) -> Expr | None:
    """How many things the set-up deals to each place of a zone, to which nothing else ever comes."""
    filling = [step for block in rules.blocks for step in block.steps if fills_zone(step, zone.name)]
    begins_there = isinstance(zone.content_type, Thing) and _begins_in(
        zone, rules.components[zone.content_type.component]
    )
    if len(filling) != 1 or not isinstance(zone.content_type, Thing) or begins_there or zone.refill is not None:
        return None
    (step,) = filling
    loop, move = step.for_each, step.effect
    in_setup = rules.setup >= 0 and step in rules.blocks[rules.setup].steps
    if not in_setup or loop is None or step.times is not None or not isinstance(move, Move):
        return None
    is_once = isinstance(loop.over.type, SetOf) and move.amount.mode == "top"
    is_of_each = len(move.to.keys) == 1 and isinstance(key := move.to.keys[0], Local) and key.slot == loop.slot
    return move.amount.of if is_once and is_of_each else None


def _begins_in(zone: ZoneDef, component: ComponentDef) -> bool:
    return component.initial_place is not None and component.initial_place.zone == zone.name


__all__ = ["check_unreached_bounds"]
