"""How long it can take to work an expression out: a bound on its steps, known before the game.

In: a typed expression and its scope. Out: a number of steps, never too low: a loop costs what it does inside, as often
as its set can have members. A value asked costs what its own expression costs, as its symbol says.
"""

from __future__ import annotations

from typing import Final

from rulewright.expr import type_relations
from rulewright.expr.scope import Scope, ValueSymbol
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    FieldAccess,
    FieldTotal,
    Filter,
    If,
    Local,
    Logic,
    MakeBag,
    MemberCount,
    Not,
    Quantifier,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, KindInfo, SetOf, Type

POSSIBLE_COST: Final = 10_000  # what `possible(…)` is taken to cost: the choices of an action are not known here


def expression_cost(expr: Expr, scope: Scope) -> int:
    """A bound on the steps that working out an expression takes."""
    match expr:
        case Constant() | Builtin() | Local():
            return 1
        case ReadParameter(keys=keys) | ReadState(keys=keys):
            return 1 + _all(keys, scope)
        case ReadValue(name, keys):
            value = scope.symbols.get(name)
            return 1 + _all(keys, scope) + (value.cost if isinstance(value, ValueSymbol) else 0)
        case ReadZone(keys=keys, member=member):
            asked = _all(keys, scope) + (expression_cost(member, scope) if member else 0)
            return 1 + asked + (0 if member else _width(expr.type, scope))
        case FieldAccess(of) | Not(of):
            return 1 + expression_cost(of, scope)
        case FieldTotal(of):
            return (
                1
                + expression_cost(of, scope)
                + type_relations.max_elements(of.type, scope.kinds) * max(1, _width(expr.type, scope))
            )
        case MemberCount(bag, member):
            return 1 + expression_cost(bag, scope) + expression_cost(member, scope)
        case Logic(_, left, right):
            return 1 + expression_cost(left, scope) + expression_cost(right, scope)
        case Compare(_, left, right):
            return (
                1
                + expression_cost(left, scope)
                + expression_cost(right, scope)
                + _width(left.type, scope)
                + _width(right.type, scope)
            )
        case Range(low, high) | MakeBag(low, high) | Arithmetic(_, low, high):
            return 1 + expression_cost(low, scope) + expression_cost(high, scope) + _width(expr.type, scope)
        case If(when, then, otherwise):
            return (
                1 + expression_cost(when, scope) + max(expression_cost(then, scope), expression_cost(otherwise, scope))
            )
        case Quantifier(over=over, condition=inside) | Filter(over=over, condition=inside):
            return (
                1
                + expression_cost(over, scope)
                + type_relations.max_elements(over.type, scope.kinds) * (1 + expression_cost(inside, scope))
            )
        case Sum(over=over, condition=where, of=of) | Extremum(over=over, condition=where, of=of):
            inside_ = (
                expression_cost(of, scope) + (expression_cost(where, scope) if where else 0) + _width(of.type, scope)
            )
            return (
                1 + expression_cost(over, scope) + type_relations.max_elements(over.type, scope.kinds) * (1 + inside_)
            )
        case Call(function, args):
            return 1 + _all(args, scope) + (POSSIBLE_COST if function == "possible" else _width(expr.type, scope))


def _all(parts: tuple[Expr, ...], scope: Scope) -> int:
    return sum(expression_cost(part, scope) for part in parts)


def _width(type_: Type, scope: Scope) -> int:
    """The steps to copy a bag or set once."""
    match type_:
        case SetOf(_, most):
            return most
        case Bag(kind) if kind:
            return len(_widest(kind, scope).members)
        case _:
            return 0


def _widest(kind: str, scope: Scope) -> KindInfo:
    """A bag has a count for each member of its family, so that the widest kind of it counts."""
    family = type_relations.family_of(kind, scope.kinds)
    return max(
        (one for one in scope.kinds.values() if (one.family or one.name) == family), key=lambda one: len(one.members)
    )
