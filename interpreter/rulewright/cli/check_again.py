"""`rulewright check --watch`: the check again whenever a rule file has changed, until it is stopped.

In: the check, and the paths that it is about. Out: what the check prints, each time. Files are looked at twice a
second, so that nothing depends on the sort of file system; the folders around the files are watched, too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from rulewright.cli.exit_status import ExitStatus
from rulewright.errors import RulewrightError
from rulewright.model.locate import RULE_FILE_SUFFIXES
from rulewright.source.file_text import files_below

PAUSE: Final = 0.5  # seconds between two looks at the files
CLEAR_SCREEN: Final = "\x1b[2J\x1b[H"

Stamps = dict[Path, tuple[int, int]]


def check_again(check: Callable[[], int], paths: Iterable[Path], wait: Callable[[], bool] | None = None) -> int:
    """Checks, and again after each change of a file. `wait`: lets time pass and says whether to go on; by default it
    does so for ever, and whoever watches stops it from the keyboard. Returns the status of the last check.
    """
    roots = [path if path.is_dir() else path.parent for path in paths]
    wait = wait or _wait
    before = _stamps(roots)
    status = _run(check)
    while wait():
        now = _stamps(roots)
        if now != before:
            changed = [path for path in sorted({*now, *before}) if now.get(path) != before.get(path)]
            before = now
            try:
                status = _run(check, f"{_listed(changed)} changed:\n")
            except (RulewrightError, FileNotFoundError) as error:  # what was checked is gone, perhaps for a moment
                print(f"rulewright: {error}", file=sys.stderr)
                status = ExitStatus.USAGE_ERROR
    return status


def _wait() -> bool:
    time.sleep(PAUSE)
    return True


def _run(check: Callable[[], int], heading: str = "") -> int:
    """What is wrong goes to standard output as always; why it is checked again does not belong to it."""
    print(CLEAR_SCREEN if sys.stdout.isatty() else "", end="", flush=True)
    if heading:
        print(heading, file=sys.stderr, flush=True)
    status = check()
    sys.stdout.flush()
    return status


def _listed(paths: list[Path]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{paths[0]}{more}"


def _stamps(roots: Iterable[Path]) -> Stamps:
    """When each rule file changed, and its size."""
    stamps: Stamps = {}
    for file in _files(roots):
        try:
            status = file.stat()
        except OSError:  # gone meanwhile
            continue
        stamps[file] = (status.st_mtime_ns, status.st_size)
    return stamps


def _files(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        yield from (file for file in files_below(root, "*.y*ml") if file.suffix in RULE_FILE_SUFFIXES)


__all__ = ["check_again"]
