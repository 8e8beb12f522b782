"""Does an expression come to what it does because of how parameters are set at present?

In: rules, an expression. Out: yes or no. What is nothing now may be more in a variant that sets a parameter.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.expr.tree import Expr, ReadParameter, ReadValue, ReadZone
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import replace
from rulewright.model.actions import Clause
from rulewright.model.effects import Choose, Step
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.facts.value_ranges import BagRange, SetRange
from rulewright.model.rules import Rules

MAX_PLACES: Final = 100  # of all zones together, of which it is asked what can be in them


def can_be_adjusted(rules: Rules, of: Expr) -> bool:
    """Whether it depends on a parameter that is 0 or a flag, on how many pieces parameters ask for, unless there is
    nothing where it looks whatever their conditions, or on a zone in which there is room for nothing.
    """
    for part in iter_exprs(of):
        match part:
            case ReadParameter(name=name):
                parameter = rules.parameters[name]
                values = (parameter.values_by_key or {0: parameter.value}).values()
                if not isinstance(parameter.type, Number) or not all(values):
                    return True
            case ReadZone(name=name):
                zone = rules.zones[name]
                if zone.capacity is not None and can_be_adjusted(rules, zone.capacity):
                    return True
                if zone.is_pool and _has_adjustable_pieces(rules) and not _stays_empty(rules, name):
                    return True
            case ReadValue(name=name):
                value = rules.values[name]
                if any(can_be_adjusted(rules, term) for _, term in (*value.terms, *value.deductions)):
                    return True
    return False


def _has_adjustable_pieces(rules: Rules) -> bool:
    """Whether parameters say how many pieces there are of some sort."""
    parameters = ParameterReads(rules)
    starts = (zone.initial_content for zone in rules.zones.values())
    return any(start is not None and parameters.are_in(start) for start in starts)


def _stays_empty(rules: Rules, name: str) -> bool:
    """Whether nothing ever comes to a zone, even if all conditions hold in which parameters are asked."""
    if sum(zone.size for zone in rules.zones.values()) > MAX_PLACES:
        return False
    parameters = ParameterReads(rules)

    def kept(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
        return tuple(clause for clause in clauses if not parameters.are_in(clause.condition))

    def as_set(step: Step) -> Step:
        if isinstance(choose := step.effect, Choose):
            offers = tuple(replace(offer, clauses=kept(offer.clauses)) for offer in choose.offers)
            step = replace(step, effect=replace(choose, offers=offers))
        return replace(step, when=None) if step.when is not None and parameters.are_in(step.when) else step

    actions = tuple(replace(action, clauses=kept(action.clauses)) for action in rules.actions)
    blocks = tuple(replace(block, steps=tuple(map(as_set, block.steps))) for block in rules.blocks)
    return is_always_empty(find_position_ranges(replace(rules, actions=actions, blocks=blocks)), rules, name)


def is_always_empty(positions: PositionRanges, rules: Rules, name: str) -> bool:
    """Whether there is nothing in any place of a zone, in any position."""
    zone = rules.zones[name]
    contents = positions.contents[zone.first_index : zone.first_index + zone.size]
    return all(
        (isinstance(one, BagRange) and not one.high_total) or (isinstance(one, SetRange) and not one.most)
        for one in contents
    )


__all__ = ["can_be_adjusted", "is_always_empty"]
