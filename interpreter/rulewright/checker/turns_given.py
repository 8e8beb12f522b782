"""Does every player have a turn? Rules may say what is done in a turn, and begin none, or those of one player only.

In: the state of a build. Out: a warning about the section `turn`, or about the step that gives each turn to the same
player. Who decides outside of turns takes part without them, so where such decisions are, one player may have them all.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.lint_codes import NO_TURN
from rulewright.checker.warn import warn
from rulewright.expr.tree import Builtin
from rulewright.expr.walk import is_me
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, GiveTurn, Leave, Step

TURN: Final = "turn"
FIRST: Final = "first_player"


@build_pass(needs=["blocks"], skip=after_errors)
def check_turns_given(state: BuildState) -> None:
    """A section `turn` that is never carried out, or only for the first player."""
    section = state.document.root.entry(TURN)
    steps = [step for block in state.blocks for step in block.steps]
    given = [(step, step.effect) for step in steps if isinstance(step.effect, GiveTurn)]
    if section is None or not any(block.address == TURN and block.steps for block in state.blocks):
        return
    if not any(not effect.is_extra for _, effect in given):
        message = "no step begins a turn, so these steps are never carried out"
        hint = "add a step like {for_each: player, turn: player} to `round`"
        warn(state, section.key.span, NO_TURN, message, "never carried out", hint, TURN)
        return
    others = [effect for _, effect in given if not is_me(effect.seat)]
    if state.players > 1 and all(map(_is_first, others)) and not any(map(_asks_or_removes, steps)):
        step = next(step for step, effect in given if not effect.is_extra)
        message = "only the first player ever has a turn, and nobody else decides anything"
        hint = "give each player one: {for_each: player, turn: player}"
        warn(state, step.span, NO_TURN, message, "always the same player", hint, step.address)


def _asks_or_removes(step: Step) -> bool:
    """Whether somebody decides who need not be in turn, or leaves, after whom another is first."""
    is_elsewhere = isinstance(step.effect, Choose) and (step.by is not None or step.effect.mode == "together")
    return is_elsewhere or isinstance(step.effect, Leave)


def _is_first(effect: GiveTurn) -> bool:
    return isinstance(effect.seat, Builtin) and effect.seat.name == FIRST


__all__ = ["check_turns_given"]
