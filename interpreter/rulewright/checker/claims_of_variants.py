"""Does a variant say of itself what its rules contradict: where a line is, how often something is, what costs points?

In: rules, and the composition they were built from. Out: warnings at conditions and terms that a variant wrote and that
read the parameter which its `text` prints in braces: "{limit} or more" of `> limit`, "every {days} rounds" of
`round_number % days > 0`, "costs {fee} points" of a term that is added to what the ranking takes the most of. Found by
a few words, English and French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_NUMBER, OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.logic.rule_conditions import RuleCondition, judged_conditions, judged_inner_conditions
from rulewright.checker.texts.lines_in_sentences import IN_WORDS, SAYS_WHAT, WORDS
from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import SIDES_SWAPPED, Arithmetic, Compare, Constant, Expr, ReadParameter, ReadValue
from rulewright.expr.walk import iter_exprs
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

NEAREST: Final = {">=": ">", ">": ">="}  # of lines above something: the one beside it
SAYS_WHEN: Final = {  # before the line: for whom or when something is so
    "en": r"\b(?:who|whoever|if|when|once|as soon as|with|which|that)\b[^,.;:]{0,200}$",
    "fr": r"\b(?:qui|quiconque|si|s'il|quand|lorsque|lorsqu'\w+|dès que|dès qu'\w+|avec|où)\b[^,.;:]{0,200}$",
}
EVERY: Final = {  # by language: how it is said of each so many, with the number in braces
    "en": r"\b(?:every|each) \{{{0}\}}(?:st|nd|rd|th)?(?: \w+)?",
    "fr": r"\b(?:tous les|toutes les) \{{{0}\}}(?: \w+)?",
}
COSTS: Final = {
    "en": r"\b(?:costs?|loses?|minus|deducts?|takes? off)(?: \w+){{0,2}} \{{{0}\}}|\bpenalty of \{{{0}\}}",
    "fr": r"\b(?:coûte(?:nt)?|perd(?:ent)?|enlève(?:nt)?|retire(?:nt)?|moins)(?: \w+){{0,2}} \{{{0}\}}",
}
PRINTED: Final = r"\{([a-z_][a-z0-9_]*)\}"
HINT: Final = "change the rule, or its sentence"


def check_claims_of_variants(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    if not composition.chosen_variants:
        return
    conditions = [*judged_conditions(rules, composition), *judged_inner_conditions(rules, composition)]
    for variant in composition.chosen_variants:
        for language, text in sentence_texts(variant.text) if variant.text is not None else ():
            names = dict.fromkeys(name for name in re.findall(PRINTED, text.text) if name in rules.parameters)
            if language in WORDS and any(
                _check_lines(name, language, text.text, conditions, diagnostics)
                or _check_shares(name, language, text.text, conditions, diagnostics)
                or _check_costs(name, language, text.text, rules, composition, diagnostics)
                for name in names
            ):
                break  # what it says in another language is the same


def _check_lines(
    name: str, language: str, text: str, conditions: list[RuleCondition], diagnostics: Diagnostics
) -> bool:
    """A line at a parameter."""
    found = [*_compared(name, conditions)]
    if not found or any(is_clause for *_, is_clause in found):
        return False
    lines = [
        (sign, match)
        for sign, words in WORDS[language].items()
        for match in re.finditer(words, text, re.IGNORECASE)
        if f"{{{name}}}" in match[0]
    ]
    if len(lines) != 1 or lines[0][0] not in NEAREST:
        return False
    ((sign, match),) = lines
    before = re.search(SAYS_WHEN[language], text[: match.start()], re.IGNORECASE)
    if before is None or SAYS_WHAT.search(before[0]):
        return False
    if any(asked != NEAREST[sign] for asked, *_ in found):
        return False
    asked, condition, part, _ = found[0]
    message = f"the variant says `{match[0]}`, and this asks for {IN_WORDS[asked].format(f'`{name}`')}"
    diagnostics.add(
        condition.span_of(part), OTHER_NUMBER, message, label="another line", help=HINT, address=condition.address
    )
    return True


def _compared(name: str, conditions: list[RuleCondition]) -> Iterator[tuple[str, RuleCondition, Compare, bool]]:
    """The comparisons with a parameter, each with its sign and whether it is that of a clause, which asks before
    something is done.
    """
    for condition in conditions:
        for part in iter_exprs(condition.expr):
            if not isinstance(part, Compare) or part.op not in SIDES_SWAPPED:
                continue
            for sign, side, other in (
                (part.op, part.right, part.left),
                (SIDES_SWAPPED[part.op], part.left, part.right),
            ):
                if _is_written(side, name, condition):
                    is_open = ".when." in condition.address or any(
                        isinstance(inner, Arithmetic) for inner in iter_exprs(other)
                    )
                    yield sign, condition, part, is_open


def _check_shares(
    name: str, language: str, text: str, conditions: list[RuleCondition], diagnostics: Diagnostics
) -> bool:
    """Every so many of something."""
    found = [
        (condition, part, is_contrary)
        for condition in conditions
        for part in iter_exprs(condition.expr)
        if isinstance(part, Compare) and (is_contrary := _is_left_over(part, name, condition)) is not None
    ]
    if not found or not all(is_contrary for *_, is_contrary in found):
        return False
    says = re.search(EVERY[language].format(name), text, re.IGNORECASE)
    if says is None:
        return False
    condition, part, _ = found[0]
    message = f"the variant says `{says[0].strip()}`, and this holds for all others"
    hint = "compare with `is 0`, or change the sentence"
    diagnostics.add(
        condition.span_of(part), OTHER_WAY, message, label="the other way round", help=hint, address=condition.address
    )
    return True


def _is_left_over(part: Compare, name: str, condition: RuleCondition) -> bool | None:
    """Whether a comparison asks that something is left over when a number is divided; None where it asks for neither
    that nor the contrary.
    """
    left, right = part.left, part.right
    if not isinstance(left, Arithmetic) or left.op != "%" or not isinstance(right, Constant) or right.value != 0:
        return None
    if not _is_written(left.right, name, condition):
        return None
    return {">": True, "is not": True, "is": False}.get(part.op)


def _is_written(part: Expr, name: str, condition: RuleCondition) -> bool:
    """Whether a part of a condition is written as a parameter, which is a number if it can have no other."""
    return condition.text[slice(*part.offsets)].strip() == name


def _check_costs(
    name: str, language: str, text: str, rules: Rules, composition: Composition, diagnostics: Diagnostics
) -> bool:
    """What takes points away."""
    says = re.search(COSTS[language].format(name), text, re.IGNORECASE)
    if says is None:
        return False
    ranked = [
        part.name
        for one in rules.ranking
        if one.is_maximized
        for part in iter_exprs(one.of)
        if isinstance(part, ReadValue)
    ]
    places = [
        (value, term)
        for value in dict.fromkeys(ranked)
        for term, expr in rules.values[value].terms
        if term != "is" and _adds(expr, name, rules)
    ]
    reads = sum(isinstance(part, ReadParameter) and part.name == name for part in _parts_of_play(rules))
    if len(places) != 1 or reads != 1:
        return False
    value, term = places[0]
    node = condition_node(composition.document.root, f"values.{value}.sum", term)
    if node is None or node.span.source.path not in composition.variant_files:
        return False
    message = f"the variant says `{says[0]}`, and this adds to `{value}`"
    hint = f"write `values.{value}.less.{term}`, or change the sentence"
    diagnostics.add(
        node.span, OTHER_WAY, message, label="the other way round", help=hint, address=f"values.{value}.sum.{term}"
    )
    return True


def _adds(expr: Expr, name: str, rules: Rules) -> bool:
    """Whether a term grows with a parameter."""
    parts = [*all_parts(rules.values, [expr])]
    is_read = any(isinstance(part, ReadParameter) and part.name == name for part in parts)
    return is_read and not any(isinstance(part, Arithmetic) and part.op in ("-", "less") for part in parts)


def _parts_of_play(rules: Rules) -> Iterator[Expr]:
    return (part for expr in exprs_of_play(rules) for part in iter_exprs(expr))


__all__ = ["check_claims_of_variants"]
