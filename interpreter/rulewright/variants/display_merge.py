"""Lets a variant say how what it brings is drawn: the look of a new member, a line for a new place.

In: what a game says about drawing, and the variants laid over it, lowest first. Out: the game's drawing with theirs in
it. What is said below of the same member, component, zone or value gives way; new lines come last. Two variants that
draw the same differently are reported, unless one stands above the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.diagnostics import Diagnostics, Related
from rulewright.document import codes
from rulewright.document.editing import is_equal
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode
from rulewright.source.nodes import SequenceNode as Listed
from rulewright.variants.layers import variants_below
from rulewright.variants.variant import Variant

DISPLAY_MAPPINGS: Final = (
    "members",
    "things",
    "actions",
    "state",
)  # by what is drawn; the other sections are lists of lines
DISPLAY_LISTS: Final = ("board", "seats")
DisplayKey = tuple[str, ...]  # a section, and what is drawn in it


def merge_displays(
    table: MappingNode | None, variants: Sequence[Variant], diagnostics: Diagnostics
) -> MappingNode | None:
    """The drawing of a game under variants."""
    _clashes(variants, diagnostics)
    for variant in variants:
        brought = variant.root.get("table")
        if isinstance(brought, MappingNode):
            table = _together(table if table is not None else MappingNode((), brought.span), brought)
    return table


def _clashes(variants: Sequence[Variant], diagnostics: Diagnostics) -> None:
    chosen = {one.name: one for one in variants}
    first: dict[DisplayKey, tuple[Variant, Node]] = {}
    for variant in variants:
        for what, node in _pieces(variant.root.get("table")):
            other, there = first.setdefault(what, (variant, node))
            if other is variant or other.name in variants_below(chosen, variant.name) or is_equal(node, there):
                continue
            related = [Related(there.span, f"`{other.name}`, table")]
            message = f"`{other.name}` and `{variant.name}` both say how `{what[-1]}` is drawn"
            hint = "one of them can say that it comes `after` the other"
            address = f"table.{what[0]}"
            diagnostics.add(
                node.span, codes.TWO_WRITERS, message, label="the second", help=hint, address=address, related=related
            )


def _pieces(table: Node | None) -> Iterator[tuple[DisplayKey, Node]]:
    """Each look and each line of a drawing."""
    for section in table if isinstance(table, MappingNode) else ():
        if section.key.text in DISPLAY_MAPPINGS and isinstance(section.value, MappingNode):
            yield from (((section.key.text, one.key.text), one.value) for one in section.value)
        elif section.key.text in DISPLAY_LISTS and isinstance(section.value, Listed):
            yield from (((section.key.text, *_of(line)), line) for line in section.value)


def _together(table: MappingNode, brought: MappingNode) -> MappingNode:
    there = {entry.key.text: entry for entry in table}
    for entry in brought:
        name, old = entry.key.text, there.get(entry.key.text)
        if old is None:
            there[name] = entry
        elif name in DISPLAY_MAPPINGS:
            there[name] = Entry(old.key, _looks(old.value, entry.value))
        elif name in DISPLAY_LISTS:
            there[name] = Entry(old.key, _lines(old.value, entry.value))
    return MappingNode(tuple(there.values()), table.span)


def _looks(old: Node, new: Node) -> Node:
    assert isinstance(old, MappingNode)
    assert isinstance(new, MappingNode)
    looks = {entry.key.text: entry for entry in (*old, *new)}
    return MappingNode(tuple(looks.values()), old.span)


def _lines(old: Node, new: Node) -> Node:
    assert isinstance(old, Listed)
    assert isinstance(new, Listed)
    lines = {_of(line): line for line in (*old, *new)}
    return Listed(tuple(lines.values()), old.span)


def _of(line: Node) -> tuple[str, str]:
    """What a line draws: a zone or a value."""
    assert isinstance(line, MappingNode)
    key = "zone" if "zone" in line else "value"
    name = line.get(key)
    return key, name.text if isinstance(name, ScalarNode) else ""


__all__ = ["merge_displays"]
