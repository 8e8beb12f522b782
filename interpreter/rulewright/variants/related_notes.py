"""Adds to a diagnostic about a variant's line what that line replaced.

In: a diagnostic, the changes applied to a game, and the resulting rules. Out: the diagnostic, with a related place in
the rules below: the value that the change replaced, or the rule into which it inserted something.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.diagnostics import Diagnostic, Related, Span
from rulewright.document.editing import look_up, replacement_note, resolve_address
from rulewright.frozen import replace
from rulewright.source.nodes import Entry, MappingNode, ScalarNode
from rulewright.variants.change import Change


def add_base_note(diagnostic: Diagnostic, changes: Iterable[Change], root: MappingNode) -> Diagnostic:
    """The diagnostic; one inside a change of a variant gets the place of what was there before."""
    change = next((change for change in changes if _is_written_by(change, diagnostic.span)), None)
    if change is None:
        return diagnostic
    note = _base_note(change, root)
    if note is None or any(related.span == note.span for related in diagnostic.related):
        return diagnostic
    return replace(diagnostic, related=(note, *diagnostic.related))


def _is_written_by(change: Change, span: Span) -> bool:
    """Whether a span is inside a change."""
    nodes = (change.key, change.payload, change.item)
    return any(node.span.contains(span) for node in nodes if node is not None)


def _base_note(change: Change, root: MappingNode) -> Related | None:
    if change.anchor is not None and change.anchor.key.text != "at" and isinstance(change.anchor.value, ScalarNode):
        neighbour = look_up(root, (*change.parts[:-1], change.anchor.value.text))
        if len(neighbour.entries) == len(change.parts):
            return Related(neighbour.entries[-1].key.span, f"inserted {change.anchor.key.text} this")
    lookup = look_up(root, resolve_address(root, change.parts, change.new_value))
    source = change.key.span.source
    # the other rules of a section say nothing about a new one, unless they are ordered
    lowest = 0 if change.operation == "insert" or len(change.parts) == 1 else 1
    for index in range(len(lookup.entries) - 1, lowest - 1, -1):
        entry = lookup.entries[index]
        if replaced := [span for span in entry.history if span.source is not source]:
            return Related(replaced[-1], replacement_note(replaced[-1]))
        if entry.key.span.source is not source:
            return Related(entry.key.span, f"`{_address(lookup.entries[: index + 1])}` is defined here")
    return None


def _address(entries: Iterable[Entry]) -> str:
    return ".".join(entry.key.text for entry in entries)


__all__ = ["add_base_note"]
