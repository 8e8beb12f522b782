"""What a command makes goes to standard output, or into a file that is written whole or not at all.

In: a text, or the bytes of a picture, and perhaps a path. Out: the same there, in the format that the suffix of the
path says; what prevents it is a `UsageError`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rulewright.atomic_write import atomic_write
from rulewright.errors import UsageError, already_exists, os_error_reason
from rulewright.suggestions import join_list


def format_by_suffix(path: str | None, formats: Mapping[str, str], default: str) -> str:
    """The format that the suffix of a file's name says; the default without a file."""
    if path is None:
        return default
    suffix = Path(path).suffix
    if not suffix:
        raise UsageError(f"{path} has no suffix that says its format, expected {join_list(formats, 'or')}")
    if suffix.lower() not in formats:
        raise UsageError(f"{path}: no format has the suffix {suffix}, expected {join_list(formats, 'or')}")
    return formats[suffix.lower()]


def write_output(path: str | None, content: str | bytes, *, replace: bool = False) -> None:
    """Writes to a file, or without one to standard output. `replace`: whether the file may already exist."""
    if path is None:
        if isinstance(content, str):
            sys.stdout.write(content)
        elif sys.stdout.isatty():
            raise UsageError("a terminal cannot show this format: write a file with -o FILE")
        else:
            sys.stdout.buffer.write(content)
        return
    try:
        atomic_write(path, content, replace=replace)
    except FileExistsError:
        raise already_exists(path, "overwrite it with --force") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {os_error_reason(error)}") from None


__all__ = ["format_by_suffix", "write_output"]
