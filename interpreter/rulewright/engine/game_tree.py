"""Counting games: how many sequences of so many decisions there are from a position.

In: a position without chance left to chance (orders are given), or one whose chance outcomes are all followed. Out:
counts. A decision counts also when it has a single option; what happens by itself counts nothing.
"""

from __future__ import annotations

from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, State


def perft(engine: ReferenceEngine, state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` decisions; where chance has a say every outcome is followed.

    Positions reached in different ways are counted once and multiplied, since equal positions have equal futures.
    """
    level = {state: 1}
    for left in range(depth, 0, -1):
        following: dict[State, int] = {}
        total = 0
        for position, ways in level.items():
            for fixed in chance_successors(engine, position):
                actions = engine.legal(fixed)
                total += ways * len(actions)
                if left > 1:
                    for action in actions:
                        reached = engine.apply_legal(fixed, action)
                        following[reached] = following.get(reached, 0) + ways
        if left == 1:
            return total
        level = following
    return 1


def chance_successors(engine: ReferenceEngine, state: State) -> list[State]:
    """The position itself, or where it waits for chance every position that can follow."""
    if not isinstance(state.waiting, ChanceEvent):
        return [state]
    return [
        one
        for outcome, _ in state.waiting.outcomes
        for one in chance_successors(engine, engine.resolve_chance(state, outcome))
    ]


def divide(engine: ReferenceEngine, state: State, depth: int) -> list[tuple[Action, int]]:
    """For each legal action the number of sequences that begin with it."""
    return [
        (action, perft(engine, engine.apply_legal(fixed, action), depth - 1))
        for fixed in chance_successors(engine, state)
        for action in engine.legal(fixed)
    ]
