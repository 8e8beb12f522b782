"""Which sorts of value go together: what fits where, what two have in common, and what both are.

In: types and the kinds. Out: yes or no, or a type. Bounds are carried along: a number's interval, the most a bag or
set can hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.expr.types import Bag, Flag, KindInfo, Member, Number, SetOf, Thing, Type, Unknown

Kinds = Mapping[str, KindInfo]


def family(kind: str, kinds: Kinds) -> str:
    """The name of the kinds that a kind is numbered with."""
    return kinds[kind].family or kind


def number(type_: Type, kinds: Kinds) -> Number | None:
    """The type as a number: itself, or the bounds of a kind of numbers; else None."""
    if isinstance(type_, Number):
        return type_
    if isinstance(type_, Member) and kinds[type_.kind].numeric:
        numbers = kinds[type_.kind].numbers
        return Number(min(numbers, default=0), max(numbers, default=0))
    return None


def inside(wanted: Number, kind: str, kinds: Kinds) -> bool:
    """Whether every number of an interval is a member of a kind of numbers."""
    numbers = kinds[kind].numbers
    if not kinds[kind].numeric or not numbers or not min(numbers) <= wanted.low <= wanted.high <= max(numbers):
        return False
    return len(numbers) == max(numbers) - min(numbers) + 1 or all(
        one in numbers for one in range(wanted.low, wanted.high + 1)
    )


def holds(kind: str, other: str, kinds: Kinds) -> bool:
    """Whether all members of `other` are members of `kind`."""
    return kind == other or other in kinds[kind].embeds


def share(one: str, other: str, kinds: Kinds) -> bool:
    """Whether two kinds have a member in common (numbers are common to all kinds of numbers)."""
    first, second = kinds[one], kinds[other]
    related = family(one, kinds) == family(other, kinds) or (first.numeric and second.numeric)
    return related and not set(first.numbers).isdisjoint(second.numbers)


def wider(one: str, other: str, kinds: Kinds) -> str | None:
    """The smallest kind that holds all members of both, or None."""
    fitting = [name for name in kinds if holds(name, one, kinds) and holds(name, other, kinds)]
    return min(fitting, key=lambda name: (len(kinds[name].members), name)) if fitting else None


def fits(given: Type, wanted: Type, kinds: Kinds) -> bool:
    """Whether a value may stand where another type is wanted.

    A wanted number needs only to overlap: states and parameters are held to their bounds in play. A wanted member of
    numbers takes a number that is surely inside. `Bag("")` wants any bag, `SetOf(None)` any set.
    """
    match given, wanted:
        case (Unknown(), _) | (_, Unknown()):
            return True
        case Flag(), Flag():
            return True
        case _, Number(low, high):
            found = number(given, kinds)
            return found is not None and found.low <= high and low <= found.high
        case Member(kind), Member(other):
            found = number(given, kinds)
            return holds(other, kind, kinds) or (found is not None and inside(found, other, kinds))
        case Number(), Member(other):
            return inside(given, other, kinds)
        case Thing(component), Thing(other):
            return component == other
        case Bag(kind), Bag(other):
            return not kind or not other or holds(other, kind, kinds)
        case SetOf(None) | SetOf(_, 0), SetOf():
            return True
        case SetOf(), SetOf(None):
            return True
        case SetOf(of), SetOf(other_of):
            assert of is not None
            assert other_of is not None
            return fits(of, other_of, kinds)
        case SetOf(None), Bag():
            return False
        case _:
            return False


def alike(one: Type, other: Type, kinds: Kinds) -> bool:
    """Whether two values can be equal at all, by what they are."""
    match one, other:
        case (Unknown(), _) | (_, Unknown()):
            return True
        case (Flag(), Flag()):
            return True
        case Member(first), Member(second) if share(first, second, kinds):
            return True
        case Thing(first), Thing(second):
            return first == second
        case Bag(first), Bag(second):
            return not first or not second or family(first, kinds) == family(second, kinds)
        # `nothing` and `empty` both say: no members at all
        case (Bag(""), SetOf()) | (SetOf(), Bag("")) | (SetOf(None), Bag()) | (Bag(), SetOf(None)):
            return True
        case (SetOf(None), SetOf()) | (SetOf(), SetOf(None)):
            return True
        case SetOf(of), SetOf(other_of):
            assert of is not None
            assert other_of is not None
            return alike(of, other_of, kinds)
        case _:
            # kinds of numbers that share none are compared as numbers: the bounds tell that it is never so
            return number(one, kinds) is not None and number(other, kinds) is not None


def join(one: Type, other: Type, kinds: Kinds) -> Type | None:
    """The type of a value that is one or the other; None when they do not go together."""
    match one, other:
        case (Unknown(), _) | (_, Unknown()):
            return Unknown()
        case Number(low, high), Number(low_2, high_2):
            return Number(min(low, low_2), max(high, high_2))
        case Member(kind), Member(kind_2) if both := wider(kind, kind_2, kinds):
            return Member(both)
        case Bag(kind, most), Bag(kind_2, most_2):
            both_kinds = (kind or kind_2) if not kind or not kind_2 else wider(kind, kind_2, kinds)
            return None if both_kinds is None else Bag(both_kinds, max(most, most_2))
        case (SetOf(None, most), SetOf(of, most_2)) | (SetOf(of, most_2), SetOf(None, most)):
            return SetOf(of, max(most, most_2))
        case SetOf(of, most), SetOf(of_2, most_2):
            assert of is not None
            assert of_2 is not None
            both_of = join(of, of_2, kinds)
            return SetOf(both_of, max(most, most_2)) if isinstance(both_of, Member | Thing | Number) else None
        # `empty` may stand for a bag, `nothing` for a set
        case (SetOf(None), Bag() as bag) | (Bag() as bag, SetOf(None)) if bag.kind:
            return bag
        case (Bag(""), SetOf() as set_) | (SetOf() as set_, Bag("")):
            return set_
        case _ if one == other:
            return one
        case _:
            first, second = number(one, kinds), number(other, kinds)
            return None if first is None or second is None else join(first, second, kinds)


def element(type_: Type, kinds: Kinds) -> Member | Thing | Number | Unknown | None:
    """What a variable is that runs over a value: a member of a set, one that a bag holds; None for other values."""
    match type_:
        case SetOf(of):
            return Unknown() if of is None else of
        case Bag(kind):
            return Member(kind) if kind else Unknown()
        case Member(kind) if kinds[kind].lines_of:
            return Member(kinds[kind].lines_of)
        case Unknown():
            return Unknown()
        case _:
            return None


def size(type_: Type, kinds: Kinds) -> int:
    """How many a variable can run over in a value."""
    match type_:
        case SetOf(_, most):
            return most
        case Bag(kind, most):
            return min(most, len(kinds[kind].members)) if kind else 0
        case Member(kind) if kinds[kind].lines_of:
            return longest(kind, kinds)
        case _:
            return 0


def longest(kind: str, kinds: Kinds) -> int:
    """How many cells the longest line of a kind of lines has."""
    return max((len(line) for line in kinds[kind].lines), default=0)


VOWELS: Final = "aeio"


def phrase(type_: Type, kinds: Kinds | None = None) -> str:
    """A type in words: `a bag of chip`. With the kinds, a kind of numbers says its ends: `a level (1 to 3)`."""
    match type_:
        case Flag():
            return "true or false"
        case Number():
            return "a number"
        case Member(kind):
            ends = number(type_, kinds) if kinds else None
            return f"{article(kind)} {kind}" + (f" ({ends.low} to {ends.high})" if ends else "")
        case Thing(component):
            return f"{article(component)} {component}"
        case Bag(kind):
            return f"a bag of {kind}" if kind else "a bag"
        case SetOf(of):
            if of is None:
                return "a set"
            return "a set of numbers" if isinstance(of, Number) else f"a set of {phrase(of).split(' ', 1)[1]}"
        case Unknown():
            return "something unclear"


def article(word: str) -> str:
    """`a` or `an`."""
    return "an" if word[:1] in VOWELS else "a"
