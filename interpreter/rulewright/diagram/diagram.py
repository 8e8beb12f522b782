"""A picture of rules before it is drawn: boxes with texts, arrows between them, frames around some of them.

In: nothing. Out: the classes that `flowchart` and `zone_graph` build and that `mermaid` and `svg` draw. They say what a
box is, not how it looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rulewright.frozen import frozen

# start, end: of a part; condition: of the position; decision: somebody chooses; chance: dice or a shuffled pile decide;
# part: steps that are drawn elsewhere; zone: a place for things
NodeKind = Literal["start", "end", "step", "condition", "decision", "action", "chance", "part", "zone"]
EdgeKind = Literal["next", "yes", "no", "offer", "move", "refill"]
GroupKind = Literal["flow", "frame", "zones"]  # steps in order; steps inside a step; places
DiffMark = Literal["", "new", "changed", "gone"]  # compared with other rules


@frozen
class DiagramNode:
    """A box. `text`: its paragraphs. `address`: the rule that it shows, if it shows one."""

    id: str
    text: tuple[str, ...]
    kind: NodeKind
    mark: DiffMark = ""
    address: str = ""
    has_heading: bool = False  # the first paragraph is a name


@frozen
class DiagramEdge:
    """An arrow from a box to a box; `text`: its paragraphs."""

    source: str
    target: str
    text: tuple[str, ...] = ()
    mark: DiffMark = ""
    kind: EdgeKind = "next"


@frozen
class DiagramGroup:
    """A frame. `nodes`: ids of the boxes directly in it, in order; `parent`: id of the group around it, if any."""

    id: str
    title: str
    nodes: tuple[str, ...]
    parent: str = ""
    kind: GroupKind = "flow"
    mark: DiffMark = ""
    address: str = ""


@frozen
class Diagram:
    """A picture. `nodes`: in the order in which they are read; `legend`: the marks that occur, with their words."""

    title: str
    nodes: tuple[DiagramNode, ...]
    edges: tuple[DiagramEdge, ...]
    groups: tuple[DiagramGroup, ...]
    legend: tuple[tuple[DiffMark, str], ...] = ()
    language: str = "en"

    def top_groups(self) -> Iterator[DiagramGroup]:
        """The groups that are in no other."""
        return (group for group in self.groups if not group.parent)


__all__ = ["Diagram", "DiagramEdge", "DiagramGroup", "DiagramNode", "DiffMark", "EdgeKind", "GroupKind", "NodeKind"]
