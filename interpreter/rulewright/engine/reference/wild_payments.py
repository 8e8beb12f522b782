"""Payments in which several members are wild, or in which a wild piece stands for pieces of one sort alone.

In: a price, a bag, the wild members with their worth. Out: all payments that cover the price and from which no piece
could be left out.

The wild pieces that the price itself asks for are paid as such. The plain members of the price fall into groups: where
a wild piece stands for pieces of any sorts, into a single one; where it stands for pieces of one sort, into one for
each member. A group is paid with some of its own pieces and some wild ones (`_ways`). A payment is a way for each
group, as far as the wild pieces last (`_combinations`).

1. *Each way is without waste.* Wild pieces are added in the order of their worth, the dearest first, only while
   something is missing. So the last piece added is the cheapest one, and without it something would be missing again.
   What they leave open, and no more, is paid with own pieces.
2. *Each payment without waste is found:* it covers the groups somehow, and in its part for each group nothing is
   superfluous, or it could be left out of the payment.
3. *What is found may still be wasteful,* if wild pieces of different worth could have been shared out better among the
   groups. Then it contains another payment, and that has been found, too: `without_waste` leaves out what does.
4. *The search goes into no dead ends:* a part of a payment is kept only if the wild pieces that are left can pay the
   groups that are left, for which `_least_needs` keeps the least that these need.

Example: price 3a + 1b, bag 3a + 1b + 2w, w stands for 2 of one sort. Ways for a: 3a, 1a + 1w, 2w; not 2a + 1w, of which
one a could be left out. Ways for b: 1b, 1w. In all: 3a+1b, 3a+1w, 1a+1b+1w, 1a+2w, 1b+2w.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rulewright import limits
from rulewright.engine.faults import TooManyAnswersError
from rulewright.engine.reference.sub_bags import sub_bags
from rulewright.engine.values import BagCounts
from rulewright.frozen import frozen

MAX_PAIRS: Final = 10 * limits.MAX_ANSWERS  # of parts of payments that are put together in one step
Way = tuple[BagCounts, tuple[int, ...]]  # own pieces; wild pieces, a count for each stock


@frozen
class WildStock:
    """The wild pieces of one member beyond its own share of the price: how many there are, and what each stands for."""

    member: int  # its index in a bag
    free: int
    worth: int


def shared_payments(
    price: BagCounts, funds: BagCounts, wild: Sequence[int], worth: Sequence[int], *, is_one_sort: bool
) -> tuple[BagCounts, ...]:
    """All payments of a price from which nothing could be left out, more of an earlier member first.

    `wild`: the indices of wild members; `worth`: for how many pieces one of each stands, none below 1.
    """
    if any(funds[member] < price[member] for member in wild):
        return ()
    stocks = [
        WildStock(member, funds[member] - price[member], number)
        for member, number in zip(wild, worth, strict=True)
        if number > 0
    ]
    stocks.sort(key=lambda stock: -stock.worth)
    plain = [member for member, due in enumerate(price) if due and member not in wild]
    groups = [[member] for member in plain] or [[]] if is_one_sort else [plain]
    own_share = tuple(due if member in wild else 0 for member, due in enumerate(price))
    combinations = _combinations([_ways(price, funds, group, stocks) for group in groups], stocks)
    answers = {_payment(own_share, own, used, stocks) for own, used in combinations}
    if is_one_sort and len({stock.worth for stock in stocks}) > 1:
        return without_waste(answers)
    return tuple(sorted(answers, reverse=True))


def without_waste(payments: Collection[BagCounts]) -> tuple[BagCounts, ...]:
    """Those payments that contain no other one, more of an earlier member first."""
    ordered = sorted(payments, reverse=True)
    # for each member and count, a number with a bit for each payment that has at most so many of the member
    at_most: list[dict[int, int]] = []
    for counts in zip(*ordered, strict=True):
        bits: dict[int, int] = {}
        for index, count in enumerate(counts):
            bits[count] = bits.get(count, 0) | 1 << index
        so_far = 0
        for count in sorted(bits):
            so_far |= bits[count]
            bits[count] = so_far
        at_most.append(bits)
    kept: list[BagCounts] = []
    everything = (1 << len(ordered)) - 1
    for index, payment in enumerate(ordered):
        contained = everything
        for bits, count in zip(at_most, payment, strict=True):
            contained &= bits[count]
        if contained == 1 << index:
            kept.append(payment)
    return tuple(kept)


def _payment(own_share: BagCounts, own: BagCounts, used: Sequence[int], stocks: Sequence[WildStock]) -> BagCounts:
    counts = [sum(pair) for pair in zip(own_share, own, strict=True)]
    for stock, count in zip(stocks, used, strict=True):
        counts[stock.member] += count
    return tuple(counts)


def _ways(price: BagCounts, funds: BagCounts, group: Collection[int], stocks: Sequence[WildStock]) -> list[Way]:
    """All ways without waste to pay the pieces of a group."""
    due = sum(price[member] for member in group)
    own = tuple(min(price[member], funds[member]) if member in group else 0 for member in range(len(price)))
    open_at_least = due - sum(own)
    later = sum(stock.free * stock.worth for stock in stocks)
    # wild pieces so far, how many pieces they stand for
    partial: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for stock in stocks:
        later -= stock.free * stock.worth
        longer: list[tuple[tuple[int, ...], int]] = []
        for used, covered in partial:
            most = min(stock.free, -(-max(0, due - covered) // stock.worth))
            for count in range(most + 1):
                total = covered + count * stock.worth
                if total + later >= open_at_least:
                    longer.append(((*used, count), total))
            _check_number(len(longer))
        partial = longer
    ways: list[Way] = []
    for used, covered in partial:
        if covered >= open_at_least:
            ways.extend([(part, used) for part in sub_bags(own, max(0, due - covered))])
            _check_number(len(ways))
    return ways


def _combinations(ways: Sequence[Sequence[Way]], stocks: Sequence[WildStock]) -> Collection[Way]:
    """One way for each group, together; those that need the same are one."""
    free = tuple(stock.free for stock in stocks)
    needs = _least_needs(ways, free)
    size = len(ways[0][0][0]) if ways and ways[0] else 0
    partial: set[Way] = {((0,) * size, (0,) * len(free))}
    for options, later in zip(ways, needs[1:], strict=True):
        if len(partial) * len(options) > MAX_PAIRS:
            raise TooManyAnswersError
        longer: set[Way] = set()
        for own, used in partial:
            for more_own, more_used in options:
                total = _add(used, more_used)
                if any(_fits(_add(total, need), free) for need in later):
                    longer.add((_add(own, more_own), total))
            _check_number(len(longer))
        partial = longer
    return partial


def _least_needs(ways: Sequence[Sequence[Way]], free: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
    """The least wild pieces that the groups from each one on need; none where there are not enough."""
    needs: list[tuple[tuple[int, ...], ...]] = [((0,) * len(free),)]
    for options in reversed(ways):
        least = without_waste({used for _, used in options})
        _check_number(len(least) * len(needs[0]))
        sums = {_add(one, other) for one in least for other in needs[0]}
        needs.insert(0, without_waste([total for total in sums if _fits(total, free)]))
    return needs


def _add(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__add__, one, other))


def _fits(part: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    return all(map(int.__le__, part, whole))


def _check_number(number: int) -> None:
    if number > limits.MAX_ANSWERS:
        raise TooManyAnswersError


__all__ = ["shared_payments", "without_waste"]
