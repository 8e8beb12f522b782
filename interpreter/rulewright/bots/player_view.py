"""Who plays a seat, and what that seat may ask about the game.

In: a position and a seat. Out: a `PlayerView`, which gives the seat's legal actions and positions that agree with all
it knows, never the true one; and the protocol `Bot`, which chooses one of these actions. `FollowedView` gives the same
of a game that a program plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

from rulewright.bots.compiled_positions import ThinkingProgram, WordActions
from rulewright.bots.deferred_thinking import DeferredThinking
from rulewright.bots.imagined_positions import AnyPositions, EnginePositions
from rulewright.bots.secret_choices import is_choosing_in_secret, sample_secret_choices
from rulewright.engine import chance
from rulewright.engine.compiled.followed_game import FollowedGame
from rulewright.engine.determinize import determinize
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Chooser
from rulewright.engine.state import Action, Decision, State

Thinking: TypeAlias = ThinkingProgram | DeferredThinking | None  # in what a bot thinks, if not in an engine's positions
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
        thinking = self._thinking.thinking if isinstance(self._thinking, DeferredThinking) else self._thinking
        if thinking is not None and thinking.can_hold(self._state):
            return thinking.positions(self.determinize)
        return EnginePositions(self.engine, self.determinize)


class FollowedView:
    """What a seat may ask about a game that a program plays. `thinking`: a program of the same rules, which has its
    `position` and the `words` of the legal actions; `in_reference`: the same seat's view of the same position of the
    engine that defines what rules mean, made where what the seat does not know is more than what lies in places.
    """

    __slots__ = ("_actions", "_game", "_in_reference", "_position", "_thinking")

    def __init__(
        self,
        game: FollowedGame,
        thinking: ThinkingProgram,
        position: Any,
        words: Sequence[int],
        in_reference: Callable[[], PlayerView],
    ) -> None:
        self._game = game
        self._position = position
        self._thinking = thinking
        self._actions = WordActions(game.program, words)
        self._in_reference = in_reference

    @property
    def seat(self) -> int:
        """The seat that chooses."""
        return self._game.seat

    def legal(self) -> Sequence[Action]:
        """The legal actions, in their fixed order."""
        return self._actions

    @property
    def is_choosing_in_secret(self) -> bool:
        """Whether others choose at the same time, unseen."""
        return self._game.decides_in_secret and self._in_reference().is_choosing_in_secret

    def positions(self) -> AnyPositions:
        """Positions to think in."""
        if self._game.is_deal_of_cells():
            return self._thinking.dealt_positions(self._position, self._game.deal)
        return self._in_reference().positions()


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


__all__ = ["Bot", "FollowedView", "PlayerView", "SeatView", "bot_chooser"]
