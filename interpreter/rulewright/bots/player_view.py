"""Somebody who plays a seat, and what that seat may ask about the game.

In: a position and a seat. Out: `Seated`, which gives the seat's legal actions and positions that agree with all it
knows, never the true one; and `Bot`, who is asked for one of these actions.
"""

from __future__ import annotations

from typing import Final, Protocol

from rulewright.bots.secret_choices import all_chosen, in_secret
from rulewright.engine import chance
from rulewright.engine.determinize import imagine
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import Action, State

CHOICES: Final = 1  # the stream from which the choices of others are drawn


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

    @property
    def in_secret(self) -> bool:
        """Whether others choose at the same time, unseen."""
        return in_secret(self._state)

    def imagined(self, rng: int) -> State:
        """A position as it may be, drawn at random among those that the seat cannot tell from the true one. Where all
        choose in secret, the others have done so: what they choose is drawn at random too.
        """
        world = imagine(self.engine, self._state, self.seat, rng)
        return all_chosen(self.engine, world, chance.seeded(rng, stream=CHOICES))


class Bot(Protocol):
    """Somebody who chooses."""

    def choose(self, seated: Seated) -> Action:
        """One of the legal actions of the seat."""
        ...


__all__ = ["Bot", "Seated"]
