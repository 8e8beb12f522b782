"""Does a loop ask again and again what nothing in it can change?

In: rules, and the composition they were built from. Out: warnings about a `while` that reads none of what the steps of
its loop write: it is asked each time, and the answer is that of the first time; and about steps that are repeated 0
times, if that is written out, or reckoned: a parameter may be 0 now and something else in a variant.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.adjustable_numbers import can_be_adjusted
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import NEVER_REACHED
from rulewright.checker.common.names_touched import POSSIBLE, NamesTouched
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.shared_phrases import LOOP_GOES_ON
from rulewright.diagnostics import Diagnostics, Span
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import Builtin, Constant, Expr
from rulewright.expr.types import Number
from rulewright.expr.walk import free_variables
from rulewright.model.effects import Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

CONSTANT: Final = (ALWAYS_TRUE, NEVER_TRUE)


def check_loops(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    names: NamesTouched | None = None  # until it is needed
    for step in (step for block in rules.blocks for step in block.steps):
        if step.times is not None and _is_always_zero(step.times, rules):
            span = _written_at(composition, step, "times")
            if composition.is_judged(span):
                message = "a step that is repeated 0 times is never carried out"
                if not isinstance(step.times, Constant):
                    message = f"`{span.text}` is 0, as the parameters are set, so this is never carried out"
                diagnostics.add(span, NEVER_REACHED, message, label="never carried out", address=step.address)
        asked = step.while_condition
        if asked is None:
            continue
        names = names or NamesTouched(rules)
        own = {step.for_each.slot} if step.for_each is not None else set()
        read = names.read(asked)
        if POSSIBLE in read or own & free_variables(asked) or read & names.written(step):
            continue
        span = _written_at(composition, step, "while")
        constant = [one.span for one in diagnostics if one.code in CONSTANT]
        is_constant = any(one.contains(span) or span.contains(one) for one in constant)
        if not is_constant and composition.is_judged(span):
            message = f"{LOOP_GOES_ON}, so it never ends the loop"
            hint = "ask for what its steps change, or write `when` if it is to be asked once"
            diagnostics.add(span, ALWAYS_TRUE, message, label="stays as it is", help=hint, address=step.address)


def _is_always_zero(times: Expr, rules: Rules) -> bool:
    """Whether something is repeated 0 times, as it is written or as it is reckoned from parameters of which none is 0,
    however many play.
    """
    if isinstance(times, Constant):
        return times.value == 0
    if not isinstance(times.type, Number) or times.type.high > 0 or can_be_adjusted(rules, times):
        return False
    return not any(isinstance(part, Builtin) for part in all_parts(rules.values, [times]))


def _written_at(composition: Composition, step: Step, key: str) -> Span:
    node = condition_node(composition.document.root, step.address, key)
    return step.span if node is None else node.span


__all__ = ["check_loops"]
