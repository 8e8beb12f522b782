"""Lays out zones and what moves between them: in layers from top to bottom, with the label of every arrow on its way.

In: a diagram, its group of zones. Out: a `Drawing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup
from rulewright.diagram.rules_diff import MARK_PREFIXES
from rulewright.diagram.shapes import AnyShape, Box, Connector, Drawing, EdgeLabel, make_box, make_edge_label, translate
from rulewright.frozen import field, mutable

MAX_ZONE_BOX_WIDTH: Final = 190.0
MAX_EDGE_LABEL_WIDTH: Final = 150.0
NODE_GAP: Final = 22.0  # between vertices of a layer
LAYER_GAP: Final = 30.0  # between layers
COMPONENT_GAP: Final = 34.0  # between components that no arrow connects
MAX_LAYOUT_WIDTH: Final = 1150.0  # of all components, unless one is wider or there is more room
MAX_SWEEPS: Final = 24
ORDER_RESTARTS: Final = 4
MAX_RESTART_VERTICES: Final = 200  # with more, the order is searched from one beginning only
LOOP_ROOM: Final = 28.0  # beside a box with an arrow to itself, besides the label

# How it works (after Sugiyama: layers, then order, then coordinates). Each component, the zones that arrows connect,
# gets a layout of its own; then the components are packed side by side.
#
#  1. `_order` puts the zones in an order against which few arrows run, whatever cycles there are.
#  2. `_layers` gives a zone an even layer, at least 2 below every zone before it that it is connected with.
#  3. `_chain` turns an arrow into a chain of vertices, one for each layer: its upper zone, slots, its label halfway in
#     an odd layer, slots, its lower zone. An arrow that runs upward is drawn along the same chain, reversed.
#  4. `_order_layers` sorts each layer by the mean position of neighbours in the layer above, then below, and so on,
#     swaps neighbours where that removes crossings, and keeps the order with the fewest crossings that it has met.
#  5. `_place` moves each vertex to the mean x of its neighbours, as near as the order and the gaps in its layer allow.
#
# What stays true: vertices of a layer never overlap (`_place_row` keeps their gaps), layers have space between them,
# and a line bends only in that space, so no line runs over a box or a label. The same diagram gives the same drawing:
# nothing is random, ties are broken by the order in the diagram.
#
# Example: arrows A → B "x", B → C "y", A → C "z". The order is A, B, C; their layers are 0, 2, 4. The chains, with the
# layer of each vertex: A 0, "x" 1, B 2; B 2, "y" 3, C 4; A 0, slots 1 and 2, "z" 3, C 4. So layer 1 has "x" and a slot,
# layer 2 has B and a slot, layer 3 has "y" and "z": nothing crosses, and the arrow from A to C runs past B.


@mutable
class _Vertex:
    """A box, a label, or a slot that is kept free for an arrow in a layer."""

    layer: int
    width: float
    height: float
    shape: Box | EdgeLabel | None = None
    loops: list[DiagramEdge] = field(default_factory=list)
    x: float = 0  # of its center
    up: list[int] = field(default_factory=list)  # indices of neighbours in the layer above
    down: list[int] = field(default_factory=list)


def layout_zones(diagram: Diagram, group: DiagramGroup, max_width: float = MAX_LAYOUT_WIDTH) -> Drawing:
    """A group of zones as a drawing, no wider than that if its components allow it."""
    members = set(group.nodes)
    edges = [edge for edge in diagram.edges if edge.source in members and edge.target in members]
    nodes = {node.id: node for node in diagram.nodes}
    boxes = {name: make_box(nodes[name], MAX_ZONE_BOX_WIDTH) for name in group.nodes}
    components = []
    for names in _connected_components(group.nodes, edges):
        component_edges = [edge for edge in edges if edge.source in names]
        components.append(_Component(boxes, names, component_edges).drawing())
    return _pack(components, max(max_width, MAX_LAYOUT_WIDTH))


def _pack(parts: Sequence[Drawing], max_width: float) -> Drawing:
    """Parts side by side as far as there is room, then under the shortest that is as wide, or below all."""
    shapes: list[AnyShape] = []
    columns: list[tuple[float, float, float]] = []  # left x, width, bottom y
    top = width = 0.0
    for part in parts:
        right = max((x + column_width + COMPONENT_GAP for x, column_width, _ in columns), default=0.0)
        wide_enough = [column for column in columns if part.width <= column[1]]
        if columns and right + part.width > max_width and not wide_enough:
            top, right, columns = max(bottom for *_, bottom in columns) + COMPONENT_GAP, 0.0, []
        x, y, column = right, top, (right, part.width, top + part.height)
        if columns and right + part.width > max_width:
            shortest = min(wide_enough, key=lambda column: column[2])
            columns.remove(shortest)
            x, column_width, bottom = shortest
            y, column = bottom + COMPONENT_GAP, (x, column_width, bottom + COMPONENT_GAP + part.height)
        columns.append(column)
        shapes += [translate(shape, x, y) for shape in part.shapes]
        width = max(width, x + part.width)
    return Drawing(tuple(shapes), width, max((bottom for *_, bottom in columns), default=0.0))


def _connected_components(names: Sequence[str], edges: Sequence[DiagramEdge]) -> Iterator[list[str]]:
    """The names in groups that arrows connect, each in the order of `names`."""
    component = {name: index for index, name in enumerate(names)}
    for edge in edges:
        kept, merged = sorted((component[edge.source], component[edge.target]))
        component = {name: kept if number == merged else number for name, number in component.items()}
    for number in dict.fromkeys(component.values()):
        yield [name for name in names if component[name] == number]


def _order(names: Sequence[str], edges: Sequence[DiagramEdge]) -> list[str]:
    """Names in an order against which few arrows run: sources first, sinks last, else most arrows out first."""
    first, last, remaining = list[str](), list[str](), list(names)
    while remaining:
        pairs = [
            (edge.source, edge.target)
            for edge in edges
            if edge.source in remaining and edge.target in remaining and edge.source != edge.target
        ]
        outs, ins = ({name: sum(pair[end] == name for pair in pairs) for name in remaining} for end in (0, 1))
        sink = next((name for name in remaining if not outs[name] and ins[name]), None)
        if sink is not None:
            last.insert(0, sink)
            remaining.remove(sink)
            continue
        best = max(remaining, key=lambda name: (not ins[name], outs[name] - ins[name], -names.index(name)))
        first.append(best)
        remaining.remove(best)
    return first + last


def _edge_label(edge: DiagramEdge) -> EdgeLabel:
    return make_edge_label(
        tuple(MARK_PREFIXES[edge.mark] + text for text in edge.text), MAX_EDGE_LABEL_WIDTH, edge.mark
    )


class _Component:
    """Zones that arrows connect, while they get their layout. Vertices are known by their index in `vertices`."""

    def __init__(self, boxes: Mapping[str, Box], names: Sequence[str], edges: Sequence[DiagramEdge]) -> None:
        self.edges = [edge for edge in edges if edge.source != edge.target]
        rank = {name: index for index, name in enumerate(_order(names, edges))}
        layers = self._layers(rank)
        self.vertices: list[_Vertex] = []
        self.zone_vertices: dict[str, int] = {}
        for name in names:
            box, loops = boxes[name], [edge for edge in edges if edge.source == edge.target == name]
            label_width = max((_edge_label(edge).width for edge in loops), default=-LOOP_ROOM)
            self.zone_vertices[name] = len(self.vertices)
            self.vertices.append(_Vertex(layers[name], box.width + label_width + LOOP_ROOM, box.height, box, loops))
        self.chains = [self._chain(edge, rank) for edge in self.edges]
        count = 1 + max(vertex.layer for vertex in self.vertices)
        self.rows = [
            [index for index, vertex in enumerate(self.vertices) if vertex.layer == layer] for layer in range(count)
        ]

    def _layers(self, rank: Mapping[str, int]) -> dict[str, int]:
        """The layer of every zone: below all before it, and a zone with none before it just above those after it."""
        layers = dict.fromkeys(rank, 0)
        pairs = {tuple(sorted((edge.source, edge.target), key=rank.__getitem__)) for edge in self.edges}
        for name in sorted(rank, key=rank.__getitem__):
            layers[name] = max((layers[a] + 2 for a, b in pairs if b == name), default=0)
        for name in sorted(rank, key=rank.__getitem__, reverse=True):
            below = [layers[b] - 2 for a, b in pairs if a == name]
            if below and not any(b == name for _, b in pairs):
                layers[name] = min(below)
        return layers

    def _chain(self, edge: DiagramEdge, rank: Mapping[str, int]) -> list[int]:
        """Adds the label and the slots of an arrow. Returns its vertices from the upper zone to the lower."""
        upper, lower = (self.zone_vertices[name] for name in sorted((edge.source, edge.target), key=rank.__getitem__))
        top, bottom = self.vertices[upper].layer, self.vertices[lower].layer
        label_layer = top + 2 * ((bottom - top) // 4) + 1
        chain = [upper]
        for layer in range(top + 1, bottom):
            label = _edge_label(edge) if layer == label_layer and edge.text else None
            size = (label.width + 8, label.height + 6) if label else (6.0, 0.0)
            chain.append(len(self.vertices))
            self.vertices.append(_Vertex(layer, *size, label))
        chain.append(lower)
        for a, b in pairwise(chain):
            self.vertices[a].down.append(b)
            self.vertices[b].up.append(a)
        return chain

    # ---- order and places ---------------------------------------------------------------------------------

    def _positions(self) -> dict[int, int]:
        """The position of every vertex in its layer."""
        return {index: position for row in self.rows for position, index in enumerate(row)}

    def _crossings(self) -> int:
        position = self._positions()
        count = 0
        for row in self.rows:
            ends = [
                position[end] for index in row for end in sorted(self.vertices[index].down, key=position.__getitem__)
            ]
            count += sum(a > b for number, a in enumerate(ends) for b in ends[number + 1 :])
        return count

    def _order_layers(self) -> None:
        """Orders the layers, from several beginnings unless there is much to order, and keeps the best order."""
        initial = [list(row) for row in self.rows]
        starts = [[row[n % len(row) :] + row[: n % len(row)] for row in initial] for n in range(ORDER_RESTARTS)]
        starts += [
            [row[::-1] if layer == reversed_layer else row for layer, row in enumerate(initial)]
            for reversed_layer in range(len(initial))
        ]
        best, fewest = initial, self._crossings()
        for start in starts if len(self.vertices) <= MAX_RESTART_VERTICES else starts[:1]:
            self.rows = [list(row) for row in start]
            for sweep in range(MAX_SWEEPS):
                if not fewest:
                    break
                self._sweep(is_down=sweep % 2 == 0, is_last_first=sweep % 4 > 1)
                self._swap_neighbours()
                if (crossings := self._crossings()) < fewest:
                    best, fewest = [list(row) for row in self.rows], crossings
        self.rows = best

    def _sweep(self, *, is_down: bool, is_last_first: bool) -> None:
        """Sorts every layer by the mean position of neighbours in the layer above, or below.

        Of those with the same mean the first comes first, or (`is_last_first`) the last.
        """
        for row in self.rows if is_down else reversed(self.rows):
            position = self._positions()
            keys = {}
            for index in row:
                neighbours = self.vertices[index].up if is_down else self.vertices[index].down
                total = sum(position[neighbour] for neighbour in neighbours)
                mean = total / len(neighbours) if neighbours else position[index]
                keys[index] = (mean, -position[index] if is_last_first else position[index])
            row.sort(key=keys.__getitem__)

    def _swap_neighbours(self) -> None:
        """Swaps neighbours in a layer as long as that removes crossings."""
        position = self._positions()
        has_improved = True
        while has_improved:
            has_improved = False
            for row in self.rows:
                for number in range(len(row) - 1):
                    left, right = row[number : number + 2]
                    if self._swap_gain(left, right, position) > 0:
                        row[number : number + 2] = right, left
                        position[left], position[right] = number + 1, number
                        has_improved = True

    def _swap_gain(self, left: int, right: int, position: Mapping[int, int]) -> int:
        """How many crossings fewer there are when two neighbours change places."""
        a_vertex, b_vertex = self.vertices[left], self.vertices[right]
        pairs = [(a, b) for a in a_vertex.up for b in b_vertex.up]
        pairs += [(a, b) for a in a_vertex.down for b in b_vertex.down]
        return sum((position[a] > position[b]) - (position[a] < position[b]) for a, b in pairs)

    def _place(self) -> None:
        """Moves every vertex as near to the mean x of its neighbours as the order in its layer allows."""
        for row in self.rows:
            self._place_row(row, [0.0] * len(row))
        for sweep in range(MAX_SWEEPS):
            for row in self.rows if sweep % 2 == 0 else reversed(self.rows):
                wanted = []
                for index in row:
                    vertex = self.vertices[index]
                    both = vertex.up + vertex.down
                    neighbours = both if sweep > MAX_SWEEPS // 2 else vertex.up if sweep % 2 == 0 else vertex.down
                    xs = [self.vertices[neighbour].x for neighbour in neighbours or both]
                    wanted.append(sum(xs) / len(xs) if xs else vertex.x)
                self._place_row(row, wanted)

    def _place_row(self, row: Sequence[int], wanted: Sequence[float]) -> None:
        """Gives a layer the x with the least squares from those wanted that keep the order and the gaps.

        Isotonic regression: vertices that would be too near each other form a block and move together.
        """
        offsets, x = [], 0.0
        for index, following in zip(row, [*row[1:], None], strict=True):
            offsets.append(x)
            if following is not None:
                x += (self.vertices[index].width + self.vertices[following].width) / 2 + NODE_GAP
        blocks: list[tuple[float, int]] = []  # the sum of what its vertices want, and their number
        for want, offset in zip(wanted, offsets, strict=True):
            blocks.append((want - offset, 1))
            while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
                (left_sum, left_size), (right_sum, right_size) = blocks[-2:]
                blocks[-2:] = [(left_sum + right_sum, left_size + right_size)]
        means = [total / size for total, size in blocks for _ in range(size)]
        for index, mean, offset in zip(row, means, offsets, strict=True):
            self.vertices[index].x = mean + offset

    # ---- drawing ------------------------------------------------------------------------------------------

    def drawing(self) -> Drawing:
        """The component as a drawing."""
        self._order_layers()
        self._place()
        left = min(vertex.x - vertex.width / 2 for vertex in self.vertices)
        for vertex in self.vertices:
            vertex.x -= left
        tops, y = list[float](), 0.0
        heights = [max(self.vertices[index].height for index in row) for row in self.rows]
        for height in heights:
            tops.append(y)
            y += height + LAYER_GAP
        shapes: list[AnyShape] = []
        for vertex in self.vertices:
            top = tops[vertex.layer] + (heights[vertex.layer] - vertex.height) / 2
            if isinstance(vertex.shape, Box):
                shapes.append(translate(vertex.shape, vertex.x - vertex.width / 2, top))
                shapes += self._loops(vertex, top)
            elif vertex.shape is not None:
                shapes.append(translate(vertex.shape, vertex.x - vertex.shape.width / 2, top + 2))
        for edge, chain in zip(self.edges, self.chains, strict=True):
            shapes += self._connectors(edge, chain, tops, heights)
        width = max(vertex.x + vertex.width / 2 for vertex in self.vertices)
        return Drawing(tuple(shapes), width, y - LAYER_GAP)

    def _loops(self, vertex: _Vertex, top: float) -> Iterator[AnyShape]:
        """What moves inside one zone, from one player's to another's."""
        assert isinstance(vertex.shape, Box)
        right, middle = vertex.x - vertex.width / 2 + vertex.shape.width, top + vertex.height / 2
        for edge in vertex.loops:
            points = ((right, middle - 8), (right + 16, middle - 8), (right + 16, middle + 8), (right, middle + 8))
            yield Connector(points, edge.mark, "next")
            label = _edge_label(edge)
            yield translate(label, right + 22, middle - label.height / 2)

    def _connectors(
        self, edge: DiagramEdge, chain: Sequence[int], tops: Sequence[float], heights: Sequence[float]
    ) -> Iterator[AnyShape]:
        """The lines of an arrow: from zone to label, from label to zone; vertical within a layer."""
        is_upward = self.zone_vertices[edge.source] == chain[-1]
        lines: list[list[tuple[float, float]]] = [[]]
        for number, index in enumerate(chain):
            vertex = self.vertices[index]
            top, height = tops[vertex.layer], heights[vertex.layer]
            margin = (height - vertex.height) / 2 if vertex.shape is not None else height / 2
            if number:
                x = self._port_x(index, chain[number - 1], vertex.up)
                lines[-1] += [(x, top), (x, top + margin)]
            if isinstance(vertex.shape, EdgeLabel):
                lines.append([])
            if number < len(chain) - 1:
                x = self._port_x(index, chain[number + 1], vertex.down)
                lines[-1] += [(x, top + height - margin), (x, top + height)]
        lines = [line[::-1] for line in reversed(lines)] if is_upward else lines
        for number, line in enumerate(lines):
            yield Connector(tuple(dict.fromkeys(line)), edge.mark, edge.kind, has_arrow=number == len(lines) - 1)

    def _port_x(self, index: int, other: int, neighbours: Sequence[int]) -> float:
        """Where an arrow to a neighbour leaves a vertex; those of a box are spread over its side in their order."""
        vertex = self.vertices[index]
        if not isinstance(vertex.shape, Box):
            return vertex.x
        ordered = sorted(neighbours, key=lambda neighbour: (self.vertices[neighbour].x, neighbour))
        return vertex.x - vertex.width / 2 + vertex.shape.width * (ordered.index(other) + 1) / (len(ordered) + 1)


__all__ = ["layout_zones"]
