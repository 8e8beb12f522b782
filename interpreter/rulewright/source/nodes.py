"""YAML as positioned nodes: every key and every value knows which file, line and column it comes from.

In: nothing. Out: the three kinds of node that the rest of the pipeline reads. Nodes are immutable; applying a variant
makes new mappings that share the old children, so a child still says which file wrote it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, TypeVar

from rulewright.diagnostics import SourceFile, Span
from rulewright.frozen import field, frozen
from rulewright.json_values import is_integer

ScalarValue = str | int | bool
OptionT = TypeVar("OptionT", bound=str)


@frozen
class ScalarNode:
    """A word, number or flag.

    `offsets[i]` is the source offset of character i of `text`, with one more for its end.
    """

    value: ScalarValue
    text: str  # as a string, whatever the value's type: what an expression is parsed from
    span: Span
    offsets: tuple[int, ...] | None = None  # None: character i is at span.start + i

    def subspan(self, start: int, end: int) -> Span:
        """The source span of characters `start` to `end` of `text`."""
        if self.offsets is None:
            first, last = self.span.start + start, self.span.start + end
        else:
            first = self.offsets[start]
            last = self.offsets[end - 1] + 1 if end > start else first
        return Span(self.span.source, first, max(last, first))


@frozen
class Entry:
    """A key and its value in a mapping. `history`: the spans of the values that this one replaced, oldest first."""

    key: ScalarNode
    value: Node
    history: tuple[Span, ...] = ()


@frozen
class MappingNode:
    """Distinct keys in file order. `entries_by_key`: filled by the first question for a key."""

    entries: tuple[Entry, ...]
    span: Span
    entries_by_key: dict[str, Entry] = field(default_factory=dict, init=False, repr=False, compare=False)

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        entry = self.entry(key)
        return None if entry is None else entry.value

    def require(self, key: str) -> Node:
        """The value of a key that the schema requires."""
        node = self.get(key)
        assert node is not None, f"the schema requires `{key}`"
        return node

    def entry(self, key: str) -> Entry | None:
        """The entry of a key, or None."""
        known = self.entries_by_key
        if not known:
            known.update({entry.key.text: entry for entry in self.entries})  # at once: other threads may ask, too
        return known.get(key)

    def keys(self) -> tuple[str, ...]:
        """The keys as strings."""
        return tuple(entry.key.text for entry in self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, key: str) -> bool:
        return self.entry(key) is not None


@frozen
class SequenceNode:
    """Items in file order. `named_items_cache`: filled by `document.address.named_items` on its first call."""

    items: tuple[Node, ...]
    span: Span
    named_items_cache: list[tuple[Entry, ...] | None] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node = ScalarNode | MappingNode | SequenceNode


def to_builtins(node: Node) -> object:
    """The node as dicts, lists and plain values, for schema validation and digests."""
    match node:
        case ScalarNode(value=value):
            return value
        case MappingNode(entries=entries):
            return {entry.key.text: to_builtins(entry.value) for entry in entries}
        case SequenceNode(items=items):
            return [to_builtins(item) for item in items]


NOWHERE: Final = Span(SourceFile("", ""), 0, 0)  # of a node that is not there


def as_scalar(node: Node | None) -> ScalarNode | None:
    """The node when it is a scalar."""
    return node if isinstance(node, ScalarNode) else None


def as_mapping(node: Node | None) -> MappingNode:
    """The node when it is a mapping, else an empty one."""
    if isinstance(node, MappingNode):
        return node
    return MappingNode((), node.span if node is not None else NOWHERE)


def as_items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; a single node counts as a list of one."""
    if isinstance(node, SequenceNode):
        return node.items
    return () if node is None else (node,)


def iter_scalars(node: Node | None, skipped_keys: Collection[str] = ()) -> Iterator[ScalarNode]:
    """The scalars in a tree that are values, in their order, but for those below some keys."""
    if isinstance(node, MappingNode):
        for entry in node:
            if entry.key.text not in skipped_keys:
                yield from iter_scalars(entry.value, skipped_keys)
    elif isinstance(node, SequenceNode):
        for item in node:
            yield from iter_scalars(item, skipped_keys)
    elif node is not None:
        yield node


def text_or_default(node: Node | None, default: str = "") -> str:
    """The text of a scalar."""
    return node.text if isinstance(node, ScalarNode) else default


def literal_value(node: Node | None, options: tuple[OptionT, ...], default: OptionT) -> OptionT:
    """The option that a scalar spells; the schema has checked that it is one of them."""
    text = text_or_default(node)
    return next((option for option in options if option == text), default)


def int_value(node: Node | None) -> int | None:
    """The value of a whole number; flags are none."""
    if isinstance(node, ScalarNode) and is_integer(node.value):
        return node.value
    return None


__all__ = [
    "Entry",
    "MappingNode",
    "Node",
    "ScalarNode",
    "ScalarValue",
    "SequenceNode",
    "Span",
    "as_items",
    "as_mapping",
    "as_scalar",
    "int_value",
    "literal_value",
    "text_or_default",
    "to_builtins",
]
