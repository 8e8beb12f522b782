"""Does an action take from a place that it asks to be empty?

In: the state of a build. Out: warnings about clauses, and about conditions of what can be chosen, that hold only where
a place is empty from which a step of the same action takes before anything has come to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node, part_span
from rulewright.checker.common.empty_places import empty_places
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.warn import warn
from rulewright.diagnostics import Span
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Expr, Filter, Local, ReadZone
from rulewright.expr.walk import transform
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Choice, OneOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Move, RunSteps, Step


@frozen
class _Emptiness:
    """A condition that a place is empty: the place, and where the condition is written, at which rule."""

    place: ReadZone
    span: Span
    address: str


@build_pass(needs=["blocks", "zones", "judged"], skip=after_errors)
def check_empty_sources(state: BuildState) -> None:
    """Reports them."""
    blocks, zones = state.blocks, state.zones
    for action in state.judged.actions:
        for one in _asked(action, state):
            step = _first_taking(blocks[action.block].steps, one.place)
            if step is not None and zones[one.place.name].refill is None:
                message = f"this asks for `{one.place.name}` to be empty, and `{step.address}` takes from there"
                hint = "does it have to be `is not empty`?"
                warn(state, one.span, CHANGES_NOTHING, message, "nothing is there to take", hint, one.address)


def _asked(action: ActionDef, state: BuildState) -> Iterator[_Emptiness]:
    """What an action asks to be empty, in its choices and in its clauses."""
    root = state.document.root
    for slot, choice in enumerate(action.choices):
        for part, place in empty_places(_chosen_among(choice, slot)):
            span = part_span(root, choice.address, "one_of", part, choice.span)
            yield _Emptiness(place, span, choice.address)
    for clause in action.clauses:
        for _, place in empty_places(clause.condition):
            section, _, name = clause.address.rpartition(".")
            node = condition_node(root, section, name)
            yield _Emptiness(place, clause.span if node is None else node.span, clause.address)


def _chosen_among(choice: Choice, slot: int) -> Expr | None:
    """What holds of one thing that is chosen, with the variable that the action has for it."""
    domain = choice.domain
    if not isinstance(domain, OneOf) or not isinstance(chosen := domain.of, Filter) or chosen.condition is None:
        return None

    def as_choice(part: Expr) -> Expr | None:
        is_it = isinstance(part, Local) and part.slot == chosen.slot
        return Local(choice.name, slot, part.type, part.offsets) if is_it else None

    return transform(chosen.condition, as_choice)


def _first_taking(steps: tuple[Step, ...], place: ReadZone) -> Step | None:
    """The step that takes from a place before anything can have come to it."""
    for step in steps:
        if isinstance(step.effect, RunSteps | Choose):
            return None
        if not isinstance(step.effect, Move):
            continue
        source, of = step.effect.source, step.effect.amount.of
        if source is not None and source.zone == place.name and are_same(source.keys, place.keys):
            return step
        if isinstance(of, ReadZone) and of.name == place.name and are_same(of.keys, place.keys):
            return step
        if step.effect.to.zone == place.name:
            return None
    return None


__all__ = ["check_empty_sources"]
