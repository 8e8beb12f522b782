"""The fixed numbers of actions, as a function of a program: whatever the position, a number means the same.

In: how the actions of a rule model are numbered. Out: `option_number`, which gives the number of one of the listed
actions, and a `ProgramNumbering`: how many numbers there are. A choice that is answered piece by piece has numbers of
its own, behind those of whole actions: a piece, or the end of the answer, after the answers before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product as combinations_of
from math import comb, prod
from typing import Final, assert_never

from rulewright.engine.compiled.action_words import ActionWords, ListField, MaskField
from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.expression_writer import ExpressionWriter
from rulewright.engine.compiled.kernel import Cell, FindCell, Int, ListItem, Name, Node, TableEntry
from rulewright.engine.compiled.kernel_arithmetic import ONE, ZERO, add, binary, both, product, subtract, total
from rulewright.engine.compiled.kernel_statements import Function, Return, TakeOption
from rulewright.engine.compiled.legal_lists import read_field
from rulewright.engine.compiled.place_expressions import BagLanes, Surroundings, Value
from rulewright.engine.compiled.refusal import NotCompiled
from rulewright.engine.compiled.sequences import ElementSet, ListSet
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
MAX_SUBSET_VALUES: Final = 62  # bits of a number


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
                    ranks = self._ranks(code, action, word, me, len(action.choices))
                    code.write(Return((add(Int(numbered.first), ranks),)))
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
            low, high = Int(words.token_code(rank, -1)), Int(words.token_code(rank + 1, -1))
            with code.when(binary("and", binary(">=", token, low), binary("<", token, high))):
                numbers = self.numbering.pieces[action.index, index]
                before = self._ranks(code, action, word, me, index)
                number = add(product(before, Int(numbers.span)), subtract(token, low))
                code.write(Return((add(number, Int(numbers.first)),)))

    def _ranks(self, code: CodeBuilder, action: ActionDef, word: Name, me: Node, made: int) -> Node:
        """The rank of the first answers together, the last choice running fastest."""
        numbered = self.numbering.whole.actions[action.index]
        rank: Node = ZERO
        answers: dict[int, Value] = {}
        for slot, choice in enumerate(action.choices[:made]):
            numbering = numbered.choices[slot]
            answers[slot] = read_field(code, self.words.fields[action.index][slot], word, choice.name)
            own = self._rank(code, action, slot, numbering, Surroundings(me, dict(answers)))
            rank = add(product(rank, Int(numbering.count)), own)
        return rank

    def _rank(
        self, code: CodeBuilder, action: ActionDef, slot: int, numbering: Numbering, around: Surroundings
    ) -> Node:
        choice, answer = action.choices[slot], around.variables[slot]
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
                return self._rank_place(code, choice, numbering, answer)
            case ByWild(vectors=vectors, wild=wild):
                assert isinstance(answer, BagLanes)
                assert isinstance(choice.domain, Pay)
                rank = code.variable(ZERO, "rank")
                with code.when(answer.lanes[wild]):  # without wild pieces it is the first payment, whatever the price
                    price = self.expressions.full_bag(code, choice.domain.price, around).lanes
                    replaced = [
                        ZERO if lane == wild else code.let(subtract(cost, paid), "replaced")
                        for lane, (cost, paid) in enumerate(zip(price, answer.lanes, strict=True))
                    ]
                    code.assign(rank, self._rank_counts(code, choice, vectors, replaced))
                return rank
            case _:
                assert_never(numbering)

    def _table(self, choice: Choice, what: str, values: Sequence[int]) -> str:
        return self.cells.table(f"{what}_of_{choice.address.replace('.', '_')}", values)

    def _rank_value(self, choice: Choice, values: Sequence[int], answer: Node) -> Node:
        low, high = min(values), max(values)
        if list(values) == list(range(low, high + 1)):
            return subtract(answer, Int(low))
        ranks = {value: rank for rank, value in enumerate(values)}
        table = self._table(choice, "ranks", [ranks.get(value, 0) for value in range(low, high + 1)])
        return TableEntry(table, subtract(answer, Int(low)))

    def _rank_counts(self, code: CodeBuilder, choice: Choice, numbering: ByCounts, lanes: Sequence[Node]) -> Node:
        """Smaller bags first, then by the count of the first member, the second …: a table for each member says how
        many bags come before, by how many pieces are left for it and those after it, and how many of them it has.
        """
        most, highs = numbering.high_total, numbering.highs
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
            mask = getattr(answer, "mask", None)
            assert mask is not None
            return TableEntry(self._table(choice, "ranks", ranks), mask)
        assert isinstance(field, ListField)
        assert isinstance(answer, ListSet)
        if len(values) > MAX_SUBSET_VALUES:
            raise NotCompiled(choice.address, f"numbers for sets out of {len(values)}")
        count = answer.count(code)
        smaller = [0] * (numbering.most + 2)
        for size in range(numbering.fewest, numbering.most + 1):
            smaller[size + 1] = smaller[size] + comb(len(values), size)
        rank = code.variable(TableEntry(self._table(choice, "smaller", smaller), count), "rank")
        chosen = code.variable(ZERO, "chosen")
        with code.count_loop(ZERO, count, "at") as at:
            element = self._rank_value(choice, values, ListItem(answer.items, at))
            code.assign(chosen, binary("|", chosen, binary("<<", ONE, element)))
        code.freeze(chosen.text)
        width = len(values) + 1
        before = [0] * (width * (numbering.most + 1))
        for after, place in combinations_of(range(numbering.most), range(len(values))):
            more = comb(len(values) - place - 1, after)
            before[after * width + place + 1] = before[after * width + place] + more
        table = self._table(choice, "before", before)
        left, start = code.variable(count, "left"), code.variable(ZERO, "start")
        with (
            code.count_loop(ZERO, Int(len(values)), "index") as index,
            code.when(binary("&", binary(">>", chosen, index), ONE)),
        ):
            code.assign(left, subtract(left, ONE))
            row = product(left, Int(width))
            code.assign(
                rank, subtract(add(rank, TableEntry(table, add(row, index))), TableEntry(table, add(row, start)))
            )
            code.assign(start, add(index, ONE))
        return rank

    def _rank_place(self, code: CodeBuilder, choice: Choice, numbering: ByPlace, thing: Node) -> Node:
        assert isinstance(choice.type, Thing)
        first = self.cells.thing_places[choice.type.component]
        place = code.let(Cell(add(thing, Int(first))), "place")
        places = len(self.cells.layout.visibility.zone_by_place)
        ranks, zones = [0] * (self.rules.players * places), dict[str, None]()
        for seat in range(self.rules.players):
            rank = 0
            for (name, number), slots in _places(self.rules, numbering, seat):
                ranks[seat * places + number] = rank
                rank += slots
                if slots > 1:
                    zones[name] = None
        me = code.let(Cell(self.cells.counter("seat")), "me")
        row = add(product(me, Int(places)), place)
        result = code.variable(TableEntry(self._table(choice, "ranks", ranks), row), "rank")
        for name in zones:
            zone, storage = self.rules.zones[name], self.cells.storage[name]
            if storage != "row":
                raise NotCompiled(choice.address, f"numbers for things of {name}, which have no order")
            is_after = binary(">=", place, Int(zone.first_index))
            inside = both(is_after, binary("<", place, Int(zone.first_index + zone.size)))
            with code.when(inside):
                offset = subtract(place, Int(zone.first_index))
                begin = add(product(offset, Int(self.cells.rooms[name])), Int(self.cells.contents[name]))
                code.assign(result, add(result, subtract(FindCell(begin, thing), begin)))
        return result


def _places(rules: Rules, numbering: ByPlace, seat: int) -> Iterator[tuple[tuple[str, int], int]]:
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


__all__ = ["MAX_NUMBERS", "NUMBER_FUNCTION", "PieceNumbers", "ProgramNumbering", "RankWriter", "number_actions"]
