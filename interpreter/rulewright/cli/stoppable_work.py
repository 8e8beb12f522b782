"""A command that runs for long and can be stopped: what was done by then is kept.

In: results, one after another. Out: each handed on, progress on stderr, and how it ended; `KeyboardInterrupt` where it
does no harm, whether it was stopped from the keyboard or by the system.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import TypeVar

from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.progress import show_progress
from rulewright.errors import os_error_reason
from rulewright.frozen import frozen
from rulewright.simulation.parallel import STOP_SIGNALS, WorkerError
from rulewright.simulation.simulation_error import SimulationError

Item = TypeVar("Item")


class StopSignal:
    """A request to stop: taken once, and not in the middle of what must be whole."""

    def __init__(self) -> None:
        self.is_requested = False
        self._is_deferred = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handles a signal."""
        if self.is_requested:  # a second request changes nothing: the first is on its way
            return
        self.is_requested = True
        if not self._is_deferred:
            raise KeyboardInterrupt

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Within it nothing is interrupted; a request that came meanwhile takes effect at its end."""
        self._is_deferred = True
        try:
            yield
        finally:
            self._is_deferred = False
        if self.is_requested:
            raise KeyboardInterrupt


@contextmanager
def catch_stop_signals() -> Iterator[StopSignal]:
    """Within it a request to stop, from the keyboard or the system, is a `KeyboardInterrupt`."""
    stop = StopSignal()
    if current_thread() is not main_thread():
        yield stop
        return
    previous = [signal.signal(number, stop.handle) for number in STOP_SIGNALS]
    try:
        yield stop
    finally:
        for number, handler in zip(STOP_SIGNALS, previous, strict=True):  # a second request changes nothing
            signal.signal(number, signal.SIG_IGN if stop.is_requested else handler)


@frozen
class BatchEnding:
    """How a batch ended: with status 0 all was done; else a message, and the game that failed, if one did."""

    status: int = ExitStatus.OK
    message: str = ""
    fault: SimulationError | None = None


def run_batch(
    results: Generator[Item, None, None],
    count: int,
    on_result: Callable[[int, Item], None],
    already_done: int = 0,
    *,
    unit: str = "games",
    size: Callable[[Item], int] = lambda _: 1,
) -> BatchEnding:
    """Hands each result on, with the number of the last game in it, from 1, and shows progress. `size`: how many games
    are in one.
    """
    try:
        with (
            catch_stop_signals() as stop,
            closing(results),
            show_progress(unit, count, already_done=already_done) as count_done,
        ):
            number = already_done
            for result in results:
                number += size(result)
                with stop.defer():
                    try:
                        on_result(number, result)
                    except OSError as error:
                        return BatchEnding(
                            ExitStatus.INTERRUPTED, f"cannot write any more ({os_error_reason(error)}): stopped"
                        )
                for _ in range(size(result)):
                    count_done()
    except KeyboardInterrupt:
        return BatchEnding(ExitStatus.INTERRUPTED, "stopped")
    except WorkerError:
        return BatchEnding(ExitStatus.INTERRUPTED, "a worker process was killed: stopped")
    except SimulationError as error:
        return BatchEnding(ExitStatus.FINDINGS, f"{error.reason}: stopped", error)
    return BatchEnding()


__all__ = ["BatchEnding", "StopSignal", "catch_stop_signals", "run_batch"]
