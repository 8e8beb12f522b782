"""What a command makes goes to standard output, or into a file that is written whole or not at all.

In: a text and perhaps a path. Out: the text there; what prevents it is a `UsageError`.
"""

from __future__ import annotations

import sys

from rulewright.atomic_write import atomic_write
from rulewright.errors import UsageError, os_error_reason


def write_output(path: str | None, text: str, *, replace: bool = False) -> None:
    """Writes a text to a file, or without one to standard output. `replace`: whether the file may already exist."""
    if path is None:
        sys.stdout.write(text)
        return
    try:
        atomic_write(path, text, replace=replace)
    except FileExistsError:
        raise UsageError(f"{path} already exists; choose another name") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {os_error_reason(error)}") from None


__all__ = ["write_output"]
