"""What is wrong with a variant's writing, seen beside its game: which rule is meant, and what stands there.

In: a complaint about how a variant is written, and the game it is for. Out: the complaint; with a help that names the
address of a rule that stands among the variant's own keys; with the place in the game of what is set.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostic, Related, Span
from rulewright.document import codes
from rulewright.document.address import child_entries, split_address
from rulewright.document.document import HEAD_KEYS, Document
from rulewright.document.editing import entry_span, look_up, replacement_note, resolve_address
from rulewright.source.nodes import MappingNode, Node
from rulewright.suggestions import closest_name

NON_WORD_STARTS: Final = "{[|>&*!'\"#"  # with these begins what is more than a word


def add_address_hint(one: Diagnostic, base: Document) -> Diagnostic:
    """The complaint; when it is about an unknown key that is a name in a section of the game, with its address."""
    if one.code is not codes.UNKNOWN_KEY or one.address:
        return one
    name = one.span.source.text[one.span.start : one.span.end]
    addresses = {
        inner.key.text: f"{section.key.text}.{inner.key.text}"
        for section in reversed(base.root.entries)
        if section.key.text not in HEAD_KEYS
        for inner in child_entries(section.value)
    }
    # a misspelt key of the variant itself is likelier than a misspelt rule
    near = name if name in addresses or one.help.startswith("did you mean") else closest_name(name, addresses)
    if near not in addresses:
        return one
    after = one.span.source.line_text(one.span.line)[one.span.column - 1 + len(name) :].partition(" #")[0]
    value = after.removeprefix(":").strip()
    if not value or len(value) > limits.MAX_QUOTED_IN_HINT or value[0] in NON_WORD_STARTS:
        value = "…"
    return replace(one, help=f"write it under `set:`, with its address: `set: {{{addresses[near]}: {value}}}`")


def add_target_note(one: Diagnostic, variant: Node | None, base: Document) -> Diagnostic:
    """The complaint; within what a variant sets, with what stands there in the game."""
    section = variant.get("set") if isinstance(variant, MappingNode) else None
    for entry in section if isinstance(section, MappingNode) else ():
        parts = split_address(entry.key.text)
        if any(_holds(node.span, one.span) for node in (entry.key, entry.value)):
            way = look_up(base.root, resolve_address(base.root, parts, entry.value))
            if len(way.entries) >= len(parts):
                there = entry_span(way.entries[-1])
                return replace(one, related=(Related(there, replacement_note(there)), *one.related))
    return one


def _holds(whole: Span, part: Span) -> bool:
    return whole.source is part.source and whole.start <= part.start and part.end <= whole.end


__all__ = ["add_address_hint", "add_target_note"]
