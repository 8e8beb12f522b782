"""Places in a text as the Language Server Protocol counts them: lines from 0, and columns in the units that the editor
has chosen, UTF-16 where it says nothing.

In: a text, and offsets of its characters or lines and units. Out: the other of the two.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple

from rulewright.diagnostics import SourceFile

UTF_16: Final = "utf-16"
# the first characters that take one unit more, in the units of each encoding
LONGER_FROM: Final = {"utf-8": (0x80, 0x800, 0x10000), UTF_16: (0x10000,), "utf-32": ()}


class TextPlace(NamedTuple):
    """A line and a column in units of the encoding, both from 0."""

    line: int
    column: int


class TextPlaces:
    """The lines of one text, which its source has counted, in the units of `encoding`."""

    def __init__(self, source: SourceFile, encoding: str = UTF_16) -> None:
        self.text, self._starts = source.text, source.line_starts
        self._longer_from = LONGER_FROM[encoding]

    def place(self, offset: int) -> TextPlace:
        """Where a character stands."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return TextPlace(line, self._units(self.text[self._starts[line] : offset]))

    def offset(self, line: int, column: int) -> int:
        """The character at a place; the end of the line, or of the text, where the place is beyond it."""
        if line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(0, line)]
        end = self.text.find("\n", start)
        end = len(self.text) if end < 0 else end
        at = start
        while at < end and column > 0:
            column -= self._units(self.text[at])
            at += 1
        return at

    def _units(self, text: str) -> int:
        if text.isascii():
            return len(text)
        return len(text) + sum(ord(character) >= first for character in text for first in self._longer_from)


__all__ = ["TextPlace", "TextPlaces"]
