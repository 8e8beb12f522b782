"""Does the set-up ask a state before the step that sets it?

In: rules, and the composition they were built from. Out: warnings about conditions of the set-up that cannot hold while
the states that they ask are what they are at the start, where a later step of the set-up is the first to set one of
them. What depends on parameters is left out: a variant may change them. Under variants only what a variant wrote.
"""

from __future__ import annotations

from itertools import product

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.names_touched import NO_NAMES, NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import Expr
from rulewright.model.effects import Step
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import FALSE, Scalars, ValueRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


def check_setup_order(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    steps, names, parameters = rules.blocks[rules.setup].steps, NamesTouched(rules), ParameterReads(rules)
    of_start: ExpressionRanges | None = None
    written = NO_NAMES
    for index, step in enumerate(steps):
        for key, condition in _conditions(step):
            asked = names.read(condition)
            if not asked or asked & written or not asked <= rules.states.keys() or parameters.are_in(condition):
                continue
            later = next((one for one in steps[index + 1 :] if asked & names.written(one)), None)
            if later is None or any(parameters.are_in(rules.states[name].initial_value) for name in asked):
                continue
            of_start = of_start or _at_start(rules)
            env: dict[int, ValueRange] = {}
            if step.for_each is not None:
                env[step.for_each.slot] = of_start.elements(step.for_each.over, {}, of_start.seats).elements
            if of_start.scalars(condition, env, of_start.seats) == FALSE:
                _report(step, key, condition, later, composition, diagnostics)
        written |= names.written(step)


def _conditions(step: Step) -> list[tuple[str, Expr]]:
    each = None if step.for_each is None else step.for_each.condition
    keyed = (("for_each", each), ("when", step.when), ("while", step.while_condition))
    return [(key, condition) for key, condition in keyed if condition is not None]


def _at_start(rules: Rules) -> ExpressionRanges:
    """What expressions can be while all states are what they are at the start."""
    declared = find_declared_ranges(rules)
    ranges = ExpressionRanges(rules, declared.contents, declared.variables)
    variables: list[ValueRange] = [*declared.variables]
    for state in rules.states.values():
        for number, keys in enumerate(product(*state.key_values), state.first_index):
            env: dict[int, ValueRange] = {slot: Scalars.of((key,)) for slot, key in enumerate(keys)}
            variables[number] = ranges.range_of(state.initial_value, env, ranges.seats)
    return ExpressionRanges(rules, declared.contents, variables)


def _report(
    step: Step, key: str, condition: Expr, later: Step, composition: Composition, diagnostics: Diagnostics
) -> None:
    node = condition_node(composition.document.root, step.address, key)
    span = step.span if node is None else node.span
    text = "this"
    if isinstance(node, ScalarNode):
        text, span = f"`{node.text[slice(*condition.offsets)].strip()}`", node.subspan(*condition.offsets)
    if not composition.is_judged(span):
        return
    diagnostics.add(
        span,
        NEVER_TRUE,
        f"{text} never holds here: `{later.address}` comes only after it",
        label="never holds here",
        help=f"put it behind `{later.address.rpartition('.')[2]}`",
        address=step.address,
        related=[Related(later.span, later.address)],
    )


__all__ = ["check_setup_order"]
