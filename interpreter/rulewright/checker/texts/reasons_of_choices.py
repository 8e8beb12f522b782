"""Does a choice show in its reason what it is to be compared with, and compare it with nothing?

In: rules, and the composition they were built from. Out: warnings about choices of a number that takes the place of a
state, where the reason shows this state, and neither what can be chosen nor any clause asks about it: an offer that is
to be higher than the last one can be lower. Under variants only what a variant wrote.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.common.lint_codes import OTHER_REASON
from rulewright.checker.common.names_touched import NO_NAMES, NamesTouched
from rulewright.checker.common.rules_read import offer_clauses, steps_within
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Local
from rulewright.expr.types import Number
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.effects import SetState
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import choice_exprs

SHOWN: Final = lazy_pattern(r"\{([a-z]\w*)[}(]")


def check_reasons_of_choices(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    judged = judged_in(rules, composition).actions
    if not judged:
        return
    reasons = {".".join(sentence.parts): dict(sentence.texts) for sentence in sentences_of("actions", composition)}
    names, offered = NamesTouched(rules), offer_clauses(rules.blocks)
    for action in judged:
        for slot, choice in enumerate(action.choices):
            texts = reasons.get(f"{choice.address}.why", {})
            shown = {name for text in texts.values() for name in SHOWN.findall(text.text)}
            replaced = _replaced_by(action, slot, rules) & shown if shown else NO_NAMES
            if not replaced:
                continue
            asked = [clause.condition for clause in (*action.clauses, *offered.get(action.index, ()))]
            asked += [expr for each in action.choices for expr in choice_exprs(each)]
            unasked = sorted(replaced.difference(*map(names.read, asked)))
            node = condition_node(composition.document.root, choice.address, "one_of")
            span = choice.span if node is None else node.span
            if unasked and composition.is_judged(span):
                message = f"the reason shows `{unasked[0]}`, which `{choice.name}` replaces, and nothing compares them"
                hint = f"begin with `{unasked[0]} + 1`, or ask in a clause how they compare"
                diagnostics.add(
                    span, OTHER_REASON, message, label="whatever was before", help=hint, address=choice.address
                )


def _replaced_by(action: ActionDef, slot: int, rules: Rules) -> frozenset[str]:
    """The states that hold a number, and that an action sets to what was chosen."""
    return frozenset(
        step.effect.target.name
        for step in steps_within(action.block, rules.blocks)
        if isinstance(step.effect, SetState)
        and isinstance(step.effect.to, Local)
        and step.effect.to.slot == slot
        and isinstance(rules.states[step.effect.target.name].type, Number)
    )


__all__ = ["check_reasons_of_choices"]
