"""Walks through typed expressions: their parts, what they read, and values put in for variables.

In: a typed expression. Out: its parts, itself first; or a changed copy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from rulewright import limits
from rulewright.expr.tree import (
    FIRST_OUTER_SLOT,
    PART_FIELDS,
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    Filter,
    Local,
    Logic,
    Quantifier,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import SEAT
from rulewright.frozen import replace
from rulewright.source.node_memo import NodeMemo

TURN_WORDS: Final = ("me", "opponent", "opponents", "others")


def child_exprs(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression."""
    children: list[Expr] = []
    for name in PART_FIELDS[type(expr)]:
        part: Expr | tuple[Expr, ...] | None = getattr(expr, name)
        if isinstance(part, tuple):
            children.extend(part)
        elif part is not None:
            children.append(part)
    return tuple(children)


def iter_exprs(expr: Expr) -> Iterator[Expr]:
    """The expression and every expression in it."""
    return iter(_parts_of(expr))


def _find_parts(expr: Expr) -> tuple[Expr, ...]:
    parts: list[Expr] = []
    pending = [expr]
    while pending:
        part = pending.pop()
        parts.append(part)
        pending += reversed(child_exprs(part))
    return tuple(parts)


# many checks go through the same expressions, and typed trees stay from build to build
_parts_of: Final[NodeMemo[Expr, tuple[Expr, ...]]] = NodeMemo(_find_parts, limits.MAX_REMEMBERED_READINGS)


def is_constant(expr: Expr) -> bool:
    """Whether it is a value as written, or all seats: these are always the same ones, in an order that is not."""
    return isinstance(expr, Constant) or (isinstance(expr, Builtin) and expr.name == SEAT.kind)


def is_everyone(expr: Expr | None) -> bool:
    """Whether it is everyone who is still in."""
    return isinstance(expr, Builtin) and expr.name == "everyone"


def is_all_seats(expr: Expr | None) -> bool:
    """Whether it is all seats, or everyone who is still in."""
    return isinstance(expr, Builtin) and expr.name in (SEAT.kind, "everyone")


def is_me(expr: Expr) -> bool:
    """Whether it is the seat in turn."""
    return isinstance(expr, Builtin) and expr.name == "me"


def find_position_read(expr: Expr) -> Expr | None:
    """The first part whose value depends on the position, if any."""
    for part in iter_exprs(expr):
        if isinstance(part, ReadZone | ReadState | ReadValue) or (isinstance(part, Call) and part.action):
            return part
        if isinstance(part, Call) and part.function == "everyone_from":  # those that are still in
            return part
        if isinstance(part, Builtin) and part.name not in ("everyone", "nobody", "players", SEAT.kind):
            return part
    return None


def find_turn_read(expr: Expr, values: Collection[str]) -> Expr | None:
    """The first part that depends on the seat in turn; `values`: the derived values that do."""
    for part in _possible_turn_reads(expr):
        if not isinstance(part, ReadValue) or part.name in values:
            return part
    return None


def _find_possible_turn_reads(expr: Expr) -> tuple[Expr, ...]:
    """What depends on the seat in turn, and all derived values."""
    return tuple(
        part
        for part in iter_exprs(expr)
        if isinstance(part, ReadValue)
        or (isinstance(part, Builtin) and part.name in TURN_WORDS)
        or (isinstance(part, Call) and part.action)
    )


_possible_turn_reads: Final = NodeMemo(_find_possible_turn_reads, limits.MAX_REMEMBERED_READINGS)


def _find_free_variables(expr: Expr) -> frozenset[int]:
    bound = {part.slot for part in iter_exprs(expr) if isinstance(part, Quantifier | Filter | Sum | Extremum)}
    return frozenset(part.slot for part in iter_exprs(expr) if isinstance(part, Local) and part.slot not in bound)


_free_variables: Final = NodeMemo(_find_free_variables, limits.MAX_REMEMBERED_READINGS)


def free_variables(expr: Expr) -> frozenset[int]:
    """The slots of the variables that an expression reads and does not bind itself."""
    return _free_variables(expr)


def outer_variables(expr: Expr) -> frozenset[int]:
    """The variables of the scope around it that a condition of an offer reads, as slots of that scope."""
    return frozenset(slot - FIRST_OUTER_SLOT for slot in free_variables(expr) if slot >= FIRST_OUTER_SLOT)


def conjuncts(expr: Expr) -> list[Expr]:
    """The conditions that `and` joins."""
    if isinstance(expr, Logic) and expr.op == "and":
        return [*conjuncts(expr.left), *conjuncts(expr.right)]
    return [expr]


def disjuncts(expr: Expr) -> list[Expr]:
    """The conditions that `or` joins."""
    if isinstance(expr, Logic) and expr.op == "or":
        return [*disjuncts(expr.left), *disjuncts(expr.right)]
    return [expr]


def addends(expr: Expr) -> list[Expr]:
    """What is added up in an expression; the whole, where nothing is."""
    if isinstance(expr, Arithmetic) and expr.op == "+":
        return [*addends(expr.left), *addends(expr.right)]
    return [expr]


def required_slots(expr: Expr) -> int:
    """One more than the highest slot among the free variables, without those of an outer scope; 0 if there are none."""
    return max((slot for slot in free_variables(expr) if slot < FIRST_OUTER_SLOT), default=-1) + 1


def substitute(expr: Expr, slot: int, value: Constant) -> Expr:
    """The expression with a value in place of a free variable."""
    return transform(expr, lambda part: value if isinstance(part, Local) and part.slot == slot else None)


def with_slots(expr: Expr, slots: Mapping[int, int]) -> Expr:
    """The expression with other slots for some of its variables, also for those that it binds and only reads."""

    def moved(part: Expr) -> Expr | None:
        return replace(part, slot=slots[part.slot]) if isinstance(part, Local) and part.slot in slots else None

    return transform(expr, moved) if slots else expr


def slot_but_me(condition: Expr) -> int | None:
    """The slot of the variable of which a condition asks that it is not the seat in turn."""
    match condition:
        case (
            Compare(op="is not", left=Local(slot=slot), right=other)
            | Compare(op="is not", left=other, right=Local(slot=slot))
        ) if is_me(other):
            return slot
    return None


def transform(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with other parts where `change` gives any."""
    changed = change(expr)
    if changed is not None:
        return changed

    def inside(part: Expr | tuple[Expr, ...] | None) -> Expr | tuple[Expr, ...] | None:
        if isinstance(part, tuple):
            return tuple(transform(child, change) for child in part)
        return None if part is None else transform(part, change)

    # of any type: which fields there are, and what they hold, only the class knows
    changes: dict[str, Any] = {name: inside(getattr(expr, name)) for name in PART_FIELDS[type(expr)]}
    return replace(expr, **changes) if changes else expr
