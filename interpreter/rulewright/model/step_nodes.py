"""All steps of a game as they are written.

In: a document. Out: the mapping of each step with its address, those inside of others after them. It serves what has
to be known of steps before they can be read.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.document.language import FLOW_SECTIONS
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import MappingNode, Node, as_mapping


def iter_steps(reader: ExprReader) -> Iterator[tuple[str, MappingNode]]:
    """Every step with its address."""
    for section in FLOW_SECTIONS:
        yield from _steps_in(reader.root.get(section), section)
    for entry in reader.section("procedures"):
        yield from _steps_in(as_mapping(entry.value).get("do"), f"procedures.{entry.key.text}.do")
    for entry in reader.section("actions"):
        yield from _steps_in(as_mapping(entry.value).get("do"), f"actions.{entry.key.text}.do")


def _steps_in(steps: Node | None, address: str) -> Iterator[tuple[str, MappingNode]]:
    for step in steps if isinstance(steps, MappingNode) else ():
        node = as_mapping(step.value)
        yield f"{address}.{step.key.text}", node
        yield from _steps_in(node.get("do"), f"{address}.{step.key.text}.do")


__all__ = ["iter_steps"]
