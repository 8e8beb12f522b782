"""Work shared among processes, with the results in the order of the work however many share it.

In: a function, items, a number of processes. Out: the function's result for each item, one after another. Only as many
items are pending as keep all processes busy. A caller that stops early, or is killed, leaves no process behind. Where
it is safe, processes begin as copies of this one, so that what was made ready here is there at once.

Each process has a pipe of its own, which is closed when that process is killed. A pipe for all of them, as the pool of
the standard library has it, stays open, and the rest of a result that was being written is waited for without end.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from rulewright.errors import RulewrightError
from rulewright.simulation.process_copies import can_copy_process

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, SpawnContext
    from multiprocessing.process import BaseProcess

MAX_PENDING_PER_JOB: Final = 4  # items, for each process
NO_MORE: Final = ()  # what a process is given instead of an item in its tuple
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class WorkerError(RulewrightError):
    """A worker process was killed from outside."""


def parallel_map(
    function: Callable[[ItemT], ResultT], items: Iterable[ItemT], *, jobs: int = 1
) -> Generator[ResultT, None, None]:
    """The function's result for each item, in the order of the items; with one job without any other process.

    Raises what the function raises, in its turn, and `WorkerError` when a process was killed from outside, after the
    results that were there and whose turn had come.
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    remaining = enumerate(items)
    answers: dict[int, _Answer[ResultT]] = {}  # that came before their turn
    turn = 0  # the number of the item whose result is next
    is_done = False
    workers = _Workers(function, jobs)
    try:
        workers.begin()
        while True:
            room = jobs * MAX_PENDING_PER_JOB - len(answers) - workers.busy
            for number, item in islice(remaining, min(room, workers.idle)):
                workers.give(number, item)
            if turn in answers:
                yield answers.pop(turn).result()
                turn += 1
            elif workers.busy:
                answers.update(workers.receive())
            else:
                break
        is_done = True
    finally:
        workers.end(at_once=not is_done)  # nobody waits for the rest any more


class _Answer(Generic[ResultT]):
    """What a function returned or raised."""

    def __init__(self, result: ResultT | None, error: Exception | None = None) -> None:
        self._result = result
        self._error = error

    def result(self) -> ResultT:
        if self._error is not None:
            raise self._error
        return cast(ResultT, self._result)


class _Workers(Generic[ItemT, ResultT]):
    """Processes that wait for items, each with one in hand at most, so that both ends never wait to write."""

    def __init__(self, function: Callable[[ItemT], ResultT], jobs: int) -> None:
        self._function = function
        self._jobs = jobs
        self._processes: list[BaseProcess] = []
        self._idle: list[Connection] = []
        self._in_hand: dict[Connection, int] = {}

    @property
    def idle(self) -> int:
        return len(self._idle)

    @property
    def busy(self) -> int:
        return len(self._in_hand)

    def begin(self) -> None:
        from multiprocessing import get_context

        context: ForkContext | SpawnContext = get_context("fork") if can_copy_process() else get_context("spawn")
        with _signals_deferred():  # processes inherit it, so that none is stopped while it starts
            for _ in range(self._jobs):
                connection, other_end = context.Pipe()
                process = context.Process(target=_work, args=(self._function, other_end, gc.get_threshold()))
                process.start()
                other_end.close()  # before the next process begins, which would have it, too
                self._processes.append(process)
                self._idle.append(connection)

    def give(self, number: int, item: ItemT) -> None:
        connection = self._idle.pop()
        self._in_hand[connection] = number
        try:
            connection.send((item,))
        except OSError:
            raise WorkerError from None

    def receive(self) -> Iterator[tuple[int, _Answer[ResultT]]]:
        """The answers that are there, with the numbers of their items; waits for the first."""
        from multiprocessing.connection import wait

        ready = wait(list(self._in_hand))
        for connection in [one for one in self._in_hand if one in ready]:
            try:
                answer = connection.recv()
            except (EOFError, OSError):
                raise WorkerError from None
            self._idle.append(connection)
            yield self._in_hand.pop(connection), answer

    def end(self, *, at_once: bool) -> None:
        """Waits until each process has ended, of itself or at once."""
        with _signals_deferred():
            for process in self._processes if at_once else ():
                process.kill()
        for connection in (*self._idle, *self._in_hand):
            with suppress(OSError):
                connection.send(NO_MORE)
            connection.close()
        for process in self._processes:
            process.join()


def _work(function: Callable[[ItemT], ResultT], connection: Connection, gc_threshold: tuple[int, int, int]) -> None:
    """What a process does with each item that it is given."""
    _prepare_worker(gc_threshold)
    while (item := connection.recv()) != NO_MORE:
        try:
            connection.send(_Answer(function(*item)))
        except Exception as error:
            error.add_note("".join(traceback.format_tb(error.__traceback__)))  # which is not sent
            connection.send(_Answer(None, error))


def _prepare_worker(gc_threshold: tuple[int, int, int]) -> None:
    """What a process does first: to be stopped is for the one who shares out the work, and without it there is none.
    Unused cycles are looked for as seldom as there.
    """
    gc.set_threshold(*gc_threshold)
    for stop in STOP_SIGNALS:
        signal.signal(stop, signal.SIG_IGN)
    threading.Thread(target=_end_without_parent, daemon=True).start()


def _end_without_parent() -> None:
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


__all__ = ["WorkerError", "parallel_map"]
