"""Does a clause of the game never hold because of the number that a variant gives a parameter?

In: rules with variants, and the composition they were built from. Out: warnings at what sets the parameter, about
clauses of actions that count pieces or things and can hold without the variants, and about conditions of steps that
read a parameter which the variant prints in what it says of itself. Such a clause reads that parameter; or it reads
another, and that one is all that is changed, so that there is too little of something now. A clause that always holds
and a step that is never needed may be meant: so a limit is lifted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.counts_check import counts_something, describe_counted, ranges_with_parameters
from rulewright.checker.logic.rule_conditions import RuleCondition, rule_conditions
from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.diagnostics import Diagnostic, Diagnostics, Related
from rulewright.engine.faults import RuleFault
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import Compare, Expr, ReadParameter
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Finish
from rulewright.model.facts.value_ranges import FALSE
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules

PARAMETERS: Final = "parameters"
PARTS: Final = 2  # of the address of a parameter as a whole


def check_changed_parameters(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them, unless they never hold without the variants either."""
    changes = {
        change.parts[1]: (variant, change)
        for variant in composition.chosen_variants
        for change in variant.changes
        if change.parts[0] == PARAMETERS and len(change.parts) > 1
    }
    found = {
        (condition.address, part.offsets): (condition, part, name, hint)
        for condition, part, name, hint in _never_holding_parts(rules, composition, changes.keys())
    }
    base = base_rules(composition) if found else None
    if base is None:
        return
    files = composition.variant_files
    known = {
        (condition.address, part.offsets)
        for condition, part, *_ in _never_holding_parts(base, composition, changes.keys())
    }
    for key, (condition, part, name, hint) in found.items():
        if key in known or condition.span.source.path in files:
            continue
        variant, change = changes[name]
        text = condition.text[slice(*part.offsets)].strip()
        diagnostics.add(
            change.value_span,
            NEVER_TRUE,
            f"with variant `{variant.name}`: `{text or name}` of `{condition.address}` never holds",
            label="never holds with this",
            help=hint,
            address=change.address,
            related=[Related(condition.span, condition.address)],
        )


def without_lifted_limits(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> Diagnostics:
    """The same, but for steps that are never needed, or always, because of the number that a variant gives a parameter.
    An end of the game that never comes is told all the same.
    """
    set_at = {
        (span.source.path, span.start)
        for variant in composition.chosen_variants
        for change in variant.changes
        for span in (change.span, change.value_span)
        if change.parts[0] == PARAMETERS
    }
    steps = (step for block in rules.blocks for step in block.steps)
    needless = {step.address for step in steps if not isinstance(step.effect, Finish)}

    def kept(one: Diagnostic) -> Diagnostic | None:
        is_lifted = one.code in (NEVER_TRUE, ALWAYS_TRUE) and (one.span.source.path, one.span.start) in set_at
        return None if is_lifted and one.address in needless else one

    if not set_at:
        return diagnostics
    result = Diagnostics()
    result.merge(diagnostics, kept)
    return result


def _never_holding_parts(
    rules: Rules, composition: Composition, names: Collection[str]
) -> Iterator[tuple[RuleCondition, Compare, str, str]]:
    """The comparisons that read one of some parameters and never hold, with its name, and with what is counted."""
    every = ParameterReads(rules)
    only = next(iter(names)) if len(names) == 1 else ""
    clauses = {clause.address for action in rules.actions for clause in action.clauses}
    printed = _printed_parameters(composition)
    asked = [
        (condition, part, name)
        for condition in (rule_conditions(rules, composition) if names else ())
        for part in iter_exprs(condition.expr)
        if (condition.address in clauses or _parameter(part, printed))
        and isinstance(part, Compare)
        and (name := _parameter(part, names) or (only if every.are_in(part) else ""))
        and counts_something(part, every)
    ]
    if not asked:
        return
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return  # reported by the set-up
    for condition, part, name in asked:
        if ranges.scalars(part, {}, ranges.seats) == FALSE:
            yield condition, part, name, describe_counted(ranges, part)


def _printed_parameters(composition: Composition) -> frozenset[str]:
    """The parameters that variants set and print in what they say of themselves: these are meant to be met."""
    return frozenset(
        change.parts[1]
        for variant in composition.chosen_variants
        for change in variant.changes
        if change.parts[0] == PARAMETERS
        and len(change.parts) == PARTS
        and variant.text is not None
        and any(f"{{{change.parts[1]}}}" in text.text for _, text in sentence_texts(variant.text))
    )


def _parameter(expr: Expr, names: Collection[str]) -> str:
    """The first of some parameters that an expression reads."""
    read = (part.name for part in iter_exprs(expr) if isinstance(part, ReadParameter))
    return next((name for name in read if name in names), "")


__all__ = ["check_changed_parameters", "without_lifted_limits"]
