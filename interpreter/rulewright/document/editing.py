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
from rulewright.document.address import LISTS, Parts, are_choices, child, children, is_ordered, is_rows
from rulewright.document.document import SECTIONS
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence, plain

OFFERS: Final = ("must", "may", "together")
# collections of named things that may be empty, and so are there even where the file does not write them
EMPTY: Final = {
    "actions": ("choose", "when"),
    "values": ("less",),
    "components": ("rows", "fields"),
    "kinds": ("names",),
}

CLAUSE_KEYS: Final = ("is", "why", "text", "source", "status")
KIND_KEYS: Final = ("members", "names", "grid", "lines_of", "length", "text", "source", "status")
WORDS: Final = ("text", "why", "names", "source")
COMPUTED: Final = ("value", "is", "at_most", "total", "times", "most", "fewest")  # keys that hold an expression
SPACES: Final = re.compile(r"(?<=\W) | (?=\W)")  # where no two words would grow together


def principal(parts: Parts) -> str:
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
        case (*_, "when") if is_ordered(parts[:-2]):
            return "is"
        case (*_, "when", name) if is_ordered(parts[:-3]) and name not in CLAUSE_KEYS:
            return "is"
        case (*_, offers, _, _) if offers in OFFERS and is_ordered(parts[:-4]):
            return "is"
        case _:
            return ""


def may_be_empty(parts: Parts) -> bool:
    """Whether a collection is there although nothing stands in it."""
    if len(parts) == 1:
        return parts[0] in SECTIONS
    if parts[0] in LISTS and parts[-1] == "do":
        return is_ordered(parts)
    if parts[-1] == "when" and is_ordered(parts[:-2]):
        return True
    return len(parts) == 3 and parts[2] in EMPTY.get(parts[0], ())


def same(one: Node, other: Node) -> bool:
    """Whether two nodes say the same, wherever they stand; the flag true is not the number 1."""
    return json.dumps(plain(one)) == json.dumps(plain(other))


def says_the_same(one: Node, other: Node, parts: Parts) -> bool:
    """Whether two nodes at an address say the same; spaces in an expression say nothing, nor does the order of keys."""
    return json.dumps(_said(one, parts)) == json.dumps(_said(other, parts))


def _said(node: Node, parts: Parts) -> object:
    match node:
        case Scalar(value=str(), text=text) if parts[-1] in COMPUTED or principal(parts):
            return tight(text)
        case Scalar(value=value):
            return value
        case Sequence(items=items):
            return [_said(item, parts) for item in items]
        case Mapping(entries=entries):
            inside = [(entry.key.text, _said(entry.value, (*parts, entry.key.text))) for entry in entries]
            return {"inside": sorted(inside, key=lambda pair: pair[0]) if _is_rule(parts) else inside}


def _is_rule(parts: Parts) -> bool:
    """Whether keys stand at an address, whose order means nothing; the order of rules is their numbering."""
    around = parts[:-1]
    return (
        len(parts) == 2
        or is_ordered(around)
        or is_rows(parts[:3])
        or are_choices(around)
        or principal(parts) != ""
        or parts[-1] in WORDS
    ) and not is_rows(parts)


def tight(text: str) -> str:
    """An expression without the spaces that mean nothing in it."""
    return SPACES.sub("", " ".join(text.split()))


def is_condition(parts: Parts) -> bool:
    """Whether true or false is wanted at an address: a clause, or when a step is done."""
    if parts[-1] == "is":
        parts = parts[:-1]
    match parts:
        case ("invariants", _) | ("actions", _, "when", _):
            return True
        case (*_, "when") if is_ordered(parts[:-2]):
            return True
        case (*_, "when", name) if is_ordered(parts[:-3]) and name not in CLAUSE_KEYS:
            return True
        case (*_, offers, _, _) if offers in OFFERS and is_ordered(parts[:-4]):
            return True
        case _:
            return False


def rebuilt(node: Node, entries: tuple[Entry, ...]) -> Node:
    """The node with other entries below it; a list of names stays a list."""
    if isinstance(node, Sequence):
        return Sequence(tuple(_item(entry) for entry in entries), node.span)
    return Mapping(entries, node.span)


def _item(entry: Entry) -> Node:
    if isinstance(entry.value, Mapping) and not entry.value.entries:
        return entry.key
    return Mapping((entry,), entry.key.span)


def replaced(layer: Span) -> str:
    """A word on what stood somewhere before."""
    said = layer.source.text[layer.start : layer.end]
    return (
        f"it takes the place of `{said}`"
        if len(said) <= limits.MAX_QUOTED_ORIGINAL and "\n" not in said
        else "it takes this place"
    )


