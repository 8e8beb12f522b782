"""Does a sentence say one number in one language, and another in another?

In: rules, and the composition they were built from. Out: warnings at the second of two languages, one for all sentences
of a file that differ alike. Nothing is said unless each of the two says exactly one number that the other does not, and
both lines are not the same ("more than four" says of whole numbers what "at least five" does).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.numbers_in_sentences import (
    SMALLEST,
    boundary_in_words,
    number_span,
    numbers_beside,
    numbers_in_text,
    sentence_texts,
)
from rulewright.checker.texts.sentence_languages import judged_sentences
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document.sentence_places import sentence_address
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode

LARGE: Final = lazy_pattern(  # of several words, or of another measure: what is read of them is not what they say
    r"(?i)\b(?:hundred|thousand|dozens?|half|twice|double|hours?|weeks?|cents?|mille|douzaine|vingt et|moitié|demie?s?"
    r"|fois|heures?|semaines?|jours?|quinzaine"
    r"|hundert|tausend|dutzend\w*|halb\w*|hälfte|doppelt\w*|mal|stunden?|wochen?|tagen?|viertel"
    r"|cien\w*|mil|docenas?|mitad|medi[ao]s?|doble|veces|horas?|semanas?|d[ií]as?|(?:trei|cuare|cincue|sese|sete|oche)nta"
    r"|nove?nta|cento|mila|dozzin[ae]|metà|mezz[oaie]|doppi[oae]|volt[ae]|or[ae]|settiman[ae]|giorn[oi]"
    r"|honderd|duizend|dozijn|helft|half|halve|dubbel\w*|keer|maal|uren|uur|weken|dagen"
    r"|cem|dúzias?|metade|mei[ao]s?|dobro|vezes|(?:tri|quare|cinque|sesse|sete|oite|nove)nta)\b"
)
PAIR: Final = lazy_pattern(
    r"(?i)\b(?:both|pairs?|either|paires?|beide\w*|paare?n?|amb[oa]s|par(?:es|en)?|entramb[ie]|coppi[ae]|paio|paia)\b"
)
REASON: Final = ".why"
DIGITS: Final = lazy_pattern(r"\d+")
Texts = tuple[tuple[str, ScalarNode], ...]


@frozen
class _Difference:
    """What two languages of one sentence say: the first number, the second one and where."""

    address: str
    first: tuple[str, int]
    second: tuple[str, int]
    span: Span


def check_numbers_of_languages(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them, but not what contradicts its rule in one of the languages, which is told there."""
    reported = {one.address for one in diagnostics if one.code is OTHER_NUMBER}
    alike = dict[tuple[str, object, object], list[_Difference]]()
    for address, texts in _sentences(composition):
        is_reported = not reported.isdisjoint((address, address.removesuffix(REASON)))
        found = None if is_reported else _difference(address, texts)
        if found is not None and composition.is_judged(found.span):
            alike.setdefault((found.span.source.path, found.first, found.second), []).append(found)
    written = _numbers_set(composition) if alike else set[str]()
    for differences in alike.values():
        one = min(differences, key=lambda each: each.span.start)
        (language, number), (other, its) = one.first, one.second
        related = [Related(each.span, "also here") for each in differences if each is not one]
        message = f"this says {its} in `{other}`, and {number} in `{language}`"
        hint = "write the same number in both"
        if str(number) in written and str(its) not in written:
            hint = f"write {number}, which is set here"
        diagnostics.add(
            one.span, OTHER_NUMBER, message, label="another number", help=hint, address=one.address, related=related
        )


def _numbers_set(composition: Composition) -> set[str]:
    """The numbers in what variants set, as they are written."""
    changes = (change for variant in composition.chosen_variants for change in variant.changes)
    written = (change.payload.text for change in changes if isinstance(change.payload, ScalarNode))
    return {number for text in written for number in DIGITS.findall(text)}


def _sentences(composition: Composition) -> Iterator[tuple[str, Texts]]:
    """All sentences of the rules and of the variants themselves in which there are two numbers."""
    for variant in composition.chosen_variants:
        if variant.text is not None:
            yield "text", tuple(sentence_texts(variant.text))
    for section in composition.document.root:
        for sentence in judged_sentences(section.key.text, composition):
            if len(sentence.texts) > 1 and len(sentence.numbers) > 1:
                yield sentence_address(sentence.parts), sentence.texts


def _difference(address: str, texts: Texts) -> _Difference | None:
    """The numbers that the first and another language say, and only they."""
    if any(LARGE.search(text.text) for _, text in texts):
        return None
    language, first = texts[0]
    of_first = _numbers(language, first)
    for other, second in texts[1:]:
        its = _numbers(other, second)
        only_first = of_first - its - _beside(other, second)
        only_second = its - of_first - _beside(language, first)
        if len(only_first) == 1 == len(only_second):
            (number,), (another,) = only_first, only_second
            if not _are_same_line((language, first, number), (other, second, another)):
                return _Difference(address, (language, number), (other, another), number_span(other, second, another))
    return None


def _numbers(language: str, text: ScalarNode) -> set[int]:
    return {number for number in numbers_in_text(language, text) if number >= SMALLEST}


def _beside(language: str, text: ScalarNode) -> set[int]:
    """What a sentence names, too: what one language counts another may call by its number, or say with `both`."""
    return numbers_beside(language, text) | ({SMALLEST} if PAIR.search(text.text) else set())


def _are_same_line(*sides: tuple[str, ScalarNode, int]) -> bool:
    """Whether the numbers differ by one because a line is drawn above the one and below the other."""
    lines = [boundary_in_words(*side) for side in sides]
    (first, second), are_beside = lines, abs(sides[0][2] - sides[1][2]) == 1
    return first == second if first is not None and second is not None else are_beside and first != second


__all__ = ["check_numbers_of_languages"]
