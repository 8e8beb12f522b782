"""Is a sentence written in another language than the one that it is said to be in?

In: the root of a game or a variant, and the files of texts. Out: warnings. A language is told by the little words that
no other language here has (English and French): by the two sentences of a pair that are each in the language of the
other, or by a whole sentence that has several of them and none of its own language. Of a sentence that is the English
one letter for letter, and no name, one such word says enough: its translation was forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_LANGUAGE
from rulewright.checker.texts.words_found import WORD
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document.document import Document
from rulewright.document.game_files import ENGLISH
from rulewright.document.language import SENTENCE_KEYS
from rulewright.document.sentence_places import HOLE
from rulewright.document.sentences_apart import SENTENCES_KEY
from rulewright.expr.keywords import word_set
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items, as_mapping, iter_scalars
from rulewright.variants.variant import Variant

NAMES: Final = {"en": "English", "fr": "French"}
# little words of a language that are no words, or hardly any, of the other
LITTLE_WORDS: Final = {
    "en": word_set(
        "the of and is are was to your you their they them its it with from for by at not be been has have this that "
        "these those who whom which when what then than there each every any all both more less fewer most least must "
        "may can cannot will one two three take takes until into"
    ),
    "fr": word_set(
        "le la les des du de un une et est sont au aux vous votre vos il elle ils elles leur leurs ce cet cette ces "
        "qui que qu dont dans avec sans sur ne pas l se si sa ses tout tous toute toutes chaque ou où à être moins "
        "peut doit deux trois chacun quand jusqu aucun aucune"
    ),
}
SENTENCE_END: Final = lazy_pattern(r"[.!?…]\s*$")
TEXTS_HEAD: Final = lazy_pattern(r"^texts: *([a-z]+)", re.MULTILINE)
MIN_WORDS_OF_PAIR: Final = 3  # in both sentences together
MIN_WORDS_ALONE: Final = 3
MIN_SENTENCES_OF_FILE: Final = 3  # that say that the file is in another language
MIN_WORDS_OF_COPY: Final = 3  # of a sentence and not of a name, with its holes
MAX_PLACES: Final = 3
TITLES: Final = ("game", ".title")  # ends of the addresses of names, which may be the same in all languages


@frozen
class _Sentence:
    """A sentence and the language that it is said to be in. `other`: what stands beside it under the other one.
    `is_copy`: whether it is an English sentence of the game letter for letter.
    """

    language: str
    text: ScalarNode
    other: ScalarNode | None = None
    is_copy: bool = False


def check_languages_of_game(document: Document, diagnostics: Diagnostics) -> None:
    """Reports such sentences of a game and its files of texts."""
    sentences = [*_sentences(document.root, is_prose=False)]
    english = {one.text.text for one in sentences}
    for language, file in document.texts.items():
        for entry in as_mapping(file.get(SENTENCES_KEY)) if language in NAMES else ():
            known = () if entry.key.text.endswith(TITLES) else english
            sentences += _translations(language, entry.value, known)
    _report(sentences, diagnostics)


def check_languages_of_variant(variant: Variant, _: Document | None, diagnostics: Diagnostics) -> None:
    """Reports such sentences of a variant and the files that translate it."""
    sentences = [*_sentences(variant.root, is_prose=False)]
    english = {one.text.text for one in sentences}
    for one in variant.translations:
        sentences += _translations(one.language, one.entry.value, english) if one.language in NAMES else ()
    _report(sentences, diagnostics)


def _translations(language: str, node: Node, english: Collection[str]) -> list[_Sentence]:
    """What a file of texts says at an address."""
    is_other = language != ENGLISH
    return [_Sentence(language, text, is_copy=is_other and text.text in english) for text in iter_scalars(node)]


def _sentences(node: Node, *, is_prose: bool) -> Iterator[_Sentence]:
    """The sentences in a tree; of a pair the English one."""
    if isinstance(node, ScalarNode):
        if is_prose:
            yield _Sentence(ENGLISH, node)
    elif isinstance(node, MappingNode):
        texts = {language: text for language in NAMES if isinstance(text := node.get(language), ScalarNode)}
        if is_prose and texts:  # what is beside them is in yet another language, or its code is misspelled
            english, french = (texts.get(language) for language in NAMES)
            if english is not None:
                yield _Sentence(ENGLISH, english, french)
            elif french is not None:
                yield _Sentence("fr", french)
            return
        for entry in node:
            is_sentence = is_prose or entry.key.text in SENTENCE_KEYS or entry.key.text == SENTENCES_KEY
            yield from _sentences(entry.value, is_prose=is_sentence)
    else:
        for item in as_items(node):
            yield from _sentences(item, is_prose=is_prose)


def _language_of(text: ScalarNode) -> tuple[str, int]:
    """The language of which alone a sentence has little words, and how many; no language where there is none."""
    words = {*WORD.findall(HOLE.sub(" ", text.text).lower())}
    counts = [(language, len(words & little)) for language, little in LITTLE_WORDS.items()]
    found = [(language, count) for language, count in counts if count]
    return found[0] if len(found) == 1 else ("", 0)


def _report(sentences: Iterable[_Sentence], diagnostics: Diagnostics) -> None:
    by_file = dict[str, list[_Sentence]]()
    for sentence in sentences:
        by_file.setdefault(sentence.text.span.source.path, []).append(sentence)
    for of_file in by_file.values():
        exchanged = [one for one in of_file if one.other is not None and _are_exchanged(one.text, one.other)]
        if exchanged:
            _report_exchanged(exchanged, diagnostics)
        alone = [*_alone(one for one in of_file if one not in exchanged)]
        if alone:
            _report_alone(alone, of_file, diagnostics)


def _are_exchanged(english: ScalarNode, french: ScalarNode) -> bool:
    (first, words), (second, more) = _language_of(english), _language_of(french)
    return (first, second) == ("fr", ENGLISH) and words + more >= MIN_WORDS_OF_PAIR


def _report_exchanged(exchanged: list[_Sentence], diagnostics: Diagnostics) -> None:
    first, *others = exchanged
    assert first.other is not None
    places = (Related(one.text.span, "also here") for one in others[:MAX_PLACES])
    diagnostics.add(
        first.text.span,
        OTHER_LANGUAGE,
        "what is under `en` is French, and what is under `fr` is English",
        label="French",
        help="exchange the two",
        related=(Related(first.other.span, "English"), *places),
    )


def _alone(sentences: Iterable[_Sentence]) -> Iterator[_Sentence]:
    """Each sentence that is surely in another language than it is said to be: a whole one, or a copy."""
    for one in sentences:
        are_same = one.other is not None and one.other.text == one.text.text
        for expected, text in _by_language(one):
            language, words = _language_of(text)
            is_copy = expected != ENGLISH and language == ENGLISH and (one.is_copy or are_same) and _is_prose(text.text)
            is_sure = words >= MIN_WORDS_ALONE and SENTENCE_END.search(text.text) is not None and not are_same
            if is_copy or (language not in ("", expected) and is_sure):
                yield _Sentence(expected, text, is_copy=is_copy)


def _is_prose(english: str) -> bool:
    """Whether an English text is no name: it has some words, and one of those that are not little has no capital."""
    words = WORD.findall(HOLE.sub(" ", english))
    count = len(words) + len(HOLE.findall(english))
    return count >= MIN_WORDS_OF_COPY and any(
        word.islower() and len(word) > 1 and word not in LITTLE_WORDS[ENGLISH] for word in words
    )


def _report_alone(alone: list[_Sentence], of_file: list[_Sentence], diagnostics: Diagnostics) -> None:
    """Reports them at the head of a file of texts which is in that language as a whole; elsewhere the first, if the
    rest of the file is not so: else its author has not translated it yet, or speaks one language alone.
    """
    first = alone[0]
    others = [one for one in alone[1:] if one.language == first.language]
    other_name, expected = NAMES[_language_of(first.text)[0]], first.language
    texts = [text for one in of_file for language, text in _by_language(one) if language == expected]
    right = sum(_language_of(text)[0] == expected for text in texts)
    head = TEXTS_HEAD.search(first.text.span.source.text)
    if right >= (1 if first.is_copy else MIN_SENTENCES_OF_FILE) and len(alone) < right:
        span, label = first.text.span, other_name
        message = f"this sentence is {other_name}, but is said to be {NAMES[expected]}"
        if first.is_copy:
            message = (
                f"this sentence is not translated into {NAMES[expected]}: it is the English one, letter for letter"
            )
        hint, note = f"write it in {NAMES[expected]}", "also here"
    elif head is not None and len(alone) >= MIN_SENTENCES_OF_FILE:
        span, label = Span(first.text.span.source, *head.span(1)), "another language"
        others = [first, *others]
        message = f"most sentences of this file are {other_name}, but are said to be {NAMES[expected]}"
        hint, note = f"write their language, or the sentences in {NAMES[expected]}", "here"
    else:
        return
    places = [Related(one.text.span, note) for one in others[:MAX_PLACES]]
    diagnostics.add(span, OTHER_LANGUAGE, message, label=label, help=hint, related=places)


def _by_language(sentence: _Sentence) -> Iterator[tuple[str, ScalarNode]]:
    yield sentence.language, sentence.text
    if sentence.other is not None:
        yield "fr", sentence.other


__all__ = ["LITTLE_WORDS", "check_languages_of_game", "check_languages_of_variant"]
