"""Nodes that are made anew from the same parts are the same nodes.

In: a tree that came out of changes, and the nodes that stay as they are. Out: an equal tree in which everything that
was made in the same way before, at another number of players, is the very node of then. So whatever is known of that
node is known of it, too.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from operator import is_
from typing import Final

from rulewright import limits
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode


class SharedNodes:
    """The nodes that were made last, by their parts."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: dict[Hashable, Node] = {}  # each keeps its parts, so that no other gets their ids
        self._ids = set[int]()  # of these nodes

    def shared(self, node: Node, below: Node | None, kept: Collection[int]) -> Node:
        """An equal node. `below`: what was in its place before; `kept`: ids of nodes that are taken as they are."""
        if node is below or id(node) in kept or id(node) in self._ids:
            return node
        if isinstance(node, ScalarNode):
            return self._known_or(node, (node.value.__class__, node.value, node.text, node.offsets))
        if isinstance(node, SequenceNode):
            items = tuple([self.shared(item, None, kept) for item in node.items])
            whole = node if all(map(is_, items, node.items)) else SequenceNode(items, node.span)
            return self._known_or(whole, tuple(map(id, items)))
        entries = tuple([self._entry(entry, below, kept) for entry in node.entries])
        parts = [part for entry in entries for part in (id(entry.key), id(entry.value), entry.history)]
        return self._known_or(
            node if all(map(is_, entries, node.entries)) else MappingNode(entries, node.span), tuple(parts)
        )

    def _known_or(self, node: Node, parts: Hashable) -> Node:
        """What was made of such parts before; this node where there is nothing."""
        span = node.span
        key = (node.__class__, id(span.source), span.start, span.end, parts)
        known = self._known.get(key)
        if known is not None:
            return known
        if len(self._known) >= self._size:
            self._known.clear()
            self._ids.clear()
        self._known[key] = node
        self._ids.add(id(node))
        return node

    def _entry(self, entry: Entry, below: Node | None, kept: Collection[int]) -> Entry:
        before = below.entry(entry.key.text) if isinstance(below, MappingNode) else None
        if entry is before:
            return entry
        key = self.shared(entry.key, None if before is None else before.key, kept)
        value = self.shared(entry.value, None if before is None else before.value, kept)
        assert isinstance(key, ScalarNode)
        return entry if key is entry.key and value is entry.value else Entry(key, value, entry.history)


_SHARED: Final = SharedNodes(limits.MAX_REMEMBERED_READINGS)
shared_node: Final = _SHARED.shared

__all__ = ["SharedNodes", "shared_node"]
