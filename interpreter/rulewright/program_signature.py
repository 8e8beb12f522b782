"""Which program this is: a text that is another one as soon as a file of it changes, or of what it reads rules with.

In: nothing. Out: the text. Sizes and times of files are enough, as they are for Python itself when it decides whether a
compiled module is up to date; to read all of them would take longer than most commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rulewright.bundle import bundle_folder

LIBRARIES: Final = ("yaml", "lark", "jsonschema")  # those that reading and judging rule files goes through
COMPILED_FOLDER: Final = "__pycache__"


@cache
def program_signature() -> str:
    """The text, found once by each process."""
    folders = (Path(__file__).resolve().parent, bundle_folder("schemas"))
    files = [part for folder in folders for part in _files(str(folder))]
    origins = [spec.origin for name in LIBRARIES if (spec := find_spec(name)) is not None]
    libraries = [_signature(origin, os.stat(origin)) for origin in origins if origin is not None]
    return "\n".join([sys.version, *sorted(files), *libraries])


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != COMPILED_FOLDER:
                    yield from _files(entry.path)
            else:
                with suppress(FileNotFoundError):  # what an editor writes beside a file
                    yield _signature(entry.path, entry.stat())


def _signature(path: str, status: os.stat_result) -> str:
    return f"{path} {status.st_size} {status.st_mtime_ns}"


__all__ = ["program_signature"]
