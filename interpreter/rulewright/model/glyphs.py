"""How members of kinds look: a letter, a shape and a colour, as the game's display table says.

In: the display table of a game. Out: glyphs by member. A colour never comes alone: what has one has a letter too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

COLOUR_CODES: Final[Mapping[str, str]] = {
    "black": "#303030",
    "blue": "#1f5fd0",
    "brown": "#7a4a21",
    "cyan": "#00a0b0",
    "gray": "#808080",
    "green": "#1a8a3c",
    "grey": "#808080",
    "orange": "#e07b00",
    "pink": "#e889b5",
    "purple": "#7b3fa0",
    "red": "#c62828",
    "silver": "#c0c0c0",
    "violet": "#7b3fa0",
    "white": "#f2f2f2",
    "yellow": "#e6b800",
}
HEX_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
LIGHT_THRESHOLD: Final = 140  # of 255: brightness above which text on it is black
DEFAULT_COLOUR: Final = "#b8b8b8"  # for a colour that is not known


@dataclass(frozen=True, slots=True)
class Glyph:
    """How a member is drawn: a letter, a shape (may be empty), and two colours as `#rrggbb`."""

    letter: str
    shape: str
    background: str
    foreground: str


def member_glyphs(display: Mapping[str, object]) -> dict[str, Glyph]:
    """The glyphs of the members that the display table gives a letter, by `kind.member`."""
    members = display.get("members")
    glyphs = {}
    for address, entry in members.items() if isinstance(members, dict) else ():
        if isinstance(entry, dict) and "letter" in entry:
            background = colour_code(str(entry.get("colour", "")))
            foreground = contrast_colour(background)
            glyphs[address] = Glyph(str(entry["letter"]), str(entry.get("shape", "")), background, foreground)
    return glyphs


def colour_code(colour: str) -> str:
    """A colour, by name or code, as `#rrggbb`; grey for one that is not known."""
    code = COLOUR_CODES.get(colour, colour)
    return code if HEX_COLOUR.fullmatch(code) else DEFAULT_COLOUR


def contrast_colour(background: str) -> str:
    """The colour of text on a background: black or white."""
    return "#1a1a1a" if is_light(background) else "#ffffff"


def is_light(colour: str) -> bool:
    """Whether text on a colour `#rrggbb` is black."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue > LIGHT_THRESHOLD


__all__ = ["COLOUR_CODES", "HEX_COLOUR", "Glyph", "colour_code", "contrast_colour", "is_light", "member_glyphs"]
