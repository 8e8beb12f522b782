"""Texts of files that somebody is writing and has not saved yet: they are read instead of what the disk has.

In: paths and texts, from an editor or from standard input. Out: the text of a path, where one is held. Nothing else in
the package changes what a file says.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.real_paths import real_path

NAMELESS: Final = lazy_pattern(r"<.*>\.yaml")
_TEXTS: dict[str, str] = {}


def hold_text(path: Path, text: str) -> None:
    """From now on the file says this."""
    _TEXTS[os.path.realpath(path)] = text.removeprefix("\ufeff")


def release_text(path: Path) -> None:
    """From now on the file says what is on the disk."""
    _TEXTS.pop(os.path.realpath(path), None)


def path_without_name(title: str) -> Path:
    """Where a text is held that belongs to no file: in the current folder, so that its game is looked for there."""
    return Path(f"<{title}>.yaml")


def has_no_name(path: Path) -> bool:
    """Whether a path is that of a text that belongs to no file."""
    return NAMELESS.fullmatch(path.name) is not None


def held_text(path: Path) -> str | None:
    """What a file says that is not saved; None for all others."""
    if not _TEXTS:
        return None
    return _TEXTS.get(str(real_path(path)))


def is_any_text_held() -> bool:
    """Whether any file says something else than the disk has."""
    return bool(_TEXTS)


__all__ = ["has_no_name", "held_text", "hold_text", "is_any_text_held", "path_without_name", "release_text"]
