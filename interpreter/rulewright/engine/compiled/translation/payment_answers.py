"""Payments as kernel code: every way to pay a price of which nothing could be left out.

In: a price, a bag, wild members and what a piece of them stands for. Out: code that does something for each payment,
more of an earlier member first. What makes a payment one is said in the package of the reference engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from math import comb

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, Invoke, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    either,
    every,
    negated,
    total,
)
from rulewright.engine.compiled.kernel.kernel_statements import Function
from rulewright.engine.compiled.translation.action_words import BagField
from rulewright.engine.compiled.translation.bag_answers import AnswerBody
from rulewright.engine.compiled.translation.packed_lanes import (
    lane_total,
    subtract_to_zero,
)
from rulewright.engine.compiled.translation.payment_covers import CoverShape, cover_functions
from rulewright.engine.compiled.translation.payment_tables import PaymentTables, lower_of
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Surroundings
from rulewright.expr.tree import Compare, Constant, Expr, Local, MemberCount
from rulewright.expr.types import Bag
from rulewright.expr.walk import free_variables
from rulewright.model.actions import Clause, OneOf, Pay
from rulewright.model.bag_indexes import bag_index


class PaymentAnswers(PaymentTables):
    """Writes payments."""

    def _wild_lane(self, pay: Pay) -> int | None:
        """Where the wild member is counted, if there is one, each piece of which stands for one piece."""
        if len(pay.wild) != 1 or not pay.is_plain_exchange or pay.rebate is not None:
            return None
        assert isinstance(pay.funds.type, Bag)
        return bag_index(self.rules, pay.funds.type.kind)[pay.wild[0]]

    def answer_count(self, action: int, index: int, around: Surroundings) -> int:
        """As many answers as a choice can have at most, of which the first reads nothing that is chosen."""
        domain, field = self.rules.actions[action].choices[index].domain, self.words.fields[action][index]
        if isinstance(domain, Pay) and isinstance(field, BagField):
            lane = self._wild_lane(domain)
            if lane is not None:  # a payment is how many wild pieces stand for each of the other members
                return comb(len(field.mosts) - 1 + field.mosts[lane], field.mosts[lane])
        if isinstance(domain, OneOf) and index == 0:
            return self.expressions.elements(CodeBuilder(("me",), is_pure=True), domain.of, around).bound
        return self.words.answer_count(action, index)

    @staticmethod
    def _wild_cap(pay: Pay, clause: Clause, slot: int) -> Expr | None:
        """How many wild pieces a clause allows in a payment at most, if it says no more than that."""
        match clause.condition:
            case Compare(op="<=", left=MemberCount(bag=Local(slot=of), member=Constant(value=member)), right=right):
                if of == slot and member == pay.wild[0] and slot not in free_variables(right):
                    return right
        return None

    def _payments(
        self, code: CodeBuilder, action: int, index: int, caps: Sequence[Expr], around: Surroundings, body: AnswerBody
    ) -> None:
        pay = self.rules.actions[action].choices[index].domain
        assert isinstance(pay, Pay)
        price = list(self.expressions.full_bag(code, pay.price, around).lanes)
        funds = list(self.expressions.full_bag(code, pay.funds, around).lanes)
        price = price or [ZERO] * len(funds)
        if self._wild_lane(pay) is None:
            price = [code.let(lane, "due") for lane in price]
        if not pay.wild and pay.rebate is None:
            with code.when(
                every(binary("<=", due, held) for due, held in zip(price, funds, strict=True) if due != ZERO)
            ):
                body(BagLanes(tuple(price)))
            return
        wild: list[int] = []
        if pay.wild:
            assert isinstance(pay.funds.type, Bag)
            lanes = bag_index(self.rules, pay.funds.type.kind)
            wild = [lanes[member] for member in pay.wild]
        if not pay.is_plain_exchange:
            worths = [pay.worth_of(at) for at in range(len(wild))]
            numbers = [
                ONE if worth is None else code.let(self.expressions.number(code, worth, around), "worth")
                for worth in worths
            ]
            self._dear_payments(
                code, price, funds, dict(zip(wild, numbers, strict=True)), self._rebate(code, pay, around), body,
                is_one_sort=pay.is_one_sort,
            )  # fmt: skip
            return
        if len(wild) != 1 or pay.rebate is not None:
            self._shared_payments(code, pay, price, funds, wild, around, body)
            return
        limits_of_wild = [code.let(self.expressions.number(code, cap, around), "most_wild") for cap in caps]
        self._plain_payments(code, (action, index), price, funds, wild[0], limits_of_wild, body)

    def _rebate(self, code: CodeBuilder, pay: Pay, around: Surroundings) -> Node:
        """How many pieces of a price need not be paid."""
        if pay.rebate is None:
            return ZERO
        rebate = code.let(self.expressions.number(code, pay.rebate, around), "rebate")
        return code.let(binary("max", rebate, ZERO), "rebate")

    def _shared_payments(
        self, code: CodeBuilder, pay: Pay, price: list[Node], funds: list[Node], wild: list[int],
        around: Surroundings, body: AnswerBody,
    ) -> None:  # fmt: skip
        """Where each wild piece stands for one piece, a payment has as many pieces as are due: plain ones up to the
        price, wild ones up to what there is, and of these at least those that the price itself asks for. A rebate may
        be taken off those, too: then no more of them are missing than it waives.
        """
        own_share = [price[lane] if lane in wild else ZERO for lane in range(len(price))]
        asked_wild = [lane for lane in wild if price[lane] != ZERO]
        whole = due = code.let(total(price), "due")
        if pay.rebate is not None:
            due = code.let(binary("less", due, self._rebate(code, pay, around)), "due")
            own_share = [ZERO] * len(price)
        payable = [
            subtract_nodes(held, share) if lane in wild else code.let(binary("min", asked, code.let(held)), "payable")
            for lane, (asked, held, share) in enumerate(zip(price, funds, own_share, strict=True))
        ]

        def pay_part(part: object) -> None:
            assert isinstance(part, BagLanes)
            with ExitStack() as stack:
                if pay.rebate is not None and len(wild) > 1 and asked_wild:
                    missing = [
                        code.let(binary("less", code.let(price[lane]), code.let(part.lanes[lane])))
                        for lane in asked_wild
                    ]
                    stack.enter_context(code.when(binary("<=", total(missing), binary("-", whole, due))))
                body(BagLanes(tuple(add(a, b) for a, b in zip(part.lanes, own_share, strict=True))))

        with code.when(every(binary(">=", code.let(lane, "payable"), ZERO) for lane in payable)):
            wanted = code.let(binary("-", due, total(own_share)), "wanted")
            self._parts_of_bag(code, BagLanes(tuple(payable)), wanted, pay_part)

    def _dear_payments(
        self, code: CodeBuilder, price: list[Node], funds: list[Node], worths: Mapping[int, Node], rebate: Node,
        body: AnswerBody, *, is_one_sort: bool,
    ) -> None:  # fmt: skip
        """Wild members that stand for several pieces, by lane. A payment covers the price but for the rebate, and
        nothing of it could be left out: without any one of its pieces it would not. `is_one_sort`: each wild piece
        stands for pieces of one sort.
        """
        plain = [lane for lane in range(len(price)) if lane not in worths]
        plain_due = code.let(total(price[lane] for lane in plain), "plain_due")
        has_own = any(price[lane] != ZERO for lane in worths)
        is_searched = (rebate != ZERO and (is_one_sort or has_own)) or (is_one_sort and len(set(worths.values())) > 1)
        with ExitStack() as stack:
            counts: list[Node] = []
            for lane in range(len(price)):
                if lane in worths:
                    least = code.let(binary("less", price[lane], rebate), "least")
                    useful = either(binary(">", worths[lane], ZERO), plain_due, ZERO)
                    most = code.let(add(price[lane], code.let(useful, "useful")), "most")
                    most = code.let(binary("min", funds[lane], most), "most")
                    counts.append(
                        stack.enter_context(code.count_loop(least, add(most, ONE), "stand_in", is_falling=True))
                    )
                elif price[lane] == ZERO:
                    counts.append(ZERO)
                else:
                    payable = code.let(lower_of(code, price[lane], funds[lane]), "payable")
                    counts.append(
                        stack.enter_context(code.count_loop(ZERO, add(payable, ONE), "paid", is_falling=True))
                    )
            if is_searched:
                test = self._covers_least(price, counts, worths, rebate, is_one_sort=is_one_sort)
                for part in test:
                    stack.enter_context(code.when(part))
            else:
                stand_ins = {lane: subtract_nodes(counts[lane], price[lane]) for lane in worths}
                short = {lane: code.let(subtract_nodes(price[lane], counts[lane]), "short") for lane in plain}
                paid = {lane: counts[lane] for lane in plain if counts[lane] != ZERO}
                if is_one_sort:
                    stack.enter_context(code.when(self._covers_one_sort(code, short, paid, stand_ins, worths)))
                else:
                    stack.enter_context(code.when(self._covers(code, short, paid, stand_ins, worths, rebate)))
            body(BagLanes(tuple(counts)))

    def _covers_least(
        self, price: Sequence[Node], counts: Sequence[Node], worths: Mapping[int, Node], rebate: Node, *,
        is_one_sort: bool,
    ) -> list[Node]:  # fmt: skip
        """Whether pieces cover a price, and without any one of them do not: asked of a function that tries every way
        to share them out.
        """
        sorts = [lane for lane, due in enumerate(price) if lane not in worths and due != ZERO]
        own = [lane for lane in worths if price[lane] != ZERO]
        shape = CoverShape(len(sorts), tuple(lane in own for lane in worths), is_one_sort, rebate != ZERO)
        self._cover_shapes[shape] = None

        def covers(without: int) -> Node:
            held = [add(count, Int(-1)) if lane == without else count for lane, count in enumerate(counts)]
            shorts = [binary("-", price[lane], held[lane]) for lane in sorts]
            arguments = [*shorts, *(held[lane] for lane in worths), *(price[lane] for lane in own), *worths.values()]
            return Invoke(shape.name, (*arguments, *[rebate] * shape.has_rebate))

        return [
            covers(-1),
            *(
                binary("or", binary("==", counts[lane], ZERO), negated(covers(lane)))
                for lane in sorted([*sorts, *worths])
            ),
        ]

    def cover_functions(self) -> list[Function]:
        """The functions that payments ask, without those that several of them need."""
        functions = {function.name: function for shape in self._cover_shapes for function in cover_functions(shape)}
        return list(functions.values())

    @staticmethod
    def _covers(
        code: CodeBuilder, short: Mapping[int, Node], paid: Mapping[int, Node], stand_ins: Mapping[int, Node],
        worths: Mapping[int, Node], rebate: Node,
    ) -> Node:  # fmt: skip
        """Where a wild piece stands for pieces of any sorts: the shortage is met, and without one piece it is not."""
        missing = code.let(binary("-", total(short.values()), rebate), "missing")
        values = {lane: code.let(binary("max", worth, ONE), "worth") for lane, worth in worths.items()}
        met = code.let(total(binary("*", count, values[lane]) for lane, count in stand_ins.items()), "met")
        no_wild_left = [
            binary("or", binary("==", count, ZERO), binary("<", binary("-", met, values[lane]), missing))
            for lane, count in stand_ins.items()
        ]
        no_plain_left = binary("or", binary("==", total(paid.values()), ZERO), binary("==", met, missing))
        return every([binary(">=", met, missing), *no_wild_left, no_plain_left])

    @staticmethod
    def _covers_one_sort(
        code: CodeBuilder, short: Mapping[int, Node], paid: Mapping[int, Node], stand_ins: Mapping[int, Node],
        worths: Mapping[int, Node],
    ) -> Node:  # fmt: skip
        """Where each stands for pieces of one sort: as many as the sorts need, one by one; and a sort of which plain
        pieces are paid needs no wild piece that is not used up.
        """
        worth = code.let(binary("max", next(iter(worths.values())), ONE), "worth")
        needs = [binary("//", add(lane, code.let(binary("-", worth, ONE), "rest")), worth) for lane in short.values()]
        used_up = [
            binary("or", binary("==", count, ZERO), binary("==", binary("%", short[lane], worth), ZERO))
            for lane, count in paid.items()
        ]
        return every([binary("==", total(needs), total(stand_ins.values())), *used_up])

    def _plain_payments(
        self, code: CodeBuilder, site: tuple[int, int], price: list[Node], funds: list[Node], wild: int,
        caps: Sequence[Node], body: AnswerBody,
    ) -> None:  # fmt: skip
        """One wild member, each piece of which stands for one piece; `caps`: the most of it that is allowed."""
        plain = [lane for lane in range(len(price)) if lane != wild]
        short = [subtract_to_zero(code, price[lane], funds[lane]) for lane in plain]
        missing = code.let(lane_total(code, self.expressions.cells, short), "missing")
        if missing in caps and price[wild] == ZERO:  # no wild piece more than has to be: one payment is left
            with code.when(binary("<=", missing, funds[wild])):
                self._least_payment(code, site, price, funds, wild, missing, body)
            return
        most = funds[wild]
        for cap in caps:
            most = code.let(binary("min", most, cap), "most")
        free = code.let(subtract_nodes(most, price[wild]), "free")
        with code.when(binary("<=", missing, free)), ExitStack() as stack:
            if self._ranked(site) is not None:
                with code.when(binary("==", free, ZERO)) as has_none:  # what is the same for all prices is asked once
                    self._whole_price(code, site, price, body)
                stack.enter_context(code.unless(has_none))
                with code.when(binary("==", free, ONE)) as has_one:
                    is_listed = self._payments_with_one(code, site, price, funds, wild, missing, body)
                if is_listed:
                    stack.enter_context(code.unless(has_one))
            slack = code.let(binary("-", free, missing), "slack")
            with code.when(slack) as branch:
                if not self._payments_by_table(code, site, price, funds, wild, missing, slack, body):
                    self._each_payment(code, price, funds, wild, missing, slack, body)
            with code.unless(branch):
                self._least_payment(code, site, price, funds, wild, missing, body)

    def _least_payment(
        self, code: CodeBuilder, site: tuple[int, int], price: list[Node], funds: list[Node], wild: int, missing: Node,
        body: AnswerBody,
    ) -> None:  # fmt: skip
        """The payment with as few wild pieces as can be."""
        lanes = self._payable(code, price, funds, wild)
        replaced = self._replaced(code, price, lanes, wild)
        lanes[wild] = add(price[wild], missing)
        answer = BagLanes(tuple(lanes))
        if replaced is not None:
            self._note_rank(code, site, answer, replaced)
        body(answer)

    def _each_payment(
        self,
        code: CodeBuilder,
        price: list[Node],
        funds: list[Node],
        wild: int,
        missing: Node,
        slack: Node,
        body: AnswerBody,
    ) -> None:
        """Payments with one wild member: for some pieces that could be paid as such wild ones stand in, too."""
        payable = self._payable(code, price, funds, wild)
        stand_ins: list[Node] = []
        answer: list[Node] = []
        with ExitStack() as stack:
            left = slack
            for lane in range(wild):
                if payable[lane] == ZERO:
                    answer.append(ZERO)
                    continue
                most = code.let(binary("min", payable[lane], left), "most")
                count = stack.enter_context(code.count_loop(ZERO, add(most, ONE), "stand_in"))
                left = code.let(binary("-", left, count), "slack")
                stand_ins.append(count)
                answer.append(binary("-", payable[lane], count))
            after = [lane for lane in range(wild + 1, len(price)) if payable[lane] != ZERO]
            more: Node = ZERO
            if after:
                most = code.let(binary("min", left, code.let(total(payable[lane] for lane in after))), "most")
                more = stack.enter_context(code.count_loop(ZERO, add(most, ONE), "more", is_falling=True))
            answer.append(total([price[wild], missing, *stand_ins, more]))
            for lane in range(wild + 1, len(price)):
                if payable[lane] == ZERO:
                    answer.append(ZERO)
                elif lane == after[-1]:
                    answer.append(binary("-", payable[lane], more))
                else:
                    rest = code.let(total(payable[other] for other in after if other > lane), "rest")
                    least = code.let(binary("max", ZERO, code.let(binary("-", more, rest))), "least")
                    most = code.let(binary("min", payable[lane], more), "most")
                    count = stack.enter_context(code.count_loop(least, add(most, ONE), "stand_in"))
                    more = code.let(binary("-", more, count), "more")
                    answer.append(binary("-", payable[lane], count))
            body(BagLanes(tuple(code.let(lane, "paid") for lane in answer)))


def subtract_nodes(left: Node, right: Node) -> Node:
    """A difference of two numbers."""
    return left if right == ZERO else binary("-", left, right)


__all__ = ["PaymentAnswers"]
