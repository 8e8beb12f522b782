"""Is what the ranking compares set anew each round, where its bound shows that it was to be added up?

In: rules, and the composition they were built from. Out: warnings about steps of a round that keep a state of each
player at its highest with `min`, though what they set is never more than half of that and does not depend on what the
state was: so only the last round counts. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.diagnostics import Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.expr.tree import Call, Constant, Expr, ReadState
from rulewright.expr.types import SEAT, Number
from rulewright.model.effects import SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within


def check_forgotten_sums(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    found = [*_bounded(rules)]
    if not found:
        return
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return  # reported by the set-up
    for step, name, given, bound in found:
        span = key_span(composition.document.root, step.address, "to", step.span)
        most = ranges.scalars(given, {}, ranges.seats).high
        if 2 * most > bound or not composition.is_judged(span) or any(one.span == span for one in diagnostics):
            continue
        message = f"this is never more than {most}, and what `{name}` was before is lost: only the last round counts"
        hint = f"add it: `{name}(player) + …`"
        diagnostics.add(span, CHANGES_NOTHING, message, label="not added up", help=hint, address=step.address)


def _bounded(rules: Rules) -> Iterator[tuple[Step, str, Expr, int]]:
    """The one step of the round that sets a state of each player which the ranking compares; the state, what it is kept
    with, and the bound.
    """
    compared = {
        part.name
        for part in all_parts(rules.values, [criterion.of for criterion in rules.ranking])
        if isinstance(part, ReadState)
    }
    names = NamesTouched(rules)
    writing: dict[str, list[Step]] = {}
    for step in (step for block in rules.blocks for step in block.steps):
        for name in names.written(step) & compared:
            writing.setdefault(name, []).append(step)
    in_rounds = {step.address for number in blocks_within(rules, (rules.round,)) for step in rules.blocks[number].steps}
    for name, steps in writing.items():
        state, effect = rules.states[name], steps[0].effect
        if len(steps) != 1 or steps[0].address not in in_rounds or not isinstance(effect, SetState):
            continue
        if state.key_types != (SEAT,) or not isinstance(state.type, Number) or state.reset_scope:
            continue
        match effect.to:
            case Call(function="min", args=(Constant(value=int(bound)), given) | (given, Constant(value=int(bound)))):
                if bound == state.type.high and name not in names.read(given) and steps[0].when is None:
                    yield steps[0], name, given, bound


__all__ = ["check_forgotten_sums"]
