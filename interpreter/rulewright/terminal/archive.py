"""Where the records of games at the terminal are kept, and how they are resumed.

In: a game's name, the environment. Out: the path of a new file; the command that resumes it.
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
    data_home = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data_home) if os.path.isabs(data_home) else Path.home() / ".local" / "share"
    return base / "rulewright"


def new_record_path(game: str) -> Path:
    """The path of a new record for a game that begins now; makes its folder.

    Raises `OSError`, or `RuntimeError` without a home folder.
    """
    folder = archive_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{game}-{time.strftime('%Y%m%d-%H%M%S')}-{token_hex(2)}{RECORD_SUFFIX}"


def resume_command(file: Path, locale: str) -> str:
    """The command that resumes the game of a record."""
    words = ["rulewright", "play", "--resume", str(file), *(["--lang", locale] if locale != "en" else [])]
    return shlex.join(words)


__all__ = ["RECORD_SUFFIX", "archive_folder", "new_record_path", "resume_command"]
