"""Lets a variant say how what it brings is drawn: the look of a new member, a line for a new place.

In: what a game says about drawing, and the variants laid over it. Out: the game's drawing with theirs in it. What the
game says of the same member, component, zone or value gives way; new lines come last.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rulewright.text.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.text.variant import Variant

LOOKS: Final = ("members", "things", "actions", "state")  # by what is drawn; the other sections are lists of lines
LINES: Final = ("board", "seats")


def drawn(table: Mapping | None, variants: Iterable[Variant]) -> Mapping | None:
    """The drawing of a game under variants; of two that draw the same, the later name counts."""
    for variant in sorted(variants, key=lambda one: one.name):
        brought = variant.root.get("table")
        if isinstance(brought, Mapping):
            table = _together(table if table is not None else Mapping((), brought.span), brought)
    return table


def _together(table: Mapping, brought: Mapping) -> Mapping:
    there = {entry.key.text: entry for entry in table}
    for entry in brought:
        name, old = entry.key.text, there.get(entry.key.text)
        if old is None:
            there[name] = entry
        elif name in LOOKS:
            there[name] = Entry(old.key, _looks(old.value, entry.value))
        elif name in LINES:
            there[name] = Entry(old.key, _lines(old.value, entry.value))
    return Mapping(tuple(there.values()), table.span)


def _looks(old: Node, new: Node) -> Node:
    assert isinstance(old, Mapping)
    assert isinstance(new, Mapping)
    looks = {entry.key.text: entry for entry in (*old, *new)}
    return Mapping(tuple(looks.values()), old.span)


def _lines(old: Node, new: Node) -> Node:
    assert isinstance(old, Sequence)
    assert isinstance(new, Sequence)
    lines = {_of(line): line for line in (*old, *new)}
    return Sequence(tuple(lines.values()), old.span)


def _of(line: Node) -> tuple[str, str]:
    """What a line draws: a zone or a value."""
    assert isinstance(line, Mapping)
    key = "zone" if "zone" in line else "value"
    name = line.get(key)
    return key, name.text if isinstance(name, Scalar) else ""


__all__ = ["drawn"]
