"""Lays out flows: steps one below the other, offered actions indented, and arrows that skip something on the right.

In: a diagram. Out: a `Drawing` for each of its flows. No box can overlap another, as each begins below the one before;
detours have lanes of their own, shorter ones nearer to the boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from rulewright.frozen import field, mutable

MAX_FLOW_BOX_WIDTH: Final = 330.0
ITEM_INDENT: Final = 34.0  # of what is below another item
STEP_GAP: Final = 30.0  # between steps
OFFER_GAP: Final = 12.0  # between offered actions
SPINE_X: Final = 22.0  # from the left of a box to the arrow straight down
TRUNK_X: Final = 12.0  # and to the line to offered actions
PORT_Y: Final = 11.0  # from the upper or lower side of a box to where detours enter or leave
LANE_WIDTH: Final = 12.0  # from one lane to the next
OUTSIDE: Final = ""  # the key of everything outside a group


@mutable
class _Item:
    """A box, or a frame with all its boxes, in its group."""

    key: str
    drawing: Drawing
    is_gone: bool
    indent: float
    is_offered: bool
    label: EdgeLabel | None  # of the arrow to an offered action, above it
    y: float = 0

    @property
    def right(self) -> float:
        return self.indent + self.drawing.width

    @property
    def bottom(self) -> float:
        return self.y + self.drawing.height

    def side(self, y: float) -> float:
        """The x of its right side at that y."""
        first = self.drawing.shapes[0]
        return self.indent + (right_edge_at(first, y - self.y) if isinstance(first, Box) else self.drawing.width)

    @property
    def tap(self) -> float:
        """The y at which arrows from the left end."""
        return self.y + min(self.drawing.height / 2, 20)


@mutable
class _Detour:
    """An arrow on the right, past other boxes: from where, to where."""

    target: str
    mark: DiffMark
    sources: list[tuple[_Item, DiagramEdge]] = field(default_factory=list)


def layout_flows(diagram: Diagram) -> list[Drawing]:
    """The flows of a diagram, each as a drawing."""
    layout = _FlowLayout(diagram)
    return [layout.drawing(group, MAX_FLOW_BOX_WIDTH) for group in diagram.top_groups() if group.kind == "flow"]


class _FlowLayout:
    def __init__(self, diagram: Diagram) -> None:
        self.groups = {group.id: group for group in diagram.groups}
        self.offers = {edge.target: edge for edge in diagram.edges if edge.kind == "offer"}
        self.owner = {node: group.id for group in diagram.groups for node in group.nodes}
        self.keys = {node.id: self._keys(node.id) for node in diagram.nodes}
        self.nodes: dict[str, list[DiagramNode]] = {}  # by group, with those of groups inside it
        for node in diagram.nodes:
            for group_id in self.keys[node.id]:
                self.nodes.setdefault(group_id, []).append(node)
        self.edges: dict[str, list[DiagramEdge]] = {name: [] for name in self.nodes}
        for edge in diagram.edges:
            for group_id in self.keys[edge.source]:
                self.edges[group_id].append(edge)

    def drawing(self, group: DiagramGroup, max_width: float) -> Drawing:
        """The boxes, frames and arrows of a group."""
        items = self._items(group, max_width)
        return _Column(items, list(self._edges(group))).drawing()

    def _keys(self, node: str) -> dict[str, str]:
        """The item that contains a node in each group around it, by the group's id: itself, or a group."""
        keys, key, group = {}, node, self.owner.get(node, OUTSIDE)
        while group:
            keys[group] = key
            key, group = group, self.groups[group].parent
        return keys

    def _items(self, group: DiagramGroup, max_width: float) -> dict[str, _Item]:
        items: dict[str, _Item] = {}
        for node in self.nodes[group.id]:
            key = self.keys[node.id][group.id]
            if key not in items:
                inner = self.groups[key] if key != node.id else None
                is_gone = (node.mark if inner is None else inner.mark) == "gone"
                offer = self.offers.get(key)
                indent = ITEM_INDENT if is_gone and group.mark != "gone" else 0
                label = None
                if offer is not None:
                    indent = items[offer.source].indent + ITEM_INDENT
                    if offer.text:
                        label = make_edge_label(offer.text, max_width - indent - PADDING_X, offer.mark)
                width = max_width - indent
                drawing = self._box(node, width) if inner is None else self._frame(inner, width)
                items[key] = _Item(key, drawing, is_gone, indent, offer is not None, label)
        return items

    @staticmethod
    def _box(node: DiagramNode, max_width: float) -> Drawing:
        box = make_box(node, max_width, is_full=node.kind not in ("start", "end"))
        return Drawing((box,), box.width, box.height)

    def _frame(self, group: DiagramGroup, max_width: float) -> Drawing:
        inner = self.drawing(group, max(max_width - 2 * PADDING_X, MAX_FLOW_BOX_WIDTH / 2))
        rows = tuple(TextLine(line) for line in break_lines(group.title, inner.width))
        top = LINE_HEIGHT * len(rows) + 2 * PADDING_Y
        width, height = inner.width + 2 * PADDING_X, top + inner.height + PADDING_X
        frame = GroupFrame(group, 0, 0, width, height, rows)
        return Drawing((frame, *(translate(shape, PADDING_X, top) for shape in inner.shapes)), width, height)

    def _edges(self, group: DiagramGroup) -> Iterator[DiagramEdge]:
        """The arrows between the items of a group, each once; those that leave the group end `OUTSIDE`."""
        seen = set()
        for edge in self.edges[group.id]:
            source, target = self.keys[edge.source][group.id], self.keys[edge.target].get(group.id, OUTSIDE)
            is_own = source == edge.source  # not from inside a frame
            lifted = DiagramEdge(
                source, target, edge.text if is_own else (), edge.mark, edge.kind if is_own else "next"
            )
            if source != target and lifted not in seen:
                seen.add(lifted)
                yield lifted


