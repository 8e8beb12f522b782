"""Applies the changes of a variant: something is set, adjusted, added, inserted or removed at an address.

In: the `LayerEdit` and its `Change`s. Out: edited rules, which share with the old ones all that did not change, or a
diagnostic at the variant's line when a precondition does not hold: a `set` needs a value there, an `add` none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.diagnostics import Diagnostics, Related
from rulewright.document import codes as document_codes
from rulewright.document.address import (
    AddressParts,
    child_entries,
    child_entry,
    is_choices,
    is_ordered_list,
    is_rows,
    named_items,
    normalize_lists_once,
    split_address,
)
from rulewright.document.editing import (
    adjust_value,
    entry_span,
    is_equal,
    is_equivalent,
    look_up,
    resolve_address,
    with_entries,
)
from rulewright.document.language import (
    FIXED_KEYS,
    KIND_KEYS,
    VERBS,
    keys_at,
    principal_key,
)
from rulewright.document.sentence_places import (
    TITLE_KEY,
    find_sentence_entry,
    has_own_title,
    place_sentence,
    rule_parts,
    sentence_entry,
)
from rulewright.frozen import replace
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.suggestions import join_hints, list_names
from rulewright.variants import codes
from rulewright.variants.change import Change, Operation
from rulewright.variants.change_places import entries_with, find_parent, insert_entry, mark_list, new_entry, parent_note
from rulewright.variants.layer_edit import LayerEdit, quote_node, related_change
from rulewright.variants.other_numbers import is_needed_elsewhere

LEAVE_OUT: Final = "leave the change out"
ENTRY_DEPTH: Final = 2  # of the address of an entry: its section and its name


def apply_changes(edit: LayerEdit, changes: list[Change]) -> list[Change]:
    """Applies the changes of one operation and variant in one collection; returns those that were applied."""
    applied = [change for change in changes[:1] if apply_change(edit, change)]
    # the first may have made the collection; most others are applied in one edit, which saves copying it for each
    bulk, others = _split_bulk_changes(edit, changes[1:])
    if bulk:
        parent_parts, by = bulk[0].parts[:-1], bulk[0].key.span
        if bulk[0].operation == "add":
            entries = tuple(new_entry(edit, change) for change in bulk)
            edit.edit(parent_parts, lambda node: with_entries(node, (*child_entries(node), *entries)), by)
        else:
            names = {change.parts[-1] for change in bulk}
            edit.applied_removals |= {change.parts: change.variant for change in bulk}
            edit.edit(parent_parts, lambda node: with_entries(node, _entries_without(node, names)), by)
            _remove_member_names(edit, parent_parts, names)
    return [*applied, *bulk, *[change for change in others if apply_change(edit, change)]]


def _entries_without(node: Node, names: set[str]) -> tuple[Entry, ...]:
    return tuple(entry for entry in child_entries(node) if entry.key.text not in names)


def _split_bulk_changes(edit: LayerEdit, changes: list[Change]) -> tuple[list[Change], list[Change]]:
    """The additions of new names, or removals of existing ones, that one edit can apply; and all other changes."""
    if not changes or changes[0].operation not in ("add", "remove"):
        return [], changes
    is_addition, written_parent = changes[0].operation == "add", changes[0].parts[:-1]
    parent_parts = edit.resolve_member(changes[0])[:-1]
    lookup = look_up(edit.root, parent_parts)
    can_be_bulk = (
        len(lookup.entries) == len(parent_parts) > 0 and edit.foreign_addition(changes[0], parent_parts) is None
    )
    if (
        not can_be_bulk
        or parent_parts[0] in FIXED_KEYS
        or isinstance(lookup.node, ScalarNode)
        or (is_addition and is_ordered_list(parent_parts))
    ):
        return [], changes
    if changes[0].item is not None and not _is_name_list(changes[0], parent_parts, lookup.node):
        return [], changes
    if is_addition and isinstance(lookup.node, SequenceNode) and named_items(lookup.node) is None:
        return [], changes
    if is_addition and principal_key(parent_parts) and not isinstance(lookup.node, MappingNode):
        return [], changes
    names = {entry.key.text for entry in child_entries(lookup.node)}
    bulk, others = list[Change](), list[Change]()
    for change in changes:
        name, parts = change.parts[-1], (*parent_parts, change.parts[-1])
        is_kind_key = parent_parts[0] == "kinds" and len(written_parent) < 3 and name in KIND_KEYS
        if is_kind_key or (name in names) == is_addition or edit.foreign_addition(change, parts) is not None:
            others.append(change)
            continue
        (names.add if is_addition else names.discard)(name)
        bulk.append(replace(change, parts=parts))
    return bulk, others


def apply_change(edit: LayerEdit, change: Change) -> bool:
    """Applies one change; False when it was rejected."""
    if change.parts[0] in FIXED_KEYS:
        message = f"a variant cannot change `{change.parts[0]}`"
        entry = edit.root.entry(change.parts[0])
        related = [Related(entry.value.span, "defined here")] if entry is not None else []
        return edit.reject(change, codes.FIXED_ADDRESS, message, label="fixed", at=0, related=related)
    if change.operation in ("add", "insert", "remove"):
        change = replace(change, parts=edit.resolve_member(change))
    if change.item is not None and not _check_name_list(edit, change):
        return False
    return OPERATIONS[change.operation](edit, change)


# ---- lists of names
def _is_name_list(change: Change, parent_parts: AddressParts, node: Node) -> bool:
    """Whether names can be added to the node at an address, or removed from it, without a position."""
    if is_rows(parent_parts) or is_ordered_list(parent_parts):
        return True
    if parent_parts[0] == "kinds" and parent_parts[-1] == "names" and len(split_address(change.key.text)) == 2:
        return True  # the names of a new member, written with it
    return isinstance(node, SequenceNode) and named_items(node) is not None


def _check_name_list(edit: LayerEdit, change: Change) -> bool:
    """Whether the target of `extend` or `drop` is a list of names; reports it when it is not."""
    parent_parts = change.parts[:-1]
    lookup = look_up(edit.root, parent_parts)
    if len(lookup.entries) < len(parent_parts) or _is_name_list(change, parent_parts, lookup.node):
        return True
    keyword, instead = ("`extend`", "add") if change.operation == "add" else ("`drop`", "remove")
    target = "a section" if len(parent_parts) == 1 else quote_node(lookup.node)
    message = f"`{'.'.join(parent_parts)}` is {target}, not a list of names"
    hint = f"{keyword} is for lists; write it under `{instead if isinstance(lookup.node, MappingNode) else 'set'}`"
    lists = [entry.key.text for entry in child_entries(lookup.node) if isinstance(entry.value, SequenceNode)]
    if len(lists) == 1 and len(parent_parts) > 1:
        hint = f"write `{'.'.join((*parent_parts, lists[0]))}: […]`"
    related = [Related(lookup.entries[-1].key.span, "defined here")]
    return edit.reject(
        change, codes.NOT_A_LIST, message, label="not a list", help=hint, at=change.key.span, related=related
    )


# ---- the operations
def _replace_value(edit: LayerEdit, change: Change, parts: AddressParts, old: Entry, value: Node) -> None:
    """Replaces the value of an existing entry."""
    key = change.last_name() if parts == change.parts else old.key
    new = Entry(key, value, (*old.history, entry_span(old)))
    edit.writers.add((change.variant, parts))
    edit.edit(
        parts[:-1],
        lambda node: with_entries(node, tuple(new if entry is old else entry for entry in entries_with(node, old))),
    )


def _set(edit: LayerEdit, change: Change) -> bool:
    assert change.payload is not None
    parts = resolve_address(edit.root, change.parts, change.payload)
    lookup = edit.require(change, parts)
    if lookup is None:
        return False
    visible = edit.visible_lookup(change, lookup, parts)
    old = visible.entries[-1].value
    value = normalize_lists_once(change.payload, parts, edit.diagnostics)
    if change.expects is not None and not is_equivalent(
        normalize_lists_once(change.expects, parts, Diagnostics()), old, parts
    ):
        quoted = quote_node(old)
        message = f"`{change.address}` is {quoted}, but this variant expects {quote_node(change.expects)}"
        related = [Related(old.span, "current value")]
        label, span = f"it is {quoted}", change.expects.span
        hint = f"if the change is right all the same, write `expects: {quoted.strip('`')}`"
        return edit.reject(change, codes.UNEXPECTED_VALUE, message, label=label, help=hint, at=span, related=related)
    # another layer may have set this value; unless this variant is always applied after that one, the change is needed
    is_certain = not visible.has_history or old.span.source.path in edit.required_files.get(change.variant, ())
    is_without_effect = is_equivalent(value, old, parts) and is_certain and not change.is_setting
    players = edit.players.get(change.variant, range(0))
    if is_without_effect and not is_needed_elsewhere(edit.adjustments, players, edit.root, parts, value):
        message = f"`{change.address}` is already {quote_node(old)}"
        related, span = [Related(old.span, "defined here")], change.payload.span
        return edit.reject(
            change, codes.NO_CHANGE, message, label="changes nothing", help=LEAVE_OUT, at=span, related=related
        )
    key, names = principal_key(parts), value.keys() if isinstance(value, MappingNode) else ()
    is_part = (
        isinstance(old, MappingNode) and len(parts) == ENTRY_DEPTH and len(names) == 1 and names[0] in keys_at(parts)
    )
    key = names[0] if is_part else key
    before = [entry.key.text for entry in child_entries(old)] if isinstance(old, MappingNode) else []
    is_other_verb = key in VERBS and key not in before  # which takes the place of the one before
    dropped = [
        name
        for name in before
        if name != key and not (is_other_verb and name in VERBS) and (*parts, name) not in edit.sentences
    ]
    if key and dropped and names == (key,):
        message = f"setting all of `{change.address}` drops {', '.join(f'`{name}`' for name in dropped)}"
        hint = f"write `{change.address}: …` without `{key}` to change only that"
        if is_part and key != principal_key(parts):
            hint = f"write `{change.address}.{key}: …` to change only that"
        if is_other_verb:
            hint = f"write {'it' if len(dropped) == 1 else 'them'} here, too"
        related = [Related(old.span, "defined here")]
        edit.diagnostics.add(change.payload.span, codes.DROPS_KEYS, message, label="replaces all keys", help=hint,
            address=change.address, related=related)  # fmt: skip
    _replace_value(edit, change, parts, lookup.entries[-1], value)
    return True


def _adjust(edit: LayerEdit, change: Change) -> bool:
    assert change.payload is not None
    parts = resolve_address(edit.root, change.parts, change.new_value)
    lookup = edit.require(change, parts)
    if lookup is None:
        return False
    old = lookup.entries[-1]
    value = adjust_value(old.value, parts, change.payload)
    related = [Related(old.value.span, "current value")]
    if value is None:
        message = f"`{change.address}` is {quote_node(old.value)}, not a number"
        return edit.reject(change, codes.NOT_A_NUMBER, message, help="write it under `set`", related=related)
    if is_equal(value, old.value):
        message = f"`{change.address}` is already {quote_node(old.value)}"
        return edit.reject(change, codes.NO_CHANGE, message, label="changes nothing", help=LEAVE_OUT, related=related)
    _replace_value(edit, change, parts, old, value)
    return True


def _add(edit: LayerEdit, change: Change) -> bool:
    assert change.payload is not None
    parent = find_parent(edit, change)
    if parent is None or _report_existing(edit, change, parent):
        return False
    if change.parts[0] == "kinds" and isinstance(change.payload, ScalarNode) and isinstance(parent, SequenceNode):
        name = change.parts[-1]
        message = f"unexpected `{change.payload.text}`: a member is added by its name alone"
        label = "not a name"
        hint = f"write `extend: {{{'.'.join(change.parts[:2])}: [{name}]}}`, or write `{{}}` instead"
        return edit.reject(change, document_codes.WRONG_TYPE, message, label=label, help=hint, at=change.payload.span)
    if is_ordered_list(change.parts[:-1]):
        message = f"step `{change.parts[-1]}` added to an ordered list without a position"
        hint = f"write `insert: {{{change.address}: {{after: …}}}}`, or `before: …`, `at: start`, `at: end`"
        related = parent_note(edit, change)
        return edit.reject(change, codes.ADD_WITHOUT_PLACE, message, label="no position", help=hint, related=related)
    insert_entry(edit, change, parent, len(child_entries(parent)))
    return True


def _insert(edit: LayerEdit, change: Change) -> bool:
    assert change.anchor is not None
    assert isinstance(change.anchor.value, ScalarNode)
    position, sibling = change.anchor.key.text, change.anchor.value
    parent_parts = change.parts[:-1]
    parent = find_parent(edit, change)
    if parent is None:
        return False
    if not is_ordered_list(parent_parts) and not is_choices(parent_parts) and not isinstance(parent, SequenceNode):
        message = f"`{'.'.join(parent_parts)}` is not an ordered list"
        hint, related = "write it under `add`", parent_note(edit, change)
        if change.parts[0] == "procedures" and len(change.parts) == 3:
            hint = f"write `{'.'.join(parent_parts)}.do.{change.parts[-1]}`"
        return edit.reject(
            change, codes.NOT_AN_ORDERED_LIST, message, label="not an ordered list", help=hint, related=related
        )
    if _report_existing(edit, change, parent):
        return False
    names = [entry.key.text for entry in child_entries(parent)]
    foreign = edit.foreign_addition(change, (*parent_parts, sibling.text)) if position != "at" else None
    if position != "at" and (sibling.text not in names or foreign is not None):
        return _report_missing_sibling(edit, change, names)
    # several steps that one variant inserts at one anchor keep the order of its file
    previous = edit.last_inserted.get((change.variant, parent_parts, position, sibling.text))
    edit.last_inserted[change.variant, parent_parts, position, sibling.text] = change.parts[-1]
    if previous is not None and (position == "after" or sibling.text == "start"):
        index = names.index(previous) + 1
    elif position == "at":
        index = 0 if sibling.text == "start" else len(names)
    else:
        index = names.index(sibling.text) + (position == "after")
    insert_entry(edit, change, parent, index)
    return True


def _report_missing_sibling(edit: LayerEdit, change: Change, names: list[str]) -> bool:
    assert change.anchor is not None
    assert isinstance(change.anchor.value, ScalarNode)
    sibling, parent_parts = change.anchor.value, change.parts[:-1]
    message = f"no `{sibling.text}` in `{'.'.join(parent_parts)}` to insert {change.anchor.key.text}"
    if (change.variant, (*parent_parts, sibling.text)) in edit.rejected_additions:
        edit.rejected_additions.add((change.variant, change.parts))
        return False  # its own addition of that is what is reported
    meant = edit.did_you_mean(change, parent_parts, sibling.text, names)
    hint = join_hints(meant, list_names("names", names))
    code, related = codes.NO_SUCH_SIBLING, parent_note(edit, change)
    addition = edit.additions.get((*parent_parts, sibling.text))
    removal = edit.foreign_removal(change, (*parent_parts, sibling.text))
    if addition is not None and addition.variant != change.variant:
        message = f"`{sibling.text}` only exists because `{addition.variant}` adds it"
        hint = f"add `requires: {addition.variant}` or `after: {addition.variant}`"
        related.append(related_change(addition))
    elif addition is not None and addition is not change and sibling.text != change.parts[-1]:
        hint = f"`{sibling.text}` is inserted further down: insert it first"
    elif removal is not None:
        message = f"{message}: removed by `{removal.variant}`"
        related.append(related_change(removal))
    return edit.reject(change, code, message, label="not found", help=hint, at=sibling.span, related=related)


def _remove(edit: LayerEdit, change: Change) -> bool:
    removers = (edit.applied_removals.get(change.parts[:length], "") for length in range(1, len(change.parts) + 1))
    if any(remover not in ("", change.variant) for remover in removers):
        mark_list(edit, change)
        return True  # another variant of the layer removes it too: each can be chosen without the other
    lookup = edit.require(change, change.parts)
    if lookup is None:
        return False
    parent_parts, name = change.parts[:-1], change.parts[-1]
    edit.applied_removals[change.parts] = change.variant
    edit.edit(parent_parts, lambda node: with_entries(node, _entries_without(node, {name})), change.key.span)
    _remove_member_names(edit, parent_parts, {name})
    edit.titles = {
        address: title
        for address, title in edit.titles.items()
        if split_address(address)[: len(change.parts)] != change.parts
    }
    return True


def _remove_member_names(edit: LayerEdit, parent_parts: AddressParts, names: set[str]) -> None:
    """Removes the names of members of a kind that were removed."""
    if parent_parts[:1] == ("kinds",) and parent_parts[2:] == ("members",):
        names_parts = (*parent_parts[:2], "names")
        if len(look_up(edit.root, names_parts).entries) == len(names_parts):
            edit.edit(names_parts, lambda node: with_entries(node, _entries_without(node, names)))


def _say(edit: LayerEdit, change: Change) -> bool:
    """Gives a rule a sentence, or another one."""
    assert change.payload is not None
    parts = change.parts
    if parts[-1] == TITLE_KEY and not has_own_title(parts):
        address = ".".join(parts[:-1])
        old = edit.titles.get(address)
        edit.titles = {**edit.titles, address: sentence_entry(parts, change.key, change.payload, old)}
        return True
    if edit.require(change, rule_parts(parts)) is None:
        return False
    old = find_sentence_entry(edit.root, parts)
    edit.writers.add((change.variant, parts))
    edit.root = place_sentence(edit.root, parts, sentence_entry(parts, change.key, change.payload, old))
    return True


OPERATIONS: Final[dict[Operation, Callable[[LayerEdit, Change], bool]]] = {
    "set": _set,
    "adjust": _adjust,
    "add": _add,
    "insert": _insert,
    "sentences": _say,
    "remove": _remove,
}


def _report_existing(edit: LayerEdit, change: Change, parent: Node) -> bool:
    existing = child_entry(parent, change.parts[-1])
    if existing is None:
        return False
    addition = edit.applied_additions.get(change.parts)
    if addition is not None and addition.variant != change.variant and change.payload is not None:
        # another variant of this layer adds it too, with the same content: otherwise it is a reported conflict
        if isinstance(parent, MappingNode):
            _replace_value(edit, change, change.parts, existing, new_entry(edit, change).value)
        else:
            mark_list(edit, change)
        return True
    is_name = isinstance(change.payload, MappingNode) and not change.payload.entries
    hint = "remove it" if is_name else "to change it, write it under `set`"
    if is_ordered_list(change.parts):
        hint = f"to add a step, use `insert`: `{change.address}.NAME: {{after: …}}`"
    elif len(change.parts) == 1:
        hint = f"to add to it, write `{change.address}.NAME: …`"
    elif isinstance(existing.value, SequenceNode) and named_items(existing.value) is not None:
        hint = f"to add names to it, use `extend`: `{change.address}: […]`"
    elif added := _address_of_new(change.address, existing.value, change.payload):
        hint = f"to add to it, write the whole address: `{added}: …`"
    related = [Related(existing.key.span, "defined here")]
    message = f"`{change.address}` already exists"
    edit.reject(change, codes.ALREADY_THERE, message, label="already exists", help=hint, related=related)
    return True


def _address_of_new(address: str, existing: Node, payload: Node | None) -> str:
    """The address of the first part of a value that is not there yet, if all of it is new or around something new."""
    if not isinstance(payload, MappingNode) or not isinstance(existing, MappingNode) or len(payload.entries) != 1:
        return ""
    (entry,) = payload.entries
    below = existing.get(entry.key.text)
    name = f"{address}.{entry.key.text}"
    return name if below is None else _address_of_new(name, below, entry.value)


__all__ = ["apply_changes"]
