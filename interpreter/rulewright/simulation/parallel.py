"""Work shared among processes, with the results in the order of the work however many share it.

In: a function, items, a number of processes. Out: the function's result for each item, one after another. Only as many
items are pending as keep all processes busy. A caller that stops early, or is killed, leaves no process behind. Where
it is safe, processes begin as copies of this one, so that what was made ready here is there at once.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final, TypeVar

from rulewright.errors import RulewrightError

MAX_PENDING_PER_JOB: Final = 4  # items, for each process
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class WorkerError(RulewrightError):
    """A worker process was killed from outside."""


def parallel_map(
    function: Callable[[ItemT], ResultT], items: Iterable[ItemT], *, jobs: int = 1
) -> Generator[ResultT, None, None]:
    """The function's result for each item, in the order of the items; with one job without any other process.

    Raises `WorkerError` when a process was killed from outside; earlier results have been yielded by then.
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    unrelated = set(active_children())
    start = get_context("fork" if can_copy_process() else "spawn")
    pool = ProcessPoolExecutor(jobs, start, initializer=_prepare_worker, initargs=(gc.get_threshold(),))
    pending: deque[Future[ResultT]] = deque()
    remaining = iter(items)
    is_done = False
    try:
        with _signals_deferred():  # processes inherit it, so that none is stopped while it starts
            pending.extend(pool.submit(function, item) for item in islice(remaining, jobs * MAX_PENDING_PER_JOB))
        while pending:
            result = pending.popleft().result()
            pending.extend(pool.submit(function, item) for item in islice(remaining, 1))
            yield result
        is_done = True
    except BrokenProcessPool:
        raise WorkerError from None
    finally:
        if not is_done:  # nobody waits for the rest any more
            for process in set(active_children()) - unrelated:
                process.kill()
        pool.shutdown(wait=True, cancel_futures=True)


def can_copy_process() -> bool:
    """Whether a process may begin as a copy of this one (`os.fork`). Of one with threads it would have only one, and
    what the others held would be held for ever; on macOS system libraries start threads of their own.
    """
    return hasattr(os, "fork") and sys.platform != "darwin" and _count_threads() == 1


def _count_threads() -> int:
    """All of this process, also those that Python does not know, as far as the system tells."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()


def _prepare_worker(gc_threshold: tuple[int, int, int]) -> None:
    """What a process does first: to be stopped is for the one who shares out the work, and without it there is none.
    Unused cycles are looked for as seldom as there.
    """
    gc.set_threshold(*gc_threshold)
    for stop in STOP_SIGNALS:
        signal.signal(stop, signal.SIG_IGN)
    threading.Thread(target=_orphaned, daemon=True).start()


def _orphaned() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Signals to stop that arrive within it take effect afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # not everywhere
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


__all__ = ["WorkerError", "can_copy_process", "parallel_map"]
