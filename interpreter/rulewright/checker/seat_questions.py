"""What a condition asks of players that can only have one answer: that everybody has left, that nobody equals oneself,
that one has more than the most that anybody has, oneself included.

In: rules, a part of a condition. Out: how it comes out, and why; nothing where that depends on the position.
"""

from __future__ import annotations

from typing import Final

from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Builtin,
    Compare,
    Constant,
    Expr,
    Extremum,
    Local,
    Logic,
    Quantifier,
    ReadState,
    ReadValue,
)
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables, iter_exprs, transform
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
TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
HOLDS_OF_ITSELF: Final = ("is", "<=", ">=", "fits in")  # comparisons of something with itself


def settled_question(rules: Rules, part: Expr) -> tuple[bool, str] | None:
    """How a part comes out, and the reason."""
    if rules.has_elimination and not rules.blocks[rules.finale].steps and _asks_whether_all_left(part):
        return isinstance(part, Compare) and part.op == "is not", NOBODY_LEFT
    if isinstance(part, Quantifier) and part.quantifier in ("some", "no"):
        itself = _itself(rules, part)
        if itself is not None:
            return part.quantifier == "some", f"`{itself}` itself is among them"
    if isinstance(part, Compare) and part.op in TURNED:
        for op, counted, bound in ((part.op, part.left, part.right), (TURNED[part.op], part.right, part.left)):
            extremum = _extremum(rules, bound)
            outcome = None if extremum is None else BESIDE_EXTREMUM.get((extremum.function, op))
            if extremum is not None and outcome is not None and (itself := _own(extremum, counted)) is not None:
                return outcome, f"`{itself}` itself is among those of whom it is the {NAMES[extremum.function]}"
    return None


def _extremum(rules: Rules, bound: Expr) -> Extremum | None:
    """The greatest or least number over all players that an expression is, by itself or as a value."""
    if isinstance(bound, ReadValue) and not bound.keys:
        value = rules.values[bound.name]
        if len(value.terms) != 1 or value.deductions:
            return None
        ((_, bound),) = value.terms
    if not isinstance(bound, Extremum) or bound.condition is not None or not _is_all(rules, bound.over):
        return None
    return bound


def _own(extremum: Extremum, counted: Expr) -> str | None:
    """The player of whom a number is counted that an extremum counts of each, as it is written."""
    key = structural_key(counted)
    for seat in iter_exprs(counted):
        if seat.type != SEAT or not isinstance(seat, Builtin | Local) or key is None:
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


def _itself(rules: Rules, part: Quantifier) -> str | None:
    """The variable outside a loop that the loop goes through as well, and of which what is asked always holds."""
    members = part.over.value if isinstance(part.over, Constant) else None
    if not _is_all(rules, part.over) and not isinstance(members, tuple):
        return None
    for other in {read.name: read for read in iter_exprs(part.condition) if isinstance(read, Local)}.values():
        if other.slot == part.slot or other.slot not in free_variables(part) or other.type != _type_of(part):
            continue

        def as_other(read: Expr, other: Local = other) -> Expr | None:
            return other if isinstance(read, Local) and read.slot == part.slot else None

        if _holds_by_itself(transform(part.condition, as_other)):
            return other.name
    return None


def _is_all(rules: Rules, over: Expr) -> bool:
    """Whether a loop goes through all players."""
    return isinstance(over, Builtin) and (
        over.name == SEAT.kind or (over.name == EVERYONE and not rules.has_elimination)
    )


def _type_of(part: Quantifier) -> object:
    own = (read.type for read in iter_exprs(part.condition) if isinstance(read, Local) and read.slot == part.slot)
    return next(own, None)


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
    return False


__all__ = ["settled_question"]
