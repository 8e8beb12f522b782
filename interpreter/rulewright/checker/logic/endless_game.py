"""Has a game no end, or does it wait for those who have left it?

In: the state of a build in which all rules have been read. Out: warnings at the section `round`, or at a step.
"""

from __future__ import annotations

from rulewright.checker.common import lint_codes
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.leaving_players import leave_together
from rulewright.expr.tree import Builtin, Expr, Local, Quantifier, ReadState
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish, Leave, Roll, SetState
from rulewright.model.rules import ELIMINATION_STATE


@build_pass(needs=["blocks"], skip=after_errors)
def check_endless_game(state: BuildState) -> None:
    """A game in which no step says `end_game`, and no seat can leave; where a turn never ends that is enough."""
    if any(one.code is lint_codes.NEVER_ENDS for one in state.diagnostics):
        return
    section = state.document.root.entry("round")
    steps = [step for block in state.blocks for step in block.steps]
    if section is not None and not any(isinstance(step.effect, Finish | Leave) for step in steps):
        message = "no step of this game has `end_game`, so it never ends"
        hint = "add a step like {when: …, end_game: after_round}, or `end_game: now` to end it at once"
        warn(state, section.key.span, lint_codes.NEVER_ENDS, message, "never ends", hint)


@build_pass(needs=["blocks", "has_elimination"], skip=after_errors)
def check_left_seats(state: BuildState) -> None:
    """Steps that wait until something holds of every seat, or of none, and count those that have left: their states
    change no more where only the seat in turn sets its own.
    """
    steps = [step for block in state.blocks for step in block.steps]
    if not state.has_elimination or all(leave_together(step) for step in steps if isinstance(step.effect, Leave)):
        return  # where all leave together, nobody is left
    targets = [step.effect.target for step in steps if isinstance(step.effect, SetState | Roll)]
    set_for_others = {target.name for target in targets if not any(map(is_me, target.keys))}
    for step in steps:
        for part in iter_exprs(step.when) if step.when is not None else ():
            if not isinstance(part, Quantifier) or part.quantifier == "some" or not _is_every_seat(part.over):
                continue
            read = next((read for read in iter_exprs(part.condition) if _is_own_state(read, part.slot)), None)
            if isinstance(read, ReadState) and read.name not in {*set_for_others, ELIMINATION_STATE}:
                message = f"`{part.quantifier} player` counts those that have left, whose `{read.name}` changes no more"
                hint = f"write `{part.quantifier} player in everyone has …`: `everyone` is who is still in"
                warn(state, step.span, lint_codes.NEVER_ENDS, message, "may never hold again", hint, step.address)


def _is_every_seat(over: Expr) -> bool:
    return isinstance(over, Builtin) and over.name == SEAT.kind


def _is_own_state(part: Expr, slot: int) -> bool:
    """Whether a part reads a state of the seat in a variable."""
    return isinstance(part, ReadState) and any(
        isinstance(key, Local) and key.slot == slot and key.type == SEAT for key in part.keys
    )


__all__ = ["check_endless_game", "check_left_seats"]
