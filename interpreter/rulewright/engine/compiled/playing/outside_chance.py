"""Chance from outside: a program runs on the outcomes given so far, and says which one it asks for next.

In: a chance site of a program, and the position in which it is asked. Out: the event for which the game waits, and for
an outcome the number that the program is given. A program knows numbers alone: of outcomes with weights in a row, each
has as many numbers as it weighs, and the first of them stands for it. So a queue of numbers is all that machine code
needs, too: where the queue is empty it notes site, offset and cells, and goes on with 0 until it waits.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.compiled.translation.chance_sites import ChanceSite
from rulewright.engine.state import ChanceEvent
from rulewright.engine.values import Content, Pile
from rulewright.model.rules import Rules


class ChanceNeeded(Exception):
    """A program asks for a number by chance that it was not given."""

    def __init__(self, site: int, offset: int) -> None:
        super().__init__(site, offset)
        self.site = site
        self.offset = offset


class ChanceQueue:
    """The numbers that a program is given instead of those of a generator."""

    def __init__(self) -> None:
        self._numbers: Sequence[int] = ()
        self._used = 0

    def fill(self, numbers: Sequence[int]) -> None:
        """These are given from now on, and no others."""
        self._numbers = numbers
        self._used = 0

    def below(self, s: list[int], count: int, site: int, offset: int) -> int:
        """The next number; raises `ChanceNeeded` when there is none."""
        if self._used == len(self._numbers):
            raise ChanceNeeded(site, offset)
        self._used += 1
        return self._numbers[self._used - 1]


def site_place(rules: Rules, site: ChanceSite, offset: int) -> int:
    """The number of the place, or of the state variable, that chance decides on."""
    owner = rules.zones[site.owner] if site.kind == "draw" else rules.states[site.owner]
    return owner.first_index + offset


def draw_event(place: int, content: Content, *, is_pool: bool, is_random: bool) -> ChanceEvent:
    """The event of a draw from a place, as the reference engine has it."""
    if isinstance(content, Pile):
        outcomes = [(thing, 1) for thing in (sorted(content.things) if is_random else content.loose)]
    elif is_pool:
        outcomes = [(member, count) for member, count in enumerate(content) if count]
    else:
        outcomes = [(thing, 1) for thing in content]
    return ChanceEvent("draw", place, tuple(outcomes))


def outcome_number(event: ChanceEvent, outcome: int) -> int:
    """The number by which a program knows an outcome. Raises `ValueError` for what is none."""
    number = 0
    for value, weight in event.outcomes:
        if value == outcome:
            return number
        number += weight
    raise ValueError(f"{outcome} is not an outcome of the pending chance event")


def outcome_of_number(event: ChanceEvent, number: int) -> int:
    """The outcome that a program knows by a number."""
    for value, weight in event.outcomes:
        number -= weight
        if number < 0:
            return value
    raise AssertionError("a number of one of the outcomes")


__all__ = ["ChanceNeeded", "ChanceQueue", "draw_event", "outcome_number", "outcome_of_number", "site_place"]
