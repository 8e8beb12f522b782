"""A thing as a picture with its parts numbered: in characters, and as a drawing.

In: a `Card`. Out: lines of text, or SVG. The drawing needs no network and no font of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import cos, pi, sin
from typing import Final

from rulewright.model.glyphs import Glyph
from rulewright.rulebook.blocks import CardField, ComponentCard

CARD_COLUMNS: Final = 30  # characters inside a card
CARD_STROKE: Final = 'stroke="#444" stroke-width="1.5"'
CARD_WIDTH, LEAST, CARD_MARGIN = 200, 230, 70  # of the drawing: the card, and room for numbers beside it


def circled_number(number: int) -> str:
    """A number in a circle, as it stands in pictures."""
    return chr(0x2460 + number - 1) if number <= 20 else f"({number})"


# ---- in characters --------------------------------------------------------------------------------------------------


def card_text(card: ComponentCard) -> Iterator[str]:
    """The card as lines of characters."""
    yield f"┌{'─' * CARD_COLUMNS}┐"
    if card.title:
        left, right = _words(card.title[0]), _words(card.title[-1]) if len(card.title) > 1 else ""
        middle = "  ".join(_words(part) for part in card.title[1:-1])
        yield _line(f"{left}{' ' * max(2, CARD_COLUMNS - 2 - len(left) - len(middle) - len(right))}{middle}{right}")
        yield _line("")
    for parts in card.lines:
        for part in parts:
            lines = [_one(*one) for one in part.values] or ["–"]
            yield _line(f"{circled_number(part.number)} {lines[0]}")
            yield from (_line(f"  {one}") for one in lines[1:])
    if card.footer:
        yield _line("")
        for part in card.footer:
            yield _line(
                f"{circled_number(part.number)} {part.name.lower()} {', '.join(_one(*one) for one in part.values)}"
            )
    yield f"└{'─' * CARD_COLUMNS}┘"


def _words(part: CardField) -> str:
    return f"{circled_number(part.number)} {', '.join(_one(*one) for one in part.values) or '–'}"


def _one(text: str, sign: Glyph | None, name: str) -> str:
    letter = f"({sign.letter})" if sign is not None else ""
    return " ".join(one for one in (text, name, letter) if one)


def _line(text: str) -> str:
    return f"│ {text[: CARD_COLUMNS - 2]:<{CARD_COLUMNS - 2}} │"


# ---- as a drawing ---------------------------------------------------------------------------------------------------


def card_svg(card: ComponentCard, alt: str) -> str:
    """The card as SVG."""
    whole = CARD_WIDTH + 2 * CARD_MARGIN
    tall = _tall(card)
    high = tall + 20
    ground = card.title_glyph.background if card.title_glyph is not None else "#9aa4ae"
    x, y = CARD_MARGIN, 10
    found = [
        f'<svg class="card" role="img" viewBox="0 0 {whole} {high}" width="{whole}" xmlns="http://www.w3.org/2000/svg">',
        f"<title>{escape(alt)}</title>",
        f'<rect x="{x}" y="{y}" width="{CARD_WIDTH}" height="{tall}" rx="12" fill="#fdfcf9" {CARD_STROKE}/>',
        f'<path d="M{x} {y + 66}V{y + 12}a12 12 0 0 1 12-12h{CARD_WIDTH - 24}a12 12 0 0 1 12 12v54z" {CARD_STROKE} '
        f'fill="{ground}" fill-opacity=".35"/>',
    ]
    found += _title(card.title, x, y)
    found += _lines(card, x, y)
    found += _foot(card.footer, x, y + tall)
    return "".join([*found, "</svg>"])


def _tall(card: ComponentCard) -> int:
    """How tall the card is: no thing is drawn longer than what stands on it."""
    lines = sum(32 * max(1, len(part.values)) + 6 for parts in card.lines for part in parts)
    return max(LEAST, 80 + lines + 20 * len(card.footer) + 10)


def _title(title: tuple[CardField, ...], x: int, y: int) -> Iterator[str]:
    for at, part in enumerate(title):
        right = at == len(title) - 1 and at > 0
        px = x + CARD_WIDTH - 36 if right else x + 30 + 60 * at
        text, sign, name = part.values[0] if part.values else ("–", None, "")
        if sign is not None:
            yield glyph_svg(sign, px, y + 33, 20)
        else:
            yield _text(px, y + 44, text or name, 34, "middle", bold=True)
        yield _callout(part.number, x + CARD_WIDTH + 36 if right else x - 36, y + 33, px + (22 if right else -20))


def _lines(card: ComponentCard, x: int, y: int) -> Iterator[str]:
    at = y + 96
    for parts in card.lines:
        for part in parts:
            yield _callout(part.number, x - 36, at, x + 14)
            for text, sign, name in part.values or (("–", None, ""),):
                if sign is not None:
                    yield _text(x + 30, at + 7, text, 20, "middle", bold=True)
                    yield glyph_svg(sign, x + 56, at, 13)
                    yield _text(x + 78, at + 5, name, 14)
                else:
                    yield _text(x + 22, at + 6, f"{text} {name}".strip(), 16)
                at += 32
            at += 6


def _foot(foot: tuple[CardField, ...], x: int, y: int) -> Iterator[str]:
    at = y - 14 - 20 * (len(foot) - 1)
    for part in foot:
        shown = ", ".join(" ".join(one for one in (text, name) if one) for text, _, name in part.values)
        yield _callout(part.number, x + CARD_WIDTH + 36, at - 4, x + CARD_WIDTH - 14)
        yield _text(x + CARD_WIDTH - 18, at, f"{part.name.lower()} {shown}", 14, "end")
        at += 20


def _callout(number: int, x: int, y: int, to: int) -> str:
    start = x + 13 if x < to else x - 13
    return (
        f'<line x1="{start}" y1="{y}" x2="{to}" y2="{y}" stroke="#b3402a" stroke-width="1.5"/>'
        f'<circle cx="{x}" cy="{y}" r="13" fill="#b3402a"/>'
        + _text(x, y + 5, str(number), 15, "middle", bold=True, ink="#ffffff")
    )


def _text(
    x: int, y: int, text: str, size: int, anchor: str = "start", *, bold: bool = False, ink: str = "#1a1a1a"
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-family="sans-serif" text-anchor="{anchor}" '
        f'fill="{ink}"{weight}>{escape(text)}</text>'
    )


def glyph_svg(sign: Glyph, x: float, y: float, r: float) -> str:
    """A sign: its shape in its colour, with its letter."""
    drawn = _shape(sign.shape, x, y, r)
    size = round(r * 1.05, 1)
    return (
        f'<g fill="{sign.background}" stroke="#333" stroke-width="1.2" stroke-linejoin="round">{drawn}</g>'
        f'<text x="{x:g}" y="{y + size * 0.36:.1f}" font-size="{size:g}" font-family="sans-serif" font-weight="bold" '
        f'text-anchor="middle" fill="{sign.foreground}">{escape(sign.letter)}</text>'
    )


def inline_glyph_svg(sign: Glyph, name: str = "") -> str:
    """A sign as it stands in a line of text."""
    label = f' role="img" aria-label="{escape(name)}"' if name else ' aria-hidden="true"'
    return f'<svg class="sign" viewBox="0 0 24 24" width="24" height="24"{label}>{glyph_svg(sign, 12, 12, 10)}</svg>'


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
            top, wide, neck = y - r * 1.15, r * 0.85, y - r * 0.4
            return (
                f'<path d="M{x:g} {top:.1f}C{x + wide / 2:.1f} {neck:.1f} {x + wide:.1f} {y:.1f} '
                f"{x + wide:.1f} {y + r * 0.2:.1f}a{wide:.1f} {wide:.1f} 0 0 1 {-2 * wide:.1f} 0"
                f'C{x - wide:.1f} {y:.1f} {x - wide / 2:.1f} {neck:.1f} {x:g} {top:.1f}z"/>'
            )
        case "cross":
            arm, wide = r * 0.6, r * 0.8
            left, top = x - wide / 2, y - r
            return (
                f'<path d="M{left:.1f} {top:.1f}h{wide:.1f}v{arm:.1f}h{arm:.1f}v{wide:.1f}h{-arm:.1f}v{arm:.1f}'
                f'h{-wide:.1f}v{-arm:.1f}h{-arm:.1f}v{-wide:.1f}h{arm:.1f}z"/>'
            )
        case "ring":
            return (
                f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"/><circle cx="{x:g}" cy="{y:g}" r="{r * 0.75:g}" fill="none"/>'
            )
        case _:
            return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def _polygon(x: float, y: float, r: float, sides: int, turn: float) -> str:
    points = " ".join(
        f"{x + r * cos(turn + 2 * pi * at / sides):.1f},{y + r * sin(turn + 2 * pi * at / sides):.1f}"
        for at in range(sides)
    )
    return f'<polygon points="{points}"/>'


def _star(x: float, y: float, r: float) -> str:
    points = " ".join(
        f"{x + (r if at % 2 == 0 else r * 0.6) * cos(-pi / 2 + pi * at / 5):.1f},"
        f"{y + (r if at % 2 == 0 else r * 0.6) * sin(-pi / 2 + pi * at / 5):.1f}"
        for at in range(10)
    )
    return f'<polygon points="{points}"/>'


__all__ = ["card_svg", "card_text", "circled_number", "glyph_svg", "inline_glyph_svg"]
