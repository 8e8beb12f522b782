"""Which types of value go together: what fits where, what two types have in common, and what covers both.

In: types and the kinds. Out: yes or no, or a type. Bounds are carried along: the interval of a number, the largest size
of a bag or set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from rulewright.expr.types import SEAT, Bag, Flag, KindInfo, Member, Number, SetOf, Thing, Type, UnknownType

KindTable = Mapping[str, KindInfo]


def family_of(kind: str, kinds: KindTable) -> str:
    """The name of the family in which a kind's members are numbered."""
    return kinds[kind].family or kind


def as_number(type_: Type, kinds: KindTable) -> Number | None:
    """The type as a number: itself, or the bounds of a kind of numbers; else None."""
    if isinstance(type_, Number):
        return type_
    if isinstance(type_, Member) and kinds[type_.kind].is_numeric:
        numbers = kinds[type_.kind].member_values
        return Number(min(numbers, default=0), max(numbers, default=0))
    return None


def is_within_kind(interval: Number, kind: str, kinds: KindTable) -> bool:
    """Whether every number of an interval is a member of a kind of numbers."""
    numbers = kinds[kind].member_values
    if not kinds[kind].is_numeric or not numbers or not min(numbers) <= interval.low <= interval.high <= max(numbers):
        return False
    return len(numbers) == max(numbers) - min(numbers) + 1 or all(
        number in numbers for number in range(interval.low, interval.high + 1)
    )


def includes_kind(kind: str, other: str, kinds: KindTable) -> bool:
    """Whether all members of `other` are members of `kind`."""
    return kind == other or other in kinds[kind].includes


def overlaps(left: str, right: str, kinds: KindTable) -> bool:
    """Whether two kinds have a member in common (numbers are common to all kinds of numbers)."""
    first, second = kinds[left], kinds[right]
    is_related = family_of(left, kinds) == family_of(right, kinds) or (first.is_numeric and second.is_numeric)
    return is_related and not set(first.member_values).isdisjoint(second.member_values)


def common_kind(left: str, right: str, kinds: KindTable) -> str | None:
    """The smallest kind that has all members of both, or None."""
    candidates = [name for name in kinds if includes_kind(name, left, kinds) and includes_kind(name, right, kinds)]
    return min(candidates, key=lambda name: (len(kinds[name].members), name)) if candidates else None


def is_assignable(given: Type, wanted: Type, kinds: KindTable) -> bool:
    """Whether a value of type `given` fits where `wanted` is required.

    A number only needs to overlap the wanted interval: states and parameters are kept within their bounds in play. A
    number fits a kind of numbers if it is always one of its members. `Bag("")` accepts every bag, `SetOf(None)` every
    set.
    """
    match given, wanted:
        case (UnknownType(), _) | (_, UnknownType()):
            return True
        case Flag(), Flag():
            return True
        case _, Number(low, high):
            number = as_number(given, kinds)
            return number is not None and number.low <= high and low <= number.high
        case Member(kind), Member(wanted_kind):
            if includes_kind(wanted_kind, kind, kinds):  # of a kind and itself no more is looked up
                return True
            number = as_number(given, kinds)
            return number is not None and is_within_kind(number, wanted_kind, kinds)
        case Number(), Member(wanted_kind):
            return is_within_kind(given, wanted_kind, kinds)
        case Thing(component), Thing(wanted_component):
            return component == wanted_component
        case Bag(kind), Bag(wanted_kind):
            return not kind or not wanted_kind or includes_kind(wanted_kind, kind, kinds)
        case SetOf(None) | SetOf(_, 0) | Bag(""), SetOf():
            return True
        case SetOf(), SetOf(None):
            return True
        case SetOf(element), SetOf(wanted_element):
            assert element is not None
            assert wanted_element is not None
            return is_assignable(element, wanted_element, kinds)
        case _:
            return False


def is_comparable(left: Type, right: Type, kinds: KindTable) -> bool:
    """Whether two values can be equal at all, judged by their types."""
    match left, right:
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
        # `nothing` and `empty` both mean: no members at all
        case (Bag(""), SetOf()) | (SetOf(), Bag("")) | (SetOf(None), Bag()) | (Bag(), SetOf(None)):
            return True
        case (SetOf(None), SetOf()) | (SetOf(), SetOf(None)):
            return True
        case SetOf(first_element), SetOf(second_element):
            assert first_element is not None
            assert second_element is not None
            return is_comparable(first_element, second_element, kinds)
        case _:
            # kinds of numbers without a common member are compared as numbers: the bounds show that it never holds
            return as_number(left, kinds) is not None and as_number(right, kinds) is not None


