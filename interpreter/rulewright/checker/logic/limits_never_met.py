"""Does a limit that a variant brings never forbid anything?

In: rules with variants, and the composition they were built from. Out: warnings about comparisons with a number, in
clauses that a variant wrote, that hold in every position in which they can be asked, however many play: what is counted
never comes to the limit. Where an invariant says how much lies somewhere after each turn, that is known of the first
decision of a turn. A number as high as its type allows is meant to lift the limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.most_players import has_most_players, with_most_players
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.steps_asked import action_of
from rulewright.checker.logic.rule_conditions import RuleCondition, judged_conditions, report_constant
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Compare, Expr, ReadParameter, ReadZone
from rulewright.expr.types import Number
from rulewright.expr.walk import conjuncts, disjuncts, find_position_read, free_variables, iter_exprs
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, GiveTurn
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.growth import limits_after_turns
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.facts.value_ranges import TRUE, BagRange, SetRange, ValueRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import offered_actions

LIMITS: Final = ("<", "<=", ">", ">=")


def check_limits_never_met(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    limits = [*_limits(rules, composition)] if composition.chosen_variants else []
    unmet = [*_unmet(rules, limits)] if limits else []
    if not unmet:
        return
    if not has_most_players(composition):
        most = with_most_players(composition)
        never = (
            {(one.address, part.offsets) for one, part, _ in _unmet(most[1], [*_limits(most[1], most[0])])}
            if most
            else ()
        )
        unmet = [each for each in unmet if (each[0].address, each[1].offsets) in never]
    for condition, part, hint in unmet:
        report_constant(condition, part, True, hint, diagnostics)


def _limits(rules: Rules, composition: Composition) -> Iterator[tuple[RuleCondition, Compare, ActionDef]]:
    """The comparisons of what lies somewhere with a number, of which a clause depends on each or on one of several."""
    for condition in judged_conditions(rules, composition):
        action = action_of(rules.actions, condition.address)
        if action is None or condition.address not in {clause.address for clause in action.clauses}:
            continue
        for side in conjuncts(condition.expr):
            for part in disjuncts(side):
                if isinstance(part, Compare) and part.op in LIMITS and _is_limit(part, rules):
                    yield condition, part, action


def _is_limit(part: Compare, rules: Rules) -> bool:
    """Whether a comparison holds what lies somewhere against a number that is not meant to lift the limit."""
    bounds = [side for side in (part.left, part.right) if _is_fixed(side)]
    counted = [side for side in (part.left, part.right) if any(isinstance(each, ReadZone) for each in iter_exprs(side))]
    if len(bounds) != 1 or len(counted) != 1 or not isinstance(bounds[0].type, Number):
        return False
    return not any(_is_lifted(read, rules) for read in iter_exprs(bounds[0]) if isinstance(read, ReadParameter))


def _is_fixed(expr: Expr) -> bool:
    return find_position_read(expr) is None and not free_variables(expr)


def _is_lifted(read: ReadParameter, rules: Rules) -> bool:
    parameter = rules.parameters[read.name]
    values = (parameter.values_by_key or {0: parameter.value}).values()
    return isinstance(parameter.type, Number) and parameter.type.high in values


def _unmet(
    rules: Rules, limits: list[tuple[RuleCondition, Compare, ActionDef]]
) -> Iterator[tuple[RuleCondition, Compare, str]]:
    """The limits that always hold, each with how far what is counted goes."""
    positions = find_position_ranges(rules)
    for condition, part, action in limits:
        choices = positions.choices.get(action.index)
        if choices is None:
            continue  # it is never possible, which is told elsewhere
        contents = _contents_at(rules, action, positions.contents)
        ranges = ExpressionRanges(rules, contents, positions.variables)
        env: Mapping[int, ValueRange] = dict(enumerate(choices))
        if ranges.scalars(part, env, ranges.seats) != TRUE:
            continue
        counted, is_left = (part.right, False) if _is_fixed(part.left) else (part.left, True)
        known = ranges.scalars(counted, env, ranges.seats)
        is_upper = (part.op in ("<", "<=")) is is_left
        yield (
            condition,
            part,
            f"it is never {'more' if is_upper else 'less'} than {known.high if is_upper else known.low}",
        )


def _contents_at(rules: Rules, action: ActionDef, contents: tuple[ValueRange, ...]) -> list[ValueRange]:
    """What places can hold where an action is chosen."""
    found, kept = list(contents), _kept_at_first(rules, action)
    for name, limit in kept.items():
        zone = rules.zones[name]
        for place in range(zone.first_index, zone.first_index + zone.size):
            found[place] = _clipped(found[place], limit)
    return found


def _clipped(content: ValueRange, limit: int) -> ValueRange:
    match content:
        case BagRange(lows=lows, highs=highs, low_total=low, high_total=high):
            return BagRange.of(lows, highs, low, min(high, limit))
        case SetRange(elements=elements, fewest=fewest, most=most):
            return SetRange.of(elements, fewest, min(most, limit))
    return content


def _kept_at_first(rules: Rules, action: ActionDef) -> Mapping[str, int]:
    """How much each place of a zone holds at most where an action is chosen, as it was after the turn before."""
    limits = limits_after_turns(rules)
    offering = [
        (number, index)
        for number, block in enumerate(rules.blocks)
        for index, step in enumerate(block.steps)
        if isinstance(step.effect, Choose) and action.index in offered_actions(step.effect)
    ]
    if not limits or len(offering) != 1 or offering[0][0] != rules.turn:
        return {}
    turn, (_, index) = rules.blocks[rules.turn].steps, offering[0]
    if turn[index].is_repeated:
        return {}
    names = NamesTouched(rules)
    around = [step for step in rules.blocks[rules.round].steps if not isinstance(step.effect, GiveTurn)]
    written = names.written_in(rules.setup).union(*map(names.written, [*turn[:index], *around]))
    started = {zone.name for zone in rules.zones.values() if zone.initial_content is not None}
    return {name: limit for name, limit in limits.items() if name not in written | started}


__all__ = ["check_limits_never_met"]
