"""Boxes and arrows as they are put together: one box after another, each reached from the open ends before it.

In: boxes in the order in which they are read. Out: a `Diagram`. What was taken away hangs beside the course that is
left: its arrows lead past it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from rulewright.diagram.diagram import Diagram, Edge, EdgeKind, Group, Mark, Node
from rulewright.diagram.node_text import Telling
from rulewright.model.rules import Rules

MARKS: Final[tuple[Mark, ...]] = ("new", "changed", "gone")


@dataclass(frozen=True, slots=True)
class End:
    """A box from which the next one will be reached, and by what arrow."""

    source: str
    text: tuple[str, ...] = ()
    kind: EdgeKind = "next"
    mark: Mark = ""


Ends = tuple[End, ...]


class Chart:
    """Collects boxes, arrows and frames."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.groups: list[Group] = []
        self._open: list[tuple[Group, list[str]]] = []

    @contextmanager
    def group(self, group: Group) -> Iterator[None]:
        """A frame around what is drawn inside; none where nothing is. `group`: without its boxes."""
        inside = self._open[-1][0].id if self._open else ""
        at = len(self.groups)
        self._open.append((group, []))
        yield
        _, nodes = self._open.pop()
        self.groups.insert(at, replace(group, nodes=tuple(nodes), inside=inside))

    def node(self, ends: Ends, node: Node) -> Ends:
        """Draws a box that is reached from some ends; it is the only end then."""
        self.nodes.append(node)
        if self._open:
            self._open[-1][1].append(node.id)
        for end in ends:
            mark: Mark = "gone" if "gone" in (end.mark, node.mark) else "new" if "new" in (end.mark, node.mark) else ""
            self.edges.append(Edge(end.source, node.id, end.text, mark, end.kind))
        return (End(node.id, mark=node.mark if node.mark != "changed" else ""),)

    def diagram(self, title: str, tell: Telling) -> Diagram:
        """The picture that has come together."""
        used = {node.mark for node in self.nodes} | {edge.mark for edge in self.edges}
        used |= {group.mark for group in self.groups}
        legend = tuple((mark, tell.words(mark)) for mark in MARKS if mark in used)
        return Diagram(title, tuple(self.nodes), tuple(self.edges), tuple(self.groups), legend, tell.code)


def heading(title: str, tell: Telling, rules: Rules, before: Rules | None) -> str:
    """What a picture is called: the game, what is shown, the variants, and what it was compared with."""
    text = tell.words(title, game=tell.game())
    if rules.variants:
        text = tell.words("with", title=text, variants=", ".join(rules.variants))
    if before is not None and before.players != rules.players:
        text += f" ({tell.words('compared', players=before.players)})"
    return text


__all__ = ["Chart", "End", "Ends", "heading"]
