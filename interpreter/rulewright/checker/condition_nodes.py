"""Where the condition of a step is written, which another file than the step's may have set.

In: the document, the address of a step. Out: the node.
"""

from __future__ import annotations

from rulewright.document.address import find_entry
from rulewright.source.nodes import MappingNode, Node


def condition_node(root: MappingNode, address: str, key: str = "when") -> Node | None:
    """What stands at a condition; where its sentences stand beside it, the condition alone."""
    entries = [find_entry(root, name) for name in (f"{address}.{key}.is", f"{address}.{key}")]
    return next((entry.value for entry in entries if entry is not None), None)


__all__ = ["condition_node"]
