"""Files that are written whole or not at all.

In: a path and its content. Out: a file; when anything goes wrong there is none. Devices and pipes are written into.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def atomic_write(name: str, content: str | bytes, *, replace: bool = False, is_lasting: bool = True) -> None:
    """Writes a file beside its place first, then moves it there.

    `replace`: whether a file of that name may be overwritten, else it raises `FileExistsError`. `is_lasting`: whether
    to wait until the disk has it, so that it is there even if the machine stops now. Raises `OSError`, or `ValueError`
    for a name that no file can have.
    """
    path = Path(name)
    if not replace and os.path.lexists(path):
        raise FileExistsError(name)
    if replace:
        if path.exists() and not path.is_file() and not path.is_dir():  # a device or a pipe, which nothing may replace
            with path.open("wb") as stream:
                stream.write(_as_bytes(content))
            return
        path = Path(os.path.realpath(path))  # a link goes on leading where it does
    part = path.with_name(f"{path.name}.{os.urandom(4).hex()}.part")
    try:
        with part.open("xb") as file:
            file.write(_as_bytes(content))
            if is_lasting:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise name_path(error, path) from None
    finally:
        with suppress(OSError):
            part.unlink()


def _as_bytes(content: str | bytes) -> bytes:
    # a name of a file that is not UTF-8 is written as standard output has it
    return content.encode(errors="replace") if isinstance(content, str) else content


def name_path(error: OSError, path: Path) -> OSError:
    """The error with the name of the file that was asked for, not of the one that is written first beside it."""
    return error if error.errno is None else OSError(error.errno, error.strerror, str(path))


__all__ = ["atomic_write", "name_path"]
