"""How wide a text will be in a picture, and where its lines break.

In: texts. Out: widths and lines. The fonts of the reader are not known here: letters are taken as wide as those of
DejaVu Sans, one of the widest that people read in, so that what fits here fits there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

FONT_SIZE: Final = 13  # of the letters
LINE_HEIGHT: Final = 17  # from one line to the next
BOLD_FACTOR: Final = 1.17  # how much wider bold letters are

# letters by their width in thousandths of the size; what is not listed is as wide as it gets
LETTERS_BY_WIDTH: Final = {
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
DEFAULT_LETTER_WIDTH: Final = 1050
LETTER_WIDTHS: Final = {letter: width for width, letters in LETTERS_BY_WIDTH.items() for letter in letters}
NO_BREAK_POINT: Final = re.compile(
    r" (?=[;:!?»](?:\s|$))|(?<=«) "
)  # in some languages a blank that no line may begin or end with
UNSPACED: Final = re.compile(r"\S+")
WORD_BREAK: Final = re.compile(r"(?<=[(,.=+*/_-])(?=\w)")  # where a word may be cut that is too long for a line


def text_width(text: str, *, size: float = FONT_SIZE, bold: bool = False) -> float:
    """How wide a text is."""
    return (
        sum(LETTER_WIDTHS.get(letter, DEFAULT_LETTER_WIDTH) for letter in text)
        * size
        * (BOLD_FACTOR if bold else 1)
        / 1000
    )


def break_lines(text: str, max_width: float, *, size: float = FONT_SIZE, bold: bool = False) -> tuple[str, ...]:
    """A text in lines no wider than the room."""
    found = [""]
    for word in _words(NO_BREAK_POINT.sub("\u00a0", text), max_width, size, bold):
        longer = f"{found[-1]} {word}" if found[-1] else word
        if text_width(longer, size=size, bold=bold) <= max_width:
            found[-1] = longer
        elif found[-1]:
            found.append(word)
        else:
            found[-1] = word
    return tuple(found)


def _words(text: str, room: float, size: float, bold: bool) -> Iterator[str]:
    """The words of a text; one that is wider than a line in pieces."""
    for word in UNSPACED.findall(text.replace("\u00a0", "\0")):
        word = word.replace("\0", "\u00a0")
        while text_width(word, size=size, bold=bold) > room and len(word) > 1:
            fitting = max(
                (at for at in range(1, len(word)) if text_width(word[:at], size=size, bold=bold) <= room), default=1
            )
            joints = [found.start() for found in WORD_BREAK.finditer(word) if 0 < found.start() <= fitting]
            cut = joints[-1] if joints else fitting
            yield word[:cut]
            word = word[cut:]
        yield word


__all__ = ["FONT_SIZE", "LINE_HEIGHT", "break_lines", "text_width"]
