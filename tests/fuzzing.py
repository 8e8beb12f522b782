"""Checks files that no author would write, and looks whether the checker survives them.

    python tests/fuzzing.py --count 5000 --seed 1 --jobs 2

checks so many, and prints each that the checker does not survive: an exception, a diagnostic without a place or a
message, more than a second, 200 MB more than before. Exit status 1 if there is any. `--keep FOLDER` writes these files
there. Everything follows from the seed and the number of the file.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from hostile_files import files_of
from rulewright.checker.checker import check_paths
from rulewright.diagnostics import render_concise, render_full

ROOT = Path(__file__).parent.parent
MAX_SECONDS = 1.0  # of processor time, for one file
SHARE = 50  # files that a process checks at once
MAX_MEGABYTES = 200


@dataclass(frozen=True)
class Trouble:
    """A file that the checker does not survive."""

    number: int
    what: str
    files: dict[str, str]


def check_number(seed: int, number: int, max_seconds: float = MAX_SECONDS) -> Trouble | None:
    """Checks the files of a number; what is wrong with how the checker takes them, if anything is."""
    files = files_of(seed, number)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        what = check_folder(folder, max_seconds)
    return Trouble(number, what, files) if what else None


def check_folder(folder: str, max_seconds: float = MAX_SECONDS) -> str:
    """What is wrong with how the checker takes a folder; empty if nothing is."""
    before, memory = time.process_time(), max_megabytes()
    try:
        for diagnostic in check_paths([folder]).diagnostics:
            if not diagnostic.message.strip() or "\n" in diagnostic.message:
                return f"a diagnostic without a message: {render_concise(diagnostic)!r}"
            if not 0 <= diagnostic.span.start <= diagnostic.span.end <= len(diagnostic.span.source.text):
                return f"a diagnostic without a place: {render_concise(diagnostic)!r}"
            render_full(diagnostic)
    except Exception:  # whatever it is
        return traceback.format_exc(limit=-4)
    seconds = time.process_time() - before
    if seconds > max_seconds:
        return f"{seconds:.1f} seconds"
    if max_megabytes() > memory + MAX_MEGABYTES:
        return f"{max_megabytes() - memory} MB more than before"
    return ""


def max_megabytes() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def check_share(seed: int, first: int, count: int, max_seconds: float = MAX_SECONDS) -> list[Trouble]:
    """The troubles of numbers one after another."""
    check_folder(str(ROOT / "rules" / "nim"))  # what is made once for all files is not the fault of the first
    numbers = range(first, first + count)
    return [trouble for number in numbers if (trouble := check_number(seed, number, max_seconds))]


def _check_below(seed: int, end: int, first: int) -> list[Trouble]:
    """The troubles of a share of the numbers below an end."""
    return check_share(seed, first, min(SHARE, end - first))


def main() -> int:
    """Checks as many as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first; default: 0")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the files of each trouble")
    args = parser.parse_args()
    end, troubles = args.first + args.count, 0
    # an executor of `concurrent.futures` can hang when its only process is to be replaced
    with get_context("spawn").Pool(args.jobs, maxtasksperchild=10) as pool:
        for found in pool.imap(partial(_check_below, args.seed, end), range(args.first, end, SHARE)):
            for trouble in found:
                troubles += 1
                print(f"--- {args.seed} {trouble.number}: {trouble.what}", flush=True)
                if args.keep:
                    folder = Path(args.keep) / f"{args.seed}-{trouble.number}"
                    shutil.rmtree(folder, ignore_errors=True)
                    folder.mkdir(parents=True)
                    for name, text in trouble.files.items():
                        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    print(f"{args.count} checked, {troubles} troubles")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
