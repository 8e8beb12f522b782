"""Somebody who plays a seat, and what that seat may ask about the game.

In: a position and a seat. Out: `Seated`, which gives the seat's legal actions and positions that agree with all it
knows, never the true one; and `Bot`, who is asked for one of these actions.
"""

from __future__ import annotations

from typing import Protocol

from rulewright.engine.reference import Engine
from rulewright.engine.state import Action, State
from rulewright.engine.worlds import imagine


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


__all__ = ["Bot", "Seated"]
