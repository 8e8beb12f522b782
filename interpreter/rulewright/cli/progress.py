"""How far a command is that runs for long, and how long it will take.

In: how many things there are to do. Out: progress on stderr.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

PROGRESS_DELAY: Final = 1.0  # seconds before progress is first shown, and between updates on a terminal
PIPE_DELAY: Final = 10.0  # the same where the output is no terminal; longer and longer
MAX_PIPE_DELAY: Final = 600.0  # the longest of these
PIPE_DELAY_FACTOR: Final = 1.5
TIME_UNITS: Final = (("h", 3600), ("min", 60))
PROGRESS_WIDTH: Final = 50


def format_duration(seconds: float) -> str:
    """A time in words: 50 s, 3 min, 2 h 5 min."""
    parts, rest = list[str](), round(seconds)
    for unit, size in TIME_UNITS:
        if rest >= size:
            parts.append(f"{rest // size} {unit}")
            rest %= size
    return " ".join(parts) if parts else f"{rest} s"


@contextmanager
def show_progress(unit: str, total: int | None = None, *, already_done: int = 0) -> Iterator[Callable[[], None]]:
    """Within it the function it gives is called for each thing done. What takes long is shown on stderr, where the
    total is known with the time to go: on a terminal in a line erased at the end, else now and then in a new one.

    `already_done`: things of an earlier run, which say nothing of this one's speed.
    """
    start = last = time.monotonic()
    is_terminal = sys.stderr.isatty()
    delay = PROGRESS_DELAY if is_terminal else PIPE_DELAY
    done, is_shown = already_done, False

    def count() -> None:
        nonlocal last, delay, done, is_shown
        done += 1
        now = time.monotonic()
        if now - last <= delay:
            return
        last = now
        text = f"{done} {unit}"
        if total is not None:
            remaining = (now - start) / (done - already_done) * (total - done)
            text = f"{done} of {total} {unit}, {format_duration(remaining)} to go"
        if is_terminal:
            print(f"{text:<{PROGRESS_WIDTH}}", end="\r", file=sys.stderr, flush=True)
            is_shown = True
        else:
            print(text, file=sys.stderr, flush=True)
            delay = min(MAX_PIPE_DELAY, delay * PIPE_DELAY_FACTOR)

    try:
        yield count
    finally:
        if is_shown:
            print(" " * PROGRESS_WIDTH, end="\r", file=sys.stderr, flush=True)


__all__ = ["format_duration", "show_progress"]
