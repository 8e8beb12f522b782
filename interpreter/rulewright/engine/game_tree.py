"""Counting games: how many sequences of so many decisions there are from a position.

In: a position, with every order fixed or with chance events, whose outcomes are then all followed. Out: counts. A
decision with a single option counts; what happens by itself does not.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright import limits
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, ChanceEvent, State
from rulewright.errors import UsageError


class TooManyPositions(UsageError):
    """Chance leads to more positions at once than are followed."""

    def __init__(self) -> None:
        super().__init__(
            f"more than {limits.MAX_CHANCE_POSITIONS:,} positions follow from chance; a seed draws one of them"
        )


class GameTree:
    """The sequences of decisions from a position of an engine."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.state = state

    @property
    def beginnings(self) -> int:
        """How many first positions there are: 1, or as many as follow from chance."""
        return len(chance_successors(self.engine, self.state))

    def count(self, depth: int) -> int:
        """The number of sequences of exactly `depth` decisions."""
        return perft(self.engine, self.state, depth)

    def divide(self, depth: int) -> list[tuple[Action, int]]:
        """For each first action the number of sequences that begin with it."""
        return divide(self.engine, self.state, depth)


def perft(engine: Engine, state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` decisions; at chance events every outcome is followed.

    Positions reached in different ways are expanded once and multiplied, since equal positions have equal futures.
    Raises `TooManyPositions` where chance leads to more positions at once than are followed.
    """
    level = {state: 1}  # position -> sequences that lead to it
    for remaining in range(depth, 0, -1):
        next_level: dict[State, int] = {}
        total = 0
        for position, count in level.items():
            for successor, ways in chance_successors(engine, position).items():
                actions = engine.legal(successor)
                total += count * ways * len(actions)
                if remaining > 1:
                    for action in actions:
                        reached = engine.apply_legal(successor, action)
                        next_level[reached] = next_level.get(reached, 0) + count * ways
        if remaining == 1:
            return total
        level = next_level
    return 1


def chance_successors(engine: Engine, state: State) -> Mapping[State, int]:
    """The position itself, or where it waits for chance every position that can follow; each with the number of ways
    that lead there. Raises `TooManyPositions`.
    """
    found: dict[State, int] = {}
    waiting = {state: 1}
    while waiting:
        following: dict[State, int] = {}
        for position, ways in waiting.items():
            if not isinstance(position.waiting, ChanceEvent):
                found[position] = found.get(position, 0) + ways
                continue
            for outcome, _ in position.waiting.outcomes:
                reached = engine.resolve_chance(position, outcome)
                following[reached] = following.get(reached, 0) + ways
            if len(following) + len(found) > limits.MAX_CHANCE_POSITIONS:
                raise TooManyPositions
        waiting = following
    return found


def divide(engine: Engine, state: State, depth: int) -> list[tuple[Action, int]]:
    """For each legal action the number of sequences that begin with it."""
    return [
        (action, ways * perft(engine, engine.apply_legal(successor, action), depth - 1))
        for successor, ways in chance_successors(engine, state).items()
        for action in engine.legal(successor)
    ]
