"""Payments out of tables: what wild pieces can stand for, where an action is listed by its number.

In: a price, a bag, one wild member, each piece of which stands for one piece. Out: code that does something for each
payment, with its rank. Whoever has no wild piece pays the price itself; whoever has one finds a short row, by what it
has to stand for or could; for more of them a row has what they could stand for, if there were enough of everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, Lane, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, binary, product, subtract, total
from rulewright.engine.compiled.kernel.packed_counts import MAX_LANES
from rulewright.engine.compiled.translation.bag_answers import AnswerBody, BagAnswers
from rulewright.engine.compiled.translation.packed_lanes import pack_lanes, with_packed
from rulewright.engine.compiled.translation.place_expressions import BagLanes
from rulewright.engine.compiled.translation.present_lanes import present_mask
from rulewright.engine.compiled.translation.ranked_bags import (
    RANK_SHIFT,
    Rows,
    hashed_ranks,
    rows_by_members,
    rows_with_one,
)
from rulewright.model.actions import Choice
from rulewright.model.facts.action_numbers import ByCounts, ByWild


class PaymentTables(BagAnswers):
    """Writes payments that are looked up."""

    def _ranked(self, site: tuple[int, int]) -> ByCounts | None:
        """How the bags of what wild pieces stand for are numbered, where actions are listed by their numbers and those
        of payments are found at once.
        """
        numbering = None if self.ranks is None else self.ranks.numbering_of(*site)
        if not isinstance(numbering, ByWild) or hashed_ranks(numbering.vectors) is None:
            return None
        return numbering.vectors

    def _choice(self, site: tuple[int, int]) -> Choice:
        action, index = site
        return self.rules.actions[action].choices[index]

    def _add_rows(self, what: str, site: tuple[int, int], rows: Rows) -> str:
        """The name of a table with these rows."""
        name = f"{what}_of_{self._choice(site).address.replace('.', '_')}"
        return self.expressions.cells.row_table(name, rows)

    def _whole_price(self, code: CodeBuilder, site: tuple[int, int], price: list[Node], body: AnswerBody) -> None:
        """The payment in which no wild piece stands for another."""
        answer = BagLanes(tuple(price))
        self._note_rank(code, site, answer, ZERO)
        body(answer)

    def _payments_with_one(
        self, code: CodeBuilder, site: tuple[int, int], price: list[Node], funds: list[Node], wild: int, missing: Node,
        body: AnswerBody,
    ) -> bool:  # fmt: skip
        """The payments of whoever has one wild piece: if it has to stand for something, by what that is, else by what
        could be paid, a row of a table has what it can stand for. Does nothing and returns false without such a table.
        """
        vectors = self._ranked(site)
        rows = None if vectors is None else rows_with_one(vectors, wild)
        if vectors is None or rows is None:
            return False
        payable = self._payable(code, price, funds, wild)
        most, replaced = pack_lanes(code, self.expressions.cells, payable), self._replaced(code, price, payable, wild)
        if most is None or replaced is None:
            return False
        asked = code.let(add(binary("&", most.number, add(missing, Int(-1))), replaced), "asked")
        lanes = [code.let(Lane(asked, at, most.most, MAX_LANES), "asked") for at in range(len(price))]
        present = present_mask(code, [lanes[at] for at, high in enumerate(vectors.highs) if high])
        if present is None:
            return False
        table = self._add_rows("with_one", site, rows)
        row = code.let(add(product(missing, Int(len(rows) // 2)), present), "row")
        with code.entry_loop(table, row, "stand_in") as part:
            answer = self._with_stand_ins(code, payable, part, most.most, wild, add(price[wild], missing))
            code.note_rank(answer, binary(">>", part, Int(RANK_SHIFT)))
            body(answer)
        return True

    def _payments_by_table(
        self, code: CodeBuilder, site: tuple[int, int], price: list[Node], funds: list[Node], wild: int, missing: Node,
        slack: Node, body: AnswerBody,
    ) -> bool:  # fmt: skip
        """The same payments out of a table that has, by the members of which something could be paid, which pieces of
        these wild ones can stand in for. Does nothing and returns false where there is no such table.
        """
        vectors = self._ranked(site)
        rows = None if vectors is None else rows_by_members(vectors, wild)
        if vectors is None or rows is None:
            return False
        payable = self._payable(code, price, funds, wild)
        most, replaced = pack_lanes(code, self.expressions.cells, payable), self._replaced(code, price, payable, wild)
        present = present_mask(code, [payable[at] for at, high in enumerate(vectors.highs) if high])
        if most is None or replaced is None or present is None:
            return False
        table = self._add_rows("stand_ins", site, rows)
        bits = code.let(present, "present")
        pieces = code.let(binary("min", slack, Int(vectors.high_total)), "pieces")
        row = code.let(add(product(pieces, Int(len(rows) // (vectors.high_total + 1))), bits), "row")
        with code.entry_loop(table, row, "stand_in") as part, self._held(code, most, part, len(price)):
            answer = self._with_stand_ins(code, payable, part, most.most, wild, add(price[wild], missing))
            self._note_rank(code, site, answer, add(replaced, part))
            body(answer)
        return True

    @staticmethod
    def _with_stand_ins(
        code: CodeBuilder, payable: Sequence[Node], part: Name, most: int, wild: int, wild_pieces: Node
    ) -> BagLanes:
        """The payment in which wild pieces stand in for a part of what could be paid, beside those that have to."""
        counts = [code.let(Lane(part, at, most, MAX_LANES), "count") for at in range(len(payable))]
        paid = [
            add(wild_pieces, code.let(total(counts), "more"))
            if at == wild
            else ZERO
            if lane == ZERO
            else binary("-", lane, counts[at])
            for at, lane in enumerate(payable)
        ]
        return BagLanes(tuple(code.let(lane, "paid") for lane in paid))

    def _note_rank(self, code: CodeBuilder, site: tuple[int, int], answer: BagLanes, replaced: Node) -> None:
        """What number a payment has, by the bag of what wild pieces stand for, where that is found at once."""
        vectors = self._ranked(site)
        if vectors is not None and self.ranks is not None:
            rank = self.ranks.hashed_rank(self._choice(site), vectors, replaced)
            if rank is not None:
                code.note_rank(answer, rank)

    def _replaced(self, code: CodeBuilder, price: list[Node], payable: list[Node], wild: int) -> Node | None:
        """How many pieces of each other member wild ones have to stand for, in one number."""
        plain = [ZERO if at == wild else lane for at, lane in enumerate(price)]
        whole, most = (pack_lanes(code, self.expressions.cells, lanes) for lanes in (plain, payable))
        if whole is None or most is None:
            return None
        return code.let(subtract(whole.number, most.number), "replaced")

    def _payable(self, code: CodeBuilder, price: list[Node], funds: list[Node], wild: int) -> list[Node]:
        """How many pieces of each member but the wild one can be paid."""
        lanes = [
            ZERO if lane == wild else code.let(lower_of(code, due, held), "payable")
            for lane, (due, held) in enumerate(zip(price, funds, strict=True))
        ]
        return with_packed(code, self.expressions.cells, lanes, "payable")


def lower_of(code: CodeBuilder, left: Node, right: Node) -> Node:
    """The lower of two numbers; nothing of nothing."""
    return ZERO if left == ZERO else binary("min", code.let(left, "due"), code.let(right))


__all__ = ["PaymentTables", "lower_of"]
