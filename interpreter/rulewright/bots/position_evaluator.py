"""What a position is worth to a seat, as the game's own evaluation or one of its strategies sees it.

In: an engine, and a position in which somebody chooses. Out: a `Judge` of positions that come after: whole numbers,
greater when better. A game that is over counts by who won it, more than any evaluation; to have left it is almost as
bad as to have lost it. Advice that holds only at times
is picked in the position in which one chooses, so that a move is not preferred for ending a phase of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from rulewright import limits
from rulewright.bots.secret_choices import is_choosing_in_secret, sample_secret_choices
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import ReferenceEngine, RuleFault, Terms, sum_terms
from rulewright.engine.state import Action, State

WIN_VALUE: Final = 10**9  # what a game that is won counts, more than any evaluation

PlaceReader = Callable[[tuple[Any, ...]], Hashable]  # the contents of some places


def try_apply(engine: ReferenceEngine, world: State, action: Action) -> State | None:
    """The position after an action; None when it cannot be done in this world."""
    try:
        return engine.apply_legal(world, action)
    except RuleFault:
        return None  # legal in the true position, impossible in this one: nothing that one can count on


@dataclass(frozen=True, slots=True)
class TermGroup:
    """Terms that read the same places, and what they came to; `values`: what derived values came to, by the contents
    of the places that these read.
    """

    read_places: PlaceReader
    read_derived_places: PlaceReader
    terms: Terms
    term_values: dict[Hashable, int]
    derived_values: dict[Hashable, dict[Any, Any]]


class PositionEvaluator:
    """Values positions for one choice. It remembers what terms came to by the contents of the places they read."""

    def __init__(self, engine: ReferenceEngine, world: State, strategy: str | None = None) -> None:
        self.engine = engine
        self.players = engine.rules.players
        self._rng = chance.seed_rng(world.rng or 0, stream=1)
        self._light: list[Terms] = []
        self._grouped: list[list[TermGroup]] = []
        for seat in range(self.players):
            terms = engine.terms(world, seat, strategy)
            self._light.append(tuple(term for term in terms if term.dependencies[seat] is None))
            self._grouped.append(
                [
                    _group(terms, seat, places)
                    for places in dict.fromkeys(one.dependencies[seat] for one in terms)
                    if places is not None
                ]
            )

    def evaluate(self, state: State, seat: int) -> int:
        """What a position is worth to a seat, whatever it is to others."""
        engine = self.engine
        if state.over:
            winners = engine.result(state).winners
            return WIN_VALUE // len(winners) if seat in winners else -WIN_VALUE
        if engine.compiler.elimination.is_eliminated(state.variables, seat):
            return -WIN_VALUE // 2
        c = engine.context(state, seat)
        total = sum_terms(self._light[seat], c)
        contents = state.contents
        for group in self._grouped[seat]:
            key = group.read_places(contents)
            value = group.term_values.get(key)
            if value is None:
                if len(group.term_values) > limits.MAX_CACHED_VALUES:
                    group.term_values.clear()
                    group.derived_values.clear()
                c.memo = group.derived_values.setdefault(group.read_derived_places(contents), {})
                value = group.term_values[key] = sum_terms(group.terms, c)
            total += value
        return total

    def advantage(self, state: State | None, seat: int) -> int:
        """What a position is worth to a seat, less what it is worth to the best of the others."""
        if state is None:
            return -WIN_VALUE
        own = self.evaluate(state, seat)
        if state.over or self.players == 1:
            return own
        return own - max([self.evaluate(state, other) for other in range(self.players) if other != seat])

    def resample_secret_choices(self, world: State) -> State:
        """The position as a seat may judge it that chooses while others do in secret: their choices are drawn anew."""
        if not is_choosing_in_secret(world):
            return world
        self._rng, rng = chance.rand_below(self._rng, 1 << 64)
        return sample_secret_choices(self.engine, world, rng)

    def advantages(self, world: State, actions: tuple[Action, ...], seat: int) -> list[int]:
        """How far ahead a seat is right after each of the actions."""
        world = self.resample_secret_choices(world)
        return [self.advantage(try_apply(self.engine, world, action), seat) for action in actions]

    def best_action(self, world: State, actions: tuple[Action, ...], seat: int) -> Action:
        """The action after which a seat is furthest ahead at once; the first of those that are equal."""
        if len(actions) == 1:
            return actions[0]
        values = self.advantages(world, actions, seat)
        return actions[values.index(max(values))]


def _group(terms: Terms, seat: int, places: frozenset[int]) -> TermGroup:
    chosen = tuple(term for term in terms if term.dependencies[seat] == places)
    return TermGroup(
        _reader(places), _reader(frozenset().union(*[term.value_dependencies[seat] for term in chosen])), chosen, {}, {}
    )


def _reader(places: frozenset[int]) -> PlaceReader:
    return itemgetter(*sorted(places)) if places else (lambda contents: ())


__all__ = ["WIN_VALUE", "PositionEvaluator", "try_apply"]
