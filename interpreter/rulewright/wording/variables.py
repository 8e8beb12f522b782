"""Variables of expressions: what they are called, and whether players have to be told apart by them.

In: typed expressions. Out: names with types, and answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.expr.tree import Arithmetic, Expr, Extremum, Filter, Local, Quantifier, Sum
from rulewright.expr.types import Member, Type
from rulewright.expr.walk import iter_exprs
from rulewright.wording.static_value import set_element_type, type_name


def bound_variable(slot: int, body: Expr, over: Expr) -> tuple[str, Type]:
    """The variable of a quantifier: its name, and the type of what it stands for."""
    element = set_element_type(over)
    for part in iter_exprs(body):
        if isinstance(part, Local) and part.slot == slot:
            return part.name, part.type
    return type_name(element) or "x", element


def mixes_seats(exprs: Iterable[Expr]) -> bool:
    """Whether several variables stand for players, so that *that player* would not say which."""
    slots = set[int]()
    for expr in exprs:
        for part in iter_exprs(expr):
            match part:
                case Local(slot=slot, type=Member(kind="seat")):
                    slots.add(slot)
                case Quantifier() | Filter() | Sum() | Extremum() if set_element_type(part.over) == Member("seat"):
                    slots.add(part.slot)
                case _:
                    pass
    return len(slots) > 1


def joined_parts(expr: Expr) -> Iterator[Expr]:
    """The sets or bags that are put together."""
    match expr:
        case Arithmetic(op="+", left=left, right=right):
            yield from joined_parts(left)
            yield from joined_parts(right)
        case _:
            yield expr


__all__ = ["bound_variable", "joined_parts", "mixes_seats"]
