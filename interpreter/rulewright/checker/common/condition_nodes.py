"""Where the condition of a step is written, which another file than the step's may have set.

In: the document, the address of a step. Out: the node.
"""

from __future__ import annotations

from rulewright.document.address import child_entry, find_entry
from rulewright.source.nodes import MappingNode, Node


def condition_node(root: MappingNode, address: str, key: str = "when") -> Node | None:
    """What stands at a condition; where its sentences stand beside it, the condition alone."""
    entry = find_entry(root, f"{address}.{key}")
    if entry is None:
        return None
    return (child_entry(entry.value, "is") or entry).value


__all__ = ["condition_node"]
