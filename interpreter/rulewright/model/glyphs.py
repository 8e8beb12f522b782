"""How members of kinds look: a letter, a shape and a colour, as the game's table says.

In: the table of a game. Out: signs by the member's name. A colour never stands alone: what has one has a letter too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

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
LIGHT_THRESHOLD: Final = 140  # of 255: on a ground that is lighter one writes in black
DEFAULT_COLOUR: Final = "#b8b8b8"


@dataclass(frozen=True, slots=True)
class Glyph:
    """How a member is drawn: a letter, a shape (may be empty), the colour of its ground, and what can be read on it."""

    letter: str
    shape: str
    background: str
    foreground: str


def member_glyphs(table: Mapping[str, object]) -> dict[str, Glyph]:
    """The signs of members, by `kind.member`."""
    members: Any = table.get("members", {})
    found = {}
    for address, look in members.items() if isinstance(members, dict) else ():
        if isinstance(look, dict) and "letter" in look:
            ground = colour_code(str(look.get("colour", "")))
            found[address] = Glyph(str(look["letter"]), str(look.get("shape", "")), ground, contrast_colour(ground))
    return found


def colour_code(colour: str) -> str:
    """The colour as six digits; grey for one that nobody knows."""
    code = COLOUR_CODES.get(colour, colour)
    return code if re.fullmatch(r"#[0-9a-fA-F]{6}", code) else DEFAULT_COLOUR


def contrast_colour(ground: str) -> str:
    """What can be read on a ground: black or white."""
    return "#1a1a1a" if is_light(ground) else "#ffffff"


def is_light(ground: str) -> bool:
    """Whether one writes in black on a ground of six digits."""
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue > LIGHT_THRESHOLD


__all__ = ["COLOUR_CODES", "Glyph", "colour_code", "contrast_colour", "is_light", "member_glyphs"]
