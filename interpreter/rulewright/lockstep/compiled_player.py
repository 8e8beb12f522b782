"""A compiled game beside others: its position in the form of all engines, its knowledge from a second program.

In: rules. Out: a `LockstepPlayer`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from rulewright.engine.compiled.kernel.optimisations import Optimisation
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.interface import GameResult
from rulewright.engine.layout import Layout
from rulewright.engine.state import Action, State
from rulewright.engine.views import Views
from rulewright.frozen import replace
from rulewright.lockstep.position_snapshot import PositionSnapshot, bare_snapshot
from rulewright.lockstep.seen_position import SeenPosition
from rulewright.lockstep.table_programs import (
    FollowedAction,
    FollowedBeginning,
    SharedKnowledge,
    SharedReading,
    TablePrograms,
)
from rulewright.model.rules import Rules

Orders: TypeAlias = Mapping[int, Sequence[int]]


class CompiledPlayer:
    """A game that is played by generated Python. `without`: optimisations that are left out.

    Raises `RuleFault` for rules that fail before a game begins, and as it begins `NotCompiled` for those that cannot
    be compiled yet.
    """

    engine: str = COMPILED_ENGINE

    def __init__(
        self, rules: Rules, tokenwise: Collection[str] = (), *, without: Collection[Optimisation] = ()
    ) -> None:
        self.rules = rules
        self.programs = TablePrograms(rules, tokenwise, without)
        self.layout = Layout(rules, ExprCompiler(rules))  # rules that fail before a game begins fail here
        self._takes_orders = False
        self._beginning = FollowedBeginning(None, 0)
        self._actions: list[FollowedAction] = []
        self._word: int | None = None  # of the action under way; None: the game begins

    @cached_property
    def _without_orders(self) -> CompiledGame:
        return self._make(takes_orders=False)

    @cached_property
    def _with_orders(self) -> CompiledGame:
        return self._make(takes_orders=True)

    def _make(self, *, takes_orders: bool) -> CompiledGame:
        return make_compiled_game(
            self.programs.played(takes_orders=takes_orders, is_native=self._is_native), self.engine
        )

    @property
    def _is_native(self) -> bool:
        return self.engine == NATIVE_ENGINE

    @property
    def _game(self) -> CompiledGame:
        return self._with_orders if self._takes_orders else self._without_orders

    @property
    def _reading(self) -> SharedReading:
        return self.programs.reading(takes_orders=self._takes_orders)

    @property
    def _knowledge(self) -> SharedKnowledge:
        return self.programs.knowledge(takes_orders=self._takes_orders)

    @cached_property
    def _views(self) -> Views:
        return Views(self)

    def start(self, seed: int | None, first: int, orders: Orders | None = None) -> None:
        """Begins a new game."""
        self._takes_orders = bool(orders)
        self._beginning, self._actions, self._word = FollowedBeginning(seed, first, orders), [], None
        self._game.start(seed=seed, first=first, orders=orders)
        self._follow()

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        return self._reading.legal(self._game)

    def apply(self, index: int) -> None:
        """Carries out one of the legal actions."""
        self._word = self._game.options[index]
        self._game.act(index)
        self._follow()

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside."""
        self._game.resolve_chance(outcome)
        self._follow()

    def _follow(self) -> None:
        """Notes what has happened, as soon as what is under way has all its outcomes."""
        if self._game.event is not None:
            return
        outcomes = () if self._game.has_seed else tuple(self._game.outcomes)
        if self._word is None:
            self._beginning = replace(self._beginning, outcomes=outcomes)
        else:
            self._actions.append(FollowedAction(self._word, outcomes))

    def result(self, state: State) -> GameResult:
        """Ranks and winners now."""
        return self._game.result()

    def position(self) -> PositionSnapshot:
        """The position."""
        game, seats = self._game, range(self.rules.players)
        if game.event is not None:  # nothing is said about knowledge then
            return bare_snapshot(self._reading.state(game, self._knowledge.latest))
        state = self._reading.state(game, self._knowledge.after(self._beginning, self._actions))
        return replace(
            bare_snapshot(state),
            result=game.result(),
            measures=game.measures(),
            assessments={
                name: tuple(game.worth(seat, name) for seat in seats)
                for name in (None, *(strategy.name for strategy in self.rules.strategies))
            },
            seen=SeenPosition(self._views, state),
        )


class NativePlayer(CompiledPlayer):
    """A game that is played by machine code; what viewers know comes from generated Python."""

    engine = NATIVE_ENGINE


def share_programs(players: Iterable[object]) -> None:
    """Players of one table take the programs of the first that leaves out the same optimisations."""
    first: dict[frozenset[Optimisation], TablePrograms] = {}
    for player in players:
        if isinstance(player, CompiledPlayer):
            player.programs = first.setdefault(player.programs.without, player.programs)


__all__ = ["CompiledPlayer", "NativePlayer", "share_programs"]
