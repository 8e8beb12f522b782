"""Finds what stands at an address, and makes the nodes that have something else there.

In: nodes of a game and an address. Out: the way to it, and new nodes that share with the old all that did not change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Span
from rulewright.document.address import (
    ORDERED_LIST_DEPTHS,
    AddressParts,
    child_entries,
    child_entry,
    is_choices,
    is_ordered_list,
    is_rows,
)
from rulewright.document.document import GAME_SECTIONS
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, to_builtins

OFFER_VERBS: Final = ("must", "may", "together")
# collections of named things that may be empty, and so are there even where the file does not write them
OPTIONAL_COLLECTIONS: Final = {
    "actions": ("choose", "when"),
    "values": ("less",),
    "components": ("rows", "fields"),
    "kinds": ("names",),
}

CLAUSE_KEYS: Final = ("is", "why", "text", "source", "status")
KIND_KEYS: Final = ("members", "names", "grid", "lines_of", "length", "text", "source", "status")
PROSE_KEYS: Final = ("text", "why", "names", "source")
EXPRESSION_KEYS: Final = ("value", "is", "at_most", "total", "times", "most", "fewest")  # keys that hold an expression
INSIGNIFICANT_SPACE: Final = re.compile(r"(?<=\W) | (?=\W)")  # where no two words would grow together


def principal_key(parts: AddressParts) -> str:
    """The key that a bare value stands for: `value` of a parameter, `is` of what holds an expression, or none."""
    match parts:
        case ("parameters", _):
            return "value"
        case ("components", _, "fields", _):
            return "type"
        case (
            ("values" | "measures" | "invariants" | "evaluation", _)
            | ("values", _, "sum" | "less", _)
            | ("strategies", _, "terms", _)
            | ("actions", _, "when", _)
        ):
            return "is"
        case (*_, "when") if is_ordered_list(parts[:-2]):
            return "is"
        case (*_, "when", name) if is_ordered_list(parts[:-3]) and name not in CLAUSE_KEYS:
            return "is"
        case (*_, offers, _, _) if offers in OFFER_VERBS and is_ordered_list(parts[:-4]):
            return "is"
        case _:
            return ""


def can_be_empty(parts: AddressParts) -> bool:
    """Whether a collection is there although nothing stands in it."""
    if len(parts) == 1:
        return parts[0] in GAME_SECTIONS
    if parts[0] in ORDERED_LIST_DEPTHS and parts[-1] == "do":
        return is_ordered_list(parts)
    if parts[-1] == "when" and is_ordered_list(parts[:-2]):
        return True
    return len(parts) == 3 and parts[2] in OPTIONAL_COLLECTIONS.get(parts[0], ())


def is_equal(one: Node, other: Node) -> bool:
    """Whether two nodes say the same, wherever they stand; the flag true is not the number 1."""
    return json.dumps(to_builtins(one)) == json.dumps(to_builtins(other))


def is_equivalent(one: Node, other: Node, parts: AddressParts) -> bool:
    """Whether two nodes at an address say the same; spaces in an expression say nothing, nor does the order of keys."""
    return json.dumps(_said(one, parts)) == json.dumps(_said(other, parts))


def _said(node: Node, parts: AddressParts) -> object:
    match node:
        case ScalarNode(value=str(), text=text) if parts[-1] in EXPRESSION_KEYS or principal_key(parts):
            return strip_insignificant_spaces(text)
        case ScalarNode(value=value):
            return value
        case SequenceNode(items=items):
            return [_said(item, parts) for item in items]
        case MappingNode(entries=entries):
            inside = [(entry.key.text, _said(entry.value, (*parts, entry.key.text))) for entry in entries]
            return {"inside": sorted(inside, key=lambda pair: pair[0]) if _is_rule(parts) else inside}


def _is_rule(parts: AddressParts) -> bool:
    """Whether keys stand at an address, whose order means nothing; the order of rules is their numbering."""
    around = parts[:-1]
    return (
        len(parts) == 2
        or is_ordered_list(around)
        or is_rows(parts[:3])
        or is_choices(around)
        or principal_key(parts) != ""
        or parts[-1] in PROSE_KEYS
    ) and not is_rows(parts)


def strip_insignificant_spaces(text: str) -> str:
    """An expression without the spaces that mean nothing in it."""
    return INSIGNIFICANT_SPACE.sub("", " ".join(text.split()))


def is_condition(parts: AddressParts) -> bool:
    """Whether true or false is wanted at an address: a clause, or when a step is done."""
    if parts[-1] == "is":
        parts = parts[:-1]
    match parts:
        case ("invariants", _) | ("actions", _, "when", _):
            return True
        case (*_, "when") if is_ordered_list(parts[:-2]):
            return True
        case (*_, "when", name) if is_ordered_list(parts[:-3]) and name not in CLAUSE_KEYS:
            return True
        case (*_, offers, _, _) if offers in OFFER_VERBS and is_ordered_list(parts[:-4]):
            return True
        case _:
            return False


def with_entries(node: Node, entries: tuple[Entry, ...]) -> Node:
    """The node with other entries below it; a list of names stays a list."""
    if isinstance(node, SequenceNode):
        return SequenceNode(tuple(_item(entry) for entry in entries), node.span)
    return MappingNode(entries, node.span)


def _item(entry: Entry) -> Node:
    if isinstance(entry.value, MappingNode) and not entry.value.entries:
        return entry.key
    return MappingNode((entry,), entry.key.span)


def replacement_note(layer: Span) -> str:
    """A word on what stood somewhere before."""
    said = layer.source.text[layer.start : layer.end]
    return (
        f"it takes the place of `{said}`"
        if len(said) <= limits.MAX_QUOTED_ORIGINAL and "\n" not in said
        else "it takes this place"
    )


def edit_node(node: Node, parts: AddressParts, edit: Callable[[Node], Node], by: Span | None = None) -> Node:
    """The node in which what stands at `parts` has been replaced by `edit` of it.

    `by`: what says so; a list that is made longer or shorter is its work from then on.
    """
    if not parts:
        return edit(node)
    entries = tuple(
        _edited(entry, parts[1:], edit, by) if entry.key.text == parts[0] else entry for entry in child_entries(node)
    )
    return with_entries(node, entries)


def _edited(entry: Entry, parts: AddressParts, edit: Callable[[Node], Node], by: Span | None) -> Entry:
    old, value = entry.value, edit_node(entry.value, parts, edit, by)
    if parts or by is None or not isinstance(value, SequenceNode):
        return Entry(entry.key, value, entry.history)
    layers = entry.history if old.span == by else (*entry.history, old.span)
    return Entry(entry.key, SequenceNode(value.items, by), layers)


def entry_span(entry: Entry) -> Span:
    """Where an entry is written: at its value; what has parts at its own key, so that the line says which."""
    here, key = entry.value.span, entry.key.span
    return key if isinstance(entry.value, MappingNode) and key.source is here.source else here


@dataclass(frozen=True, slots=True)
class Lookup:
    """The way to an address: the entries that were found, and the node where the way ends."""

    entries: tuple[Entry, ...]
    node: Node

    @property
    def has_history(self) -> bool:
        """Whether another layer wrote there before."""
        return any(entry.history for entry in self.entries)


def look_up(root: Node, parts: AddressParts) -> Lookup:
    """Goes as far towards an address as there is something."""
    node, found = root, list[Entry]()
    for name in parts:
        entry = child_entry(node, name)
        if entry is None:
            break
        found.append(entry)
        node = entry.value
    return Lookup(tuple(found), node)


def resolve_member(root: Node, parts: AddressParts) -> AddressParts:
    """The address of a member in a kind that is written with keys: `members` need not be said."""
    if len(parts) != 3 or parts[0] != "kinds":
        return parts
    kind = look_up(root, parts[:2])
    if len(kind.entries) == 2 and isinstance(kind.node, MappingNode) and "members" in kind.node:
        return parts if parts[2] in KIND_KEYS else (*parts[:2], "members", parts[2])
    return parts


def adjust_value(node: Node, parts: AddressParts, by: Node) -> Node | None:
    """A number or an expression for one that is so much more, or so many times as much; None of anything else.

    `by`: a number, or `{times: number}`. Of a list each.
    """
    factor = by.get("times") if isinstance(by, MappingNode) else None
    amount = factor if factor is not None else by
    if not isinstance(amount, ScalarNode) or not isinstance(amount.value, int):
        return None
    times = factor is not None
    match node:
        case ScalarNode(value=bool()):
            return None
        case ScalarNode(value=int(old)):
            value = old * amount.value if times else old + amount.value
            return ScalarNode(value, str(value), by.span)
        case ScalarNode(value=str(text)) if (parts[-1] in EXPRESSION_KEYS or principal_key(parts)) and not is_condition(
            parts
        ):
            if amount.value == times:
                return node
            sign = "*" if times else "-" if amount.value < 0 else "+"
            text = f"({text}) {sign} {amount.value if times else abs(amount.value)}"
            return ScalarNode(text, text, by.span, (by.span.start,) * (len(text) + 1))
        case SequenceNode(items=items) if parts[0] == "parameters":
            found = tuple(one for item in items if (one := adjust_value(item, (*parts[:2], "value"), by)) is not None)
            return SequenceNode(found, by.span) if len(found) == len(items) else None
        case _:
            return None


def resolve_address(root: Node, parts: AddressParts, payload: Node | None) -> AddressParts:
    """The address really written: `x.value` of a bare x is x, and a bare value for a node with keys goes to its key."""
    parts = resolve_member(root, parts)
    key = principal_key(parts[:-1])
    if (
        key
        and parts[-1] == key
        and isinstance(look_up(root, parts[:-1]).node, ScalarNode | SequenceNode)
        and len(look_up(root, parts[:-1]).entries) == len(parts) - 1
    ):
        return parts[:-1]
    there = look_up(root, parts)
    if payload is None or isinstance(payload, MappingNode) or len(there.entries) < len(parts):
        return parts
    key = principal_key(parts)
    return (*parts, key) if key and isinstance(there.node, MappingNode) and key in there.node else parts


__all__ = [
    "Lookup",
    "adjust_value",
    "can_be_empty",
    "edit_node",
    "entry_span",
    "is_equal",
    "is_equivalent",
    "look_up",
    "principal_key",
    "replacement_note",
    "resolve_address",
    "resolve_member",
    "with_entries",
]
