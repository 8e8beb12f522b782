"""Who has left the game and who is still in: the order round the table without those that are gone.

In: the rules, and the state variables of a position. Out: seats. Where no step of the rules makes a seat leave, all are
in for good, and nothing is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.model.rules import ELIMINATION_STATE, Rules


class Elimination:
    """Asks positions of one rule model. `possible`: whether a seat can leave at all."""

    __slots__ = ("_none", "_part", "is_possible")

    def __init__(self, rules: Rules) -> None:
        self.is_possible = rules.has_elimination
        first = rules.states[ELIMINATION_STATE].first_index if rules.has_elimination else 0
        self._part = slice(first, first + rules.players)
        self._none = (0,) * rules.players

    def elimination_order(self, variables: Sequence[Any]) -> Sequence[int]:
        """Of each seat 0 while it is in, else when it left: 1 for those that left before all others."""
        # before play begins there are no variables, and all are in
        return (variables[self._part] or self._none) if self.is_possible else self._none

    def is_eliminated(self, variables: Sequence[Any], seat: int) -> bool:
        """Whether a seat has left."""
        return self.is_possible and bool(self.elimination_order(variables)[seat])

    def remaining_seats(self, variables: Sequence[Any], seats: tuple[int, ...]) -> tuple[int, ...]:
        """Those of some seats that are still in."""
        numbers = self.elimination_order(variables)
        return tuple([seat for seat in seats if not numbers[seat]]) if any(numbers) else seats

    def next_seat(self, variables: Sequence[Any], seat: int) -> int:
        """The next seat round the table that is in: the seat itself when no other is; when none is, its neighbour."""
        numbers, players = self.elimination_order(variables), len(self._none)
        for step in range(1, players + 1):
            if not numbers[(seat + step) % players]:
                return (seat + step) % players
        return (seat + 1) % players

    def eliminate(self, variables: list[Any], seats: Sequence[int]) -> bool:
        """Seats leave, all at once; whether one of them was still in. Those that are gone already stay gone as they
        are.
        """
        numbers = self.elimination_order(variables)
        going = [seat for seat in seats if not numbers[seat]]
        number = min(1 + max(numbers), len(numbers))  # a position from outside may have skipped some
        for seat in going:
            variables[self._part.start + seat] = number
        return bool(going)

    def elimination_rank(self, variables: Sequence[Any], seat: int) -> int:
        """How far behind those that are in a seat stands for having left: 0 when it is in, more the earlier it left."""
        number = self.elimination_order(variables)[seat]
        return len(self._none) + 1 - number if number else 0


__all__ = ["Elimination"]
