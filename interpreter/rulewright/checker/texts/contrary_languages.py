"""Does a sentence say one thing in English, and its contrary in French: winning and losing, the most and the fewest?

In: rules, and the composition they were built from. Out: warnings at the second of two languages. Nothing is said
unless each of them has just one of two contrary words, neither of them denies anything, and, where one says who wins or
loses, both say it of who plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from re import Pattern
from typing import Final

from rulewright import limits
from rulewright.checker.common.lint_codes import OTHER_NUMBER, OTHER_REASON, OTHER_WAY
from rulewright.checker.texts.numbers_in_sentences import Sentence, sentence_texts
from rulewright.checker.texts.outcomes_in_sentences import ANY_OUTCOME, LOSES, OF_OTHERS, WHO_PLAYS, WINS
from rulewright.checker.texts.sentence_languages import judged_sentences
from rulewright.diagnostics import Diagnostics
from rulewright.document.sentence_places import HOLE, sentence_address
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import ScalarNode

Words = Mapping[str, Pattern[str]]  # by language
Texts = tuple[tuple[str, ScalarNode], ...]
CONTRARY: Final[tuple[tuple[Words, Words], ...]] = (
    (
        {
            "en": lazy_pattern(r"(?<!at )\bmost\b|\bhighest\b"),
            "fr": lazy_pattern(r"\bl(?:e|a|es) plus (?:de|d['’]|haute?s?)\b"),
        },
        {
            "en": lazy_pattern(r"\bfewest\b|(?<!at )\bleast\b|\blowest\b"),
            "fr": lazy_pattern(
                r"\bl(?:e|a|es) moins (?:de|d['’])|\bl(?:e|a|es) plus (?:basse?s?|faibles?|petite?s?)\b"
            ),
        },
    ),
    (
        {
            "en": lazy_pattern(r"\bat least\b|\bor more\b"),
            "fr": lazy_pattern(r"\bau moins\b|\bou plus\b|\bau minimum\b"),
        },
        {
            "en": lazy_pattern(r"\bat most\b|\bor (?:fewer|less)\b|\bup to\b"),
            "fr": lazy_pattern(r"\bau plus\b|\bou moins\b|\bau maximum\b|\bjusqu['’]à\b"),
        },
    ),
    (
        {"en": lazy_pattern(r"\bface[- ]up\b"), "fr": lazy_pattern(r"\bfaces? visibles?\b")},
        {"en": lazy_pattern(r"\bface[- ]down\b"), "fr": lazy_pattern(r"\bfaces? cachées?\b")},
    ),
    (
        {"en": lazy_pattern(r"\bnext\b(?! to\b)"), "fr": lazy_pattern(r"\b(?:suivante?s?|prochaine?s?)\b")},
        {"en": lazy_pattern(r"\bprevious\b"), "fr": lazy_pattern(r"\bprécédente?s?\b")},
    ),
    (
        {"en": lazy_pattern(r"\bmay\b"), "fr": lazy_pattern(r"\b(?:peut|peuvent|pouvez)\b")},
        {
            "en": lazy_pattern(r"\b(?:must|ha(?:s|ve) to)\b"),
            "fr": lazy_pattern(r"\b(?:doit|doivent|devez|faut)\b"),
        },
    ),
)
DENIED: Final = lazy_pattern(
    r"\b(?:not|no|nobody|none|never|cannot|without|unless|only|except|nothing|\w+n['’]t|ne|pas|jamais|aucune?|sans|sauf|seule?s?"
    r"|seulement|personne|rien|que)\b|\bn['’]|\bqu['’]"
)


@frozen
class _Contrary:
    """What two languages of one sentence say, and the second."""

    language: str
    word: str
    other: str
    its: str
    text: ScalarNode


def check_contrary_languages(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them, but not what contradicts its rule in one of the languages, which is told there."""
    reported = {one.address for one in diagnostics if one.code in (OTHER_NUMBER, OTHER_REASON, OTHER_WAY)}
    for address, found in _found(composition):
        if address not in reported and found is not None and composition.is_judged(found.text.span):
            message = f"this says `{found.its}` in `{found.other}`, and `{found.word}` in `{found.language}`"
            hint = "say the same in both"
            diagnostics.add(
                found.text.span, OTHER_WAY, message, label="the other way round", help=hint, address=address
            )


def _found(composition: Composition) -> Iterator[tuple[str, _Contrary | None]]:
    """What all sentences of the rules and of the variants themselves say in two languages, by their addresses."""
    for variant in composition.chosen_variants:
        if variant.text is not None:
            yield "text", _contrary(tuple(sentence_texts(variant.text)))
    for section in composition.document.root:
        for sentence in judged_sentences(section.key.text, composition):
            if len(sentence.texts) > 1:
                yield sentence_address(sentence.parts), _contrary_once(sentence)


def _contrary(texts: Texts) -> _Contrary | None:
    """What the first and another language say, if it is the contrary."""
    plain = [(language, node, HOLE.sub("…", node.text).lower()) for language, node in texts]
    language, _, first = plain[0]
    for other, node, second in plain[1:]:
        found = _contrary_words((language, first), (other, second))
        if found is not None:
            return _Contrary(language, found[0], other, found[1], node)
    return None


_contrary_once: Final = NodeMemo[Sentence, _Contrary | None](
    lambda sentence: _contrary(sentence.texts), limits.MAX_REMEMBERED_NODES
)


def _contrary_words(first: tuple[str, str], second: tuple[str, str]) -> tuple[str, str] | None:
    outcomes = _outcome(*first), _outcome(*second)
    if outcomes[0] is not None and outcomes[1] is not None and outcomes[0][0] != outcomes[1][0]:
        return outcomes[0][1], outcomes[1][1]
    if DENIED.search(first[1]) or DENIED.search(second[1]) or (outcomes[0] is None) != (outcomes[1] is None):
        return None
    for one, contrary in CONTRARY:
        sides = _side(*first, one, contrary), _side(*second, one, contrary)
        if sides[0] is not None and sides[1] is not None and sides[0][0] != sides[1][0]:
            return sides[0][1], sides[1][1]
    return None


def _side(language: str, text: str, one: Words, contrary: Words) -> tuple[bool, str] | None:
    """Whether a sentence has words of the one sort or, False, of the contrary, and which; None if neither or both."""
    if language not in one:
        return None
    words, others = one[language].search(text), contrary[language].search(text)
    if (words is None) == (others is None):
        return None
    return (True, words[0]) if words is not None else (False, others[0] if others is not None else "")


def _outcome(language: str, text: str) -> tuple[bool, str] | None:
    """Whether a sentence says of who plays that he wins, and by which word; None where it says neither or of others."""
    if language not in WINS or len(ANY_OUTCOME.findall(text)) != 1 or OF_OTHERS.search(text):
        return None
    who, found = WHO_PLAYS[language].search(text), _side(language, text, WINS, LOSES)
    return None if who is None or DENIED.search(text) else found


__all__ = ["check_contrary_languages"]
