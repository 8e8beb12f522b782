"""Paths on the command line that must be those of rule files.

In: paths. Out: nothing, or an exception for one that is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.errors import UsageError
from rulewright.model.locate import RULE_FILE_SUFFIX, RULE_FILE_SUFFIXES, require_path


def require_rule_files(paths: Iterable[str]) -> None:
    """Raises `NotFound` for a path that does not exist, `UsageError` for a file that by its name is no rule file."""
    for path in paths:
        if require_path(path).is_file() and Path(path).suffix not in ("", *RULE_FILE_SUFFIXES):
            raise UsageError(f"{path} is not a YAML rule file: its name does not end in {RULE_FILE_SUFFIX}")


__all__ = ["require_rule_files"]
