"""Does a step do nothing, or the same for everybody?

In: the state of a build. Out: warnings about steps that set a state to what it is or move things to where they are,
and about loops over all players whose steps are about the one in turn each time.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.checker import lint_codes
from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.rules_read import exprs_in_steps, slots_read
from rulewright.checker.warn import warn
from rulewright.expr.tree import Expr, Place
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables, is_me, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, RunSteps, SetState, Step
from rulewright.model.traversal import asked_exprs


@build_pass(needs=["blocks"], skip=after_errors)
def check_idle_steps(state: BuildState) -> None:
    """Steps that set a state to what it is, or move things to where they are."""
    for step in (step for block in state.blocks for step in block.steps):
        written = {name: " ".join(text.split()) for name, text in step.source_texts}
        match step.effect:
            case SetState() if written.get("set") == written.get("to"):
                message = "this sets a state to what it is"
            case Move(source=Place(), to=to) if written.get("from") == written.get("to") and not _has_order(state, to):
                message = "this moves things to where they are"
            case _:
                continue
        node = condition_node(state.document.root, step.address, "to")
        span = step.span if node is None else node.span
        warn(state, span, lint_codes.CHANGES_NOTHING, message, "changes nothing", "", step.address)


def _has_order(state: BuildState, place: Place) -> bool:
    """Whether what comes in there can lie elsewhere than before."""
    zone = state.zones[place.zone]
    return zone.is_shuffled or zone.is_arrival_ordered


@build_pass(needs=["blocks"], skip=after_errors)
def check_unread_loops(state: BuildState) -> None:
    """Loops over players whose steps speak of `me` and not of the player of the loop."""
    for step in (step for block in state.blocks for step in block.steps):
        each = step.for_each
        if each is None or each.type != SEAT or _reads(step, each.slot, state):
            continue
        if any(is_me(part) for expr in _exprs(step, state) for part in iter_exprs(expr)):
            node = condition_node(state.document.root, step.address, "for_each")
            message = f"what is done for each `{each.name}` does not depend on it"
            hint = f"write `{each.name}` for `me`; to repeat a step write `times`"
            span = step.span if node is None else node.span
            warn(state, span, lint_codes.ALL_SEATS, message, f"`{each.name}` is never read", hint, step.address)


def _exprs(step: Step, state: BuildState) -> Iterable[Expr]:
    yield from asked_exprs(step)
    block = _own_block(step)
    if block is not None:
        yield from exprs_in_steps(block, state.blocks)


def _reads(step: Step, slot: int, state: BuildState) -> bool:
    """Whether a step, what it offers or a step within it reads a variable."""
    block = _own_block(step)
    is_read_within = block is not None and slot in slots_read(block, state.blocks)
    return is_read_within or any(slot in free_variables(expr) for expr in asked_exprs(step))


def _own_block(step: Step) -> int | None:
    """The steps below a step; a procedure sees no variables of whoever runs it."""
    effect = step.effect
    return effect.block if isinstance(effect, RunSteps) and not effect.is_procedure else None


__all__ = ["check_idle_steps", "check_unread_loops"]
