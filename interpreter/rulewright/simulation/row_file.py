"""A file of games that grows by a line with every game, so that whatever happens no finished game is lost.

In: a file's name, its header and rows. Out: lines at its end; the lines that it had before.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import suppress
from io import FileIO
from pathlib import Path

from rulewright import limits
from rulewright.errors import UsageError, already_exists
from rulewright.model.locate import missing_file
from rulewright.source.file_text import not_a_regular_file


class RowFile:
    """A file that is open for more lines."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    def add(self, text: str) -> None:
        """Adds lines at the end, unbuffered; raises `OSError`."""
        rest = text.encode()
        while rest:
            rest = rest[self._file.write(rest) :]

    def close(self) -> None:
        """Closes the file, with its content on the disk."""
        with suppress(OSError):  # not every kind of file can be synced
            os.fsync(self._file.fileno())
        self._file.close()


def create_row_file(name: str, header: str) -> RowFile:
    """A new file with its header. Raises `UsageError`."""
    try:
        file = FileIO(name, "x")
    except FileExistsError:
        raise already_exists(name, "continue it with --resume") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be written: {_reason(error)}") from None
    row_file = RowFile(file)
    try:
        row_file.add(header)
    except OSError as error:
        file.close()
        with suppress(OSError):
            Path(name).unlink()
        raise UsageError(f"{name} cannot be written: {_reason(error)}") from None
    return row_file


def read_complete_lines(name: str) -> Generator[str, None, None]:
    """The lines of a file, without a truncated last one. Raises `NotFound` or `UsageError`."""
    try:
        if reason := not_a_regular_file(os.stat(name).st_mode):
            raise UsageError(f"{name} cannot be read: {reason}")
        with Path(name).open(encoding="utf-8", newline="\n") as file:
            while (line := file.readline(limits.MAX_ROW_BYTES)).endswith("\n"):
                yield line
        if len(line) == limits.MAX_ROW_BYTES:
            raise UsageError(f"{name} cannot be read: a line is over the limit of {limits.MAX_ROW_BYTES:,} characters")
    except FileNotFoundError:
        raise missing_file(name) from None
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {_reason(error)}") from None
    except ValueError:
        raise UsageError(f"{name} is not a file of games: not UTF-8 text") from None


def reopen_row_file(name: str) -> RowFile:
    """An existing file, for more lines after its last complete one. Raises `UsageError`."""
    try:
        with Path(name).open("r+b") as file:
            tail_start = max(0, file.seek(0, os.SEEK_END) - limits.MAX_ROW_BYTES)
            file.seek(tail_start)
            file.truncate(tail_start + file.read().rfind(b"\n") + 1)
        return RowFile(FileIO(name, "a"))
    except OSError as error:
        raise UsageError(f"{name} cannot be written: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


__all__ = ["RowFile", "create_row_file", "read_complete_lines", "reopen_row_file"]
