"""Parts of a bag as kernel code: a loop for each member.

In: a bag, and how many pieces are chosen. Out: code that does something for each part, more of an earlier member first.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import TypeAlias

from rulewright import limits
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, Lane, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, subtract, total
from rulewright.engine.compiled.kernel.packed_counts import MAX_LANES
from rulewright.engine.compiled.translation.action_ranks import RankWriter
from rulewright.engine.compiled.translation.action_words import ActionWords
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.fault_sites import FaultSite, FaultSites
from rulewright.engine.compiled.translation.packed_lanes import (
    PackedBag,
    holds_lanes,
    lane_total,
    marked_lanes,
    pack_lanes,
)
from rulewright.engine.compiled.translation.payment_covers import CoverShape
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Value
from rulewright.engine.compiled.translation.ranked_bags import RANK_SHIFT, rows_by_total
from rulewright.engine.compiled.translation.sequences import ElementSet, KnownSet, RangeSet
from rulewright.model.actions import Choice
from rulewright.model.facts.action_numbers import ByCounts
from rulewright.model.rules import Rules

AnswerBody: TypeAlias = Callable[[Value], None]


class BagAnswers:
    """Writes the parts of bags. `faults`: where the rules can fail; `ranks`: what gives actions the numbers by which
    they are listed, if they are.
    """

    def __init__(
        self, rules: Rules, expressions: ExpressionWriter, words: ActionWords, faults: FaultSites,
        ranks: RankWriter | None = None,
    ) -> None:  # fmt: skip
        self.rules = rules
        self.faults = faults
        self.expressions = expressions
        self.words = words
        self.ranks = ranks
        self._cover_shapes: dict[CoverShape, None] = {}  # the questions that payments ask

    def _parts_of_bag(
        self,
        code: CodeBuilder,
        bag: BagLanes,
        totals: Node | ElementSet | None,
        body: AnswerBody,
        *,
        is_often_none: bool = False,
    ) -> None:
        """`is_often_none`: where nothing is wanted, which is soon said, no loop is begun."""
        lanes = [code.let(lane, "held") for lane in bag.lanes]
        later: list[Node] = [ZERO] * len(lanes)  # pieces of the members after each
        for lane in range(len(lanes) - 2, -1, -1):
            later[lane] = code.let(add(later[lane + 1], lanes[lane + 1]), "later")
        size = code.let(lane_total(code, self.expressions.cells, lanes), "size")
        low, high, is_wanted = self._ends(code, totals, size)
        with ExitStack() as stack:
            stack.enter_context(code.when(binary("and", binary("<=", low, high), binary("<=", low, size))))
            if low == high:  # else a total below zero has no part
                stack.enter_context(code.when(binary(">=", low, ZERO)))
                if is_often_none and not isinstance(low, Int):
                    with code.when(binary("==", low, ZERO)) as is_none:
                        body(BagLanes((ZERO,) * len(lanes)))
                    stack.enter_context(code.unless(is_none))
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

    def _parts_by_table(
        self, code: CodeBuilder, action: int, index: int, bag: BagLanes, wanted: Node | ElementSet | None,
        body: AnswerBody,
    ) -> bool:  # fmt: skip
        """Parts of a certain size, out of a table that has all that can be: those that the bag holds. Does nothing and
        returns false where there is no such table.
        """
        numbering = None if self.ranks is None else self.ranks.numbering_of(action, index)
        if not isinstance(numbering, ByCounts) or wanted is None or isinstance(wanted, ElementSet):
            return False
        rows, lanes = rows_by_total(numbering), len(bag.lanes)
        name = f"bags_of_{self.rules.actions[action].choices[index].address.replace('.', '_')}"
        if rows is None or len(numbering.highs) != lanes or ZERO in bag.lanes:
            return False
        low, high = Int(numbering.low_total), Int(numbering.high_total)
        is_listed = binary("and", binary(">=", wanted, low), binary("<=", wanted, high))
        held = pack_lanes(code, self.expressions.cells, bag.lanes)
        if held is None:
            return False
        table = self.expressions.cells.row_table(name, rows)
        with (
            code.when(is_listed),
            code.entry_loop(table, code.let(subtract(wanted, low), "row"), "pieces") as part,
            self._held(code, held, part, lanes),
        ):
            answer = BagLanes(tuple(code.let(Lane(part, at, held.most, MAX_LANES), "count") for at in range(lanes)))
            code.note_rank(answer, binary(">>", part, Int(RANK_SHIFT)))
            body(answer)
        return True

    @staticmethod
    def _held(code: CodeBuilder, held: PackedBag, part: Node, lanes: int) -> AbstractContextManager[object]:
        """What is done only where a bag holds another, above which anything can stand."""
        marked = code.let(marked_lanes(held, range(lanes)), "marked")
        return code.when(holds_lanes(marked, part, range(lanes)))

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

    def _limit_answers(self, code: CodeBuilder, choice: Choice, count: Node) -> None:
        text = f"admits more than {limits.MAX_ANSWERS} answers"
        self.faults.fail_unless(
            code, binary("<=", count, Int(limits.MAX_ANSWERS)), FaultSite(choice.address, choice.span, text)
        )


__all__ = ["AnswerBody", "BagAnswers"]
