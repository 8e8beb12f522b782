"""What a check has asked of the disk: while all of it is answered in the same way, the check would find the same.

In: questions about paths, noted where they are asked: what is there, what a folder has, what a file says. Out: the
questions with their answers, and whether they still hold. Nothing is noted unless somebody wants to know.

An answer is taken before whoever asks looks for himself, and all are asked once more at the end: a file that changes in
between is noticed. Of the folder around each path it is asked where it really is; a link in the place of a file, or
among those of a folder, is an answer that never holds.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final, Literal

Question = Literal["what", "entries", "tree", "bytes", "real"]
Answers = dict[str, dict[str, str]]  # by question and path

MAX_LOOKS: Final = 20_000  # of more nothing is known: asking again would take as long as checking
NOTHING: Final = "nothing"
LINK: Final = "link"
UNKNOWN: Final = "unknown"  # never the same again

_noted: Final[ContextVar[Answers | None]] = ContextVar("noted", default=None)


@contextmanager
def looks_noted(*, is_wanted: bool = True) -> Iterator[Answers]:
    """Within it all looks are noted, where they are wanted."""
    answers: Answers = {}
    token = _noted.set(answers if is_wanted else None)
    try:
        yield answers
    finally:
        _noted.reset(token)


def note_look(path: Path | str, question: Question = "what") -> None:
    """Notes that somebody is about to ask this of a path."""
    answers = _noted.get()
    if answers is None:
        return
    known = answers.setdefault(question, {})
    name = os.path.abspath(path)
    if name in known:
        return
    # what is above a link is not what its name says
    is_elsewhere = ".." in Path(path).parts and _real(str(path)) != _real(name)
    known[name] = UNKNOWN if is_elsewhere else _ANSWERS[question](name)
    if question != "real":
        note_look(os.path.dirname(name), "real")


def still_hold(answers: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether all is as it was: every question has the same answer."""
    return (
        sum(map(len, answers.values())) <= MAX_LOOKS
        and all(answer not in (LINK, UNKNOWN) for known in answers.values() for answer in known.values())
        and all(_ANSWERS[question](path) == known[path] for question, known in answers.items() for path in known)
    )


def _what(path: str) -> str:
    """What is at a path."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):  # nothing there, or nothing that can be there
        return NOTHING
    return LINK if stat.S_ISLNK(mode) else str(stat.S_IFMT(mode))


def _entries(path: str) -> str:
    """The names in a folder, and what each is."""
    try:
        with os.scandir(path) as entries:
            found = [f"{entry.name}/{_sort(entry)}" for entry in entries]
    except (OSError, ValueError):
        return NOTHING
    return _digest(found)


def _tree(path: str) -> str:
    """The names in a folder and in all folders below."""
    found: list[str] = []
    waiting = [path]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found.append(f"{entry.path}/{_sort(entry)}")
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (OSError, ValueError):
            return UNKNOWN
        if len(found) > MAX_LOOKS:
            return UNKNOWN
    return _digest(found)


def _sort(entry: os.DirEntry[str]) -> str:
    return LINK if entry.is_symlink() else "folder" if entry.is_dir() else "file" if entry.is_file() else "other"


def _bytes(path: str) -> str:
    """What a file says."""
    if _what(path) != str(stat.S_IFREG):
        return UNKNOWN
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return UNKNOWN


def _real(path: str) -> str:
    """Where a path leads."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # no path that a file can have
        return UNKNOWN


def _digest(names: list[str]) -> str:
    """Of what folders have; where something is a link, it is not known what will be there."""
    if any(name.endswith(f"/{LINK}") for name in names):
        return UNKNOWN
    return hashlib.sha256("\0".join(sorted(names)).encode(errors="surrogateescape")).hexdigest()


_ANSWERS: Final[Mapping[str, Callable[[str], str]]] = {
    "what": _what,
    "entries": _entries,
    "tree": _tree,
    "bytes": _bytes,
    "real": _real,
}

__all__ = ["Answers", "Question", "looks_noted", "note_look", "still_hold"]
