"""Who plays a seat, and what that seat may ask about the game.

In: a position and a seat. Out: a `PlayerView`, which gives the seat's legal actions and positions that agree with all
it knows, never the true one; and the protocol `Bot`, which chooses one of these actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from rulewright.bots.secret_choices import is_choosing_in_secret, sample_secret_choices
from rulewright.engine import chance
from rulewright.engine.determinize import determinize
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Chooser
from rulewright.engine.state import Action, Decision, State

if TYPE_CHECKING:  # what bots think in is imported when one of them thinks
    from rulewright.bots.compiled_positions import ThinkingProgram
    from rulewright.bots.deferred_thinking import DeferredThinking
    from rulewright.bots.imagined_positions import AnyPositions

# in what a bot thinks, if not in an engine's positions
Thinking: TypeAlias = "ThinkingProgram | DeferredThinking | None"
SECRET_CHOICES_STREAM: Final = 1  # the stream from which the choices of others are drawn


class SeatView(Protocol):
    """What a bot may ask about the game."""

    @property
    def seat(self) -> int:
        """Its seat."""

    @property
    def is_choosing_in_secret(self) -> bool:
        """Whether others choose at the same time, unseen."""

    def legal(self) -> Sequence[Action]:
        """The legal actions, in their fixed order."""

    def positions(self) -> AnyPositions:
        """Positions to think in, which agree with all that the seat knows."""


class PlayerView:
    """What a seat may ask about the game: its legal actions, and positions that agree with all it knows."""

    __slots__ = ("_legal", "_state", "_thinking", "engine", "seat")

    def __init__(
        self,
        engine: Engine,
        state: State,
        seat: int,
        legal: tuple[Action, ...],
        thinking: Thinking = None,
    ) -> None:
        self.engine = engine.imagined
        self.seat = seat
        self._state = state
        self._legal = legal
        self._thinking = thinking

    def legal(self) -> tuple[Action, ...]:
        """The legal actions, in their fixed order."""
        return self._legal

    @property
    def is_choosing_in_secret(self) -> bool:
        """Whether others choose at the same time, unseen."""
        return is_choosing_in_secret(self._state)

    def determinize(self, rng: int) -> State:
        """A position drawn at random among those that the seat cannot tell from the true one. Where all choose in
        secret, the others have done so: what they choose is drawn at random too.
        """
        position = determinize(self.engine, self._state, self.seat, rng)
        return sample_secret_choices(self.engine, position, chance.seed_rng(rng, stream=SECRET_CHOICES_STREAM))

    def positions(self) -> AnyPositions:
        """Positions to think in: those of a compiled program if there is one that can hold them, else an engine's."""
        from rulewright.bots.deferred_thinking import DeferredThinking
        from rulewright.bots.imagined_positions import EnginePositions

        thinking = self._thinking.thinking if isinstance(self._thinking, DeferredThinking) else self._thinking
        if thinking is not None and thinking.can_hold(self._state):
            return thinking.positions(self.determinize)
        return EnginePositions(self.engine, self.determinize)


class Bot(Protocol):
    """A player that chooses by what its seat knows."""

    def choose(self, view: SeatView) -> Action:
        """One of the legal actions of the seat."""
        ...


def bot_chooser(engine: Engine, bots: Mapping[int, Bot], thinking: Thinking = None) -> Chooser:
    """Asks the bot of the deciding seat, which sees what its seat may know. `bots`: by seat; `thinking`: the program in
    whose positions they think, if not in those of the engine.
    """

    def choose(state: State, legal: tuple[Action, ...]) -> Action:
        assert isinstance(state.waiting, Decision)
        seat = state.waiting.seat
        return bots[seat].choose(PlayerView(engine, state, seat, legal, thinking))

    return choose


__all__ = ["Bot", "PlayerView", "SeatView", "bot_chooser"]
