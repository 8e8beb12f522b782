"""`rulewright test`: runs scenarios and says which of them the rules do not keep.

In: parsed arguments. Out: what the scenarios print; status 1 when one fails.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from rulewright.errors import UsageError


def run(wish: Namespace) -> int:
    """Runs the scenario files, and those in folders."""
    paths = [Path(path) for path in wish.paths]
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder {path}")
    if find_spec("rulewright.scenarios.runner") is None:
        raise UsageError("this installation has no scenarios to run: the module rulewright.scenarios.runner is missing")
    failures = import_module("rulewright.scenarios.runner").run_paths(paths, write=_write)
    return 1 if failures else 0


def _write(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
