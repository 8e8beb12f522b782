"""Random games as fast as they go: every legal action is listed at every decision, one of them taken.

In: an engine and seeds. Out: how many decisions there were.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.engine import chance
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Playout, RandomChoices, play_out


def count_random_decisions(engine: Engine, seeds: Iterable[int]) -> int:
    """Plays a game from each seed to its end; returns how many decisions there were in all."""
    count = 0
    for seed in seeds:
        choices = RandomChoices(chance.seed_rng(seed, stream=1))
        count += sum(1 for _ in play_out(Playout(engine, engine.start(seed=seed)), choices.choose))
    return count


__all__ = ["count_random_decisions"]
