"""Carries out one line of a variant: something is set, adjusted, added, inserted or removed at an address.

In: the rules under work and a `Change`. Out: rules in which all that did not change is shared with the old, or a
complaint at the variant's line when what the change intends is not so: a `set` needs something there, an `add` nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rulewright.diagnostics import Diagnostics, Related
from rulewright.document import codes
from rulewright.document.address import (
    AddressParts,
    child_entries,
    child_entry,
    is_choices,
    is_ordered_list,
    is_rows,
    named_items,
    normalize_lists,
    split_address,
)
from rulewright.document.document import GAME_SECTIONS, HEAD_KEYS
from rulewright.document.editing import (
    KIND_KEYS,
    Lookup,
    adjust_value,
    can_be_empty,
    entry_span,
    is_equal,
    is_equivalent,
    look_up,
    principal_key,
    resolve_address,
    with_entries,
)
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.suggestions import did_you_mean, list_names
from rulewright.variants.layer_edit import FIXED_KEYS, LayerEdit, join_hints, quote_node, related_change
from rulewright.variants.variant import Change, Operation

KIND_NAME_KEYS: Final = ("names", "text", "source", "status")  # of a kind; any other name is a member


def apply_changes(work: LayerEdit, changes: list[Change]) -> list[Change]:
    """Carries out changes of one verb and variant in one collection; gives those that were not refused."""
    applied = [change for change in changes[:1] if apply_change(work, change)]
    # the first may have made the collection; most others need no new one each, and so are carried out at once
    at_once, others = _at_once(work, changes[1:])
    if at_once:
        above, by = at_once[0].parts[:-1], at_once[0].key.span
        if at_once[0].operation == "add":
            entries = tuple(_made(work, change) for change in at_once)
            work.edit(above, lambda node: with_entries(node, (*child_entries(node), *entries)), by)
        else:
            gone = {change.parts[-1] for change in at_once}
            work.applied_removals |= {change.parts: change.variant for change in at_once}
            work.edit(above, lambda node: with_entries(node, _without(node, gone)), by)
            _forget_names(work, above, gone)
    return [*applied, *at_once, *[change for change in others if apply_change(work, change)]]


def _without(node: Node, names: set[str]) -> tuple[Entry, ...]:
    return tuple(one for one in child_entries(node) if one.key.text not in names)


def _at_once(work: LayerEdit, changes: list[Change]) -> tuple[list[Change], list[Change]]:
    """Additions of new names, and removals of those that are there, in a collection that is there; all others."""
    if not changes or changes[0].operation not in ("add", "remove"):
        return [], changes
    adds, named = changes[0].operation == "add", changes[0].parts[:-1]
    above = work.resolve_member(changes[0])[:-1]
    way = look_up(work.root, above)
    found = len(way.entries) == len(above) > 0 and work.foreign_addition(changes[0], above) is None
    if not found or above[0] in FIXED_KEYS or isinstance(way.node, ScalarNode) or (adds and is_ordered_list(above)):
        return [], changes
    if changes[0].item is not None and not _is_list(changes[0], above, way.node):
        return [], changes
    if adds and isinstance(way.node, SequenceNode) and named_items(way.node) is None:
        return [], changes
    if adds and principal_key(above) and not isinstance(way.node, MappingNode):
        return [], changes
    names = {entry.key.text for entry in child_entries(way.node)}
    at_once, others = list[Change](), list[Change]()
    for change in changes:
        name, parts = change.parts[-1], (*above, change.parts[-1])
        own_key = above[0] == "kinds" and len(named) < 3 and name in KIND_KEYS
        if own_key or (name in names) == adds or work.foreign_addition(change, parts) is not None:
            others.append(change)
            continue
        (names.add if adds else names.discard)(name)
        at_once.append(replace(change, parts=parts))
    return at_once, others


def apply_change(work: LayerEdit, change: Change) -> bool:
    """Carries out one change; False when it was refused."""
    if change.parts[0] in FIXED_KEYS:
        message = f"`{change.parts[0]}` belongs to the game itself: no variant changes it"
        entry = work.root.entry(change.parts[0])
        related = [Related(entry.value.span, "it stands here")] if entry is not None else []
        return work.reject(change, codes.FIXED_ADDRESS, message, label="fixed", at=0, related=related)
    if change.operation in ("add", "insert", "remove"):
        change = replace(change, parts=work.resolve_member(change))
    if change.item is not None and not _grows(work, change):
        return False
    return OPERATIONS[change.operation](work, change)


# ---- lists of names
def _is_list(change: Change, above: AddressParts, node: Node) -> bool:
    """Whether names can be put into what stands at an address, or taken out of it, without a word on their place."""
    if is_rows(above) or is_ordered_list(above):
        return True
    if above[0] == "kinds" and above[-1] == "names" and len(split_address(change.key.text)) == 2:
        return True  # the names of a new member, which stand beside it
    return isinstance(node, SequenceNode) and named_items(node) is not None


def _grows(work: LayerEdit, change: Change) -> bool:
    """Whether what is made longer or shorter is a list of names; complains when it is not."""
    above = change.parts[:-1]
    way = look_up(work.root, above)
    if len(way.entries) < len(above) or _is_list(change, above, way.node):
        return True
    verb, instead = ("`extend`", "add") if change.operation == "add" else ("`drop`", "remove")
    message = f"`{'.'.join(above)}` is {'a collection' if len(above) == 1 else quote_node(way.node)}, no list of names"
    hint = f"{verb} is for lists; write it under `{instead if isinstance(way.node, MappingNode) else 'set'}`"
    related = [Related(way.entries[-1].key.span, "it stands here")]
    return work.reject(
        change, codes.NOT_A_LIST, message, label="no list", help=hint, at=change.key.span, related=related
    )


# ---- the verbs
def _put_in_place(work: LayerEdit, change: Change, parts: AddressParts, old: Entry, value: Node) -> None:
    """Another value stands at an address that was there."""
    key = change.last_name() if parts == change.parts else old.key
    new = Entry(key, value, (*old.history, entry_span(old)))
    work.writers.add((change.variant, parts))
    work.edit(
        parts[:-1],
        lambda node: with_entries(node, tuple(new if entry is old else entry for entry in _entries(node, old))),
    )


def _set(work: LayerEdit, change: Change) -> bool:
    assert change.payload is not None
    parts = resolve_address(work.root, change.parts, change.payload)
    way = work.require(change, parts)
    if way is None:
        return False
    before = work.visible_lookup(change, way, parts)
    old = before.entries[-1].value
    value = normalize_lists(change.payload, parts, work.diagnostics)
    if change.expects is not None and not is_equivalent(
        normalize_lists(change.expects, parts, Diagnostics()), old, parts
    ):
        there = quote_node(old)
        message = f"`{change.address}` is {there}, not {quote_node(change.expects)} as this variant expects"
        related = [Related(old.span, "what is there")]
        label, spot = f"it is {there}", change.expects.span
        return work.reject(change, codes.UNEXPECTED_VALUE, message, label=label, at=spot, related=related)
    # another layer may say so already, if the variant is not always laid over that; alone, it does change something
    always = not before.has_history or old.span.source.path in work.required_files.get(change.variant, ())
    if is_equivalent(value, old, parts) and always and not change.is_setting:
        message = f"`{change.address}` is {quote_node(old)} already"
        related, spot = [Related(old.span, "it stands here")], change.payload.span
        return work.reject(change, codes.NO_CHANGE, message, label="changes nothing", at=spot, related=related)
    key = principal_key(parts)
    lost = (
        [f"`{one.key.text}`" for one in child_entries(old) if one.key.text != key]
        if isinstance(old, MappingNode)
        else []
    )
    if key and lost and isinstance(value, MappingNode) and value.keys() == (key,):
        message = f"all that stands at `{change.address}` is set, so that it has no {', '.join(lost)} any more"
        related, hint = (
            [Related(old.span, "it stands here")],
            f"`{change.address}: …` without `{key}` changes that only",
        )
        work.diagnostics.add(change.payload.span, codes.DROPS_KEYS, message, label="takes the place of all", help=hint,
            address=change.address, related=related)  # fmt: skip
    _put_in_place(work, change, parts, way.entries[-1], value)
    return True


def _adjust(work: LayerEdit, change: Change) -> bool:
    assert change.payload is not None
    parts = resolve_address(work.root, change.parts, change.new_value)
    way = work.require(change, parts)
    if way is None:
        return False
    old = way.entries[-1]
    value = adjust_value(old.value, parts, change.payload)
    related = [Related(old.value.span, "what is there")]
    if value is None:
        message = f"`{change.address}` is {quote_node(old.value)}, no number that can be more or less"
        return work.reject(change, codes.NOT_A_NUMBER, message, help="write it under `set`", related=related)
    if is_equal(value, old.value):
        message = f"`{change.address}` stays {quote_node(old.value)}"
        return work.reject(change, codes.NO_CHANGE, message, label="changes nothing", related=related)
    _put_in_place(work, change, parts, old, value)
    return True


def _add(work: LayerEdit, change: Change) -> bool:
    assert change.payload is not None
    parent = _parent(work, change)
    if parent is None or _exists(work, change, parent):
        return False
    if change.parts[0] == "kinds" and isinstance(change.payload, ScalarNode) and isinstance(parent, SequenceNode):
        name = change.parts[-1]
        message = f"a member is added by its name alone, and `{change.payload.text}` stands beside it"
        label = "one word too many"
        hint = f"write `extend: {{{'.'.join(change.parts[:2])}: [{name}]}}`, or `{{}}` in its place"
        return work.reject(change, codes.WRONG_TYPE, message, label=label, help=hint, at=change.payload.span)
    if is_ordered_list(change.parts[:-1]):
        message = f"steps stand in an order: adding `{change.parts[-1]}` does not say where"
        hint = f"write `insert: {{{change.address}: {{after: …}}}}`, or `before: …`, `at: start`, `at: end`"
        related = _around(work, change)
        return work.reject(change, codes.ADD_WITHOUT_PLACE, message, label="no place", help=hint, related=related)
    _put(work, change, parent, len(child_entries(parent)))
    return True


def _insert(work: LayerEdit, change: Change) -> bool:
    assert change.anchor is not None
    assert isinstance(change.anchor.value, ScalarNode)
    where, sibling = change.anchor.key.text, change.anchor.value
    above = change.parts[:-1]
    parent = _parent(work, change)
    if parent is None:
        return False
    if not is_ordered_list(above) and not is_choices(above) and not isinstance(parent, SequenceNode):
        message = f"nothing stands in order in `{'.'.join(above)}`"
        hint, related = "write it under `add`", _around(work, change)
        return work.reject(
            change, codes.NOT_AN_ORDERED_LIST, message, label="no ordered list", help=hint, related=related
        )
    if _exists(work, change, parent):
        return False
    names = [entry.key.text for entry in child_entries(parent)]
    stranger = work.foreign_addition(change, (*above, sibling.text)) if where != "at" else None
    if where != "at" and (sibling.text not in names or stranger is not None):
        return _no_sibling(work, change, names)
    # several steps that one variant puts at one place keep the order of its file
    before = work.last_inserted.get((change.variant, above, where, sibling.text))
    work.last_inserted[change.variant, above, where, sibling.text] = change.parts[-1]
    if before is not None and (where == "after" or sibling.text == "start"):
        index = names.index(before) + 1
    elif where == "at":
        index = 0 if sibling.text == "start" else len(names)
    else:
        index = names.index(sibling.text) + (where == "after")
    _put(work, change, parent, index)
    return True


def _no_sibling(work: LayerEdit, change: Change, names: list[str]) -> bool:
    assert change.anchor is not None
    assert isinstance(change.anchor.value, ScalarNode)
    sibling, above = change.anchor.value, change.parts[:-1]
    message = f"there is no `{sibling.text}` in `{'.'.join(above)}` to stand {change.anchor.key.text}"
    hint = join_hints(did_you_mean(sibling.text, names), list_names("names", names))
    code, related = codes.NO_SUCH_SIBLING, _around(work, change)
    maker = work.additions.get((*above, sibling.text))
    taker = work.foreign_removal(change, (*above, sibling.text))
    if maker is not None and maker.variant != change.variant:
        message = f"`{sibling.text}` is there only because `{maker.variant}` puts it there"
        hint = f"say `requires: {maker.variant}` or `after: {maker.variant}`"
        related.append(related_change(maker))
    elif maker is not None and maker is not change and sibling.text != change.parts[-1]:
        hint = f"`{sibling.text}` comes further down: put it in first"
    elif taker is not None:
        message = f"{message}: `{taker.variant}` removes it"
        related.append(related_change(taker))
    return work.reject(change, code, message, label="not there", help=hint, at=sibling.span, related=related)


def _remove(work: LayerEdit, change: Change) -> bool:
    takers = (work.applied_removals.get(change.parts[:length], "") for length in range(1, len(change.parts) + 1))
    if any(taker not in ("", change.variant) for taker in takers):
        _sign(work, change)
        return True  # another variant of the level removes it too: either can be played without the other
    way = work.require(change, change.parts)
    if way is None:
        return False
    above, name = change.parts[:-1], change.parts[-1]
    work.applied_removals[change.parts] = change.variant
    work.edit(above, lambda node: with_entries(node, _without(node, {name})), change.key.span)
    _forget_names(work, above, {name})
    return True


def _forget_names(work: LayerEdit, above: AddressParts, words: set[str]) -> None:
    """What a member of a kind is called in sentences goes with it."""
    if above[:1] == ("kinds",) and above[2:] == ("members",):
        beside = (*above[:2], "names")
        if len(look_up(work.root, beside).entries) == len(beside):
            work.edit(beside, lambda node: with_entries(node, _without(node, words)))


OPERATIONS: Final[dict[Operation, Callable[[LayerEdit, Change], bool]]] = {
    "set": _set,
    "adjust": _adjust,
    "add": _add,
    "insert": _insert,
    "remove": _remove,
}


# ---- parts of these
def _around(work: LayerEdit, change: Change) -> list[Related]:
    """What a change would put something into, when it is there."""
    above = change.parts[:-1]
    way = look_up(work.root, above)
    return [Related(way.entries[-1].key.span, f"`{'.'.join(above)}` is here")] if len(way.entries) == len(above) else []


def _parent(work: LayerEdit, change: Change) -> Node | None:
    """What the new thing goes into; a collection that may be empty is made when it is not written."""
    above = change.parts[:-1]
    if not above:
        if change.parts[0] in (*GAME_SECTIONS, *HEAD_KEYS):
            return work.root
        work.report_missing(change, Lookup((), work.root), change.parts)
        return None
    if above[0] == "kinds" and len(above) == 3 and isinstance(look_up(work.root, above[:2]).node, SequenceNode):
        work.add_principal_key(above[:2], "members")
    way = look_up(work.root, above)
    if len(way.entries) == len(above) - 1 and can_be_empty(above) and isinstance(way.node, MappingNode):
        if work.foreign_addition(change, above) is not None:
            work.require(change, above)
            return None
        name = above[-1]
        key = ScalarNode(name, name, change.name_span(len(above) - 1))
        empty = Entry(key, MappingNode((), change.span))
        work.edit(above[:-1], lambda node: with_entries(node, (*child_entries(node), empty)))
        return empty.value
    found = work.require(change, above)
    if found is None:
        return None
    node = found.node
    own_key = "members" if above[0] == "kinds" and change.parts[-1] in KIND_NAME_KEYS else principal_key(above)
    if own_key and len(above) > 1 and not isinstance(node, MappingNode):
        return work.add_principal_key(above, own_key)
    if isinstance(node, ScalarNode) or (isinstance(node, SequenceNode) and named_items(node) is None):
        message = f"`{'.'.join(above)}` is {quote_node(node)}: nothing can be put into it"
        related = [Related(node.span, "it stands here")]
        work.reject(change, codes.NO_SUCH_ADDRESS, message, label="not there", related=related)
        return None
    return node


def _exists(work: LayerEdit, change: Change, parent: Node) -> bool:
    there = child_entry(parent, change.parts[-1])
    if there is None:
        return False
    maker = work.applied_additions.get(change.parts)
    if maker is not None and maker.variant != change.variant and change.payload is not None:
        # another variant of this level adds it too, with the same content: else it was told already
        if isinstance(parent, MappingNode):
            _put_in_place(work, change, change.parts, there, _made(work, change).value)
        else:
            _sign(work, change)
        return True
    word = isinstance(change.payload, MappingNode) and not change.payload.entries
    hint = "leave it out" if word else "to change it, write it under `set`"
    related = [Related(there.key.span, "it stands here")]
    message = f"`{change.address}` is there already"
    work.reject(change, codes.ALREADY_THERE, message, label="not new", help=hint, related=related)
    return True


def _sign(work: LayerEdit, change: Change) -> None:
    """A list that is as a change wants it already is its work as well."""
    if len(look_up(work.root, change.parts[:-1]).entries) == len(change.parts) - 1:
        work.edit(change.parts[:-1], lambda node: node, change.key.span)


def _put(work: LayerEdit, change: Change, parent: Node, index: int) -> None:
    assert change.payload is not None
    entry, before = _made(work, change), child_entries(parent)
    by = change.key.span
    work.edit(change.parts[:-1], lambda node: with_entries(node, (*before[:index], entry, *before[index:])), by)


def _made(work: LayerEdit, change: Change) -> Entry:
    """The new entry that an addition or insertion makes."""
    assert change.payload is not None
    entry = Entry(change.last_name(), normalize_lists(change.payload, change.parts, work.diagnostics))
    if is_rows(change.parts[:-1]) and isinstance(entry.value, MappingNode):
        fields = tuple(one for one in entry.value.entries if one.key.text != "id")
        entry = Entry(entry.key, MappingNode(fields, entry.value.span))
    work.applied_additions[change.parts] = change
    return entry


def _entries(node: Node, old: Entry) -> tuple[Entry, ...]:
    """The entries below a node with `old` itself among them: entries of a list of words are made anew each time."""
    return tuple(old if entry.key is old.key else entry for entry in child_entries(node))


__all__ = ["apply_changes"]