def edited(node: Node, parts: Parts, edit: Callable[[Node], Node], by: Span | None = None) -> Node:
    """The node in which what stands at `parts` has been replaced by `edit` of it.

    `by`: what says so; a list that is made longer or shorter is its work from then on.
    """
    if not parts:
        return edit(node)
    entries = tuple(
        _edited(entry, parts[1:], edit, by) if entry.key.text == parts[0] else entry for entry in children(node)
    )
    return rebuilt(node, entries)


def _edited(entry: Entry, parts: Parts, edit: Callable[[Node], Node], by: Span | None) -> Entry:
    old, value = entry.value, edited(entry.value, parts, edit, by)
    if parts or by is None or not isinstance(value, Sequence):
        return Entry(entry.key, value, entry.layers)
    layers = entry.layers if old.span == by else (*entry.layers, old.span)
    return Entry(entry.key, Sequence(value.items, by), layers)


def placed(entry: Entry) -> Span:
    """Where an entry is written: at its value; what has parts at its own key, so that the line says which."""
    here, key = entry.value.span, entry.key.span
    return key if isinstance(entry.value, Mapping) and key.source is here.source else here


@dataclass(frozen=True, slots=True)
class Walk:
    """The way to an address: the entries that were found, and the node where the way ends."""

    entries: tuple[Entry, ...]
    node: Node

    @property
    def layered(self) -> bool:
        """Whether another layer wrote there before."""
        return any(entry.layers for entry in self.entries)


def walk(root: Node, parts: Parts) -> Walk:
    """Goes as far towards an address as there is something."""
    node, found = root, list[Entry]()
    for name in parts:
        entry = child(node, name)
        if entry is None:
            break
        found.append(entry)
        node = entry.value
    return Walk(tuple(found), node)


def of_members(root: Node, parts: Parts) -> Parts:
    """The address of a member in a kind that is written with keys: `members` need not be said."""
    if len(parts) != 3 or parts[0] != "kinds":
        return parts
    kind = walk(root, parts[:2])
    if len(kind.entries) == 2 and isinstance(kind.node, Mapping) and "members" in kind.node:
        return parts if parts[2] in KIND_KEYS else (*parts[:2], "members", parts[2])
    return parts


def adjusted(node: Node, parts: Parts, by: Node) -> Node | None:
    """A number or an expression for one that is so much more, or so many times as much; None of anything else.

    `by`: a number, or `{times: number}`. Of a list each.
    """
    factor = by.get("times") if isinstance(by, Mapping) else None
    amount = factor if factor is not None else by
    if not isinstance(amount, Scalar) or not isinstance(amount.value, int):
        return None
    times = factor is not None
    match node:
        case Scalar(value=bool()):
            return None
        case Scalar(value=int(old)):
            value = old * amount.value if times else old + amount.value
            return Scalar(value, str(value), by.span)
        case Scalar(value=str(text)) if (parts[-1] in COMPUTED or principal(parts)) and not is_condition(parts):
            if amount.value == times:
                return node
            sign = "*" if times else "-" if amount.value < 0 else "+"
            text = f"({text}) {sign} {amount.value if times else abs(amount.value)}"
            return Scalar(text, text, by.span, (by.span.start,) * (len(text) + 1))
        case Sequence(items=items) if parts[0] == "parameters":
            found = tuple(one for item in items if (one := adjusted(item, (*parts[:2], "value"), by)) is not None)
            return Sequence(found, by.span) if len(found) == len(items) else None
        case _:
            return None


def meant(root: Node, parts: Parts, payload: Node | None) -> Parts:
    """The address really written: `x.value` of a bare x is x, and a bare value for a node with keys goes to its key."""
    parts = of_members(root, parts)
    key = principal(parts[:-1])
    if (
        key
        and parts[-1] == key
        and isinstance(walk(root, parts[:-1]).node, Scalar | Sequence)
        and len(walk(root, parts[:-1]).entries) == len(parts) - 1
    ):
        return parts[:-1]
    there = walk(root, parts)
    if payload is None or isinstance(payload, Mapping) or len(there.entries) < len(parts):
        return parts
    key = principal(parts)
    return (*parts, key) if key and isinstance(there.node, Mapping) and key in there.node else parts


__all__ = [
    "Walk",
    "adjusted",
    "edited",
    "may_be_empty",
    "meant",
    "of_members",
    "placed",
    "principal",
    "rebuilt",
    "replaced",
    "same",
    "says_the_same",
    "walk",
]
