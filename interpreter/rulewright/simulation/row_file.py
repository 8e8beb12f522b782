"""A file of games that grows by a line with every game, so that whatever happens the games that were played are kept.

In: a file's name, its head and games. Out: lines at its end; the games that it held before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

from rulewright import limits
from rulewright.errors import UsageError


class RowFile:
    """A file that is open for more lines."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    def add(self, text: str) -> None:
        """Puts lines at the end, at once; raises `OSError`."""
        rest = text.encode()
        while rest:
            rest = rest[self._file.write(rest) :]

    def close(self) -> None:
        """Ends it."""
        with suppress(OSError):  # not every kind of file can be told to be on the disk
            os.fsync(self._file.fileno())
        self._file.close()


def create_row_file(name: str, head: str) -> RowFile:
    """A new file with its head."""
    try:
        file = FileIO(name, "x")
    except FileExistsError:
        raise UsageError(f"{name} is there already; choose another name, or go on with its games by --resume") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be written: {_reason(error)}") from None
    found = RowFile(file)
    found.add(head)
    return found


def read_complete_lines(name: str) -> Iterator[str]:
    """The lines of a file; one that was not written to its end does not count."""
    try:
        with Path(name).open(encoding="utf-8", newline="\n") as file:
            yield from (line for line in file if line.endswith("\n"))
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {_reason(error)}") from None
    except ValueError:
        raise UsageError(f"{name} holds no games: it is no text") from None


def reopen_row_file(name: str) -> RowFile:
    """A file that is there, for more lines behind its last whole one."""
    try:
        with Path(name).open("r+b") as file:
            least = max(0, file.seek(0, os.SEEK_END) - limits.MAX_ROW_BYTES)
            file.seek(least)
            file.truncate(least + file.read().rfind(b"\n") + 1)
        return RowFile(FileIO(name, "a"))
    except OSError as error:
        raise UsageError(f"{name} cannot be written: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


__all__ = ["RowFile", "create_row_file", "read_complete_lines", "reopen_row_file"]
