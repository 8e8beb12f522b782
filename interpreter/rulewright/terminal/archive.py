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

RECORD_SUFFIX: Final = ".jsonl"


def archive_folder() -> Path:
    """The folder of all games: below XDG_DATA_HOME, by default ~/.local/share."""
    given = os.environ.get("XDG_DATA_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    return base / "rulewright"


def new_record_path(game: str) -> Path:
    """A file for a game that begins now; its folder is made. Raises `OSError`, or `RuntimeError` without a home."""
    where = archive_folder()
    where.mkdir(parents=True, exist_ok=True)
    return where / f"{game}-{time.strftime('%Y%m%d-%H%M%S')}-{token_hex(2)}{RECORD_SUFFIX}"


def resume_command(file: Path, locale: str) -> str:
    """The command that goes on with a game."""
    words = ["rulewright", "play", "--resume", str(file), *(["--lang", locale] if locale != "en" else [])]
    return shlex.join(words)


__all__ = ["RECORD_SUFFIX", "archive_folder", "new_record_path", "resume_command"]
