"""What a path has before anything is read of it: whether it is a file, how large it is, its text as it stands.

In: a path. Out: an answer; nothing here is a diagnostic. What is written and not saved yet counts as the file's text.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.source.file_looks import note_look
from rulewright.source.real_paths import is_within
from rulewright.source.unsaved import held_text

PIPE_PAUSE: Final = 0.05  # seconds between two looks whether somebody writes to a pipe
PIPE_PAUSES: Final = 40


def is_present(path: Path, *, even_as_link: bool = False) -> bool:
    """Whether there is something at a path. `even_as_link`: or a link that leads nowhere."""
    note_look(path)
    try:
        return path.exists() or (even_as_link and path.is_symlink())
    except (OSError, ValueError):
        return False


def is_present_file(path: Path) -> bool:
    """Whether there is such a file, also of a name that is too long or odd for the file system."""
    note_look(path)
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_present_folder(path: Path) -> bool:
    """Whether there is such a folder; links are followed."""
    note_look(path)
    return os.path.isdir(path)


def files_in(folder: Path) -> list[Path]:
    """What a folder has, by name; raises `OSError` where it cannot be read."""
    note_look(folder, "entries")
    return sorted(folder.iterdir())


def files_below(folder: Path, pattern: str) -> Iterator[Path]:
    """What a folder and those below have, as far as its name matches, however far down. Links are not followed; a
    folder that cannot be read counts as empty.
    """
    note_look(folder, "tree")
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                found = list(entries)
        except OSError:
            continue
        for entry in found:
            if fnmatchcase(entry.name, pattern):
                yield Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)


def file_size(path: Path) -> int:
    """How many bytes a file has; of one that is being written, how many characters. Raises `OSError` for no file."""
    unsaved = held_text(path)
    note_look(path, "bytes")
    return path.stat().st_size if unsaved is None else len(unsaved)


def peek_text(path: Path, within: Path | None = None) -> str:
    """The text of a file, without diagnostics; empty when `parse_file` would not open it."""
    unsaved = held_text(path)
    if unsaved is not None:
        return unsaved
    note_look(path)
    try:
        if not_a_regular_file(path.stat().st_mode) or (within is not None and not is_within(path, within)):
            return ""
        note_look(path, "bytes")
        with path.open("rb") as file:
            return file.read(limits.MAX_FILE_BYTES).decode("utf-8-sig", "replace")
    except (OSError, ValueError):
        return ""


def read_once(path: Path, size: int) -> bytes:
    """The first `size` bytes of a file that need not be a regular one: a pipe can come from another program.

    Raises `OSError`; of a pipe to which nobody writes after a while, too, at which a plain read would wait for ever.
    """
    if not stat.S_ISFIFO(path.stat().st_mode):
        with path.open("rb") as file:
            return file.read(size)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        begin = _first_of_pipe(descriptor, size)
        os.set_blocking(descriptor, True)
        return begin + file.read(size - len(begin))


def _first_of_pipe(descriptor: int, size: int) -> bytes:
    """What stands in a pipe once somebody has it open; empty where nothing is written yet."""
    for pause in (*[PIPE_PAUSE] * PIPE_PAUSES, 0.0):
        try:
            if begin := os.read(descriptor, size):
                return begin
        except BlockingIOError:  # somebody who has not written yet
            return b""
        time.sleep(pause)
    raise OSError(errno.EPIPE, "Nobody writes to this pipe")


def not_a_regular_file(mode: int) -> str:
    """What a path is if not a regular file: reading a pipe could block forever, a device never ends."""
    if stat.S_ISREG(mode):
        return ""
    return "is a directory" if stat.S_ISDIR(mode) else "is a pipe or a device, not a file"


__all__ = [
    "file_size",
    "files_below",
    "files_in",
    "is_present",
    "is_present_file",
    "is_present_folder",
    "not_a_regular_file",
    "peek_text",
    "read_once",
]
