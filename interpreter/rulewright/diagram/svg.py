"""A picture of rules as SVG: one text that any browser shows, with nothing to fetch, that fits any width, by day and by
night.

In: a `Diagram`. Out: SVG text. What a box is and what a mark says is seen by shapes, lines and words, not by colours
alone.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from rulewright.diagram import flow_layout, layered_layout
from rulewright.diagram.diagram import Diagram, DiffMark, NodeKind
from rulewright.diagram.rules_diff import MARK_PREFIXES
from rulewright.diagram.shapes import (
    EDGE_LABEL_SIZE,
    PADDED_KINDS,
    PADDING_X,
    PADDING_Y,
    SLANT,
    AnyShape,
    Box,
    Connector,
    Drawing,
    EdgeLabel,
    GroupFrame,
    TextLine,
    badge_offset,
    make_edge_label,
    translate,
)
from rulewright.diagram.text_metrics import FONT_SIZE, LINE_HEIGHT, break_lines, text_width

PAGE_MARGIN: Final = 16.0
PART_GAP: Final = 36.0  # between parts of a picture
TITLE_SIZE: Final = 17  # of the letters of the title
BADGE_SIZE: Final = 10  # and of the word at a mark
FONT: Final = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
TEXT_COLOUR: Final = "#1c1e21"
BACKGROUND_COLOUR: Final = "#ffffff"
FILLS: Final[dict[NodeKind, tuple[str, str]]] = {  # by day and by night
    "start": ("#e3e6ea", "#3a3f46"),
    "end": ("#e3e6ea", "#3a3f46"),
    "step": ("#ffffff", "#1d2126"),
    "condition": ("#f6f2e4", "#38331f"),
    "decision": ("#e2edf9", "#1d3350"),
    "action": ("#fff4d6", "#453813"),
    "chance": ("#efe6f8", "#3a2a4d"),
    "part": ("#eef1f4", "#2a2f36"),
    "zone": ("#e6f3ea", "#1d3a28"),
}


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How lines of a mark are drawn: their colour by day and by night, their width, their dashes."""

    day: str
    night: str
    width: float
    dashes: str = ""


LINE_STYLES: Final[dict[DiffMark, LineStyle]] = {
    "": LineStyle(TEXT_COLOUR, "#cfd4da", 1.2),
    "new": LineStyle("#136c2e", "#5fd07f", 3),
    "changed": LineStyle("#9a4a00", "#f0a357", 3, "9 4"),
    "gone": LineStyle("#b3261e", "#ff8d85", 1.6, "2 4"),
}


def to_svg(diagram: Diagram) -> str:
    """The diagram as SVG, with a line end at its end."""
    drawing = layout_diagram(diagram)
    name = "g" + hashlib.sha256(repr(diagram).encode()).hexdigest()[:8]  # several pictures may stand in one page
    wide, high = round(drawing.width + 2 * PAGE_MARGIN), round(drawing.height + 2 * PAGE_MARGIN)
    return "".join(f"{line}\n" for line in _lines(diagram, drawing, name, wide, high))


# ---- putting the parts together -----------------------------------------------------------------------------


def layout_diagram(diagram: Diagram) -> Drawing:
    """Where everything in a diagram stands."""
    parts = flow_layout.layout_flows(diagram)
    flows = [_columns(parts)] if parts else []
    room = max((one.width for one in flows), default=0)
    places = [
        (group.title, layered_layout.layout_zones(diagram, group, room))
        for group in diagram.top_groups()
        if group.kind == "zones"
    ]
    named = [_below(_title(title, 0), drawing) if flows else drawing for title, drawing in places]
    body = _stacked([[*flows, *named]]) if flows or named else Drawing((), 0, 0)
    head = _head(diagram, max(body.width, 300))
    return _below(head, body)


def _columns(parts: Sequence[Drawing]) -> Drawing:
    """Parts below one another, in as many columns as make it no more than about half as high again as wide."""
    columns = _shared(parts, 1)
    for count in range(2, len(parts) + 1 if len(parts) > 3 else 1):
        wide = sum(max(part.width for part in column) + PART_GAP for column in columns)
        if max(map(_height, columns)) <= 1.5 * wide:
            break
        columns = _shared(parts, count)
    return _stacked(columns)


def _height(column: Iterable[Drawing]) -> float:
    return sum(part.height + PART_GAP for part in column)


def _shared(parts: Sequence[Drawing], count: int) -> list[list[Drawing]]:
    """Parts in their order in so many columns at most, the highest of them as low as it can be."""
    heights = range(ceil(_height(parts)) + 1)
    return _filled(parts, bisect_left(heights, -count, key=lambda most: -len(_filled(parts, most))))


def _filled(parts: Sequence[Drawing], most: float) -> list[list[Drawing]]:
    columns, left = list[list[Drawing]](), 0.0
    for part in parts:
        left -= part.height + PART_GAP
        if not columns or left < 0:
            columns.append([])
            left = most - part.height - PART_GAP
        columns[-1].append(part)
    return columns


