"""Lays out what is done in order: one box below the other, what is offered stands farther in, and every way round
something runs on the right.

In: a diagram. Out: a `Drawing` for each of its flows. No box can overlap another, as each begins below the one before;
ways round have lanes of their own, shorter ones nearer to the boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rulewright import limits
from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup, DiagramNode, DiffMark
from rulewright.diagram.shapes import (
    LINE_HEIGHT,
    PADDING_X,
    PADDING_Y,
    AnyShape,
    Box,
    Connector,
    Drawing,
    EdgeLabel,
    GroupFrame,
    TextLine,
    make_box,
    make_edge_label,
    right_edge_at,
    translate,
)
from rulewright.diagram.text_metrics import break_lines

MAX_FLOW_BOX_WIDTH: Final = 330.0  # of a box
INDENT: Final = 34.0
STEP_GAP: Final = 30.0  # between steps
OFFER_GAP: Final = 12.0  # between what is offered
SPINE_X: Final = 22.0  # from the left of a box: where the way straight on goes down
TRUNK_X: Final = 12.0  # and where the ways to what is offered do
PORT_Y: Final = 11.0  # from the upper or lower end of a box: where ways round come in or go out
LANE_WIDTH: Final = 12.0  # from one lane to the next
OUTSIDE: Final = ""  # whatever lies outside the group


@dataclass(slots=True)
class _Item:
    """A box, or a frame with all that is in it, in its group."""

    key: str
    drawing: Drawing
    gone: bool
    indent: float
    offered: bool
    above: EdgeLabel | None  # what stands above it
    y: float = 0

    @property
    def right(self) -> float:
        return self.indent + self.drawing.width

    @property
    def bottom(self) -> float:
        return self.y + self.drawing.height

    def side(self, y: float) -> float:
        """Where its right side is at that height."""
        first = self.drawing.shapes[0]
        return self.indent + (right_edge_at(first, y - self.y) if isinstance(first, Box) else self.drawing.width)

    @property
    def tap(self) -> float:
        """Where it is reached from the left."""
        return self.y + min(self.drawing.height / 2, 20)


@dataclass(slots=True)
class _Way:
    """A way round: from where, to where, in which lane."""

    to: str
    mark: DiffMark
    sources: list[tuple[_Item, DiagramEdge]] = field(default_factory=list)
    lane: int = 0


def layout_flows(diagram: Diagram) -> list[Drawing]:
    """The flows of a diagram, each as a drawing."""
    whole = _Flow(diagram)
    return [whole.drawing(group, MAX_FLOW_BOX_WIDTH) for group in diagram.top_groups() if group.kind == "flow"]


class _Flow:
    def __init__(self, diagram: Diagram) -> None:
        self.groups = {group.id: group for group in diagram.groups}
        self.offers = {edge.target: edge for edge in diagram.edges if edge.kind == "offer"}
        self.owner = {node: group.id for group in diagram.groups for node in group.nodes}
        self.keys = {node.id: self._keys(node.id) for node in diagram.nodes}
        self.nodes: dict[str, list[DiagramNode]] = {}  # by group, with those of groups in it
        for node in diagram.nodes:
            for around in self.keys[node.id]:
                self.nodes.setdefault(around, []).append(node)
        self.edges: dict[str, list[DiagramEdge]] = {name: [] for name in self.nodes}
        for edge in diagram.edges:
            for around in self.keys[edge.source]:
                self.edges[around].append(edge)

    def drawing(self, group: DiagramGroup, room: float) -> Drawing:
        """A group's boxes, frames, arrows."""
        items = self._items(group, room)
        return _Column(items, list(self._edges(group))).drawing()

    def _keys(self, node: str) -> dict[str, str]:
        """Under which key a node stands in each group around it: its own, or that of a group in it."""
        found, key, above = {}, node, self.owner.get(node, OUTSIDE)
        while above:
            found[above] = key
            key, above = above, self.groups[above].parent
        return found

    def _items(self, group: DiagramGroup, room: float) -> dict[str, _Item]:
        found: dict[str, _Item] = {}
        for node in self.nodes[group.id]:
            key = self.keys[node.id][group.id]
            if key not in found:
                inner = self.groups[key] if key != node.id else None
                gone = (node.mark if inner is None else inner.mark) == "gone"
                offer = self.offers.get(key)
                indent = INDENT if gone and group.mark != "gone" else 0
                if offer is not None:
                    indent = found[offer.source].indent + INDENT
                left = room - indent
                drawn = self._box(node, left) if inner is None else self._frame(inner, left)
                above = (
                    make_edge_label(offer.text, left - PADDING_X, offer.mark)
                    if offer is not None and offer.text
                    else None
                )
                found[key] = _Item(key, drawn, gone, indent, offer is not None, above)
        return found

    @staticmethod
    def _box(node: DiagramNode, room: float) -> Drawing:
        drawn = make_box(node, room, fixed=node.kind not in ("start", "end"))
        return Drawing((drawn,), drawn.width, drawn.height)

    def _frame(self, group: DiagramGroup, room: float) -> Drawing:
        inner = self.drawing(group, max(room - 2 * PADDING_X, MAX_FLOW_BOX_WIDTH / 2))
        rows = tuple(TextLine(line) for line in break_lines(group.title, inner.width))
        top = LINE_HEIGHT * len(rows) + 2 * PADDING_Y
        wide, high = inner.width + 2 * PADDING_X, top + inner.height + PADDING_X
        frame = GroupFrame(group, 0, 0, wide, high, rows)
        return Drawing((frame, *(translate(one, PADDING_X, top) for one in inner.shapes)), wide, high)

    def _edges(self, group: DiagramGroup) -> Iterator[DiagramEdge]:
        """The arrows between the items of a group, once each; those that lead out of it end outside."""
        seen = set()
        for edge in self.edges[group.id]:
            source, target = self.keys[edge.source][group.id], self.keys[edge.target].get(group.id, OUTSIDE)
            whole = source == edge.source
            found = DiagramEdge(source, target, edge.text if whole else (), edge.mark, edge.kind if whole else "next")
            if source != target and found not in seen:
                seen.add(found)
                yield found


