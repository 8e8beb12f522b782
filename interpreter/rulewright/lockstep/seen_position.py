"""What everybody at the table sees of a position, made only where engines do not agree on all that it is made of.

In: the views of a game and a position. Out: a `SeenPosition`, which is equal to another if all see the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from typing import Any

from rulewright.engine.state import Decision, SimultaneousChoice, State
from rulewright.engine.views import Views
from rulewright.frozen import replace


class SeenPosition:
    """What each seat sees, and last a spectator.

    Views are a function of the position, and making them takes ten times as long as a decision of machine code. So two
    are compared by what the same class of views makes of equal positions: equal views. Positions are equal here if they
    differ at most in the numbers of pools of knowledge, in steps under way that no view shows, and in the variables
    around a decision. Where they are not, the views are made and compared.
    """

    __hash__ = None  # type: ignore[assignment]  # compared only

    def __init__(self, views: Views, state: State) -> None:
        self._views = views
        self._state = state

    @cached_property
    def views(self) -> tuple[Mapping[str, Any], ...]:
        """What is seen, as JSON data."""
        seats = range(self._views.rules.players)
        return tuple(self._views.view(self._state, seat) for seat in (*seats, None))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SeenPosition):
            return NotImplemented
        return self.is_made_alike(other) or self.views == other.views

    def is_made_alike(self, other: SeenPosition) -> bool:
        """Whether all is equal that views are made of."""
        return (
            type(self._views) is type(other._views)
            and self._shown == other._shown
            and _have_same_knowledge(self._state, other._state)
        )

    @cached_property
    def _shown(self) -> tuple[State, int | None, tuple[int, ...]]:
        """The position without what may differ, whose turn it is, and who has chosen in secret."""
        state = self._state
        top = state.stack[-1] if state.stack else None
        choosers = tuple(seat for seat, _ in top.actions) if isinstance(top, SimultaneousChoice) else ()
        waiting = state.waiting._replace(around=()) if isinstance(state.waiting, Decision) else state.waiting
        shown = replace(state, stack=(), waiting=waiting, thing_pools=(), pools=())
        return shown, self._views.turn_seat(state), choosers


def _have_same_knowledge(state: State, other: State) -> bool:
    """Whether every viewer may take each thing for the same things: pools are the same, whatever their numbers are."""
    if state.thing_pools == other.thing_pools and state.pools == other.pools:
        return True
    numbers = set(zip(chain(*state.thing_pools), chain(*other.thing_pools), strict=True))
    return all(state.pools[number] == other.pools[other_number] for number, other_number in numbers)


__all__ = ["SeenPosition"]
