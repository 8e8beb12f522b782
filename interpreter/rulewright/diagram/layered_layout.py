"""Lays out places and what moves between them: in layers from above to below, with the words of every arrow on its way.

In: a diagram, its group of zones. Out: a `Drawing`. What is connected is laid out together. An arrow's words are a
thing of their own in a layer between those of its ends, an arrow over more layers keeps a slot free in each, and lines
only bend between layers: so no line ever runs over a box or over words. The order in the layers is that with the fewest
crossings found by sorting each by the middle of its neighbours; places follow their neighbours as far as the order and
the gaps let them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup
from rulewright.diagram.rules_diff import MARK_PREFIXES
from rulewright.diagram.shapes import AnyShape, Box, Connector, Drawing, EdgeLabel, make_box, make_edge_label, translate

MAX_ZONE_BOX_WIDTH: Final = 190.0  # of a box
MAX_EDGE_LABEL_WIDTH: Final = 150.0  # of words on an arrow
NODE_GAP: Final = 22.0  # between things in a layer
LAYER_GAP: Final = 30.0  # between layers
COMPONENT_GAP: Final = 34.0  # between what is not connected
MAX_LAYOUT_WIDTH: Final = 1150.0  # of the whole, if the parts let it and there is no more room
MAX_SWEEPS: Final = 24
ORDER_RESTARTS: Final = 4
MAX_RESTART_VERTICES: Final = 200  # boxes, words and slots


@dataclass(slots=True)
class _Vertex:
    """A box, words, or a slot that is kept free in a layer."""

    layer: int
    width: float
    height: float
    shape: Box | EdgeLabel | None = None
    loops: list[DiagramEdge] = field(default_factory=list)
    x: float = 0  # of its middle
    up: list[int] = field(default_factory=list)
    down: list[int] = field(default_factory=list)


def layout_zones(diagram: Diagram, group: DiagramGroup, room: float = MAX_LAYOUT_WIDTH) -> Drawing:
    """A group of zones as a drawing."""
    inside = set(group.nodes)
    edges = [edge for edge in diagram.edges if edge.source in inside and edge.target in inside]
    nodes = {node.id: node for node in diagram.nodes}
    boxes = {name: make_box(nodes[name], MAX_ZONE_BOX_WIDTH) for name in group.nodes}
    parts = []
    for names in _connected(group.nodes, edges):
        own = [edge for edge in edges if edge.source in names]
        parts.append(_Part(boxes, names, own).drawing())
    return _packed(parts, max(room, MAX_LAYOUT_WIDTH))


def _packed(parts: Sequence[Drawing], room: float) -> Drawing:
    """Parts beside one another as far as there is room, then under the shortest that is as wide, or below all."""
    shapes: list[AnyShape] = []
    columns: list[tuple[float, float, float]] = []  # where it begins, how wide it is, where it ends below
    top = wide = 0.0
    for part in parts:
        right = max((x + across + COMPONENT_GAP for x, across, _ in columns), default=0.0)
        under = [column for column in columns if part.width <= column[1]]
        if columns and right + part.width > room and not under:
            top, right, columns = max(below for *_, below in columns) + COMPONENT_GAP, 0.0, []
        x, y, column = right, top, (right, part.width, top + part.height)
        if columns and right + part.width > room:
            shortest = min(under, key=lambda column: column[2])
            columns.remove(shortest)
            x, across, below = shortest
            y, column = below + COMPONENT_GAP, (x, across, below + COMPONENT_GAP + part.height)
        columns.append(column)
        shapes += [translate(one, x, y) for one in part.shapes]
        wide = max(wide, x + part.width)
    return Drawing(tuple(shapes), wide, max((below for *_, below in columns), default=0.0))


def _connected(names: Sequence[str], edges: Sequence[DiagramEdge]) -> Iterator[list[str]]:
    """The names in groups that arrows connect, each in the order given."""
    group = {name: at for at, name in enumerate(names)}
    for edge in edges:
        one, other = sorted((group[edge.source], group[edge.target]))
        group = {name: one if at == other else at for name, at in group.items()}
    for at in dict.fromkeys(group.values()):
        yield [name for name in names if group[name] == at]


def _order(names: Sequence[str], edges: Sequence[DiagramEdge]) -> list[str]:
    """Names in an order against which few arrows run: sources first, sinks last, else what has more to give."""
    first, last, left = list[str](), list[str](), list(names)
    while left:
        ways = [(edge.source, edge.target) for edge in edges if edge.source in left and edge.target in left]
        ways = [(a, b) for a, b in ways if a != b]
        outs, ins = ({name: sum(way[at] == name for way in ways) for name in left} for at in (0, 1))
        sink = next((name for name in left if not outs[name] and ins[name]), None)
        if sink is not None:
            last.insert(0, sink)
            left.remove(sink)
            continue
        best = max(left, key=lambda name: (not ins[name], outs[name] - ins[name], -names.index(name)))
        first.append(best)
        left.remove(best)
    return first + last


def _words(edge: DiagramEdge) -> EdgeLabel:
    return make_edge_label(
        tuple(MARK_PREFIXES[edge.mark] + text for text in edge.text), MAX_EDGE_LABEL_WIDTH, edge.mark
    )


class _Part:
    """What is connected, while it is laid out."""

    def __init__(self, boxes: Mapping[str, Box], names: Sequence[str], edges: Sequence[DiagramEdge]) -> None:
        self.edges = [edge for edge in edges if edge.source != edge.target]
        rank = {name: at for at, name in enumerate(_order(names, edges))}
        layer = self._layers(rank)
        self.vertices: list[_Vertex] = []
        self.of: dict[str, int] = {}
        for name in names:
            one, loops = boxes[name], [edge for edge in edges if edge.source == edge.target == name]
            words = max((_words(edge).width for edge in loops), default=-28.0)
            self.of[name] = len(self.vertices)
            self.vertices.append(_Vertex(layer[name], one.width + words + 28, one.height, one, loops))
        self.ways = [self._way(edge, rank) for edge in self.edges]
        count = 1 + max(one.layer for one in self.vertices)
        self.rows = [[at for at, one in enumerate(self.vertices) if one.layer == row] for row in range(count)]

    def _layers(self, rank: Mapping[str, int]) -> dict[str, int]:
        """The layer of every box: below all that leads to it, and as near as it can be to what it leads to."""
        layer = dict.fromkeys(rank, 0)
        pairs = {tuple(sorted((edge.source, edge.target), key=rank.__getitem__)) for edge in self.edges}
        for name in sorted(rank, key=rank.__getitem__):
            layer[name] = max((layer[a] + 2 for a, b in pairs if b == name), default=0)
        for name in sorted(rank, key=rank.__getitem__, reverse=True):
            below = [layer[b] - 2 for a, b in pairs if a == name]
            if below and not any(b == name for _, b in pairs):
                layer[name] = min(below)
        return layer

    def _way(self, edge: DiagramEdge, rank: Mapping[str, int]) -> list[int]:
        """The vertices of an arrow from the upper end to the lower: its words in the middle, slots in other layers."""
        upper, lower = sorted((edge.source, edge.target), key=rank.__getitem__)
        top, bottom = self.vertices[self.of[upper]].layer, self.vertices[self.of[lower]].layer
        middle = top + 2 * ((bottom - top) // 4) + 1
        way = [self.of[upper]]
        for row in range(top + 1, bottom):
            words = _words(edge) if row == middle and edge.text else None
            size = (words.width + 8, words.height + 6) if words else (6.0, 0.0)
            way.append(len(self.vertices))
            self.vertices.append(_Vertex(row, *size, words))
        way.append(self.of[lower])
        for a, b in pairwise(way):
            self.vertices[a].down.append(b)
            self.vertices[b].up.append(a)
        return way

    # ---- order and places ---------------------------------------------------------------------------------

    def _crossings(self) -> int:
        place = {at: number for row in self.rows for number, at in enumerate(row)}
        found = 0
        for row in self.rows:
            ends = [place[below] for at in row for below in sorted(self.vertices[at].down, key=place.__getitem__)]
            found += sum(a > b for number, a in enumerate(ends) for b in ends[number + 1 :])
        return found

    def _ordered(self) -> None:
        """Orders the layers, from several beginnings unless there is much to order, and keeps the best order seen."""
        begun = [list(row) for row in self.rows]
        starts = [[row[at % len(row) :] + row[: at % len(row)] for row in begun] for at in range(ORDER_RESTARTS)]
        starts += [[row[::-1] if at == number else row for number, row in enumerate(begun)] for at in range(len(begun))]
        best, fewest = begun, self._crossings()
        for start in starts if len(self.vertices) <= MAX_RESTART_VERTICES else starts[:1]:
            self.rows = [list(row) for row in start]
            for sweep in range(MAX_SWEEPS):
                if not fewest:
                    break
                self._swept(down=sweep % 2 == 0, turned=sweep % 4 > 1)
                self._switched()
                if (now := self._crossings()) < fewest:
                    best, fewest = [list(row) for row in self.rows], now
        self.rows = best

    def _swept(self, *, down: bool, turned: bool) -> None:
        """Sorts every layer by the middle of its neighbours in the one above, or below.

        Of those with the same middle the first comes first, or (`turned`) the last.
        """
        for row in self.rows if down else reversed(self.rows):
            place = {at: number for one in self.rows for number, at in enumerate(one)}
            keys = {}
            for at in row:
                near = self.vertices[at].up if down else self.vertices[at].down
                middle = sum(place[one] for one in near) / len(near) if near else place[at]
                keys[at] = (middle, -place[at] if turned else place[at])
            row.sort(key=keys.__getitem__)

    def _switched(self) -> None:
        """Exchanges neighbours in a layer as long as that takes crossings away."""
        place = {at: number for row in self.rows for number, at in enumerate(row)}
        better = True
        while better:
            better = False
            for row in self.rows:
                for number in range(len(row) - 1):
                    one, other = row[number : number + 2]
                    if self._gain(one, other, place) > 0:
                        row[number : number + 2] = other, one
                        place[one], place[other] = number + 1, number
                        better = True

    def _gain(self, one: int, other: int, place: Mapping[int, int]) -> int:
        """How many crossings fewer there are when two neighbours change places."""
        left, right = self.vertices[one], self.vertices[other]
        pairs = [(a, b) for a in left.up for b in right.up] + [(a, b) for a in left.down for b in right.down]
        return sum((place[a] > place[b]) - (place[a] < place[b]) for a, b in pairs)

    def _placed(self) -> None:
        """Puts everything as near to the middle of its neighbours as the order in its layer lets it."""
        for row in self.rows:
            self._row(row, [0.0] * len(row))
        for sweep in range(MAX_SWEEPS):
            for row in self.rows if sweep % 2 == 0 else reversed(self.rows):
                wanted = []
                for at in row:
                    one = self.vertices[at]
                    near = one.up + one.down if sweep > MAX_SWEEPS // 2 else one.up if sweep % 2 == 0 else one.down
                    xs = [self.vertices[other].x for other in near or one.up + one.down]
                    wanted.append(sum(xs) / len(xs) if xs else one.x)
                self._row(row, wanted)

    def _row(self, row: Sequence[int], wanted: Sequence[float]) -> None:
        """Places of a layer with the least squares from those wanted: neighbours that are too near move together."""
        starts, x = [], 0.0
        for at, after in zip(row, [*row[1:], None], strict=True):
            starts.append(x)
            if after is not None:
                x += (self.vertices[at].width + self.vertices[after].width) / 2 + NODE_GAP
        blocks: list[tuple[float, int]] = []  # sum of what is wanted, and of how many
        for want, start in zip(wanted, starts, strict=True):
            blocks.append((want - start, 1))
            while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
                (one, many), (other, more) = blocks[-2:]
                blocks[-2:] = [(one + other, many + more)]
        means = [total / many for total, many in blocks for _ in range(many)]
        for at, mean, start in zip(row, means, starts, strict=True):
            self.vertices[at].x = mean + start

    # ---- drawing ------------------------------------------------------------------------------------------

    def drawing(self) -> Drawing:
        """The part as a drawing."""
        self._ordered()
        self._placed()
        left = min(one.x - one.width / 2 for one in self.vertices)
        for one in self.vertices:
            one.x -= left
        tops, y = list[float](), 0.0
        highs = [max(self.vertices[at].height for at in row) for row in self.rows]
        for high in highs:
            tops.append(y)
            y += high + LAYER_GAP
        shapes: list[AnyShape] = []
        for one in self.vertices:
            top = tops[one.layer] + (highs[one.layer] - one.height) / 2
            if isinstance(one.shape, Box):
                shapes.append(translate(one.shape, one.x - one.width / 2, top))
                shapes += self._loops(one, top)
            elif one.shape is not None:
                shapes.append(translate(one.shape, one.x - one.shape.width / 2, top + 2))
        for edge, way in zip(self.edges, self.ways, strict=True):
            shapes += self._line(edge, way, tops, highs)
        return Drawing(tuple(shapes), max(one.x + one.width / 2 for one in self.vertices), y - LAYER_GAP)

    def _loops(self, one: _Vertex, top: float) -> Iterator[AnyShape]:
        """What moves inside one zone, from one player's to another's."""
        assert isinstance(one.shape, Box)
        right, middle = one.x - one.width / 2 + one.shape.width, top + one.height / 2
        for edge in one.loops:
            points = ((right, middle - 8), (right + 16, middle - 8), (right + 16, middle + 8), (right, middle + 8))
            yield Connector(points, edge.mark, "next")
            words = _words(edge)
            yield translate(words, right + 22, middle - words.height / 2)

    def _line(
        self, edge: DiagramEdge, way: Sequence[int], tops: Sequence[float], highs: Sequence[float]
    ) -> Iterator[AnyShape]:
        """An arrow: from box to words, from words to box; straight down or up within a layer."""
        upward = self.of[edge.source] == way[-1]
        runs: list[list[tuple[float, float]]] = [[]]
        for number, at in enumerate(way):
            one = self.vertices[at]
            top, high = tops[one.layer], highs[one.layer]
            beside = (high - one.height) / 2 if one.shape is not None else high / 2
            if number:
                x = self._port(at, way[number - 1], one.up)
                runs[-1] += [(x, top), (x, top + beside)]
            if isinstance(one.shape, EdgeLabel):
                runs.append([])
            if number < len(way) - 1:
                x = self._port(at, way[number + 1], one.down)
                runs[-1] += [(x, top + high - beside), (x, top + high)]
        runs = [list(reversed(run)) for run in reversed(runs)] if upward else runs
        for number, run in enumerate(runs):
            yield Connector(tuple(dict.fromkeys(run)), edge.mark, edge.kind, has_arrow=number == len(runs) - 1)

    def _port(self, at: int, other: int, near: Sequence[int]) -> float:
        """Where an arrow to another vertex leaves a box: all of its side in order from left to right."""
        one = self.vertices[at]
        if not isinstance(one.shape, Box):
            return one.x
        ordered = sorted(near, key=lambda vertex: (self.vertices[vertex].x, vertex))
        wide = one.shape.width
        return one.x - one.width / 2 + wide * (ordered.index(other) + 1) / (len(ordered) + 1)


__all__ = ["layout_zones"]
