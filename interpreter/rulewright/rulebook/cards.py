"""A thing as a picture with its fields numbered: in characters, and as a drawing.

In: a `ComponentCard`. Out: lines of text, or SVG. The drawing needs no network and no font of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import cos, pi, sin
from typing import Final

from rulewright.model.glyphs import Glyph
from rulewright.rulebook.blocks import CardField, CardValue, ComponentCard

CARD_COLUMNS: Final = 30  # characters inside a card
CARD_STROKE: Final = 'stroke="#444" stroke-width="1.5"'
CARD_FILL, CARD_TEXT = "#fdfcf9", "#1a1a1a"
TITLE_OPACITY: Final = 0.35  # of the colour behind the title
GLYPH_OUTLINE: Final = "#333333"  # on a light ground; so a white sign can be seen there
CARD_WIDTH, MIN_CARD_HEIGHT, CARD_MARGIN = 200, 230, 70  # pixels; the margin is for the numbers


def circled_number(number: int) -> str:
    """A number in a circle: ①; up to 20, then in parentheses."""
    return chr(0x2460 + number - 1) if number <= 20 else f"({number})"


# ---- in characters --------------------------------------------------------------------------------------------------


def card_text(card: ComponentCard) -> Iterator[str]:
    """The card as lines of characters."""
    yield f"┌{'─' * CARD_COLUMNS}┐"
    if card.title:
        left, right = _field_text(card.title[0]), _field_text(card.title[-1]) if len(card.title) > 1 else ""
        middle = "  ".join(_field_text(part) for part in card.title[1:-1])
        yield _line(f"{left}{' ' * max(2, CARD_COLUMNS - 2 - len(left) - len(middle) - len(right))}{middle}{right}")
        yield _line("")
    for parts in card.lines:
        for part in parts:
            first, *others = [_value_text(value) for value in part.values] or ["–"]
            yield _line(f"{circled_number(part.number)} {first}")
            yield from (_line(f"  {text}") for text in others)
    if card.footer:
        yield _line("")
        for part in card.footer:
            values = ", ".join(map(_value_text, part.values))
            yield _line(f"{circled_number(part.number)} {part.name.lower()} {values}")
    yield f"└{'─' * CARD_COLUMNS}┘"


def _field_text(part: CardField) -> str:
    return f"{circled_number(part.number)} {', '.join(map(_value_text, part.values)) or '–'}"


def _value_text(value: CardValue) -> str:
    letter = f"({value.glyph.letter})" if value.glyph is not None else ""
    return " ".join(text for text in (value.words, letter) if text)


def _line(text: str) -> str:
    return f"│ {text[: CARD_COLUMNS - 2]:<{CARD_COLUMNS - 2}} │"


# ---- as a drawing ---------------------------------------------------------------------------------------------------


def card_svg(card: ComponentCard, alt: str) -> str:
    """The card as SVG."""
    width = CARD_WIDTH + 2 * CARD_MARGIN
    card_height = _card_height(card)
    height = card_height + 20
    colour = card.title_glyph.background if card.title_glyph is not None else "#9aa4ae"
    x, y = CARD_MARGIN, 10
    elements = [
        f'<svg class="card" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        'xmlns="http://www.w3.org/2000/svg">',
        f"<title>{escape(alt)}</title>",
        f'<rect x="{x}" y="{y}" width="{CARD_WIDTH}" height="{card_height}" rx="12" fill="{CARD_FILL}" {CARD_STROKE}/>',
        f'<path d="M{x} {y + 66}V{y + 12}a12 12 0 0 1 12-12h{CARD_WIDTH - 24}a12 12 0 0 1 12 12v54z" {CARD_STROKE} '
        f'fill="{colour}" fill-opacity="{TITLE_OPACITY:g}"/>',
    ]
    elements += _title(card.title, x, y)
    elements += _lines(card, x, y)
    elements += _footer(card.footer, x, y + card_height)
    return "".join([*elements, "</svg>"])


def _card_height(card: ComponentCard) -> int:
    """As high as what is printed on the card needs."""
    lines = sum(32 * max(1, len(part.values)) + 6 for parts in card.lines for part in parts)
    return max(MIN_CARD_HEIGHT, 80 + lines + 20 * len(card.footer) + 10)


def _title(title: tuple[CardField, ...], x: int, y: int) -> Iterator[str]:
    for index, part in enumerate(title):
        is_right = index == len(title) - 1 and index > 0
        middle = x + CARD_WIDTH - 36 if is_right else x + 30 + 60 * index
        value = part.values[0] if part.values else CardValue("–")
        if value.glyph is not None:
            yield glyph_svg(value.glyph, middle, y + 33, 20)
        else:
            yield _text(middle, y + 44, value.text or value.label, 34, "middle", bold=True)
        callout_x, end = (x + CARD_WIDTH + 36, middle + 22) if is_right else (x - 36, middle - 20)
        yield _callout(part.number, callout_x, y + 33, end)


def _lines(card: ComponentCard, x: int, y: int) -> Iterator[str]:
    y += 96
    for parts in card.lines:
        for part in parts:
            yield _callout(part.number, x - 36, y, x + 14)
            for value in part.values or (CardValue("–"),):
                if value.glyph is not None:
                    yield _text(x + 30, y + 7, value.text, 20, "middle", bold=True)
                    yield glyph_svg(value.glyph, x + 56, y, 13)
                    yield _text(x + 78, y + 5, value.label, 14)
                else:
                    yield _text(x + 22, y + 6, f"{value.text} {value.label}".strip(), 16)
                y += 32
            y += 6


def _footer(footer: tuple[CardField, ...], x: int, bottom: int) -> Iterator[str]:
    y = bottom - 14 - 20 * (len(footer) - 1)
    for part in footer:
        values = ", ".join(value.words for value in part.values)
        yield _callout(part.number, x + CARD_WIDTH + 36, y - 4, x + CARD_WIDTH - 14)
        yield _text(x + CARD_WIDTH - 18, y, f"{part.name.lower()} {values}", 14, "end")
        y += 20


def _callout(number: int, x: int, y: int, end: int) -> str:
    """A number in a circle, with a line to the field."""
    start = x + 13 if x < end else x - 13
    return (
        f'<line x1="{start}" y1="{y}" x2="{end}" y2="{y}" stroke="#b3402a" stroke-width="1.5"/>'
        f'<circle cx="{x}" cy="{y}" r="13" fill="#b3402a"/>'
        + _text(x, y + 5, str(number), 15, "middle", bold=True, colour="#ffffff")
    )


def _text(
    x: int, y: int, text: str, size: int, anchor: str = "start", *, bold: bool = False, colour: str = CARD_TEXT
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-family="sans-serif" text-anchor="{anchor}" '
        f'fill="{colour}"{weight}>{escape(text)}</text>'
    )


def glyph_svg(glyph: Glyph, x: float, y: float, r: float) -> str:
    """A glyph: its shape in its colour, with its letter. `x`, `y`: of its middle; `r`: about half its width."""
    shape = _shape(glyph.shape, x, y, r)
    size = round(r * 1.05, 1)
    return (
        f'<g fill="{glyph.background}" stroke="{GLYPH_OUTLINE}" stroke-width="1.2" stroke-linejoin="round">{shape}</g>'
        f'<text x="{x:g}" y="{y + size * 0.36:.1f}" font-size="{size:g}" font-family="sans-serif" font-weight="bold" '
        f'text-anchor="middle" fill="{glyph.foreground}">{escape(glyph.letter)}</text>'
    )


def inline_glyph_svg(glyph: Glyph, name: str = "") -> str:
    """A glyph in a line of text. `name`: for readers who do not see it."""
    label = f' role="img" aria-label="{escape(name)}"' if name else ' aria-hidden="true"'
    return f'<svg class="sign" viewBox="0 0 24 24" width="24" height="24"{label}>{glyph_svg(glyph, 12, 12, 10)}</svg>'


def _shape(shape: str, x: float, y: float, r: float) -> str:
    match shape:
        case "square":
            return _polygon(x, y, r * 1.15, 4, pi / 4)
        case "lozenge":
            return _polygon(x, y, r * 1.15, 4, 0)
        case "triangle":
            return _polygon(x, y + r * 0.15, r * 1.25, 3, -pi / 2)
        case "hexagon":
            return _polygon(x, y, r * 1.05, 6, 0)
        case "star":
            return _star(x, y, r * 1.2)
        case "drop":
            top, half, neck = y - r * 1.15, r * 0.85, y - r * 0.4
            return (
                f'<path d="M{x:g} {top:.1f}C{x + half / 2:.1f} {neck:.1f} {x + half:.1f} {y:.1f} '
                f"{x + half:.1f} {y + r * 0.2:.1f}a{half:.1f} {half:.1f} 0 0 1 {-2 * half:.1f} 0"
                f'C{x - half:.1f} {y:.1f} {x - half / 2:.1f} {neck:.1f} {x:g} {top:.1f}z"/>'
            )
        case "cross":
            arm, width = r * 0.6, r * 0.8
            left, top = x - width / 2, y - r
            return (
                f'<path d="M{left:.1f} {top:.1f}h{width:.1f}v{arm:.1f}h{arm:.1f}v{width:.1f}h{-arm:.1f}v{arm:.1f}'
                f'h{-width:.1f}v{-arm:.1f}h{-arm:.1f}v{-width:.1f}h{arm:.1f}z"/>'
            )
        case "ring":
            return (
                f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"/><circle cx="{x:g}" cy="{y:g}" r="{r * 0.75:g}" fill="none"/>'
            )
        case _:
            return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def _polygon(x: float, y: float, r: float, sides: int, turn: float) -> str:
    points = " ".join(
        f"{x + r * cos(turn + 2 * pi * corner / sides):.1f},{y + r * sin(turn + 2 * pi * corner / sides):.1f}"
        for corner in range(sides)
    )
    return f'<polygon points="{points}"/>'


def _star(x: float, y: float, r: float) -> str:
    points = " ".join(
        f"{x + (r if point % 2 == 0 else r * 0.6) * cos(-pi / 2 + pi * point / 5):.1f},"
        f"{y + (r if point % 2 == 0 else r * 0.6) * sin(-pi / 2 + pi * point / 5):.1f}"
        for point in range(10)
    )
    return f'<polygon points="{points}"/>'


__all__ = ["card_svg", "card_text", "circled_number", "glyph_svg", "inline_glyph_svg"]
