"""Where in a file somebody is writing: under which keys, at a key or a value, and what of the value is there.

In: a text and an offset. Out: a `CursorPlace`. The text may be broken, as it is while somebody writes: only indents,
braces and quotes are looked at. What opens on one line and closes on a later one is followed from the line on which it
begins, which is the last before with less indent than what is within, or the first of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from rulewright import limits
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern

LINE_KEY: Final = lazy_pattern(r"^(\s*(?:- )*)([\w.-]+):(?=\s|$)")
ENTRY_BEHIND_COMMA: Final = lazy_pattern(r",\s*([\w.-]+):(?=\s|$)([^,]*)")
SPECIAL: Final = lazy_pattern(r"[\"'{}\[\],:#\n]")  # what may be more than text
LINE_START: Final = lazy_pattern(r"\s*(?:- )*")
MAX_LINES: Final = 200  # above the cursor, in which braces may have been opened
MAX_CHARACTERS: Final = 65_536  # before the cursor, from where they were opened: nobody writes such lines


@frozen
class CursorPlace:
    """The keys around the cursor, outermost first; whether a key is written there, and what of it or of the value."""

    keys: tuple[str, ...]
    is_key: bool
    written: str


class _Frame:
    """A mapping or list within braces or brackets; the outermost one is the line itself."""

    def __init__(self, sort: Literal["mapping", "list"]) -> None:
        self.sort, self.key = sort, ""
        self.values: dict[str, str] = {}  # under each key that was written so far, if it is a word


class _Written:
    """What is written so far in a frame, piece by piece: there can be very much of it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.is_empty = True  # but for white space

    def add(self, piece: str) -> None:
        """Adds some characters."""
        self._pieces.append(piece)
        self.is_empty = self.is_empty and (not piece or piece.isspace())

    def clear(self) -> None:
        """Begins anew."""
        self._pieces.clear()
        self.is_empty = True

    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)


def cursor_place(text: str, offset: int) -> CursorPlace:
    """The place of the cursor."""
    start = _start_of_braces(text, offset)
    before = text[start:offset]
    match = LINE_START.match(before)
    indent = match.end() if match is not None else 0
    frames, written, _ = _scan(before[indent:])
    is_item = "-" in before[:indent] and len(frames) == 1 and not frames[0].key
    keys = [*_keys_above(_lines_above(text, start), indent), *(frame.key for frame in frames if frame.key)]
    is_key = frames[-1].sort == "mapping" and not frames[-1].key and not is_item
    return CursorPlace(tuple(keys[: limits.MAX_NESTING]), is_key, written)


def values_beside(text: str, offset: int) -> dict[str, str]:
    """The keys of the mapping in which something is written at the cursor, without the key there, and what is under
    each if it is a word or an expression on its line.
    """
    start = _start_of_braces(text, offset)
    match = LINE_START.match(text[start:offset])
    indent = 0 if match is None else match.end()
    frames, _, _ = _scan(text[start + indent : offset])
    frame = next((each for each in reversed(frames[1:]) if each.sort == "mapping"), None)
    if frame is not None:
        written = {key: value for key, value in frame.values.items() if key != frame.key}
        return {**written, **dict(_entries_within_braces(text[offset:]))}
    is_first_of_item = "-" in text[start : start + indent]
    return {
        **dict(() if is_first_of_item else _entries_of_lines(_lines_above(text, start), indent)),
        **dict(_entries_of_lines(_lines_below(text, offset), indent, "-")),
    }


def _lines_above(text: str, start: int) -> Iterator[str]:
    """The lines before the one that begins there, the nearest first: of a large text few are asked for."""
    while start > 0:
        end, start = start, text.rfind("\n", 0, start - 1) + 1
        yield text[start:end].rstrip("\r\n")


def _lines_below(text: str, offset: int) -> Iterator[str]:
    """The lines behind the one in which an offset is."""
    end = text.find("\n", offset)
    while end >= 0:
        start, end = end + 1, text.find("\n", end + 1)
        yield text[start : end if end >= 0 else len(text)].rstrip("\r")


def _entries_within_braces(text: str) -> Iterator[tuple[str, str]]:
    """The keys of a mapping in braces that follow, up to its end, with what is under them."""
    depth, flat = 0, ""
    for character in text:
        depth += (character in "{[") - (character in "}]")
        if depth < 0:
            break
        flat += character if depth == 0 else ""
    yield from ((found[1], found[2].strip(" \n\"'")) for found in ENTRY_BEHIND_COMMA.finditer(flat))


