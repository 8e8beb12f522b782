"""What a drawing is made of: boxes with lines of text, frames, lines with arrow heads, words beside them; each with its
place.

In: nothing. Out: the classes that layouts fill and that `svg` writes down; and the size of a box around its text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rulewright.diagram.diagram import DiagramGroup, DiagramNode, DiffMark, EdgeKind
from rulewright.diagram.text_metrics import FONT_SIZE, LINE_HEIGHT, break_lines, text_width

PADDING_X: Final = 11  # between a box and its text, at the sides
PADDING_Y: Final = 8  # above and below
EDGE_LABEL_SIZE: Final = 12  # of the letters beside arrows
MIN_BADGED_WIDTH: Final = 120  # width of a box with a mark on its edge, at least
SLANT: Final = 10  # how far slanted sides lean
PADDED_KINDS: Final = frozenset({"start", "end", "condition", "chance"})  # shapes that need more room at the sides


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text."""

    text: str
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A node with its place (of its upper left corner) and its text."""

    node: DiagramNode
    x: float
    y: float
    width: float
    height: float
    lines: tuple[TextLine, ...]

    @property
    def right(self) -> float:
        """Where it ends on the right."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Where it ends below."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class GroupFrame:
    """A frame around boxes, with its title at the upper left."""

    group: DiagramGroup
    x: float
    y: float
    width: float
    height: float
    rows: tuple[TextLine, ...]


@dataclass(frozen=True, slots=True)
class Connector:
    """A line through some points, with an arrow head at its end or without."""

    points: tuple[tuple[float, float], ...]
    mark: DiffMark = ""
    kind: EdgeKind = "next"
    has_arrow: bool = True


@dataclass(frozen=True, slots=True)
class EdgeLabel:
    """Words beside an arrow: the upper left corner of their place, and its size."""

    x: float
    y: float
    width: float
    height: float
    rows: tuple[TextLine, ...]
    mark: DiffMark = ""


AnyShape = Box | GroupFrame | Connector | EdgeLabel


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, and how much room they take from the upper left corner on."""

    shapes: tuple[AnyShape, ...]
    width: float
    height: float


def wrap_node_text(node: DiagramNode, room: float) -> tuple[TextLine, ...]:
    """The text of a node in lines that fit the room."""
    found: list[TextLine] = []
    for at, text in enumerate(node.text):
        bold = at == 0 and (node.has_heading or node.kind == "start")
        found += [TextLine(line, bold) for line in break_lines(text, room, bold=bold)]
    return tuple(found)


def badge_offset(node: DiagramNode) -> float:
    """How much lower the text begins where a mark stands above it; in a zone, since arrows end at its upper edge."""
    return 0 if not node.mark else 12 if node.kind == "zone" else 4


def make_box(node: DiagramNode, room: float, *, fixed: bool = False) -> Box:
    """A box for a node at the corner, no wider than the room: as wide as its text, or (`fixed`) all of it."""
    side = PADDING_X + (6 if node.kind in PADDED_KINDS else 0)
    rows = wrap_node_text(node, room - 2 * side)
    widest = max((text_width(row.text, bold=row.is_bold) for row in rows), default=0)
    height = LINE_HEIGHT * len(rows) + 2 * PADDING_Y + badge_offset(node)
    wide = room if fixed else min(room, max(widest + 2 * side, MIN_BADGED_WIDTH if node.mark else 0))
    return Box(node, 0, 0, wide, height, rows)


def make_edge_label(texts: tuple[str, ...], room: float, mark: DiffMark = "") -> EdgeLabel:
    """Words beside an arrow, at the corner."""
    rows = tuple(TextLine(line) for text in texts for line in break_lines(text, room, size=EDGE_LABEL_SIZE))
    widest = max((text_width(row.text, size=EDGE_LABEL_SIZE) for row in rows), default=0)
    return EdgeLabel(0, 0, widest, (LINE_HEIGHT - 2) * len(rows), rows, mark)


def right_edge_at(box: Box, y: float) -> float:
    """Where the right side of a box is at a height below its upper end, both from its upper left corner."""
    if box.node.kind == "condition":
        return box.width - SLANT * abs(2 * y / box.height - 1)
    return box.width - (SLANT * y / box.height if box.node.kind == "chance" else 0)


def translate(shape: AnyShape, dx: float, dy: float) -> AnyShape:
    """A shape at another place."""
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
