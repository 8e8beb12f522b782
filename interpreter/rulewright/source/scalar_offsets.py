"""Finds each character of a YAML value in the file it was read from, so that a caret can point inside the value.

In: the source text, the range and style of a scalar in it, and the value that the YAML parser made of it.
Out: one offset per character of the value and one for its end, or None when the value cannot be retraced.

The value is built a second time, character by character, by YAML's folding rules, and each character keeps the offset
it came from. The offsets are used only when this second value equals the parser's; so a mistake here can make a caret
less exact, but never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright import limits
from rulewright.lazy_pattern import lazy_pattern

CharacterOffset = tuple[str, int]  # a character of the value and the offset it came from

ESCAPES: Final = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
HEX_DIGITS: Final = {"x": 2, "u": 4, "U": 8}
BLOCK_HEADER: Final = lazy_pattern(r"[|>]([-+]?)([1-9]?)([-+]?)[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)")
LINE_BREAK: Final = lazy_pattern(r"\r?\n")


def character_offsets(text: str, start: int, end: int, style: str, value: str) -> tuple[int, ...] | None:
    """Offsets of the characters of `value`; `text[start:end]` is the scalar with its quotes or its `|` or `>`."""
    if end - start > limits.MAX_RETRACED_CHARACTERS:
        return None  # what is wrong in it is told of the whole
    for candidate in _candidates(text, start, end, style):
        if "".join(character for character, _ in candidate) == value:
            # after the last character, or where the value would begin
            end_of_value = candidate[-1][1] + 1 if candidate else min(start + 1, end)
            if style in ('"', "'"):
                end_of_value = end - 1
            return (*(offset for _, offset in candidate), end_of_value)
    return None


def _candidates(text: str, start: int, end: int, style: str) -> Iterator[list[CharacterOffset]]:
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


def _flow(text: str, offset: int, end: int, quote: str) -> list[CharacterOffset]:
    """Plain and quoted scalars: a line break becomes a space, further ones line feeds; spaces around them go."""
    characters: list[CharacterOffset] = []
    while offset < end:
        character = text[offset]
        if character in " \t\r\n":
            space_start, escaped = offset, False
        elif quote == "'" and text.startswith("''", offset):
            characters.append(("'", offset))
            offset += 2
            continue
        elif quote == '"' and character == "\\":
            if not LINE_BREAK.match(text, offset + 1):
                escaped_character, length = _escape(text, offset)
                characters.append((escaped_character, offset))
                offset += length
                continue
            space_start, escaped = offset + 1, True
        else:
            characters.append((character, offset))
            offset += 1
            continue
        spaces: list[CharacterOffset] = []
        breaks: list[CharacterOffset] = []
        offset = space_start
        while offset < end and text[offset] in " \t\r\n":
            line_break = LINE_BREAK.match(text, offset)
            if line_break:
                breaks.append(("\n", offset))
                offset = line_break.end()
            else:
                if not breaks:
                    spaces.append((text[offset], offset))
                offset += 1
        if not breaks:
            characters.extend(spaces)
        elif escaped or len(breaks) > 1:
            characters.extend(breaks[1:])
        else:
            characters.append((" ", breaks[0][1]))
    return characters


def _escape(text: str, offset: int) -> tuple[str, int]:
    kind = text[offset + 1]
    digits = HEX_DIGITS.get(kind)
    if digits is None:
        return ESCAPES.get(kind, kind), 2
    return chr(int(text[offset + 2 : offset + 2 + digits], 16)), 2 + digits


def _indents(text: str, offset: int, end: int, *, explicit: bool) -> Iterator[int]:
    """The indentations a block scalar may have: that of its first line, or, when the header states one, any smaller."""
    lines = text[offset:end].split("\n")
    depths = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" \r")]
    if depths and not explicit:
        yield depths[0]
    else:
        yield from range(max((len(line) for line in lines), default=1) if not depths else depths[0], 0, -1)


def _block(text: str, offset: int, end: int, indent: int, *, folded: bool, chomp: str) -> list[CharacterOffset]:
    """Literal and folded scalars. `pending`: break of the last line with text; `empty_breaks`: of empty lines after."""
    characters: list[CharacterOffset] = []
    pending: list[CharacterOffset] = []
    deeper = False  # the last line began with a space: breaks around it are kept
    offset, empty_breaks = _empty_lines(text, offset, end, indent)
    while offset < end:
        starts_with_space = text[offset] in " \t"
        if folded and pending and not deeper and not starts_with_space:
            if not empty_breaks:
                characters.append((" ", pending[0][1]))
        else:
            characters.extend(pending)
        characters.extend(empty_breaks)
        deeper = starts_with_space
        line_break = LINE_BREAK.search(text, offset, end)
        stop = line_break.start() if line_break else end
        characters.extend((text[i], i) for i in range(offset, stop))
        pending = [("\n", stop)] if line_break else []
        offset, empty_breaks = _empty_lines(text, line_break.end() if line_break else end, end, indent)
    if chomp != "-":
        characters.extend(pending)
    if chomp == "+":
        characters.extend(empty_breaks)
    return characters


def _empty_lines(text: str, offset: int, end: int, indent: int) -> tuple[int, list[CharacterOffset]]:
    """Skips empty lines and the indentation of the next line with text: where that text begins, and the breaks."""
    breaks: list[CharacterOffset] = []
    while offset < end:
        line_start = offset
        while offset < end and offset - line_start < indent and text[offset] == " ":
            offset += 1
        line_break = LINE_BREAK.match(text, offset)
        if not line_break:
            if offset - line_start < indent:  # a line further left, perhaps a comment, is not part of the scalar
                return end, breaks
            break
        breaks.append(("\n", offset))
        offset = line_break.end()
    return offset, breaks


__all__ = ["character_offsets"]
