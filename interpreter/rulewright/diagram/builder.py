"""Boxes and arrows as they are put together: one box after another, each reached from the open ends before it.

In: boxes in the order in which they are read. Out: a `Diagram`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup, DiagramNode, DiffMark, EdgeKind
from rulewright.diagram.node_text import NodeText
from rulewright.frozen import frozen, replace
from rulewright.model.rules import Rules

LEGEND_ORDER: Final[tuple[DiffMark, ...]] = ("new", "changed", "gone")


@frozen
class OpenEnd:
    """A box from which the next one is reached, and by what arrow."""

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
        """A frame around the boxes that are added inside the `with`. `group`: without its boxes.

        After an exception the group stays open: the builder is of no use then.
        """
        parent = self._open[-1][0].id if self._open else ""
        index = len(self.groups)
        self._open.append((group, []))
        yield
        _, nodes = self._open.pop()
        self.groups.insert(index, replace(group, nodes=tuple(nodes), parent=parent))

    def add_node(self, ends: OpenEnds, node: DiagramNode) -> OpenEnds:
        """Adds a box that is reached from these ends. Returns it as the only end."""
        self.nodes.append(node)
        if self._open:
            self._open[-1][1].append(node.id)
        for end in ends:
            mark: DiffMark = (
                "gone" if "gone" in (end.mark, node.mark) else "new" if "new" in (end.mark, node.mark) else ""
            )
            self.edges.append(DiagramEdge(end.source, node.id, end.text, mark, end.kind))
        return (OpenEnd(node.id, mark=node.mark if node.mark != "changed" else ""),)

    def build(self, title: str, text: NodeText) -> Diagram:
        """The diagram, with a legend of the marks that it has."""
        used = {node.mark for node in self.nodes} | {edge.mark for edge in self.edges}
        used |= {group.mark for group in self.groups}
        legend = tuple((mark, text.messages(mark)) for mark in LEGEND_ORDER if mark in used)
        return Diagram(title, tuple(self.nodes), tuple(self.edges), tuple(self.groups), legend, text.language)


def diagram_title(key: str, text: NodeText, rules: Rules, before: Rules | None) -> str:
    """The title of a diagram: the game, what is shown, the variants, and what it is compared with.

    `key`: of the message for a diagram of this kind.
    """
    title = text.messages(key, game=text.game_title())
    if rules.variants:
        title = text.messages("with", title=title, variants=", ".join(rules.variants))
    if before is not None and before.players != rules.players:
        title += f" ({text.messages('compared', players=before.players)})"
    return title


__all__ = ["DiagramBuilder", "OpenEnd", "OpenEnds", "diagram_title"]
