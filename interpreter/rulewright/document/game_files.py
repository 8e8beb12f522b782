"""What the files of a game are called, before any of them is read.

In: a path. Out: how a user would write it.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.real_paths import real_path

MANIFEST: Final = "game.yaml"
FIRST_CONTENT_LINE: Final = lazy_pattern(r"^[^#\s].*$", re.MULTILINE)  # not a comment
ENGLISH: Final = "en"  # the language of what is written beside the rules


def source_path(path: Path) -> str:
    """A path as a user would write it: relative to the current folder when inside that."""
    return _path_from(path, os.getcwd())


@lru_cache(maxsize=limits.MAX_REMEMBERED_HEADS)
def _path_from(path: Path, folder: str) -> str:
    try:
        return real_path(Path(folder, path)).relative_to(real_path(Path(folder))).as_posix()
    except ValueError:
        return path.as_posix()


def is_inside(name: str) -> bool:
    """Whether a file of that name is in the game's folder."""
    return not Path(name).is_absolute() and ".." not in Path(name).parts


__all__ = ["ENGLISH", "FIRST_CONTENT_LINE", "MANIFEST", "is_inside", "source_path"]
