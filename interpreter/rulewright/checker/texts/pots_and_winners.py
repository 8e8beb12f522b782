"""Does the pot go to somebody else than who wins for the same reason?

In: the state of a build. Out: warnings about steps that bring all of what is nobody's own to one player, where a
step beside them, with the same condition, names another one as the winner of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Builtin, Expr
from rulewright.expr.types import SEAT
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Finish, Move, Step

NAMES: Final = {"me": "the player in turn", "opponent": "the other player", "first_player": "the first player"}


@build_pass(needs=["blocks"], skip=after_errors)
def check_pots_and_winners(state: BuildState) -> None:
    """Reports them."""
    for block in state.blocks:
        for step, end, receiver, winner in _pairs(block):
            span = key_span(state.document.root, step.address, "to", step.span)
            message = f"this goes to {NAMES[receiver]}, and {NAMES[winner]} wins in the same case (`{end.address}`)"
            hint = "name the same player in both"
            warn(state, span, OTHER_WAY, message, "not who wins", hint, step.address)


def _pairs(block: Block) -> Iterator[tuple[Step, Step, str, str]]:
    """A move of all of a place, an end of the game with the same condition, and whom they name."""
    ends = [step for step in block.steps if isinstance(step.effect, Finish) and step.when is not None]
    for step in block.steps:
        move = step.effect
        if not isinstance(move, Move) or move.amount.mode != "all" or step.when is None or step.for_each is not None:
            continue
        if move.source is None or any(key.type == SEAT for key in move.source.keys):
            continue  # it was somebody's
        receiver = next((name for key in move.to.keys if (name := _name(key))), None)
        for end in ends:
            assert isinstance(end.effect, Finish)
            assert end.when is not None
            winner = None if end.effect.winners is None else _name(end.effect.winners)
            key = structural_key(step.when)
            if receiver and winner and receiver != winner and key is not None and key == structural_key(end.when):
                yield step, end, receiver, winner


def _name(seat: Expr) -> str | None:
    return seat.name if isinstance(seat, Builtin) and seat.name in NAMES else None


__all__ = ["check_pots_and_winners"]
