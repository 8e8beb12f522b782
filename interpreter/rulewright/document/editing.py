"""Finds the node at an address, and builds copies of a tree in which that node is another.

In: nodes of a game and an address. Out: a `Lookup`, the path to the address; or new nodes that share with the old ones
all that did not change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Span
from rulewright.document.address import (
    child_entries,
    child_entry,
    is_choices,
    is_ordered_list,
    is_rows,
)
from rulewright.document.language import (
    KIND_KEYS,
    PROSE_KEYS,
    AddressParts,
    is_adjustable,
    is_expression,
    principal_key,
)
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, to_builtins

INSIGNIFICANT_SPACE: Final = lazy_pattern(r"(?<=\W) | (?=\W)")  # not between two words


def is_equal(left: Node, right: Node) -> bool:
    """Whether two nodes have the same content; the flag true is not the number 1."""
    return json.dumps(to_builtins(left)) == json.dumps(to_builtins(right))


def is_equivalent(left: Node, right: Node, parts: AddressParts) -> bool:
    """Whether two nodes at an address mean the same: spaces in an expression and the order of keys do not matter."""
    return json.dumps(_canonical(left, parts)) == json.dumps(_canonical(right, parts))


def _canonical(node: Node, parts: AddressParts) -> object:
    match node:
        case ScalarNode(value=str(), text=text) if is_expression(parts):
            return strip_insignificant_spaces(text)
        case ScalarNode(value=value):
            return value
        case SequenceNode(items=items):
            return [_canonical(item, parts) for item in items]
        case MappingNode(entries=entries):
            children = [(entry.key.text, _canonical(entry.value, (*parts, entry.key.text))) for entry in entries]
            return {"children": sorted(children, key=lambda pair: pair[0]) if _is_unordered(parts) else children}


def _is_unordered(parts: AddressParts) -> bool:
    """Whether the node at an address has keys whose order means nothing; the order of rules is their numbering."""
    parent = parts[:-1]
    return (
        len(parts) == 2
        or is_ordered_list(parent)
        or is_rows(parts[:3])
        or is_choices(parent)
        or principal_key(parts) != ""
        or parts[-1] in PROSE_KEYS
    ) and not is_rows(parts)


def strip_insignificant_spaces(text: str) -> str:
    """An expression without the spaces that mean nothing."""
    return INSIGNIFICANT_SPACE.sub("", " ".join(text.split()))


def with_entries(node: Node, entries: tuple[Entry, ...]) -> Node:
    """The node with other entries; a list of names stays a list."""
    if isinstance(node, SequenceNode):
        return SequenceNode(tuple(_item_from_entry(entry) for entry in entries), node.span)
    return MappingNode(entries, node.span)


def _item_from_entry(entry: Entry) -> Node:
    if isinstance(entry.value, MappingNode) and not entry.value.entries:
        return entry.key
    return MappingNode((entry,), entry.key.span)


def replacement_note(span: Span) -> str:
    """A note about the value that was replaced at a span."""
    replaced = span.text
    return (
        f"replaces `{replaced}`"
        if len(replaced) <= limits.MAX_QUOTED_ORIGINAL and "\n" not in replaced
        else "replaces this"
    )


def edit_node(node: Node, parts: AddressParts, edit: Callable[[Node], Node], by: Span | None = None) -> Node:
    """The node with `edit` applied to its descendant at `parts`.

    `by`: the span that asks for it; a list that is made longer or shorter has this span from then on.
    """
    if not parts:
        return edit(node)
    entries = [*child_entries(node)]
    for index, entry in enumerate(entries):
        if entry.key.text == parts[0]:
            entries[index] = _edited_entry(entry, parts[1:], edit, by)
    return with_entries(node, tuple(entries))


def _edited_entry(entry: Entry, parts: AddressParts, edit: Callable[[Node], Node], by: Span | None) -> Entry:
    old, value = entry.value, edit_node(entry.value, parts, edit, by)
    if parts or by is None or not isinstance(value, SequenceNode):
        return Entry(entry.key, value, entry.history)
    history = entry.history if old.span == by else (*entry.history, old.span)
    return Entry(entry.key, SequenceNode(value.items, by), history)


def entry_span(entry: Entry) -> Span:
    """Where to point for an entry: its value, or its key when the value is a mapping, so that the line names it."""
    value, key = entry.value.span, entry.key.span
    return key if isinstance(entry.value, MappingNode) and key.source is value.source else value


@frozen
class Lookup:
    """The path to an address: the entries found on it, and the node where it ends."""

    entries: tuple[Entry, ...]
    node: Node

    @property
    def has_history(self) -> bool:
        """Whether a variant has replaced something on the path."""
        return any(entry.history for entry in self.entries)


def look_up(root: Node, parts: AddressParts) -> Lookup:
    """Follows an address as far as it exists."""
    node, entries = root, list[Entry]()
    for name in parts:
        entry = child_entry(node, name)
        if entry is None:
            break
        entries.append(entry)
        node = entry.value
    return Lookup(tuple(entries), node)


def resolve_member(root: Node, parts: AddressParts) -> AddressParts:
    """The address of a member in a kind that is written with keys: `members` can be left out."""
    if len(parts) != 3 or parts[0] != "kinds":
        return parts
    kind = look_up(root, parts[:2])
    if len(kind.entries) == 2 and isinstance(kind.node, MappingNode) and "members" in kind.node:
        return parts if parts[2] in KIND_KEYS else (*parts[:2], "members", parts[2])
    return parts


def adjust_value(node: Node, parts: AddressParts, amount_node: Node) -> Node | None:
    """The number or expression at `parts` increased by an amount or multiplied by a factor; None for anything else.

    `by`: a number, or `{times: number}`. Every item of a list is adjusted.
    """
    factor = amount_node.get("times") if isinstance(amount_node, MappingNode) else None
    amount = factor if factor is not None else amount_node
    if not isinstance(amount, ScalarNode) or not isinstance(amount.value, int):
        return None
    is_factor = factor is not None
    match node:
        case ScalarNode(value=bool()):
            return None
        case ScalarNode(value=int(old)):
            result = old * amount.value if is_factor else old + amount.value
            return ScalarNode(result, str(result), amount_node.span)
        case ScalarNode(value=str(text)) if is_adjustable(parts):
            if amount.value == is_factor:
                return node
            operator = "*" if is_factor else "-" if amount.value < 0 else "+"
            text = f"({text}) {operator} {amount.value if is_factor else abs(amount.value)}"
            return ScalarNode(text, text, amount_node.span, (amount_node.span.start,) * (len(text) + 1))
        case SequenceNode(items=items) if parts[0] == "parameters":
            adjusted = tuple(
                value for item in items if (value := adjust_value(item, (*parts[:2], "value"), amount_node)) is not None
            )
            return SequenceNode(adjusted, amount_node.span) if len(adjusted) == len(items) else None
        case _:
            return None


def resolve_address(root: Node, parts: AddressParts, payload: Node | None) -> AddressParts:
    """The address really written: `x.value` of a bare x is x, and a bare value for a node with keys goes to its
    principal key."""
    parts = resolve_member(root, parts)
    key = principal_key(parts[:-1])
    if (
        key
        and parts[-1] == key
        and isinstance(look_up(root, parts[:-1]).node, ScalarNode | SequenceNode)
        and len(look_up(root, parts[:-1]).entries) == len(parts) - 1
    ):
        return parts[:-1]
    target = look_up(root, parts)
    if payload is None or isinstance(payload, MappingNode) or len(target.entries) < len(parts):
        return parts
    key = principal_key(parts)
    return (*parts, key) if key and isinstance(target.node, MappingNode) and key in target.node else parts


def iter_writers(entry: Entry, address: str = "") -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The spans that wrote a value, oldest first; then those of the parts in it that were replaced or come from another
    file, each with the address of the part.
    """
    yield address, (*entry.history, entry_span(entry))
    if isinstance(entry.value, MappingNode | SequenceNode):
        for child in child_entries(entry.value):
            if isinstance(entry.value, SequenceNode) and not child_entries(child.value):
                continue  # a word is its own value
            child_address = f"{address}.{child.key.text}" if address else child.key.text
            enclosing = child.key if isinstance(entry.value, SequenceNode) else entry.value
            is_elsewhere = child.value.span.source.path != enclosing.span.source.path
            for part, spans in iter_writers(child, child_address):
                if len(spans) > 1 or (is_elsewhere and part == child_address):
                    yield part, spans


__all__ = [
    "Lookup",
    "adjust_value",
    "edit_node",
    "entry_span",
    "is_equal",
    "is_equivalent",
    "iter_writers",
    "look_up",
    "replacement_note",
    "resolve_address",
    "resolve_member",
    "with_entries",
]
