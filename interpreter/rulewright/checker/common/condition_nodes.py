"""Where a condition, or what stands at another key of a step or choice, is written: another file than the step's may
have set it.

In: the document, the address of a step, a key. Out: the node, or its span.
"""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.document.address import child_entry, find_entry
from rulewright.expr.tree import Expr
from rulewright.source.nodes import MappingNode, Node, ScalarNode


def condition_node(root: MappingNode, address: str, key: str = "when") -> Node | None:
    """What stands at a condition; where its sentences stand beside it, the condition alone."""
    entry = find_entry(root, f"{address}.{key}")
    if entry is None:
        return None
    return (child_entry(entry.value, "is") or entry).value


def key_span(root: MappingNode, address: str, key: str, otherwise: Span) -> Span:
    """Where that stands; `otherwise` where the key is not written."""
    node = condition_node(root, address, key)
    return otherwise if node is None else node.span


def part_span(root: MappingNode, address: str, key: str, part: Expr, otherwise: Span) -> Span:
    """Where a part of the expression at a key stands; `otherwise` where it is not written as one."""
    node = condition_node(root, address, key)
    return node.subspan(*part.offsets) if isinstance(node, ScalarNode) else otherwise


__all__ = ["condition_node", "key_span", "part_span"]