class _Column:
    """The items of a group one below the other, and the arrows between them."""

    def __init__(self, items: dict[str, _Item], edges: list[DiagramEdge]) -> None:
        self.items = items
        self.edges = edges
        self.order = list(items.values())
        self.place = {key: at for at, key in enumerate(items)}
        self.shapes: list[AnyShape] = []

    def drawing(self) -> Drawing:
        y = 0.0
        for at, item in enumerate(self.order):
            if at:
                y += OFFER_GAP if item.offered else STEP_GAP
            if item.above is not None:
                self.shapes.append(translate(item.above, item.indent + PADDING_X, y))
                y += item.above.height + 2
            item.y = y
            self.shapes += [translate(one, item.indent, y) for one in item.drawing.shapes]
            y = item.bottom
        right = max(item.right for item in self.order)
        ways: dict[tuple[str, DiffMark], _Way] = {}
        for edge in self.edges:
            self._draw(edge, ways)
        self._trunks()
        right = self._round(list(ways.values()), right, y)
        return Drawing(tuple(self.shapes), right, y)

    def _draw(self, edge: DiagramEdge, ways: dict[tuple[str, DiffMark], _Way]) -> None:
        source, target = self.items[edge.source], self.items.get(edge.target)
        between = self.order[self.place[edge.source] + 1 : self.place[edge.target] if target else None]
        beside = all(one.indent > source.indent for one in between)
        past_gone = all(one.gone for one in between)
        if target is not None and edge.kind == "offer":
            x = source.indent + TRUNK_X
            self.shapes.append(Connector(((x, target.tap), (target.indent, target.tap)), edge.mark, "offer"))
        elif target is not None and target.gone and not source.gone and target.indent > source.indent and past_gone:
            x = source.indent + SPINE_X
            self.shapes.append(Connector(((x, source.bottom), (x, target.tap), (target.indent, target.tap)), edge.mark))
        elif beside and edge.kind != "no" and not source.offered and (target is None or target.indent == source.indent):
            if target is not None:
                self._straight(edge, source, target)
        else:
            way = ways.setdefault((edge.target, edge.mark), _Way(edge.target, edge.mark))
            way.sources.append((source, edge))

    def _straight(self, edge: DiagramEdge, source: _Item, target: _Item) -> None:
        x = source.indent + SPINE_X
        self.shapes.append(Connector(((x, source.bottom), (x, target.y)), edge.mark, edge.kind))
        if edge.text:
            words = make_edge_label(edge.text, MAX_FLOW_BOX_WIDTH / 2, edge.mark)
            self.shapes.append(translate(words, x + 7, source.bottom + (STEP_GAP - words.height) / 2 - 2))

    def _trunks(self) -> None:
        last = {edge.source: edge.target for edge in self.edges if edge.kind == "offer"}
        for source, target in last.items():
            above, x = self.items[source], self.items[source].indent + TRUNK_X
            mark: DiffMark = "gone" if above.gone else ""
            self.shapes.append(
                Connector(((x, above.bottom), (x, self.items[target].tap)), mark, "offer", has_arrow=False)
            )

    def _round(self, ways: list[_Way], right: float, end: float) -> float:
        """Draws the ways round; returns where the last lane ends on the right."""
        words = [
            make_edge_label(edge.text, limits.MAX_LABEL_WIDTH, edge.mark)
            for way in ways
            for _, edge in way.sources
            if edge.text
        ]
        first = right + max([one.width + 12 for one in words], default=0) + LANE_WIDTH
        taken: list[list[tuple[float, float]]] = []
        for way in sorted(ways, key=lambda way: self._span(way, end)[1] - self._span(way, end)[0]):
            top, bottom = self._span(way, end)
            free = (at for at, spans in enumerate(taken) if all(bottom < a - 4 or top > b + 4 for a, b in spans))
            way.lane = next(free, len(taken))
            taken.extend([] for _ in range(way.lane + 1 - len(taken)))
            taken[way.lane].append((top, bottom))
            self._way(way, first + way.lane * LANE_WIDTH, end)
        return first + (len(taken) - 1) * LANE_WIDTH + 2 if ways else right

    def _span(self, way: _Way, end: float) -> tuple[float, float]:
        target = self.items.get(way.to)
        ys = [source.bottom - PORT_Y for source, _ in way.sources] + [end if target is None else target.y + PORT_Y]
        return min(ys), max(ys)

    def _way(self, way: _Way, x: float, end: float) -> None:
        target = self.items.get(way.to)
        source, edge = min(way.sources, key=lambda one: one[0].bottom)
        y, into = source.bottom - PORT_Y, end if target is None else target.y + PORT_Y
        behind = ((x, end),) if target is None else ((x, into), (target.side(into), into))
        self.shapes.append(Connector(((source.side(y), y), (x, y), *behind), way.mark, edge.kind))
        for one, edge in way.sources:
            y = one.bottom - PORT_Y
            if one is not source:
                self.shapes.append(Connector(((one.side(y), y), (x, y)), way.mark, edge.kind, has_arrow=False))
            if edge.text:
                self.shapes.append(
                    translate(make_edge_label(edge.text, limits.MAX_LABEL_WIDTH, edge.mark), one.right + 8, y + 3)
                )


__all__ = ["layout_flows"]
