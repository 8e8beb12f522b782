"""Is the number that ends the game within reach, with the parameters as they are?

In: rules, and the composition they were built from. Out: a warning about a step that ends the game where something that
is counted is to reach a parameter and never can: all that there is together comes to less. Under variants it is at what
sets the parameter. Other conditions with parameters may be meant never to hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.counts_check import ranges_with_parameters
from rulewright.checker.parameter_reads import ParameterReads
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.engine.faults import RuleFault
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import (
    Compare,
    Expr,
    FieldTotal,
    Logic,
    Quantifier,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import Number
from rulewright.expr.walk import find_position_read, iter_exprs
from rulewright.model.effects import Finish, Step
from rulewright.model.facts.value_ranges import FALSE
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


def check_goals(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports ends of the game that ask for more than there is."""
    asked = [
        (step, compare, goal, counted)
        for block in rules.blocks
        for step in block.steps
        if isinstance(step.effect, Finish) and step.when is not None
        for compare in _needed(step.when)
        for goal, counted in _goals(rules, compare)
    ]
    if not asked:
        return
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return  # reported by the set-up
    for step, compare, goal, counted in asked:
        if ranges.scalars(compare, {}, ranges.seats) == FALSE:
            most = ranges.scalars(counted, {}, ranges.seats).high
            _report(step, compare, goal, most, composition, diagnostics)


def _needed(condition: Expr) -> Iterator[Compare]:
    """The comparisons without which a condition does not hold."""
    match condition:
        case Compare():
            yield condition
        case Logic(op="and", left=left, right=right):
            yield from _needed(left)
            yield from _needed(right)
        case Quantifier(quantifier="some", condition=inner):
            yield from _needed(inner)


def _goals(rules: Rules, compare: Compare) -> Iterator[tuple[str, Expr]]:
    """The parameter that something is to reach, or a multiple of it, and what; nothing for other comparisons."""
    parameters = ParameterReads(rules)
    for goal, counted, ops in (
        (compare.right, compare.left, (">=", ">", "is")),
        (compare.left, compare.right, ("<=", "<", "is")),
    ):
        read = next((part for part in iter_exprs(goal) if isinstance(part, ReadParameter) and not part.keys), None)
        if read is None or find_position_read(goal) is not None or compare.op not in ops:
            continue
        is_number = isinstance(counted.type, Number) and isinstance(goal.type, Number)
        counts = any(isinstance(part, ReadZone | FieldTotal | ReadValue | ReadState) for part in iter_exprs(counted))
        if is_number and counts and not parameters.are_in(counted):
            yield read.name, counted


def _report(
    step: Step, compare: Compare, goal: str, most: int, composition: Composition, diagnostics: Diagnostics
) -> None:
    node = condition_node(composition.document.root, step.address)
    condition = step.span if node is None else node.span
    text = node.text[slice(*compare.offsets)].strip() if isinstance(node, ScalarNode) else ""
    subject, players = f"`{text}`" if text else "this comparison", composition.players
    help_ = f"with {players} player{'s' * (players != 1)} it is never more than {most}"
    files = {variant.root.span.source.path for variant in composition.applied_variants}
    if not composition.chosen_variants or condition.source.path in files:
        span = node.subspan(*compare.offsets) if isinstance(node, ScalarNode) else condition
        if any(one.code is NEVER_TRUE and one.span.contains(span) for one in diagnostics):
            return
        diagnostics.add(
            span,
            NEVER_TRUE,
            f"{subject} never holds",
            label="never holds",
            help=help_,
            address=step.address,
        )
    elif (setting := _setting(goal, composition)) is not None:
        name, span = setting
        message = f"with variant `{name}`: {subject} of `{step.address}` never holds"
        related = [Related(condition, step.address)]
        address = f"parameters.{goal}"
        diagnostics.add(span, NEVER_TRUE, message, label="out of reach", help=help_, address=address, related=related)


def _setting(parameter: str, composition: Composition) -> tuple[str, Span] | None:
    """The chosen variant that sets a parameter, and where."""
    for variant in reversed(composition.chosen_variants):
        for change in variant.changes:
            if change.parts[:2] == ("parameters", parameter):
                return variant.name, change.value_span
    return None


__all__ = ["check_goals"]
