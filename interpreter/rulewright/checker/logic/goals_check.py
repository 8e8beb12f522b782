"""Is the number that ends the game within reach, with the parameters as they are?

In: rules, and the composition they were built from. Out: a warning about a step that ends the game where something that
is counted is to reach a parameter and never can: all that there is together comes to less. Under variants it is at what
sets the parameter. Other conditions with parameters may be meant never to hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.causes.failure_consequences import MORE_PLACES
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import ALWAYS_EMPTY
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.checker.logic.empty_zones import empty_at_the_start
from rulewright.checker.logic.rule_conditions import RuleCondition, as_condition, report_constant
from rulewright.diagnostics import Cause, Diagnostics, Related, Span
from rulewright.document.address import find_entry
from rulewright.engine.faults import RuleFault
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import (
    Call,
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
from rulewright.expr.types import Flag, Number
from rulewright.expr.walk import find_position_read, iter_exprs
from rulewright.model.effects import Finish, SetState, Step
from rulewright.model.facts.value_ranges import FALSE
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import filled_zones
from rulewright.source.nodes import ScalarNode

REACHED: Final = {">": (">=", ">", "is"), "<": ("<=", "<", "is")}  # comparisons with what something is to come to


def check_goals(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports ends of the game that ask for more than there is."""
    parts = [
        (condition, part, is_part_needed)
        for block in rules.blocks
        for step in block.steps
        if isinstance(step.effect, Finish) and step.when is not None
        for condition, is_needed in _with_values(_of_step(step, composition), True, rules, composition)
        for part, is_part_needed in _parts(condition.expr, is_needed)
    ]
    asked = [
        (condition, compare, goal, counted)
        for condition, compare, is_needed in parts
        if isinstance(compare, Compare)
        for goal, counted in _goals(rules, compare)
        if is_needed or not (_is_lifted(rules, goal) or _can_run_over(rules, counted))
    ]
    filled = [(condition, part) for condition, part, is_needed in parts if is_needed and isinstance(part, Quantifier)]
    if not asked and not filled:
        return
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return  # reported by the set-up
    for condition, part in filled:
        if ranges.scalars(part, {}, ranges.seats) == FALSE and composition.is_judged(condition.span):
            report_constant(condition, part, False, MORE_PLACES, diagnostics)
    for condition, compare, goal, counted in asked:
        if ranges.scalars(compare, {}, ranges.seats) == FALSE:
            known, is_to_fall = ranges.scalars(counted, {}, ranges.seats), _is_to_fall(compare, counted)
            empty = _empty_zone(rules, counted) if known.high == 0 and not composition.chosen_variants else None
            if empty is not None:
                _report_empty(empty, condition, composition, diagnostics)
            else:
                hint = f"it is never less than {known.low}" if is_to_fall else f"it is never more than {known.high}"
                _report(condition, compare, goal, hint, composition, diagnostics)


def _empty_zone(rules: Rules, counted: Expr) -> ZoneDef | None:
    """The only zone that is counted, if it begins empty and nothing ever comes to it."""
    names = {part.name for part in all_parts(rules.values, [counted]) if isinstance(part, ReadZone)}
    if len(names) != 1:
        return None
    zone = rules.zones[names.pop()]
    filled = filled_zones(step for block in rules.blocks for step in block.steps)
    is_empty = zone.name in empty_at_the_start(rules) and zone.name not in filled and zone.refill is None
    return zone if is_empty else None


def _report_empty(zone: ZoneDef, condition: RuleCondition, composition: Composition, diagnostics: Diagnostics) -> None:
    entry = find_entry(composition.document.root, zone.address)
    diagnostics.add(
        condition.span if entry is None else entry.key.span,
        ALWAYS_EMPTY,
        f"`{zone.name}` begins empty, and nothing ever comes to it",
        label="always empty",
        help=f"move something to `{zone.name}`: what ends the game counts it",
        address=zone.address,
        related=[Related(condition.span, "never holds")],
        cause=Cause("nothing there", zone.name),
    )


def _of_step(step: Step, composition: Composition) -> RuleCondition:
    assert step.when is not None
    return as_condition(step.when, condition_node(composition.document.root, step.address), step.span, step.address)


def _with_values(
    condition: RuleCondition, is_needed: bool, rules: Rules, composition: Composition
) -> Iterator[tuple[RuleCondition, bool]]:
    """A condition, and those of the values that it asks, each with whether the whole cannot hold without it."""
    yield condition, is_needed
    for part, is_part_needed in _parts(condition.expr, is_needed):
        if not isinstance(part, ReadValue) or not isinstance(part.type, Flag):
            continue
        node = condition_node(composition.document.root, "values", part.name)
        if isinstance(node, ScalarNode):
            ((_, term),) = rules.values[part.name].terms
            inner = RuleCondition(term, node, node.span, f"values.{part.name}")
            yield from _with_values(inner, is_part_needed, rules, composition)


