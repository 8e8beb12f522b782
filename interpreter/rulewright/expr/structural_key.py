"""What a part of an expression says, wherever it stands: two parts of one shape have one value.

In: a typed expression. Out: its shape, to hold against others. Variables count by their slots, so shapes of two
expressions can be compared when both were read in one scope.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from rulewright.expr.tree import Expr, Local
from rulewright.expr.types import UnknownType

StructuralKey = tuple[object, ...]


def structural_key(expr: Expr) -> StructuralKey | None:
    """The shape of an expression; None when some part of it is wrong, and so may mean anything."""
    try:
        return _shape(expr)
    except _Unclear:
        return None


class _Unclear(Exception):
    """A part of it has no type."""


def _shape(part: object) -> StructuralKey:
    if isinstance(part, tuple):
        return ("", *map(_shape, part))
    if not is_dataclass(part):
        return type(part).__name__, part  # with its type: `true` is not 1
    if isinstance(getattr(part, "type", None), UnknownType):
        raise _Unclear
    if isinstance(part, Local):
        return "Local", part.slot  # however it is called
    told = (getattr(part, one.name) for one in fields(part) if one.name not in ("type", "offsets"))
    return (type(part).__name__, *map(_shape, told))
