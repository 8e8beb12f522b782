"""What a sentence is in each language: at its rule, or in a file of texts.

In: where a sentence stands, and the files of texts. Out: its text in each language, those of its rule first. What a
variant says anew has no translation in the files of its game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

from rulewright import limits
from rulewright.checker.texts.numbers_in_sentences import (
    Sentence,
    is_compared,
    iter_sentences,
    numbers_in_text,
    sentence_texts,
)
from rulewright.document.sentence_places import sentence_address
from rulewright.frozen import replace
from rulewright.model.build_state import BuildState
from rulewright.model.judged_rules import Files, files_of, is_all_judged, is_judged
from rulewright.model.loader import Composition
from rulewright.model.sentences import nodes_by_language
from rulewright.model.text_files import TextFiles, translations_by_address
from rulewright.source.node_memo import NodeMemo, Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode

SameFiles = tuple[tuple[str, Same[MappingNode]], ...]  # of texts, by language
MAX_SECTIONS: Final = 64  # of rules at a few numbers of players, of which several checks ask one after another


def sentence_by_language(state: BuildState, address: str) -> dict[str, ScalarNode]:
    """What the sentence at an address is in each language; nothing where there is none."""
    entry = state.book_sentences.entries.get(address)
    if entry is None:
        return {}
    translated = _in_files(entry, address, state.document.texts, state.variant_files)
    inline = {language: text for language, text in nodes_by_language(entry).items() if is_compared(text)}
    return inline | {language: text for language, text in translated.items() if language not in inline}


def sentences_of(section: str, composition: Composition) -> Sequence[Sentence]:
    """The sentences of a section in all languages, also those that files of texts translate."""
    node = composition.document.root.get(section)
    if node is None:
        return ()
    return _sentences_once(section, Same(node), _files_once(composition), composition.variant_files, None)


def judged_sentences(section: str, composition: Composition) -> Sequence[Sentence]:
    """Those of them that are judged: at rules in which a variant has written something, or a translation of one."""
    if not composition.chosen_variants or is_all_judged():
        return sentences_of(section, composition)
    node = composition.document.root.get(section)
    judged = frozenset[str]().union(*(files_of(variant.root) for variant in composition.applied_variants))
    if node is None or not is_judged(node, judged):
        return ()
    return _sentences_once(section, Same(node), _files_once(composition), composition.variant_files, judged)


def _find_judged_texts(composition: Composition) -> Iterator[tuple[str, str, ScalarNode]]:
    for variant in composition.chosen_variants:
        if variant.text is not None:
            for language, text in sentence_texts(variant.text):
                yield "text", language, text
    for section in composition.document.root:
        for sentence in judged_sentences(section.key.text, composition):
            for language, text in sentence.texts:
                yield sentence_address(sentence.parts), language, text


# all sentences that are judged, with their addresses and languages: of the rules that are checked now
judged_texts: Final = NodeMemo[Composition, tuple[tuple[str, str, ScalarNode], ...]](
    lambda composition: tuple(_find_judged_texts(composition)), 1
)


def _files_once(composition: Composition) -> SameFiles:
    return tuple((language, Same(file)) for language, file in composition.document.texts.items())


@lru_cache(maxsize=MAX_SECTIONS)
def _sentences_once(
    section: str, node: Same[Node], files: SameFiles, variant_files: Files, judged: Files | None
) -> tuple[Sentence, ...]:
    sentences = iter_sentences(node.value, (section,))
    if judged is not None:
        sentences = (sentence for sentence in sentences if is_judged(sentence.node, judged))
    return tuple(_with_translations(Same(sentence), files, variant_files) for sentence in sentences)


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _with_translations(same: Same[Sentence], files: SameFiles, variant_files: Files) -> Sentence:
    """A sentence with its translations: what a key or a number of players leaves alone stays what it is."""
    sentence = same.value
    entry = sentence.node.entry(sentence.parts[-1])
    assert entry is not None
    by_language = {language: file.value for language, file in files}
    translated = _in_files(entry, sentence_address(sentence.parts), by_language, variant_files)
    added = tuple((language, text) for language, text in translated.items() if language not in dict(sentence.texts))
    numbers = {number for text in added for number in numbers_in_text(*text)}
    return replace(sentence, texts=sentence.texts + added, numbers=sentence.numbers | numbers) if added else sentence


def _in_files(entry: Entry, address: str, files: TextFiles, variant_files: Collection[str]) -> dict[str, ScalarNode]:
    if entry.key.span.source.path in variant_files or entry.history:
        return {}
    found = {language: translations_by_address(file).get(address) for language, file in files.items()}
    nodes = {language: translation.value for language, translation in found.items() if translation is not None}
    return {language: node for language, node in nodes.items() if isinstance(node, ScalarNode) and is_compared(node)}


__all__ = ["judged_sentences", "judged_texts", "sentence_by_language", "sentences_of"]
