"""All the values that something may have, as far as that is known: the domain of an abstract interpretation.

In: values. Out: ranges, a closed union, and how they combine. Every operation is safe: what the operands can be, the
result can be. `Scalars` are numbers, flags, members and things: listed while they are few, else from lowest to highest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product
from typing import Final

from rulewright.frozen import frozen

MAX_LISTED: Final = 512  # values that are listed one by one
MAX_PAIRS: Final = 4096  # pairs of listed values that an operation tries
MAX_REMEMBERED: Final = 1024  # ranges that are not made again: most are asked for very often
UNBOUNDED: Final = 10**9  # what no count in a game reaches


@frozen
class Scalars:
    """A number, flag (0 or 1), member or thing: one of `listed`, or (None) any from `low` to `high`. Empty: none."""

    low: int
    high: int
    listed: frozenset[int] | None

    @staticmethod
    def of(values: Iterable[int]) -> Scalars:
        """One of these values."""
        listed = frozenset(map(int, values))
        return _of_listed(listed) if len(listed) <= MAX_LISTED else Scalars(min(listed), max(listed), None)

    @staticmethod
    def between(low: int, high: int) -> Scalars:
        """Any number from `low` to `high`."""
        return _between(low, high)

    @property
    def is_empty(self) -> bool:
        """Whether there is no such value: what needs one never happens."""
        return self.low > self.high

    @property
    def single(self) -> int | None:
        """The value, when it can be only one."""
        return self.low if self.low == self.high else None

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high if self.listed is None else value in self.listed

    def join(self, other: Scalars) -> Scalars:
        """What one of the two can be."""
        if self.is_empty or other.is_empty:
            return other if self.is_empty else self
        if self.listed is not None and other.listed is not None:
            return Scalars.of(self.listed | other.listed)
        return Scalars(min(self.low, other.low), max(self.high, other.high), None)

    def meet(self, other: Scalars) -> Scalars:
        """What both can be."""
        if self.listed is not None:
            return Scalars.of(value for value in self.listed if value in other)
        if other.listed is not None:
            return Scalars.of(value for value in other.listed if value in self)
        return Scalars.between(max(self.low, other.low), min(self.high, other.high))

    def combine(self, other: Scalars, op: Callable[[int, int], int], low: int, high: int) -> Scalars:
        """The results of an operation on two numbers. `low`, `high`: the ends of its results, for long ranges."""
        if self.is_empty or other.is_empty:
            return EMPTY_SCALARS
        if self.listed and other.listed and len(self.listed) * len(other.listed) <= MAX_PAIRS:
            return Scalars.of(op(a, b) for a, b in product(self.listed, other.listed))
        return Scalars.between(low, high)

    def clip(self, low: int, high: int) -> Scalars:
        """What is left within two bounds."""
        return self.meet(Scalars.between(low, high)) if self.low < low or self.high > high else self


@lru_cache(maxsize=MAX_REMEMBERED)
def _of_listed(listed: frozenset[int]) -> Scalars:
    return Scalars(min(listed), max(listed), listed) if listed else EMPTY_SCALARS


@lru_cache(maxsize=MAX_REMEMBERED)
def _between(low: int, high: int) -> Scalars:
    if low > high:
        return EMPTY_SCALARS
    low, high = max(low, -UNBOUNDED), min(high, UNBOUNDED)
    return Scalars(low, high, frozenset(range(low, high + 1)) if high - low < MAX_LISTED else None)


EMPTY_SCALARS: Final = Scalars(1, 0, frozenset())
FALSE: Final = Scalars(0, 0, frozenset({0}))
TRUE: Final = Scalars(1, 1, frozenset({1}))
EITHER: Final = Scalars(0, 1, frozenset({0, 1}))


@frozen
class BagRange:
    """A bag: for each index in the bags of its family the fewest and most, and the same for the total.

    No counts at all: the empty bag of any kind.
    """

    lows: tuple[int, ...]
    highs: tuple[int, ...]
    low_total: int
    high_total: int

    @staticmethod
    def of(lows: Iterable[int], highs: Iterable[int], low_total: int = 0, high_total: int = UNBOUNDED) -> BagRange:
        """A bag between two, with a total between two numbers."""
        lows, highs = tuple(lows), tuple(min(high, UNBOUNDED) for high in highs)
        low_total, high_total = max(low_total, sum(lows)), min(high_total, sum(highs))
        return BagRange(lows, tuple(min(high, max(0, high_total)) for high in highs), low_total, max(0, high_total))

    @staticmethod
    def exactly(counts: Iterable[int]) -> BagRange:
        """This bag."""
        counts = tuple(counts)
        return BagRange.of(counts, counts)

    @property
    def members(self) -> range:
        """The indexes."""
        return range(len(self.highs))

    def _aligned(self, other: BagRange) -> tuple[BagRange, BagRange]:
        """Both with counts: the empty bag of any kind has as many as the other."""
        zeros = (0,) * max(len(self.highs), len(other.highs))
        return (
            self if self.highs else BagRange(zeros, zeros, 0, 0),
            other if other.highs else BagRange(zeros, zeros, 0, 0),
        )

    def join(self, other: BagRange) -> BagRange:
        """What one of the two can be."""
        a, b = self._aligned(other)
        return BagRange.of(
            map(min, a.lows, b.lows),
            map(max, a.highs, b.highs),
            min(a.low_total, b.low_total),
            max(a.high_total, b.high_total),
        )

    def plus(self, other: BagRange) -> BagRange:
        """Both together."""
        a, b = self._aligned(other)
        return BagRange.of(
            map(sum, zip(a.lows, b.lows, strict=True)),
            map(sum, zip(a.highs, b.highs, strict=True)),
            a.low_total + b.low_total,
            a.high_total + b.high_total,
        )

    def less(self, other: BagRange) -> BagRange:
        """What remains; no count falls below zero."""
        a, b = self._aligned(other)
        return BagRange.of(
            (max(0, low - high) for low, high in zip(a.lows, b.highs, strict=True)),
            (max(0, high - low) for high, low in zip(a.highs, b.lows, strict=True)),
            max(0, a.low_total - b.high_total),
            a.high_total,
        )

    def times(self, low: int, high: int) -> BagRange:
        """So many of it, at least `low` and at most `high`."""
        return BagRange.of(
            (count * low for count in self.lows),
            (count * high for count in self.highs),
            self.low_total * low,
            self.high_total * high,
        )

    def within(self, other: BagRange) -> BagRange:
        """What is at most as large in every count and in total: a part of that bag."""
        a, b = self._aligned(other)
        return BagRange.of(map(min, a.lows, b.highs), map(min, a.highs, b.highs), 0, min(a.high_total, b.high_total))


@frozen
class SetRange:
    """A set: its elements are among `elements`, and their number is from `fewest` to `most`."""

    elements: Scalars
    fewest: int
    most: int

    @staticmethod
    def of(elements: Scalars, fewest: int = 0, most: int = UNBOUNDED) -> SetRange:
        """A set of some of these."""
        size = len(elements.listed) if elements.listed is not None else elements.high - elements.low + 1
        return SetRange(elements, max(0, fewest), max(0, min(most, size)))

    @staticmethod
    def exactly(values: Iterable[int]) -> SetRange:
        """This set."""
        elements = Scalars.of(values)
        size = len(elements.listed) if elements.listed is not None else elements.high - elements.low + 1
        return SetRange(elements, size if elements.listed is not None else 0, size)

    @property
    def is_exact(self) -> bool:
        """Whether every one of the elements is in it, always."""
        return self.elements.listed is not None and self.fewest == len(self.elements.listed)

    def join(self, other: SetRange) -> SetRange:
        """What one of the two can be."""
        elements = self.elements.join(other.elements)
        return SetRange.of(elements, min(self.fewest, other.fewest), max(self.most, other.most))

    def union(self, other: SetRange) -> SetRange:
        """Both together."""
        elements = self.elements.join(other.elements)
        return SetRange.of(elements, max(self.fewest, other.fewest), self.most + other.most)

    def less(self, other: SetRange) -> SetRange:
        """What is in this one and not in the other."""
        elements = self.elements
        if other.is_exact and elements.listed is not None:
            elements = Scalars.of(elements.listed - (other.elements.listed or frozenset()))
        return SetRange.of(elements, self.fewest - other.most, self.most)


ValueRange = Scalars | BagRange | SetRange


def join(left: ValueRange | None, right: ValueRange | None) -> ValueRange | None:
    """What one of two can be; None: nothing is known to be possible."""
    match left, right:
        case None, other:
            return other
        case other, None:
            return other
        case (Scalars() as a, Scalars() as b):
            return a.join(b)
        case (BagRange() as a, BagRange() as b):
            return a.join(b)
        case (SetRange() as a, SetRange() as b):
            return a.join(b)
    raise TypeError(f"{left} and {right} are ranges of different sorts")


__all__ = [
    "EITHER",
    "EMPTY_SCALARS",
    "FALSE",
    "MAX_LISTED",
    "TRUE",
    "UNBOUNDED",
    "BagRange",
    "Scalars",
    "SetRange",
    "ValueRange",
    "join",
]
