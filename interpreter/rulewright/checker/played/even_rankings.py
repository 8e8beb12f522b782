"""Is a criterion of the ranking the same for all whenever a game has ended, although it differs while games go on?

In: rules that can be played, the composition they were built from, games that are played to their end. Out: a
warning about the first such criterion: what it counts is given back before each turn is over, so it never decides. That
is no proof, so the number of games is said. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.most_players import has_most_players
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.diagnostics import Cause, Diagnostics, Span
from rulewright.engine.interface import WatchableEngine
from rulewright.engine.place_compiler import CompiledNumber
from rulewright.engine.state import Action, State
from rulewright.frozen import field, mutable
from rulewright.model.codes import SAME_FOR_ALL
from rulewright.model.loader import Composition
from rulewright.model.rules import Criterion, Rules

MIN_FINISHED: Final = 8  # games that came to their end, before anything is said
MIN_UNEVEN: Final = 4  # in which it differed before the end


@mutable
class _Seen:
    """How far apart players have been in what is compared: how it is computed, where it is told, the games in which
    they differed, whether they ever did as a turn began, or at the end of a game.
    """

    criterion: Criterion
    span: Span
    number: CompiledNumber | None = None
    within: set[int] = field(default_factory=set)
    decides: bool = False

    @property
    def is_conclusive(self) -> bool:
        """Whether they differ for another reason than that some have had one turn more."""
        return len(self.within) >= MIN_UNEVEN and not self.decides


class EvenRankings(GameWatcher):
    """How far apart players are in what is compared: where most play, and nothing else may be why."""

    def __init__(self, rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
        self._seen = list[_Seen]()
        self._finished = 0
        self._games = 0
        self._turn = (-1, -1)
        self._engine: WatchableEngine | None = None
        root = composition.document.root
        if len(diagnostics) or rules.players == 1 or not has_most_players(composition):
            return
        for criterion in rules.ranking:
            span = key_span(root, criterion.address, _key(criterion), root.span)
            if composition.is_judged(span):
                self._seen.append(_Seen(criterion, span))

    def attach(self, engine: WatchableEngine) -> None:
        """Computes what is compared, wherever somebody decides."""
        self._engine = engine
        for seen in self._seen:
            seen.number = engine.compiler.compile_number(seen.criterion.of)

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Notes how far apart players are."""
        before, self._turn = self._turn, (state.turn_count, state.acting_seat)
        for seen in self._seen:
            if not seen.decides and self._is_uneven(seen, state):
                seen.within.add(self._games)
                seen.decides = before != self._turn

    def end_game(self, state: State) -> None:
        """What differs at the end decides."""
        self._games += 1
        self._turn = (-1, -1)
        if state.over:
            self._finished += 1
            for seen in self._seen:
                seen.decides = seen.decides or self._is_uneven(seen, state)

    def has_seen_all(self) -> bool:
        """Whether each of them decides."""
        return all(seen.decides for seen in self._seen)

    def _is_uneven(self, seen: _Seen, state: State) -> bool:
        assert self._engine is not None
        assert seen.number is not None
        context, values = self._engine.context(state), set[int]()
        for seat in range(self._engine.rules.players):
            context.env[0] = seat
            values.add(seen.number(context))
        return len(values) > 1

    def report(self, diagnostics: Diagnostics) -> None:
        """Reports the first that is the same for all at the end of each game, and differs before."""
        seen = next((seen for seen in self._seen if seen.is_conclusive), None)
        if seen is None or self._finished < MIN_FINISHED:
            return
        message = "this is the same for every player when the game ends: so it was in each of "
        message += f"{self._finished} games that were tried"
        diagnostics.add(
            seen.span,
            SAME_FOR_ALL,
            message,
            label="decides nothing",
            help="it differs only while the game goes on: is something else meant?",
            address=seen.criterion.address,
            cause=Cause("players"),
        )


def _key(criterion: Criterion) -> str:
    return "most" if criterion.is_maximized else "fewest"


__all__ = ["EvenRankings"]