def join_types(left: Type, right: Type, kinds: KindTable) -> Type | None:
    """The type of a value that has one type or the other; None if no type covers both."""
    match left, right:
        case (UnknownType(), _) | (_, UnknownType()):
            return UnknownType()
        case Number(low, high), Number(other_low, other_high):
            return Number(min(low, other_low), max(high, other_high))
        case Member(kind), Member(other_kind) if joined_kind := common_kind(kind, other_kind, kinds):
            return Member(joined_kind)
        case Bag(kind, size), Bag(other_kind, other_size):
            bag_kind = common_kind(kind, other_kind, kinds) if kind and other_kind else kind or other_kind
            return None if bag_kind is None else Bag(bag_kind, max(size, other_size))
        case (SetOf(None, size), SetOf(element, other_size)) | (SetOf(element, size), SetOf(None, other_size)):
            return SetOf(element, max(size, other_size))
        case SetOf(element, size), SetOf(other_element, other_size):
            assert element is not None
            assert other_element is not None
            joined = join_types(element, other_element, kinds)
            return SetOf(joined, max(size, other_size)) if isinstance(joined, Member | Thing | Number) else None
        # `empty` can be a bag, `nothing` a set
        case (SetOf(None), Bag() as bag) | (Bag() as bag, SetOf(None)) if bag.kind:
            return bag
        case (Bag(""), SetOf() as set_) | (SetOf() as set_, Bag("")):
            return set_
        case _ if left == right:
            return left
        case _:
            first, second = as_number(left, kinds), as_number(right, kinds)
            return None if first is None or second is None else join_types(first, second, kinds)


def element_type(type_: Type, kinds: KindTable) -> Member | Thing | Number | UnknownType | None:
    """The type of a variable that loops over a value: an element of a set, a member that a bag contains, a cell of a
    line; None for other values.
    """
    match type_:
        case SetOf(element):
            return UnknownType() if element is None else element
        case Bag(kind):
            return Member(kind) if kind else UnknownType()
        case Member(kind) if kinds[kind].cell_kind:
            return Member(kinds[kind].cell_kind)
        case UnknownType():
            return UnknownType()
        case _:
            return None


def max_elements(type_: Type, kinds: KindTable) -> int:
    """How many elements a loop over a value of this type can have at most."""
    match type_:
        case SetOf(_, size):
            return size
        case Bag(kind, size):
            return min(size, len(kinds[kind].members)) if kind else 0
        case Member(kind) if kinds[kind].cell_kind:
            return max_line_length(kind, kinds)
        case Member() | Flag() | Number() | Thing() | UnknownType():
            return 0
        case _:
            assert_never(type_)


def max_line_length(kind: str, kinds: KindTable) -> int:
    """How many cells the longest line of a kind of lines has."""
    return max((len(line) for line in kinds[kind].lines), default=0)


VOWEL_LETTERS: Final = "aeio"  # without u: a unit


def describe_type(type_: Type, kinds: KindTable | None = None) -> str:
    """A type in words: a bag of `chip`. With `kinds` given, a kind of numbers has its bounds: `a level (1 to 3)`."""
    match type_:
        case Flag():
            return "true or false"
        case Number():
            return "a number"
        case Member(kind):
            bounds = as_number(type_, kinds) if kinds else None
            return f"{article(kind)} {kind}" + (f" ({bounds.low} to {bounds.high})" if bounds else "")
        case Thing(component):
            return f"{article(component)} {component}"
        case Bag(kind):
            return f"a bag of `{kind}`" if kind else "a bag"
        case SetOf(element):
            if element == SEAT:
                return "a set of players"
            if isinstance(element, Member | Thing):
                return f"a set of `{element.kind if isinstance(element, Member) else element.component}`"
            return "a set" if element is None else "a set of numbers"
        case UnknownType():
            return "unknown"
        case _:
            assert_never(type_)


def article(word: str) -> str:
    """`a` or `an`."""
    return "an" if word[:1] in VOWEL_LETTERS else "a"
