"""Rule files of the version of the language before, in the words of today.

In: the node of a file. Out: its text with other words; comments, order and spaces stay. What has another name is
said by the schemas (`x-formerly`), so that this knows where a word is the language's and where it is the author's.
"""

from __future__ import annotations

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
    former_keys_of,
    former_words_of_shown,
    keys_at,
    keys_by_former_key,
    ordered_principal_key,
)
from rulewright.document.migration.migration_edits import Edit, apply_edits, removals, replaced
from rulewright.document.migration.migration_texts import renamed_sentences
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_items, as_mapping

ADDRESS: Final = lazy_pattern(r"[a-z_]+(\.[a-z0-9][a-z0-9_-]*)+")
DESCENDING: Final = lazy_pattern(r"0 - ([^+-]+)")  # how a descending order was written
CHANGE_FILES: Final = ("variant", "joins", "adjusts")
RULE_FILES: Final = (
    *("game", "part", "part_of"),
    *CHANGE_FILES,
)  # by their first key; in other files only addresses are rewritten
FORMER_PART_SCHEMA: Final = "part.schema.json"
FORMER_RULES_KEY: Final = "nodes"  # of a statement


def migrate_text(root: Node) -> tuple[str, int]:
    """The text of a file in the words of today, and how many words have changed."""
    edits = {edit.start: edit for edit in _file_edits(root)}
    return apply_edits(root.span.source.text, edits.values()), len(edits)


def _file_edits(root: Node) -> Iterator[Edit]:
    yield from _address_edits(root)
    if not isinstance(root, MappingNode) or not root.entries:
        return
    head = root.entries[0].key.text
    if former_keys_of("display").get(head, head) == "display":
        yield from _display_edits(root)
    if head == "texts":
        for key, address in renamed_sentences(root):
            yield replaced(key, ".".join(current_address(split_address(address))))
    version = root.get("language")
    if isinstance(version, ScalarNode) and version.text != str(LANGUAGE_VERSION) and head in RULE_FILES:
        yield Edit(version.span.start, version.span.end, str(LANGUAGE_VERSION))
    if head == "part":
        yield from _part_edits(root)
    if head in CHANGE_FILES:
        for entry in root.entries:
            if former_keys_of("variant").get(entry.key.text, entry.key.text) == "display":
                yield from _display_edits(entry.value)
            if entry.key.text in former_keys_of("variant"):
                yield replaced(entry.key, former_keys_of("variant")[entry.key.text])
            if entry.key.text in CHANGE_KEYS and isinstance(entry.value, MappingNode):
                for change in entry.value.entries:
                    yield from _node_edits(change.value, current_address(split_address(change.key.text)))
    elif head == "statements":
        for statement in as_items(root.get("list")):
            rules = as_mapping(statement).entry(FORMER_RULES_KEY)
            if rules is not None:
                yield replaced(rules.key, "rules")
    elif head in RULE_FILES:
        for entry in root.entries:
            if entry.key.text in GAME_SECTIONS:
                yield from _node_edits(entry.value, (entry.key.text,))


def _part_edits(root: MappingNode) -> Iterator[Edit]:
    """The name of a part goes; its game becomes the first key, also in the comment that names a schema."""
    first, game, text = root.entries[0], root.entry("for"), root.span.source.text
    if game is None or not isinstance(game.value, ScalarNode) or not isinstance(first.value, ScalarNode):
        return
    yield replaced(first.key, "part_of")
    yield replaced(first.value, game.value.text)
    yield from removals(root, [game])
    schema = text.find(FORMER_PART_SCHEMA, 0, first.key.span.start)
    if schema >= 0:
        yield Edit(schema, schema + len(FORMER_PART_SCHEMA), "part_of.schema.json")


def _display_edits(node: Node) -> Iterator[Edit]:
    """How a game is drawn, in a file or in a variant: its top keys had other names, and when a state is shown."""
    looks = as_mapping(as_mapping(node).get("state")) if "state" in as_mapping(node) else ()
    for look in looks:
        shown = as_mapping(look.value).get("shown")
        if isinstance(shown, ScalarNode) and shown.text in former_words_of_shown():
            yield replaced(shown, former_words_of_shown()[shown.text])
    for entry in as_mapping(node):
        if entry.key.text in former_keys_of("display"):
            yield replaced(entry.key, former_keys_of("display")[entry.key.text])


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
                yield replaced(node, word)
        case MappingNode(entries=entries):
            former, known = keys_by_former_key(parts), keys_at(parts)
            for entry in entries:
                yield from _entry_edits(entry, parts, former if entry.key.text not in known else {})
        case SequenceNode():
            if key := ordered_principal_key(parts):
                parts = (*parts, key)
            if is_ordered_list(parts) or (parts and parts[-1] in OFFER_VERBS):
                for entry in child_entries(node):
                    yield from _node_edits(entry.value, (*parts, entry.key.text))


def _entry_edits(entry: Entry, parts: AddressParts, former: Mapping[str, str]) -> Iterator[Edit]:
    key = former.get(entry.key.text, entry.key.text)
    if key == "lowest_first" and key != entry.key.text and isinstance(entry.value, ScalarNode):
        descending = DESCENDING.fullmatch(entry.value.text)
        if descending:
            yield replaced(entry.key, "highest_first")
            yield replaced(entry.value, descending[1])
            return
    if key != entry.key.text:
        yield replaced(entry.key, key)
    yield from _node_edits(entry.value, (*parts, key))


__all__ = ["migrate_text"]
