"""Places in a text as the Language Server Protocol counts them: lines and UTF-16 units from 0.

In: a text, and offsets of its characters or lines and units. Out: the other of the two.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from rulewright.diagnostics import SourceFile

BEYOND_ONE_UNIT = 0xFFFF  # characters above take two units of UTF-16


class TextPlace(NamedTuple):
    """A line and a column in UTF-16 units, both from 0."""

    line: int
    column: int


class TextPlaces:
    """The lines of one text, which its source has counted."""

    def __init__(self, source: SourceFile) -> None:
        self.text, self._starts = source.text, source.line_starts

    def place(self, offset: int) -> TextPlace:
        """Where a character stands."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return TextPlace(line, _units(self.text[self._starts[line] : offset]))

    def offset(self, line: int, column: int) -> int:
        """The character at a place; the end of the line, or of the text, where the place is beyond it."""
        if line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(0, line)]
        end = self.text.find("\n", start)
        end = len(self.text) if end < 0 else end
        at = start
        while at < end and column > 0:
            column -= _units(self.text[at])
            at += 1
        return at


def _units(text: str) -> int:
    return len(text) + sum(ord(character) > BEYOND_ONE_UNIT for character in text)


__all__ = ["TextPlace", "TextPlaces"]
