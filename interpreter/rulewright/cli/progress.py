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
from rulewright.simulation.parallel import STOPS, Ended
from rulewright.simulation.simulations import Stumbled

PATIENCE: Final = 1.0  # seconds before progress is told, and between two tellings on a terminal
RARELY: Final = 10.0  # seconds before and between, where nobody looks on; longer and longer
SELDOM: Final = 600.0  # but never longer than this
GROWTH: Final = 1.5
UNITS: Final = (("h", 3600), ("min", 60))
WIDTH: Final = 50

Game = TypeVar("Game")


class Stop:
    """Hears of a wish to stop: once, and not in the middle of what must be whole."""

    def __init__(self) -> None:
        self.asked = False
        self._held = False

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Handles a signal."""
        if self.asked:  # who asks again is told soon
            return
        self.asked = True
        if not self._held:
            raise KeyboardInterrupt

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within it nothing is interrupted; who has asked meanwhile is heard at its end."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self.asked:
            raise KeyboardInterrupt


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Within it a wish to stop, from the keyboard or the system, is a `KeyboardInterrupt`."""
    stop = Stop()
    if current_thread() is not main_thread():
        yield stop
        return
    before = [signal.signal(number, stop.hear) for number in STOPS]
    try:
        yield stop
    finally:
        for number, handler in zip(STOPS, before, strict=True):  # who asks twice still gets what there is
            signal.signal(number, signal.SIG_IGN if stop.asked else handler)


def span(seconds: float) -> str:
    """A time in words: 50 s, 3 min, 2 h 5 min."""
    parts, rest = [], round(seconds)
    for unit, size in UNITS:
        if rest >= size:
            parts.append(f"{rest // size} {unit}")
            rest %= size
    return " ".join(parts) if parts else f"{rest} s"


def progress(count: int, before: int = 0, what: str = "games") -> Callable[[int], None]:
    """Tells how many of `count` games are done and how long the rest will take; `before`: how many were done before."""
    began = last = time.monotonic()
    terminal = sys.stderr.isatty()
    patience = PATIENCE if terminal else RARELY

    def told(done: int) -> None:
        nonlocal last, patience
        now = time.monotonic()
        if now - last > patience or (terminal and done == count and now - began > patience):
            last = now
            if not terminal:
                patience = min(SELDOM, patience * GROWTH)
            left = (now - began) / max(1, done - before) * (count - done)
            end = "\n" if done == count or not terminal else "\r"
            text = f"{done} of {count} {what}, {span(left)} to go"
            print(f"{text:<{WIDTH}}" if terminal else text, end=end, file=sys.stderr, flush=True)

    return told


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended: with exit status 0 all was done; else what is to be said, and a game that would not go on."""

    status: int = FINE
    why: str = ""
    fault: Stumbled | None = None


def carried(
    games: Generator[Game, None, None],
    count: int,
    done: Callable[[int, Game], None],
    before: int = 0,
    *,
    what: str = "games",
) -> Ending:
    """Hands on each game, with its number, as it is played, and tells progress."""
    try:
        with stoppable() as stop, closing(games):
            told = progress(count, before, what)
            for number, game in enumerate(games, start=before + 1):
                with stop.held():
                    try:
                        done(number, game)
                    except OSError as error:
                        reason = (error.strerror or str(error)).lower()
                        return Ending(INTERRUPTED, f"no more can be written ({reason}): stopped")
                told(number)
    except KeyboardInterrupt:
        return Ending(INTERRUPTED, "stopped")
    except Ended:
        return Ending(INTERRUPTED, "a process that shared the work was ended: stopped")
    except Stumbled as fault:
        return Ending(FINDINGS, f"{fault.reason}: stopped", fault)
    return Ending()


__all__ = ["Ending", "Stop", "carried", "progress", "span", "stoppable"]
