"""Does a variant say less of itself where it sets more, or another number of players than it is for?

In: a variant and its game. Out: warnings at what it adjusts or sets and at its `players`. Nothing is said of a variant
with several changes unless all go the same way. Found by a few words, English and French.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER, OTHER_WAY
from rulewright.checker.texts.numbers_in_sentences import PARAMETERS, own_numbers, sentence_texts
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Node, ScalarNode
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant

NUMBERS: Final = {
    "en": ("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "fr": ("un", "une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
}
_COUNTED: Final = {language: rf"\b(?P<number>{'|'.join(words)}|an|\d+)\b" for language, words in NUMBERS.items()}
_BY: Final = rf"by (?P<amount>{'|'.join(NUMBERS['en'])}|\d+)\b"
LESS: Final = {  # one card less, two cards fewer
    "en": lazy_pattern(
        rf"{_COUNTED['en']}(?: [a-z-]+){{0,3}} (?:fewer|less|lower|smaller|shorter)\b(?! than \w+ (?:or|and)\b)"
        rf"|\b(?:lower(?:ed)?|smaller|shorter|reduced|falls?|drops?) {_BY}"
    ),
    "fr": lazy_pattern(rf"{_COUNTED['fr']}(?: [\w'-]+){{0,4}} (?:de|en) moins\b"),
}
MORE: Final = {
    "en": lazy_pattern(
        rf"{_COUNTED['en']}(?: [a-z-]+){{0,3}} (?:more|higher|larger|longer|bigger)\b(?! than \w+ (?:or|and)\b)"
        rf"|\b(?:higher|raised|larger|longer|bigger|increased|rises?) {_BY}"
        r"|\b(?P<again>an?|one|two|three) (?:additional|extra)\b"
    ),
    "fr": lazy_pattern(rf"{_COUNTED['fr']}(?: [\w'-]+){{0,4}} (?:(?:de|en) plus|supplémentaires?)\b"),
}
FOR_PLAYERS: Final = {
    "en": lazy_pattern(r"\b(?:with|for|at|of|among|between) (?:only )?(\w+) players\b|^(?:only )?(\w+) players\b"),
    "fr": lazy_pattern(r"\b(?:à|pour|avec) (\w+) joueurs\b|^à (\w+)(?= seulement|,)"),
}
EXCLUDED: Final = lazy_pattern(
    r"\b(?:not|no|never|nobody|unlike|instead|than|too|or|usual\w*|otherwise"
    r"|ne|pas|ou|trop|sauf|que|sinon|au lieu)\b|n'"
)


def check_directions_of_variant(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports numbers that go up where the text says less, or down where it says more."""
    changes = [change for change in variant.changes if not change.is_of_words]
    found = [] if document is None else [_difference(change, document) for change in changes]
    differences = [each for each in found if each is not None]
    if variant.text is None or len(differences) != len(changes) or len({each > 0 for each in differences}) != 1:
        return
    wrong, right = (LESS, MORE) if differences[0] > 0 else (MORE, LESS)
    for language, node in sentence_texts(variant.text):
        text = node.text.lower()
        if language not in wrong or right[language].search(text):
            continue
        for match in wrong[language].finditer(text):
            number = _number(next(word for word in match.groups() if word is not None), language)
            at = next((at for at, each in enumerate(differences) if abs(each) == number), None)
            if at is not None:
                _report(changes[at], differences[at], match[0], diagnostics)
                return


def _report(change: Change, difference: int, says: str, diagnostics: Diagnostics) -> None:
    does = f"{abs(difference)} {'more' if difference > 0 else 'less'}"
    hint = "change the number, or the text of the variant"
    if change.operation == "adjust":
        hint = f"write `{-difference}`, or another text"
    message = f"the variant says `{says}` of itself, and this makes it {does}"
    diagnostics.add(change.span, OTHER_WAY, message, label="the other way round", help=hint, address=change.address)


def _difference(change: Change, document: Document) -> int | None:
    """How much a change adds to a parameter that is a number."""
    payload = change.payload
    if change.parts[0] != PARAMETERS or len(change.parts) not in (2, 3) or change.operation not in ("adjust", "set"):
        return None
    number = _whole_number(payload)
    if number is None or (change.parts[2:] and change.parts[2] != "value"):
        return None
    if change.operation == "adjust":
        return number or None
    before = own_numbers(document, change.parts[1])
    return number - before.pop() or None if len(before) == 1 else None


def _whole_number(node: Node | None) -> int | None:
    """The number that a value is written as; None for anything else."""
    text = node.text.strip() if isinstance(node, ScalarNode) else ""
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else None


def _number(word: str, language: str) -> int | None:
    """The number that a word of a sentence is."""
    if word.isdecimal():
        return int(word[:9])
    singles = ("a", "an", "one", "un", "une")
    words = NUMBERS[language][1:]
    if word in singles:
        return 1
    return words.index(word) + 1 if word in words else None


def check_players_of_variant(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports a variant for other numbers of players than those that its text names."""
    if variant.text is None or variant.players is None or variant.kind != "variant":
        return
    fewest, most = variant.players
    for language, node in sentence_texts(variant.text):
        text = node.text.lower()
        if language not in FOR_PLAYERS or EXCLUDED.search(text):
            continue
        found = [word for groups in FOR_PLAYERS[language].findall(text) for word in groups if word]
        numbers = [number for word in found if (number := _number(word, language)) is not None]
        if numbers and not any(fewest <= number <= most for number in numbers):
            for_whom = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            message = f"the variant says {numbers[0]} players of itself, and is for {for_whom}"
            hint = f"write `players: {numbers[0]}`, or another text"
            span = variant.head_span("players")
            diagnostics.add(span, OTHER_NUMBER, message, label="another number", help=hint, address="players")
            return


__all__ = ["check_directions_of_variant", "check_players_of_variant"]
