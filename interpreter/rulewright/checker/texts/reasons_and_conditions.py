"""Does a reason say what its condition cannot be about?

In: rules, and the composition they were built from. Out: warnings about clauses whose reason, in a few words of English
or French, says that only one member of a kind can do something, where the condition asks for another; that something is
the player's already, where the condition is the same whoever plays; or that another action comes first, which only
takes further away what the condition asks. Under variants only what a variant wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.common.lint_codes import OTHER_REASON
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.ways_of_change import DOWN, WaysOfChange
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import child_entry, find_entry
from rulewright.expr.tree import Builtin, Compare, Constant, Expr, Local, Not, Quantifier
from rulewright.expr.types import SEAT, Member
from rulewright.expr.walk import TURN_WORDS
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode

Patterns = Mapping[str, re.Pattern[str]]
ONLY: Final = {
    "en": lazy_pattern(r"(?i)^only (?:an? |the )?(\w+)"),
    "fr": lazy_pattern(r"(?i)^(?:seul(?:e|s|es)? (?:un |une |les? |la |des )?|il n'y a que les )(\w+)"),
}
YOURS: Final = {
    "en": lazy_pattern(r"(?i)\b(?:(?:is|are) already yours|(?:is|are) yours already|yours already)\b"),
    "fr": lazy_pattern(r"(?i)\b(?:est|sont) déjà (?:à vous|à toi|la vôtre|le vôtre|les vôtres)\b"),
}
FIRST: Final = {
    "en": lazy_pattern(r"(?i)\b(\w+) first\b|\bfirst (?!player)(\w+)\b"),
    "fr": lazy_pattern(r"(?i)\b(\w+) d'abord\b|\bd'abord (\w+)\b"),
}
MIN_STEM: Final = 3  # letters of a word that say which is meant


def check_reasons_and_conditions(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    judged = judged_in(rules, composition).actions
    sentences = sentences_of("actions", composition) if judged else ()
    reasons = {".".join(sentence.parts): dict(sentence.texts) for sentence in sentences}
    for action in judged:
        for clause in action.clauses:
            texts = reasons.get(f"{clause.address}.why", {})
            if not texts:
                continue
            found = next(_contradictions(action, clause, texts, rules), None)
            if found is not None:
                _report(clause, *found, composition, diagnostics)


def _contradictions(
    action: ActionDef, clause: Clause, texts: Mapping[str, ScalarNode], rules: Rules
) -> Iterator[tuple[str, str, str]]:
    """What is said, on a label, and what may help."""
    asked, only = _member_asked(clause.condition, rules), next(_words(ONLY, texts), None)
    if asked is not None and only is not None:
        kind, member = asked
        named = [other for other in rules.kinds[kind].members if _is_called(only, other)]
        if len(named) == 1 and named[0] != member:
            message = f"the reason says that only `{only}` can, and this asks for `{member}`"
            yield message, f"asks for `{member}`", f"did you mean `{named[0]}`?"
    yours = next(_matches(YOURS, texts), None)
    if yours is not None and rules.players > 1 and not _asks_who(clause.condition, rules):
        message = f"the reason says `{yours[0]}`, and this is the same whoever plays"
        yield message, "does not ask who plays", "ask about `me`"
    for word in _words(FIRST, texts):
        other = next((one for one in rules.actions if one is not action and _is_called(word, one.name)), None)
        if other is not None and _goes_away(clause, other, rules):
            message = f"the reason says that `{other.name}` comes first, after which this holds even less"
            yield message, f"never holds by `{other.name}`", "is this condition the wrong way round?"


def _report(
    clause: Clause, message: str, label: str, hint: str, composition: Composition, diagnostics: Diagnostics
) -> None:
    entry = find_entry(composition.document.root, clause.address)
    node = None if entry is None else (child_entry(entry.value, "is") or entry).value
    span = clause.span if node is None else node.span
    if composition.is_judged(span):
        diagnostics.add(span, OTHER_REASON, message, label=label, help=hint, address=clause.address)


# ---- words --------------------------------------------------------------------------------------------------------


def _matches(patterns: Patterns, texts: Mapping[str, ScalarNode]) -> Iterator[re.Match[str]]:
    """Where sentences say something, in the languages of which the words are known."""
    for language, node in texts.items():
        if language in patterns:
            yield from patterns[language].finditer(node.text)


def _words(patterns: Patterns, texts: Mapping[str, ScalarNode]) -> Iterator[str]:
    """The words that stand there."""
    for match in _matches(patterns, texts):
        yield from (word.lower() for word in match.groups() if word is not None)


def _is_called(word: str, name: str) -> bool:
    """Whether a word is a name, or a form of it: more than one, or done by somebody."""
    first = name.partition("_")[0].lower()
    stem = first[:-1] if len(first) > MIN_STEM else first
    return len(first) >= MIN_STEM and word.startswith(stem) and len(word) <= len(first) + MIN_STEM


# ---- conditions ---------------------------------------------------------------------------------------------------


def _member_asked(condition: Expr, rules: Rules) -> tuple[str, str] | None:
    """The kind and the only member that a condition asks for; None where it asks for none, or for all but one."""
    parts = [*all_parts(rules.values, [condition])]
    if any(isinstance(part, Not) or (isinstance(part, Quantifier) and part.quantifier == "no") for part in parts):
        return None
    compares = [part for part in parts if isinstance(part, Compare)]
    asked = [
        (compare, side)
        for compare in compares
        for side in (compare.left, compare.right)
        if isinstance(side, Constant) and isinstance(side.type, Member) and side.type != SEAT
    ]
    if len(asked) != 1 or asked[0][0].op != "is":
        return None
    constant = asked[0][1]
    assert isinstance(constant.type, Member)
    kind = rules.kinds[constant.type.kind]
    if kind.is_numeric or constant.value not in kind.member_values:
        return None
    return kind.name, kind.members[kind.member_values.index(constant.value)]


def _asks_who(condition: Expr, rules: Rules) -> bool:
    """Whether a condition depends on who plays, or on something chosen."""
    parts = all_parts(rules.values, [condition])
    return any(isinstance(part, Local) or (isinstance(part, Builtin) and part.name in TURN_WORDS) for part in parts)


def _goes_away(clause: Clause, other: ActionDef, rules: Rules) -> bool:
    """Whether another action only takes further away what a clause asks."""
    steps = [*steps_within(other.block, rules.blocks, with_procedures=True)]
    return WaysOfChange(rules, steps, of_one_player=True).of(clause.condition) == DOWN


__all__ = ["check_reasons_and_conditions"]
