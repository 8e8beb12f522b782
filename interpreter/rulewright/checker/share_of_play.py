"""How many decisions of random players does each set of rules get, where many files are checked?

In: how many are asked for, the paths of files and folders. Out: a number: many files share what few would have each.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rulewright.source.file_text import files_below, is_present_folder

MAX_PLAYED: Final = 20_000  # decisions that many files share
MIN_PLAYED: Final = 20


def share_of_play(play: int, paths: Iterable[Path]) -> int:
    """How many decisions each set of rules gets at each number of players."""
    files = sum(sum(1 for _ in files_below(path, "*.y*ml")) if is_present_folder(path) else 1 for path in paths)
    return min(play, max(MIN_PLAYED, MAX_PLAYED // max(1, files)))


__all__ = ["share_of_play"]