def _parts(condition: Expr, is_needed: bool) -> Iterator[tuple[Expr, bool]]:
    """What has to hold, or can, so that a condition does, each with whether it cannot hold without."""
    match condition:
        case Logic(op=op, left=left, right=right):
            yield from _parts(left, is_needed and op == "and")
            yield from _parts(right, is_needed and op == "and")
        case Quantifier(quantifier="some", condition=inner):
            yield from _parts(inner, is_needed)
        case _:
            yield condition, is_needed


def _is_lifted(rules: Rules, goal: str) -> bool:
    """Whether a parameter is as high as it can be: so one of several ends is left out."""
    parameter = rules.parameters[goal]
    return isinstance(parameter.type, Number) and parameter.value == parameter.type.high


def _goals(rules: Rules, compare: Compare) -> Iterator[tuple[str, Expr]]:
    """The parameter that something is to reach, or a multiple of it, and what; nothing for other comparisons."""
    numbers = ParameterReads(rules, only_numbers=True)
    for goal, counted, ops in (
        (compare.right, compare.left, (*REACHED[">"], *(REACHED["<"] if _counts_pieces(compare.left) else ()))),
        (compare.left, compare.right, (*REACHED["<"], *(REACHED[">"] if _counts_pieces(compare.right) else ()))),
    ):
        read = next((part for part in iter_exprs(goal) if isinstance(part, ReadParameter) and not part.keys), None)
        if read is None or find_position_read(goal) is not None or compare.op not in ops:
            continue
        is_number = isinstance(counted.type, Number) and isinstance(goal.type, Number)
        counts = any(isinstance(part, ReadZone | FieldTotal | ReadValue | ReadState) for part in iter_exprs(counted))
        if is_number and counts and not numbers.are_in(counted):
            yield read.name, counted


def _is_to_fall(compare: Compare, counted: Expr) -> bool:
    """Whether something is to come down to a parameter."""
    return compare.op in (("<", "<=") if counted is compare.left else (">", ">="))


def _counts_pieces(counted: Expr) -> bool:
    """Whether all that is in a zone is counted, which moves make less."""
    return isinstance(counted, Call) and counted.function == "count" and isinstance(counted.args[0], ReadZone)


def _can_run_over(rules: Rules, counted: Expr) -> bool:
    """Whether a step may set a state that is counted above its type: that is the fault then."""
    read = {part.name for part in iter_exprs(counted) if isinstance(part, ReadState)}
    return any(
        isinstance(step.effect, SetState)
        and step.effect.target.name in read
        and isinstance(step.effect.to.type, Number)
        and isinstance(type_ := rules.states[step.effect.target.name].type, Number)
        and step.effect.to.type.high > type_.high
        for block in rules.blocks
        for step in block.steps
    )


def _report(
    asked: RuleCondition, compare: Compare, goal: str, hint: str, composition: Composition, diagnostics: Diagnostics
) -> None:
    text = asked.text[slice(*compare.offsets)].strip()
    subject = f"`{text}`" if text else "this comparison"
    if composition.is_judged(asked.span):
        span = asked.span_of(compare)
        if any(one.code is NEVER_TRUE and one.span.contains(span) for one in diagnostics):
            return
        diagnostics.add(
            span,
            NEVER_TRUE,
            f"{subject} never holds",
            label="never holds",
            help=hint,
            address=asked.address,
            related=_written(goal, composition),
        )
    elif (setting := _setting(goal, composition)) is not None:
        name, span = setting
        message = f"with variant `{name}`: {subject} of `{asked.address}` never holds"
        related = [Related(asked.span, asked.address)]
        address = f"parameters.{goal}"
        diagnostics.add(span, NEVER_TRUE, message, label="out of reach", help=hint, address=address, related=related)


def _written(parameter: str, composition: Composition) -> list[Related]:
    """Where the number is that is too high or too low."""
    root = composition.document.root
    entry = find_entry(root, f"parameters.{parameter}.value") or find_entry(root, f"parameters.{parameter}")
    if entry is None or not isinstance(entry.value, ScalarNode) or not isinstance(entry.value.value, int):
        return []
    return [Related(entry.value.span, f"`{parameter}` is {entry.value.value}")]


def _setting(parameter: str, composition: Composition) -> tuple[str, Span] | None:
    """The chosen variant that sets a parameter, and where."""
    for variant in reversed(composition.chosen_variants):
        for change in variant.changes:
            if change.parts[:2] == ("parameters", parameter):
                return variant.name, change.value_span
    return None


__all__ = ["check_goals"]
