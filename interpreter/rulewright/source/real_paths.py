"""Where a path leads once all links are followed.

In: a path. Out: the real one. Who looks at the same files again and again says for how long nothing changes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

_followed: Final[ContextVar[dict[Path, Path] | None]] = ContextVar("followed", default=None)


def real_path(path: Path) -> Path:
    """The path with all links followed; unlike `Path.resolve` it also takes a link that leads to itself.

    A path that no file can have is its own.
    """
    followed = _followed.get()
    if followed is None:
        return _follow(path)
    found = followed.get(path)
    if found is None:
        found = followed[path] = _follow_last(path)
    return found


def _follow_last(path: Path) -> Path:
    """The same, where the folders around have been followed already for other files in them."""
    if not path.name or ".." in path.parts or os.name != "posix":  # elsewhere names have other spellings
        return _follow(path)
    inside = real_path(path.parent) / path.name
    try:
        return inside if not stat.S_ISLNK(os.lstat(inside).st_mode) else _follow(inside)
    except (OSError, ValueError):  # nothing there, or nothing that can be there
        return _follow(path)


def _follow(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return path


def is_within(path: Path, folder: Path) -> bool:
    """Whether a file is in a folder once all links are followed."""
    return real_path(path).is_relative_to(real_path(folder))


@contextmanager
def links_followed_once() -> Iterator[None]:
    """Within it the links of each path are followed once, however often it is asked for. What changes meanwhile is seen
    afterwards.
    """
    token = _followed.set({})
    try:
        yield
    finally:
        _followed.reset(token)


__all__ = ["is_within", "links_followed_once", "real_path"]
