"""How good a position is for a seat, by the game's own evaluation or one of its strategies.

In: the positions that a bot thinks of, and one in which somebody chooses. Out: a `PositionEvaluator` of positions that
come after: whole numbers, greater when better. A game that is over counts by who won it, more than any evaluation; to
be eliminated is almost as bad as to have lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Generic

from rulewright.bots.imagined_positions import ImaginedPositions, M, P
from rulewright.engine import chance

WIN_VALUE: Final = 10**9  # of a game that is won, more than any evaluation


class PositionEvaluator(Generic[P, M]):
    """Evaluates positions for one choice."""

    def __init__(self, positions: ImaginedPositions[P, M], position: P, strategy: str | None = None) -> None:
        self.positions = positions
        self.players = positions.players
        self._rng = chance.seed_rng(positions.generator(position), stream=1)
        evaluation = positions.evaluation(position, strategy)
        self._worth, self._weigh = evaluation.worth, evaluation.weigh

    def evaluate(self, position: P, seat: int) -> int:
        """The value of a position for a seat, whatever it is for others."""
        positions = self.positions
        if positions.is_over(position):
            winners = positions.winners(position)
            return WIN_VALUE // len(winners) if seat in winners else -WIN_VALUE
        if positions.is_eliminated(position, seat):
            return -WIN_VALUE // 2
        return self._worth(position, seat)

    def advantage(self, position: P | None, seat: int) -> int:
        """The value of a position for a seat, less that for the best of the others."""
        if position is None:
            return -WIN_VALUE
        own = self.evaluate(position, seat)
        if self.players == 1 or self.positions.is_over(position):
            return own
        return own - max([self.evaluate(position, other) for other in range(self.players) if other != seat])

    def resample_secret_choices(self, position: P) -> P:
        """The position with the choices that others make in secret drawn anew; the same where nobody does."""
        if not self.positions.is_choosing_in_secret(position):
            return position
        self._rng, rng = chance.rand_below(self._rng, 1 << 64)
        return self.positions.sample_secret_choices(position, rng)

    def values_after(self, position: P, moves: Sequence[M], seat: int) -> list[int]:
        """The value for a seat of the position right after each of some actions, whatever it is for others."""
        values: list[int] = []
        for move, known in zip(moves, self._weigh(position, moves, seat, has_rivals=False), strict=True):
            after = self.positions.after(position, move) if known is None else None
            values.append(known if known is not None else -WIN_VALUE if after is None else self.evaluate(after, seat))
        return values

    def advantages_after(self, position: P, moves: Sequence[M], seat: int) -> list[int]:
        """How far ahead a seat is right after each of some actions."""
        after = self.positions.after
        return [
            self.advantage(after(position, move), seat) if known is None else known
            for move, known in zip(moves, self._weigh(position, moves, seat, has_rivals=self.players > 1), strict=True)
        ]

    def advantages(self, position: P, moves: Sequence[M], seat: int) -> list[int]:
        """The same, with the choices that others make in secret drawn anew."""
        return self.advantages_after(self.resample_secret_choices(position), moves, seat)

    def best_move(self, position: P, moves: Sequence[M], seat: int) -> M:
        """The action after which a seat is furthest ahead at once; the first of those that are equal."""
        if len(moves) == 1:
            return moves[0]
        values = self.advantages(position, moves, seat)
        return moves[values.index(max(values))]


AnyEvaluator = PositionEvaluator[Any, Any]

__all__ = ["WIN_VALUE", "AnyEvaluator", "PositionEvaluator"]
