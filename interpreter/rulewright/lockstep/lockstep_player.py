"""What an engine has to be to be played beside others: it starts a game, lists actions, takes one, shows its position.

In: rules and the name of an engine. Out: a `LockstepPlayer`. An `Engine` becomes one by `EnginePlayer`; an engine that
is none may implement the protocol itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, TypeAlias

from rulewright.engine.default_engine import ENGINES, EngineFactory
from rulewright.engine.evaluation_terms import sum_terms
from rulewright.engine.interface import Engine, GameResult
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.values import Content, RuntimeValue
from rulewright.engine.views import Views
from rulewright.frozen import frozen
from rulewright.model.rules import Rules


@frozen
class PositionSnapshot:
    """What engines must agree on at one moment of a game, as far as it can be seen from outside.

    `assessments`: for the game's evaluation (None) and each strategy what the position is worth to each seat; `views`:
    what each seat sees, and last a spectator.
    """

    waiting: Decision | ChanceEvent | None
    contents: tuple[Content, ...]
    variables: tuple[RuntimeValue, ...]
    rng: int | None
    first_seat: int
    round: int
    turn_count: int
    ending: bool
    extra_turns: tuple[int, ...]
    result: GameResult
    measures: Mapping[str, int | tuple[int, ...]]
    assessments: Mapping[str | None, tuple[int, ...]]
    views: tuple[Mapping[str, Any], ...]


class LockstepPlayer(Protocol):
    """A game in one engine. Chance comes from the seed."""

    def start(self, seed: int, first: int) -> None:
        """Begins a new game; `first`: the seat that begins."""

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order; none when the game is over."""

    def apply(self, index: int) -> None:
        """Carries out a legal action, by its index."""

    def position(self) -> PositionSnapshot:
        """The position."""


PlayerFactory: TypeAlias = Callable[[Rules, Collection[str]], LockstepPlayer]  # rules, choices made piece by piece


class EnginePlayer:
    """A game in an `Engine`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.views = Views(engine)
        self._state: State | None = None
        self._legal: tuple[Action, ...] = ()

    @property
    def state(self) -> State:
        """The position as the engine has it."""
        assert self._state is not None, "the game has not begun"
        return self._state

    def start(self, seed: int, first: int) -> None:
        """Begins a new game."""
        self._state = self.engine.start(seed=seed, first=first)

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        self._legal = self.engine.legal(self.state)
        return self._legal

    def apply(self, index: int) -> None:
        """Carries out one of the actions that were last listed."""
        self._state = self.engine.apply_legal(self.state, self._legal[index])

    def position(self) -> PositionSnapshot:
        """The position."""
        return take_snapshot(self.engine, self.views, self.state)


def take_snapshot(engine: Engine, views: Views, state: State) -> PositionSnapshot:
    """What an engine says of a position."""
    seats = range(engine.rules.players)
    return PositionSnapshot(
        waiting=state.waiting,
        contents=state.contents,
        variables=state.variables,
        rng=state.rng,
        first_seat=state.first_seat,
        round=state.round,
        turn_count=state.turn_count,
        ending=state.ending,
        extra_turns=state.extra_turns,
        result=engine.result(state),
        measures=engine.measures(state),
        assessments={
            name: tuple(sum_terms(engine.terms(state, seat, name), engine.context(state, seat)) for seat in seats)
            for name in (None, *(strategy.name for strategy in engine.rules.strategies))
        },
        views=tuple(views.view(state, seat) for seat in (*seats, None)),
    )


def _engine_player(make_engine: EngineFactory) -> PlayerFactory:
    return lambda rules, tokenwise: EnginePlayer(make_engine(rules, tokenwise))


PLAYERS: dict[str, PlayerFactory] = {name: _engine_player(make_engine) for name, make_engine in ENGINES.items()}

__all__ = ["PLAYERS", "EnginePlayer", "LockstepPlayer", "PlayerFactory", "PositionSnapshot", "take_snapshot"]
