"""What an engine has to be to be played beside others: it starts a game, lists actions, takes one, shows its position.

In: rules and the name of an engine. Out: a `LockstepPlayer`. An `Engine` becomes one by `EnginePlayer`; an engine that
is none may implement the protocol itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeAlias

from rulewright.engine.compiled.kernel.optimisations import Optimisation
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.default_engine import ENGINES, EngineFactory
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE
from rulewright.engine.evaluation_terms import sum_terms
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.views import Views
from rulewright.frozen import replace
from rulewright.lockstep.compiled_player import CompiledPlayer, NativePlayer
from rulewright.lockstep.position_snapshot import PositionSnapshot, bare_snapshot
from rulewright.lockstep.seen_position import SeenPosition
from rulewright.model.rules import Rules


class LockstepPlayer(Protocol):
    """A game in one engine. Chance comes from the seed or, without one, from outside."""

    def start(self, seed: int | None, first: int, orders: Orders | None = None) -> None:
        """Begins a new game; `first`: the seat that begins; `orders`: of shuffled places by number, top first."""

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order; none when the game is over."""

    def apply(self, index: int) -> None:
        """Carries out a legal action, by its index."""

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside: the outcome of the event for which the position waits."""

    def position(self) -> PositionSnapshot:
        """The position."""


Orders: TypeAlias = Mapping[int, Sequence[int]]
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

    def start(self, seed: int | None, first: int, orders: Orders | None = None) -> None:
        """Begins a new game."""
        self._state = self.engine.start(seed=seed, first=first, orders=orders)

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        self._legal = self.engine.legal(self.state)
        return self._legal

    def apply(self, index: int) -> None:
        """Carries out one of the actions that were last listed."""
        self._state = self.engine.apply_legal(self.state, self._legal[index])

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside."""
        self._state = self.engine.resolve_chance(self.state, outcome)

    def position(self) -> PositionSnapshot:
        """The position."""
        return take_snapshot(self.engine, self.views, self.state)


def take_snapshot(engine: Engine, views: Views, state: State) -> PositionSnapshot:
    """What an engine says of a position."""
    if isinstance(state.waiting, ChanceEvent):
        return bare_snapshot(state)
    seats = range(engine.rules.players)
    contexts = [engine.context(state, seat) for seat in seats]
    return replace(
        bare_snapshot(state),
        waiting=state.waiting._replace(around=()) if isinstance(state.waiting, Decision) else state.waiting,
        result=engine.result(state),
        measures=engine.measures(state),
        assessments={
            name: tuple(sum_terms(engine.terms(state, seat, name), contexts[seat]) for seat in seats)
            for name in (None, *(strategy.name for strategy in engine.rules.strategies))
        },
        seen=SeenPosition(views, state),
    )


def _engine_player(make_engine: EngineFactory) -> PlayerFactory:
    return lambda rules, tokenwise: EnginePlayer(make_engine(rules, tokenwise))


PLAYERS: dict[str, PlayerFactory] = {
    **{name: _engine_player(make_engine) for name, make_engine in ENGINES.items()},
    COMPILED_ENGINE: CompiledPlayer,
    **({NATIVE_ENGINE: NativePlayer} if can_make_machine_code() else {}),
}


def player_without(name: str, optimisations: Collection[Optimisation]) -> PlayerFactory:
    """The engine of that name; a compiled one without some optimisations."""
    player = PLAYERS[name]
    if not (optimisations and isinstance(player, type) and issubclass(player, CompiledPlayer)):
        return player
    return partial(player, without=optimisations)


__all__ = [
    "PLAYERS",
    "EnginePlayer",
    "LockstepPlayer",
    "PlayerFactory",
    "PositionSnapshot",
    "player_without",
    "take_snapshot",
]
