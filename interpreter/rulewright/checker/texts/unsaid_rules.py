"""Which rules does the rulebook have to say that have no sentence, neither beside them nor in the files of texts?

In: a game's document, or a variant and its game. Out: diagnostics. Only games are asked whose sentences stand in files
of texts, and their variants: where all stands in place, what is missing is seen there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import AddressParts, child_entries, is_rows, normalize_lists
from rulewright.document.document import Document
from rulewright.document.editing import entry_span, resolve_member
from rulewright.document.language import GAME_SECTIONS, PROSE_KEYS, PROVENANCE_KEYS, ROW_KEYS, keys_at
from rulewright.document.sentence_places import TEXT_KEY
from rulewright.source.nodes import Entry, MappingNode, Node, as_mapping
from rulewright.variants.variant import Variant

UNASKED_SECTIONS: Final = frozenset({"book", "kinds", "evaluation", "strategies", "measures"})  # no rules of play
CONDITION_KEY: Final = "when"  # of a step: what it asks is printed as it is written
PROCEDURE_KEY: Final = "run"  # a step that runs a procedure says what its steps say
UNASKED_KEYS: Final = frozenset({*PROVENANCE_KEYS, *ROW_KEYS})


def check_unsaid_rules(document: Document, diagnostics: Diagnostics) -> None:
    """Reports rules without a sentence, in a game that has others in files of texts."""
    rules = list(_rules_of_game(document))
    if any(_stands_apart(entry) for _, entry in rules):
        for parts, entry in rules:
            if TEXT_KEY not in as_mapping(entry.value):
                _report(parts, entry_span(entry), "in the English file of texts", diagnostics)


def check_unsaid_rules_of_variant(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports what a variant brings without a sentence, for a game whose sentences stand in files of texts."""
    if document is None or not any(_stands_apart(entry) for _, entry in _rules_of_game(document)):
        return
    written = {change.parts for change in variant.changes if change.operation == "sentences"}
    for change in variant.changes:
        is_new = change.operation in ("add", "insert") and change.payload is not None
        if not is_new or change.parts[0] in UNASKED_SECTIONS or is_rows(change.parts[:3]):
            continue
        assert change.payload is not None
        parts = resolve_member(document.root, change.parts)
        new = Entry(change.last_name(), normalize_lists(change.payload, parts, Diagnostics()))
        for rule, entry in (*_rule(new, parts), *_rules(new.value, parts)):
            # one more part of a condition is in the sentence of the whole; of an action `lint` asks
            has_whole = rule[-2] == CONDITION_KEY and (*rule[:-1], TEXT_KEY) in written
            has_sentence = TEXT_KEY in as_mapping(entry.value) or (*rule, TEXT_KEY) in written or has_whole
            if not has_sentence and rule[:-1] != ("actions",):
                _report(rule, change.span if entry is new else entry_span(entry), "under `sentences`", diagnostics)


def _report(parts: AddressParts, span: Span, place: str, diagnostics: Diagnostics) -> None:
    address = ".".join(parts)
    diagnostics.add(
        span,
        lint_codes.NO_SENTENCE,
        f"no sentence for `{address}` in any language",
        label="the rulebook cannot say it",
        help=f"write `{address}: …` {place}, or `text: …` here",
        address=address,
    )


def _rules_of_game(document: Document) -> Iterator[tuple[AddressParts, Entry]]:
    """The rules of a game that can have a sentence."""
    for entry in document.root:
        if entry.key.text in GAME_SECTIONS and entry.key.text not in UNASKED_SECTIONS:
            yield from _rules(entry.value, (entry.key.text,))


def _rules(node: Node, parts: AddressParts) -> Iterator[tuple[AddressParts, Entry]]:
    """The rules below an address that can have a sentence."""
    without_rules = UNASKED_KEYS | (PROSE_KEYS & keys_at(parts))
    for entry in child_entries(node):
        child_parts = (*parts, entry.key.text)
        yield from _rule(entry, child_parts)
        if entry.key.text not in without_rules:
            yield from _rules(entry.value, child_parts)


def _rule(entry: Entry, parts: AddressParts) -> Iterator[tuple[AddressParts, Entry]]:
    """The entry at an address, if it is a rule that can have a sentence."""
    is_asked = parts[-1] != CONDITION_KEY and PROCEDURE_KEY not in as_mapping(entry.value)
    if TEXT_KEY in keys_at(parts) and is_asked:
        yield parts, entry


def _stands_apart(entry: Entry) -> bool:
    """Whether the sentence of a rule stands in another file than the rule."""
    text = entry.value.entry(TEXT_KEY) if isinstance(entry.value, MappingNode) else None
    return text is not None and text.key.span.source.path != entry.key.span.source.path


__all__ = ["check_unsaid_rules", "check_unsaid_rules_of_variant"]
