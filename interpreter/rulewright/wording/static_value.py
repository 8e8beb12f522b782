"""What can be said of an expression before anybody plays: whether its value is known, and of what a set is made.

In: a typed expression. Out: answers, and the names of its variables.
"""

from __future__ import annotations

from rulewright.expr.tree import Builtin, Constant, Expr, Extremum, Filter, Local, Quantifier, Sum
from rulewright.expr.types import Member, SetOf
from rulewright.model.traversal import find_position_read, iter_exprs


def is_static(expr: Expr) -> bool:
    """Whether an expression is known before play; a set that a condition picks out is better told by that. Who plays is
    not known: seats can leave.
    """
    if find_position_read(expr) is not None or any(
        isinstance(one, Builtin) and one.name == "everyone" for one in iter_exprs(expr)
    ):
        return False
    bound = {part.slot for part in iter_exprs(expr) if isinstance(part, Filter | Quantifier | Sum | Extremum)}
    free = any(isinstance(part, Local) and part.slot not in bound for part in iter_exprs(expr))
    return not free and not (bound and isinstance(expr.type, SetOf))


def quantifier_form(over: Expr) -> str:
    """What a set is, for whom its elements are spoken of: of players or others, all there are or some."""
    of = over.type.element if isinstance(over.type, SetOf) else over.type
    if isinstance(of, Member) and of.kind == "seat":
        return "players" if is_whole_domain(over) else "seats"
    return "all" if is_whole_domain(over) else "of"


def lower_first(name: str) -> str:
    """A title inside a sentence; one in capitals stays as it is."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def is_better_named(expr: Expr) -> bool:
    """Whether it is better called by its name than told one by one."""
    return is_whole_domain(expr) or (isinstance(expr, Builtin) and expr.name == "nobody")


def is_whole_domain(expr: Expr) -> bool:
    """Whether it is a whole kind or component."""
    return (isinstance(expr, Constant) and isinstance(expr.type, SetOf) and expr.type.element is not None) or (
        isinstance(expr, Builtin) and expr.name == "everyone"
    )


def variable_name(slot: int, inside: Expr, over: Expr) -> str:
    """What the variable of a quantifier is called."""
    for part in iter_exprs(inside):
        if isinstance(part, Local) and part.slot == slot:
            return humanize(part.name)
    type_ = over.type.element if isinstance(over.type, SetOf) else over.type
    return humanize(getattr(type_, "kind", "") or getattr(type_, "component", "") or "x")


def humanize(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


__all__ = [
    "humanize",
    "is_better_named",
    "is_static",
    "is_whole_domain",
    "lower_first",
    "quantifier_form",
    "variable_name",
]
