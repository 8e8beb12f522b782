"""What is said about rules: where each comes from, the works that are cited, the passages of the rulebook.

In: the state of a build. Out: `Explanations`, which reads the files that hold them when it is asked; `BOOK_PASSES`,
which the checker runs too.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cache, partial
from typing import Any, Final, cast

from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.document.document import Document
from rulewright.document.unread_files import read_explanations, read_sources
from rulewright.frozen import replace
from rulewright.model.build_state import BuildState, Pass, build_pass, run_passes
from rulewright.model.digests import rules_digest, text_digest
from rulewright.model.passages import read_passages
from rulewright.model.provenance import read_provenance
from rulewright.model.rules import Book, Explanations, Provenance, Rules
from rulewright.model.sentences import merge_sentences
from rulewright.model.translations import build_languages
from rulewright.source.nodes import to_builtins


@build_pass(needs=["symbols"], adds=["passages", "passage_sentences"])
def read_book(state: BuildState) -> None:
    """What only the rulebook says."""
    reader = state.reader(state.symbols)
    sentences = state.sentence_reader(reader)
    files = state.variant_files if state.variants else None
    state.passages = read_passages(reader, sentences, files, dict(state.document.passage_variants))
    state.passage_sentences = sentences.collected


@build_pass(needs=["sentences", "passage_sentences"], adds=["book_sentences"])
def collect_book_sentences(state: BuildState) -> None:
    """The sentences of the rules, then those of the passages."""
    state.book_sentences = merge_sentences(state.document.texts, state.sentences, state.passage_sentences)


@build_pass(needs=["symbols", "book_sentences", "component_rows"], adds=["book_languages"])
def read_book_languages(state: BuildState) -> None:
    """The game's languages with the sentences of the passages."""
    state.book_languages = build_languages(
        state.reader(state.symbols), state.book_sentences, state.document.texts, state.component_rows
    )


BOOK_PASSES: Final[tuple[Pass, ...]] = (read_book, collect_book_sentences, read_book_languages)


def explanations_of(state: BuildState) -> Explanations:
    """What is said about the rules of a build that has ended. The state is kept for it."""
    return Explanations(
        provenance=cache(partial(_read_provenance, state)),
        works=cache(partial(_read_works, state.document)),
        book=cache(partial(_read_book, state)),
        digest=cache(partial(rules_digest, state.document, state.players)),
        text_digest=cache(partial(_text_digest, state)),
    )


def with_passages(rules: Rules) -> Rules:
    """The rules with the sentences and sources of the rulebook's passages among theirs."""
    book = rules.explanations.book()
    explanations = replace(rules.explanations, provenance=lambda: book.provenance)
    return replace(rules, languages=book.languages, explanations=explanations)


def _read_provenance(state: BuildState) -> Mapping[str, Provenance]:
    return read_provenance(state.document, state.applied)


def _read_works(document: Document) -> Mapping[str, Mapping[str, str]]:
    diagnostics = Diagnostics()
    sources = read_sources(document, diagnostics)
    _raise_on_error(diagnostics)
    return {} if sources is None else cast(dict[str, Any], to_builtins(sources)).get("works", {})


def _whole_document(document: Document, diagnostics: Diagnostics) -> Document:
    whole = read_explanations(document, diagnostics)
    _raise_on_error(diagnostics)
    assert whole is not None
    return whole


def _text_digest(state: BuildState) -> str:
    return text_digest(_whole_document(state.document, Diagnostics()), state.players)


def _read_book(state: BuildState) -> Book:
    book_state = copy(state)
    book_state.diagnostics = Diagnostics()
    book_state.document = _whole_document(state.document, book_state.diagnostics)
    run_passes(BOOK_PASSES, book_state)
    _raise_on_error(book_state.diagnostics)
    provenance = read_provenance(book_state.document, state.applied)
    return Book(book_state.passages, book_state.book_languages, provenance)


def _raise_on_error(diagnostics: Diagnostics) -> None:
    if diagnostics.error_count:
        raise RulesError(diagnostics)


__all__ = ["BOOK_PASSES", "explanations_of", "with_passages"]
