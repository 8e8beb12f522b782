"""The fixed numbers of actions, as a function of a program: whatever the position, a number means the same.

In: how the actions of a rule model are numbered. Out: the number of an action, as an expression of its answers;
`option_number`, which gives that of one of the listed actions; and a `ProgramNumbering`: how many numbers there are. A
choice that is answered piece by piece has numbers of its own, behind those of whole actions: a piece, or the end of the
answer, after the answers before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product as combinations_of
from math import comb, prod
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Binary, Cell, FindCell, Int, Lane, ListItem, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    both,
    either,
    product,
    subtract,
    total,
)
from rulewright.engine.compiled.kernel.kernel_statements import Function, Return, TakeOption
from rulewright.engine.compiled.translation.action_words import ActionWords, ListField, MaskField
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.packed_lanes import pack_lanes
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Surroundings, Value
from rulewright.engine.compiled.translation.ranked_bags import BagRanks, bag_ranks, hashed_ranks
from rulewright.engine.compiled.translation.sequences import ElementSet, KnownSet, ListSet
from rulewright.engine.compiled.translation.word_fields import read_field
from rulewright.expr.types import Thing
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Choice, Pay
from rulewright.model.facts.action_numbers import (
    ActionNumbering,
    ByCounts,
    ByPlace,
    BySubset,
    ByValue,
    ByWild,
    Numbering,
)
from rulewright.model.rules import Rules

NUMBER_FUNCTION: Final = "option_number"
MAX_NUMBERS: Final = 65_536
SET_BITS: Final = 62  # of a number that holds which elements a set has


@frozen
class PieceNumbers:
    """The numbers of one choice that is answered piece by piece: from `first` on, `span` for each way in which the
    choices before it can be answered: the end of the answer, then its pieces.
    """

    first: int
    before: int
    span: int


@frozen
class ProgramNumbering:
    """How a program numbers its actions. `count`: every number is below it; 0 declines; `whole`: the numbers of whole
    actions; `pieces`: by action and choice those of single pieces. `refused`: why there are none, or nothing.
    """

    whole: ActionNumbering
    pieces: dict[tuple[int, int], PieceNumbers]
    count: int
    refused: str = ""


def number_actions(rules: Rules, words: ActionWords, whole: ActionNumbering) -> ProgramNumbering:
    """The numbers of all actions, and of their pieces."""
    count, pieces = whole.count, dict[tuple[int, int], PieceNumbers]()
    for action, numbered in zip(rules.actions, whole.actions, strict=True):
        for index in words.token_choices[action.index] if numbered.is_possible else ():
            before = prod(choice.count for choice in numbered.choices[:index])
            pieces[action.index, index] = PieceNumbers(count, before, words.token_span)
            count += before * words.token_span
    reason = f"{count:,} actions, more than the {MAX_NUMBERS:,} that are numbered" if count > MAX_NUMBERS else ""
    return ProgramNumbering(whole, pieces, count, reason)


class RankWriter:
    """Writes the function that gives the number of a listed action. Raises `NotCompiled` where one has none."""

    def __init__(self, expressions: ExpressionWriter, words: ActionWords, numbering: ProgramNumbering) -> None:
        self.rules = expressions.rules
        self.cells = expressions.cells
        self.expressions = expressions
        self.words = words
        self.numbering = numbering
        self._bag_ranks: dict[ByCounts, BagRanks | None] = {}

    def function(self) -> Function:
        """`option_number(index)`: the number of the listed action with this index."""
        code = CodeBuilder(("index",), is_pure=True)
        word = code.result("word")
        code.write(TakeOption(word.text, Name("index")))
        code.freeze(word.text)
        me = code.let(Cell(self.cells.counter("seat")), "me")
        kind = code.let(binary("&", word, Int((1 << self.words.number_width) - 1)), "action")
        for action in self.rules.actions:
            numbered = self.numbering.whole.actions[action.index]
            if numbered.is_possible:
                with code.when(binary("==", kind, Int(action.index + 1))):
                    self._write_pieces(code, action, word, me)
                    around = self._answers(code, action, word, me, len(action.choices))
                    code.write(Return((self.number(code, action, around),)))
        code.write(Return((ZERO,)))
        return Function(NUMBER_FUNCTION, ("index",), code.block, True, "", "the fixed number of a listed action")

    def _write_pieces(self, code: CodeBuilder, action: ActionDef, word: Name, me: Node) -> None:
        words = self.words
        choices = words.token_choices[action.index]
        if not choices:
            return
        mask = Int((1 << words.token_width) - 1)
        token = code.let(binary("&", binary(">>", word, Int(words.token_shift)), mask), "token")
        for rank, index in enumerate(choices):
            low, high = Int(words.token_code(rank, words.end_token)), Int(words.token_code(rank + 1, words.end_token))
            with code.when(binary("and", binary(">=", token, low), binary("<", token, high))):
                around = self._answers(code, action, word, me, index)
                code.write(Return((self.piece_number(code, action, index, around, subtract(token, low)),)))

    def _answers(self, code: CodeBuilder, action: ActionDef, word: Name, me: Node, made: int) -> Surroundings:
        """The first answers, out of a word."""
        fields = zip(self.words.fields[action.index][:made], action.choices, strict=False)
        return Surroundings(
            me, {slot: read_field(code, field, word, choice.name) for slot, (field, choice) in enumerate(fields)}
        )

    # ---- numbers ------------------------------------------------------------------------------------------------

    def number(self, code: CodeBuilder, action: ActionDef, around: Surroundings) -> Node:
        """The number of an action with all its answers."""
        numbered = self.numbering.whole.actions[action.index]
        return add(self._ranks(code, action, around, len(action.choices)), Int(numbered.first))

    def piece_number(self, code: CodeBuilder, action: ActionDef, index: int, around: Surroundings, piece: Node) -> Node:
        """The number of a piece (0: the end, then the pieces) of an answer, with the answers before it."""
        numbers = self.numbering.pieces[action.index, index]
        before = self._ranks(code, action, around, index)
        return add(add(product(before, Int(numbers.span)), piece), Int(numbers.first))

    def _ranks(self, code: CodeBuilder, action: ActionDef, around: Surroundings, made: int) -> Node:
        """The rank of the first answers together, the last choice running fastest."""
        rank: Node = ZERO
        for slot, numbering in enumerate(self.numbering.whole.actions[action.index].choices[:made]):
            own = self._rank(code, action, slot, numbering, around)
            rank = add(product(rank, Int(numbering.count)), own)
        return rank

    def _rank(
        self, code: CodeBuilder, action: ActionDef, slot: int, numbering: Numbering, around: Surroundings
    ) -> Node:
        choice, answer = action.choices[slot], around.variables[slot]
        known = code.rank_of(answer)
        is_place = isinstance(numbering, ByPlace) and self._are_counted(numbering)
        if known is not None and (is_place or isinstance(numbering, ByCounts | ByWild)):
            return known
        match numbering:
            case ByValue(values=values):
                assert not isinstance(answer, BagLanes | ElementSet)
                return self._rank_value(choice, values, answer)
            case ByCounts():
                assert isinstance(answer, BagLanes)
                return self._rank_counts(code, choice, numbering, answer.lanes)
            case BySubset():
                return self._rank_subset(code, choice, action, slot, numbering, answer)
            case ByPlace():
                assert not isinstance(answer, BagLanes | ElementSet)
                return self._rank_place(code, choice, numbering, answer, around.me)
            case ByWild(vectors=vectors):
                assert isinstance(answer, BagLanes)
                return self._rank_counts(code, choice, vectors, self._replaced(code, choice, numbering, around, answer))
            case _:
                assert_never(numbering)

    def _replaced(
        self, code: CodeBuilder, choice: Choice, numbering: ByWild, around: Surroundings, paid: BagLanes
    ) -> list[Node]:
        """How many pieces of each member wild ones stand for; 0 without wild pieces, since nothing more is paid."""
        assert isinstance(choice.domain, Pay)
        price = self.expressions.full_bag(code, choice.domain.price, around).lanes
        cost, plain = (
            [ZERO if at == numbering.wild else lane for at, lane in enumerate(lanes)] for lanes in (price, paid.lanes)
        )
        payable, stand_ins = list[Node](), list[Node]()
        for lane in plain:
            match code.definition(lane):
                case Binary(op="-", left=left, right=right) if not isinstance(code.definition(left), Binary):
                    payable.append(left)
                    stand_ins.append(right)
                case _:
                    payable.append(lane)
                    stand_ins.append(ZERO)
        whole, part = (pack_lanes(code, self.cells, lanes) for lanes in (cost, payable))
        if whole is None or part is None:
            return [code.let(subtract(due, given), "replaced") for due, given in zip(cost, plain, strict=True)]
        number, lanes = code.let(subtract(whole.number, part.number), "replaced"), len(cost)
        return [
            ZERO if due == ZERO else add(code.let(Lane(number, at, whole.most, lanes), "replaced"), more)
            for at, (due, more) in enumerate(zip(cost, stand_ins, strict=True))
        ]

    def _table(self, choice: Choice, what: str, values: Sequence[int]) -> str:
        return self.cells.table(f"{what}_of_{choice.address.replace('.', '_')}", values)

    def ranks_table(self, choice: Choice, numbering: ByCounts) -> tuple[str, tuple[int, ...]] | None:
        """The table of the ranks of bags, and how far on a piece more of each member is; None where it is too large."""
        if numbering not in self._bag_ranks:
            self._bag_ranks[numbering] = bag_ranks(numbering)
        ranks = self._bag_ranks[numbering]
        return None if ranks is None else (self._table(choice, "ranks", ranks.entries), ranks.strides)

    def hashed_rank(self, choice: Choice, numbering: ByCounts, bag: Node) -> Node | None:
        """The rank of a bag in one number, found by one multiplication; None where it cannot be found so."""
        ranks = hashed_ranks(numbering)
        if ranks is None:
            return None
        place = binary("&", binary(">>", product(bag, Int(ranks.factor)), Int(ranks.shift)), Int(ranks.mask))
        if isinstance(place, Int):
            return Int(ranks.entries[place.value])
        return TableEntry(self._table(choice, "hashed_ranks", ranks.entries), place)

    def numbering_of(self, action: int, slot: int) -> Numbering | None:
        """How the answers of a choice are numbered, if the action is possible."""
        numbered = self.numbering.whole.actions[action]
        return numbered.choices[slot] if numbered.is_possible else None

    def _rank_value(self, choice: Choice, values: Sequence[int], answer: Node) -> Node:
        low, high = min(values), max(values)
        if list(values) == list(range(low, high + 1)):
            return subtract(answer, Int(low))
        ranks = {value: rank for rank, value in enumerate(values)}
        if isinstance(answer, Int):  # what can never be chosen has no rank, and stands behind a test that it fails
            return Int(ranks.get(answer.value, 0))
        table = self._table(choice, "ranks", [ranks.get(value, 0) for value in range(low, high + 1)])
        return TableEntry(table, subtract(answer, Int(low)))

    def _rank_counts(self, code: CodeBuilder, choice: Choice, numbering: ByCounts, lanes: Sequence[Node]) -> Node:
        """Smaller bags first, then by the count of the first member, the second …: a table by all counts, or where that
        is too large one for each member, which says how many bags come before, by how many pieces are left for it and
        those after it, and how many of them it has.
        """
        most, highs = numbering.high_total, numbering.highs
        found = self.ranks_table(choice, numbering)
        if found is not None:
            table, strides = found
            steps = zip(lanes, strides, strict=True)
            return TableEntry(table, total(product(lane, Int(stride)) for lane, stride in steps if stride))
        size = code.let(total(lanes), "size")
        smaller = [0] * (most + 1)
        for number in range(numbering.low_total, most):
            smaller[number + 1] = smaller[number] + _bag_count(highs, number)
        rank = code.variable(TableEntry(self._table(choice, "smaller", smaller), size), "rank")
        left: Node = size
        for lane, count in enumerate(lanes):
            if not highs[lane] or lane == len(lanes) - 1:
                continue
            rest, width = highs[lane + 1 :], highs[lane] + 1
            before = [
                sum(_bag_count(rest, pieces - fewer) for fewer in range(held))
                for pieces in range(most + 1)
                for held in range(width)
            ]
            entry = TableEntry(self._table(choice, "before", before), add(product(left, Int(width)), count))
            code.assign(rank, add(rank, entry))
            left = code.let(subtract(left, count), "left")
        return rank

    def _rank_subset(
        self, code: CodeBuilder, choice: Choice, action: ActionDef, slot: int, numbering: BySubset, answer: Value
    ) -> Node:
        field, values = self.words.fields[action.index][slot], numbering.values
        if isinstance(field, MaskField):
            masks = combinations_of((0, 1), repeat=len(field.members))
            ranks = [_subset_rank(numbering, field.members, bits[::-1]) for bits in masks]
            if isinstance(answer, KnownSet):
                return Int(ranks[sum(1 << field.members.index(member) for member in answer.values)])
            mask = getattr(answer, "mask", None)
            assert mask is not None
            return TableEntry(self._table(choice, "ranks", ranks), mask)
        assert isinstance(field, ListField)
        assert isinstance(answer, ListSet)
        count = answer.count(code)
        smaller = [0] * (numbering.most + 2)
        for size in range(numbering.fewest, numbering.most + 1):
            smaller[size + 1] = smaller[size] + comb(len(values), size)
        rank = code.variable(TableEntry(self._table(choice, "smaller", smaller), count), "rank")
        width = len(values) + 1
        before = [0] * (width * (numbering.most + 1))
        for after, place in combinations_of(range(numbering.most), range(len(values))):
            more = comb(len(values) - place - 1, after)
            before[after * width + place + 1] = before[after * width + place] + more
        table = self._table(choice, "before", before)
        left, start = code.variable(count, "left"), code.variable(ZERO, "start")
        for first in range(0, len(values), SET_BITS):
            size = min(SET_BITS, len(values) - first)
            chosen = self._chosen(code, choice, answer, count, values, first)
            with (
                code.count_loop(ZERO, Int(size), "index") as index,
                code.when(binary("&", binary(">>", chosen, index), ONE)),
            ):
                code.assign(left, subtract(left, ONE))
                row, own = product(left, Int(width)), add(index, Int(first))
                code.assign(
                    rank, subtract(add(rank, TableEntry(table, add(row, own))), TableEntry(table, add(row, start)))
                )
                code.assign(start, add(own, ONE))
        return rank

    def _chosen(
        self, code: CodeBuilder, choice: Choice, answer: ListSet, count: Node, values: Sequence[int], first: int
    ) -> Name:
        """A bit for each of the values from `first` on that a set has."""
        chosen = code.variable(ZERO, "chosen")
        with code.count_loop(ZERO, count, "at") as at:
            element = self._rank_value(choice, values, ListItem(answer.items, at))
            if len(values) <= SET_BITS:
                code.assign(chosen, binary("|", chosen, binary("<<", ONE, element)))
            else:
                place = code.let(subtract(element, Int(first)), "place")
                with code.when(both(binary(">=", place, ZERO), binary("<", place, Int(SET_BITS)))):
                    code.assign(chosen, binary("|", chosen, binary("<<", ONE, place)))
        code.freeze(chosen.text)
        return chosen

    def _are_counted(self, numbering: ByPlace) -> bool:
        """Whether the rank of a thing is how many places come before it: all have one, but for a last row."""
        *earlier, (_, last) = parts = list(zip(numbering.reads, numbering.slots, strict=True))
        return all(self.cells.storage[read.name] == "cell" and set(slots) == {1} for read, slots in earlier) and (
            len(last) == 1 or (self.cells.storage[parts[-1][0].name] == "cell" and set(last) == {1})
        )

    def _rank_place(self, code: CodeBuilder, choice: Choice, numbering: ByPlace, thing: Node, me: Node) -> Node:
        assert isinstance(choice.type, Thing)
        component = choice.type.component
        place = code.let(self.cells.place_of(component, thing), "place")
        places = len(self.cells.layout.visibility.zone_by_place)
        ranks, zones = [0] * (self.rules.players * places), dict[str, None]()
        for seat in range(self.rules.players):
            rank = 0
            for (name, number), slots in places_of(self.rules, numbering, seat):
                ranks[seat * places + number] = rank
                rank += slots
                if slots > 1:
                    zones[name] = None
        row = add(product(me, Int(places)), place)
        result: Node = code.let(TableEntry(self._table(choice, "ranks", ranks), row), "rank")
        for name in zones:
            zone = self.rules.zones[name]
            inside = both(
                binary(">=", place, Int(zone.first_index)), binary("<", place, Int(zone.first_index + zone.size))
            )
            if self.cells.storage[name] == "row":
                offset = subtract(place, Int(zone.first_index))
                begin = add(product(offset, Int(self.cells.rooms[name])), Int(self.cells.contents[name]))
                result = add(result, either(inside, subtract(FindCell(begin, thing), begin), ZERO))
                continue
            before = code.variable(ZERO, "before")  # things of a shuffled place are listed by their rows
            with (
                code.when(inside),
                code.count_loop(ZERO, thing, "other") as other,
                code.when(binary("==", self.cells.place_of(component, other), place)),
            ):
                code.assign(before, add(before, ONE))
            code.freeze(before.text)
            result = add(result, before)
        return code.let(result, "rank")


def places_of(rules: Rules, numbering: ByPlace, seat: int) -> Iterator[tuple[tuple[str, int], int]]:
    """The places in their order for a seat in turn, each with its zone, and with how many numbers it takes."""
    for read, slots in zip(numbering.reads, numbering.slots, strict=True):
        zone = rules.zones[read.name]
        keys = combinations_of(*zone.key_values)
        matching = [
            offset for offset, values in enumerate(keys) if all(value == seat for value in values[: len(read.keys)])
        ]
        for offset, count in zip(matching, slots, strict=True):
            yield (read.name, zone.first_index + offset), count


def _bag_count(highs: tuple[int, ...], pieces: int) -> int:
    """How many bags have at most `highs` of each and so many pieces in all."""
    return ByCounts(highs, pieces, pieces).count if pieces >= 0 else 0


def _subset_rank(numbering: BySubset, members: Sequence[int], bits: Sequence[int]) -> int:
    elements = [member for member, bit in zip(members, bits, strict=True) if bit]
    is_numbered = numbering.fewest <= len(elements) <= numbering.most and set(elements) <= set(numbering.values)
    return numbering.rank(elements) if is_numbered else 0


__all__ = [
    "MAX_NUMBERS",
    "NUMBER_FUNCTION",
    "PieceNumbers",
    "ProgramNumbering",
    "RankWriter",
    "number_actions",
    "places_of",
]
