"""What kind of value an expression has: a flag, a number, a member, a thing, a bag or a set.

In: nothing. Out: the types, a closed union, and `KindInfo`, what the checker and the engines know of a kind.
"""

from __future__ import annotations

from typing import Final

from rulewright.frozen import frozen

ConstantValue = int | tuple[int, ...] | None  # of a flag, number, member or thing; of a bag or set; of `nothing`


@frozen
class Flag:
    """True or false."""


@frozen
class Number:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


@frozen
class Member:
    """One member of a kind.

    At run time an integer: the number itself in a kind of numbers, else its index in the family.
    """

    kind: str


@frozen
class Thing:
    """One row of a component. At run time its index among the rows."""

    component: str


@frozen
class Bag:
    """A count for each member of a kind. At run time a tuple of counts, one for each member of the kind's family."""

    kind: str  # "" for `nothing`, which is a bag of every kind
    max_size: int = 1000  # upper bound of every count and of their total


@frozen
class SetOf:
    """Distinct members, things or numbers, in order. At run time a tuple. `element` is None for `empty`."""

    element: Member | Thing | Number | None
    max_size: int = 1000  # upper bound of the number of elements


@frozen
class UnknownType:
    """The type of an expression already reported as wrong; it fits everywhere, so that one mistake gives one
    diagnostic.
    """


Type = Flag | Number | Member | Thing | Bag | SetOf | UnknownType

FLAG: Final = Flag()
ANY_NUMBER: Final = Number(-(10**9), 10**9)
ANY_BAG: Final = Bag("")
SEAT: Final = Member("player")  # the built-in kind: who plays. The only place where the language's word for it stands
FORMER_SEAT_KIND: Final = "seat"  # its name in version 1 of the language
PLAYER_COUNT: Final = "players"  # the built-in number, which differs by one letter


@frozen
class KindInfo:
    """A kind. A family is the set of kinds that embed one another; its members are numbered together."""

    name: str
    members: tuple[str, ...]  # ids in order; numbers as decimal digits
    member_values: tuple[int, ...]  # run-time value of each: itself if `is_numeric`, else its index in the family
    is_numeric: bool = False
    family: str = ""
    includes: frozenset[str] = frozenset()  # kinds all of whose members are members of this one (itself included)
    cell_kind: str = ""  # the kind whose members make up a line
    lines: tuple[tuple[int, ...], ...] = ()  # for each member the values of its cells
    columns: int = 0  # columns of a grid, whose members are a1, b1, … row by row; else 0

    def name_key(self, member: str) -> str:
        """By what the name of a member is looked up: a word by itself, since it is in one family only; a number as
        one of this kind.
        """
        return f"{self.name}.{member}" if self.is_numeric else member

    def is_player(self, member: str) -> bool:
        """Whether a member is a player, by the number of its seat."""
        return self.family == SEAT.kind and member.isdecimal()

    def cell_numbers(self, field: str) -> tuple[int, ...]:
        """The `row` or `column` of each cell of a grid, counted from 1."""
        assert self.columns, self.name
        return tuple(
            (index // self.columns if field == "row" else index % self.columns) + 1
            for index in range(len(self.members))
        )
