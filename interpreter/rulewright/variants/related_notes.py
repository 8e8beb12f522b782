"""What a variant's line took the place of: it stands beside every complaint about that line.

In: a complaint, the changes that were laid over a game and the rules that came out. Out: the complaint, with the place
in the rules below: what the change replaced, or the rule into which it put something.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulewright.diagnostics import Diagnostic, Related, Span
from rulewright.document.editing import look_up, replacement_note, resolve_address
from rulewright.source.nodes import Entry, MappingNode, ScalarNode
from rulewright.variants.variant import Change


def add_base_note(one: Diagnostic, changes: Iterable[Change], root: MappingNode) -> Diagnostic:
    """The complaint; when a change of a variant says what is wrong, with what was there before it."""
    change = next((change for change in changes if _says(change, one.span)), None)
    if change is None:
        return one
    below = _below(change, root)
    if below is None or any(other.span == below.span for other in one.related):
        return one
    return replace(one, related=(below, *one.related))


def _says(change: Change, span: Span) -> bool:
    """Whether a place lies in what a change says."""
    wholes = [node.span for node in (change.payload, change.item) if node is not None]
    return any(_holds(whole, span) for whole in (change.key.span, *wholes))


def _holds(whole: Span, span: Span) -> bool:
    return whole.source is span.source and whole.start <= span.start and span.end <= whole.end


def _below(change: Change, root: MappingNode) -> Related | None:
    if change.anchor is not None and change.anchor.key.text != "at" and isinstance(change.anchor.value, ScalarNode):
        neighbour = look_up(root, (*change.parts[:-1], change.anchor.value.text))
        if len(neighbour.entries) == len(change.parts):
            return Related(neighbour.entries[-1].key.span, f"it goes {change.anchor.key.text} this")
    way = look_up(root, resolve_address(root, change.parts, change.new_value))
    own = change.key.span.source
    # of what is new in a section its other rules say nothing, unless they stand in an order
    lowest = 0 if change.operation == "insert" or len(change.parts) == 1 else 1
    for at in range(len(way.entries) - 1, lowest - 1, -1):
        entry = way.entries[at]
        if layers := [layer for layer in entry.history if layer.source is not own]:
            return Related(layers[-1], replacement_note(layers[-1]))
        if entry.key.span.source is not own:
            return Related(entry.key.span, f"`{_address(way.entries[: at + 1])}` is here, in the rules below")
    return None


def _address(entries: Iterable[Entry]) -> str:
    return ".".join(entry.key.text for entry in entries)


__all__ = ["add_base_note"]
