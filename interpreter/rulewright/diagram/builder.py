"""Boxes and arrows as they are put together: one box after another, each reached from the open ends before it.

In: boxes in the order in which they are read. Out: a `Diagram`. What was taken away hangs beside the course that is
left: its arrows lead past it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup, DiagramNode, DiffMark, EdgeKind
from rulewright.diagram.node_text import NodeText
from rulewright.model.rules import Rules

LEGEND_ORDER: Final[tuple[DiffMark, ...]] = ("new", "changed", "gone")


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A box from which the next one will be reached, and by what arrow."""

    source: str
    text: tuple[str, ...] = ()
    kind: EdgeKind = "next"
    mark: DiffMark = ""


OpenEnds = tuple[OpenEnd, ...]


class DiagramBuilder:
    """Collects boxes, arrows and frames."""

    def __init__(self) -> None:
        self.nodes: list[DiagramNode] = []
        self.edges: list[DiagramEdge] = []
        self.groups: list[DiagramGroup] = []
        self._open: list[tuple[DiagramGroup, list[str]]] = []

    @contextmanager
    def group(self, group: DiagramGroup) -> Iterator[None]:
        """A frame around what is drawn inside; none where nothing is. `group`: without its boxes."""
        inside = self._open[-1][0].id if self._open else ""
        at = len(self.groups)
        self._open.append((group, []))
        yield
        _, nodes = self._open.pop()
        self.groups.insert(at, replace(group, nodes=tuple(nodes), parent=inside))

    def add_node(self, ends: OpenEnds, node: DiagramNode) -> OpenEnds:
        """Draws a box that is reached from some ends; it is the only end then."""
        self.nodes.append(node)
        if self._open:
            self._open[-1][1].append(node.id)
        for end in ends:
            mark: DiffMark = (
                "gone" if "gone" in (end.mark, node.mark) else "new" if "new" in (end.mark, node.mark) else ""
            )
            self.edges.append(DiagramEdge(end.source, node.id, end.text, mark, end.kind))
        return (OpenEnd(node.id, mark=node.mark if node.mark != "changed" else ""),)

    def build(self, title: str, tell: NodeText) -> Diagram:
        """The picture that has come together."""
        used = {node.mark for node in self.nodes} | {edge.mark for edge in self.edges}
        used |= {group.mark for group in self.groups}
        legend = tuple((mark, tell.messages(mark)) for mark in LEGEND_ORDER if mark in used)
        return Diagram(title, tuple(self.nodes), tuple(self.edges), tuple(self.groups), legend, tell.language)


def diagram_title(title: str, tell: NodeText, rules: Rules, before: Rules | None) -> str:
    """What a picture is called: the game, what is shown, the variants, and what it was compared with."""
    text = tell.messages(title, game=tell.game_title())
    if rules.variants:
        text = tell.messages("with", title=text, variants=", ".join(rules.variants))
    if before is not None and before.players != rules.players:
        text += f" ({tell.messages('compared', players=before.players)})"
    return text


__all__ = ["DiagramBuilder", "OpenEnd", "OpenEnds", "diagram_title"]
