"""What can be chosen, as kernel code: loops over every answer of a choice, in the order that the rules define.

In: a choice, and where its variables stand. Out: code that does something for each answer. Order: members and things as
their set lists them; bags and subsets by their counts, more of an earlier member first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from itertools import combinations
from typing import Final, TypeAlias, assert_never

from rulewright import limits
from rulewright.engine.compiled.action_words import ActionWords, MaskField
from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.expression_writer import (
    BagLanes,
    ExpressionWriter,
    Surroundings,
    Value,
    subtract_to_zero,
    unrolled,
)
from rulewright.engine.compiled.fault_sites import FaultSite, FaultSites
from rulewright.engine.compiled.kernel import CutList, Int, LeaveLoop, ListItem, ListLength, Node
from rulewright.engine.compiled.kernel_arithmetic import ONE, ZERO, add, binary, either, every, total
from rulewright.engine.compiled.refusal import NotCompiled
from rulewright.engine.compiled.sequences import ChosenItems, ElementSet, KnownSet, LaneSet, ListSet, RangeSet, truth
from rulewright.expr.tree import Compare, Constant, Expr, Local, MemberCount, Quantifier
from rulewright.expr.types import Bag, SetOf
from rulewright.expr.walk import free_variables
from rulewright.model.actions import Choice, Clause, OneOf, Pay, SomeOf
from rulewright.model.bag_indexes import bag_index
from rulewright.model.rules import Rules

AnswerBody: TypeAlias = Callable[[Value], None]
LONGEST_SUBSET: Final = 6  # elements of a subset out of a set that is not known before play: a loop for each


class AnswerWriter:
    """Writes the answers of one rule model's choices."""

    def __init__(self, rules: Rules, expressions: ExpressionWriter, words: ActionWords, faults: FaultSites) -> None:
        self.rules = rules
        self.faults = faults
        self.expressions = expressions
        self.words = words

    def each_answer(
        self,
        code: CodeBuilder,
        action: int,
        index: int,
        clauses: Sequence[Clause],
        around: Surroundings,
        body: AnswerBody,
    ) -> None:
        """Does something for each answer of a choice. Of `clauses`, which need this choice and none after it, `body`
        asks those of `remaining_clauses`.
        """
        choice = self.rules.actions[action].choices[index]
        if choice.condition is None or isinstance(choice.domain, OneOf):
            self._each_unconditional(code, action, index, clauses, around, body)
            return
        with code.when(code.let(self.expressions.number(code, choice.condition, around), "asked")) as branch:
            self._each_unconditional(code, action, index, (), around, body)
        with code.unless(branch):
            body(self.nothing(choice))

    def remaining_clauses(self, action: int, index: int, clauses: Sequence[Clause]) -> list[Clause]:
        """The clauses that are not already met by what is listed for a choice."""
        choice = self.rules.actions[action].choices[index]
        if choice.condition is not None:
            return list(clauses)
        if isinstance(choice.domain, Pay) and self._wild_lane(choice.domain) is not None:
            return [clause for clause in clauses if self._wild_cap(choice.domain, clause, index) is None]
        if isinstance(self.words.fields[action][index], MaskField):
            return [clause for clause in clauses if not is_elementwise(clause, index)]
        return list(clauses)

    def _wild_lane(self, pay: Pay) -> int | None:
        """Where the wild member is counted, if there is one, each piece of which stands for one piece."""
        if len(pay.wild) != 1 or not pay.is_plain_exchange or pay.rebate is not None:
            return None
        assert isinstance(pay.funds.type, Bag)
        return bag_index(self.rules, pay.funds.type.kind)[pay.wild[0]]

    @staticmethod
    def _wild_cap(pay: Pay, clause: Clause, slot: int) -> Expr | None:
        """How many wild pieces a clause allows in a payment at most, if it says no more than that."""
        match clause.condition:
            case Compare(op="<=", left=MemberCount(bag=Local(slot=of), member=Constant(value=member)), right=right):
                if of == slot and member == pay.wild[0] and slot not in free_variables(right):
                    return right
        return None

    def nothing(self, choice: Choice) -> Value:
        """The answer that chooses nothing."""
        if isinstance(choice.type, Bag):
            return BagLanes((ZERO,) * self.expressions.cells.lanes(choice.type.kind))
        return KnownSet(())

    def _each_unconditional(
        self,
        code: CodeBuilder,
        action: int,
        index: int,
        clauses: Sequence[Clause],
        around: Surroundings,
        body: AnswerBody,
    ) -> None:
        choice = self.rules.actions[action].choices[index]
        match choice.domain:
            case OneOf(of=of):
                self.expressions.elements(code, of, around).each(code, body)
            case SomeOf(of=of, total=wanted) if isinstance(of.type, Bag):
                self._parts_of_bag(
                    code, self.expressions.full_bag(code, of, around), self._totals(code, wanted, around), body
                )
            case SomeOf(of=of, total=wanted):
                field = self.words.fields[action][index]
                totals = self._totals(code, wanted, around)
                if isinstance(field, MaskField):
                    self._masks(code, field, of, totals, index, clauses, around, body)
                    return
                self._subsets(code, choice, self.expressions.elements(code, of, around).to_list(code), totals, body)
            case Pay():
                pay = choice.domain
                capping = [] if self._wild_lane(pay) is None else clauses
                caps = [self._wild_cap(pay, clause, index) for clause in capping]
                self._payments(code, choice, pay, [cap for cap in caps if cap is not None], around, body)
            case _:
                assert_never(choice.domain)

    def _totals(self, code: CodeBuilder, wanted: Expr | None, around: Surroundings) -> Node | ElementSet | None:
        """How many elements are chosen: a number, one of several numbers, or any."""
        if wanted is None:
            return None
        if isinstance(wanted.type, SetOf):
            numbers = self.expressions.elements(code, wanted, around)
            if isinstance(numbers, KnownSet | RangeSet):
                return numbers
            return numbers.to_list(code)
        return code.let(self.expressions.number(code, wanted, around), "wanted")

    # ---- bags -----------------------------------------------------------------------------------------------

    def _parts_of_bag(
        self, code: CodeBuilder, bag: BagLanes, totals: Node | ElementSet | None, body: AnswerBody
    ) -> None:
        lanes = [code.let(lane, "held") for lane in bag.lanes]
        later: list[Node] = [ZERO] * len(lanes)  # pieces of the members after each
        for lane in range(len(lanes) - 2, -1, -1):
            later[lane] = code.let(add(later[lane + 1], lanes[lane + 1]), "later")
        size = code.let(total(lanes), "size")
        low, high, is_wanted = self._ends(code, totals, size)
        with ExitStack() as stack:
            stack.enter_context(code.when(binary("and", binary("<=", low, high), binary("<=", low, size))))
            if low == high:  # else a total below zero has no part
                stack.enter_context(code.when(binary(">=", low, ZERO)))
            counts: list[Node] = []
            least, most = low, high
            for lane, held in enumerate(lanes):
                if held == ZERO:
                    counts.append(ZERO)
                    continue
                if lane == len(lanes) - 1 and low == high:
                    counts.append(least)  # what is left
                    continue
                first = code.let(binary("max", ZERO, code.let(binary("-", least, later[lane]))), "least")
                last = code.let(binary("min", held, most), "most")
                count = stack.enter_context(code.count_loop(first, add(last, ONE), "count", is_falling=True))
                counts.append(count)
                is_exact = low == high
                least = code.let(binary("-", least, count), "left")
                most = least if is_exact else code.let(binary("-", most, count), "most")
            if is_wanted is not None:
                stack.enter_context(code.when(is_wanted(total(counts))))
            body(BagLanes(tuple(counts)))

    def _ends(
        self, code: CodeBuilder, totals: Node | ElementSet | None, size: Node
    ) -> tuple[Node, Node, Callable[[Node], Node] | None]:
        """The lowest and highest total, and what tells whether one between them is wanted."""
        match totals:
            case None:
                return ZERO, size, None
            case KnownSet(values=()):
                return ONE, ZERO, None
            case KnownSet(values=values):
                fewest, high = max(0, min(values)), max(values)
                if sorted(values) == list(range(min(values), high + 1)):
                    return Int(fewest), code.let(binary("min", Int(high), size), "most"), None
                return Int(fewest), Int(high), lambda number: totals.contains(code, code.let(number))
            case RangeSet(low=first, high=last):
                low = code.let(binary("max", first, ZERO), "fewest")
                return low, code.let(binary("min", last, size), "most"), None
            case ElementSet():
                return ZERO, size, lambda number: totals.contains(code, code.let(number))
            case _:
                return totals, totals, None

    # ---- subsets --------------------------------------------------------------------------------------------

    def _masks(
        self, code: CodeBuilder, field: MaskField, of: Expr, totals: Node | ElementSet | None, index: int,
        clauses: Sequence[Clause], around: Surroundings, body: AnswerBody,
    ) -> None:  # fmt: skip
        """Subsets of a few members: a table has them for each set of those that are there."""
        members = field.members
        flags = self._flags(code, self.expressions.elements(code, of, around), members)
        for clause in clauses:
            if is_elementwise(clause, index):  # each element for itself: those that fail are left out
                condition = clause.condition
                assert isinstance(condition, Quantifier)
                slot, test = condition.slot, condition.condition
                flags = [
                    binary("and", flag, self.expressions.number(code, test, around.with_variable(slot, Int(member))))
                    for member, flag in zip(members, flags, strict=True)
                ]
        full = (1 << len(members)) - 1
        flags = [code.let(truth(flag), "has") for flag in flags]
        present = code.let(total(either(truth(flag), Int(1 << at), ZERO) for at, flag in enumerate(flags)), "present")
        size = len(members)
        numbers: tuple[int, ...] | None = None
        if totals is None:
            numbers = tuple(range(size + 1))
        elif isinstance(totals, KnownSet):
            numbers = tuple(sorted({number for number in totals.values if 0 <= number <= size}))
        elif isinstance(totals, Int):
            numbers = (totals.value,) if 0 <= totals.value <= size else ()
        if numbers is not None:
            table = f"subsets_{size}_of_" + "_".join(map(str, numbers))
            self.expressions.row_tables[table] = tuple(
                _subset_masks(size, present_mask, numbers) for present_mask in range(full + 1)
            )
            row = present
        elif isinstance(totals, ElementSet):
            row, table = present, f"subsets_{size}"
            self.expressions.row_tables[table] = tuple(
                _subset_masks(size, mask, tuple(range(size + 1))) for mask in range(full + 1)
            )
        else:
            table = f"subsets_{size}_by_size"
            self.expressions.row_tables[table] = tuple(
                _subset_masks(size, mask, (number,)) for number in range(size + 1) for mask in range(full + 1)
            )
            assert totals is not None
            row = code.let(add(binary("*", totals, Int(full + 1)), present), "row")
        with ExitStack() as stack:
            if numbers is None and not isinstance(totals, ElementSet):
                assert totals is not None
                stack.enter_context(
                    code.when(binary("and", binary(">=", totals, ZERO), binary("<=", totals, Int(size))))
                )
            mask = stack.enter_context(code.entry_loop(table, row, "subset"))
            bits = [binary("&", mask, Int(1 << at)) for at in range(size)]
            chosen = LaneSet(members, tuple(bits), mask=mask)
            if numbers is None and isinstance(totals, ElementSet):
                stack.enter_context(code.when(totals.contains(code, code.let(chosen.count(code)))))
            body(chosen)

    def _flags(self, code: CodeBuilder, there: ElementSet, members: tuple[int, ...]) -> list[Node]:
        few = unrolled(there)
        if few is not None:
            flags = dict(few)
            return [flags.get(member, ZERO) for member in members]
        counters = [code.variable(ZERO, "has") for _ in members]

        def mark(member: Node) -> None:
            for number, counter in zip(members, counters, strict=True):
                with code.when(binary("==", member, Int(number))):
                    code.assign(counter, ONE)

        there.each(code, mark)
        for counter in counters:
            code.freeze(counter.text)
        return list(counters)

    def _subsets(
        self, code: CodeBuilder, choice: Choice, items: ListSet, totals: Node | ElementSet | None, body: AnswerBody
    ) -> None:
        """Subsets of a list: a loop for each element, the longer subset before what it begins with."""
        assert isinstance(choice.type, SetOf)
        most = min(items.bound, choice.type.max_size)
        if isinstance(totals, Int):
            most = min(most, max(0, totals.value))
        elif isinstance(totals, KnownSet):
            most = min(most, max((0, *totals.values)))
        length = code.let(items.count(code), "length")

        def is_wanted(size: Node) -> Node:
            match totals:
                case None:
                    return ONE
                case ElementSet():
                    return totals.contains(code, size)
                case _:
                    return binary("==", totals, size)

        if most > LONGEST_SUBSET:
            self._long_subsets(code, choice, items, length, most, is_wanted, body)
            return

        def extend(chosen: list[Node], low: Node) -> None:
            if len(chosen) < most:
                with code.count_loop(low, length, "index") as index:
                    extend([*chosen, code.let(ListItem(items.items, index), items.hint)], add(index, ONE))
            with code.when(is_wanted(Int(len(chosen)))):
                body(ChosenItems(tuple(chosen), items.hint))

        extend([], ZERO)

    def _long_subsets(
        self, code: CodeBuilder, choice: Choice, items: ListSet, length: Node, most: int,
        is_wanted: Callable[[Node], Node], body: AnswerBody,
    ) -> None:  # fmt: skip
        """Subsets without a loop for each element: what was picked grows as long as it can, and is then answered and
        cut by its last element, in whose place the next one is tried.
        """
        picked, chosen = code.new_list(most, "picked"), code.new_list(most, items.hint)
        following, count = code.variable(ZERO, "following"), code.variable(ZERO, "answers")
        size = ListLength(picked)
        with code.test_loop(ONE):
            with code.when(binary("and", binary("<", following, length), binary("<", size, Int(most)))) as branch:
                code.append(picked, following)
                code.append(chosen, ListItem(items.items, following))
                code.assign(following, add(following, ONE))
            with code.unless(branch):
                with code.when(is_wanted(size)):
                    code.assign(count, add(count, ONE))
                    self._limit_answers(code, choice, count)
                    body(ListSet(chosen, most, items.hint))
                with code.when(binary("==", size, ZERO)):
                    code.write(LeaveLoop())
                code.assign(following, add(ListItem(picked, binary("-", size, ONE)), ONE))
                code.write(CutList(picked, binary("-", size, ONE)))
                code.write(CutList(chosen, binary("-", ListLength(chosen), ONE)))

    def _limit_answers(self, code: CodeBuilder, choice: Choice, count: Node) -> None:
        text = f"admits more than {limits.MAX_ANSWERS} answers"
        self.faults.fail_unless(
            code, binary("<=", count, Int(limits.MAX_ANSWERS)), FaultSite(choice.address, choice.span, text)
        )

    # ---- payments -------------------------------------------------------------------------------------------

    def _payments(
        self, code: CodeBuilder, choice: Choice, pay: Pay, caps: Sequence[Expr], around: Surroundings, body: AnswerBody
    ) -> None:
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
            index = bag_index(self.rules, pay.funds.type.kind)
            wild = [index[member] for member in pay.wild]
        if not pay.is_plain_exchange:
            worths = [pay.worth_of(at) for at in range(len(wild))]
            if pay.rebate is not None:
                raise NotCompiled(choice.address, "a rebate where a wild piece stands for several")
            numbers = [
                ONE if worth is None else code.let(self.expressions.number(code, worth, around), "worth")
                for worth in worths
            ]
            if pay.is_one_sort and len(set(numbers)) > 1:
                raise NotCompiled(choice.address, "several wild members of different worth that stand for one sort")
            self._dear_payments(
                code, price, funds, dict(zip(wild, numbers, strict=True)), body, is_one_sort=pay.is_one_sort
            )
            return
        if len(wild) != 1 or pay.rebate is not None:
            self._shared_payments(code, choice, pay, price, funds, wild, around, body)
            return
        limits_of_wild = [code.let(self.expressions.number(code, cap, around), "most_wild") for cap in caps]
        self._plain_payments(code, price, funds, wild[0], limits_of_wild, body)

    def _shared_payments(
        self, code: CodeBuilder, choice: Choice, pay: Pay, price: list[Node], funds: list[Node], wild: list[int],
        around: Surroundings, body: AnswerBody,
    ) -> None:  # fmt: skip
        """Where each wild piece stands for one piece, a payment has as many pieces as are due: plain ones up to the
        price, wild ones up to what there is, and of these at least those that the price itself asks for. A rebate may
        be taken off those, too.
        """
        own_share = [price[lane] if lane in wild else ZERO for lane in range(len(price))]
        due = code.let(total(price), "due")
        if pay.rebate is not None:
            if len(wild) > 1 and any(share != ZERO for share in own_share):
                raise NotCompiled(choice.address, "a rebate on a price with several wild members")
            rebate = code.let(self.expressions.number(code, pay.rebate, around), "rebate")
            due = code.let(binary("less", due, code.let(binary("max", rebate, ZERO), "rebate")), "due")
            own_share = [ZERO] * len(price)
        payable = [
            subtract_nodes(held, share) if lane in wild else code.let(binary("min", asked, code.let(held)), "payable")
            for lane, (asked, held, share) in enumerate(zip(price, funds, own_share, strict=True))
        ]
        with code.when(every(binary(">=", code.let(lane, "payable"), ZERO) for lane in payable)):
            wanted = code.let(binary("-", due, total(own_share)), "wanted")
            self._parts_of_bag(
                code, BagLanes(tuple(payable)), wanted,
                lambda part: body(BagLanes(tuple(add(a, b) for a, b in zip(part.lanes, own_share, strict=True)))),  # type: ignore[union-attr]
            )  # fmt: skip

    def _dear_payments(
        self, code: CodeBuilder, price: list[Node], funds: list[Node], worths: Mapping[int, Node], body: AnswerBody,
        *, is_one_sort: bool,
    ) -> None:  # fmt: skip
        """Wild members that stand for several pieces, by lane. A payment covers the price, and nothing of it could be
        left out: not a wild piece, since those left would not do, nor a plain one, since no wild piece has any to
        spare. `is_one_sort`: each wild piece stands for pieces of one sort; then all are worth the same.
        """
        plain = [lane for lane in range(len(price)) if lane not in worths]
        with ExitStack() as stack:
            for lane in worths:
                stack.enter_context(code.when(binary(">=", funds[lane], price[lane])))
            counts: list[Node] = []
            stand_ins: dict[int, Node] = {}
            for lane in range(len(price)):
                if lane in worths:
                    free = code.let(subtract_nodes(funds[lane], price[lane]), "free")
                    if len(worths) == 1:
                        free = code.let(either(binary(">", worths[lane], ZERO), free, ZERO), "free")
                    count = stack.enter_context(code.count_loop(ZERO, add(free, ONE), "stand_in", is_falling=True))
                    stand_ins[lane] = count
                    counts.append(add(price[lane], count))
                elif price[lane] == ZERO:
                    counts.append(ZERO)
                else:
                    payable = code.let(lower_of(code, price[lane], funds[lane]), "payable")
                    counts.append(
                        stack.enter_context(code.count_loop(ZERO, add(payable, ONE), "paid", is_falling=True))
                    )
            short = {lane: code.let(subtract_nodes(price[lane], counts[lane]), "short") for lane in plain}
            paid = {lane: counts[lane] for lane in plain if counts[lane] != ZERO}
            test = self._covers_one_sort if is_one_sort else self._covers
            stack.enter_context(code.when(test(code, short, paid, stand_ins, worths)))
            body(BagLanes(tuple(counts)))

    @staticmethod
    def _covers(
        code: CodeBuilder, short: Mapping[int, Node], paid: Mapping[int, Node], stand_ins: Mapping[int, Node],
        worths: Mapping[int, Node],
    ) -> Node:  # fmt: skip
        """Where a wild piece stands for pieces of any sorts: the shortage is met, and without one piece it is not."""
        missing = code.let(total(short.values()), "missing")
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
        self, code: CodeBuilder, price: list[Node], funds: list[Node], wild: int, caps: Sequence[Node], body: AnswerBody
    ) -> None:
        """One wild member, each piece of which stands for one piece; `caps`: the most of it that is allowed."""
        plain = [lane for lane in range(len(price)) if lane != wild]
        missing = code.let(total(subtract_to_zero(code, price[lane], funds[lane]) for lane in plain), "missing")
        if missing in caps and price[wild] == ZERO:  # no wild piece more than has to be: one payment is left
            with code.when(binary("<=", missing, funds[wild])):
                self._least_payment(code, price, funds, wild, missing, body)
            return
        most = funds[wild]
        for cap in caps:
            most = code.let(binary("min", most, cap), "most")
        free = code.let(subtract_nodes(most, price[wild]), "free")
        with code.when(binary("<=", missing, free)):
            slack = code.let(binary("-", free, missing), "slack")
            with code.when(slack) as branch:
                self._each_payment(code, price, funds, wild, missing, slack, body)
            with code.unless(branch):
                self._least_payment(code, price, funds, wild, missing, body)

    def _least_payment(
        self, code: CodeBuilder, price: list[Node], funds: list[Node], wild: int, missing: Node, body: AnswerBody
    ) -> None:
        """The payment with as few wild pieces as can be."""
        body(
            BagLanes(
                tuple(
                    add(due, missing) if lane == wild else code.let(lower_of(code, due, held), "paid")
                    for lane, (due, held) in enumerate(zip(price, funds, strict=True))
                )
            )
        )

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
        payable = [
            ZERO if lane == wild else code.let(lower_of(code, due, held), "payable")
            for lane, (due, held) in enumerate(zip(price, funds, strict=True))
        ]
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


def lower_of(code: CodeBuilder, left: Node, right: Node) -> Node:
    """The lower of two numbers; nothing of nothing."""
    return ZERO if left == ZERO else binary("min", code.let(left, "due"), code.let(right))


def subtract_nodes(left: Node, right: Node) -> Node:
    """A difference of two numbers."""
    return left if right == ZERO else binary("-", left, right)


def is_elementwise(clause: Clause, slot: int) -> bool:
    """Whether a clause says something of every element of an answer by itself."""
    condition = clause.condition
    return (
        isinstance(condition, Quantifier)
        and condition.quantifier == "every"
        and isinstance(condition.over, Local)
        and condition.over.slot == slot
        and slot not in free_variables(condition.condition)
    )


def _subset_masks(size: int, present: int, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The masks of all subsets of what is present, with so many elements, in the order of answers."""
    members = [at for at in range(size) if present >> at & 1]
    subsets = [chosen for number in numbers for chosen in combinations(members, number)]
    subsets.sort(key=lambda chosen: (*chosen, size))
    return tuple(sum(1 << at for at in chosen) for chosen in subsets)


__all__ = ["AnswerWriter"]
