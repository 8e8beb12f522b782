"""Edits of the text of a rule file by what stands in it: entries that go, lines that come, words that change.

In: nodes of the file. Out: `Edit`s, and the text with them; whatever they do not touch stays as it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode

REST_OF_LINE: Final = lazy_pattern(r"[ \t]*(#[^\n]*)?(\n|\Z)")
QUOTES: Final = ('"', "'")


@frozen
class Edit:
    """Characters `start` to `end` of a text become `new`."""

    start: int
    end: int
    new: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits, of which those at one place are one."""
    by_start = {edit.start: edit for edit in edits}
    for start in sorted(by_start, reverse=True):
        text = text[:start] + by_start[start].new + text[by_start[start].end :]
    return text


def replaced(node: ScalarNode, new: str) -> Edit:
    """Another text inside of whatever quotes there are."""
    return Edit(node.subspan(0, 0).start, node.subspan(0, len(node.text)).end, new)


def node_end(node: Node) -> int:
    """Where a node ends: a block reaches no further than its last word."""
    text = node.span.source.text
    inner = [entry.value for entry in node] if isinstance(node, MappingNode) else []
    inner = list(node.items) if isinstance(node, SequenceNode) else inner
    if inner and not is_flow(node):
        return node_end(inner[-1])
    end = node.span.start + len(text[node.span.start : node.span.end].rstrip())
    quote = text[node.span.start - 1 : node.span.start]
    return end + (isinstance(node, ScalarNode) and quote in QUOTES and text[end : end + 1] == quote)


def is_flow(node: Node) -> bool:
    """Whether a mapping or list is written in braces or brackets."""
    return node.span.source.text[node.span.start] in "{["


def entry_start(entry: Entry) -> int:
    """Where the key of an entry begins, its quotes included."""
    start = entry.key.span.start
    return start - (entry.key.span.source.text[start - 1 : start] in QUOTES)


def removals(mapping: MappingNode, gone: Collection[Entry]) -> Iterator[Edit]:
    """Edits that take entries out of a mapping. A comment behind one stays, on a line of its own."""
    if not gone:
        return
    text = mapping.span.source.text
    if not is_flow(mapping):
        for entry in gone:
            yield _line_removal(text, entry)
        return
    kept = [index for index, entry in enumerate(mapping.entries) if entry not in gone]
    if not kept:
        yield Edit(mapping.span.start, node_end(mapping), "{}")
        return
    for index, entry in enumerate(mapping.entries):
        if entry in gone and index < kept[0] and index == 0:
            yield Edit(entry_start(entry), entry_start(mapping.entries[kept[0]]), "")
        elif entry in gone and index > kept[0]:
            yield Edit(node_end(mapping.entries[index - 1].value), node_end(entry.value), "")


def _line_removal(text: str, entry: Entry) -> Edit:
    start, end = entry_start(entry), node_end(entry.value)
    line_start = text.rfind("\n", 0, start) + 1
    indent = text[line_start:start]
    rest = REST_OF_LINE.match(text, end)
    if rest is None or indent.strip():  # something else stands on the line
        return Edit(start, end, "")
    if rest[1]:
        return Edit(start, rest.start(1), "")
    return Edit(line_start, rest.end(), "")


def line_after(entry: Entry, line: str) -> Edit:
    """Edit that adds a line behind an entry of a block, with the indentation of its key."""
    text = entry.key.span.source.text
    start = entry_start(entry)
    indent = " " * (start - text.rfind("\n", 0, start) - 1)
    end = text.find("\n", node_end(entry.value))
    place = len(text) if end < 0 else end
    return Edit(place, place, f"\n{indent}{line}")


__all__ = [
    "Edit",
    "apply_edits",
    "entry_start",
    "is_flow",
    "line_after",
    "node_end",
    "removals",
    "replaced",
]
