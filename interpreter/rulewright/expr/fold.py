"""What is known before play: the value of an expression that nothing in the game can change.

In: a typed expression. Out: its value, or None if it depends on the game.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.expr.scope import ParameterSymbol, Scope
from rulewright.expr.tree import Compare, CompareOp, Constant, Expr, If, Logic, Not, ReadParameter
from rulewright.expr.types import Flag, Member, Number


def fold_constant(expr: Expr, scope: Scope | None = None) -> int | bool | None:
    """The number, flag or member that an expression always is; None if there is none.

    A number whose bounds meet is known: the checker infers the bounds of every number, and those of a parameter or of
    `players` are its value. The values of parameters that are flags or members come from the scope.
    """
    if isinstance(expr.type, Number) and expr.type.low == expr.type.high:
        return expr.type.low
    match expr:
        case Constant(value=bool() | int() as value):
            return value
        case ReadParameter(name, ()) if scope is not None and isinstance(expr.type, Flag | Member):
            symbol = scope.symbols.get(name)
            return symbol.value if isinstance(symbol, ParameterSymbol) and isinstance(symbol.value, int) else None
        case Not(operand):
            negated = fold_constant(operand, scope)
            return None if negated is None else not negated
        case Logic(op, left, right):
            sides = fold_constant(left, scope), fold_constant(right, scope)
            decisive = op == "or"  # one true side decides an `or`, one false side an `and`
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        case If(condition, then, otherwise):
            holds = fold_constant(condition, scope)
            return None if holds is None else fold_constant(then if holds else otherwise, scope)
        case Compare(op, left, right):
            return _fold_comparison(op, fold_constant(left, scope), fold_constant(right, scope))
    return None


def _fold_comparison(op: CompareOp, left: int | None, right: int | None) -> bool | None:
    if left is None or right is None:
        return None
    match op:
        case "is":
            return left == right
        case "is not":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "in" | "not in" | "fits in":
            return None
        case _:
            assert_never(op)
