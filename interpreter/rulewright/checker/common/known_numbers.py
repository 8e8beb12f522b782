"""Which number is an expression, by itself or as a parameter is set?

In: an expression, the parameters of some rules. Out: the number; None where it is none, or depends on more.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.expr.tree import Constant, Expr, ReadParameter
from rulewright.expr.types import Number
from rulewright.model.rules import ParameterDef


def known_number(expr: Expr, parameters: Mapping[str, ParameterDef]) -> int | None:
    """The number that is written, or that a parameter without keys has."""
    match expr:
        case Constant(value=int(number), type=Number()) if type(number) is int:
            return number
        case ReadParameter(name=name, keys=()) if name in parameters:
            value = parameters[name].value
            return value if type(value) is int else None
    return None


__all__ = ["known_number"]
