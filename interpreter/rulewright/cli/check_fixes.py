"""`rulewright check --fix`: certain mistakes are corrected in the files; with `--diff` the corrections are only shown.

In: corrected texts. Out: files that are written whole, or a unified diff. Byte-order marks, line ends and all that is
beside a correction stay as they are.
"""

from __future__ import annotations

import difflib
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rulewright.atomic_write import atomic_write
from rulewright.checker.fix_files import FixedText
from rulewright.errors import UsageError, os_error_reason

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def write_fixes(texts: Iterable[FixedText]) -> None:
    """Writes the corrected files and says which. Raises `UsageError` when one cannot be written or has changed
    meanwhile.
    """
    ready = [(text, *_contents(text)) for text in texts]  # nothing is written where one of them cannot be
    for text, content, mode in ready:
        try:
            atomic_write(str(text.path), content, replace=True)
            text.path.chmod(mode)
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot write {shown_path(text.path)}: {os_error_reason(error)}") from None
        print(f"corrected {shown_path(text.path)}", file=sys.stderr)


def _contents(text: FixedText) -> tuple[bytes, int]:
    """The new bytes of a file, and its permissions. Raises `UsageError` where it cannot be written."""
    name = shown_path(text.path)
    try:
        content, mode = text.path.read_bytes(), stat.S_IMODE(text.path.stat().st_mode)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {os_error_reason(error)}") from None
    mark = BYTE_ORDER_MARK if content.startswith(BYTE_ORDER_MARK) else b""
    if content != mark + text.before.encode():
        raise UsageError(f"{name} has changed meanwhile: check it again")
    if not os.access(text.path, os.W_OK):
        raise UsageError(f"cannot write {name}: permission denied")
    return mark + text.after.encode(), mode


def fixes_as_diff(texts: Iterable[FixedText]) -> str:
    """What the corrections change, as a unified diff."""
    return "".join(line for text in texts for line in _diff(text))


def _diff(text: FixedText) -> Iterator[str]:
    name = shown_path(text.path)
    before, after = text.before.splitlines(keepends=True), text.after.splitlines(keepends=True)
    if " " in name:
        name += "\t"  # without it `patch` takes the first word for the name
    for line in difflib.unified_diff(before, after, name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def shown_path(path: Path) -> str:
    """The path from the current folder, where it is below it."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


__all__ = ["fixes_as_diff", "shown_path", "write_fixes"]
