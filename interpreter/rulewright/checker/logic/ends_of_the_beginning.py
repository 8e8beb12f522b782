"""Does an end of the game ask for what can hold as the game begins, and then never again?

In: rules, and the composition they were built from. Out: warnings about ends whose condition goes one way only, from
true to false: that a place is empty which only fills, that something is left where nothing ever goes, that a count is
still low. Such an end comes at once or never. Under variants only what a variant wrote.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.codes import ENDS_AT_ONCE
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import ALWAYS_EMPTY, CHANGES_NOTHING, NEVER_REACHED
from rulewright.checker.common.ways_of_change import DOWN, WaysOfChange
from rulewright.diagnostics import Diagnostics
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.model.effects import Finish
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within
from rulewright.source.nodes import ScalarNode

REASON_CODES: Final = (ALWAYS_EMPTY, ALWAYS_TRUE, CHANGES_NOTHING, NEVER_REACHED, NEVER_TRUE)


def check_ends_of_the_beginning(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them, unless something is told already that may be why."""
    if any(one.code in REASON_CODES for one in diagnostics):
        return
    blocks = blocks_within(rules, (rules.turn, rules.round))
    ends = [
        step
        for number in sorted(blocks)
        for step in rules.blocks[number].steps
        if isinstance(step.effect, Finish) and step.when is not None
    ]
    ways = WaysOfChange(rules, [step for number in sorted(blocks) for step in rules.blocks[number].steps])
    for step in ends:
        assert step.when is not None
        if ways.of(step.when) != DOWN:
            continue
        node = condition_node(composition.document.root, step.address)
        span = step.span if node is None else node.span
        is_reported = any(one.span.contains(span) or span.contains(one.span) for one in diagnostics)
        if is_reported or not composition.is_judged(span):
            continue
        text = f"`{node.text}`" if isinstance(node, ScalarNode) else "this"
        message = f"{text} can only hold as the game begins: what it asks about only goes the other way"
        hint = "is this condition the wrong way round?"
        diagnostics.add(span, ENDS_AT_ONCE, message, label="at once or never", help=hint, address=step.address)


__all__ = ["check_ends_of_the_beginning"]
