"""Games in which every legal action is as likely as the others, by a generator of the test's own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from rulewright.engine.interface import Engine
from rulewright.engine.playout import Playable, Playout, PlayoutStep, play_out
from rulewright.engine.state import State


def play_randomly(game: Playable, rng: random.Random, most: int | None = None) -> Iterator[PlayoutStep]:
    """What is done in a game: its decisions, and chance where it comes from outside; at most so many."""
    return islice(
        play_out(game, lambda state, legal: rng.choice(legal), draw=lambda event: rng.choice(event.outcomes)[0]), most
    )


def random_positions(engine: Engine, state: State, rng: random.Random, most: int | None = None) -> Iterator[State]:
    """The positions of a random game: the first, and those after each of at most so many decisions."""
    playout = Playout(engine, state)
    yield state
    for _ in play_randomly(playout, rng, most):
        yield playout.state