def _stacked(columns: Sequence[Sequence[Drawing]]) -> Drawing:
    shapes: list[AnyShape] = []
    x = high = 0.0
    for column in columns:
        y = 0.0
        for part in column:
            shapes += [translate(one, x, y) for one in part.shapes]
            y += part.height + PART_GAP
        x += max(part.width for part in column) + PART_GAP
        high = max(high, y - PART_GAP)
    return Drawing(tuple(shapes), x - PART_GAP, high)


def _below(above: Drawing, drawing: Drawing) -> Drawing:
    shapes = (*above.shapes, *(translate(one, 0, above.height) for one in drawing.shapes))
    return Drawing(shapes, max(above.width, drawing.width), above.height + drawing.height)


def _title(text: str, room: float) -> Drawing:
    """A title, in lines that fit the room if there is one."""
    rows = tuple(
        TextLine(line, is_bold=True)
        for line in (break_lines(text, room, size=TITLE_SIZE, bold=True) if room else (text,))
    )
    wide = max(text_width(row.text, size=TITLE_SIZE, bold=True) for row in rows)
    high = (TITLE_SIZE + 5.0) * len(rows)
    return Drawing((EdgeLabel(0, 0, wide, high, rows),), wide, high + 14)


def _head(diagram: Diagram, room: float) -> Drawing:
    title = _title(diagram.title, room)
    shapes, wide, high = list(title.shapes), title.width, title.height - 14
    if diagram.legend:
        x, y = 0.0, high + 10
        for mark, word in diagram.legend:
            shapes.append(Connector(((x, y), (x + 26, y)), mark, has_arrow=False))
            sign = replace(make_edge_label((f"{MARK_PREFIXES[mark]}{word}",), room), x=x + 32, y=y - 9)
            shapes.append(sign)
            x += 32 + sign.width + 18
        wide, high = max(wide, x - 18), y + 8
    return Drawing(tuple(shapes), wide, high + 14)


# ---- writing it down ----------------------------------------------------------------------------------------


def _lines(diagram: Diagram, drawing: Drawing, name: str, wide: int, high: int) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" role="img" lang="{diagram.language}" '
        f'viewBox="0 0 {wide} {high}" width="{wide}" style="max-width:100%" '
        f'aria-labelledby="{name}-title {name}-desc" font-family={quoteattr(FONT)} font-size="{FONT_SIZE}" '
        f'fill="{TEXT_COLOUR}">'
    )
    yield f'<title id="{name}-title">{escape(diagram.title)}</title>'
    yield f'<desc id="{name}-desc">{escape(_described(diagram))}</desc>'
    yield f"<style>{_night(name)}</style>"
    yield "<defs>"
    for mark, look in LINE_STYLES.items():
        yield (
            f'<marker id="{name}-tip{mark}" viewBox="0 0 8 8" refX="7.2" refY="4" markerWidth="9" markerHeight="9" '
            f'markerUnits="userSpaceOnUse" orient="auto">'
            f'<path class="tip{mark}" d="M0,0.6L8,4L0,7.4z" fill="{look.day}"/></marker>'
        )
    yield "</defs>"
    yield f'<rect class="paper" width="{wide}" height="{high}" fill="{BACKGROUND_COLOUR}"/>'
    words = dict(diagram.legend)
    for kind in (GroupFrame, Connector, Box, EdgeLabel):
        for shape in drawing.shapes:
            if isinstance(shape, kind):
                yield from _shape(translate(shape, PAGE_MARGIN, PAGE_MARGIN), words, name)
    yield "</svg>"


def _night(name: str) -> str:
    """The colours on a dark ground, for readers who have their screen dark."""
    rules = [("text", "fill", "#e8eaed"), (".paper", "fill", "#14171a"), (".badge", "fill", "#14171a")]
    rules += [(f".{kind}", "fill", colour) for kind, (_, colour) in FILLS.items()]
    rules += [(f".line{mark}", "stroke", look.night) for mark, look in LINE_STYLES.items()]
    rules += [(f".tip{mark}", "fill", look.night) for mark, look in LINE_STYLES.items()]
    said = "".join(f"#{name} {what}{{{key}:{value}}}" for what, key, value in rules)
    return f"@media (prefers-color-scheme:dark){{{said}}}"


def _described(diagram: Diagram) -> str:
    """The picture in words, for those who do not see it."""
    words = dict(diagram.legend)
    return " ".join(
        f"{f'({words[node.mark]}) ' if node.mark else ''}{': '.join(node.text).rstrip('.')}." for node in diagram.nodes
    )


