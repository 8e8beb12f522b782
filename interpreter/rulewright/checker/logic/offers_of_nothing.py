"""Is somebody asked to choose from a place at the very moment when nothing is there?

In: the state of a build. Out: warnings about steps whose condition is that a place is empty, where each action that
they offer chooses from it.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.empty_places import empty_places
from rulewright.checker.common.warn import warn
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import ReadZone
from rulewright.model.actions import ActionDef, OneOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose


@build_pass(needs=["actions", "judged"], skip=after_errors)
def check_offers_of_nothing(state: BuildState) -> None:
    """Reports them at the condition."""
    actions = state.actions
    for step in state.judged.steps:
        choose = step.effect
        if not isinstance(choose, Choose) or step.when is None or step.by is not None:
            continue
        offered = [actions[offer.action] for offer in choose.offers]
        for asked, place in empty_places(step.when):
            if not offered or not all(_chooses_from(action, place) for action in offered):
                continue
            span = part_span(state.document.root, step.address, "when", asked, step.span)
            message = f"nobody can do what is offered here: `{offered[0].name}` chooses from `{place.name}`"
            hint = f"write `{place.name} is not empty`, or offer something else"
            warn(state, span, NEVER_TRUE, message, "nothing is there then", hint, step.address)


def _chooses_from(action: ActionDef, place: ReadZone) -> bool:
    """Whether an action always needs something that lies in a place."""
    key = structural_key(place)
    needed = (choice.domain for choice in action.choices if choice.condition is None)
    return key is not None and any(
        isinstance(domain, OneOf) and isinstance(domain.of, ReadZone) and structural_key(domain.of) == key
        for domain in needed
    )


__all__ = ["check_offers_of_nothing"]
