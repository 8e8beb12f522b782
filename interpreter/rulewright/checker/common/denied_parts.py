"""Which parts of a condition it denies.

In: a condition. Out: its parts, each with whether an odd number of `not` stands around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.expr.tree import Expr, Not
from rulewright.expr.walk import child_exprs


def parts_with_denial(condition: Expr, *, is_denied: bool = False) -> Iterator[tuple[Expr, bool]]:
    """The condition and its parts, each with whether it is denied, in the order in which they are written."""
    yield condition, is_denied
    for part in child_exprs(condition):
        yield from parts_with_denial(part, is_denied=is_denied is not isinstance(condition, Not))


__all__ = ["parts_with_denial"]
