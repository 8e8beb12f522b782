"""Has a place to be free that is chosen, and is nothing put there?

In: the state of a build. Out: warnings about actions with a choice that only clauses read, one of which asks for room
in a place of a zone by it, where a step of the action moves something of the same sort to a place that no choice names:
there at the place to which it moves. What is chosen only to be shown is not asked to be free.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import UNUSED
from rulewright.checker.common.rules_read import slots_read, steps_within
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import Call, Compare, Constant, Expr, Local, ReadZone
from rulewright.expr.walk import conjuncts, free_variables
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step


@build_pass(needs=["actions", "blocks", "zones"], skip=after_errors)
def check_free_places_left(state: BuildState) -> None:
    """Reports them."""
    for action in state.actions:
        read = slots_read(action.block, state.blocks) if len(action.choices) > 1 else frozenset[int]()
        for slot, choice in enumerate(action.choices) if read else ():
            zone = None if slot in read else _asked_to_be_free(action, slot)
            step = None if zone is None else _moved_elsewhere(action, state.zones[zone].content_type, state)
            if step is None:
                continue
            span = key_span(state.document.root, step.address, "to", step.span)
            message = f"`{choice.name}` is chosen so that `{zone}({choice.name})` is free, and nothing is put there"
            hint = f"did you mean `{zone}({choice.name})`?"
            warn(state, span, UNUSED, message, f"does not depend on `{choice.name}`", hint, step.address)


def _asked_to_be_free(action: ActionDef, slot: int) -> str | None:
    """The zone in which clauses ask for room at what is chosen."""
    for clause in action.clauses:
        for part in conjuncts(clause.condition):
            for read in _free(part):
                if any(isinstance(key, Local) and key.slot == slot for key in read.keys):
                    return read.name
    return None


def _free(part: Expr) -> Iterator[ReadZone]:
    """The place that has to be empty, or to hold no more than so much."""
    match part:
        case Compare(op="is", left=ReadZone(member=None) as read, right=Constant(value=None)):
            yield read
        case Compare(op="<" | "<=", left=Call(function="count", args=(ReadZone() as read,)), right=right):
            if not free_variables(right):
                yield read
        case Compare(op="is", left=Call(function="count", args=(ReadZone() as read,)), right=Constant(value=0)):
            yield read


def _moved_elsewhere(action: ActionDef, content: object, state: BuildState) -> Step | None:
    """The one step of an action that moves what such a place holds, and not to where a choice says."""
    moving = [
        step
        for step in steps_within(action.block, state.blocks, with_procedures=True)
        if isinstance(step.effect, Move) and state.zones[step.effect.to.zone].content_type == content
    ]
    if len(moving) != 1 or not isinstance(moving[0].effect, Move):
        return None
    named = {slot for key in moving[0].effect.to.keys for slot in free_variables(key)}
    return None if named & {*range(len(action.choices))} else moving[0]


__all__ = ["check_free_places_left"]
