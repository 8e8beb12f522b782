"""A picture of rules as SVG: one text that any browser shows, with nothing to fetch, that fits any width, in light and
dark mode.

In: a `Diagram`. Out: SVG text. Shapes, lines and words say what a box is and what a mark means, never colours alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from rulewright.diagram.diagram import Diagram, DiffMark, NodeKind
from rulewright.diagram.page_layout import TITLE_SIZE, layout_diagram
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
    translate,
)
from rulewright.diagram.text_metrics import FONT_SIZE, LINE_HEIGHT, text_width
from rulewright.frozen import frozen

PAGE_MARGIN: Final = 16.0
BADGE_SIZE: Final = 10  # of the letters of a mark
FONT: Final = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
TEXT_COLOUR: Final = "#1c1e21"
BACKGROUND_COLOUR: Final = "#ffffff"
FILLS: Final[dict[NodeKind, tuple[str, str]]] = {  # in light and dark mode
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


@frozen
class LineStyle:
    """How lines of a mark are drawn: their colour in light and dark mode, their width, their dashes."""

    light: str
    dark: str
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
    name = _element_id(diagram)
    width, height = round(drawing.width + 2 * PAGE_MARGIN), round(drawing.height + 2 * PAGE_MARGIN)
    return "".join(f"{line}\n" for line in _lines(diagram, drawing, name, width, height))


def _element_id(diagram: Diagram) -> str:
    """An id for the picture, as a page may have several: a hash of its content, the same wherever it is drawn."""
    content = json.dumps(astuple(diagram), ensure_ascii=False)
    return "g" + hashlib.sha256(content.encode()).hexdigest()[:8]


def _lines(diagram: Diagram, drawing: Drawing, name: str, width: int, height: int) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" role="img" lang="{diagram.language}" '
        f'viewBox="0 0 {width} {height}" width="{width}" style="max-width:100%" '
        f'aria-labelledby="{name}-title {name}-desc" font-family={quoteattr(FONT)} font-size="{FONT_SIZE}" '
        f'fill="{TEXT_COLOUR}">'
    )
    yield f'<title id="{name}-title">{escape(diagram.title)}</title>'
    yield f'<desc id="{name}-desc">{escape(_description(diagram))}</desc>'
    yield f"<style>{_dark_mode(name)}</style>"
    yield "<defs>"
    for mark, style in LINE_STYLES.items():
        yield (
            f'<marker id="{name}-tip{mark}" viewBox="0 0 8 8" refX="7.2" refY="4" markerWidth="9" markerHeight="9" '
            f'markerUnits="userSpaceOnUse" orient="auto">'
            f'<path class="tip{mark}" d="M0,0.6L8,4L0,7.4z" fill="{style.light}"/></marker>'
        )
    yield "</defs>"
    yield f'<rect class="paper" width="{width}" height="{height}" fill="{BACKGROUND_COLOUR}"/>'
    legend = dict(diagram.legend)
    for kind in (GroupFrame, Connector, Box, EdgeLabel):
        for shape in drawing.shapes:
            if isinstance(shape, kind):
                yield from _shape(translate(shape, PAGE_MARGIN, PAGE_MARGIN), legend, name)
    yield "</svg>"


def _dark_mode(name: str) -> str:
    """The colours of dark mode."""
    rules = [("text", "fill", "#e8eaed"), (".paper", "fill", "#14171a"), (".badge", "fill", "#14171a")]
    rules += [(f".{kind}", "fill", colour) for kind, (_, colour) in FILLS.items()]
    rules += [(f".line{mark}", "stroke", style.dark) for mark, style in LINE_STYLES.items()]
    rules += [(f".tip{mark}", "fill", style.dark) for mark, style in LINE_STYLES.items()]
    text = "".join(f"#{name} {selector}{{{key}:{value}}}" for selector, key, value in rules)
    return f"@media (prefers-color-scheme:dark){{{text}}}"


def _description(diagram: Diagram) -> str:
    """The picture in words, for readers who do not see it."""
    legend = dict(diagram.legend)
    return " ".join(
        f"{f'({legend[node.mark]}) ' if node.mark else ''}{': '.join(node.text).rstrip('.')}." for node in diagram.nodes
    )


def _shape(shape: AnyShape, legend: dict[DiffMark, str], name: str) -> Iterator[str]:
    match shape:
        case Connector(points=points, mark=mark, kind=kind, has_arrow=has_arrow):
            style = LINE_STYLES[mark]
            path = _path(points, curved=kind in ("move", "refill"))
            tip = f' marker-end="url(#{name}-tip{mark})"' if has_arrow else ""
            width = min(style.width, 2)
            yield f'<path class="line{mark}" d="{path}" fill="none" {_stroke(style, width)}{tip}/>'
        case EdgeLabel(x=x, y=y, rows=rows, mark=mark):
            is_title = rows[0].is_bold
            size, step = (TITLE_SIZE, TITLE_SIZE + 5) if is_title else (EDGE_LABEL_SIZE, LINE_HEIGHT - 2)
            yield from _text(rows, x, y + size - 1, size, step, gone=mark == "gone")
        case GroupFrame(group=group, x=x, y=y, width=width, height=height, rows=rows):
            style = LINE_STYLES[group.mark]
            yield (
                f'<rect class="line{group.mark}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" '
                f'rx="6" fill="none" {_stroke(style, style.width)}/>'
            )
            yield from _text(
                rows, x + PADDING_X, y + PADDING_Y + FONT_SIZE - 1, FONT_SIZE, LINE_HEIGHT, gone=group.mark == "gone"
            )
            yield from _badge(group.mark, legend, x + width, y)
        case Box(node=node):
            yield "<g>"
            if node.address:
                yield f"<title>{escape(node.address)}</title>"
            yield from _outline(shape)
            side = PADDING_X + (6 if node.kind in PADDED_KINDS else 0)
            baseline = shape.y + PADDING_Y + FONT_SIZE - 1 + badge_offset(node)
            yield from _text(shape.lines, shape.x + side, baseline, FONT_SIZE, LINE_HEIGHT, gone=node.mark == "gone")
            yield from _badge(node.mark, legend, shape.right, shape.y + (9 if node.kind == "zone" else 0))
            yield "</g>"


def _stroke(style: LineStyle, width: float) -> str:
    dashes = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    return f'stroke="{style.light}" stroke-width="{_n(width)}"{dashes}'


def _path(points: Sequence[tuple[float, float]], *, curved: bool) -> str:
    """A line through points; `curved`: vertical at each of them."""
    (x, y), *rest = points
    path = f"M{_n(x)},{_n(y)}"
    for a, b in rest:
        if curved and abs(a - x) > 1:
            middle = _n((y + b) / 2)
            path += f"C{_n(x)},{middle} {_n(a)},{middle} {_n(a)},{_n(b)}"
        else:
            path += f"L{_n(a)},{_n(b)}"
        x, y = a, b
    return path


def _outline(box: Box) -> Iterator[str]:
    """The shape of a kind of box."""
    node, x, y, right, bottom = box.node, box.x, box.y, box.right, box.bottom
    style, middle, slant = LINE_STYLES[node.mark], (box.y + box.bottom) / 2, SLANT
    fill = f'class="{node.kind} line{node.mark}" fill="{FILLS[node.kind][0]}" {_stroke(style, style.width)}'
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
    line = f'class="line{node.mark}" fill="none" stroke="{style.light}"'
    if node.kind == "part":
        for line_x in (x + 4, right - 4):
            yield f'<path d="M{_n(line_x)},{_n(y)}V{_n(bottom)}" {line} stroke-width="1"/>'
    if node.kind == "decision":
        yield f'<path d="M{_n(x + 2)},{_n(y)}V{_n(bottom)}" {line} stroke-width="4"/>'


def _badge(mark: DiffMark, legend: dict[DiffMark, str], right: float, y: float) -> Iterator[str]:
    """The word for a mark, on the upper edge of a box."""
    if mark:
        width = text_width(legend[mark], size=BADGE_SIZE, bold=True) + 10
        x = right - width - 12
        yield (
            f'<rect class="tip{mark}" x="{_n(x)}" y="{_n(y - 7)}" width="{_n(width)}" height="14" rx="3" '
            f'fill="{LINE_STYLES[mark].light}"/>'
        )
        yield (
            f'<text class="badge" x="{_n(x + 5)}" y="{_n(y + 3.5)}" font-size="{BADGE_SIZE}" font-weight="bold" '
            f'fill="{BACKGROUND_COLOUR}">{escape(legend[mark])}</text>'
        )


def _text(rows: Sequence[TextLine], x: float, y: float, size: int, step: float, *, gone: bool = False) -> Iterator[str]:
    for index, row in enumerate(rows):
        style = (' font-weight="bold"' if row.is_bold else "") + (' text-decoration="line-through"' if gone else "")
        yield f'<text x="{_n(x)}" y="{_n(y + index * step)}" font-size="{size}"{style}>{escape(row.text)}</text>'


def _n(number: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


__all__ = ["to_svg"]
