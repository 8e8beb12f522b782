"""What a drawing consists of: boxes with lines of text, frames, lines with arrow heads, labels beside them.

In: nothing. Out: the classes that layouts make and that `svg` writes, with coordinates in pixels from the upper left
corner; and the size of a box around its text.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagram.diagram import DiagramGroup, DiagramNode, DiffMark, EdgeKind
from rulewright.diagram.text_metrics import FONT_SIZE, LINE_HEIGHT, break_lines, text_width
from rulewright.frozen import frozen, replace

PADDING_X: Final = 11  # between a box and its text, at the sides
PADDING_Y: Final = 8  # above and below
EDGE_LABEL_SIZE: Final = 12  # of the letters beside arrows
MIN_BADGED_WIDTH: Final = 120  # of a box with a mark on its edge
SLANT: Final = 10  # how far slanted sides lean
PADDED_KINDS: Final = frozenset({"start", "end", "condition", "chance"})  # with more padding at the sides


@frozen
class TextLine:
    """A line of text."""

    text: str
    is_bold: bool = False


@frozen
class Box:
    """A node with its upper left corner, its size and its text."""

    node: DiagramNode
    x: float
    y: float
    width: float
    height: float
    lines: tuple[TextLine, ...]

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower side."""
        return self.y + self.height


@frozen
class GroupFrame:
    """A frame around boxes, with its title at the upper left."""

    group: DiagramGroup
    x: float
    y: float
    width: float
    height: float
    rows: tuple[TextLine, ...]


@frozen
class Connector:
    """A line through some points, with an arrow head at its end or without."""

    points: tuple[tuple[float, float], ...]
    mark: DiffMark = ""
    kind: EdgeKind = "next"
    has_arrow: bool = True


@frozen
class EdgeLabel:
    """A label beside an arrow: its upper left corner, its size and its text."""

    x: float
    y: float
    width: float
    height: float
    rows: tuple[TextLine, ...]
    mark: DiffMark = ""


AnyShape = Box | GroupFrame | Connector | EdgeLabel


@frozen
class Drawing:
    """Shapes, and the size of the rectangle that contains them."""

    shapes: tuple[AnyShape, ...]
    width: float
    height: float


def wrap_node_text(node: DiagramNode, max_width: float) -> tuple[TextLine, ...]:
    """The text of a node in lines no wider than that."""
    lines: list[TextLine] = []
    for index, text in enumerate(node.text):
        is_bold = index == 0 and (node.has_heading or node.kind == "start")
        lines += [TextLine(line, is_bold) for line in break_lines(text, max_width, bold=is_bold)]
    return tuple(lines)


def badge_offset(node: DiagramNode) -> float:
    """How much lower the text begins below a mark. A zone has its mark inside, as arrows end at its upper edge."""
    return 0 if not node.mark else 12 if node.kind == "zone" else 4


def make_box(node: DiagramNode, max_width: float, *, is_full: bool = False) -> Box:
    """A box for a node at the origin: as wide as its text, or (`is_full`) of the maximal width."""
    side = PADDING_X + (6 if node.kind in PADDED_KINDS else 0)
    rows = wrap_node_text(node, max_width - 2 * side)
    widest = max((text_width(row.text, bold=row.is_bold) for row in rows), default=0)
    height = LINE_HEIGHT * len(rows) + 2 * PADDING_Y + badge_offset(node)
    width = max(widest + 2 * side, MIN_BADGED_WIDTH if node.mark else 0)
    return Box(node, 0, 0, max_width if is_full else min(max_width, width), height, rows)


def make_edge_label(texts: tuple[str, ...], max_width: float, mark: DiffMark = "") -> EdgeLabel:
    """A label for an arrow, at the origin."""
    rows = tuple(TextLine(line) for text in texts for line in break_lines(text, max_width, size=EDGE_LABEL_SIZE))
    widest = max((text_width(row.text, size=EDGE_LABEL_SIZE) for row in rows), default=0)
    return EdgeLabel(0, 0, widest, (LINE_HEIGHT - 2) * len(rows), rows, mark)


def right_edge_at(box: Box, y: float) -> float:
    """The x of the right side of a box at a y, both from its upper left corner."""
    if box.node.kind == "condition":
        return box.width - SLANT * abs(2 * y / box.height - 1)
    return box.width - (SLANT * y / box.height if box.node.kind == "chance" else 0)


def translate(shape: AnyShape, dx: float, dy: float) -> AnyShape:
    """The shape, moved."""
    if isinstance(shape, Connector):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


__all__ = [
    "EDGE_LABEL_SIZE",
    "FONT_SIZE",
    "LINE_HEIGHT",
    "PADDING_X",
    "PADDING_Y",
    "SLANT",
    "AnyShape",
    "Box",
    "Connector",
    "Drawing",
    "EdgeLabel",
    "GroupFrame",
    "TextLine",
    "badge_offset",
    "make_box",
    "make_edge_label",
    "right_edge_at",
    "translate",
    "wrap_node_text",
]  # fmt: skip
