"""A part of a rule file that a message is about: its node, its key, and its address.

In: nodes. Out: where to point, and what a node is in words.
"""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode


@frozen
class LocatedNode:
    """A node of the file, its key (None for the file itself and for items), and its address."""

    node: Node
    key: ScalarNode | None
    address: str

    @property
    def key_span(self) -> Span:
        """Where to point when something is missing in the node: its own key, else the first key in it."""
        if self.key is not None:
            return self.key.span
        if isinstance(self.node, MappingNode) and self.node.entries:
            return self.node.entries[0].key.span
        return content_span(self.node)


def content_span(node: Node) -> Span:
    """A node's span without trailing line ends: a block reaches down to what follows it."""
    span = node.span
    text = span.text.rstrip()
    return Span(span.source, span.start, span.start + len(text)) if text else span


def describe_node(node: Node) -> str:
    """What a node is, in words: `a list`, `the number 4`."""
    match node:
        case MappingNode():
            return "a mapping"
        case SequenceNode():
            return "a list"
        case ScalarNode(value=bool()):
            return f"the flag {node.text}"
        case ScalarNode(value=int()):
            return f"the number {node.text}"
        case ScalarNode():
            return "text" if node.text else "empty text"


__all__ = ["LocatedNode", "content_span", "describe_node"]
