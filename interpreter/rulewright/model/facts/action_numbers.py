"""A number for every action of a game, whatever the position: for masks, tables and networks.

In: rules and their facts. Out: `ActionNumbering`: how many there are, and for each choice of an action how its answers
are numbered. A thing is numbered by its place, as seen from the seat in turn, since there are fewer places than things;
a bag or set by its rank among all that facts allow, smaller ones first; a payment by how many wild pieces stand for
each member. `engine/numbered_actions.py` turns numbers into the actions of a position and back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb, prod
from typing import Final, assert_never

from rulewright.expr.tree import ReadZone
from rulewright.expr.types import Bag, Thing
from rulewright.expr.walk import is_me
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Choice, OneOf, Pay, SomeOf
from rulewright.model.bag_indexes import bag_index
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.move_sources import zone_reads
from rulewright.model.facts.value_ranges import BagRange, Scalars, SetRange, ValueRange
from rulewright.model.rules import Rules


@frozen
class ByPlace:
    """A thing by where it is. `slots`: how many things each place is counted with.

    Places in the order of the domain; keys that name the seat in turn are the same places for every seat.
    """

    reads: tuple[ReadZone, ...]
    slots: tuple[tuple[int, ...], ...]  # for each of `reads` and each of its places

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        return sum(map(sum, self.slots))


@frozen
class ByValue:
    """A number, flag, member or thing by its rank among those that it can be."""

    values: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        return len(self.values)


@frozen
class ByCounts:
    """A bag by its rank among all with at most `highs` of each and from `low_total` to `high_total` in all."""

    highs: tuple[int, ...]
    low_total: int
    high_total: int

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        return sum(_bag_count(self.highs, total) for total in range(self.low_total, self.high_total + 1))

    def rank(self, counts: Sequence[int]) -> int:
        """The rank of a bag: smaller ones first, then by the count of the first member, the second …"""
        total = sum(counts)
        rank = sum(_bag_count(self.highs, smaller) for smaller in range(self.low_total, total))
        for index, count in enumerate(counts):
            rest = self.highs[index + 1 :]
            rank += sum(_bag_count(rest, total - fewer) for fewer in range(count))
            total -= count
        return rank

    def counts(self, rank: int) -> tuple[int, ...]:
        """The bag with a rank."""
        total = self.low_total
        while rank >= (size := _bag_count(self.highs, total)):
            rank -= size
            total += 1
        counts = []
        for index in range(len(self.highs)):
            rest, count = self.highs[index + 1 :], 0
            while rank >= (size := _bag_count(rest, total - count)):
                rank -= size
                count += 1
            counts.append(count)
            total -= count
        return tuple(counts)


@frozen
class BySubset:
    """A set by its rank among all subsets of `values` with from `fewest` to `most` elements."""

    values: tuple[int, ...]
    fewest: int
    most: int

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        return sum(comb(len(self.values), size) for size in range(self.fewest, self.most + 1))

    def rank(self, elements: Sequence[int]) -> int:
        """The rank of a set: smaller ones first, then in the order of `combinations`."""
        indexes = sorted(map(self.values.index, elements))
        rank = sum(comb(len(self.values), size) for size in range(self.fewest, len(indexes)))
        start = 0
        for position, index in enumerate(indexes):
            left = len(indexes) - position - 1
            rank += sum(comb(len(self.values) - skipped - 1, left) for skipped in range(start, index))
            start = index + 1
        return rank

    def elements(self, rank: int) -> tuple[int, ...]:
        """The set with a rank, in the order of `values`."""
        size = self.fewest
        while rank >= (several := comb(len(self.values), size)):
            rank -= several
            size += 1
        found, start = [], 0
        for left in range(size - 1, -1, -1):
            while rank >= (several := comb(len(self.values) - start - 1, left)):
                rank -= several
                start += 1
            found.append(self.values[start])
            start += 1
        return tuple(found)


@frozen
class ByWild:
    """A payment by how many wild pieces stand for each member of the price; `vectors` says how many that can be."""

    vectors: ByCounts  # over all members; the wild one itself stands for none
    wild: int  # its index in a bag

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        return self.vectors.count


NUMBERING_VERSION: Final = 2  # raised when actions of any rules get other numbers

Numbering = ByPlace | ByValue | ByCounts | BySubset | ByWild


@frozen
class NumberedAction:
    """The numbers of one action: from `first` on, the last choice running fastest; none when it is never possible."""

    first: int
    choices: tuple[Numbering, ...]
    is_possible: bool = True

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        return prod(choice.count for choice in self.choices) if self.is_possible else 0


@frozen
class ActionNumbering:
    """The numbers of all actions. Number 0 declines."""

    actions: tuple[NumberedAction, ...]

    @property
    def count(self) -> int:
        """How many numbers there are; each is below this."""
        return 1 + sum(action.count for action in self.actions)


def find_action_numbering(rules: Rules, positions: PositionRanges) -> ActionNumbering:
    """The numbers of the actions of a rule model; those of one digest and `NUMBERING_VERSION` are always the same."""
    ranges = ExpressionRanges(rules, positions.contents, positions.variables)
    first, actions = 1, []
    for action in rules.actions:
        numbered = _number_action(ranges, positions, action, first)
        actions.append(numbered)
        first += numbered.count
    return ActionNumbering(tuple(actions))


def _number_action(
    ranges: ExpressionRanges, positions: PositionRanges, action: ActionDef, first: int
) -> NumberedAction:
    answers = positions.choices.get(action.index)
    if answers is None:
        return NumberedAction(first, (), is_possible=False)
    env: dict[int, ValueRange] = dict(enumerate(answers))
    numberings = tuple(
        _number_choice(ranges, positions, choice, answer, env)
        for choice, answer in zip(action.choices, answers, strict=True)
    )
    if not all(numbering.count for numbering in numberings):  # what it is chosen from is always empty
        return NumberedAction(first, (), is_possible=False)
    return NumberedAction(first, numberings)


def _number_choice(
    ranges: ExpressionRanges, positions: PositionRanges, choice: Choice, answer: ValueRange, env: dict[int, ValueRange]
) -> Numbering:
    match answer:
        case Scalars():
            by_value = ByValue(tuple(sorted(answer.listed or range(answer.low, answer.high + 1))))
            by_place = _by_place(ranges, positions, choice)
            return by_value if by_place is None or by_place.count >= by_value.count else by_place
        case BagRange():
            by_counts = ByCounts(answer.highs, answer.low_total, answer.high_total)
            by_wild = _by_wild(ranges, choice, answer, env)
            return by_counts if by_wild is None or by_wild.count >= by_counts.count else by_wild
        case SetRange():
            return _by_subset(answer)
        case _:
            assert_never(answer)


def _room(content: ValueRange) -> int:
    return content.most if isinstance(content, SetRange) else 0


def _by_subset(answer: SetRange) -> BySubset:
    values = tuple(sorted(answer.elements.listed or range(answer.elements.low, answer.elements.high + 1)))
    return BySubset(values, answer.fewest, min(answer.most, len(values)))


def answer_count(ranges: ExpressionRanges, choice: Choice, answer: ValueRange, env: Mapping[int, ValueRange]) -> int:
    """The most answers that a choice can have in one position. `answer`: what they can be in any."""
    match answer, choice.domain:
        case Scalars(), OneOf(of=of):
            return ranges.elements(of, env, ranges.seats).most
        case BagRange(), _:
            by_counts = ByCounts(answer.highs, answer.low_total, answer.high_total)
            by_wild = _by_wild(ranges, choice, answer, env)
            return by_counts.count if by_wild is None else min(by_counts.count, by_wild.count)
        case SetRange(), SomeOf(of=of):
            size = ranges.elements(of, env, ranges.seats).most
            return sum(comb(size, count) for count in range(answer.fewest, min(answer.most, size) + 1))
    raise TypeError(f"{answer} is no answer of {choice.address}")


def _by_place(ranges: ExpressionRanges, positions: PositionRanges, choice: Choice) -> ByPlace | None:
    """The numbers of a thing by its place, where the domain is what lies in some zones."""
    if not isinstance(choice.domain, OneOf) or not isinstance(choice.type, Thing):
        return None
    reads = zone_reads(choice.domain.of)
    if reads is None:
        return None
    slots = []
    for read in reads:
        zone = ranges.rules.zones[read.name]
        if zone.is_pool or not all(is_me(key) for key in read.keys):
            return None
        rooms = [  # for each seat in turn how much its places hold
            [_room(positions.contents[place]) for place in ranges.places(zone, read.keys, {}, Scalars.of((seat,)))]
            for seat in range(ranges.rules.players)
        ]
        slots.append(tuple(map(max, *rooms)) if len(rooms) > 1 else tuple(rooms[0]))
    return ByPlace(reads, tuple(slots))


def _by_wild(
    ranges: ExpressionRanges, choice: Choice, answer: BagRange, env: Mapping[int, ValueRange]
) -> ByWild | None:
    """The numbers of a payment, where each wild piece stands for one piece of the price and all of it is paid."""
    domain = choice.domain
    if choice.condition is not None:  # nothing can be paid for a price
        return None
    if not isinstance(domain, Pay) or len(domain.wild) != 1 or not domain.is_plain_exchange:
        return None
    if domain.rebate is not None:
        return None
    assert isinstance(choice.type, Bag)
    wild = bag_index(ranges.rules, choice.type.kind)[domain.wild[0]]
    price = ranges.bag(domain.price, env, ranges.seats)
    if not price.highs or price.highs[wild]:
        return None
    most = answer.highs[wild]
    highs = tuple(0 if index == wild else min(most, high) for index, high in enumerate(price.highs))
    return ByWild(ByCounts(highs, 0, min(most, sum(highs))), wild)


@lru_cache(maxsize=10_000)
def _bag_count(highs: tuple[int, ...], total: int) -> int:
    """How many bags have at most `highs` of each and so many in all."""
    if total < 0 or total > sum(highs):
        return 0
    if not highs:
        return 1
    return sum(_bag_count(highs[1:], total - count) for count in range(min(highs[0], total) + 1))


__all__ = [
    "NUMBERING_VERSION",
    "ActionNumbering",
    "ByCounts",
    "ByPlace",
    "BySubset",
    "ByValue",
    "ByWild",
    "NumberedAction",
    "answer_count",
    "find_action_numbering",
]
