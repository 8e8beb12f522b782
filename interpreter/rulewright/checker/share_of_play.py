"""How many decisions of random players does each set of rules get, where many files are checked?

In: how many are asked for, the number of files. Out: a number: many files share what few would have each.
"""

from __future__ import annotations

from typing import Final

MAX_PLAYED: Final = 20_000  # decisions that many files share
MIN_PLAYED: Final = 20


def share_of_play(play: int, files: int) -> int:
    """How many decisions each set of rules gets at each number of players."""
    return min(play, max(MIN_PLAYED, MAX_PLAYED // max(1, files)))


__all__ = ["share_of_play"]
