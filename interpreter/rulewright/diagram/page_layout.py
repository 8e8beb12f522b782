"""Arranges the parts of a diagram on a page: title and legend above, flows in columns, zones below them.

In: a diagram. Out: a `Drawing` of all of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

from rulewright.diagram import flow_layout, layered_layout
from rulewright.diagram.diagram import Diagram
from rulewright.diagram.rules_diff import MARK_PREFIXES
from rulewright.diagram.shapes import AnyShape, Connector, Drawing, EdgeLabel, TextLine, make_edge_label, translate
from rulewright.diagram.text_metrics import break_lines, text_width
from rulewright.frozen import replace

PART_GAP: Final = 36.0  # between parts of a picture
TITLE_SIZE: Final = 17  # of the letters of a title
MIN_TITLE_WIDTH: Final = 300.0  # of the room for the title, however narrow the rest is


def layout_diagram(diagram: Diagram) -> Drawing:
    """The diagram as a drawing, without a margin."""
    flow_parts = flow_layout.layout_flows(diagram)
    flows = [_columns(flow_parts)] if flow_parts else []
    width = max((drawing.width for drawing in flows), default=0)
    zones = [
        (group.title, layered_layout.layout_zones(diagram, group, width))
        for group in diagram.top_groups()
        if group.kind == "zones"
    ]
    titled = [_below(_title(title), drawing) if flows else drawing for title, drawing in zones]
    body = _join_columns([[*flows, *titled]]) if flows or titled else Drawing((), 0, 0)
    return _below(_header(diagram, max(body.width, MIN_TITLE_WIDTH)), body)


def _columns(parts: Sequence[Drawing]) -> Drawing:
    """Parts below one another, in as many columns as make it no more than about half as high again as wide."""
    columns = _split(parts, 1)
    for count in range(2, len(parts) + 1 if len(parts) > 3 else 1):
        width = sum(max(part.width for part in column) + PART_GAP for column in columns)
        if max(map(_height, columns)) <= 1.5 * width:
            break
        columns = _split(parts, count)
    return _join_columns(columns)


def _height(column: Iterable[Drawing]) -> float:
    return sum(part.height + PART_GAP for part in column)


def _split(parts: Sequence[Drawing], count: int) -> list[list[Drawing]]:
    """Parts in their order in at most `count` columns, the highest of them as low as it can be."""
    heights = range(ceil(_height(parts)) + 1)
    height = bisect_left(heights, -count, key=lambda max_height: -len(_fill_columns(parts, max_height)))
    return _fill_columns(parts, height)


def _fill_columns(parts: Sequence[Drawing], max_height: float) -> list[list[Drawing]]:
    """Parts in their order, a new column wherever one would get higher; a part that is higher has its own."""
    columns, room = list[list[Drawing]](), 0.0
    for part in parts:
        room -= part.height + PART_GAP
        if not columns or room < 0:
            columns.append([])
            room = max_height - part.height - PART_GAP
        columns[-1].append(part)
    return columns


def _join_columns(columns: Sequence[Sequence[Drawing]]) -> Drawing:
    shapes: list[AnyShape] = []
    x = height = 0.0
    for column in columns:
        y = 0.0
        for part in column:
            shapes += [translate(shape, x, y) for shape in part.shapes]
            y += part.height + PART_GAP
        x += max(part.width for part in column) + PART_GAP
        height = max(height, y - PART_GAP)
    return Drawing(tuple(shapes), x - PART_GAP, height)


def _below(upper: Drawing, lower: Drawing) -> Drawing:
    """Two drawings as one, one below the other."""
    shapes = (*upper.shapes, *(translate(shape, 0, upper.height) for shape in lower.shapes))
    return Drawing(shapes, max(upper.width, lower.width), upper.height + lower.height)


def _title(text: str, max_width: float | None = None) -> Drawing:
    """A title, in lines that are no wider than the room if that is limited."""
    texts = (text,) if max_width is None else break_lines(text, max_width, size=TITLE_SIZE, bold=True)
    rows = tuple(TextLine(line, is_bold=True) for line in texts)
    width = max(text_width(row.text, size=TITLE_SIZE, bold=True) for row in rows)
    height = (TITLE_SIZE + 5.0) * len(rows)
    return Drawing((EdgeLabel(0, 0, width, height, rows),), width, height + 14)


def _header(diagram: Diagram, max_width: float) -> Drawing:
    """The title of the diagram and the legend of its marks."""
    title = _title(diagram.title, max_width)
    shapes, width, height = list(title.shapes), title.width, title.height - 14
    if diagram.legend:
        x, y = 0.0, height + 10
        for mark, word in diagram.legend:
            shapes.append(Connector(((x, y), (x + 26, y)), mark, has_arrow=False))
            label = replace(make_edge_label((f"{MARK_PREFIXES[mark]}{word}",), max_width), x=x + 32, y=y - 9)
            shapes.append(label)
            x += 32 + label.width + 18
        width, height = max(width, x - 18), y + 8
    return Drawing(tuple(shapes), width, height + 14)


__all__ = ["TITLE_SIZE", "layout_diagram"]
