"""How long an expression can take to evaluate: an upper bound of its steps, known before play.

In: a typed expression and its scope. Out: a number of steps, never too low: a loop costs its body, times the most
elements that its set can have. A derived value costs what its own expression costs, as its symbol says.
"""

from __future__ import annotations

from typing import Final, assert_never

from rulewright.expr import type_relations
from rulewright.expr.scope import Scope, ValueSymbol
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Binding,
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
from rulewright.expr.types import Bag, Flag, KindInfo, Member, Number, SetOf, Thing, Type, UnknownType

POSSIBLE_COST: Final = 10_000  # assumed for `possible(…)`: the choices of an action are not known here


def expression_cost(expr: Expr, scope: Scope) -> int:
    """An upper bound of the steps to evaluate an expression."""
    match expr:
        case Constant() | Builtin() | Local():
            return 1
        case ReadParameter(keys=keys) | ReadState(keys=keys):
            return 1 + _total_cost(keys, scope)
        case ReadValue(name, keys):
            value = scope.symbols.get(name)
            return 1 + _total_cost(keys, scope) + (value.cost if isinstance(value, ValueSymbol) else 0)
        case ReadZone(keys=keys, member=member):
            result = _copy_cost(expr.type, scope) if member is None else expression_cost(member, scope)
            return 1 + _total_cost(keys, scope) + result
        case FieldAccess(operand) | Not(operand):
            return 1 + expression_cost(operand, scope)
        case FieldTotal(operand):
            return 1 + expression_cost(operand, scope) + _loop_cost(operand, _copy_cost(expr.type, scope) or 1, scope)
        case MemberCount(member, bag):
            return 1 + _total_cost((member, bag), scope)
        case Logic(_, left, right):
            return 1 + _total_cost((left, right), scope)
        case Compare(_, left, right):
            return 1 + _total_cost((left, right), scope) + _copy_cost(left.type, scope) + _copy_cost(right.type, scope)
        case Range(left, right) | BagLiteral(left, right) | Arithmetic(_, left, right):
            return 1 + _total_cost((left, right), scope) + _copy_cost(expr.type, scope)
        case If(condition, then, otherwise):
            outcome = max(expression_cost(then, scope), expression_cost(otherwise, scope))
            return 1 + expression_cost(condition, scope) + outcome
        case Quantifier(over=over, condition=body) | Filter(over=over, condition=body):
            return 1 + expression_cost(over, scope) + _loop_cost(over, 1 + expression_cost(body, scope), scope)
        case Sum(over=over, condition=where, of=body) | Extremum(over=over, condition=where, of=body):
            parts = (body,) if where is None else (body, where)
            body_cost = 1 + _total_cost(parts, scope) + _copy_cost(body.type, scope)
            return 1 + expression_cost(over, scope) + _loop_cost(over, body_cost, scope)
        case Call(function, args):
            call = POSSIBLE_COST if function == "possible" else _copy_cost(expr.type, scope)
            return 1 + _total_cost(args, scope) + call
        case _:
            assert_never(expr)


def repetition_cost(times: Expr | None, for_each: Binding | None, order: Expr | None, scope: Scope) -> int:
    """An upper bound of the steps to compute how often, or for what in which order, something is done."""
    cost = 0 if times is None else expression_cost(times, scope)
    if for_each is None:
        return cost
    over, parts = for_each.over, tuple(expr for expr in (for_each.condition, order) if expr is not None)
    return cost + expression_cost(over, scope) + _loop_cost(over, 1 + _total_cost(parts, scope), scope)


def _total_cost(exprs: tuple[Expr, ...], scope: Scope) -> int:
    return sum(expression_cost(expr, scope) for expr in exprs)


def _loop_cost(over: Expr, body_cost: int, scope: Scope) -> int:
    return type_relations.max_elements(over.type, scope.kinds) * body_cost


def _copy_cost(type_: Type, scope: Scope) -> int:
    """The steps to copy a bag or set once; 0 for other values."""
    match type_:
        case SetOf(_, max_size):
            return max_size
        case Bag(kind) if kind:
            return len(_widest_kind(kind, scope).members)
        case Bag() | Flag() | Number() | Member() | Thing() | UnknownType():
            return 0
        case _:
            assert_never(type_)


def _widest_kind(kind: str, scope: Scope) -> KindInfo:
    """The largest kind of a family: a bag has a count for each member of its family."""
    family = type_relations.family_of(kind, scope.kinds)
    relatives = (info for info in scope.kinds.values() if (info.family or info.name) == family)
    return max(relatives, key=lambda info: len(info.members))
