"""Does an expression come to what it does because of how parameters are set at present?

In: rules, an expression. Out: yes or no. What is nothing now may be more in a variant that sets a parameter.
"""

from __future__ import annotations

from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.expr.tree import Expr, ReadParameter, ReadValue, ReadZone
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.rules import Rules


def can_be_adjusted(rules: Rules, of: Expr) -> bool:
    """Whether it depends on a parameter that is 0 or a flag, on how many pieces parameters ask for, or on a zone in
    which there is room for nothing.
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
                if zone.is_pool and _has_adjustable_pieces(rules):
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


__all__ = ["can_be_adjusted"]
