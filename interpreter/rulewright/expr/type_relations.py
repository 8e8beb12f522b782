"""Which sorts of value go together: what fits where, what two have in common, and what both are.

In: types and the kinds. Out: yes or no, or a type. Bounds are carried along: a number's interval, the most a bag or
set can hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.expr.types import Bag, Flag, KindInfo, Member, Number, SetOf, Thing, Type, UnknownType

KindTable = Mapping[str, KindInfo]


def family_of(kind: str, kinds: KindTable) -> str:
    """The name of the kinds that a kind is numbered with."""
    return kinds[kind].family or kind


def as_number(type_: Type, kinds: KindTable) -> Number | None:
    """The type as a number: itself, or the bounds of a kind of numbers; else None."""
    if isinstance(type_, Number):
        return type_
    if isinstance(type_, Member) and kinds[type_.kind].is_numeric:
        numbers = kinds[type_.kind].member_values
        return Number(min(numbers, default=0), max(numbers, default=0))
    return None


def is_within_kind(wanted: Number, kind: str, kinds: KindTable) -> bool:
    """Whether every number of an interval is a member of a kind of numbers."""
    numbers = kinds[kind].member_values
    if not kinds[kind].is_numeric or not numbers or not min(numbers) <= wanted.low <= wanted.high <= max(numbers):
        return False
    return len(numbers) == max(numbers) - min(numbers) + 1 or all(
        one in numbers for one in range(wanted.low, wanted.high + 1)
    )


def includes_kind(kind: str, other: str, kinds: KindTable) -> bool:
    """Whether all members of `other` are members of `kind`."""
    return kind == other or other in kinds[kind].includes


def overlaps(one: str, other: str, kinds: KindTable) -> bool:
    """Whether two kinds have a member in common (numbers are common to all kinds of numbers)."""
    first, second = kinds[one], kinds[other]
    related = family_of(one, kinds) == family_of(other, kinds) or (first.is_numeric and second.is_numeric)
    return related and not set(first.member_values).isdisjoint(second.member_values)


def common_kind(one: str, other: str, kinds: KindTable) -> str | None:
    """The smallest kind that holds all members of both, or None."""
    fitting = [name for name in kinds if includes_kind(name, one, kinds) and includes_kind(name, other, kinds)]
    return min(fitting, key=lambda name: (len(kinds[name].members), name)) if fitting else None


def is_assignable(given: Type, wanted: Type, kinds: KindTable) -> bool:
    """Whether a value may stand where another type is wanted.

    A wanted number needs only to overlap: states and parameters are held to their bounds in play. A wanted member of
    numbers takes a number that is surely inside. `Bag("")` wants any bag, `SetOf(None)` any set.
    """
    match given, wanted:
        case (UnknownType(), _) | (_, UnknownType()):
            return True
        case Flag(), Flag():
            return True
        case _, Number(low, high):
            found = as_number(given, kinds)
            return found is not None and found.low <= high and low <= found.high
        case Member(kind), Member(other):
            found = as_number(given, kinds)
            return includes_kind(other, kind, kinds) or (found is not None and is_within_kind(found, other, kinds))
        case Number(), Member(other):
            return is_within_kind(given, other, kinds)
        case Thing(component), Thing(other):
            return component == other
        case Bag(kind), Bag(other):
            return not kind or not other or includes_kind(other, kind, kinds)
        case SetOf(None) | SetOf(_, 0), SetOf():
            return True
        case SetOf(), SetOf(None):
            return True
        case SetOf(of), SetOf(other_of):
            assert of is not None
            assert other_of is not None
            return is_assignable(of, other_of, kinds)
        case SetOf(None), Bag():
            return False
        case _:
            return False


def is_comparable(one: Type, other: Type, kinds: KindTable) -> bool:
    """Whether two values can be equal at all, by what they are."""
    match one, other:
        case (UnknownType(), _) | (_, UnknownType()):
            return True
        case (Flag(), Flag()):
            return True
        case Member(first), Member(second) if overlaps(first, second, kinds):
            return True
        case Thing(first), Thing(second):
            return first == second
        case Bag(first), Bag(second):
            return not first or not second or family_of(first, kinds) == family_of(second, kinds)
        # `nothing` and `empty` both say: no members at all
        case (Bag(""), SetOf()) | (SetOf(), Bag("")) | (SetOf(None), Bag()) | (Bag(), SetOf(None)):
            return True
        case (SetOf(None), SetOf()) | (SetOf(), SetOf(None)):
            return True
        case SetOf(of), SetOf(other_of):
            assert of is not None
            assert other_of is not None
            return is_comparable(of, other_of, kinds)
        case _:
            # kinds of numbers that share none are compared as numbers: the bounds tell that it is never so
            return as_number(one, kinds) is not None and as_number(other, kinds) is not None


def join_types(one: Type, other: Type, kinds: KindTable) -> Type | None:
    """The type of a value that is one or the other; None when they do not go together."""
    match one, other:
        case (UnknownType(), _) | (_, UnknownType()):
            return UnknownType()
        case Number(low, high), Number(low_2, high_2):
            return Number(min(low, low_2), max(high, high_2))
        case Member(kind), Member(kind_2) if both := common_kind(kind, kind_2, kinds):
            return Member(both)
        case Bag(kind, most), Bag(kind_2, most_2):
            both_kinds = (kind or kind_2) if not kind or not kind_2 else common_kind(kind, kind_2, kinds)
            return None if both_kinds is None else Bag(both_kinds, max(most, most_2))
        case (SetOf(None, most), SetOf(of, most_2)) | (SetOf(of, most_2), SetOf(None, most)):
            return SetOf(of, max(most, most_2))
        case SetOf(of, most), SetOf(of_2, most_2):
            assert of is not None
            assert of_2 is not None
            both_of = join_types(of, of_2, kinds)
            return SetOf(both_of, max(most, most_2)) if isinstance(both_of, Member | Thing | Number) else None
        # `empty` may stand for a bag, `nothing` for a set
        case (SetOf(None), Bag() as bag) | (Bag() as bag, SetOf(None)) if bag.kind:
            return bag
        case (Bag(""), SetOf() as set_) | (SetOf() as set_, Bag("")):
            return set_
        case _ if one == other:
            return one
        case _:
            first, second = as_number(one, kinds), as_number(other, kinds)
            return None if first is None or second is None else join_types(first, second, kinds)


def element_type(type_: Type, kinds: KindTable) -> Member | Thing | Number | UnknownType | None:
    """What a variable is that runs over a value: a member of a set, one that a bag holds; None for other values."""
    match type_:
        case SetOf(of):
            return UnknownType() if of is None else of
        case Bag(kind):
            return Member(kind) if kind else UnknownType()
        case Member(kind) if kinds[kind].cell_kind:
            return Member(kinds[kind].cell_kind)
        case UnknownType():
            return UnknownType()
        case _:
            return None


def max_elements(type_: Type, kinds: KindTable) -> int:
    """How many a variable can run over in a value."""
    match type_:
        case SetOf(_, most):
            return most
        case Bag(kind, most):
            return min(most, len(kinds[kind].members)) if kind else 0
        case Member(kind) if kinds[kind].cell_kind:
            return max_line_length(kind, kinds)
        case _:
            return 0


def max_line_length(kind: str, kinds: KindTable) -> int:
    """How many cells the longest line of a kind of lines has."""
    return max((len(line) for line in kinds[kind].lines), default=0)


VOWEL_LETTERS: Final = "aeio"


def describe_type(type_: Type, kinds: KindTable | None = None) -> str:
    """A type in words: `a bag of chip`. With the kinds, a kind of numbers says its ends: `a level (1 to 3)`."""
    match type_:
        case Flag():
            return "true or false"
        case Number():
            return "a number"
        case Member(kind):
            ends = as_number(type_, kinds) if kinds else None
            return f"{article(kind)} {kind}" + (f" ({ends.low} to {ends.high})" if ends else "")
        case Thing(component):
            return f"{article(component)} {component}"
        case Bag(kind):
            return f"a bag of {kind}" if kind else "a bag"
        case SetOf(of):
            if of is None:
                return "a set"
            return "a set of numbers" if isinstance(of, Number) else f"a set of {describe_type(of).split(' ', 1)[1]}"
        case UnknownType():
            return "something unclear"


def article(word: str) -> str:
    """`a` or `an`."""
    return "an" if word[:1] in VOWEL_LETTERS else "a"
