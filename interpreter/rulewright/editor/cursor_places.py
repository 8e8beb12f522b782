"""Where in a file somebody is writing: under which keys, at a key or a value, and what of the value is there.

In: a text and an offset. Out: a `CursorPlace`. The text may be broken, as it is while somebody writes: only indents,
and the braces and quotes of one line, are looked at.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from rulewright.frozen import frozen

LINE_KEY: Final = re.compile(r"^(\s*(?:- )*)([\w.-]+):(?=\s|$)")
LINE_START: Final = re.compile(r"\s*(?:- )*")


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


def cursor_place(text: str, offset: int) -> CursorPlace:
    """The place of the cursor."""
    start = text.rfind("\n", 0, offset) + 1
    before = text[start:offset]
    match = LINE_START.match(before)
    indent = match.end() if match is not None else 0
    frames, written = _scan(before[indent:])
    is_item = "-" in before[:indent] and len(frames) == 1 and not frames[0].key
    keys = [*_keys_above(text[:start], indent), *(frame.key for frame in frames if frame.key)]
    is_key = frames[-1].sort == "mapping" and not frames[-1].key and not is_item
    return CursorPlace(tuple(keys), is_key, written)


def _scan(line: str) -> tuple[list[_Frame], str]:
    """The frames that are open at the end of a line, and what is written in the innermost one."""
    frames, written, quote = [_Frame("mapping")], "", ""
    for index, character in enumerate(line):
        frame, is_empty = frames[-1], not written.strip()
        is_value = bool(frame.key) or frame.sort == "list"
        if quote:
            written, quote = written + character, "" if character == quote else quote
        elif character in "\"'" and is_empty:
            written, quote = "", character
        elif character in "{[" and is_empty and (is_value or len(frames) > 1):
            frames.append(_Frame("mapping" if character == "{" else "list"))
            written = ""
        elif character in "}]" and len(frames) > 1:
            frames.pop()
            written = ""
        elif character == "," and len(frames) > 1:
            frame.key, written = "", ""
        elif character == ":" and not frame.key and line[index + 1 : index + 2] in ("", " "):
            frame.key, written = written.strip(), ""
        else:
            written += character
    return frames, written.lstrip()


def _keys_above(text: str, indent: int) -> list[str]:
    """The keys around a line, outermost first, by the indents above it."""
    found: list[str] = []
    for above in reversed(text.splitlines()):
        if indent == 0:
            break
        match = LINE_KEY.match(above)
        if match is not None and len(match[1]) < indent:
            indent = len(match[1])
            found.append(match[2])
    return found[::-1]


__all__ = ["CursorPlace", "cursor_place"]
