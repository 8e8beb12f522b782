"""What can be said of an expression before anybody plays: whether its value is known, and of what a set is made.

In: a typed expression. Out: answers, and the names of its variables.
"""

from __future__ import annotations

from rulewright.expr.tree import Builtin, Constant, Each, Expr, Extreme, Local, Quantified, Sum
from rulewright.expr.types import Member, SetOf
from rulewright.model.traversal import parts, reads_position


def settled(expr: Expr) -> bool:
    """Whether an expression is known before play; a set that a condition picks out is better told by that. Who plays is
    not known: seats can leave.
    """
    if reads_position(expr) is not None or any(
        isinstance(one, Builtin) and one.name == "everyone" for one in parts(expr)
    ):
        return False
    bound = {part.slot for part in parts(expr) if isinstance(part, Each | Quantified | Sum | Extreme)}
    free = any(isinstance(part, Local) and part.slot not in bound for part in parts(expr))
    return not free and not (bound and isinstance(expr.type, SetOf))


def sort_of(over: Expr) -> str:
    """What a set is, for whom its elements are spoken of: of players or others, all there are or some."""
    of = over.type.of if isinstance(over.type, SetOf) else over.type
    if isinstance(of, Member) and of.kind == "seat":
        return "players" if all_of(over) else "seats"
    return "all" if all_of(over) else "of"


def lowered(name: str) -> str:
    """A title inside a sentence; one in capitals stays as it is."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def better_named(expr: Expr) -> bool:
    """Whether it is better called by its name than told one by one."""
    return all_of(expr) or (isinstance(expr, Builtin) and expr.name == "nobody")


def all_of(expr: Expr) -> bool:
    """Whether it is a whole kind or component."""
    return (isinstance(expr, Constant) and isinstance(expr.type, SetOf) and expr.type.of is not None) or (
        isinstance(expr, Builtin) and expr.name == "everyone"
    )


def variable_in(slot: int, inside: Expr, over: Expr) -> str:
    """What the variable of a quantifier is called."""
    for part in parts(inside):
        if isinstance(part, Local) and part.slot == slot:
            return spaced(part.name)
    type_ = over.type.of if isinstance(over.type, SetOf) else over.type
    return spaced(getattr(type_, "kind", "") or getattr(type_, "component", "") or "x")


def spaced(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


__all__ = ["all_of", "better_named", "lowered", "settled", "sort_of", "spaced", "variable_in"]
