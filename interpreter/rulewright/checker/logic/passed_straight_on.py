"""Is what a player passes on passed on again, since the next player has it when its turn comes?

In: the state of a build. Out: warnings about loops over all players in which each gives all that is in its place of a
zone to the next player's place: the first one's things go round, and come to one player with all others.
"""

from __future__ import annotations

from rulewright.checker.common.lint_codes import PASSED_STRAIGHT_ON
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import Call, Expr, Filter, Local, ReadZone
from rulewright.expr.walk import is_all_seats
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step


@build_pass(needs=["judged"], skip=after_errors)
def check_passed_straight_on(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        if _passes_on(step):
            message = "each passes on what has just come from the one before, so one player gets all of it"
            hint = "move it to places of another zone first, and from there in a second loop"
            warn(state, step.span, PASSED_STRAIGHT_ON, message, "passed on at once", hint, step.address)


def _passes_on(step: Step) -> bool:
    move, loop = step.effect, step.for_each
    if not isinstance(move, Move) or loop is None or loop.condition is not None or not _is_all(loop.over):
        return False
    source, what = (None if move.source is None else (move.source.zone, move.source.keys)), move.amount.of
    while isinstance(what, Filter) and what.condition is None:
        what = what.over
    if source is None and isinstance(what, ReadZone):
        source = (what.name, what.keys)
    elif move.amount.mode != "all":
        return False
    if source is None or source[0] != move.to.zone or len(source[1]) != 1 or len(move.to.keys) != 1:
        return False
    giver, taker = source[1][0], move.to.keys[0]
    return any(
        isinstance(one, Local) and one.slot == loop.slot and _is_next(other, loop.slot)
        for one, other in ((giver, taker), (taker, giver))
    )


def _is_all(over: Expr) -> bool:
    return is_all_seats(over) or (isinstance(over, Call) and over.function == "everyone_from")


def _is_next(seat: Expr, slot: int) -> bool:
    """Whether it is the player next to a variable."""
    if not isinstance(seat, Call) or seat.function != "next":
        return False
    (of,) = seat.args
    return isinstance(of, Local) and of.slot == slot


__all__ = ["check_passed_straight_on"]
