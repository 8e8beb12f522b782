"""Counting games: how many sequences of so many decisions there are from a position.

In: a position, with every order fixed or with chance events, whose outcomes are then all followed. Out: counts. A
decision with a single option counts; what happens by itself does not.
"""

from __future__ import annotations

from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, ChanceEvent, State


def perft(engine: Engine, state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` decisions; at chance events every outcome is followed.

    Positions reached in different ways are expanded once and multiplied, since equal positions have equal futures.
    """
    level = {state: 1}  # position -> sequences that lead to it
    for remaining in range(depth, 0, -1):
        next_level: dict[State, int] = {}
        total = 0
        for position, count in level.items():
            for successor in chance_successors(engine, position):
                actions = engine.legal(successor)
                total += count * len(actions)
                if remaining > 1:
                    for action in actions:
                        reached = engine.apply_legal(successor, action)
                        next_level[reached] = next_level.get(reached, 0) + count
        if remaining == 1:
            return total
        level = next_level
    return 1


def chance_successors(engine: Engine, state: State) -> list[State]:
    """The position itself, or where it waits for chance every position that can follow."""
    if not isinstance(state.waiting, ChanceEvent):
        return [state]
    return [
        successor
        for outcome, _ in state.waiting.outcomes
        for successor in chance_successors(engine, engine.resolve_chance(state, outcome))
    ]


def divide(engine: Engine, state: State, depth: int) -> list[tuple[Action, int]]:
    """For each legal action the number of sequences that begin with it."""
    return [
        (action, perft(engine, engine.apply_legal(successor, action), depth - 1))
        for successor in chance_successors(engine, state)
        for action in engine.legal(successor)
    ]
