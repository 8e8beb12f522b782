"""Who has left the game and who is still in: the order round the table without those that have left.

In: the rules, and the state variables of a position. Out: seats. Where no step of the rules makes a seat leave, all
remain, and no variable is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.values import RuntimeValue, as_int
from rulewright.model.rules import ELIMINATION_STATE, Rules


class Elimination:
    """Asks positions of one rule model. `is_possible`: whether a seat can leave at all."""

    __slots__ = ("_none", "_slice", "is_possible")

    def __init__(self, rules: Rules) -> None:
        self.is_possible = rules.has_elimination
        first = rules.states[ELIMINATION_STATE].first_index if rules.has_elimination else 0
        self._slice = slice(first, first + rules.players)
        self._none = (0,) * rules.players

    def elimination_order(self, variables: Sequence[RuntimeValue]) -> Sequence[RuntimeValue]:
        """For each seat the number 0 while it is in, else when it left: 1 for those that left before all others."""
        if not self.is_possible:
            return self._none
        # before play begins there are no variables, and all are in
        return variables[self._slice] or self._none

    def is_eliminated(self, variables: Sequence[RuntimeValue], seat: int) -> bool:
        """Whether a seat has left."""
        return self.is_possible and bool(self.elimination_order(variables)[seat])

    def remaining_seats(self, variables: Sequence[RuntimeValue], seats: tuple[int, ...]) -> tuple[int, ...]:
        """Those of some seats that are still in."""
        order = self.elimination_order(variables)
        return tuple([seat for seat in seats if not order[seat]]) if any(order) else seats

    def next_seat(self, variables: Sequence[RuntimeValue], seat: int) -> int:
        """The next seat round the table that is in: the seat itself when no other is, its neighbour when none is."""
        order, players = self.elimination_order(variables), len(self._none)
        for distance in range(1, players + 1):
            if not order[(seat + distance) % players]:
                return (seat + distance) % players
        return (seat + 1) % players

    def eliminate(self, variables: list[RuntimeValue], seats: Sequence[int]) -> bool:
        """Seats leave, all at once; whether one of them was still in. Seats that have left before keep their number."""
        order = self.elimination_order(variables)
        leaving = [seat for seat in seats if not order[seat]]
        number = min(1 + max(map(as_int, order)), len(order))  # a position from outside may have skipped some
        for seat in leaving:
            variables[self._slice.start + seat] = number
        return bool(leaving)

    def elimination_rank(self, variables: Sequence[RuntimeValue], seat: int) -> int:
        """How far a seat ranks behind those that are in: 0 when it is in, more the earlier it left."""
        number = as_int(self.elimination_order(variables)[seat])
        return len(self._none) + 1 - number if number else 0


__all__ = ["Elimination"]
