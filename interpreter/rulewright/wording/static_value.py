"""Which values are known before anybody plays, and what a set is made of, so that a text can put it into words.

In: a typed expression. Out: answers.
"""

from __future__ import annotations

from typing import Literal

from rulewright.expr.tree import Builtin, Constant, Expr, Extremum, Filter, Local, Logic, Quantifier, Sum
from rulewright.expr.types import SEAT, Bag, Member, SetOf, Thing, Type
from rulewright.expr.walk import find_position_read, is_all_seats, iter_exprs
from rulewright.frozen import replace

QuantifierForm = Literal["players", "seats", "all", "of"]  # the ending of a message key


def is_static(expr: Expr) -> bool:
    """Whether the value is known before play.

    A set that a condition selects is not: the condition says more than the list. Nor is `everyone`: seats can leave.
    """
    if find_position_read(expr) is not None or any(
        isinstance(part, Builtin) and part.name == "everyone" for part in iter_exprs(expr)
    ):
        return False
    bound_slots = {part.slot for part in iter_exprs(expr) if isinstance(part, Filter | Quantifier | Sum | Extremum)}
    has_free = any(isinstance(part, Local) and part.slot not in bound_slots for part in iter_exprs(expr))
    return not has_free and not (bound_slots and isinstance(expr.type, SetOf))


def open_condition(when: Expr | None) -> Expr | None:
    """The part of a condition that is not known before play to hold; None when all of it is.

    `when`: of a step that can happen, so that what is known of it does hold.
    """
    if when is None or is_static(when):
        return None
    if not isinstance(when, Logic) or when.op != "and":
        return when
    left, right = open_condition(when.left), open_condition(when.right)
    return replace(when, left=left, right=right) if left is not None and right is not None else left or right


def quantifier_form(over: Expr) -> QuantifierForm:
    """What a set consists of: all players, some seats, all of a kind or component, or some of them."""
    element = set_element_type(over)
    if isinstance(element, Member) and element.kind == SEAT.kind:
        return "players" if is_whole_domain(over) else "seats"
    return "all" if is_whole_domain(over) else "of"


def is_better_named(expr: Expr) -> bool:
    """Whether the name says more than the list of elements."""
    return is_whole_domain(expr) or (isinstance(expr, Builtin) and expr.name == "nobody")


def is_whole_domain(expr: Expr) -> bool:
    """Whether it is a whole kind or component."""
    return (isinstance(expr, Constant) and isinstance(expr.type, SetOf) and expr.type.element is not None) or (
        is_all_seats(expr)
    )


def set_element_type(expr: Expr) -> Type:
    """The type of the elements of a set; of anything else its own."""
    return expr.type.element if isinstance(expr.type, SetOf) and expr.type.element is not None else expr.type


def type_name(type_: Type | None) -> str:
    """The kind or component that a type is of; empty when it is of neither."""
    match type_:
        case Thing(component=component):
            return component
        case Member(kind=kind) | Bag(kind=kind):
            return kind
        case _:
            return ""


__all__ = [
    "QuantifierForm",
    "is_better_named",
    "is_static",
    "is_whole_domain",
    "open_condition",
    "quantifier_form",
    "set_element_type",
    "type_name",
]
