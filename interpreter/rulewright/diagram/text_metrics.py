"""How wide a text will be in a picture, and where its lines break.

In: texts. Out: widths in pixels, and lines. The reader's font is unknown: letters are taken as wide as those of DejaVu
Sans, one of the widest fonts in use, so that what fits here fits there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.lazy_pattern import lazy_pattern

FONT_SIZE: Final = 13  # of the letters
LINE_HEIGHT: Final = 17  # from one line to the next
BOLD_FACTOR: Final = 1.17  # how much wider bold letters are

# letters by their width in thousandths of the font size; any other has the default width, the greatest
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
# a space of French typography, at which no line may break
NO_BREAK_POINT: Final = lazy_pattern(r" (?=[;:!?»](?:\s|$))|(?<=«) ")
UNSPACED: Final = lazy_pattern(r"\S+")
WORD_BREAK: Final = lazy_pattern(r"(?<=[(,.=+*/_-])(?=\w)")  # where a word may be cut that is too long for a line


def text_width(text: str, *, size: float = FONT_SIZE, bold: bool = False) -> float:
    """The width of a text in one line."""
    thousandths = sum(LETTER_WIDTHS.get(letter, DEFAULT_LETTER_WIDTH) for letter in text)
    return thousandths * size * (BOLD_FACTOR if bold else 1) / 1000


def break_lines(text: str, max_width: float, *, size: float = FONT_SIZE, bold: bool = False) -> tuple[str, ...]:
    """A text in lines no wider than that, unless a letter is."""
    lines = [""]
    for word in _words(NO_BREAK_POINT.sub("\u00a0", text), max_width, size, bold):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer, size=size, bold=bold) <= max_width:
            lines[-1] = longer
        elif lines[-1]:
            lines.append(word)
        else:
            lines[-1] = word
    return tuple(lines)


def _words(text: str, max_width: float, size: float, bold: bool) -> Iterator[str]:
    """The words of a text; one that is wider than a line, in pieces."""
    for word in UNSPACED.findall(text.replace("\u00a0", "\0")):
        word = word.replace("\0", "\u00a0")
        while text_width(word, size=size, bold=bold) > max_width and len(word) > 1:
            fitting = [end for end in range(1, len(word)) if text_width(word[:end], size=size, bold=bold) <= max_width]
            longest = max(fitting, default=1)
            breaks = [match.start() for match in WORD_BREAK.finditer(word) if 0 < match.start() <= longest]
            cut = breaks[-1] if breaks else longest
            yield word[:cut]
            word = word[cut:]
        yield word


__all__ = ["FONT_SIZE", "LINE_HEIGHT", "break_lines", "text_width"]
