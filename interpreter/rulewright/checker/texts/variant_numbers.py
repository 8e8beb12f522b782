"""Does a variant say another number of itself than it sets?

In: a variant and its game. Out: a warning at its `text`. Nothing is said unless the text says a single number, which
stands nowhere in the changes, and these are few, of which one sets a single number: with more of either it cannot be
known which is meant for which. What joins variants may speak of what these set.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.numbers_in_sentences import (
    PARAMETERS,
    SMALLEST,
    number_span,
    numbers_beside,
    numbers_in_text,
    numbers_of_steps_on,
    own_numbers,
    sentence_texts,
    words_of_rule,
)
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document.document import Document
from rulewright.document.language import PROSE_KEYS
from rulewright.document.sentence_places import HOLE
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import spelled_ordinals
from rulewright.source.nodes import MappingNode, ScalarNode, iter_scalars
from rulewright.suggestions import is_number
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant

MAX_CHANGES: Final = 3  # the text of a variant with more may speak of anything
FIRST_YEAR: Final = 1000
OF_BOTS: Final = ("evaluation", "strategies")  # of which no text of a variant speaks
JOINS: Final = "joins"
EACH: Final = lazy_pattern(r"\b(?:each|every|chacune?|chaque)\b", re.IGNORECASE)  # twenty of each are forty
TERM: Final = lazy_pattern(r"[-+*]\s*\d|\d\s*[-+*]")  # a number of a sum or a product is not what it comes to
COMPARISONS: Final = ("<", ">")  # "more than 4" says of `>= 5` what "at least 5" does


@frozen
class _NumberSet:
    """A change that sets a single number: which numbers say so."""

    change: Change
    number: int
    in_words: frozenset[int]


def check_numbers_of_variant(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports a text that contradicts the one number that the variant sets."""
    if variant.text is None or document is None:
        return
    changes = [change for change in variant.changes if not change.is_of_words and change.parts[0] not in OF_BOTS]
    sets = [one for change in changes if (one := _number_set(change, document)) is not None]
    if len(sets) != 1 or len(changes) > MAX_CHANGES or variant.kind == JOINS or _says_it_elsewhere(sets[0], variant):
        return
    nodes = [variant.root.get("players"), *(node for one in changes for node in (one.payload, one.expects))]
    written = {word for node in nodes if node is not None for word in words_of_rule(node)}
    elsewhere = {int(word) for word in written if is_number(word)}
    elsewhere = elsewhere.union(*(numbers_of_steps_on(node) for node in nodes if node is not None))
    elsewhere |= {*Counter(change.key.text for change in changes if change.item is not None).values()}  # so many items
    texts = [*sentence_texts(variant.text)]
    if any(HOLE.search(text.text) for _, text in texts):
        return  # it says what is set
    if any(sets[0].number in numbers_beside(language, text) for language, text in texts):
        return
    stated = [_numbers_stated(language, text) for language, text in texts]
    if any(in_text and in_text != stated[0] for in_text in stated):
        return  # "both cards" and "les deux cartes" count something else
    for (language, text), in_text in zip(texts, stated, strict=True):
        is_share = bool(EACH.search(text.text)) and not any(sets[0].number % number for number in in_text)
        if len(in_text) == 1 and in_text.isdisjoint(elsewhere | sets[0].in_words) and not is_share:
            reckoned = _reckoned(sets[0], document)
            if reckoned is None or min(in_text) not in reckoned:
                span = number_span(language, text, min(in_text))
                _report(min(in_text), sets[0], span, diagnostics, is_reckoned=reckoned is not None)
            return


def _numbers_stated(language: str, text: ScalarNode) -> set[int]:
    """The numbers that a sentence has, or else its ordinals."""
    found = {number for number in numbers_in_text(language, text) if SMALLEST <= number < FIRST_YEAR}
    return found or _ordinals(language, text)


def _says_it_elsewhere(one: _NumberSet, variant: Variant) -> bool:
    """Whether a variant that does more than set a number has a sentence of its own for it."""
    rest = [change for change in variant.changes if change is not one.change and not change.is_of_words]
    place = one.change.parts[:2]  # that of a parameter, or of another rule
    return bool(rest) and any(change.is_of_words and change.parts[:2] == place for change in variant.changes)


def _ordinals(language: str, text: ScalarNode) -> set[int]:
    """The second and later ones that a sentence names."""
    known = spelled_ordinals(language)
    return {known[word] for word in re.findall(r"\w+", text.text.lower()) if word in known}


def _reckoned(untrue: _NumberSet, document: Document) -> set[int] | None:
    """What rules come to that add a number to the parameter that is set, or take it off; None where none does."""
    if untrue.change.parts[0] != PARAMETERS:
        return None
    name = re.escape(untrue.change.parts[1])
    sums = [
        match
        for scalar in iter_scalars(document.root, PROSE_KEYS)
        for match in re.finditer(rf"\b{name} *([-+]|less) *(\d+)\b", scalar.text)
    ]
    added = {int(match[2]) if match[1] == "+" else -int(match[2]) for match in sums}
    return {untrue.number + number for number in added} if sums else None


def _report(number: int, untrue: _NumberSet, span: Span, diagnostics: Diagnostics, *, is_reckoned: bool) -> None:
    change = untrue.change
    name = change.parts[1] if change.parts[0] == PARAMETERS else ""
    diagnostics.add(
        span,
        OTHER_NUMBER,
        f"the variant's text says {number}, but it sets `{name or change.address}` to {untrue.number}",
        label=f"`{name or change.address}` is {untrue.number}",
        help="" if not name or is_reckoned else f"write `{{{name}}}` instead of the number",
        address="text",
        related=[Related(change.span, "set here")],
    )


def _number_set(change: Change, document: Document) -> _NumberSet | None:
    """What a change sets, if it is one number, or an expression with a single one; None for anything else."""
    payload = change.payload
    if isinstance(payload, MappingNode):
        payload = payload.get("value") or payload.get("is")
    if not isinstance(payload, ScalarNode):
        return None
    numbers = {int(word) for word in words_of_rule(payload) if is_number(word)}
    if len(numbers) != 1 or (TERM.search(payload.text) and not is_number(payload.text)):
        return None
    (number,) = numbers
    in_words = {number}
    if any(sign in payload.text for sign in COMPARISONS):
        in_words |= {number - 1, number + 1}
    if change.operation == "adjust":
        if change.parts[0] != PARAMETERS:
            return None
        in_words |= {before + number for before in own_numbers(document, change.parts[1])}
        in_words |= {before - number for before in own_numbers(document, change.parts[1])}
    return _NumberSet(change, number, frozenset(in_words)) if number >= SMALLEST else None


__all__ = ["check_numbers_of_variant"]
