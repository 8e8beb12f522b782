"""How wide a text will be in a picture, and where its lines break.

In: texts. Out: widths and lines. The fonts of the reader are not known here: letters are taken as wide as those of
DejaVu Sans, one of the widest that people read in, so that what fits here fits there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

SIZE: Final = 13  # of the letters
LINE: Final = 17  # from one line to the next
BOLD: Final = 1.17  # how much wider bold letters are

# letters by their width in thousandths of the size; what is not listed is as wide as it gets
WIDTHS: Final = {
    300: "'IJijlÌÍÎÏìíîï",
    330: " ,.·’\u00a0\u202f",
    350: "/:;\\|¦",
    375: "-f",
    400: "()[]t",
    425: "!r¡",
    475: '"ªº',
    500: "*_`§°–",
    525: "sz“”",
    550: "?c¿ç",
    575: "FL",
    600: "kvxyýÿ",
    625: "PTYaeo«»ÝÞàáâãäåèéêëðòóôõöø",
    650: "$0123456789ESbdghnpqu{}¢£ÈÉÊËßñùúûüþ",
    675: "K",
    700: "ABCRVXZÀÁÂÃÄÅÇ",
    750: "NUÑÙÚÛÜ",
    775: "DGHÐ",
    800: "&OQÒÓÔÕÖØ",
    825: "w",
    850: "#+<=>^~±×÷→−←",
    875: "M",
    950: "%",
    975: "mÆ",
}
WIDEST: Final = 1050
WIDTH: Final = {letter: width for width, letters in WIDTHS.items() for letter in letters}
TIED: Final = re.compile(
    r" (?=[;:!?»](?:\s|$))|(?<=«) "
)  # in some languages a blank that no line may begin or end with
PIECE: Final = re.compile(r"\S+")
JOINT: Final = re.compile(r"(?<=[(,.=+*/_-])(?=\w)")  # where a word may be cut that is too long for a line


def width(text: str, *, size: float = SIZE, bold: bool = False) -> float:
    """How wide a text is."""
    return sum(WIDTH.get(letter, WIDEST) for letter in text) * size * (BOLD if bold else 1) / 1000


def lines(text: str, room: float, *, size: float = SIZE, bold: bool = False) -> tuple[str, ...]:
    """A text in lines no wider than the room."""
    found = [""]
    for word in _words(TIED.sub("\u00a0", text), room, size, bold):
        longer = f"{found[-1]} {word}" if found[-1] else word
        if width(longer, size=size, bold=bold) <= room:
            found[-1] = longer
        elif found[-1]:
            found.append(word)
        else:
            found[-1] = word
    return tuple(found)


def _words(text: str, room: float, size: float, bold: bool) -> Iterator[str]:
    """The words of a text; one that is wider than a line in pieces."""
    for word in PIECE.findall(text.replace("\u00a0", "\0")):
        word = word.replace("\0", "\u00a0")
        while width(word, size=size, bold=bold) > room and len(word) > 1:
            fitting = max(
                (at for at in range(1, len(word)) if width(word[:at], size=size, bold=bold) <= room), default=1
            )
            joints = [found.start() for found in JOINT.finditer(word) if 0 < found.start() <= fitting]
            cut = joints[-1] if joints else fitting
            yield word[:cut]
            word = word[cut:]
        yield word


__all__ = ["LINE", "SIZE", "lines", "width"]
