"""Which expressions depend on parameters that are probably meant to be changed: variants switch rules on by them.

In: rules, an expression. Out: yes or no. What a parameter is, is believed otherwise: a condition that never holds as
rules are is told, although some variant might set another number.
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
    _values: dict[str, bool] = field(default_factory=dict)

    def are_in(self, expr: Expr) -> bool:
        """Whether an expression does."""
        return any(
            (isinstance(part, ReadParameter) and self._matters(part))
            or (isinstance(part, ReadValue) and self._are_in_value(part.name))
            for part in iter_exprs(expr)
        )

    def _matters(self, read: ReadParameter) -> bool:
        """Whether it switches rules on or off: a flag, a number that is 0, or the highest that its type allows."""
        parameter = self.rules.parameters[read.name]
        if not isinstance(parameter.type, Number):
            return not isinstance(parameter.type, Member)
        values = (parameter.values_by_key or {0: parameter.value}).values()
        return any(value in (0, parameter.type.high) for value in values)

    def _are_in_value(self, name: str) -> bool:
        if name not in self._values:
            self._values[name] = False  # values do not go in circles
            value = self.rules.values[name]
            self._values[name] = any(self.are_in(term) for _, term in (*value.terms, *value.deductions))
        return self._values[name]


__all__ = ["ParameterReads"]
