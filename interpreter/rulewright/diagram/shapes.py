"""What a drawing is made of: boxes with lines of text, frames, lines with arrow heads, words beside them; each with its
place.

In: nothing. Out: the classes that layouts fill and that `svg` writes down; and the size of a box around its text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rulewright.diagram.diagram import EdgeKind, Group, Mark, Node
from rulewright.diagram.text_metrics import LINE, SIZE, lines, width

PAD: Final = 11  # between a box and its text, at the sides
RISE: Final = 8  # above and below
SMALL: Final = 12  # of the letters beside arrows
MARKED: Final = 120  # width of a box with a mark on its edge, at least
SLANT: Final = 10  # how far slanted sides lean
ROUND: Final = frozenset({"start", "end", "condition", "chance"})  # shapes that need more room at the sides


@dataclass(frozen=True, slots=True)
class Row:
    """A line of text."""

    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A node with its place (of its upper left corner) and its text."""

    node: Node
    x: float
    y: float
    width: float
    height: float
    rows: tuple[Row, ...]

    @property
    def right(self) -> float:
        """Where it ends on the right."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Where it ends below."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame around boxes, with its title at the upper left."""

    group: Group
    x: float
    y: float
    width: float
    height: float
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line through some points, with an arrow head at its end or without."""

    points: tuple[tuple[float, float], ...]
    mark: Mark = ""
    kind: EdgeKind = "next"
    arrow: bool = True


@dataclass(frozen=True, slots=True)
class Label:
    """Words beside an arrow: the upper left corner of their place, and its size."""

    x: float
    y: float
    width: float
    height: float
    rows: tuple[Row, ...]
    mark: Mark = ""


Shape = Box | Frame | Line | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, and how much room they take from the upper left corner on."""

    shapes: tuple[Shape, ...]
    width: float
    height: float


def rows_of(node: Node, room: float) -> tuple[Row, ...]:
    """The text of a node in lines that fit the room."""
    found: list[Row] = []
    for at, text in enumerate(node.text):
        bold = at == 0 and (node.heading or node.kind == "start")
        found += [Row(line, bold) for line in lines(text, room, bold=bold)]
    return tuple(found)


def drop(node: Node) -> float:
    """How much lower the text begins where a mark stands above it; in a zone, since arrows end at its upper edge."""
    return 0 if not node.mark else 12 if node.kind == "zone" else 4


def box(node: Node, room: float, *, fixed: bool = False) -> Box:
    """A box for a node at the corner, no wider than the room: as wide as its text, or (`fixed`) all of it."""
    side = PAD + (6 if node.kind in ROUND else 0)
    rows = rows_of(node, room - 2 * side)
    widest = max((width(row.text, bold=row.bold) for row in rows), default=0)
    height = LINE * len(rows) + 2 * RISE + drop(node)
    wide = room if fixed else min(room, max(widest + 2 * side, MARKED if node.mark else 0))
    return Box(node, 0, 0, wide, height, rows)


def label(texts: tuple[str, ...], room: float, mark: Mark = "") -> Label:
    """Words beside an arrow, at the corner."""
    rows = tuple(Row(line) for text in texts for line in lines(text, room, size=SMALL))
    widest = max((width(row.text, size=SMALL) for row in rows), default=0)
    return Label(0, 0, widest, (LINE - 2) * len(rows), rows, mark)


def right_side(box: Box, y: float) -> float:
    """Where the right side of a box is at a height below its upper end, both from its upper left corner."""
    if box.node.kind == "condition":
        return box.width - SLANT * abs(2 * y / box.height - 1)
    return box.width - (SLANT * y / box.height if box.node.kind == "chance" else 0)


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """A shape at another place."""
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


__all__ = ["LINE", "PAD", "RISE", "SIZE", "SLANT", "SMALL", "Box", "Drawing", "Frame", "Label", "Line", "Row", "Shape",
    "box", "drop", "label", "moved", "right_side", "rows_of"]  # fmt: skip
