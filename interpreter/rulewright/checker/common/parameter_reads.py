"""Which expressions depend on parameters, so that a variant may change what they come to.

In: rules, an expression. Out: yes or no. Who takes a parameter for what it is now asks only about those by which
variants probably switch rules on and off.
"""

from __future__ import annotations

from rulewright.expr.tree import Expr, ReadParameter, ReadValue
from rulewright.expr.types import Member, Number
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import field, mutable
from rulewright.model.rules import Rules


@mutable
class ParameterReads:
    """Which expressions depend on parameters, themselves or by the values that they read."""

    rules: Rules
    only_numbers: bool = False  # and flags: which member a parameter names seldom decides how much there is
    only_switches: bool = False  # flags, and numbers that are 0 or as high as their type allows: others are as they are
    _values: dict[str, bool] = field(default_factory=dict)

    def are_in(self, expr: Expr) -> bool:
        """Whether an expression does."""
        return any(
            (isinstance(part, ReadParameter) and self._matters(part))
            or (isinstance(part, ReadValue) and self._are_in_value(part.name))
            for part in iter_exprs(expr)
        )

    def _matters(self, read: ReadParameter) -> bool:
        parameter = self.rules.parameters[read.name]
        if isinstance(parameter.type, Member):
            return not self.only_numbers and not self.only_switches
        if not self.only_switches or not isinstance(parameter.type, Number):
            return True
        values = (parameter.values_by_key or {0: parameter.value}).values()
        return any(value in (0, parameter.type.high) for value in values)

    def _are_in_value(self, name: str) -> bool:
        if name not in self._values:
            self._values[name] = False  # values do not go in circles
            value = self.rules.values[name]
            self._values[name] = any(self.are_in(term) for _, term in (*value.terms, *value.deductions))
        return self._values[name]


__all__ = ["ParameterReads"]
