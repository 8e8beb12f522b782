"""Checks shared with processes that begin as copies of this one: what was read is there at once, and nothing is sent.

In: a function that checks, and items. Out: the diagnostics of each item, in the order of the items, however many
processes share them. A helper only says which items it found without a problem. All others are checked here, so that
their diagnostics point to the files that were read here; a helper that is lost costs nothing but time.

What was read for one item is known for those after it. So two processes begin at the two ends and meet somewhere. A
helper for which most items have problems gives up: all that it did would be done once more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from rulewright.diagnostics import Diagnostics
from rulewright.simulation.process_copies import can_copy_process

ItemT = TypeVar("ItemT")

NUMBER_BYTES: Final = 2
MAX_ITEMS: Final = 4_096  # whose numbers a pipe holds while nobody reads them
MAX_JOBS: Final = 8
MIN_ITEMS: Final = 3  # for fewer a helper is not worth its start
MAX_LOST: Final = 8  # items with problems that a helper has found, beyond those without, before it gives up


def check_items(
    check: Callable[[ItemT], Diagnostics],
    items: Sequence[ItemT],
    *,
    jobs: int = 1,
    on_item: Callable[[], None] = lambda: None,
) -> list[Diagnostics]:
    """What is wrong with each item. With one job, few items or beside other threads no other process helps. Items that
    have much in common should be neighbours. `on_item`: called before each item that is checked here.
    """

    def check_here(item: ItemT) -> Diagnostics:
        on_item()
        return check(item)

    if jobs < 2 or not (MIN_ITEMS <= len(items) <= MAX_ITEMS and can_copy_process()):
        return [check_here(item) for item in items]
    if len(items) == MIN_ITEMS:  # two processes check two at once, so one is first: what is read for it is read once
        return [check_here(items[0]), *_check_shared(check_here, check, items[1:], jobs)]
    return _check_shared(check_here, check, items, jobs)


def _check_shared(
    check_here: Callable[[ItemT], Diagnostics],
    check: Callable[[ItemT], Diagnostics],
    items: Sequence[ItemT],
    jobs: int,
) -> list[Diagnostics]:
    """The same, whatever their number: with helpers that begin now, and `check` what this process does `check_here`."""
    queue, queue_end = os.pipe()  # of a number for each item: whoever has time takes one
    os.write(queue_end, b"".join(map(_to_bytes, range(len(items)))))
    os.close(queue_end)
    count = min(jobs, MAX_JOBS, len(items)) - 1
    own, others = (_numbers(queue), _numbers(queue)) if count > 1 else _from_both_ends(queue, len(items))
    helpers = [_start_helper(check, items, others) for _ in range(count)]
    clean: set[int] = set()
    try:
        results = {number: check_here(items[number]) for number in own}
    finally:
        for _ in _numbers(queue):  # after an interruption nobody is to begin the rest
            pass
        os.close(queue)
        for process, output in helpers:
            clean.update(_numbers(output))
            os.close(output)
            os.waitpid(process, 0)
    return [
        results[number] if number in results else Diagnostics() if number in clean else check_here(item)
        for number, item in enumerate(items)
    ]


def available_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _to_bytes(number: int) -> bytes:
    return number.to_bytes(NUMBER_BYTES, "big")


def _numbers(pipe: int) -> Iterator[int]:
    """The numbers that are in a pipe, until it is empty and nobody writes to it any more."""
    while data := os.read(pipe, NUMBER_BYTES):
        yield int.from_bytes(data, "big")


def _from_both_ends(queue: int, size: int) -> tuple[Iterator[int], Iterator[int]]:
    """The items of each of two processes: as many as are in the queue for both together, so that none is in both."""
    taken, taken_by_other = _numbers(queue), _numbers(queue)
    return (
        (number for number, _ in zip(range(size), taken, strict=False)),
        (number for number, _ in zip(reversed(range(size)), taken_by_other, strict=False)),
    )


def _start_helper(
    check: Callable[[ItemT], Diagnostics], items: Sequence[ItemT], numbers: Iterator[int]
) -> tuple[int, int]:
    """A process that takes these items: its number, and the pipe in which it says which have no problem."""
    output, output_end = os.pipe()
    process = os.fork()
    if process:
        os.close(output_end)
        return process, output
    try:
        os.close(output)
        lost = 0
        while lost <= MAX_LOST and (number := next(numbers, None)) is not None:
            if len(check(items[number])):
                lost += 1
            else:
                lost = max(0, lost - 1)
                os.write(output_end, _to_bytes(number))
    finally:
        os._exit(0)  # without a word about what was interrupted: it is checked by the one who waits


__all__ = ["available_processors", "check_items"]