def _entries_of_lines(lines: Iterable[str], indent: int, end: str = "") -> Iterator[tuple[str, str]]:
    """The keys that begin at an indent, as far as no line has less, with what is behind them. `end`: what a line begins
    with that ends them.
    """
    for line in lines:
        written = line.strip()
        if not written or written.startswith("#"):
            continue
        match = LINE_KEY.match(line)
        own = len(match[1]) if match is not None else _indent(line)
        is_item = written.startswith("- ")
        if own < indent or (is_item and own <= indent and end):
            return
        if own == indent and match is not None:
            yield match[2], line[match.end() :].partition(" #")[0].strip(" \"'")
            if is_item:
                return


def _start_of_braces(text: str, offset: int) -> int:
    """Where the line begins on which braces or quotes were opened that are open at the cursor; else its own line. Not
    more than so many characters before the cursor.
    """
    return max(_start_of_line_with_braces(text, offset), offset - MAX_CHARACTERS)


def _start_of_line_with_braces(text: str, offset: int) -> int:
    own = text.rfind("\n", 0, offset) + 1
    indent, start = _indent(text[own:offset]), own
    for _ in range(MAX_LINES):
        if start == 0:
            break
        start = text.rfind("\n", 0, start - 1) + 1
        line = text[start : text.find("\n", start)]
        match = LINE_KEY.match(line)
        if match is None:
            continue
        if len(line) - len(line.lstrip()) < indent:  # what is within braces has more indent than what they belong to
            frames, _, quote = _scan(text[start + len(match[1]) : own])
            if len(frames) > 1 or quote:
                return start
        if len(match[1]) < indent or not line.rstrip().endswith((",", "{", "[")):
            break  # the cursor's line is below this key, or beside it
    return own


def _indent(line: str) -> int:
    match = LINE_START.match(line)
    return 0 if match is None else match.end()


def _scan(text: str) -> tuple[list[_Frame], str, str]:
    """The frames that are open at the end of a text, what is written in the innermost one, and the quote that is open.
    The text begins with a key or a value, and goes on for more lines only within braces and quotes.
    """
    frames, written, quote = [_Frame("mapping")], _Written(), ""
    index = 0
    while index < len(text):
        frame, start = frames[-1], index
        is_value = bool(frame.key) or frame.sort == "list"
        if quote:
            end = text.find(quote, start)
            index, quote = (len(text), quote) if end < 0 else (end + 1, "")
            written.add(text[start:index])
            continue
        special = SPECIAL.search(text, start)
        index = len(text) if special is None else special.start()
        if index > start:
            written.add(text[start:index])
            continue
        character, index = text[start], start + 1
        if character == "#" and text[start - 1 : start] in ("", " ", "\n"):
            end = text.find("\n", start)
            index = len(text) if end < 0 else end  # the rest of the line says nothing
        elif character == "\n" and len(frames) == 1:
            frame.key = ""
            written.clear()
        elif character in "\"'" and written.is_empty:
            written.clear()
            quote = character
        elif character in "{[" and written.is_empty and (is_value or len(frames) > 1):
            frames.append(_Frame("mapping" if character == "{" else "list"))
            written.clear()
        elif character in "}]" and len(frames) > 1:
            frames.pop()
            written.clear()
        elif character == "," and len(frames) > 1:
            if frame.key:
                frame.values[frame.key] = written.text().strip(" \n\"'")
            frame.key = ""
            written.clear()
        elif character == ":" and not frame.key and text[index : index + 1] in ("", " ", "\n"):
            frame.key = written.text().strip(" -\n")
            frame.values[frame.key] = ""
            written.clear()
        else:
            written.add(character)
    return frames, written.text().lstrip(), quote


def _keys_above(lines: Iterable[str], indent: int) -> list[str]:
    """The keys around a line, outermost first, by the indents above it. `lines`: those above, the nearest first."""
    found: list[str] = []
    for above in lines:
        if indent == 0:
            break
        match = LINE_KEY.match(above)
        if match is not None and len(match[1]) < indent:
            indent = len(match[1])
            found.append(match[2])
    return found[::-1]


__all__ = ["CursorPlace", "cursor_place", "values_beside"]
