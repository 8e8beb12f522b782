"""Players who do not look ahead: one that does anything, and one that does what looks best right after.

In: what a seat knows. Out: one of its legal actions.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.bots.player_view import PlayerView
from rulewright.bots.position_evaluator import WIN_VALUE, PositionEvaluator, try_apply
from rulewright.engine import chance
from rulewright.engine.state import Action

DETERMINIZATIONS: Final = 2  # imagined positions that a careful bot looks at before it chooses
SECRET_DETERMINIZATIONS: Final = 16  # and where the others choose at the same time, as what they choose decides so much


class RandomBot:
    """Does any legal action, each as likely as the others."""

    def __init__(self, seed: int, seat: int) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)

    def choose(self, seated: PlayerView) -> Action:
        """One of the legal actions."""
        actions = seated.legal()
        self._rng, at = chance.rand_below(self._rng, len(actions))
        return actions[at]


class GreedyBot:
    """Does the action after which its seat stands best, averaged over imagined positions.

    `strategy`: a strategy of the game by which it judges, else the game's evaluation.
    """

    def __init__(self, seed: int, seat: int, strategy: str | None = None) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)
        self._strategy = strategy

    def choose(self, seated: PlayerView) -> Action:
        """The best of the legal actions; among equals, any."""
        actions = seated.legal()
        if len(actions) == 1:
            return actions[0]
        if len(actions) > limits.MAX_EVALUATED_ACTIONS:
            actions = self._some(actions)
        engine, seat = seated.engine, seated.seat
        totals = [0] * len(actions)
        judge: PositionEvaluator | None = None
        for _ in range(SECRET_DETERMINIZATIONS if seated.is_choosing_in_secret else DETERMINIZATIONS):
            self._rng, world_rng = chance.rand_below(self._rng, 1 << 64)
            world = seated.determinize(world_rng)
            judge = judge or PositionEvaluator(engine, world, self._strategy)
            for at, action in enumerate(actions):
                state = try_apply(engine, world, action)
                totals[at] += -WIN_VALUE if state is None else judge.evaluate(state, seat)
        most = max(totals)
        best = [action for action, total in zip(actions, totals, strict=True) if total == most]
        self._rng, at = chance.rand_below(self._rng, len(best))
        return best[at]

    def _some(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """As many of them as are weighed, in their order."""
        left = list(range(len(actions)))
        drawn: list[int] = []
        while len(drawn) < limits.MAX_EVALUATED_ACTIONS:
            self._rng, at = chance.rand_below(self._rng, len(left))
            left[at], left[-1] = left[-1], left[at]
            drawn.append(left.pop())
        return tuple(actions[at] for at in sorted(drawn))


__all__ = ["GreedyBot", "RandomBot"]
