"""Variables of expressions: what they are called, and whether players have to be told apart by them.

In: typed expressions. Out: names with types, and answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.expr.tree import Arithmetic, Expr, Extremum, Filter, If, Local, Quantifier, Sum
from rulewright.expr.types import Member, Type
from rulewright.expr.walk import child_exprs, iter_exprs
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
    return len({slot for expr in exprs for slot in _seat_slots(expr)}) > 1


def _seat_slots(expr: Expr) -> Iterator[int]:
    """The slots of the variables that stand for players, but for those that need no name."""
    match expr:
        case Extremum(slot=own) if is_named_once(expr):
            yield from _seat_slots(expr.over)
            yield from (slot for slot in _seat_slots(expr.of) if slot != own)
            return
        case Local(slot=slot, type=Member(kind="seat")):
            yield slot
        case Quantifier() | Filter() | Sum() | Extremum() if set_element_type(expr.over) == Member("seat"):
            yield expr.slot
        case _:
            pass
    for part in child_exprs(expr):
        yield from _seat_slots(part)


def is_named_once(extremum: Extremum) -> bool:
    """Whether its variable is read once, so that *any player* can stand there and needs no name."""
    parts = list(iter_exprs(extremum.of))
    is_plain = extremum.condition is None and not any(
        isinstance(part, Quantifier | Filter | Sum | Extremum | If) for part in parts
    )
    return is_plain and sum(isinstance(part, Local) and part.slot == extremum.slot for part in parts) == 1


def joined_parts(expr: Expr) -> Iterator[Expr]:
    """The sets or bags that are put together."""
    match expr:
        case Arithmetic(op="+", left=left, right=right):
            yield from joined_parts(left)
            yield from joined_parts(right)
        case _:
            yield expr


__all__ = ["bound_variable", "is_named_once", "joined_parts", "mixes_seats"]
