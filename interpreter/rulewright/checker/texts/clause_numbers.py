"""Does the reason of a clause say another number than the clause asks for?

In: rules, and the composition they were built from. Out: warnings at sentences of clauses. Nothing is said unless the
condition compares with a single number, written there or by a parameter, and the sentence says a single number, which
is neither that one nor beside it ("more than 4" says of `>= 5` what "at least 5" does, and "more than 5" does not), nor
stands elsewhere in the action, nor is how many members a kind has. A reason that says how much a full place holds means
just what is asked. Of what is compared with 1 that is too little to go
by: there the sentence has to draw a line, too ("at least two", "two already").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.numbers_in_sentences import (
    SMALLEST,
    Sentence,
    boundary_in_words,
    listed_as_true,
    number_span,
    number_to_write,
    numbers_beside,
    numbers_in_text,
    numbers_of_steps_on,
    words_of_rule,
)
from rulewright.checker.texts.sentence_languages import judged_sentences
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import find_entry
from rulewright.document.sentence_places import HOLE, sentence_address
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import Node, ScalarNode
from rulewright.suggestions import is_number

COMPARED: Final = lazy_pattern(r"([<>]=?)\s*(\w+)\s*(?=$|\)|and\b|or\b)")  # and the number behind it
PLAIN: Final = lazy_pattern(r"(?:count\(\w+(?:\([\w, ]*\))?\)|\w+(?:\([\w, ]*\))?)\s*[<>]=?\s*\w+")  # and nothing else
ANY_WORDS: Final = lazy_pattern(r"\bnot\b|\bno\b|\bis\b|[-+*/%]")  # by which a number can mean another
HOLDS: Final = lazy_pattern(r"(?i)\b(?:full|holds|room for|pleine?s?|contient|place pour)\b")  # no more, being full
REASON: Final = "why"
CLAUSE_DEPTH: Final = 5  # names in `actions.NAME.when.CLAUSE.why`


def check_clause_numbers(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    now = {name: parameter.value for name, parameter in rules.parameters.items() if type(parameter.value) is int}
    files = {entry.value.span.source.path for variant in composition.applied_variants for entry in variant.root}
    accepted = {address for variant in composition.chosen_variants for address in listed_as_true(variant)}
    sizes = {len(kind.members) for kind in rules.kinds.values()} | {rules.players}
    root = composition.document.root
    for sentence in judged_sentences("actions", composition):
        if len(sentence.parts) != CLAUSE_DEPTH or sentence.parts[2] != "when":
            continue
        if not sentence.numbers or sentence_address(sentence.parts) in accepted:
            continue
        asked = _asked(sentence, now)
        whole = find_entry(root, ".".join(sentence.parts[:2]))
        if asked is None or whole is None:
            continue
        elsewhere = (_numbers(whole.value, now) | numbers_of_steps_on(whole.value)) - {asked}
        known = {asked, *_beside(sentence, asked, now)} | elsewhere | sizes
        boundary, sign = _boundary(sentence, asked, now), _sign(sentence, asked, now)
        is_most = sign is not None and sign.startswith("<")
        for language, text in sentence.texts:
            in_text = {number for number in numbers_in_text(language, text) if number >= SMALLEST}
            is_asked = not composition.chosen_variants or text.span.source.path in files
            if not is_asked or len(in_text) != 1 or asked in numbers_beside(language, text) or _has_name(text, now):
                continue  # `< 4` and "no more than four" agree where the action itself adds one
            meant = None if boundary is None else boundary_in_words(language, text, min(in_text), is_most=is_most)
            if asked < SMALLEST and (meant is None or not _is_plain(sentence)):
                continue
            is_capacity = sign == "<" and sentence.parts[-1] == REASON and HOLDS.search(text.text) is not None
            if meant is None and is_capacity:
                fitting = {asked} | elsewhere | sizes
            else:
                fitting = known if meant is None or meant == boundary else elsewhere
            if in_text.isdisjoint(fitting):
                diagnostics.add(
                    number_span(language, text, min(in_text)),
                    OTHER_NUMBER,
                    f"this says {min(in_text)}, but its condition asks for {asked}",
                    label=f"its condition asks for {asked}",
                    help=number_to_write([asked], _condition_words(sentence), now),
                    address=".".join(sentence.parts[:4]),
                )
                break


def _asked(sentence: Sentence, now: Mapping[str, int]) -> int | None:
    """The one number of a condition, 1 or more; None where there are several or none."""
    condition = sentence.node.get("is")
    numbers = [] if condition is None else [*_numbers(condition, now)]
    return numbers[0] if len(numbers) == 1 and numbers[0] >= 1 else None


def _boundary(sentence: Sentence, asked: int, now: Mapping[str, int]) -> int | None:
    """Between which two numbers the condition draws a line, as their sum; None where it compares otherwise."""
    sign = _sign(sentence, asked, now)
    return None if sign is None else 2 * asked + (-1 if sign in (">=", "<") else 1)


def _beside(sentence: Sentence, asked: int, now: Mapping[str, int]) -> set[int]:
    """What a sentence may say instead of the number: of `>= 5` and `< 5` also 4, of `> 5` and `<= 5` also 6."""
    sign = _sign(sentence, asked, now)
    if sign is None:
        return {asked - 1, asked + 1}
    return {asked - 1} if sign in (">=", "<") else {asked + 1}


def _sign(sentence: Sentence, asked: int, now: Mapping[str, int]) -> str | None:
    """The sign by which the condition compares with the number; None where it may mean another one."""
    condition = sentence.node.get("is")
    text = condition.text if isinstance(condition, ScalarNode) else ""
    compared = [match for match in COMPARED.finditer(text) if now.get(match[2], match[2]) in (asked, str(asked))]
    return None if len(compared) != 1 or ANY_WORDS.search(text) else compared[0][1]


def _condition_words(sentence: Sentence) -> set[str]:
    condition = sentence.node.get("is")
    return set() if condition is None else set(words_of_rule(condition))


def _is_plain(sentence: Sentence) -> bool:
    """Whether a condition only compares a number that has a name, or how much is in a place."""
    condition = sentence.node.get("is")
    return isinstance(condition, ScalarNode) and PLAIN.fullmatch(condition.text) is not None


def _numbers(node: Node, now: Mapping[str, int]) -> set[int]:
    """The numbers that a rule is written with, and those of the parameters that it names."""
    words = words_of_rule(node)
    named = {value for word in words if type(value := now.get(word)) is int}
    return named | {int(word) for word in words if is_number(word)}


def _has_name(text: ScalarNode, now: Mapping[str, int]) -> bool:
    """Whether a hole of a sentence prints a parameter."""
    return any(name in hole for hole in HOLE.findall(text.text) for name in now)


__all__ = ["check_clause_numbers"]
