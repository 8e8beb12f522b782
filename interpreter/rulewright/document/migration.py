"""Rule files of the version of the language before, in the words of today.

In: the node of a file. Out: its text with other words; comments, order and spaces stay. What has another name is
said by the schemas (`x-formerly`), so that this knows where a word is the language's and where it is the author's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.document.address import child_entries, is_ordered_list, split_address
from rulewright.document.language import (
    CHANGE_KEYS,
    GAME_SECTIONS,
    LANGUAGE_VERSION,
    OFFER_VERBS,
    AddressParts,
    current_address,
    current_word,
    keys_at,
    keys_by_former_key,
)
from rulewright.frozen import frozen
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode

ADDRESS: Final = re.compile(r"[a-z_]+(\.[a-z0-9][a-z0-9_-]*)+")
DESCENDING: Final = re.compile(r"0 - ([^+-]+)")  # how a descending order was written
RULE_FILES: Final = ("game", "part", "variant")  # by their first key; in other files only addresses are rewritten


@frozen
class Edit:
    """Characters `start` to `end` of a text become `new`."""

    start: int
    end: int
    new: str


def migrate_text(root: Node) -> tuple[str, int]:
    """The text of a file in the words of today, and how many words have changed."""
    text = root.span.source.text
    edits = {edit.start: edit for edit in _file_edits(root)}
    for start in sorted(edits, reverse=True):
        text = text[:start] + edits[start].new + text[edits[start].end :]
    return text, len(edits)


def _file_edits(root: Node) -> Iterator[Edit]:
    yield from _address_edits(root)
    if not isinstance(root, MappingNode) or not root.entries:
        return
    head = root.entries[0].key.text
    version = root.get("language")
    if isinstance(version, ScalarNode) and version.text != str(LANGUAGE_VERSION) and head in RULE_FILES:
        yield Edit(version.span.start, version.span.end, str(LANGUAGE_VERSION))
    if head == "variant":
        for entry in root.entries:
            if entry.key.text in CHANGE_KEYS and isinstance(entry.value, MappingNode):
                for change in entry.value.entries:
                    yield from _node_edits(change.value, current_address(split_address(change.key.text)))
    elif head in RULE_FILES:
        for entry in root.entries:
            if entry.key.text in GAME_SECTIONS:
                yield from _node_edits(entry.value, (entry.key.text,))


def _address_edits(node: Node) -> Iterator[Edit]:
    """Edits of all addresses, wherever they stand: as keys, in lists, alone."""
    match node:
        case ScalarNode(value=str()):
            yield from _address_edit(node)
        case MappingNode(entries=entries):
            for entry in entries:
                yield from _address_edit(entry.key)
                yield from _address_edits(entry.value)
        case SequenceNode(items=items):
            for item in items:
                yield from _address_edits(item)


def _address_edit(node: ScalarNode) -> Iterator[Edit]:
    if not ADDRESS.fullmatch(node.text):
        return
    parts = split_address(node.text)
    current = current_address(parts)
    if current != parts and parts[0] in GAME_SECTIONS:
        yield Edit(node.subspan(0, 0).start, node.subspan(0, len(node.text)).end, ".".join(current))


def _node_edits(node: Node, parts: AddressParts) -> Iterator[Edit]:
    """Edits of the keys and words at an address of today, and of all below."""
    match node:
        case ScalarNode():
            word = current_word(parts, node.text)
            if word != node.text:
                yield _replaced(node, word)
        case MappingNode(entries=entries):
            former, known = keys_by_former_key(parts), keys_at(parts)
            for entry in entries:
                yield from _entry_edits(entry, parts, former if entry.key.text not in known else {})
        case SequenceNode():
            if is_ordered_list(parts) or (parts and parts[-1] in OFFER_VERBS):
                for entry in child_entries(node):
                    yield from _node_edits(entry.value, (*parts, entry.key.text))


def _entry_edits(entry: Entry, parts: AddressParts, former: Mapping[str, str]) -> Iterator[Edit]:
    key = former.get(entry.key.text, entry.key.text)
    if key == "lowest_first" and key != entry.key.text and isinstance(entry.value, ScalarNode):
        descending = DESCENDING.fullmatch(entry.value.text)
        if descending:
            yield _replaced(entry.key, "highest_first")
            yield _replaced(entry.value, descending[1])
            return
    if key != entry.key.text:
        yield _replaced(entry.key, key)
    yield from _node_edits(entry.value, (*parts, key))


def _replaced(node: ScalarNode, new: str) -> Edit:
    """Another text inside of whatever quotes there are."""
    return Edit(node.subspan(0, 0).start, node.subspan(0, len(node.text)).end, new)


__all__ = ["migrate_text"]
