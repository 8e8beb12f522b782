"""Can nobody win but the first player, or does the first player win by what anybody has done?

In: the state of a build. Out: a warning about an end whose winner is the first player, whatever happened, where others
have turns, too, and no other end and no ranking lets any of them win; and about ends that ask about the one in turn,
where nothing in the game is for the first player only. In a game of one against the others these win at some end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.seats_in_turn import SeatsInTurn
from rulewright.expr.tree import Builtin, Call, Expr
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Finish, SetState, Step
from rulewright.model.traversal import step_exprs

FIRST, NOBODY = "first_player", "nobody"
HINT_FOR_ALL: Final = "if all win together, write `winners: everyone`; if the ranking says who, leave `winners` out"


@build_pass(needs=["blocks", "states", "values", "has_elimination"], skip=after_errors)
def check_lone_winners(state: BuildState) -> None:
    """Reports the first of them."""
    seats_in_turn = SeatsInTurn(
        state.blocks, state.states, state.values, state.players, has_elimination=state.has_elimination
    )
    ends = [(step, step.effect) for block in state.blocks for step in block.steps if isinstance(step.effect, Finish)]
    winners = [finish.winners.name if isinstance(finish.winners, Builtin) else None for _, finish in ends]
    if FIRST not in winners or not {*winners} <= {FIRST, NOBODY} or state.players == 1:
        return
    if seats_in_turn.find() == {0}:
        return
    _report(state, ends[winners.index(FIRST)][0], "nobody but the first player can ever win", HINT_FOR_ALL)


@build_pass(needs=["actions", "blocks", "values"], skip=after_errors)
def check_winners_who_began(state: BuildState) -> None:
    """Reports ends at which the first player wins whoever in turn has done something."""
    steps = [step for block in state.blocks for step in block.steps]
    ends = [step for step in steps if isinstance(step.effect, Finish) and _is_first(step.effect.winners)]
    if not ends or state.players == 1 or _has_rules_of_first(state, steps):
        return
    for step in ends:
        if step.when is not None and any(map(is_me, iter_exprs(step.when))):
            message = "this asks about the one in turn, and the first player wins, whoever that is"
            _report(state, step, message, "who plays is `me`, somebody else `next(me)` or `opponent`")


def _report(state: BuildState, step: Step, message: str, hint: str) -> None:
    span = key_span(state.document.root, step.address, "winners", step.span)
    warn(state, span, OTHER_WAY, message, "always the same player", hint, step.address)


def _has_rules_of_first(state: BuildState, steps: Sequence[Step]) -> bool:
    """Whether anything but the outcome depends on who is the first player; a state may begin with them."""
    exprs = [clause.condition for action in state.actions for clause in action.clauses]
    for step in steps:
        if isinstance(step.effect, Finish):
            exprs += [step.when] if step.when is not None else []
        elif not isinstance(step.effect, SetState):
            exprs += step_exprs(step)
        for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
            exprs += [clause.condition for clause in offer.clauses]
    others = (step.effect.winners for step in steps if isinstance(step.effect, Finish))
    is_next = (isinstance(of, Call) and any(map(_is_first, of.args)) for of in others)
    return any(is_next) or any(map(_is_first, all_parts(state.values, exprs)))


def _is_first(seat: Expr | None) -> bool:
    return isinstance(seat, Builtin) and seat.name == FIRST


__all__ = ["check_lone_winners", "check_winners_who_began"]
