"""Lets a variant define how what it adds is drawn: the look of a new member, a line for a new place.

In: the display section of a game, and the variants applied to it, lowest first. Out: the game's display with theirs
merged in. Entries for the same member, component, zone or value are replaced; new lines come last, and `extra_lines` of
a thing below those that it shows already. Two variants that
draw the same thing differently are reported, unless one is applied over the other, or a third over both draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeGuard

from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.editing import is_equal
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_items
from rulewright.variants import codes
from rulewright.variants.layers import all_variants_below
from rulewright.variants.variant import Variant

DISPLAY_MAPPINGS: Final = ("members", "things", "state")  # what is drawn → its look
DISPLAY_LISTS: Final = ("board", "players")  # of lines
LINES: Final = "lines"  # of a thing
EXTRA_LINES: Final = "extra_lines"  # those that a variant puts below them
DisplayKey = tuple[str, ...]  # section and what is drawn


def merge_displays(
    display: MappingNode | None, variants: Sequence[Variant], diagnostics: Diagnostics
) -> MappingNode | None:
    """The display of a game with variants; None when none of them has one."""
    _report_conflicts(variants, diagnostics)
    for variant in variants:
        added = variant.root.get("display")
        if isinstance(added, MappingNode):
            display = _merged(display if display is not None else MappingNode((), added.span), added)
    return display


def _report_conflicts(variants: Sequence[Variant], diagnostics: Diagnostics) -> None:
    chosen = {entry.name: entry for entry in variants}
    drawn = {variant.name: dict(_drawn_entries(variant.root.get("display"))) for variant in variants}
    below = all_variants_below(chosen) if any(drawn.values()) else {}
    first: dict[DisplayKey, tuple[Variant, Node]] = {}
    for variant in variants:
        for key, node in drawn[variant.name].items():
            other, other_node = first.setdefault(key, (variant, node))
            if other is variant or other.name in below[variant.name] or is_equal(node, other_node):
                continue
            if _only_extends(node) and _only_extends(other_node):
                continue
            both = {other.name, variant.name}
            if any(key in drawn[name] and both <= below[name] for name in chosen):
                continue  # a variant above both draws it
            related = [Related(other_node.span, f"`{other.name}`, display")]
            message = f"`{other.name}` and `{variant.name}` both define how `{key[-1]}` is drawn"
            hint = "add `after` to one of them, or draw it or `cancel` one in a file that joins both"
            address = f"display.{key[0]}"
            diagnostics.add(
                node.span,
                codes.TWO_WRITERS,
                message,
                label="second definition",
                help=hint,
                address=address,
                related=related,
            )


def _drawn_entries(display: Node | None) -> Iterator[tuple[DisplayKey, Node]]:
    """Each look and each line of a display."""
    for section in display if isinstance(display, MappingNode) else ():
        if section.key.text in DISPLAY_MAPPINGS and isinstance(section.value, MappingNode):
            yield from (((section.key.text, entry.key.text), entry.value) for entry in section.value)
        elif section.key.text in DISPLAY_LISTS and isinstance(section.value, SequenceNode):
            yield from (((section.key.text, *_line_key(line)), line) for line in section.value)


def display_keys(display: Node | None) -> list[tuple[str, str]]:
    """Section and name of each look and each line of a display, in their order."""
    return [(key[0], key[-1]) for key, _ in _drawn_entries(display)]


def _merged(display: MappingNode, added: MappingNode) -> MappingNode:
    sections = {entry.key.text: entry for entry in display}
    for entry in added:
        name, old = entry.key.text, sections.get(entry.key.text)
        if old is None:
            sections[name] = entry
        elif name in DISPLAY_MAPPINGS:
            sections[name] = Entry(old.key, _merge_display_entries(old.value, entry.value))
        elif name in DISPLAY_LISTS:
            sections[name] = Entry(old.key, _merged_lines(old.value, entry.value))
    return MappingNode(tuple(sections.values()), display.span)


def _merge_display_entries(old: Node, new: Node) -> Node:
    assert isinstance(old, MappingNode)
    assert isinstance(new, MappingNode)
    entries = {entry.key.text: entry for entry in old}
    for entry in new:
        known = entries.get(entry.key.text)
        entries[entry.key.text] = (
            entry if known is None else Entry(entry.key, _with_extra_lines(known.value, entry.value))
        )
    return MappingNode(tuple(entries.values()), old.span)


def _with_extra_lines(old: Node, new: Node) -> Node:
    """A look that a variant writes anew, or the old one with more lines below."""
    if not _only_extends(new) or not isinstance(old, MappingNode):
        return new
    items = [item for node in (old.get(LINES), old.get(EXTRA_LINES), new.get(EXTRA_LINES)) for item in as_items(node)]
    joined = Entry(ScalarNode(LINES, LINES, new.span), SequenceNode(tuple(items), new.span))
    kept = (entry for entry in old if entry.key.text not in (LINES, EXTRA_LINES))
    return MappingNode((*kept, joined), old.span)


def _only_extends(look: Node) -> TypeGuard[MappingNode]:
    """Whether a look only puts lines below those that a thing shows already."""
    return isinstance(look, MappingNode) and [entry.key.text for entry in look] == [EXTRA_LINES]


def _merged_lines(old: Node, new: Node) -> Node:
    assert isinstance(old, SequenceNode)
    assert isinstance(new, SequenceNode)
    lines = {_line_key(line): line for line in (*old, *new)}
    return SequenceNode(tuple(lines.values()), old.span)


def _line_key(line: Node) -> tuple[str, str]:
    """What a line draws: a zone or a value."""
    assert isinstance(line, MappingNode)
    key = "zone" if "zone" in line else "value"
    name = line.get(key)
    return key, name.text if isinstance(name, ScalarNode) else ""


__all__ = ["display_keys", "merge_displays"]
