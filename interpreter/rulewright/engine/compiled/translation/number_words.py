"""The fixed number of an action turned back into its word: which card now lies in that place, what is paid for it.

In: how the actions of a rule model are numbered. Out: `option_word`, a function of the program, for the number of an
action that is legal in the position. With it lists of legal actions can hold numbers only: of all that is listed one
action is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, binary, product, subtract, total
from rulewright.engine.compiled.kernel.kernel_statements import Function, Return
from rulewright.engine.compiled.translation.action_ranks import ProgramNumbering, places_of
from rulewright.engine.compiled.translation.action_words import ActionWords, BagField, MaskField, NumberField
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.packed_lanes import pack_lanes
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.engine.compiled.translation.ranked_bags import numbered_bags
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.compiled.translation.word_fields import joined, read_field
from rulewright.model.actions import ActionDef, Choice, Pay
from rulewright.model.facts.action_numbers import ByCounts, ByPlace, BySubset, ByValue, ByWild, Numbering

WORD_FUNCTION: Final = "option_word"
ACT_FUNCTION: Final = "act_number"
PERFORM_FUNCTION: Final = "perform_number"
LARGEST_WORDS: Final = 4096  # answers of one choice whose bits stand in a table


class NumberReader:
    """Writes the function. Raises `NotCompiled` where numbers would take too long to be turned back."""

    def __init__(self, expressions: ExpressionWriter, words: ActionWords, numbering: ProgramNumbering) -> None:
        self.rules = expressions.rules
        self.cells = expressions.cells
        self.expressions = expressions
        self.words = words
        self.numbering = numbering

    def function(self) -> Function:
        """`option_word(number, me)`: the word of the action of a seat that has a number."""
        code = CodeBuilder(("number", "me"), is_pure=True)
        number = Name("number")
        with code.when(binary("==", number, ZERO)):
            code.write(Return((ZERO,)))
        self.each_action(code, lambda _, word: code.write(Return((word,))))
        for (at, index), numbers in self.numbering.pieces.items():
            with code.when(binary("<", number, Int(numbers.first + numbers.before * numbers.span))):
                offset = code.let(subtract(number, Int(numbers.first)), "offset")
                first = self.words.token_code(self.words.token_choices[at].index(index), self.words.end_token)
                piece = binary("%", offset, Int(numbers.span)) if numbers.before > 1 else offset
                token = binary("<<", add(piece, Int(first)), Int(self.words.token_shift))
                rank = code.let(binary("//", offset, Int(numbers.span)), "rank")
                bits = self._answers(code, self.rules.actions[at], rank, index)
                code.write(Return((joined([Int(at + 1), token, *bits]),)))
        code.write(Return((ZERO,)))
        return Function(
            WORD_FUNCTION, ("number", "me"), code.block, True, "", "the word of the action that has a number"
        )

    def each_action(self, code: CodeBuilder, go_on: Callable[[ActionDef, Node], None]) -> None:
        """Asks which action it is that has a number (not 0), with all its answers, and goes on with its word."""
        number = Name("number")
        for action, numbered in zip(self.rules.actions, self.numbering.whole.actions, strict=True):
            if numbered.is_possible:
                with code.when(binary("<", number, Int(numbered.first + numbered.count))):
                    rank = code.let(subtract(number, Int(numbered.first)), "rank")
                    bits = self._answers(code, action, rank, len(action.choices))
                    go_on(action, joined([Int(action.index + 1), *bits]))

    def _answers(self, code: CodeBuilder, action: ActionDef, rank: Node, made: int) -> list[Node]:
        """The bits of the first answers, out of their rank together."""
        numberings = self.numbering.whole.actions[action.index].choices[:made]
        around, found = Surroundings(Name("me"), {}), list[Node]()
        for slot, numbering in enumerate(numberings):
            choice, field = action.choices[slot], self.words.fields[action.index][slot]
            after = prod(later.count for later in numberings[slot + 1 :])
            own = rank if after == 1 else code.let(binary("//", rank, Int(after)), "rank")
            if after > 1:
                rank = code.let(binary("%", rank, Int(after)), "rank")
            match field:
                case NumberField(shift=shift, low=low):
                    answer = code.let(self._number(code, choice, numbering, own), choice.name)
                    around = around.with_variable(slot, answer)
                    found.append(binary("<<", subtract(answer, Int(low)), Int(shift)))
                    continue
                case BagField(lanes=lanes):
                    shift = lanes[0][0] if lanes else 0
                    bits = self._bag(code, choice, numbering, field, own, around)
                case MaskField(shift=shift):
                    bits = self._mask(choice, numbering, field, own)
                case _:
                    raise NotCompiled(choice.address, "words of sets with many members")
            bits = code.let(binary("<<", bits, Int(shift)), choice.name)
            found.append(bits)
            if slot + 1 < len(numberings):
                around = around.with_variable(slot, read_field(code, field, bits, choice.name))
        return found

    def _number(self, code: CodeBuilder, choice: Choice, numbering: Numbering, rank: Node) -> Node:
        """A number, flag, member or thing."""
        match numbering:
            case ByValue(values=values):
                if list(values) == list(range(values[0], values[-1] + 1)):
                    return add(rank, Int(values[0]))
                return self._entry(choice, "values", values, rank)
            case ByPlace():
                rows = [self._cells_of(choice, numbering, seat) for seat in range(self.rules.players)]
                if any(row != rows[0] for row in rows):
                    rank = add(product(Name("me"), Int(numbering.count)), rank)
                    return Cell(self._entry(choice, "cells", [cell for row in rows for cell in row], rank))
                is_run = all(second == first + 1 for first, second in pairwise(rows[0]))
                return Cell(add(rank, Int(rows[0][0])) if is_run else self._entry(choice, "cells", rows[0], rank))
            case _:
                raise AssertionError(type(numbering).__name__)

    def _cells_of(self, choice: Choice, numbering: ByPlace, seat: int) -> list[int]:
        """By rank the cell in which a thing lies."""
        found = list[int]()
        for (name, place), slots in places_of(self.rules, numbering, seat):
            if self.cells.storage[name] not in ("cell", "row"):
                raise NotCompiled(choice.address, f"numbers for things of {name}, which have no order")
            begin = self.cells.contents[name] + (place - self.rules.zones[name].first_index) * self.cells.rooms[name]
            found += range(begin, begin + slots)
        return found

    def _mask(self, choice: Choice, numbering: Numbering, field: MaskField, rank: Node) -> Node:
        assert isinstance(numbering, BySubset)
        sets = map(numbering.elements, range(numbering.count))
        return self._entry(
            choice,
            "masks",
            [
                sum(1 << field.members.index(member) for member in members if member in field.members)
                for members in sets
            ],
            rank,
        )

    def _bag(
        self, code: CodeBuilder, choice: Choice, numbering: Numbering, field: BagField, rank: Node,
        around: Surroundings,
    ) -> Node:  # fmt: skip
        """The bits of a bag, from its first on."""
        shifts = [shift - field.lanes[0][0] for shift, _ in field.lanes]

        def entries(numbered: ByCounts, wild: int | None) -> list[int]:
            if numbered.count > LARGEST_WORDS:
                raise NotCompiled(choice.address, f"words of {numbered.count:,} bags")
            bags = numbered_bags(numbered)
            if wild is None:
                return [sum(count << shift for count, shift in zip(bag, shifts, strict=True)) for bag in bags]
            return [
                sum(-count << shift for count, shift in zip(bag, shifts, strict=True)) + (sum(bag) << shifts[wild])
                for bag in bags
            ]

        match numbering:
            case ByCounts():
                return self._entry(choice, "words", entries(numbering, None), rank)
            case ByWild(vectors=vectors, wild=wild):
                assert isinstance(choice.domain, Pay)
                price = self.expressions.full_bag(code, choice.domain.price, around).lanes
                price = tuple(ZERO if at == wild else cost for at, cost in enumerate(price))
                packed = pack_lanes(code, self.cells, price) if field.is_packed else None
                whole = total(binary("<<", cost, Int(shift)) for shift, cost in zip(shifts, price, strict=True))
                if packed is not None:
                    whole = packed.number
                replaced = self._entry(choice, "replaced", entries(vectors, wild), rank)
                return add(whole, replaced)
            case ByPlace() | BySubset() | ByValue():
                raise AssertionError(type(numbering).__name__)
            case _:
                assert_never(numbering)

    def _entry(self, choice: Choice, what: str, values: Sequence[int], rank: Node) -> Node:
        return TableEntry(self.cells.table(f"{what}_of_{choice.address.replace('.', '_')}", values), rank)


__all__ = ["ACT_FUNCTION", "PERFORM_FUNCTION", "WORD_FUNCTION", "NumberReader"]
