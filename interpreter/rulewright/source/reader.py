"""Reads a rule file: its YAML becomes nodes with their positions, and every mistake in it a diagnostic.

In: a path or a `SourceFile`, and the `Diagnostics` to add to. Out: the file's node, or None when it could not be read
to its end. After a mistake that leaves the structure clear (a duplicate key, an anchor, an ambiguous word) reading
continues; after a YAML syntax error it stops.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Fix, SourceFile, Span
from rulewright.source import codes
from rulewright.source.composer import compose
from rulewright.source.file_looks import note_look
from rulewright.source.file_text import file_size, is_present, is_present_file, not_a_regular_file, peek_text
from rulewright.source.nodes import Node
from rulewright.source.plain_scalars import INVISIBLE_CHARACTER
from rulewright.source.real_paths import is_within
from rulewright.source.unsaved import held_text

WITHOUT_WIDTH: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"  # what separates nothing, and can go


def parse_file(
    path: Path, diagnostics: Diagnostics, *, source_path: str | None = None, within: Path | None = None
) -> Node | None:
    """The node of the file at `path`, which diagnostics call `source_path` (default: its path).

    A file found in a folder or named by another file may be a link to anywhere: with `within` it is only opened when
    its real path is in that folder.
    """
    name = source_path if source_path is not None else str(path)
    try:
        reason = "" if within is None or is_within(path, within) else "it is a link to a place outside its folder"
        unsaved = None if reason else held_text(path)
        if unsaved is not None:
            return _parse_text(name, unsaved, diagnostics)
        note_look(path)
        reason = reason or not_a_regular_file(path.stat().st_mode)
        if not reason:
            note_look(path, "bytes")
            with path.open("rb") as file:
                content = file.read(limits.MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = (getattr(error, "strerror", None) or str(error)).lower()
    if reason:
        diagnostics.add(Span(SourceFile(name, ""), 0, 0), codes.UNREADABLE_FILE, f"cannot open this file: {reason}")
        return None
    if len(content) > limits.MAX_FILE_BYTES:
        _report_too_large(SourceFile(name, ""), diagnostics)
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        _report_not_utf8(content, name, diagnostics)
        return None
    return _parse_text(name, text, diagnostics)


def _parse_text(name: str, text: str, diagnostics: Diagnostics) -> Node | None:
    if len(text) > limits.MAX_LARGE_CHARACTERS:
        if (name, text) not in _last_huge:
            _last_huge.clear()  # first, so that there are never two of them
            _last_huge[name, text] = _parse(name, text)
        node, reported = _last_huge[name, text]
        diagnostics.extend(reported)
        return node
    is_large = len(text) > limits.MAX_REMEMBERED_CHARACTERS
    node, reported = _parse_large_once(name, text) if is_large else _parse_once(name, text)
    diagnostics.extend(reported)
    return node


def _parse(name: str, text: str) -> tuple[Node | None, Diagnostics]:
    """What a text says and what is wrong with it. Files are read again and again, with variants and without; their
    nodes never change.
    """
    diagnostics = Diagnostics()
    return parse_source(SourceFile(name, text), diagnostics), diagnostics


_parse_once: Final = lru_cache(maxsize=limits.MAX_REMEMBERED_FILES)(_parse)
_parse_large_once: Final = lru_cache(maxsize=limits.MAX_REMEMBERED_LARGE_FILES)(_parse)
_last_huge: Final[dict[tuple[str, str], tuple[Node | None, Diagnostics]]] = {}  # the last of the others


def parse_source(source: SourceFile, diagnostics: Diagnostics) -> Node | None:
    """The node of a text; None when it is empty or cannot be parsed to its end."""
    if len(source.text) > limits.MAX_FILE_BYTES:
        _report_too_large(source, diagnostics)
        return None
    invisible = INVISIBLE_CHARACTER.search(source.text)
    if invisible:
        count = len(INVISIBLE_CHARACTER.findall(source.text))
        others = f", and {count - 1} more" if count > 1 else ""
        span = Span(source, invisible.start(), invisible.end())
        message = f"invisible character U+{ord(invisible[0]):04X}{others}"
        fix = Fix(span, "") if invisible[0] in WITHOUT_WIDTH else None
        hint = "remove it"
        if invisible[0] == "\r":  # each a line end of its own: without them all would be one line
            message = f"line end without a line feed (U+000D alone){others}"
            hint = "save the file with ordinary line ends (LF)"
        diagnostics.add(span, codes.CONTROL_CHARACTER, message, help=hint, fix=fix)
        return None
    return compose(source, diagnostics)


def _report_too_large(source: SourceFile, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        Span(source, 0, 0),
        codes.FILE_TOO_LARGE,
        f"the file is over the limit of {limits.MAX_FILE_BYTES // 1024 // 1024} MiB",
        help="split the rules into several files",
    )


def _report_not_utf8(content: bytes, name: str, diagnostics: Diagnostics) -> None:
    # The text before the bad byte is right, and so are its line and column; the rest is only made safe to print.
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    bad_byte = re.search("[\udc80-\udcff]", text)
    assert bad_byte is not None
    is_utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    diagnostics.add(
        Span(SourceFile(name, INVISIBLE_CHARACTER.sub("\ufffd", text)), bad_byte.start(), bad_byte.end()),
        codes.NOT_UTF8,
        f"the byte 0x{ord(bad_byte[0]) - 0xDC00:02x} is not UTF-8",
        help="the file looks like UTF-16: save it as UTF-8" if is_utf16 else "save the file as UTF-8",
    )


__all__ = [
    "file_size",
    "is_present",
    "is_present_file",
    "parse_file",
    "parse_source",
    "peek_text",
]
