"""Values at run time: what a position's places hold, how bags and sets combine, and what an expression may read.

In: nothing. Out: the `Context` of an expression, and the arithmetic of bags and sets. A bag is a tuple of counts by
family number (`()` is the empty bag of any kind), a set a tuple without repetition; members, things and seats are
integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, ge, gt, le, lt, mul, sub
from typing import Any, Final, NamedTuple

RuntimeValue = Any  # int, bool, or a tuple of int: the expression's static type says which


class Pile(NamedTuple):
    """Things in a shuffled place: on top in a known order, then without an order that anybody knows, then put under.

    `fixed`: the order of what is loose was given from outside and is that of drawing; else chance will tell, and the
    loose are listed in the order of their rows.
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
        """The pile when a thing has left."""
        top, loose, bottom = [tuple([one for one in part if one != thing]) for part in self.parts]
        return normalize_pile(Pile(top, loose, bottom, self.fixed))

    @property
    def things(self) -> tuple[int, ...]:
        """All of them, from top to bottom."""
        return self.top + self.loose + self.bottom


def normalize_pile(pile: Pile) -> Pile:
    """The same pile in its one form: one thing without order has one, and a pile with nothing loose is all top."""
    if len(pile.loose) > 1:
        return pile
    return Pile(pile.top + pile.loose + pile.bottom, (), ())


class Context:
    """What an expression may read: a position, the seat in turn, the variables bound so far."""

    __slots__ = ("contents", "env", "expr_steps", "first_seat", "me", "memo", "round", "variables")

    def __init__(
        self,
        contents: Any,  # of each place a bag, a tuple of things, or a Pile
        variables: Any,
        *,
        me: int,
        env: tuple[RuntimeValue, ...] = (),
        first: int = 0,
        round: int = 0,
    ) -> None:
        self.contents = contents
        self.variables = variables
        self.me = me
        self.first_seat = first
        self.round = round
        self.memo: dict[Any, RuntimeValue] = {}
        self.expr_steps = 0  # steps that looking for legal actions could have taken so far
        self.env = [*env, *SPARE_SLOTS]


SPARE_SLOTS: Final = (0,) * 32  # room for the variables that quantifiers bind; the checker refuses deeper nesting


def add_bags(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    """Two bags put together."""
    return tuple(map(add, left, right)) if left and right else left or right


def subtract_bag(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    """What remains of a bag, never below nothing."""
    return tuple([a - b if a > b else 0 for a, b in zip(left, right, strict=True)]) if left and right else left


def is_sub_bag(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    """Whether a bag holds no more of anything than another."""
    if not left:
        return True
    return all(map(le, left, right)) if right else not any(left)


ORDERINGS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
NUMBER_OPS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "less": lambda a, b: max(0, a - b),
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
BAG_OPS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {"+": add_bags, "less": subtract_bag}
SET_OPS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": lambda a, b: a + tuple([x for x in b if x not in a]) if a else b,
    "less": lambda a, b: tuple([x for x in a if x not in b]) if b else a,
}