def _shape(shape: AnyShape, words: dict[DiffMark, str], name: str) -> Iterator[str]:
    match shape:
        case Connector(points=points, mark=mark, kind=kind, has_arrow=arrow):
            look = LINE_STYLES[mark]
            path = _path(points, curved=kind in ("move", "refill"))
            tip = f' marker-end="url(#{name}-tip{mark})"' if arrow else ""
            wide = min(look.width, 2)
            yield f'<path class="line{mark}" d="{path}" fill="none" {_stroke(look, wide)}{tip}/>'
        case EdgeLabel(x=x, y=y, rows=rows, mark=mark):
            title = rows[0].is_bold
            size, step = (TITLE_SIZE, TITLE_SIZE + 5) if title else (EDGE_LABEL_SIZE, LINE_HEIGHT - 2)
            yield from _text(rows, x, y + size - 1, size, step, gone=mark == "gone")
        case GroupFrame(group=group, x=x, y=y, width=wide, height=high, rows=rows):
            look = LINE_STYLES[group.mark]
            yield (
                f'<rect class="line{group.mark}" x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}" '
                f'rx="6" fill="none" {_stroke(look, look.width)}/>'
            )
            yield from _text(
                rows, x + PADDING_X, y + PADDING_Y + FONT_SIZE - 1, FONT_SIZE, LINE_HEIGHT, gone=group.mark == "gone"
            )
            yield from _badge(group.mark, words, x + wide, y)
        case Box(node=node):
            yield "<g>"
            if node.address:
                yield f"<title>{escape(node.address)}</title>"
            yield from _outline(shape)
            side = PADDING_X + (6 if node.kind in PADDED_KINDS else 0)
            low = shape.y + PADDING_Y + FONT_SIZE - 1 + badge_offset(node)
            yield from _text(shape.lines, shape.x + side, low, FONT_SIZE, LINE_HEIGHT, gone=node.mark == "gone")
            yield from _badge(node.mark, words, shape.right, shape.y + (9 if node.kind == "zone" else 0))
            yield "</g>"


def _stroke(look: LineStyle, wide: float) -> str:
    dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
    return f'stroke="{look.day}" stroke-width="{_n(wide)}"{dashes}'


def _path(points: Sequence[tuple[float, float]], *, curved: bool) -> str:
    """A line through points; `curved`: it leaves one and reaches the next straight down or up."""
    (x, y), *rest = points
    found = f"M{_n(x)},{_n(y)}"
    for a, b in rest:
        if curved and abs(a - x) > 1:
            middle = _n((y + b) / 2)
            found += f"C{_n(x)},{middle} {_n(a)},{middle} {_n(a)},{_n(b)}"
        else:
            found += f"L{_n(a)},{_n(b)}"
        x, y = a, b
    return found


def _outline(box: Box) -> Iterator[str]:
    """The shape by which a kind of box is told from others."""
    node, x, y, right, bottom = box.node, box.x, box.y, box.right, box.bottom
    look, middle, slant = LINE_STYLES[node.mark], (box.y + box.bottom) / 2, SLANT
    fill = f'class="{node.kind} line{node.mark}" fill="{FILLS[node.kind][0]}" {_stroke(look, look.width)}'
    corners: dict[NodeKind, tuple[tuple[float, float], ...]] = {
        "condition": ((x, middle), (x + slant, y), (right - slant, y), (right, middle), (right - slant, bottom),
                      (x + slant, bottom)),
        "chance": ((x + slant, y), (right, y), (right - slant, bottom), (x, bottom)),
    }  # fmt: skip
    if node.kind in corners:
        yield f'<polygon points="{" ".join(f"{_n(a)},{_n(b)}" for a, b in corners[node.kind])}" {fill}/>'
        return
    curve = {"start": 16, "end": 16, "action": 9, "zone": 3}.get(node.kind, 0)
    yield (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(box.width)}" height="{_n(box.height)}" '
        f'rx="{_n(min(curve, box.height / 2))}" {fill}/>'
    )
    line = f'class="line{node.mark}" fill="none" stroke="{look.day}"'
    if node.kind == "part":
        for at in (x + 4, right - 4):
            yield f'<path d="M{_n(at)},{_n(y)}V{_n(bottom)}" {line} stroke-width="1"/>'
    if node.kind == "decision":
        yield f'<path d="M{_n(x + 2)},{_n(y)}V{_n(bottom)}" {line} stroke-width="4"/>'


def _badge(mark: DiffMark, words: dict[DiffMark, str], right: float, y: float) -> Iterator[str]:
    """The word for a mark, on the upper edge."""
    if mark:
        wide = text_width(words[mark], size=BADGE_SIZE, bold=True) + 10
        x = right - wide - 12
        yield (
            f'<rect class="tip{mark}" x="{_n(x)}" y="{_n(y - 7)}" width="{_n(wide)}" height="14" rx="3" '
            f'fill="{LINE_STYLES[mark].day}"/>'
        )
        yield (
            f'<text class="badge" x="{_n(x + 5)}" y="{_n(y + 3.5)}" font-size="{BADGE_SIZE}" font-weight="bold" '
            f'fill="{BACKGROUND_COLOUR}">{escape(words[mark])}</text>'
        )


def _text(rows: Sequence[TextLine], x: float, y: float, size: int, step: float, *, gone: bool = False) -> Iterator[str]:
    for at, row in enumerate(rows):
        more = (' font-weight="bold"' if row.is_bold else "") + (' text-decoration="line-through"' if gone else "")
        yield f'<text x="{_n(x)}" y="{_n(y + at * step)}" font-size="{size}"{more}>{escape(row.text)}</text>'


def _n(number: float) -> str:
    """A number as short as it can be."""
    return f"{number:.1f}".removesuffix(".0")


__all__ = ["layout_diagram", "to_svg"]
