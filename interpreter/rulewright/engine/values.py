"""Values at run time: what a position's places hold, and how numbers, bags and sets combine.

In: nothing. Out: the types of run-time values, functions that narrow them (not for hot paths), arithmetic. A bag is a
tuple of counts by family number (`()` is the empty bag of any kind), a set a tuple without repetition; members, things
and seats are integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, ge, gt, le, lt, mul, sub
from typing import Final, NamedTuple, TypeAlias

Members: TypeAlias = tuple[int, ...]  # the elements of a set, in its order; also things and seats
BagCounts: TypeAlias = tuple[int, ...]  # how many there are of each member of a family
RuntimeValue: TypeAlias = int | tuple[int, ...]  # a number, flag, member or thing; a bag or set


class Pile(NamedTuple):
    """Things in a shuffled place: on top in a known order, then without an order that anybody knows, then put under.

    `fixed`: the order of the loose things was set from outside and is the order in which they are drawn; otherwise
    chance decides, and the loose things are listed in the order of their rows.
    """

    top: tuple[int, ...]
    loose: tuple[int, ...]
    bottom: tuple[int, ...]
    fixed: bool = False

    @property
    def parts(self) -> tuple[tuple[int, ...], ...]:
        """Top, loose and bottom."""
        return self.top, self.loose, self.bottom

    def remove(self, thing: int) -> Pile:
        """The pile without a thing."""
        top, loose, bottom = [tuple([other for other in part if other != thing]) for part in self.parts]
        return normalize_pile(Pile(top, loose, bottom, self.fixed))

    @property
    def things(self) -> tuple[int, ...]:
        """All things, from top to bottom."""
        return self.top + self.loose + self.bottom


Content: TypeAlias = tuple[int, ...] | Pile  # of a place: a bag, things in their order, or a pile


def normalize_pile(pile: Pile) -> Pile:
    """The same pile in canonical form: a single loose thing has an order; a pile with nothing loose is all top."""
    if len(pile.loose) > 1:
        return pile
    return Pile(pile.top + pile.loose + pile.bottom, (), ())


def content_things(content: Content) -> tuple[int, ...]:
    """The things in a place, from top to bottom."""
    return content.things if isinstance(content, Pile) else content


def content_bag(content: Content) -> BagCounts:
    """The bag in a place of pieces."""
    assert not isinstance(content, Pile)
    return content


def as_value(value: RuntimeValue | None) -> RuntimeValue:
    """A value of the rules that is known to be there."""
    assert value is not None
    return value


def as_int(value: RuntimeValue | None) -> int:
    """A value whose static type is a number, flag, member or thing."""
    assert isinstance(value, int)
    return value


def as_tuple(value: RuntimeValue | None) -> tuple[int, ...]:
    """A value whose static type is a bag or set."""
    assert isinstance(value, tuple)
    return value


def add_bags(left: BagCounts, right: BagCounts) -> BagCounts:
    """The sum of two bags."""
    return tuple(map(add, left, right)) if left and right else left or right


def subtract_bag(left: BagCounts, right: BagCounts) -> BagCounts:
    """What remains of a bag; no count falls below zero."""
    return tuple([a - b if a > b else 0 for a, b in zip(left, right, strict=True)]) if left and right else left


def count_rest(left: BagCounts, right: BagCounts) -> int:
    """How many pieces remain of a bag when another is subtracted."""
    return sum(subtract_bag(left, right))


def is_sub_bag(left: BagCounts, right: BagCounts) -> bool:
    """Whether a bag holds no more of any member than another."""
    if not left:
        return True
    return all(map(le, left, right)) if right else not any(left)


ORDERINGS: Final[Mapping[str, Callable[[int, int], bool]]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
NUMBER_OPS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "less": lambda a, b: a - b if a > b else 0,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
SET_OPS: Final[Mapping[str, Callable[[Members, Members], Members]]] = {
    "+": lambda a, b: a + tuple([x for x in b if x not in a]) if a else b,
    "less": lambda a, b: tuple([x for x in a if x not in b]) if b else a,
}
