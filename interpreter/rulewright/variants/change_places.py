"""Where a change of a variant puts what it adds: the collection, which may have to be made first, and the new entry.

In: the `LayerEdit` and a `Change`. Out: nodes, or None with a diagnostic where there is no such collection.
"""

from __future__ import annotations

from rulewright.diagnostics import Related
from rulewright.document.address import child_entries, is_rows, named_items, normalize_lists_once
from rulewright.document.editing import Lookup, look_up, with_entries
from rulewright.document.language import GAME_SECTIONS, HEAD_KEYS, KIND_NAME_KEYS, can_be_empty, principal_key
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.variants import codes
from rulewright.variants.change import Change
from rulewright.variants.layer_edit import LayerEdit, quote_node


def parent_note(edit: LayerEdit, change: Change) -> list[Related]:
    """The collection that a change adds to, as a related place, when it exists."""
    parent_parts = change.parts[:-1]
    lookup = look_up(edit.root, parent_parts)
    return (
        [Related(lookup.entries[-1].key.span, f"`{'.'.join(parent_parts)}` is defined here")]
        if len(lookup.entries) == len(parent_parts)
        else []
    )


def find_parent(edit: LayerEdit, change: Change) -> Node | None:
    """The collection that a change adds to; an optional one is created when it is not written."""
    parent_parts = change.parts[:-1]
    if not parent_parts:
        if change.parts[0] in (*GAME_SECTIONS, *HEAD_KEYS):
            return edit.root
        edit.report_missing(change, Lookup((), edit.root), change.parts)
        return None
    if (
        parent_parts[0] == "kinds"
        and len(parent_parts) == 3
        and isinstance(look_up(edit.root, parent_parts[:2]).node, SequenceNode)
    ):
        edit.add_principal_key(parent_parts[:2], "members")
    lookup = look_up(edit.root, parent_parts)
    if (
        len(lookup.entries) == len(parent_parts) - 1
        and can_be_empty(parent_parts)
        and isinstance(lookup.node, MappingNode)
    ):
        if edit.foreign_addition(change, parent_parts) is not None:
            edit.require(change, parent_parts)
            return None
        name = parent_parts[-1]
        key = ScalarNode(name, name, change.name_span(len(parent_parts) - 1))
        empty = Entry(key, MappingNode((), change.span))
        edit.edit(
            parent_parts[:-1], lambda parent_node: with_entries(parent_node, (*child_entries(parent_node), empty))
        )
        return empty.value
    parent = edit.require(change, parent_parts)
    if parent is None:
        return None
    parent_node = parent.node
    principal = (
        "members" if parent_parts[0] == "kinds" and change.parts[-1] in KIND_NAME_KEYS else principal_key(parent_parts)
    )
    if principal and len(parent_parts) > 1 and not isinstance(parent_node, MappingNode):
        return edit.add_principal_key(parent_parts, principal)
    if isinstance(parent_node, ScalarNode) or (
        isinstance(parent_node, SequenceNode) and named_items(parent_node) is None
    ):
        message = f"`{'.'.join(parent_parts)}` is {quote_node(parent_node)}, which has no entries to add to"
        related = [Related(parent_node.span, "defined here")]
        edit.reject(change, codes.NO_SUCH_ADDRESS, message, label="not found", related=related)
        return None
    return parent_node


def mark_list(edit: LayerEdit, change: Change) -> None:
    """Marks a list that is already as this change wants it as written by it, too."""
    if len(look_up(edit.root, change.parts[:-1]).entries) == len(change.parts) - 1:
        edit.edit(change.parts[:-1], lambda node: node, change.key.span)


def insert_entry(edit: LayerEdit, change: Change, parent: Node, index: int) -> None:
    """Puts the new entry of a change among those of a collection."""
    assert change.payload is not None
    entry, previous = new_entry(edit, change), child_entries(parent)
    by = change.key.span
    edit.edit(change.parts[:-1], lambda node: with_entries(node, (*previous[:index], entry, *previous[index:])), by)


def new_entry(edit: LayerEdit, change: Change) -> Entry:
    """The new entry of an addition or insertion."""
    assert change.payload is not None
    entry = Entry(change.last_name(), normalize_lists_once(change.payload, change.parts, edit.diagnostics))
    if is_rows(change.parts[:-1]) and isinstance(entry.value, MappingNode):
        fields = tuple(entry for entry in entry.value.entries if entry.key.text != "id")
        entry = Entry(entry.key, MappingNode(fields, entry.value.span))
    edit.applied_additions[change.parts] = change
    return entry


def entries_with(node: Node, old: Entry) -> tuple[Entry, ...]:
    """The entries of a node with `old` itself among them: those of a list of words are made anew on each access."""
    return tuple(old if entry.key is old.key else entry for entry in child_entries(node))


__all__ = ["entries_with", "find_parent", "insert_entry", "mark_list", "new_entry", "parent_note"]
