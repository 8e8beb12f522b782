"""Does a variant send elsewhere all that comes to a zone, though the end or the ranking of the game counts it there?

In: rules, and the composition they were built from. Out: a warning at the place to which a variant makes a step move
what went to such a zone before: now nothing ever comes to it. A variant that leaves the step out takes away what it
does, which is meant.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import ALWAYS_EMPTY
from rulewright.checker.common.names_touched import NO_NAMES, NamesTouched
from rulewright.checker.logic.empty_zones import empty_at_the_start
from rulewright.diagnostics import Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.model.effects import Finish, Move
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules
from rulewright.model.traversal import filled_zones


def check_emptied_by_variants(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first step that is changed so, of each zone."""
    if not composition.chosen_variants:
        return
    steps = [step for block in rules.blocks for step in block.steps]
    redirected = [
        step
        for step in steps
        if isinstance(step.effect, Move)
        and (node := condition_node(composition.document.root, step.address, "to")) is not None
        and node.span.source.path in composition.variant_files
    ]
    unfilled = {zone.name for zone in rules.zones.values() if zone.refill is None} - filled_zones(steps)
    counted = _counted(rules) & unfilled if redirected else NO_NAMES
    base = base_rules(composition) if counted else None
    if base is None:
        return
    try:
        counted &= {*empty_at_the_start(rules)}
    except RuleFault:
        return  # reported by the set-up
    before = {step.address: step.effect for block in base.blocks for step in block.steps}
    for step in redirected:
        moved = before.get(step.address)
        if not isinstance(moved, Move) or moved.to.zone not in counted:
            continue
        counted -= {moved.to.zone}
        node = condition_node(composition.document.root, step.address, "to")
        diagnostics.add(
            step.span if node is None else node.span,
            ALWAYS_EMPTY,
            f"nothing ever comes to `{moved.to.zone}` any more, and the game counts what is there",
            label="goes elsewhere now",
            help=f"move it to `{moved.to.zone}`, or count what is where it goes",
            address=step.address,
        )


def _counted(rules: Rules) -> frozenset[str]:
    """The zones and states that the ranking and the ends of the game ask about."""
    names = NamesTouched(rules)
    ends = [step.when for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish)]
    asked = [*(criterion.of for criterion in rules.ranking), *(end for end in ends if end is not None)]
    return NO_NAMES.union(*map(names.read, asked))


__all__ = ["check_emptied_by_variants"]