class _Column:
    """The items of a group one below the other, and the arrows between them."""

    def __init__(self, items: dict[str, _Item], edges: list[DiagramEdge]) -> None:
        self.items = items
        self.edges = edges
        self.order = list(items.values())
        self.index = {key: index for index, key in enumerate(items)}
        self.shapes: list[AnyShape] = []

    def drawing(self) -> Drawing:
        y = 0.0
        for index, item in enumerate(self.order):
            if index:
                y += OFFER_GAP if item.is_offered else STEP_GAP
            if item.label is not None:
                self.shapes.append(translate(item.label, item.indent + PADDING_X, y))
                y += item.label.height + 2
            item.y = y
            self.shapes += [translate(shape, item.indent, y) for shape in item.drawing.shapes]
            y = item.bottom
        right = max(item.right for item in self.order)
        detours: dict[tuple[str, DiffMark], _Detour] = {}
        for edge in self.edges:
            self._add_edge(edge, detours)
        self._add_trunks()
        right = self._add_detours(list(detours.values()), right, y)
        return Drawing(tuple(self.shapes), right, y)

    def _add_edge(self, edge: DiagramEdge, detours: dict[tuple[str, DiffMark], _Detour]) -> None:
        """Draws an arrow to an offered action, to a gone box beside the flow or straight down; else it is a detour."""
        source, target = self.items[edge.source], self.items.get(edge.target)
        between = self.order[self.index[edge.source] + 1 : self.index[edge.target] if target else None]
        skips_indented = all(item.indent > source.indent for item in between)
        skips_gone = all(item.is_gone for item in between)
        if target is not None and edge.kind == "offer":
            x = source.indent + TRUNK_X
            self.shapes.append(Connector(((x, target.tap), (target.indent, target.tap)), edge.mark, "offer"))
        elif (
            target is not None
            and target.is_gone
            and not source.is_gone
            and target.indent > source.indent
            and skips_gone
        ):
            x = source.indent + SPINE_X
            self.shapes.append(Connector(((x, source.bottom), (x, target.tap), (target.indent, target.tap)), edge.mark))
        elif (
            skips_indented
            and edge.kind != "no"
            and not source.is_offered
            and (target is None or target.indent == source.indent)
        ):
            if target is not None:
                self._add_straight(edge, source, target)
        else:
            detour = detours.setdefault((edge.target, edge.mark), _Detour(edge.target, edge.mark))
            detour.sources.append((source, edge))

    def _add_straight(self, edge: DiagramEdge, source: _Item, target: _Item) -> None:
        x = source.indent + SPINE_X
        self.shapes.append(Connector(((x, source.bottom), (x, target.y)), edge.mark, edge.kind))
        if edge.text:
            label = make_edge_label(edge.text, MAX_FLOW_BOX_WIDTH / 2, edge.mark)
            self.shapes.append(translate(label, x + 7, source.bottom + (STEP_GAP - label.height) / 2 - 2))

    def _add_trunks(self) -> None:
        """The line from a decision down to the last action that it offers."""
        last = {edge.source: edge.target for edge in self.edges if edge.kind == "offer"}
        for source, target in last.items():
            above, x = self.items[source], self.items[source].indent + TRUNK_X
            mark: DiffMark = "gone" if above.is_gone else ""
            self.shapes.append(
                Connector(((x, above.bottom), (x, self.items[target].tap)), mark, "offer", has_arrow=False)
            )

    def _add_detours(self, detours: list[_Detour], right: float, end: float) -> float:
        """Draws the detours; returns the x of the right side of the last lane."""
        labels = [
            make_edge_label(edge.text, limits.MAX_LABEL_WIDTH, edge.mark)
            for detour in detours
            for _, edge in detour.sources
            if edge.text
        ]
        first_lane = right + max([label.width + 12 for label in labels], default=0) + LANE_WIDTH
        lanes: list[list[tuple[float, float]]] = []
        for detour in sorted(detours, key=lambda detour: self._span(detour, end)[1] - self._span(detour, end)[0]):
            top, bottom = self._span(detour, end)
            free = (lane for lane, spans in enumerate(lanes) if all(bottom < a - 4 or top > b + 4 for a, b in spans))
            lane = next(free, len(lanes))
            if lane == len(lanes):
                lanes.append([])
            lanes[lane].append((top, bottom))
            self._add_detour(detour, first_lane + lane * LANE_WIDTH, end)
        return first_lane + (len(lanes) - 1) * LANE_WIDTH + 2 if detours else right

    def _span(self, detour: _Detour, end: float) -> tuple[float, float]:
        """Its uppermost and lowest y."""
        target = self.items.get(detour.target)
        ys = [source.bottom - PORT_Y for source, _ in detour.sources]
        ys.append(end if target is None else target.y + PORT_Y)
        return min(ys), max(ys)

    def _add_detour(self, detour: _Detour, x: float, end: float) -> None:
        """Draws a detour in the lane at x: from its first source to its target, with the other sources joining it."""
        target = self.items.get(detour.target)
        first, edge = min(detour.sources, key=lambda source: source[0].bottom)
        y, target_y = first.bottom - PORT_Y, end if target is None else target.y + PORT_Y
        last = ((x, end),) if target is None else ((x, target_y), (target.side(target_y), target_y))
        self.shapes.append(Connector(((first.side(y), y), (x, y), *last), detour.mark, edge.kind))
        for source, edge in detour.sources:
            y = source.bottom - PORT_Y
            if source is not first:
                points = ((source.side(y), y), (x, y))
                self.shapes.append(Connector(points, detour.mark, edge.kind, has_arrow=False))
            if edge.text:
                label = make_edge_label(edge.text, limits.MAX_LABEL_WIDTH, edge.mark)
                self.shapes.append(translate(label, source.right + 8, y + 3))


__all__ = ["layout_flows"]
