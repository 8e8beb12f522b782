"""What a condition asks of players or things that can only have one answer: that everybody has left, that nobody equals
oneself, that one has more than each of those of whom one is one, or than the most that any of them has.

In: rules, a condition, what its variables run over. Out: how parts of it come out, and why; nothing where that depends
on the position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    SIDES_SWAPPED,
    Builtin,
    Compare,
    Constant,
    Expr,
    Extremum,
    Filter,
    Local,
    Logic,
    Not,
    Quantifier,
    ReadState,
    ReadValue,
    Sum,
)
from rulewright.expr.types import SEAT, SetOf
from rulewright.expr.walk import child_exprs, iter_exprs, transform
from rulewright.model.rules import ELIMINATION_STATE, Rules

EVERYONE: Final = "everyone"
NAMES: Final = {"max": "greatest", "min": "least"}
NOBODY_LEFT: Final = "when nobody is left the game is over"
BESIDE_EXTREMUM: Final = {  # how something compares with the greatest, or least, of a set in which it is itself
    ("max", "<="): True,
    ("max", ">"): False,
    ("min", ">="): True,
    ("min", "<"): False,
}
HOLDS_OF_ITSELF: Final = ("is", "<=", ">=", "fits in")  # comparisons of something with itself
FAILS_OF_ITSELF: Final = ("is not", "<", ">")

Bound = Mapping[int, Expr]  # by their slots what variables run over, in the position in which they are asked about


def settled_questions(rules: Rules, condition: Expr, bound: Bound) -> Iterator[tuple[Expr, bool, str]]:
    """The parts that come out the same in every position, how each comes out, and the reason."""
    settled = _settled(rules, condition, bound)
    if settled is not None:
        yield (condition, *settled)
    if isinstance(condition, Quantifier | Filter | Sum | Extremum):
        bound = {**bound, condition.slot: condition.over}
    for part in child_exprs(condition):
        yield from settled_questions(rules, part, bound)


def _settled(rules: Rules, part: Expr, bound: Bound) -> tuple[bool, str] | None:
    """How a part comes out, and the reason."""
    if rules.has_elimination and not rules.blocks[rules.finale].steps and _asks_whether_all_left(part):
        return isinstance(part, Compare) and part.op == "is not", NOBODY_LEFT
    if isinstance(part, Quantifier) and (itself := _itself(rules, part, bound)) is not None:
        return part.quantifier == "some", f"`{itself}` itself is among them"
    if isinstance(part, Compare) and part.op in SIDES_SWAPPED:
        swapped = SIDES_SWAPPED[part.op]
        for op, counted, compared in ((part.op, part.left, part.right), (swapped, part.right, part.left)):
            extremum = _extremum(rules, compared)
            outcome = None if extremum is None else BESIDE_EXTREMUM.get((extremum.function, op))
            if extremum is None or outcome is None:
                continue
            if (itself := _own(rules, extremum, counted, bound)) is not None:
                return outcome, f"`{itself}` itself is among those of whom it is the {NAMES[extremum.function]}"
    return None


def _extremum(rules: Rules, bound: Expr) -> Extremum | None:
    """The greatest or least number that an expression is, by itself or as a value."""
    if isinstance(bound, ReadValue) and not bound.keys:
        value = rules.values[bound.name]
        if len(value.terms) != 1 or value.deductions:
            return None
        ((_, bound),) = value.terms
    return bound if isinstance(bound, Extremum) and bound.condition is None else None


def _own(rules: Rules, extremum: Extremum, counted: Expr, bound: Bound) -> str | None:
    """The one of whom a number is counted that an extremum counts of each, as it is written."""
    key = structural_key(counted)
    for seat in iter_exprs(counted) if key is not None else ():
        if not isinstance(seat, Builtin | Local) or not _is_among(rules, seat, extremum.over, bound):
            continue

        def as_seat(read: Expr, seat: Expr = seat) -> Expr | None:
            return seat if isinstance(read, Local) and read.slot == extremum.slot else None

        if structural_key(transform(extremum.of, as_seat)) == key:
            return seat.name
    return None


def _asks_whether_all_left(part: Expr) -> bool:
    match part:
        case Compare(op="is" | "is not", left=Builtin(name="everyone"), right=Constant(value=None)):
            return True
        case Quantifier(quantifier="every", slot=slot, over=Builtin(name=over), condition=condition):
            return over == SEAT.kind and _is_out(condition, slot, is_out=True)
        case Quantifier(quantifier="no", slot=slot, over=Builtin(name=over), condition=condition):
            return over in (SEAT.kind, EVERYONE) and _is_out(condition, slot, is_out=False)
    return False


def _is_out(condition: Expr, slot: int, *, is_out: bool) -> bool:
    """Whether a condition asks nothing but whether a player has left, or (`is_out` is false) is still in."""
    match condition:
        case Compare(op=op, left=Local(slot=asked), right=Builtin(name="everyone")) if asked == slot:
            return op == ("not in" if is_out else "in")
        case Compare(op=op, left=ReadState(name=name, keys=(Local(slot=asked),)), right=Constant(value=int(number))):
            if name != ELIMINATION_STATE or asked != slot:
                return False
            asks = (op, number) in ((">", 0), (">=", 1), ("is not", 0))
            return asks if is_out else (op, number) in (("is", 0), ("<", 1), ("<=", 0))
    return False


def _itself(rules: Rules, part: Quantifier, bound: Bound) -> str | None:
    """What is asked about as one of all that a loop goes through, where it settles what is asked of them: of itself it
    always holds that some have or none has, or never holds what every one has to have.
    """
    others = {read.name: read for read in iter_exprs(part.condition) if isinstance(read, Local | Builtin)}
    for other in others.values():
        if isinstance(other, Local) and other.slot == part.slot:
            continue
        if not _is_among(rules, other, part.over, bound):
            continue

        def as_other(read: Expr, other: Expr = other) -> Expr | None:
            return other if isinstance(read, Local) and read.slot == part.slot else None

        of_itself = transform(part.condition, as_other)
        if _fails_by_itself(of_itself) if part.quantifier == "every" else _holds_by_itself(of_itself):
            return other.name
    return None


def _is_among(rules: Rules, one: Local | Builtin, over: Expr, bound: Bound) -> bool:
    """Whether a variable, or who is in turn, is one of those that a loop goes through."""
    if isinstance(one, Local) and one.slot in bound:
        key = structural_key(over)
        if key is not None and key == structural_key(_whole(bound[one.slot])):
            return True
    if one.type == SEAT:
        return _is_all(rules, over)
    members = over.value if isinstance(over, Constant) else None  # all of a kind
    return isinstance(one, Local) and isinstance(members, tuple) and _element(over) == one.type


def _whole(over: Expr) -> Expr:
    """The set of which only some are gone through."""
    return _whole(over.over) if isinstance(over, Filter) else over


def _element(over: Expr) -> object:
    return over.type.element if isinstance(over.type, SetOf) else None


def _is_all(rules: Rules, over: Expr) -> bool:
    """Whether a loop goes through all players."""
    return isinstance(over, Builtin) and (
        over.name == SEAT.kind or (over.name == EVERYONE and not rules.has_elimination)
    )


def _holds_by_itself(condition: Expr) -> bool:
    """Whether a condition compares things with themselves, so that it always holds."""
    match condition:
        case Logic(op="and", left=left, right=right):
            return _holds_by_itself(left) and _holds_by_itself(right)
        case Logic(op="or", left=left, right=right):
            return _holds_by_itself(left) or _holds_by_itself(right)
        case Compare(op=op, left=left, right=right) if op in HOLDS_OF_ITSELF:
            key = structural_key(left)
            return key is not None and key == structural_key(right)
        case Not(of=of):
            return _fails_by_itself(of)
    return False


def _fails_by_itself(condition: Expr) -> bool:
    """Whether a condition asks of things that they differ from themselves, so that it never holds."""
    match condition:
        case Logic(op="and", left=left, right=right):
            return _fails_by_itself(left) or _fails_by_itself(right)
        case Logic(op="or", left=left, right=right):
            return _fails_by_itself(left) and _fails_by_itself(right)
        case Compare(op=op, left=left, right=right) if op in FAILS_OF_ITSELF:
            key = structural_key(left)
            return key is not None and key == structural_key(right)
        case Not(of=of):
            return _holds_by_itself(of)
    return False


__all__ = ["Bound", "settled_questions"]
