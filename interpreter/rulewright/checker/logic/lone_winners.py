"""Can nobody win but the first player?

In: the state of a build. Out: a warning about an end whose winner is the first player, whatever happened, where others
have turns, too, and no other end and no ranking lets any of them win. In a game of one against the others these win at
some end.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.seats_in_turn import SeatsInTurn
from rulewright.expr.tree import Builtin
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish

FIRST, NOBODY = "first_player", "nobody"


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
    step, _ = ends[winners.index(FIRST)]
    span = key_span(state.document.root, step.address, "winners", step.span)
    message = "nobody but the first player can ever win"
    hint = "if all win together, write `winners: everyone`; if the ranking says who, leave `winners` out"
    warn(state, span, OTHER_WAY, message, "always the same player", hint, step.address)


__all__ = ["check_lone_winners"]
