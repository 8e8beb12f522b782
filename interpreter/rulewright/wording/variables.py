"""Variables of expressions: what they are called, and whether players have to be told apart by them.

In: typed expressions. Out: names with types, and answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.expr.tree import Arithmetic, Builtin, Compare, Expr, Extremum, Filter, If, Local, Logic, Quantifier, Sum
from rulewright.expr.types import SEAT, Flag, Member, Type
from rulewright.expr.walk import child_exprs, iter_exprs
from rulewright.wording.static_value import is_whole_domain, set_element_type, type_name


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
        case Quantifier(slot=own) if holds_for_every_seat(expr) or without_other_seat(expr) is not None:
            yield from (slot for part in child_exprs(expr) for slot in _seat_slots(part) if slot != own)
            return
        case Local(slot=slot, type=Member(kind=SEAT.kind)):
            yield slot
        case Quantifier() | Filter() | Sum() | Extremum() if set_element_type(expr.over) == SEAT:
            yield expr.slot
        case _:
            pass
    for part in child_exprs(expr):
        yield from _seat_slots(part)


def is_named_once(extremum: Extremum) -> bool:
    """Whether its variable is read once, so that *any player* can stand there and needs no name."""
    return extremum.condition is None and _is_read_once(extremum.slot, extremum.of)


def _is_read_once(slot: int, body: Expr) -> bool:
    """Whether a variable is read once in an expression that has no variables of its own."""
    parts = list(iter_exprs(body))
    is_plain = not any(isinstance(part, Quantifier | Filter | Sum | Extremum | If) for part in parts)
    return is_plain and sum(isinstance(part, Local) and part.slot == slot for part in parts) == 1


def holds_for_every_seat(expr: Quantifier) -> bool:
    """Whether *every player* can stand for its variable: `“at” of every player is at most “at” of that player`."""
    if expr.quantifier != "every" or set_element_type(expr.over) != SEAT:
        return False
    others = without_other_seat(expr)
    match others or expr.condition:
        case Compare(op="is" | "<" | "<=" | ">" | ">=" | "in", left=left) as compare if left.type != Flag():
            has_other = others is not None or any(isinstance(seat, Local) for seat in _seats_beside(expr.slot, compare))
            return has_other and _is_read_once(expr.slot, compare)
        case _:
            return False


def without_other_seat(expr: Quantifier) -> Expr | None:
    """What holds for every player other than one, for some or for none, without the part that says *other than*.

    None where nobody is left out, or where the rest speaks of more players, so that *other* would not be clear.
    """
    logic, kind = ("or", "is") if expr.quantifier == "every" else ("and", "is not")
    condition = expr.condition
    if not isinstance(condition, Logic) or condition.op != logic or not _is_over_all_seats(expr.over):
        return None
    for part, rest in ((condition.left, condition.right), (condition.right, condition.left)):
        match part:
            case Compare(op=op, left=left, right=right) if op == kind and _is_slot(left, expr.slot):
                other = right
            case Compare(op=op, left=left, right=right) if op == kind and _is_slot(right, expr.slot):
                other = left
            case _:
                continue
        is_player = isinstance(other, Local) or (isinstance(other, Builtin) and other.name == "me")
        if is_player and all(_is_same_seat(seat, other) for seat in _seats_beside(expr.slot, rest)):
            return rest
    return None


def _is_over_all_seats(over: Expr) -> bool:
    return set_element_type(over) == SEAT and is_whole_domain(over)


def _is_slot(expr: Expr, slot: int) -> bool:
    return isinstance(expr, Local) and expr.slot == slot


def _is_same_seat(seat: Expr, other: Expr) -> bool:
    if isinstance(seat, Local):
        return _is_slot(other, seat.slot)
    return isinstance(other, Builtin)


def _seats_beside(slot: int, condition: Expr) -> Iterator[Local | Builtin]:
    """The players that a condition speaks of beside the one of a variable: variables, and `me`."""
    for part in iter_exprs(condition):
        match part:
            case Local(slot=own, type=Member(kind=SEAT.kind)) if own != slot:
                yield part
            case Builtin(name="me"):
                yield part
            case _:
                pass


def joined_parts(expr: Expr) -> Iterator[Expr]:
    """The sets or bags that are put together."""
    match expr:
        case Arithmetic(op="+", left=left, right=right):
            yield from joined_parts(left)
            yield from joined_parts(right)
        case _:
            yield expr


__all__ = [
    "bound_variable",
    "holds_for_every_seat",
    "is_named_once",
    "joined_parts",
    "mixes_seats",
    "without_other_seat",
]
