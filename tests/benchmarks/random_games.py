"""Random games as fast as they go: every legal action is listed at every decision, one of them taken.

In: an engine and seeds. Out: how many decisions there were.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import ReferenceEngine


def count_random_decisions(engine: ReferenceEngine, seeds: Iterable[int]) -> int:
    """Plays a game from each seed to its end; returns how many decisions there were in all."""
    count = 0
    for seed in seeds:
        state, rng = engine.start(seed=seed), chance.seed_rng(seed, stream=1)
        while not state.over:
            actions = engine.legal(state)
            count += 1
            rng, index = chance.rand_below(rng, len(actions))
            state = engine.apply_legal(state, actions[index])
    return count


__all__ = ["count_random_decisions"]
