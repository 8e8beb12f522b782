"""Adds what the game knows to a diagnostic about the shape of a variant: which rule is meant, and its place.

In: a diagnostic about a variant file, and the game it is for. Out: the diagnostic, with a hint that gives the address
of a rule written among the variant's own keys, or with the place in the game of the rule that is set.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostic, Related
from rulewright.document import codes as document_codes
from rulewright.document.address import child_entries, split_address
from rulewright.document.document import Document
from rulewright.document.editing import entry_span, look_up, replacement_note, resolve_address
from rulewright.document.language import HEAD_KEYS
from rulewright.frozen import replace
from rulewright.source.nodes import MappingNode, Node
from rulewright.suggestions import closest_name

NON_WORD_STARTS: Final = "{[|>&*!'\"#"  # a value that begins with one of these is more than a word


def add_address_hint(diagnostic: Diagnostic, base: Document) -> Diagnostic:
    """The diagnostic; one about an unknown key that is a name in a section of the game gets its address."""
    if diagnostic.code is not document_codes.UNKNOWN_KEY or diagnostic.address:
        return diagnostic
    name = diagnostic.span.text
    addresses = {
        entry.key.text: f"{section.key.text}.{entry.key.text}"
        for section in reversed(base.root.entries)
        if section.key.text not in HEAD_KEYS
        for entry in child_entries(section.value)
    }
    # a misspelled key of the variant itself is likelier than a misspelled rule
    closest = name if name in addresses or diagnostic.fix is not None else closest_name(name, addresses)
    if closest not in addresses:
        return diagnostic
    rest = diagnostic.span.source.line_text(diagnostic.span.line)[diagnostic.span.column - 1 + len(name) :].partition(
        " #"
    )[0]
    value = rest.removeprefix(":").strip()
    if not value or len(value) > limits.MAX_QUOTED_IN_HINT or value[0] in NON_WORD_STARTS:
        value = "…"
    hint = f"write it under `set:`, with its address: `set: {{{addresses[closest]}: {value}}}`"
    return replace(diagnostic, help=hint, fix=None)


def add_target_note(diagnostic: Diagnostic, variant: Node | None, base: Document) -> Diagnostic:
    """The diagnostic; one inside a value that the variant sets gets the place of the old value in the game."""
    section = variant.get("set") if isinstance(variant, MappingNode) else None
    changes = section.entries if isinstance(section, MappingNode) else ()
    place = bisect_right(changes, diagnostic.span.start, key=lambda entry: entry.key.span.start) - 1
    entry = changes[place] if place >= 0 else None
    if entry is not None and any(node.span.contains(diagnostic.span) for node in (entry.key, entry.value)):
        parts = split_address(entry.key.text)
        lookup = look_up(base.root, resolve_address(base.root, parts, entry.value))
        if len(lookup.entries) >= len(parts):
            target = entry_span(lookup.entries[-1])
            return replace(diagnostic, related=(Related(target, replacement_note(target)), *diagnostic.related))
    return diagnostic


__all__ = ["add_address_hint", "add_target_note"]
