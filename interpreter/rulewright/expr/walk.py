"""Walks through typed expressions: their parts, what they read, and values put in for variables.

In: a typed expression. Out: its parts, itself first; or a changed copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
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


def child_exprs(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression."""
    match expr:
        case Constant() | Builtin() | Local():
            return ()
        case ReadParameter(keys=keys) | ReadState(keys=keys) | ReadValue(keys=keys):
            return keys
        case ReadZone(keys=keys, member=member):
            return keys if member is None else (*keys, member)
        case FieldAccess(of=operand) | FieldTotal(of=operand) | Not(of=operand):
            return (operand,)
        case MemberCount(bag=bag, member=member):
            return member, bag
        case Logic(left=left, right=right) | Compare(left=left, right=right) | Arithmetic(left=left, right=right):
            return left, right
        case Range(low=low, high=high):
            return low, high
        case BagLiteral(count=count, members=members):
            return count, members
        case If(condition=condition, then=then, otherwise=otherwise):
            return condition, then, otherwise
        case Quantifier(over=over, condition=condition) | Filter(over=over, condition=condition):
            return condition, over
        case Sum(over=over, condition=where, of=body) | Extremum(over=over, condition=where, of=body):
            return (body, over) if where is None else (body, where, over)
        case Call(args=args):
            return args
        case _:
            assert_never(expr)


def iter_exprs(expr: Expr) -> Iterator[Expr]:
    """The expression and every expression in it."""
    yield expr
    for child in child_exprs(expr):
        yield from iter_exprs(child)


def find_position_read(expr: Expr) -> Expr | None:
    """The first part whose value depends on the position, if any."""
    for part in iter_exprs(expr):
        if isinstance(part, ReadZone | ReadState | ReadValue) or (isinstance(part, Call) and part.action):
            return part
        if isinstance(part, Builtin) and part.name not in ("everyone", "nobody", "players"):
            return part
    return None


def find_turn_read(expr: Expr, values: frozenset[str]) -> Expr | None:
    """The first part that depends on the seat in turn; `values`: the derived values that do."""
    for part in iter_exprs(expr):
        if isinstance(part, Builtin) and part.name in ("me", "opponent", "opponents", "others"):
            return part
        if (isinstance(part, ReadValue) and part.name in values) or (isinstance(part, Call) and part.action):
            return part
    return None


def free_variables(expr: Expr) -> frozenset[int]:
    """The slots of the variables that an expression reads and does not bind itself."""
    bound = {part.slot for part in iter_exprs(expr) if isinstance(part, Quantifier | Filter | Sum | Extremum)}
    return frozenset(part.slot for part in iter_exprs(expr) if isinstance(part, Local) and part.slot not in bound)


def required_slots(expr: Expr) -> int:
    """One more than the highest slot among the free variables; 0 if there are none."""
    return max(free_variables(expr), default=-1) + 1


def substitute(expr: Expr, slot: int, value: Constant) -> Expr:
    """The expression with a value in place of a free variable."""

    def inside(part: Expr) -> Expr:
        return substitute(part, slot, value)

    match expr:
        case Local():
            return value if expr.slot == slot else expr
        case Constant() | Builtin():
            return expr
        case ReadParameter(keys=keys) | ReadState(keys=keys) | ReadValue(keys=keys):
            return replace(expr, keys=tuple(map(inside, keys)))
        case ReadZone(keys=keys, member=member):
            return replace(expr, keys=tuple(map(inside, keys)), member=None if member is None else inside(member))
        case FieldAccess(of=operand) | FieldTotal(of=operand) | Not(of=operand):
            return replace(expr, of=inside(operand))
        case MemberCount(bag=bag, member=member):
            return replace(expr, bag=inside(bag), member=inside(member))
        case Logic(left=left, right=right) | Compare(left=left, right=right) | Arithmetic(left=left, right=right):
            return replace(expr, left=inside(left), right=inside(right))
        case Range(low=low, high=high):
            return replace(expr, low=inside(low), high=inside(high))
        case BagLiteral(count=count, members=members):
            return replace(expr, count=inside(count), members=inside(members))
        case If(condition=condition, then=then, otherwise=otherwise):
            return replace(expr, condition=inside(condition), then=inside(then), otherwise=inside(otherwise))
        case Quantifier(over=over, condition=condition) | Filter(over=over, condition=condition):
            return replace(expr, over=inside(over), condition=inside(condition))
        case Sum(over=over, condition=where, of=body) | Extremum(over=over, condition=where, of=body):
            substituted = None if where is None else inside(where)
            return replace(expr, over=inside(over), condition=substituted, of=inside(body))
        case Call(args=args):
            return replace(expr, args=tuple(map(inside, args)))
        case _:
            assert_never(expr)
