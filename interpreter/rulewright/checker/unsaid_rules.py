"""Which rules does the rulebook have to say that have no sentence, neither beside them nor in the files of texts?

In: a game's document. Out: diagnostics. Only games are asked whose sentences stand in files of texts: where all stands
in place, what is missing is seen there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker import lint_codes
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import AddressParts, child_entries
from rulewright.document.document import Document
from rulewright.document.editing import entry_span
from rulewright.document.language import GAME_SECTIONS, PROVENANCE_KEYS, ROW_KEYS, keys_at
from rulewright.document.sentence_places import TEXT_KEY
from rulewright.source.nodes import Entry, MappingNode, Node, as_mapping

UNASKED_SECTIONS: Final = frozenset({"book", "kinds", "evaluation", "strategies", "measures"})  # no rules of play
CONDITION_KEY: Final = "when"  # of a step: what it asks is printed as it is written
PROCEDURE_KEY: Final = "run"  # a step that runs a procedure says what its steps say
UNASKED_KEYS: Final = frozenset({*PROVENANCE_KEYS, *ROW_KEYS})


def check_unsaid_rules(document: Document, diagnostics: Diagnostics) -> None:
    """Reports rules without a sentence, in a game that has others in files of texts."""
    rules = [
        rule
        for entry in document.root
        if entry.key.text in GAME_SECTIONS and entry.key.text not in UNASKED_SECTIONS
        for rule in _rules(entry.value, (entry.key.text,))
    ]
    if not any(_stands_apart(entry) for _, entry in rules):
        return
    for parts, entry in rules:
        if TEXT_KEY not in as_mapping(entry.value):
            address = ".".join(parts)
            diagnostics.add(
                entry_span(entry),
                lint_codes.NO_SENTENCE,
                f"no sentence for `{address}` in any language",
                label="the rulebook cannot say it",
                help=f"write `{address}: …` in the English file of texts, or `text: …` here",
                address=address,
            )


def _rules(node: Node, parts: AddressParts) -> Iterator[tuple[AddressParts, Entry]]:
    """The rules below an address that can have a sentence."""
    for entry in child_entries(node):
        name = entry.key.text
        child_parts = (*parts, name)
        keys = keys_at(child_parts)
        if TEXT_KEY in keys and name != CONDITION_KEY and PROCEDURE_KEY not in as_mapping(entry.value):
            yield child_parts, entry
        if name not in UNASKED_KEYS:
            yield from _rules(entry.value, child_parts)


def _stands_apart(entry: Entry) -> bool:
    """Whether the sentence of a rule stands in another file than the rule."""
    text = entry.value.entry(TEXT_KEY) if isinstance(entry.value, MappingNode) else None
    return text is not None and text.key.span.source.path != entry.key.span.source.path


__all__ = ["check_unsaid_rules"]
