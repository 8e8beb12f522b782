"""What a step leaves at nothing, and what a sum adds to a state.

In: a move, or a state and what it is set to. Out: expressions: the count that is 0 after the move, since just so many
were taken; the number without which the state would stay as it is.
"""

from __future__ import annotations

from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Arithmetic, BagLiteral, Call, Expr, ReadState, ReadZone, StateTarget
from rulewright.expr.types import Member
from rulewright.model.effects import Move


def count_taken(move: Move) -> ReadZone | None:
    """The count of a member in a place that a move takes as often as it is there; None of other moves."""
    source, of = move.source, move.amount.of
    if source is None or move.amount.mode != "exactly" or not isinstance(of, BagLiteral):
        return None
    read = of.count
    if not isinstance(read, ReadZone) or read.member is None or not isinstance(of.members.type, Member):
        return None
    is_there = read.name == source.zone and are_same(read.keys, source.keys)
    return read if is_there and are_same((read.member,), (of.members,)) else None


def added_to(target: StateTarget, to: Expr) -> Expr | None:
    """What is added to a state or taken off, perhaps within bounds; None where it is set to something else."""
    match to:
        case Call(function="min" | "max", args=args):
            return next((added for arg in args if (added := added_to(target, arg)) is not None), None)
        case Arithmetic(op="+" | "-" | "less", left=ReadState() as before, right=right) if _is_read(before, target):
            return right
        case Arithmetic(op="+", left=left, right=ReadState() as before) if _is_read(before, target):
            return left
    return None


def _is_read(read: ReadState, target: StateTarget) -> bool:
    """Whether what is read is what is set."""
    return read.name == target.name and are_same(read.keys, target.keys)


__all__ = ["added_to", "count_taken"]
