"""Payments: every way to cover a price from a bag, where members may be wild, without paying more than is needed.

In: a price, a bag, the wild members and their worth. Out: the payments in a fixed order, more of an earlier member
first, so that the payment with least of the wild member comes first where that is numbered last. What follows is the
usual case, a single wild member that stands for pieces of any sorts; the others are in `wild_payments`.

The wild member is one of the bag's members. Beyond its own share of the price, each of its pieces can stand in for
`wild_value` pieces of any other members. A payment is a bag. What the algorithm keeps true of every payment that it
lists:

1. It covers the price: with g wild pieces standing in, all but `wild_value * g` of the plain (not wild) pieces of the
   price are paid with pieces of their own member.
2. It is affordable: no count is above that of the bag. Plain counts are also never above the price, since a plain piece
   stands in for nothing.
3. Nothing could be left out: with fewer wild pieces some plain piece would be uncovered, and no plain piece is paid
   that the wild pieces cover anyway. A surplus of coverage (`wild_value * g` above what is missing) is allowed only
   when no plain piece is paid that could be handed back.
4. Each payment is listed once: g is the wild count less the wild share of the price, so two values of g give different
   bags, and `sub_bags` lists each way to pay the plain rest once.

For each g from 0 up to what is affordable and useful, `paid = plain price - wild_value * g` plain pieces are left (none
when that is negative), and every sub-bag of that size of `min(price, bag)` is one payment. No search fails: the only
work is the answers themselves, and the limit on answers stops it early.

Example: members a, b and wild w; price 2a + 1b, bag 1a + 2b + 3w, wild_value 1. Affordable plain pieces: 1a + 1b.
g = 0 needs 3 plain pieces, there are 2: none. g = 1 leaves 2: 1a + 1b + 1w. g = 2 leaves 1: 1a + 2w and 1b + 2w.
g = 3 leaves 0: 3w. In order: 1a+1b+1w, 1a+2w, 1b+2w, 3w. With wild_value 2: g = 1 leaves 1: 1a + 1w and 1b + 1w;
g = 2 covers 4 of the 3 and leaves 0: 2w, whose surplus is allowed, since no plain piece is paid.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import TooManyAnswersError
from rulewright.engine.place_compiler import CompiledTuple
from rulewright.engine.reference.sub_bags import sub_bags
from rulewright.engine.reference.wild_payments import shared_payments, without_waste
from rulewright.engine.values import BagCounts
from rulewright.expr.fold import fold_constant
from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag
from rulewright.model.actions import Pay

Payments = tuple[BagCounts, ...]
CompiledPayments = Callable[[Context], Payments]


def compile_payments(pay: Pay, compiler: ExprCompiler) -> CompiledPayments:
    """The function that lists all payments of a choice; raises `TooManyAnswersError` over `limits.MAX_ANSWERS`."""
    price_of, funds_of = compile_full_bag(pay.price, compiler), compile_full_bag(pay.funds, compiler)
    payments = _compile_minimal(pay, compiler)
    if pay.rebate is None:
        return lambda c: payments(c, price_of(c), funds_of(c))
    rebate_of = compiler.compile_number(pay.rebate)

    def run(c: Context) -> tuple[BagCounts, ...]:
        price, funds, rebate = price_of(c), funds_of(c), rebate_of(c)
        if rebate <= 0:
            return payments(c, price, funds)
        answers: set[BagCounts] = set()
        for reduced in sub_bags(price, max(0, sum(price) - rebate)):
            answers.update(payments(c, reduced, funds))
            if len(answers) > limits.MAX_ANSWERS:
                raise TooManyAnswersError
        # where a wild piece stands for several, a better choice of what is waived may leave a piece out
        return tuple(sorted(answers, reverse=True)) if pay.is_plain_exchange else without_waste(answers)

    return run


def _compile_minimal(pay: Pay, compiler: ExprCompiler) -> Callable[[Context, BagCounts, BagCounts], Payments]:
    """The function that lists all payments of a price from a bag."""
    missing_of = compiler.bag_arithmetic(pay.funds.type).count_rest  # how many pieces of a price a bag does not hold
    if not pay.wild:
        return lambda c, price, funds: () if missing_of(price, funds) else (price or (0,) * len(funds),)
    assert isinstance(pay.funds.type, Bag)
    index = compiler.bag_index(pay.funds.type.kind)
    wild = tuple(index[member] for member in pay.wild)
    worths_of = [_compile_worth(pay.worth_of(at), compiler) for at in range(len(wild))]
    if len(wild) > 1 or (pay.is_one_sort and not pay.is_plain_exchange):

        def shared(c: Context, price: BagCounts, funds: BagCounts) -> Payments:
            if not price:
                return ((0,) * len(funds),)
            worth = [worth_of(c) for worth_of in worths_of]
            return shared_payments(price, funds, wild, worth, is_one_sort=pay.is_one_sort)

        return shared
    [member], [worth_of] = wild, worths_of
    is_one = pay.is_plain_exchange

    def of_one(c: Context, price: BagCounts, funds: BagCounts) -> Payments:
        if not price:
            return ((0,) * len(funds),)
        missing = missing_of(price, funds)
        free = funds[member] - price[member]  # wild pieces beyond their own share of the price
        worth = 1 if is_one else worth_of(c)
        if free < 0 or missing > free * max(0, worth):
            return ()
        return minimal_payments(price, funds, member, free if worth > 0 else 0, max(1, worth))

    return of_one


def _compile_worth(worth: Expr | None, compiler: ExprCompiler) -> Callable[[Context], int]:
    """For how many pieces a wild piece stands; what is known before play is not computed again."""
    known = 1 if worth is None else fold_constant(worth)
    if worth is None or known is not None:
        number = int(known or 0)
        return lambda _: number
    return compiler.compile_number(worth)


def compile_full_bag(bag: Expr, compiler: ExprCompiler) -> CompiledTuple:
    """A bag with a count for each member, as answers are, also where it is the empty bag of any kind."""
    run = compiler.compile_tuple(bag)
    if not isinstance(bag.type, Bag) or not bag.type.kind:
        return run
    zeros = (0,) * compiler.family_size(bag.type.kind)
    return lambda c: run(c) or zeros


def minimal_payments(
    price: BagCounts, funds: BagCounts, wild: int, free: int, wild_value: int
) -> tuple[BagCounts, ...]:
    """All payments that cover a price and from which nothing could be left out; see the algorithm above.

    `wild`: index of the wild member; `free`: wild pieces that may stand in for others, each for `wild_value` pieces.
    """
    affordable = [due if due < available else available for due, available in zip(price, funds, strict=True)]
    affordable[wild] = 0
    plain, plain_count, plain_due = tuple(affordable), sum(affordable), sum(price) - price[wild]
    fewest = max(0, -(-(plain_due - plain_count) // wild_value))  # below that, plain pieces are lacking
    answers: list[BagCounts] = []
    for stand_ins in range(fewest, min(free, -(-plain_due // wild_value)) + 1):
        parts = sub_bags(plain, max(0, plain_due - stand_ins * wild_value))
        wild_count = price[wild] + stand_ins
        answers.extend([(*part[:wild], wild_count, *part[wild + 1 :]) for part in parts] if wild_count else parts)
        if len(answers) > limits.MAX_ANSWERS:
            raise TooManyAnswersError
    if len(answers) > 1:
        answers.sort(reverse=True)
    return tuple(answers)


__all__ = ["CompiledPayments", "compile_full_bag", "compile_payments", "minimal_payments"]
