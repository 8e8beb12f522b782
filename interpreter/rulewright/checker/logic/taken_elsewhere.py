"""Are pieces chosen out of one place and taken from another?

In: the state of a build. Out: warnings about steps of actions that move pieces which the action lets players choose out
of a place of another zone, from which nothing goes then. How many there are is known of the place that was asked only.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ONE_SIDED
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import Local, ReadZone
from rulewright.expr.types import Bag
from rulewright.model.actions import ActionDef, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, RunSteps

HINT: Final = "write that place behind `from`, or choose out of this one"


@build_pass(needs=["actions", "blocks"], skip=after_errors)
def check_taken_elsewhere(state: BuildState) -> None:
    """Reports them."""
    for action in state.actions:
        steps = [*steps_within(action.block, state.blocks, with_procedures=True)]
        moves = [(step, step.effect) for step in steps if isinstance(step.effect, Move)]
        sources = {move.source.zone for _, move in moves if move.source is not None}
        if any(isinstance(step.effect, RunSteps) and step.effect.is_procedure for step in steps):
            continue  # where another variable may have this number
        for step, move in moves:
            zone = _chosen_from(action, move)
            if zone is None or move.source is None or zone in sources:
                continue
            span = key_span(state.document.root, step.address, "from", step.span)
            message = f"`{_name(action, move)}` is chosen out of `{zone}`, and taken from `{move.source.zone}`"
            warn(state, span, ONE_SIDED, message, "from another place", HINT, step.address)


def _chosen_from(action: ActionDef, move: Move) -> str | None:
    """The zone out of which the pieces were chosen that are moved; None where it is not known, or other ones are."""
    of = move.amount.of
    if not isinstance(of, Local) or not isinstance(of.type, Bag) or of.slot >= len(action.choices):
        return None
    domain = action.choices[of.slot].domain
    read = domain.of if isinstance(domain, SomeOf) else None
    return read.name if isinstance(read, ReadZone) and read.member is None else None


def _name(action: ActionDef, move: Move) -> str:
    assert isinstance(move.amount.of, Local)
    return action.choices[move.amount.of.slot].name


__all__ = ["check_taken_elsewhere"]
