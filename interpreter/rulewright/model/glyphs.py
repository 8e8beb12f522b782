"""How members of kinds look: a letter, a shape and a colour, as the game's display says.

In: the display of a game. Out: glyphs by member. A colour never comes alone: what has one has a letter too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.expr.types import SEAT
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import seat_of_player

COLOUR_CODES: Final[Mapping[str, str]] = {
    "black": "#303030",
    "blue": "#1f5fd0",
    "brown": "#7a4a21",
    "cyan": "#00a0b0",
    "gray": "#808080",
    "green": "#1a8a3c",
    "grey": "#808080",
    "magenta": "#c2188f",
    "orange": "#e07b00",
    "pink": "#e889b5",
    "purple": "#7b3fa0",
    "red": "#c62828",
    "silver": "#c0c0c0",
    "violet": "#7b3fa0",
    "white": "#f2f2f2",
    "yellow": "#e6b800",
}
HEX_COLOUR: Final = lazy_pattern(r"#[0-9a-fA-F]{6}")
DARK_TEXT, LIGHT_TEXT = "#000000", "#ffffff"
DEFAULT_COLOUR: Final = "#b8b8b8"  # for a colour that is not known


@frozen
class Glyph:
    """How a member is drawn: a letter, a shape (may be empty), and two colours as `#rrggbb`."""

    letter: str
    shape: str
    background: str
    foreground: str


def drawn_member(address: str) -> tuple[str, str]:
    """The kind and the id of a member that a display names: players are counted from 1 there, `player.1`."""
    kind, _, name = address.rpartition(".")
    return kind, str(seat_of_player(int(name))) if kind == SEAT.kind and name.isdecimal() else name


def member_glyphs(display: Mapping[str, object]) -> dict[str, Glyph]:
    """The glyphs of the members that the display gives a letter, by `kind.member`; the seats' are `player.0` …"""
    members = display.get("members")
    glyphs = {}
    for address, entry in members.items() if isinstance(members, dict) else ():
        if isinstance(entry, dict) and "letter" in entry:
            background = colour_code(str(entry.get("colour", "")))
            foreground = contrast_colour(background)
            glyphs[".".join(drawn_member(address))] = Glyph(
                str(entry["letter"]), str(entry.get("shape", "")), background, foreground
            )
    return glyphs


def colour_code(colour: str) -> str:
    """A colour, by name or code, as `#rrggbb`; grey for one that is not known."""
    code = COLOUR_CODES.get(colour, colour)
    return code if HEX_COLOUR.fullmatch(code) else DEFAULT_COLOUR


def contrast_colour(background: str) -> str:
    """The colour of text on a background: black or white, whichever is easier to read there."""
    return max(DARK_TEXT, LIGHT_TEXT, key=lambda text: contrast(text, background))


def contrast(first: str, second: str) -> float:
    """The contrast of two colours `#rrggbb` as WCAG 2 defines it: from 1 to 21; text needs 4.5, a drawing 3."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """How bright a colour is to the eye, from 0 to 1."""
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


__all__ = [
    "COLOUR_CODES",
    "HEX_COLOUR",
    "Glyph",
    "colour_code",
    "contrast",
    "contrast_colour",
    "drawn_member",
    "member_glyphs",
]
