"""A player that does not look ahead: it does what looks best right away.

In: what a seat knows. Out: one of its legal actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Final

from rulewright import limits
from rulewright.bots.player_view import SeatView
from rulewright.bots.position_evaluator import AnyEvaluator, PositionEvaluator
from rulewright.engine import chance
from rulewright.engine.state import Action

GREEDY_DETERMINIZATIONS: Final = 2  # positions that are evaluated for a choice
GREEDY_SECRET_DETERMINIZATIONS: Final = 16  # where others choose too: the outcome depends on their choices


class GreedyBot:
    """Does the action after which its seat has the best position, averaged over determinized positions.

    `strategy`: a strategy of the game by which it evaluates, else the game's evaluation.
    """

    def __init__(self, seed: int, seat: int, strategy: str | None = None) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)
        self._strategy = strategy

    def choose(self, view: SeatView) -> Action:
        """The best of the legal actions; among equals, any."""
        actions = view.legal()
        if len(actions) == 1:
            return actions[0]
        if len(actions) > limits.MAX_EVALUATED_ACTIONS:
            actions = self._sample(actions)
        positions, seat = view.positions(), view.seat
        moves = positions.moves_of(actions)
        totals = [0] * len(actions)
        evaluator: AnyEvaluator | None = None
        for _ in range(GREEDY_SECRET_DETERMINIZATIONS if view.is_choosing_in_secret else GREEDY_DETERMINIZATIONS):
            self._rng, position_rng = chance.rand_below(self._rng, 1 << 64)
            position = positions.determinize(position_rng)
            evaluator = evaluator or PositionEvaluator(positions, position, self._strategy)
            totals = [*map(add, totals, evaluator.values_after(position, moves, seat))]
        best_total = max(totals)
        best = [index for index, total in enumerate(totals) if total == best_total]
        self._rng, index = chance.rand_below(self._rng, len(best))
        return actions[best[index]]

    def _sample(self, actions: Sequence[Action]) -> tuple[Action, ...]:
        """As many of the actions as are evaluated, drawn at random, in their order."""
        remaining = list(range(len(actions)))
        drawn: list[int] = []
        while len(drawn) < limits.MAX_EVALUATED_ACTIONS:
            self._rng, index = chance.rand_below(self._rng, len(remaining))
            remaining[index], remaining[-1] = remaining[-1], remaining[index]
            drawn.append(remaining.pop())
        return tuple(actions[index] for index in sorted(drawn))


__all__ = ["GreedyBot"]
