"""Players made of rules: one that does anything, and one that does what looks best from its seat.

In: what a seat knows (`Seated`), never the true position. Out: one of the legal actions. Each bot draws from its own
stream of the seed, so that what it does changes nothing about the game's chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol

from rulewright.engine import chance
from rulewright.engine.reference import Engine, RuleFault
from rulewright.engine.state import Action, State
from rulewright.engine.worlds import imagine

WORLDS: Final = 2  # imagined positions that a careful bot looks at before it chooses
MOST_WEIGHED: Final = 500  # actions that a careful bot weighs; of more it looks at so many, drawn at random
DECIDED: Final = 10**9  # what a game that is won counts, more than any evaluation


class Seated:
    """What a seat may ask about the game: its legal actions, and positions that agree with all it knows."""

    __slots__ = ("_legal", "_state", "engine", "seat")

    def __init__(self, engine: Engine, state: State, seat: int, legal: tuple[Action, ...]) -> None:
        self.engine = engine
        self.seat = seat
        self._state = state
        self._legal = legal

    def legal(self) -> tuple[Action, ...]:
        """The legal actions, in their fixed order."""
        return self._legal

    def imagined(self, rng: int) -> State:
        """A position as it may be, drawn at random among those that the seat cannot tell from the true one."""
        return imagine(self.engine, self._state, self.seat, rng)


class Bot(Protocol):
    """Somebody who chooses."""

    def choose(self, seated: Seated) -> Action:
        """One of the legal actions of the seat."""
        ...


class RandomBot:
    """Does any legal action, each as likely as the others."""

    def __init__(self, seed: int, seat: int) -> None:
        self._rng = chance.seeded(seed, stream=1 + seat)

    def choose(self, seated: Seated) -> Action:
        """One of the legal actions."""
        actions = seated.legal()
        self._rng, at = chance.below(self._rng, len(actions))
        return actions[at]


class GreedyBot:
    """Does the action after which the game's evaluation is best for its seat, averaged over imagined positions."""

    def __init__(self, seed: int, seat: int) -> None:
        self._rng = chance.seeded(seed, stream=1 + seat)

    def choose(self, seated: Seated) -> Action:
        """The best of the legal actions; among equals, any."""
        actions = seated.legal()
        if len(actions) == 1:
            return actions[0]
        if len(actions) > MOST_WEIGHED:
            actions = self._some(actions)
        totals = [0] * len(actions)
        for _ in range(WORLDS):
            self._rng, world_rng = chance.below(self._rng, 1 << 64)
            world = seated.imagined(world_rng)
            for at, action in enumerate(actions):
                totals[at] += worth(seated.engine, world, action, seated.seat)
        most = max(totals)
        best = [action for action, total in zip(actions, totals, strict=True) if total == most]
        self._rng, at = chance.below(self._rng, len(best))
        return best[at]

    def _some(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """As many of them as are weighed, in their order."""
        left = list(range(len(actions)))
        drawn: list[int] = []
        while len(drawn) < MOST_WEIGHED:
            self._rng, at = chance.below(self._rng, len(left))
            left[at], left[-1] = left[-1], left[at]
            drawn.append(left.pop())
        return tuple(actions[at] for at in sorted(drawn))


def worth(engine: Engine, world: State, action: Action, seat: int) -> int:
    """How good a position is for a seat right after an action; a game that is over counts by who won it."""
    try:
        after = engine.apply_legal(world, action)
    except RuleFault:
        return -DECIDED  # legal in the true position, impossible in this one: nothing that one can count on
    if not after.over:
        return engine.evaluate(after, seat)
    result = engine.result(after)
    return DECIDED // len(result.winners) if seat in result.winners else -DECIDED


BOTS: Final[Mapping[str, Callable[[int, int], Bot]]] = MappingProxyType({"random": RandomBot, "greedy": GreedyBot})


__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "Seated"]
