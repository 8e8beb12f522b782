"""A command that runs for long: how far it is, how long it still takes, and what is kept when it is stopped.

In: how many things there are to do. Out: progress on stderr; `KeyboardInterrupt` where it does no harm, whether it was
stopped from the keyboard or by the system.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import current_thread, main_thread
from types import FrameType
from typing import Final, TypeVar

from rulewright.cli.main import FINDINGS, FINE, INTERRUPTED
from rulewright.simulation.parallel import STOP_SIGNALS, WorkerError
from rulewright.simulation.simulations import SimulationError

PROGRESS_DELAY: Final = 1.0  # seconds before progress is told, and between two tellings on a terminal
PIPE_DELAY: Final = 10.0  # seconds before and between, where nobody looks on; longer and longer
MAX_PIPE_DELAY: Final = 600.0  # but never longer than this
PIPE_DELAY_FACTOR: Final = 1.5
TIME_UNITS: Final = (("h", 3600), ("min", 60))
PROGRESS_WIDTH: Final = 50

Item = TypeVar("Item")


class StopSignal:
    """Hears of a wish to stop: once, and not in the middle of what must be whole."""

    def __init__(self) -> None:
        self.is_requested = False
        self._held = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handles a signal."""
        if self.is_requested:  # who asks again is told soon
            return
        self.is_requested = True
        if not self._held:
            raise KeyboardInterrupt

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Within it nothing is interrupted; who has asked meanwhile is heard at its end."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self.is_requested:
            raise KeyboardInterrupt


@contextmanager
def catch_stop_signals() -> Iterator[StopSignal]:
    """Within it a wish to stop, from the keyboard or the system, is a `KeyboardInterrupt`."""
    stop = StopSignal()
    if current_thread() is not main_thread():
        yield stop
        return
    before = [signal.signal(number, stop.handle) for number in STOP_SIGNALS]
    try:
        yield stop
    finally:
        for number, handler in zip(STOP_SIGNALS, before, strict=True):  # who asks twice still gets what there is
            signal.signal(number, signal.SIG_IGN if stop.is_requested else handler)


def format_duration(seconds: float) -> str:
    """A time in words: 50 s, 3 min, 2 h 5 min."""
    parts, rest = [], round(seconds)
    for unit, size in TIME_UNITS:
        if rest >= size:
            parts.append(f"{rest // size} {unit}")
            rest %= size
    return " ".join(parts) if parts else f"{rest} s"


def progress_reporter(count: int, already_done: int = 0, what: str = "games") -> Callable[[int], None]:
    """Tells how many of `count` games are done and how long the rest will take; `before`: how many were done before."""
    began = last = time.monotonic()
    terminal = sys.stderr.isatty()
    patience = PROGRESS_DELAY if terminal else PIPE_DELAY

    def told(done: int) -> None:
        nonlocal last, patience
        now = time.monotonic()
        if now - last > patience or (terminal and done == count and now - began > patience):
            last = now
            if not terminal:
                patience = min(MAX_PIPE_DELAY, patience * PIPE_DELAY_FACTOR)
            left = (now - began) / max(1, done - already_done) * (count - done)
            end = "\n" if done == count or not terminal else "\r"
            text = f"{done} of {count} {what}, {format_duration(left)} to go"
            print(f"{text:<{PROGRESS_WIDTH}}" if terminal else text, end=end, file=sys.stderr, flush=True)

    return told


@dataclass(frozen=True, slots=True)
class BatchEnding:
    """How it ended: with exit status 0 all was done; else what is to be said, and a game that would not go on."""

    status: int = FINE
    message: str = ""
    fault: SimulationError | None = None


def run_batch(
    results: Generator[Item, None, None],
    count: int,
    on_result: Callable[[int, Item], None],
    already_done: int = 0,
    *,
    what: str = "games",
) -> BatchEnding:
    """Hands on each game, with its number, as it is played, and tells progress."""
    try:
        with catch_stop_signals() as stop, closing(results):
            told = progress_reporter(count, already_done, what)
            for number, game in enumerate(results, start=already_done + 1):
                with stop.defer():
                    try:
                        on_result(number, game)
                    except OSError as error:
                        reason = (error.strerror or str(error)).lower()
                        return BatchEnding(INTERRUPTED, f"no more can be written ({reason}): stopped")
                told(number)
    except KeyboardInterrupt:
        return BatchEnding(INTERRUPTED, "stopped")
    except WorkerError:
        return BatchEnding(INTERRUPTED, "a process that shared the work was ended: stopped")
    except SimulationError as fault:
        return BatchEnding(FINDINGS, f"{fault.reason}: stopped", fault)
    return BatchEnding()


__all__ = ["BatchEnding", "StopSignal", "catch_stop_signals", "format_duration", "progress_reporter", "run_batch"]
