"""What positions of an engine are worth, with a cache: sums of terms by the contents of the places they read.

In: an engine, and a position from which one judges. Out: a number for a seat in any position that follows. Terms that
hold only under a condition are picked in the first position, so that an action is not preferred for ending a phase of
the game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import itemgetter

from rulewright import limits
from rulewright.engine.context import MemoKey
from rulewright.engine.evaluation_terms import Terms, sum_terms
from rulewright.engine.interface import Engine
from rulewright.engine.state import State
from rulewright.engine.values import Content, RuntimeValue
from rulewright.frozen import frozen

PlaceReader = Callable[[tuple[Content, ...]], Hashable]  # gives the contents of some places


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


class CachedEvaluation:
    """Evaluates positions that follow from one, for every seat."""

    def __init__(self, engine: Engine, position: State, strategy: str | None = None) -> None:
        self._engine = engine
        self._uncached: list[Terms] = []
        self._cached: list[list[TermGroup]] = []
        for seat in range(engine.rules.players):
            terms = engine.terms(position, seat, strategy)
            self._uncached.append(tuple(term for term in terms if term.dependencies[seat] is None))
            self._cached.append(
                [
                    _group(terms, seat, places)
                    for places in dict.fromkeys(term.dependencies[seat] for term in terms)
                    if places is not None
                ]
            )

    def worth(self, state: State, seat: int) -> int:
        """The sum of the terms for a seat."""
        context = self._engine.context(state, seat)
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


def _group(terms: Terms, seat: int, places: frozenset[int]) -> TermGroup:
    members = tuple(term for term in terms if term.dependencies[seat] == places)
    derived_places: frozenset[int] = frozenset().union(*[term.value_dependencies[seat] for term in members])
    return TermGroup(_place_reader(places), _place_reader(derived_places), members, {}, {})


def _place_reader(places: frozenset[int]) -> PlaceReader:
    return itemgetter(*sorted(places)) if places else (lambda contents: ())


__all__ = ["CachedEvaluation"]
