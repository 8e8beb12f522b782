"""A compiled game beside others: its position in the form of all engines, its knowledge from a second program.

In: rules. Out: a `LockstepPlayer`.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.engine.compiled.compiled_game import CompiledGame, PythonProgram
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.knowledge_replay import KnowledgeReplay
from rulewright.engine.interface import GameResult
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.state import Action, State
from rulewright.engine.views import Views
from rulewright.lockstep.position_snapshot import PositionSnapshot
from rulewright.model.rules import Rules


class CompiledPlayer:
    """A game that is played by generated Python. Raises `NotCompiled` for rules that cannot be compiled yet."""

    def __init__(self, rules: Rules, tokenwise: Collection[str] = ()) -> None:
        self.rules = rules
        self._game = CompiledGame(PythonProgram(compile_program(rules, tokenwise=tokenwise, is_evaluated=True)))
        self._replay = KnowledgeReplay(PythonProgram(compile_program(rules, tokenwise=tokenwise, is_witnessed=True)))
        self._knowledge: Knowledge | None = None
        self.layout = self._replay.layout
        self._views = Views(self)

    def start(self, seed: int, first: int) -> None:
        """Begins a new game."""
        self._game.start(seed=seed, first=first)
        self._knowledge = self._replay.follow(seed, first, ())

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        return self._game.legal()

    def apply(self, index: int) -> None:
        """Carries out one of the legal actions."""
        word = self._game.options[index]
        self._game.act(index)
        self._knowledge = self._replay.go_on(word)

    def result(self, state: State) -> GameResult:
        """Ranks and winners now."""
        return self._game.result()

    def position(self) -> PositionSnapshot:
        """The position."""
        game, seats = self._game, range(self.rules.players)
        assert self._knowledge is not None, "the game has not begun"
        state = game.state(self._knowledge)
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
            result=game.result(),
            measures=game.measures(),
            assessments={
                name: tuple(game.worth(seat, name) for seat in seats)
                for name in (None, *(strategy.name for strategy in self.rules.strategies))
            },
            views=tuple(self._views.view(state, seat) for seat in (*seats, None)),
        )


__all__ = ["CompiledPlayer"]
