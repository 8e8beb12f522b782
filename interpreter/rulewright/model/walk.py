"""Walking through typed expressions: which parts they have and what they read.

In: an expression. Out: its parts, itself first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.expr.tree import Builtin, Call, Expr, Local, ReadState, ReadValue, ReadZone

# attributes of the node classes that hold expressions; a test holds this list complete
CHILDREN = (
    "of", "keys", "member", "bag", "left", "right", "low", "high", "count", "what", "when", "then", "otherwise",
    "over", "has", "where", "args",
)  # fmt: skip


def parts(expr: Expr) -> Iterator[Expr]:
    """The expression and every expression in it."""
    yield expr
    for name in CHILDREN:
        child: Any = getattr(expr, name, None)
        if child is None or isinstance(child, str):
            continue
        for one in child if isinstance(child, tuple) else (child,):
            yield from parts(one)


def reads_position(expr: Expr) -> Expr | None:
    """The first part that needs a position to be known, if any."""
    for part in parts(expr):
        if isinstance(part, ReadZone | ReadState | ReadValue) or (isinstance(part, Call) and part.action):
            return part
        if isinstance(part, Builtin) and part.name not in ("everyone", "nobody", "players"):
            return part
    return None


def needs_turn(expr: Expr, values: frozenset[str]) -> Expr | None:
    """The first part that speaks of the seat in turn; `values`: the derived values that do."""
    for part in parts(expr):
        if isinstance(part, Builtin) and part.name in ("me", "opponent", "opponents", "others"):
            return part
        if (isinstance(part, ReadValue) and part.name in values) or (isinstance(part, Call) and part.action):
            return part
    return None


def slots(expr: Expr) -> int:
    """One more than the highest variable an expression reads from outside itself; 0 when it reads none."""
    bound = {part.slot for part in parts(expr) if hasattr(part, "over") and hasattr(part, "slot")}
    return max((part.slot + 1 for part in parts(expr) if isinstance(part, Local) and part.slot not in bound), default=0)
