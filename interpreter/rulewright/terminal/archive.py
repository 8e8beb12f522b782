"""Where games are kept that people play at the terminal, and how one goes on with them.

In: a game's name, the environment. Out: a file that is not there yet; the command that goes on with it.
"""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path
from secrets import token_hex
from typing import Final

SUFFIX: Final = ".jsonl"


def folder() -> Path:
    """The folder of all games: below XDG_DATA_HOME, by default ~/.local/share."""
    given = os.environ.get("XDG_DATA_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    return base / "rulewright"


def new_file(game: str) -> Path:
    """A file for a game that begins now; its folder is made. Raises `OSError`, or `RuntimeError` without a home."""
    where = folder()
    where.mkdir(parents=True, exist_ok=True)
    return where / f"{game}-{time.strftime('%Y%m%d-%H%M%S')}-{token_hex(2)}{SUFFIX}"


def going_on(file: Path, code: str) -> str:
    """The command that goes on with a game."""
    words = ["rulewright", "play", "--resume", str(file), *(["--lang", code] if code != "en" else [])]
    return shlex.join(words)


__all__ = ["SUFFIX", "folder", "going_on", "new_file"]
