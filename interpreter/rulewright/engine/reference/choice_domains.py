"""What can be chosen: every answer that a choice admits in a position, in a fixed order.

In: a choice of the rule model. Out: functions from a `Context` to the tuple of admitted answers. Order: members and
things as the set lists them; bags and subsets by their counts in the numbering of the kind, more of an earlier member
first, so that among payments the one with least of the wild member stands first where it is numbered last.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb
from typing import Any, assert_never

from rulewright import limits
from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.places import CompiledExpr
from rulewright.engine.values import Context
from rulewright.errors import RulewrightError
from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag, SetOf
from rulewright.model.rules import Choice, OneOf, Pay, SomeOf

CompiledDomain = Callable[[Context], tuple[Any, ...]]


class TooManyAnswersError(RulewrightError):
    """A choice admits more answers than can be listed."""


def compile_domain(choice: Choice, compiler: ExprCompiler) -> CompiledDomain:
    """The function that lists the answers a choice admits; more than `limits.MAX_ANSWERS` are a fault of the rules."""
    listed = _listed(choice, compiler)
    if isinstance(choice.domain, OneOf):
        return listed

    def bounded(c: Context) -> tuple[Any, ...]:
        try:
            return listed(c)
        except TooManyAnswersError:
            raise RuleFault(choice.address, choice.span, f"admits more than {limits.MAX_ANSWERS} answers") from None

    return bounded


def _listed(choice: Choice, evaluator: ExprCompiler) -> CompiledDomain:
    match choice.domain:
        case OneOf(of=of):
            return evaluator.compile_elements(of)
        case SomeOf(of=of, total=total):
            totals = _totals(total, evaluator)
            if isinstance(of.type, Bag):
                return _bags(_full(of, evaluator), totals)
            return _subsets(evaluator.compile_elements(of), totals)
        case Pay() as pay:
            return _payments(pay, evaluator)
        case _:
            assert_never(choice.domain)


def _totals(total: Any, evaluator: ExprCompiler) -> CompiledExpr | None:
    if total is None:
        return None
    run = evaluator.compile(total)
    return run if isinstance(total.type, SetOf) else lambda c: (run(c),)


def _full(of: Expr, evaluator: ExprCompiler) -> CompiledExpr:
    """A bag with a count for each member, as answers are written, also where it is the empty bag of any kind."""
    run = evaluator.compile(of)
    if not isinstance(of.type, Bag) or not of.type.kind:
        return run
    zeros = (0,) * evaluator.family_size(of.type.kind)
    return lambda c: run(c) or zeros


def _subsets(elements: CompiledExpr, totals: CompiledExpr | None) -> CompiledDomain:
    def run(c: Context) -> tuple[Any, ...]:
        whole = elements(c)
        sizes = range(len(whole) + 1) if totals is None else totals(c)
        found: list[tuple[int, ...]] = []
        for size in sizes:
            if 0 <= size <= len(whole):
                if len(found) + comb(len(whole), size) > limits.MAX_ANSWERS:
                    raise TooManyAnswersError
                found.extend(combinations(whole, size))
        if len(sizes) > 1:
            place = {element: at for at, element in enumerate(whole)}
            end = (len(whole),)  # a longer subset stands before its own beginning, as with bags: more comes first
            found.sort(key=lambda subset: (*[place[x] for x in subset], *end))
        return tuple(found)

    return run


def _bags(held: CompiledExpr, totals: CompiledExpr | None) -> CompiledDomain:
    def run(c: Context) -> tuple[Any, ...]:
        bag = held(c)
        size = sum(bag)
        sizes = range(size + 1) if totals is None else [total for total in totals(c) if 0 <= total <= size]
        found: list[tuple[int, ...]] = []
        for total in sizes:
            found.extend(sub_bags(bag, total))
            if len(found) > limits.MAX_ANSWERS:
                raise TooManyAnswersError
        if len(sizes) > 1:
            found.sort(reverse=True)
        return tuple(found)

    return run


def sub_bags(bag: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """All parts of a bag with so many pieces in all, more of an earlier member first."""
    room = sum(bag)
    if total == room:
        return [bag]
    found: list[tuple[tuple[int, ...], int]] = [
        ((), total)
    ]  # what is taken of the members so far, what is left to take
    for held in bag:
        room -= held  # pieces in the members after this one
        if held == 0:
            found = [((*taken, 0), left) for taken, left in found]
            continue
        longer: list[tuple[tuple[int, ...], int]] = []
        for taken, left in found:
            least, most = max(0, left - room), min(held, left)
            longer.extend([((*taken, here), left - here) for here in range(most, least - 1, -1)])
            if len(longer) > limits.MAX_ANSWERS:
                raise TooManyAnswersError
        found = longer
    return [taken for taken, _ in found]


def _payments(pay: Pay, evaluator: ExprCompiler) -> CompiledDomain:
    price_of, held_of, worth = _full(pay.price, evaluator), _full(pay.funds, evaluator), pay.wild_value
    assert isinstance(pay.funds.type, Bag)
    wild = None if pay.wild is None else evaluator.bag_index(pay.funds.type.kind)[pay.wild]

    def whole(price: tuple[int, ...], held: tuple[int, ...]) -> tuple[Any, ...]:
        missing = 0
        for asked, have in zip(price, held, strict=False):
            if asked > have:
                missing += asked - have
        if wild is None:
            return () if missing else (price or (0,) * len(held),)
        if not price:
            return ((0,) * len(held),)
        free = held[wild] - price[wild]  # what the wild member may stand in for, beyond its own price
        if free < 0 or missing > free * worth:
            return ()
        return minimal_payments(price, held, wild, free, worth)

    if pay.rebate is None:
        return lambda c: whole(price_of(c), held_of(c))
    rebate_of = evaluator.compile(pay.rebate)

    def run(c: Context) -> tuple[Any, ...]:
        price, held, rebate = price_of(c), held_of(c), rebate_of(c)
        if rebate <= 0:
            return whole(price, held)
        found: set[Any] = set()
        for left in sub_bags(price, max(0, sum(price) - rebate)):
            found.update(whole(left, held))
            if len(found) > limits.MAX_ANSWERS:
                raise TooManyAnswersError
        return tuple(sorted(found, reverse=True))

    return run


def minimal_payments(
    price: tuple[int, ...], held: tuple[int, ...], wild: int, free: int, worth: int
) -> tuple[Any, ...]:
    """All payments that cover a price and from which nothing could be left out.

    With g wild pieces standing in, of which each is worth `worth`, `worth * g` pieces of the price are covered or
    more. Nothing can be left out when one wild piece less would not do, and when no piece of the price is both paid
    and covered: any surplus is allowed only when no coloured piece is left to hand back.
    """
    most = [min(asked, have) for asked, have in zip(price, held, strict=True)]
    most[wild] = price[wild]
    asked = sum(price) - price[wild]
    found: list[tuple[int, ...]] = []
    for stand_in in range(min(free, -(-asked // worth)) + 1):
        paid = max(0, asked - stand_in * worth)  # coloured pieces
        plain = (*most[:wild], 0, *most[wild + 1 :])
        if paid > sum(plain):
            continue
        found.extend([(*part[:wild], price[wild] + stand_in, *part[wild + 1 :]) for part in sub_bags(plain, paid)])
        if len(found) > limits.MAX_ANSWERS:
            raise TooManyAnswersError
    found.sort(reverse=True)
    return tuple(found)
