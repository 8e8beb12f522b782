"""How good a position is for a seat, by the game's own evaluation or one of its strategies.

In: an engine, and a position in which somebody chooses. Out: a `PositionEvaluator` of positions that come after: whole
numbers, greater when better. A game that is over counts by who won it, more than any evaluation; to be eliminated is
almost as bad as to have lost. Terms that hold only under a condition are picked in the position in which one chooses,
so that an action is not preferred for ending a phase of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import itemgetter
from typing import Final

from rulewright import limits
from rulewright.bots.secret_choices import is_choosing_in_secret, sample_secret_choices
from rulewright.engine import chance
from rulewright.engine.context import MemoKey
from rulewright.engine.evaluation_terms import Terms, sum_terms
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, State
from rulewright.engine.values import Content, RuntimeValue
from rulewright.frozen import frozen

WIN_VALUE: Final = 10**9  # of a game that is won, more than any evaluation

PlaceReader = Callable[[tuple[Content, ...]], Hashable]  # gives the contents of some places


def try_apply(engine: Engine, position: State, action: Action) -> State | None:
    """The position after an action; None when it is impossible in this determinized position."""
    try:
        return engine.apply_legal(position, action)
    except RuleFault:
        return None  # legal in the true position, impossible in this one


@frozen
class TermGroup:
    """Terms that read the same places, with caches: `term_values` holds their sum, `derived_values` the derived values
    they use, each by the contents of the places that were read.
    """

    read_places: PlaceReader
    read_derived_places: PlaceReader
    terms: Terms
    term_values: dict[Hashable, int]
    derived_values: dict[Hashable, dict[MemoKey, RuntimeValue]]


class PositionEvaluator:
    """Evaluates positions for one choice, with a cache: sums of terms by the contents of the places they read."""

    def __init__(self, engine: Engine, position: State, strategy: str | None = None) -> None:
        self.engine = engine
        self.players = engine.rules.players
        self._rng = chance.seed_rng(position.rng or 0, stream=1)
        self._uncached: list[Terms] = []
        self._cached: list[list[TermGroup]] = []
        for seat in range(self.players):
            terms = engine.terms(position, seat, strategy)
            self._uncached.append(tuple(term for term in terms if term.dependencies[seat] is None))
            self._cached.append(
                [
                    _group(terms, seat, places)
                    for places in dict.fromkeys(term.dependencies[seat] for term in terms)
                    if places is not None
                ]
            )

    def evaluate(self, state: State, seat: int) -> int:
        """The value of a position for a seat, whatever it is for others."""
        engine = self.engine
        if state.over:
            winners = engine.result(state).winners
            return WIN_VALUE // len(winners) if seat in winners else -WIN_VALUE
        if engine.compiler.elimination.is_eliminated(state.variables, seat):
            return -WIN_VALUE // 2
        context = engine.context(state, seat)
        total = sum_terms(self._uncached[seat], context)
        contents = state.contents
        for group in self._cached[seat]:
            key = group.read_places(contents)
            value = group.term_values.get(key)
            if value is None:
                if len(group.term_values) > limits.MAX_CACHED_VALUES:
                    group.term_values.clear()
                    group.derived_values.clear()
                context.memo = group.derived_values.setdefault(group.read_derived_places(contents), {})
                value = group.term_values[key] = sum_terms(group.terms, context)
            total += value
        return total

    def advantage(self, state: State | None, seat: int) -> int:
        """The value of a position for a seat, less that for the best of the others."""
        if state is None:
            return -WIN_VALUE
        own = self.evaluate(state, seat)
        if state.over or self.players == 1:
            return own
        return own - max([self.evaluate(state, other) for other in range(self.players) if other != seat])

    def resample_secret_choices(self, position: State) -> State:
        """The position with the choices that others make in secret drawn anew; the same where nobody does."""
        if not is_choosing_in_secret(position):
            return position
        self._rng, rng = chance.rand_below(self._rng, 1 << 64)
        return sample_secret_choices(self.engine, position, rng)

    def advantages(self, position: State, actions: tuple[Action, ...], seat: int) -> list[int]:
        """How far ahead a seat is right after each of the actions."""
        position = self.resample_secret_choices(position)
        return [self.advantage(try_apply(self.engine, position, action), seat) for action in actions]

    def best_action(self, position: State, actions: tuple[Action, ...], seat: int) -> Action:
        """The action after which a seat is furthest ahead at once; the first of those that are equal."""
        if len(actions) == 1:
            return actions[0]
        values = self.advantages(position, actions, seat)
        return actions[values.index(max(values))]


def _group(terms: Terms, seat: int, places: frozenset[int]) -> TermGroup:
    members = tuple(term for term in terms if term.dependencies[seat] == places)
    derived_places: frozenset[int] = frozenset().union(*[term.value_dependencies[seat] for term in members])
    return TermGroup(_place_reader(places), _place_reader(derived_places), members, {}, {})


def _place_reader(places: frozenset[int]) -> PlaceReader:
    return itemgetter(*sorted(places)) if places else (lambda contents: ())


__all__ = ["WIN_VALUE", "PositionEvaluator", "try_apply"]
