"""The opposite of a condition, as a reader would say it: *is not*, *at most*, *for no*; not *it is not the case that*.

In: a typed condition. Out: its negation, with `Not` only around what has no opposite.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from rulewright.expr.tree import Compare, CompareOp, Expr, Logic, Not, Quantifier
from rulewright.frozen import replace

OPPOSITES: Final[Mapping[CompareOp, CompareOp]] = {
    "is": "is not", "is not": "is", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "in": "not in", "not in": "in",
}  # fmt: skip
OTHER_CONJUNCTION: Final[Mapping[Literal["and", "or"], Literal["and", "or"]]] = {"and": "or", "or": "and"}


def negate(expr: Expr) -> Expr:
    """What holds where a condition does not."""
    match expr:
        case Not(of=of):
            return of
        case Compare(op=op) if op in OPPOSITES:
            return replace(expr, op=OPPOSITES[op])
        case Logic(op=op, left=left, right=right):
            return replace(expr, op=OTHER_CONJUNCTION[op], left=negate(left), right=negate(right))
        case Quantifier(quantifier="some"):
            return replace(expr, quantifier="no")
        case Quantifier(quantifier="no"):
            return replace(expr, quantifier="some")
        case _:
            return Not(expr, expr.type, expr.offsets)


__all__ = ["negate"]
