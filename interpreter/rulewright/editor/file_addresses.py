"""What an editor calls a file, and which file that is.

In: addresses (URIs). Out: paths. An editor also shows texts that are no files of anybody's game: the left side of a
comparison is an older revision of a file at the same path. Those are not looked at.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from rulewright.source.real_paths import real_path
from rulewright.source.unsaved import path_without_name

WRITTEN: Final = ("file", "untitled", "")  # schemes of texts that somebody writes; a new one may have no file yet


def is_written_text(uri: str) -> bool:
    """Whether an address is that of a text which somebody writes, and not of something that is only shown."""
    return urlsplit(uri).scheme in WRITTEN


def path_of_uri(uri: str) -> Path:
    """The path of an address; of a text that has no file yet one in the current folder, which no file has."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if parts.scheme in WRITTEN and path.startswith("/") and path.strip("/") and "\0" not in path:
        return real_path(Path(path))
    name = path.replace("\0", "").rpartition("/")[2] or "new"
    return real_path(path_without_name(name if parts.scheme in WRITTEN else f"{parts.scheme} {name}"))


__all__ = ["is_written_text", "path_of_uri"]
