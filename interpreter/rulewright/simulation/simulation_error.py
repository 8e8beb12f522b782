"""A game of a simulation that cannot go on.

In: who played, the seed and the reason. Out: an exception that can be sent from one process to another.
"""

from __future__ import annotations

from rulewright.errors import RulewrightError


class SimulationError(RulewrightError):
    """A game that cannot continue, as its rules fail or a choice has too many answers.

    `bots` and `seed` are those of the game; `reason` is one sentence.
    """

    def __init__(self, bots: tuple[str, ...], seed: int, reason: str) -> None:
        super().__init__(bots, seed, reason)  # so that it can be sent from one process to another
        self.bots = bots
        self.seed = seed
        self.reason = reason


__all__ = ["SimulationError"]
