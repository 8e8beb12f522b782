"""Is a criterion of the ranking the same for all whenever a game has ended, although it differs while games go on?

In: rules that can be played, the composition they were built from, how many decisions are played in a game. Out: a
warning about the first such criterion: what it counts is given back before each turn is over, so it never decides. That
is no proof, so the number of games is said. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.most_players import has_most_players
from rulewright.checker.common.tried_games import first_seed, try_game
from rulewright.diagnostics import Cause, Diagnostics
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.place_compiler import CompiledNumber
from rulewright.engine.state import State
from rulewright.frozen import field, mutable
from rulewright.model.codes import SAME_FOR_ALL
from rulewright.model.loader import Composition
from rulewright.model.rules import Criterion, Rules

GAMES: Final = 12
MIN_FINISHED: Final = 8  # of them, before anything is said
MIN_UNEVEN: Final = 4  # in which it differed before the end


@mutable
class _Seen:
    """The games in which players differed in what is compared; whether they ever did as a turn began."""

    within: set[int] = field(default_factory=set)
    is_between: bool = False

    def add(self, game: int, gap: int, *, is_between: bool) -> None:
        """Notes how far apart players are where somebody decides."""
        if gap:
            self.within.add(game)
            self.is_between = self.is_between or is_between

    @property
    def is_conclusive(self) -> bool:
        """Whether they differ for another reason than that some have had one turn more."""
        return len(self.within) >= MIN_UNEVEN and not self.is_between


def check_even_rankings(rules: Rules, composition: Composition, diagnostics: Diagnostics, decisions: int) -> None:
    """Reports the first where most play, and nothing else may be why."""
    if len(diagnostics) or rules.players == 1 or not has_most_players(composition):
        return
    asked = {criterion.address: criterion for criterion in rules.ranking}
    spans = {
        address: key_span(composition.document.root, address, _key(criterion), composition.document.root.span)
        for address, criterion in asked.items()
    }
    judged = [asked[address] for address, span in spans.items() if composition.is_judged(span)]
    for criterion, finished in _even(rules, judged, decisions) if judged else ():
        message = "this is the same for every player when the game ends: so it was in each of "
        message += f"{finished} games that were tried"
        diagnostics.add(
            spans[criterion.address],
            SAME_FOR_ALL,
            message,
            label="decides nothing",
            help="it differs only while the game goes on: is something else meant?",
            address=criterion.address,
            cause=Cause("players"),
        )
        return


def _key(criterion: Criterion) -> str:
    return "most" if criterion.is_maximized else "fewest"


def _even(rules: Rules, criteria: Sequence[Criterion], decisions: int) -> list[tuple[Criterion, int]]:
    """The criteria that are the same for all at the end of all games and differ before, with the number of games."""
    engine = make_engine(rules)
    even = {criterion.address: criterion for criterion in criteria}
    numbers = {each: engine.compiler.compile_number(criterion.of) for each, criterion in even.items()}
    seen, finished = {each: _Seen() for each in even}, 0
    for number in range(GAMES):
        if not even or GAMES - number + finished < MIN_FINISHED:
            return []
        try:
            game, steps = try_game(engine, "random", first_seed(rules) + number)
            turn = (-1, -1)
            for made, step in enumerate(steps):
                before, turn = turn, (step.before.turn_count, step.before.acting_seat)
                for each in even:
                    seen[each].add(number, _gap(engine, numbers[each], step.before), is_between=before != turn)
                if made >= decisions:
                    break
        except RuleFault:  # which is told elsewhere
            return []
        if game.state.over:
            finished += 1
            even = {each: one for each, one in even.items() if not _gap(engine, numbers[each], game.state)}
    return [(one, finished) for each, one in even.items() if seen[each].is_conclusive and finished >= MIN_FINISHED]


def _gap(engine: Engine, number: CompiledNumber, state: State) -> int:
    """How far apart the players are in a position."""
    context, values = engine.context(state), list[int]()
    for seat in range(engine.rules.players):
        context.env[0] = seat
        values.append(number(context))
    return max(values) - min(values)


__all__ = ["check_even_rankings"]
