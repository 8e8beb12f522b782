"""Finds each character of a YAML value in the file it was read from, so that a caret can stand inside it.

In: the source text, where a scalar stands in it, its style and the value that the YAML parser made of it.
Out: one offset per character of the value and one for its end, or None where the value cannot be retraced.

The value is built a second time, character by character, by the folding rules of YAML, and each character is noted with
the offset it came from. Only when the second building equals the parser's value are the offsets given out; so a mistake
here can make a caret less exact, and never wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

CharacterOffset = tuple[str, int]  # a character of the value and the offset it came from

ESCAPES: Final = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
HEX_DIGITS: Final = {"x": 2, "u": 4, "U": 8}
BLOCK_HEADER: Final = re.compile(r"[|>]([-+]?)([1-9]?)([-+]?)[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)")
LINE_BREAK: Final = re.compile(r"\r?\n")


def character_offsets(text: str, start: int, end: int, style: str, value: str) -> tuple[int, ...] | None:
    """Offsets of the characters of `value`; `text[start:end]` is the scalar with its quotes or its `|` or `>`."""
    for traced in _readings(text, start, end, style):
        if "".join(character for character, _ in traced) == value:
            # the end of the value: behind its last character, or where it would begin
            behind = traced[-1][1] + 1 if traced else min(start + 1, end)
            if style in ('"', "'"):
                behind = end - 1
            return (*(offset for _, offset in traced), behind)
    return None


def _readings(text: str, start: int, end: int, style: str) -> Iterator[list[CharacterOffset]]:
    match style:
        case "'" | '"':
            yield _flow(text, start + 1, end - 1, style)
        case "|" | ">":
            header = BLOCK_HEADER.match(text, start)
            if header:
                for indent in _indents(text, header.end(), end, explicit=bool(header[2])):
                    yield _block(text, header.end(), end, indent, folded=style == ">", chomp=header[1] or header[3])
        case _:
            yield _flow(text, start, end, "")


def _flow(text: str, at: int, end: int, quote: str) -> list[CharacterOffset]:
    """Plain and quoted scalars: a line break becomes a blank, each further one a line feed; blanks beside them go."""
    out: list[CharacterOffset] = []
    while at < end:
        here = text[at]
        if here in " \t\r\n":
            stop, escaped = at, False
        elif quote == "'" and text.startswith("''", at):
            out.append(("'", at))
            at += 2
            continue
        elif quote == '"' and here == "\\":
            if not LINE_BREAK.match(text, at + 1):
                character, length = _escape(text, at)
                out.append((character, at))
                at += length
                continue
            stop, escaped = at + 1, True
        else:
            out.append((here, at))
            at += 1
            continue
        blanks: list[CharacterOffset] = []
        breaks: list[CharacterOffset] = []
        at = stop
        while at < end and text[at] in " \t\r\n":
            found = LINE_BREAK.match(text, at)
            if found:
                breaks.append(("\n", at))
                at = found.end()
            else:
                if not breaks:
                    blanks.append((text[at], at))
                at += 1
        if not breaks:
            out.extend(blanks)
        elif escaped or len(breaks) > 1:
            out.extend(breaks[1:])
        else:
            out.append((" ", breaks[0][1]))
    return out


def _escape(text: str, at: int) -> tuple[str, int]:
    kind = text[at + 1]
    digits = HEX_DIGITS.get(kind)
    if digits is None:
        return ESCAPES.get(kind, kind), 2
    return chr(int(text[at + 2 : at + 2 + digits], 16)), 2 + digits


def _indents(text: str, at: int, end: int, *, explicit: bool) -> Iterator[int]:
    """The indentations a block scalar may have: that of its first line, or, when the header states one, any smaller."""
    lines = text[at:end].split("\n")
    depths = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" \r")]
    if depths and not explicit:
        yield depths[0]
    else:
        yield from range(max((len(line) for line in lines), default=1) if not depths else depths[0], 0, -1)


def _block(text: str, at: int, end: int, indent: int, *, folded: bool, chomp: str) -> list[CharacterOffset]:
    """Literal and folded scalars. `pending`: the break of the last line with text; `blank`: of empty lines after it."""
    out: list[CharacterOffset] = []
    pending: list[CharacterOffset] = []
    deeper = False  # the last line began with a blank: breaks beside it are kept
    at, blank = _empty_lines(text, at, end, indent)
    while at < end:
        starts_blank = text[at] in " \t"
        if folded and pending and not deeper and not starts_blank:
            if not blank:
                out.append((" ", pending[0][1]))
        else:
            out.extend(pending)
        out.extend(blank)
        deeper = starts_blank
        found = LINE_BREAK.search(text, at, end)
        stop = found.start() if found else end
        out.extend((text[i], i) for i in range(at, stop))
        pending = [("\n", stop)] if found else []
        at, blank = _empty_lines(text, found.end() if found else end, end, indent)
    if chomp != "-":
        out.extend(pending)
    if chomp == "+":
        out.extend(blank)
    return out


def _empty_lines(text: str, at: int, end: int, indent: int) -> tuple[int, list[CharacterOffset]]:
    """Passes over empty lines and the indentation of the next line with text; gives where that line's text begins."""
    breaks: list[CharacterOffset] = []
    while at < end:
        line = at
        while at < end and at - line < indent and text[at] == " ":
            at += 1
        found = LINE_BREAK.match(text, at)
        if not found:
            if at - line < indent:  # a line further left, a comment perhaps, is no part of the scalar
                return end, breaks
            break
        breaks.append(("\n", at))
        at = found.end()
    return at, breaks


__all__ = ["character_offsets"]
