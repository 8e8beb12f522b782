"""Does every player have a turn? Rules may say what is done in a turn, and begin none, or never those of some players.

In: the state of a build. Out: a warning about the section `turn`, or about the step that gives turns. Who decides
outside of turns takes part without them, so where such decisions are, some players may have them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.lint_codes import NO_TURN
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.seats_in_turn import Seats, SeatsInTurn
from rulewright.expr.structural_key import structural_key
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, GiveTurn, Leave, Step

TURN: Final = "turn"
ROUND: Final = "round."


@build_pass(needs=["blocks", "states", "values", "has_elimination"], skip=after_errors)
def check_players_without_turns(state: BuildState) -> None:
    """A section `turn` that is never carried out, or never for some players."""
    finder = SeatsInTurn(state.blocks, state.states, state.values, state.players, has_elimination=state.has_elimination)
    section = state.document.root.entry(TURN)
    steps = [step for block in state.blocks for step in block.steps]
    begun = [step for step in steps if isinstance(step.effect, GiveTurn) and not step.effect.is_extra]
    if section is None or not any(block.address == TURN and block.steps for block in state.blocks):
        return
    if not begun:
        message = "no step begins a turn, so these steps are never carried out"
        hint = "add a step like {for_each: player, turn: player} to `round`"
        warn(state, section.key.span, NO_TURN, message, "never carried out", hint, TURN)
        return
    if state.players > 1 and not any(map(_asks_or_removes, steps)):
        _report_left_out(begun, finder.find(), state)


def _report_left_out(begun: Sequence[Step], seats: Seats, state: BuildState) -> None:
    if not seats or len(seats) == state.players:
        return
    step, message = _repeated(begun), f"{_who(seats)}, and nobody else decides anything"
    label = "always the same player" if len(seats) == 1 else "always the same players"
    hint = "give each player one: {for_each: player, turn: player}"
    warn(state, step.span, NO_TURN, message, label, hint, step.address)


def _who(seats: Seats) -> str:
    """That only these have turns, in the order from the first player on."""
    if seats == {0}:
        return "only the first player ever has a turn"
    if seats == {1}:
        return "only the second player ever has a turn"
    if len(seats) == 1:
        return f"only player {min(seats) + 1}, counted from the first, ever has a turn"
    return f"only {len(seats)} players ever have a turn"


def _repeated(begun: Sequence[Step]) -> Step:
    """The step that gives the same player a turn as one before it; where none does, the first, if there is one in a
    round itself.
    """
    begun, known = sorted(begun, key=lambda step: not step.address.startswith(ROUND)), set[object]()
    for step in begun:
        assert isinstance(step.effect, GiveTurn)
        key = structural_key(step.effect.seat)
        if key is not None and key in known:
            return step
        known.add(key)
    return begun[0]


def _asks_or_removes(step: Step) -> bool:
    """Whether somebody decides who need not be in turn, or leaves, after whom another is first."""
    is_elsewhere = isinstance(step.effect, Choose) and (step.by is not None or step.effect.mode == "together")
    return is_elsewhere or isinstance(step.effect, Leave)


__all__ = ["check_players_without_turns"]
