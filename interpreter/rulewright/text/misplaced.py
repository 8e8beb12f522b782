"""A rule of the game that a variant names where only its own keys stand: the complaint says how it is changed.

In: a complaint about a variant, and the game it is for. Out: the complaint, with a help that names the rule's address.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rulewright.diagnostics import Diagnostic, closest
from rulewright.text import codes_shape as codes
from rulewright.text.address import children
from rulewright.text.document import HEAD, Document

MOST_REPEATED: Final = 40  # characters of a value that a help repeats
OPENING: Final = "{[|>&*!'\"#"  # with these begins what is more than a word


def with_address(one: Diagnostic, base: Document) -> Diagnostic:
    """The complaint; when it is about an unknown key that is a name in a section of the game, with its address."""
    if one.code is not codes.UNKNOWN_KEY or one.address:
        return one
    name = one.span.source.text[one.span.start : one.span.end]
    addresses = {
        inner.key.text: f"{section.key.text}.{inner.key.text}"
        for section in reversed(base.root.entries)
        if section.key.text not in HEAD
        for inner in children(section.value)
    }
    # a misspelt key of the variant itself is likelier than a misspelt rule
    near = name if name in addresses or one.help.startswith("did you mean") else closest(name, addresses)
    if near not in addresses:
        return one
    after = one.span.source.line(one.span.line)[one.span.column - 1 + len(name) :].partition(" #")[0]
    value = after.removeprefix(":").strip()
    if not value or len(value) > MOST_REPEATED or value[0] in OPENING:
        value = "…"
    return replace(one, help=f"write it under `set:`, with its address: `set: {{{addresses[near]}: {value}}}`")


__all__ = ["with_address"]
