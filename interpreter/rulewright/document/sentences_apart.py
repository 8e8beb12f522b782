"""Puts sentences that stand apart from the rules to the rules that they are of.

In: the rules of a game; its file of English texts, or the `sentences` of a game in one file. Out: the same rules, each
with its sentence, and titles by address. A sentence has one place: what stands at its rule as well is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rulewright.diagnostics import Diagnostics, Related, missing_name
from rulewright.document import codes
from rulewright.document.address import iter_addresses, split_address
from rulewright.document.editing import look_up
from rulewright.document.language import AddressParts, keys_at
from rulewright.document.sentence_places import (
    ENGLISH_CODE,
    TITLE_KEY,
    find_sentence_entry,
    has_own_title,
    place_sentence,
    rule_parts,
    sentence_entry,
    sentence_parts,
)
from rulewright.source.nodes import Entry, MappingNode, Node, as_mapping
from rulewright.suggestions import did_you_mean

SENTENCES_KEY = "sentences"
MIN_SENTENCES = 3  # of a file: fewer may be there twice by mistake
MIN_SHARE = 0.75  # of its sentences that stand at their rules as well
BOOK_HINT = "a passage of the book has its sentences itself"

Titles = tuple[tuple[str, Entry], ...]  # addresses of rules, and what each is called


def place_sentences(
    root: MappingNode, sentences: MappingNode, titles: Titles, diagnostics: Diagnostics
) -> tuple[MappingNode, Titles]:
    """The rules with sentences that stand under their addresses, and the titles with those among them."""
    named = dict(titles)
    for entry in sentences:
        address, parts = entry.key.text, sentence_parts(entry.key.text)
        rule = ".".join(parts[:-1])
        if parts[-1] == TITLE_KEY and not has_own_title(parts):
            old = named.get(rule)
            if old is None:
                named[rule] = sentence_entry(parts, entry.key, entry.value)
        elif not _can_say(root, parts):
            _report_misplaced(root, entry, diagnostics)
            continue
        else:
            old = find_sentence_entry(root, parts)
            if old is None:
                root = place_sentence(root, parts, sentence_entry(parts, entry.key, entry.value))
        if old is not None:
            diagnostics.add(
                entry.key.span,
                codes.SENTENCE_TWICE,
                f"`{address}` has a sentence already",
                label="the second",
                help="keep one of the two",
                address=address,
                related=[Related(old.value.span, "the first")],
            )
    return root, tuple(named.items())


def place_english_texts(
    root: MappingNode, texts: Mapping[str, MappingNode], titles: Titles, diagnostics: Diagnostics
) -> tuple[MappingNode, Titles]:
    """The same with those of the English file of texts, if there is one."""
    file = as_mapping(texts.get(ENGLISH_CODE))
    sentences = as_mapping(file.get(SENTENCES_KEY))
    if _report_other_language(root, file.get("texts"), sentences, diagnostics):
        return root, titles
    return place_sentences(root, sentences, titles, diagnostics)


def _report_other_language(
    root: MappingNode, language: Node | None, sentences: MappingNode, diagnostics: Diagnostics
) -> bool:
    """Reports an English file whose sentences stand at their rules as well: it is in another language."""
    if len(sentences.entries) < MIN_SENTENCES or language is None:
        return False
    there = [find_sentence_entry(root, sentence_parts(entry.key.text)) for entry in sentences]
    first = there[0]
    if first is None or sum(entry is not None for entry in there) < MIN_SHARE * len(there):
        return False
    second = sentences.entries[0].key.span
    diagnostics.add(
        language.span,
        codes.SENTENCE_TWICE,
        "the sentences of this file stand at their rules in English already",
        label="another language?",
        help="write the language that the sentences of this file are in",
        related=[Related(second, "one of them"), Related(first.value.span, "the same at its rule")],
    )
    return True


def _can_say(root: MappingNode, parts: AddressParts) -> bool:
    """Whether the rule of a sentence exists, and can have one."""
    rule = rule_parts(parts)
    if has_own_title(parts) or len(look_up(root, rule).entries) != len(rule):
        return False
    return parts[len(rule)] in keys_at(rule)


def _report_misplaced(root: MappingNode, entry: Entry, diagnostics: Diagnostics) -> None:
    address = entry.key.text
    rule = ".".join(rule_parts(sentence_parts(address)))
    is_passage = split_address(address)[0] == "book"
    diagnostics.add(
        entry.key.span,
        codes.SENTENCE_OF_NOTHING,
        f"no rule at `{rule}` that has a sentence",
        label="no such rule",
        help=BOOK_HINT if is_passage else partial(_near, rule, root),
        address=address,
        cause=missing_name(rule, "address"),
    )


def _near(address: str, root: MappingNode) -> str:
    return did_you_mean(address, list(iter_addresses(root)))


def without_sentences(texts: Mapping[str, MappingNode]) -> dict[str, MappingNode]:
    """The texts files, but of the English one only its words and plurals, if it has any."""
    kept = dict(texts)
    english = kept.pop(ENGLISH_CODE, None)
    if english is not None and ("words" in english or "plurals" in english):
        entries = (
            Entry(entry.key, MappingNode((), entry.value.span)) if entry.key.text == SENTENCES_KEY else entry
            for entry in english
        )
        kept[ENGLISH_CODE] = MappingNode(tuple(entries), english.span)
    return kept


__all__ = ["SENTENCES_KEY", "Titles", "place_english_texts", "place_sentences", "without_sentences"]
