"""Puts sentences that stand apart from the rules to the rules that they are of.

In: the rules of a game; its file of English texts, or the `sentences` of a game in one file. Out: the same rules, each
with its sentence, and titles by address. A sentence has one place: what stands at its rule as well is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Final

from rulewright import limits
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
from rulewright.source.node_memo import NodeMemo, Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping
from rulewright.suggestions import did_you_mean

SENTENCES_KEY = "sentences"
MIN_SENTENCES = 3  # of a file: fewer may be there twice by mistake
MIN_SHARE = 0.75  # of its sentences that stand at their rules as well
RULE_PARTS: Final = 2  # names on the way to a rule
BOOK_HINT = "a passage of the book has its sentences itself"

Titles = tuple[tuple[str, Entry], ...]  # addresses of rules, and what each is called


def place_sentences(
    root: MappingNode, sentences: MappingNode, titles: Titles, diagnostics: Diagnostics
) -> tuple[MappingNode, Titles]:
    """The rules with sentences that stand under their addresses, and the titles with those among them."""
    named, placed = dict(titles), _placed_rules(root, sentences)
    for entry in sentences:
        parts = sentence_parts(entry.key.text)
        if parts[-1] == TITLE_KEY and not has_own_title(parts):
            rule = ".".join(parts[:-1])
            old = named.get(rule)
            if old is None:
                named[rule] = sentence_entry(parts, entry.key, entry.value)
            else:
                _report_second(entry, old, diagnostics)
        elif parts[:RULE_PARTS] not in placed:
            root = _with_sentence(root, entry, parts, diagnostics)
    return _with_rules(root, placed), tuple(named.items())


def _with_sentence(root: MappingNode, entry: Entry, parts: AddressParts, diagnostics: Diagnostics) -> MappingNode:
    if not _can_say(root, parts):
        _report_misplaced(root, entry, diagnostics)
        return root
    old = find_sentence_entry(root, parts)
    if old is not None:
        _report_second(entry, old, diagnostics)
        return root
    return place_sentence(root, parts, sentence_entry(parts, entry.key, entry.value))


def _report_second(entry: Entry, old: Entry, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        entry.key.span,
        codes.SENTENCE_TWICE,
        f"`{entry.key.text}` has a sentence already",
        label="the second",
        help="keep one of the two",
        address=entry.key.text,
        related=[Related(old.value.span, "the first")],
    )


def _placed_rules(root: MappingNode, sentences: MappingNode) -> dict[AddressParts, Node]:
    """The rules of which all sentences can be placed, with them, by the two names on the way to each."""
    by_rule: dict[AddressParts, list[Entry]] = {}
    for entry in sentences:
        parts = sentence_parts(entry.key.text)
        if len(parts) > RULE_PARTS and (parts[-1] != TITLE_KEY or has_own_title(parts)):
            by_rule.setdefault(parts[:RULE_PARTS], []).append(entry)
    placed = dict[AddressParts, Node]()
    for parts, entries in by_rule.items():
        section = root.get(parts[0])
        rule = section.entry(parts[1]) if isinstance(section, MappingNode) else None
        whole = None if rule is None else _place_once(Same(rule.value), parts, tuple(map(Same, entries)))
        if whole is not None:
            placed[parts] = whole
    return placed


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _place_once(rule: Same[Node], parts: AddressParts, sentences: tuple[Same[Entry], ...]) -> Node | None:
    """A rule with its sentences, the same node each time; None where something is wrong with one."""
    root, diagnostics = rule.value, Diagnostics()
    for name in reversed(parts):
        root = MappingNode((Entry(ScalarNode(name, name, root.span), root),), root.span)
    assert isinstance(root, MappingNode)
    for sentence in sentences:
        root = _with_sentence(root, sentence.value, sentence_parts(sentence.value.key.text), diagnostics)
    return None if len(diagnostics) else look_up(root, parts).node


def _with_rules(root: MappingNode, rules: Mapping[AddressParts, Node]) -> MappingNode:
    """The tree with other rules in the places of those of the same names."""
    sections = {section for section, _ in rules}

    def with_rule(section: str, rule: Entry) -> Entry:
        placed = rules.get((section, rule.key.text))
        return rule if placed is None else Entry(rule.key, placed, rule.history)

    def with_rules(entry: Entry) -> Entry:
        name, section = entry.key.text, entry.value
        if name not in sections or not isinstance(section, MappingNode):
            return entry
        return Entry(
            entry.key, MappingNode(tuple(with_rule(name, rule) for rule in section), section.span), entry.history
        )

    return MappingNode(tuple(map(with_rules, root)), root.span)


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
        kept[ENGLISH_CODE] = _words_alone(english)
    return kept


def _without_sentences(english: MappingNode) -> MappingNode:
    entries = (
        Entry(entry.key, MappingNode((), entry.value.span)) if entry.key.text == SENTENCES_KEY else entry
        for entry in english
    )
    return MappingNode(tuple(entries), english.span)


_words_alone: Final = NodeMemo(_without_sentences, limits.MAX_REMEMBERED_LARGE_FILES)


__all__ = ["SENTENCES_KEY", "Titles", "place_english_texts", "place_sentences", "without_sentences"]
