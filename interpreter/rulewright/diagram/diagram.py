"""A picture of rules before it is drawn: boxes with texts, arrows between them, frames around some of them.

In: nothing. Out: the classes that `flow` and `moves` fill and that `mermaid` and `svg` draw. They know no game and no
way of drawing: a box says what it is, not how it looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

# start, end: where a part begins and ends; condition: asked of the position; decision: somebody chooses;
# chance: the dice or a shuffled pile say; part: steps that stand elsewhere; zone: a place for things
NodeKind = Literal["start", "end", "step", "condition", "decision", "action", "chance", "part", "zone"]
EdgeKind = Literal["next", "yes", "no", "offer", "move", "refill"]
GroupKind = Literal["flow", "frame", "zones"]  # steps in order; steps inside a step; places
DiffMark = Literal["", "new", "changed", "gone"]  # held against other rules


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """A box. `text`: its paragraphs. `address`: the rule that it shows, if it shows one."""

    id: str
    text: tuple[str, ...]
    kind: NodeKind
    mark: DiffMark = ""
    address: str = ""
    has_heading: bool = False  # the first paragraph is a name


@dataclass(frozen=True, slots=True)
class DiagramEdge:
    """An arrow from a box to a box; `text`: its paragraphs."""

    source: str
    target: str
    text: tuple[str, ...] = ()
    mark: DiffMark = ""
    kind: EdgeKind = "next"


@dataclass(frozen=True, slots=True)
class DiagramGroup:
    """A frame: the boxes right inside it, in order. `inside`: the group around it; empty for a part of the picture."""

    id: str
    title: str
    nodes: tuple[str, ...]
    parent: str = ""
    kind: GroupKind = "flow"
    mark: DiffMark = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A picture. Boxes stand in the order in which they are read. `legend`: the words for the marks it uses."""

    title: str
    nodes: tuple[DiagramNode, ...]
    edges: tuple[DiagramEdge, ...]
    groups: tuple[DiagramGroup, ...]
    legend: tuple[tuple[DiffMark, str], ...] = ()
    language: str = "en"

    def top_groups(self) -> Iterator[DiagramGroup]:
        """The groups that stand in no other."""
        return (group for group in self.groups if not group.parent)


__all__ = ["Diagram", "DiagramEdge", "DiagramGroup", "DiagramNode", "DiffMark", "EdgeKind", "GroupKind", "NodeKind"]
