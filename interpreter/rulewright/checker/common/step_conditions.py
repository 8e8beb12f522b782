"""The conditions of a step one by one: the one without a name, and those with one.

In: the document, a step. Out: for each its expression, the node at which it is written, and its address.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.document.address import child_entry, find_entry
from rulewright.expr.tree import Expr, Logic
from rulewright.model.effects import Step
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.source.nodes import MappingNode, Node


def step_conditions(root: MappingNode, step: Step) -> Iterator[tuple[Expr, Node | None, str]]:
    """They all have to hold where the step is carried out; the address of one without a name is that of the step."""
    if step.when is None:
        return
    entry = find_entry(root, f"{step.address}.when")
    written = entry.value if entry is not None else None
    names = [each.key.text for each in written.entries] if isinstance(written, MappingNode) else []
    named = [name for name in names if name not in (*METADATA_KEYS, "is")]
    rest, last = step.when, list[tuple[Expr, Node | None, str]]()
    for name in reversed(named if "is" in names else named[1:]):
        assert isinstance(rest, Logic)
        last.append((rest.right, _node(root, step, name), f"{step.address}.when.{name}"))
        rest = rest.left
    if named and "is" not in names:
        yield rest, _node(root, step, named[0]), f"{step.address}.when.{named[0]}"
    else:
        yield rest, condition_node(root, step.address), step.address
    yield from reversed(last)


def _node(root: MappingNode, step: Step, name: str) -> Node | None:
    entry = find_entry(root, f"{step.address}.when.{name}")
    return None if entry is None else (child_entry(entry.value, "is") or entry).value


__all__ = ["step_conditions"]
