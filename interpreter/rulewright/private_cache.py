"""A private folder of results that can always be computed again: what is damaged, foreign or lost is computed anew.

In: a key of everything that a result depends on. Out: the bytes that were put there under this key, or nothing. Bytes
are believed only if folder and file belong to this user, nobody else may write there, and their checksum holds.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from rulewright.atomic_write import atomic_write

CACHE_VARIABLE: Final = "RULEWRIGHT_CACHE"  # another folder; empty: nothing is kept
MAGIC: Final = b"rulewright cache 1\n"
MAX_BYTES: Final = 64 * 1024 * 1024  # of all files together; the oldest go first
CHECKSUM_BYTES: Final = hashlib.sha256().digest_size
OWNERS_EXIST: Final = hasattr(os, "getuid")
OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def cache_folder() -> Path | None:
    """The folder, below XDG_CACHE_HOME or ~/.cache; None where nothing is to be kept."""
    named = os.environ.get(CACHE_VARIABLE)
    if named is not None:
        return Path(named) if named else None
    home = os.environ.get("XDG_CACHE_HOME", "")
    with suppress(RuntimeError):  # nobody's home
        return (Path(home) if Path(home).is_absolute() else Path.home() / ".cache") / "rulewright"
    return None


def cache_key(*parts: str | bytes) -> str:
    """The name under which a result is kept that depends on these texts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part  # as in names of files
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def read_cached(key: str) -> bytes | None:
    """What is kept under a key; None where there is nothing, or nothing that can be believed."""
    folder = cache_folder()
    if folder is None or not _is_private(folder):
        return None
    try:
        descriptor = os.open(folder / key, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not (stat.S_ISREG(status.st_mode) and _is_mine(status) and status.st_size <= MAX_BYTES):
                return None
            data = file.read()
    except OSError:
        return None
    head, checksum, content = (
        data[: len(MAGIC)],
        data[len(MAGIC) :][:CHECKSUM_BYTES],
        data[len(MAGIC) + CHECKSUM_BYTES :],
    )
    return content if head == MAGIC and checksum == hashlib.sha256(content).digest() else None


def keep(key: str, content: bytes) -> None:
    """Keeps a result; where that cannot be, it is only slower the next time."""
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_private(folder):
            data = MAGIC + hashlib.sha256(content).digest() + content
            atomic_write(str(folder / key), data, replace=True, is_lasting=False)  # what is lost is computed anew
            _make_room(folder)


def _is_private(folder: Path) -> bool:
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode) and _is_mine(status) and not (OWNERS_EXIST and status.st_mode & OTHERS_MAY_WRITE)
    )


def _is_mine(status: os.stat_result) -> bool:
    """Whether a file belongs to this user; where the system knows no owners, the folder of the user decides."""
    return not OWNERS_EXIST or status.st_uid == os.getuid()


def _make_room(folder: Path) -> None:
    files = sorted(_files(folder), reverse=True)
    total = 0
    for _, size, path in files:
        total += size
        if total > MAX_BYTES:
            with suppress(OSError):
                path.unlink()


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each file was written, its size, its path."""
    for entry in os.scandir(folder):
        with suppress(OSError):
            status = entry.stat(follow_symlinks=False)
            yield status.st_mtime, status.st_size, Path(entry.path)


__all__ = ["CACHE_VARIABLE", "cache_folder", "cache_key", "keep", "read_cached"]
