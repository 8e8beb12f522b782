"""What can be chosen, as kernel code: loops over every answer of a choice, in the order that the rules define.

In: a choice, and where its variables stand. Out: code that does something for each answer. Order: members and things as
their set lists them; bags and subsets by their counts, more of an earlier member first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import combinations
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, ListItem, ListLength, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, either, total
from rulewright.engine.compiled.kernel.kernel_statements import CutList, LeaveLoop
from rulewright.engine.compiled.translation.action_words import MaskField
from rulewright.engine.compiled.translation.bag_answers import AnswerBody
from rulewright.engine.compiled.translation.payment_answers import PaymentAnswers
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Surroundings, Value
from rulewright.engine.compiled.translation.present_lanes import present_mask, values_by_flags
from rulewright.engine.compiled.translation.sequences import (
    ChosenItems,
    ElementSet,
    KnownSet,
    LaneSet,
    ListSet,
    RangeSet,
    truth,
)
from rulewright.engine.compiled.translation.set_expressions import unrolled
from rulewright.expr.tree import Expr, Local, Quantifier
from rulewright.expr.types import Bag, SetOf
from rulewright.expr.walk import free_variables
from rulewright.model.actions import Choice, Clause, OneOf, Pay, SomeOf
from rulewright.model.facts.action_numbers import ByPlace

LONGEST_SUBSET: Final = 6  # elements of a subset out of a set that is not known before play: a loop for each


class AnswerWriter(PaymentAnswers):
    """Writes the answers of one rule model's choices."""

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
                elements = self.expressions.elements(code, of, around)
                numbering = None if self.ranks is None else self.ranks.numbering_of(action, index)
                if not (isinstance(numbering, ByPlace) and elements.each_counted(code, body)):
                    elements.each(code, body)
            case SomeOf(of=of, total=wanted) if isinstance(of.type, Bag):
                bag, totals = self.expressions.full_bag(code, of, around), self._totals(code, wanted, around)
                is_last = index + 1 == len(self.rules.actions[action].choices)  # else much would be written twice
                if not self._parts_by_table(code, action, index, bag, totals, body):
                    self._parts_of_bag(code, bag, totals, body, is_often_none=is_last)
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
                self._payments(code, action, index, [cap for cap in caps if cap is not None], around, body)
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
        size, full = len(members), (1 << len(members)) - 1
        flags = [code.let(truth(flag), "has") for flag in flags]
        mask_of_all = present_mask(code, flags)
        if mask_of_all is None:
            mask_of_all = total(either(truth(flag), Int(1 << at), ZERO) for at, flag in enumerate(flags))
        present = code.let(mask_of_all, "present")
        numbers: tuple[int, ...] | None = None
        if totals is None:
            numbers = tuple(range(size + 1))
        elif isinstance(totals, KnownSet):
            numbers = tuple(sorted({number for number in totals.values if 0 <= number <= size}))
        elif isinstance(totals, Int):
            numbers = (totals.value,) if 0 <= totals.value <= size else ()
        by_set = None if numbers is not None or totals is None else self._numbers_by_set(code, totals, flags)
        if by_set is not None:
            row, rows = present, tuple(_subset_masks(size, mask, some) for mask, some in enumerate(by_set))
            table = self.expressions.cells.row_table(f"subsets_{size}_by_set", rows)
        elif numbers is not None:
            name = f"subsets_{size}_of_" + "_".join(map(str, numbers))
            rows = tuple(_subset_masks(size, mask, numbers) for mask in range(full + 1))
            row, table = present, self.expressions.cells.row_table(name, rows)
        elif isinstance(totals, ElementSet):
            rows = tuple(_subset_masks(size, mask, tuple(range(size + 1))) for mask in range(full + 1))
            row, table = present, self.expressions.cells.row_table(f"subsets_{size}", rows)
        else:
            rows = tuple(_subset_masks(size, mask, (number,)) for number in range(size + 1) for mask in range(full + 1))
            table = self.expressions.cells.row_table(f"subsets_{size}_by_size", rows)
            assert totals is not None
            row = code.let(add(binary("*", totals, Int(full + 1)), present), "row")
        with ExitStack() as stack:
            if numbers is None and by_set is None and not isinstance(totals, ElementSet):
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

    def _numbers_by_set(
        self, code: CodeBuilder, totals: Node | ElementSet, flags: Sequence[Node]
    ) -> list[tuple[int, ...]] | None:
        """How many elements are chosen, where that follows from those that are there: for each set of them."""
        if isinstance(totals, ElementSet) or not self.expressions.knows_tables:
            return None
        values = values_by_flags(code, totals, flags)
        return None if values is None else [(value,) * (0 <= value <= len(flags)) for value in values]

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
