"""What is known before the game: an expression whose value nothing in play can change.

In: a typed expression. Out: its value, or None when it depends on the game.
"""

from __future__ import annotations

from rulewright.expr.scope import ParameterSymbol, Scope
from rulewright.expr.tree import Compare, Constant, Expr, If, Logic, Not, ReadParameter
from rulewright.expr.types import Flag, Member, Number


def fold_constant(expr: Expr, scope: Scope | None = None) -> int | bool | None:
    """The number, flag or member that an expression always has. The scope gives the values of flag and word parameters.

    A number whose bounds meet is known: the checker carries the bounds of every number, and those of a parameter or of
    `players` are its value.
    """
    if isinstance(expr.type, Number) and expr.type.low == expr.type.high:
        return expr.type.low
    match expr:
        case Constant(value=bool() | int() as value):
            return value
        case ReadParameter(name, ()) if scope is not None and isinstance(expr.type, Flag | Member):
            symbol = scope.symbols.get(name)
            known = symbol.value if isinstance(symbol, ParameterSymbol) else None
            return known if isinstance(known, bool | int) else None
        case Not(of):
            inner = fold_constant(of, scope)
            return None if inner is None else not inner
        case Logic(op, left, right):
            sides = fold_constant(left, scope), fold_constant(right, scope)
            settles = op == "or"  # one true side settles an `or`, one false side an `and`
            if settles in sides:
                return settles
            return None if None in sides else not settles
        case If(when, then, otherwise):
            chosen = fold_constant(when, scope)
            return None if chosen is None else fold_constant(then if chosen else otherwise, scope)
        case Compare(op, left, right):
            return _compared(op, fold_constant(left, scope), fold_constant(right, scope))
    return None


def _compared(op: str, left: int | None, right: int | None) -> bool | None:
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
    return None
