"""YAML as positioned nodes: every key and every scalar knows where it stands and what it said.

In: nothing. Out: the three kinds of node that the rest of the pipeline reads. Nodes are never changed; a layer laid
over another makes new mappings that share the old children, so a child still says which file wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.diagnostics import Source, Span

Plain = str | int | bool


@dataclass(frozen=True, slots=True)
class Scalar:
    """A word, number or flag.

    `places[i]` is the source offset of character i of the text value (one more for the end).
    """

    value: Plain
    text: str  # as a string, whatever the value's type: what an expression is parsed from
    span: Span
    places: tuple[int, ...] | None = None  # None: character i stands at span.start + i

    def part(self, start: int, end: int) -> Span:
        """The source span of characters `start` to `end` of `text`."""
        if self.places is None:
            first, last = self.span.start + start, self.span.start + end
        else:
            first = self.places[start]
            last = self.places[end - 1] + 1 if end > start else first
        return Span(self.span.source, first, max(last, first))


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value in a mapping. `layers`: the spans that this entry's value had before, oldest first."""

    key: Scalar
    value: Node
    layers: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys in the order of the file; keys are distinct."""

    entries: tuple[Entry, ...]
    span: Span

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry.value
        return None

    def entry(self, key: str) -> Entry | None:
        """The entry of a key, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry
        return None

    def keys(self) -> tuple[str, ...]:
        """The keys as strings."""
        return tuple(entry.key.text for entry in self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, key: str) -> bool:
        return self.entry(key) is not None


@dataclass(frozen=True, slots=True)
class Sequence:
    """Items in the order of the file. `by_name`: what `address.items_by_name` has found, which asks once."""

    items: tuple[Node, ...]
    span: Span
    by_name: list[tuple[Entry, ...] | None] = field(default_factory=list, init=False, repr=False, compare=False)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node = Scalar | Mapping | Sequence


def plain(node: Node) -> object:
    """The node as dicts, lists and plain values, for schema checking and digests."""
    match node:
        case Scalar(value=value):
            return value
        case Mapping(entries=entries):
            return {entry.key.text: plain(entry.value) for entry in entries}
        case Sequence(items=items):
            return [plain(item) for item in items]


__all__ = ["Entry", "Mapping", "Node", "Plain", "Scalar", "Sequence", "Source", "Span", "plain"]
