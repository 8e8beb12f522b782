"""The outline of a file, and what of it can be folded away.

In: the node of a file. Out: its keys, nested, with where they and their values stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.diagnostics import Span
from rulewright.document.address import child_entries
from rulewright.document.language import PROSE_KEYS
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

MAX_DEPTH: Final = 4  # of keys within keys
MAX_ENTRIES: Final = 4_000


@frozen
class OutlineEntry:
    """A key: its name, a short value, where the key stands, where it begins and its value ends, what is within."""

    name: str
    detail: str
    key: Span
    start: int
    end: int
    inner: tuple[OutlineEntry, ...]


def outline(node: Node) -> tuple[OutlineEntry, ...]:
    """The keys of a file as far as they matter to who looks for a rule."""
    budget = iter(range(MAX_ENTRIES))
    return tuple(_entries(node, 0, budget))


def _entries(node: Node, depth: int, budget: Iterator[int]) -> Iterator[OutlineEntry]:
    if depth == MAX_DEPTH:
        return
    for entry in child_entries(node):
        if entry.key.text in PROSE_KEYS or entry.key.span.source is not node.span.source or next(budget, None) is None:
            continue
        detail = entry.value.text if isinstance(entry.value, ScalarNode) else ""
        inner = tuple(_entries(entry.value, depth + 1, budget))
        end = max(entry.key.span.end, entry.value.span.end)
        yield OutlineEntry(entry.key.text, detail, entry.key.span, entry.key.span.start, end, inner)


def foldings(node: Node) -> Iterator[tuple[int, int]]:
    """Where each value of several lines begins, with its key, and ends, without the white space behind it."""
    if isinstance(node, MappingNode):
        for entry in node:
            start, end = entry.key.span.start, _end_of_text(entry.value)
            if node.span.source.text.find("\n", start, end) >= 0:
                yield start, end
            yield from foldings(entry.value)
    elif isinstance(node, SequenceNode):
        for item in node:
            yield from foldings(item)


def _end_of_text(node: Node) -> int:
    """The end of the last character that is not white space."""
    return node.span.start + len(node.span.text.rstrip())


__all__ = ["OutlineEntry", "foldings", "outline"]
