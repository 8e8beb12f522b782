"""Work shared out among processes, with the results in the order of the work however many share it.

In: a function, pieces of work, a number of processes. Out: what the function makes of each piece, one after another.
Only so many pieces are under way as keep all processes busy. Who stops early, or is ended, leaves no process behind.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Thread
from typing import Final, TypeVar

from rulewright.errors import RulewrightError

MAX_PENDING_PER_JOB: Final = 4  # pieces under way for each process
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class WorkerError(RulewrightError):
    """A process that shared the work was ended from outside."""


def parallel_map(
    made: Callable[[ItemT], ResultT], pieces: Iterable[ItemT], *, jobs: int = 1
) -> Generator[ResultT, None, None]:
    """What `made` makes of each piece, in the order of the pieces; with one job without any other process.

    Raises `Ended` when a process was ended from outside; what was made before it has been handed out.
    """
    if jobs <= 1:
        yield from map(made, pieces)
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_prepared)
    waiting: deque[Future[ResultT]] = deque()
    rest = iter(pieces)
    done = False
    try:
        with _unstopped():  # processes inherit it, so that none of them is stopped while it still begins
            waiting.extend(pool.submit(made, piece) for piece in islice(rest, jobs * MAX_PENDING_PER_JOB))
        while waiting:
            one = waiting.popleft().result()
            waiting.extend(pool.submit(made, piece) for piece in islice(rest, 1))
            yield one
        done = True
    except BrokenProcessPool:
        raise WorkerError from None
    finally:
        if not done:  # nobody waits any more for what is being made
            for process in set(active_children()) - others:
                process.kill()
        pool.shutdown(wait=True, cancel_futures=True)


def _prepared() -> None:
    """What a process does first: to be stopped is for the one who shares out the work, and without it there is none."""
    for stop in STOP_SIGNALS:
        signal.signal(stop, signal.SIG_IGN)
    Thread(target=_orphaned, daemon=True).start()


def _orphaned() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _unstopped() -> Iterator[None]:
    """Who wants to stop us within it is heard only afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # not everywhere
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


__all__ = ["WorkerError", "parallel_map"]
