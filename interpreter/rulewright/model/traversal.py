"""Walking through typed expressions: which parts they have and what they read.

In: an expression. Out: its parts, itself first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, assert_never, cast

from rulewright.expr.tree import Builtin, Call, Constant, Expr, Local, ReadState, ReadValue, ReadZone
from rulewright.model.rules import (
    Choose,
    Domain,
    Effect,
    Finish,
    GiveTurn,
    Leave,
    Move,
    OneOf,
    Pay,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    SomeOf,
    Step,
)

# attributes of the node classes that hold expressions; a test holds this list complete
CHILD_FIELDS = (
    "of", "keys", "member", "bag", "left", "right", "low", "high", "count", "members", "condition", "then", "otherwise",
    "over", "args",
)  # fmt: skip


def child_exprs(expr: Expr) -> tuple[Expr, ...]:
    """The expressions of which an expression is made."""
    found: list[Expr] = []
    for name in CHILD_FIELDS:
        child: Any = getattr(expr, name, None)
        if child is None or isinstance(child, str):
            continue
        found.extend(child if isinstance(child, tuple) else (child,))
    return tuple(found)


def iter_exprs(expr: Expr) -> Iterator[Expr]:
    """The expression and every expression in it."""
    yield expr
    for one in child_exprs(expr):
        yield from iter_exprs(one)


def find_position_read(expr: Expr) -> Expr | None:
    """The first part that needs a position to be known, if any."""
    for part in iter_exprs(expr):
        if isinstance(part, ReadZone | ReadState | ReadValue) or (isinstance(part, Call) and part.action):
            return part
        if isinstance(part, Builtin) and part.name not in ("everyone", "nobody", "players"):
            return part
    return None


def find_turn_read(expr: Expr, values: frozenset[str]) -> Expr | None:
    """The first part that speaks of the seat in turn; `values`: the derived values that do."""
    for part in iter_exprs(expr):
        if isinstance(part, Builtin) and part.name in ("me", "opponent", "opponents", "others"):
            return part
        if (isinstance(part, ReadValue) and part.name in values) or (isinstance(part, Call) and part.action):
            return part
    return None


def substitute(expr: Expr, slot: int, value: Constant) -> Expr:
    """The expression with a value in the place of a variable that stands outside of it."""
    if isinstance(expr, Local):
        return value if expr.slot == slot else expr
    changed: dict[str, Any] = {}
    for name in CHILD_FIELDS:
        child: Any = getattr(expr, name, None)
        if isinstance(child, tuple):
            changed[name] = tuple(substitute(one, slot, value) for one in child)
        elif child is not None and not isinstance(child, str):
            changed[name] = substitute(child, slot, value)
    return cast(Expr, replace(expr, **changed))


def free_variables(expr: Expr) -> frozenset[int]:
    """The variables an expression reads from outside itself."""
    bound = {part.slot for part in iter_exprs(expr) if hasattr(part, "over") and hasattr(part, "slot")}
    return frozenset(part.slot for part in iter_exprs(expr) if isinstance(part, Local) and part.slot not in bound)


def required_slots(expr: Expr) -> int:
    """One more than the highest variable an expression reads from outside itself; 0 when it reads none."""
    return max(free_variables(expr), default=-1) + 1


def domain_exprs(domain: Domain) -> tuple[Expr, ...]:
    """The expressions of a domain, in the order in which a choice names them."""
    match domain:
        case OneOf(of=of):
            return (of,)
        case SomeOf(of=of, total=total):
            return (of,) if total is None else (of, total)
        case Pay(price=price, funds=source, rebate=rebate):
            return (price, source) if rebate is None else (price, source, rebate)
        case _:
            assert_never(domain)


def single_run_exprs(step: Step) -> tuple[Expr, ...]:
    """The expressions that a step works out each time it is done."""
    return tuple(expr for expr in (step.when, step.by, *_effect_parts(step.effect)) if expr is not None)


def step_exprs(step: Step) -> tuple[Expr, ...]:
    """All expressions of a step, not those of the steps inside it."""
    each = () if step.for_each is None else (step.for_each.over, step.for_each.condition)
    around = (step.order, step.times, *each)
    return (*[expr for expr in around if expr is not None], *single_run_exprs(step))


def _effect_parts(effect: Effect) -> tuple[Expr | None, ...]:
    match effect:
        case Move(amount=amount, source=source, to=to):
            return (amount.of, *(source.keys if source else ()), *to.keys)
        case SetState(target=target, to=to):
            return (*target.keys, to)
        case Roll(target=target):
            return target.keys
        case Reveal(what=what, to=to):
            return (what, to)
        case GiveTurn(seat=seat):
            return (seat,)
        case Finish(winners=winners):
            return (winners,)
        case Leave(seats=seats):
            return (seats,)
        case Choose() | RunSteps():
            return ()
        case _:
            assert_never(effect)
