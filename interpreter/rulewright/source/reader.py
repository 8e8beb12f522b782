"""Reads a rule file: its YAML becomes nodes that know where they stand, and every slip in it becomes a complaint.

In: a path or a `Source`, and the `Report` that takes the complaints. Out: the file's node, or None when it could not be
read to its end. What is wrong but can be passed over (a key that stands twice, an anchor, a surprising word) is
reported, and reading goes on; where the YAML itself ends, reading ends.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from rulewright import limits
from rulewright.diagnostics import Diagnostics, SourceFile, Span
from rulewright.source import codes
from rulewright.source.composer import compose
from rulewright.source.nodes import Node
from rulewright.source.plain_scalars import INVISIBLE_CHARACTER


def parse_file(
    path: Path, diagnostics: Diagnostics, *, source_path: str | None = None, within: Path | None = None
) -> Node | None:
    """The node of the file at `path`; complaints name the file `shown_as`, or by its path.

    A file that a folder holds or another file names may be a link to anywhere: it is only opened when it truly lies
    `within` that folder.
    """
    shown = source_path if source_path is not None else str(path)
    try:
        reason = "" if within is None or is_within(path, within) else "it leads out of the folder that it stands in"
        reason = reason or _irregular(path.stat().st_mode)
        if not reason:
            with path.open("rb") as file:
                data = file.read(limits.MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = (getattr(error, "strerror", None) or str(error)).lower()
    if reason:
        diagnostics.add(
            Span(SourceFile(shown, ""), 0, 0), codes.UNREADABLE_FILE, f"this file cannot be opened: {reason}"
        )
        return None
    if len(data) > limits.MAX_FILE_BYTES:
        _too_large(SourceFile(shown, ""), diagnostics)
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _not_utf8(data, shown, diagnostics)
        return None
    return parse_source(SourceFile(shown, text), diagnostics)


def is_within(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder, wherever links lead to."""
    return real_path(path).is_relative_to(real_path(folder))


def real_path(path: Path) -> Path:
    """Where a file truly lies; unlike `Path.resolve` also told of a link that leads to itself."""
    return Path(os.path.realpath(path))


def peek_text(path: Path, within: Path | None = None) -> str:
    """The text of a file for a quick look, without any complaint; empty when `load` would not open it."""
    try:
        if _irregular(path.stat().st_mode) or (within is not None and not is_within(path, within)):
            return ""
        with path.open("rb") as file:
            return file.read(limits.MAX_FILE_BYTES).decode("utf-8-sig", "replace")
    except (OSError, ValueError):
        return ""


def _irregular(mode: int) -> str:
    """What a path leads to that is no file to read: a pipe would be waited for without end, a device never ends."""
    if stat.S_ISREG(mode):
        return ""
    return "is a directory" if stat.S_ISDIR(mode) else "is a pipe or a device, no file"


def parse_source(source: SourceFile, diagnostics: Diagnostics) -> Node | None:
    """The node of a text; None when it has none or the YAML ends before its end."""
    if len(source.text) > limits.MAX_FILE_BYTES:
        _too_large(source, diagnostics)
        return None
    unseen = INVISIBLE_CHARACTER.search(source.text)
    if unseen:
        count = len(INVISIBLE_CHARACTER.findall(source.text))
        more = f", and {count - 1} more of the kind" if count > 1 else ""
        diagnostics.add(
            Span(source, unseen.start(), unseen.end()),
            codes.CONTROL_CHARACTER,
            f"the unseen character U+{ord(unseen[0]):04X} stands here{more}",
            help="take it out",
        )
        return None
    return compose(source, diagnostics)


def _too_large(source: SourceFile, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        Span(source, 0, 0),
        codes.FILE_TOO_LARGE,
        f"this file is larger than {limits.MAX_FILE_BYTES // 1024 // 1024} MiB",
        help="cut the rules over several files",
    )


def _not_utf8(data: bytes, shown: str, diagnostics: Diagnostics) -> None:
    # The text up to the bad byte is right, so its line and column are; what follows is only shown, made safe to show.
    whole = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    bad = re.search("[\udc80-\udcff]", whole)
    assert bad is not None
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    diagnostics.add(
        Span(SourceFile(shown, INVISIBLE_CHARACTER.sub("\ufffd", whole)), bad.start(), bad.end()),
        codes.NOT_UTF8,
        f"the byte 0x{ord(bad[0]) - 0xDC00:02x} is no UTF-8",
        help="the file looks like UTF-16: save it as UTF-8" if wide else "save the file as UTF-8",
    )


__all__ = ["is_within", "parse_file", "parse_source", "peek_text", "real_path"]
