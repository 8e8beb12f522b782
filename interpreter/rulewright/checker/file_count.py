"""How many rule files do paths have, and are they more than are checked at once?

In: the paths of files and folders. Out: a number. It is counted before anything is read, by the names of files.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from rulewright import limits
from rulewright.errors import UsageError
from rulewright.source.file_text import files_below, is_present_folder


def count_rule_files(paths: Iterable[Path]) -> int:
    """How many rule files there are; raises `UsageError` where they are too many."""
    total = 0
    for number, path in enumerate(paths):
        found = files_below(path, "*.y*ml") if is_present_folder(path) else iter((path,))
        total += sum(1 for _ in islice(found, limits.MAX_CHECKED_FILES + 1))
        if total > limits.MAX_CHECKED_FILES:
            place = f"with {path} there are" if number else f"{path} has"
            raise UsageError(
                f"{place} more than {limits.MAX_CHECKED_FILES:,} rule files, the limit of one check; "
                "check some of its folders or files at a time"
            )
    return total


__all__ = ["count_rule_files"]
