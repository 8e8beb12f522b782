"""Choices that are made piece by piece: what can be added to the answer that is open, or that it may end.

In: the offers of a decision, and the cells of the open answer: which action it is for, how many choices are made, their
word, and the pieces so far. Out: functions that list the next pieces, say whether there are any, and give the whole
answer. What can still complete a legal action is found by going through all answers that contain the open one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, ListItem, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    every,
    negated,
    some,
    subtract,
    total,
)
from rulewright.engine.compiled.kernel.kernel_statements import AddOption, CountOptions, Function, Return, SetItem
from rulewright.engine.compiled.translation.action_ranks import RankWriter
from rulewright.engine.compiled.translation.action_words import ActionWords, BagField, ListField, MaskField
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.fault_sites import FaultSites
from rulewright.engine.compiled.translation.legal_lists import LegalListWriter, Outer, nothing_around
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Surroundings, Value
from rulewright.engine.compiled.translation.sequences import ElementSet
from rulewright.engine.compiled.translation.word_fields import field_bits, joined, read_field
from rulewright.expr.tree import FIRST_OUTER_SLOT, Expr
from rulewright.expr.types import Bag, SetOf
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Clause, SomeOf
from rulewright.model.effects import Choose, Step
from rulewright.model.rules import Rules

AnswerUse = Callable[[Value], None]


@frozen
class OpenAnswer:
    """The cells of an answer that is made piece by piece. A bag has a count for each member; a set how many elements it
    has, these in the order in which they were picked, and a flag for each that it could have.
    """

    action: Int  # its number plus 1; 0: no answer is open
    made: Int  # how many choices are made
    word: Int  # the word of the action with these
    pieces: int
    size: int

    def bag(self, lane: int) -> Cell:
        """How many pieces of a member it has."""
        return Cell(Int(self.pieces + lane))

    @property
    def count(self) -> Cell:
        """How many elements it has."""
        return Cell(Int(self.pieces))

    def flag(self, field: MaskField | ListField, element: Node) -> Cell:
        """Whether it has an element."""
        low, room = _bounds(field)
        return Cell(add(element, Int(self.pieces + 1 + room - low)))


def _bounds(field: MaskField | ListField) -> tuple[int, int]:
    """The lowest element of a set, and how many it can have."""
    return (
        (min(field.members, default=0), len(field.members)) if isinstance(field, MaskField) else (field.low, field.room)
    )


def _span(field: MaskField | ListField) -> int:
    """How many different elements a set can have, with gaps."""
    if isinstance(field, MaskField):
        return max(field.members, default=0) - min(field.members, default=0) + 1
    return 1 << field.width


class PieceListWriter(LegalListWriter):
    """Writes the lists of one rule model. `open`: the answer that is open, if any can be."""

    def __init__(
        self, rules: Rules, expressions: ExpressionWriter, words: ActionWords, faults: FaultSites,
        ranks: RankWriter | None = None,
    ) -> None:  # fmt: skip
        super().__init__(rules, expressions, words, faults, ranks)
        self.open: OpenAnswer | None = None
        sizes = [self._size(action, index) for action in rules.actions for index in words.token_choices[action.index]]
        if sizes:
            cells = expressions.cells
            first = cells.reserve("open answer", 2, "action, choices made")
            word = cells.reserve("open word", 1, "the action with these", holds_words=True)
            pieces = cells.reserve("open pieces", max(sizes), "a count for each member; or the elements, and flags")
            self.open = OpenAnswer(Int(first), Int(first + 1), Int(word), pieces, max(sizes))

    def _size(self, action: ActionDef, index: int) -> int:
        field = self.words.fields[action.index][index]
        if isinstance(field, BagField):
            return len(field.lanes)
        assert isinstance(field, MaskField | ListField)
        return 1 + _bounds(field)[1] + _span(field)

    # ---- functions --------------------------------------------------------------------------------------------

    def pieces(self, name: str, step: Step, outer: Outer) -> Function | None:
        """The function that lists what a seat can do next at a decision: whole actions, and pieces; None where no
        action is answered piece by piece.
        """
        effect, tokenwise = step.effect, self.words.token_choices
        assert isinstance(effect, Choose)
        offered = [(self.rules.actions[offer.action], tuple(offer.clauses)) for offer in effect.offers]
        otherwise = [self.rules.actions[effect.fallback]] if isinstance(effect.fallback, int) else []
        if self.open is None or not any(tokenwise[action.index] for action in [*(x for x, _ in offered), *otherwise]):
            return None
        code = CodeBuilder(("me",), is_pure=True)
        for action, clauses in offered:
            self._add_offer(code, action, clauses, outer)
        for action in otherwise:
            count = code.result("count")
            code.write(CountOptions(count.text))
            with code.when(binary("==", count, ZERO)):
                self._add_offer(code, action, (), outer)
        if effect.mode == "may":
            with code.when(binary("==", Cell(self.open.action), ZERO)):
                code.write(AddOption(ZERO))
        return Function(name, ("me",), code.block, True, step.address, "lists what may be chosen next")

    def growing(self, action: ActionDef, index: int) -> Function:
        """The function that says whether the open answer can still grow."""
        assert self.open is not None
        held = self.open

        def test(code: CodeBuilder, answer: Value) -> None:
            if isinstance(answer, BagLanes):
                grows = some(binary(">", count, held.bag(lane)) for lane, count in enumerate(answer.lanes))
            else:
                assert isinstance(answer, ElementSet)
                grows = binary(">", code.let(answer.count(code)), held.count)
            with code.when(grows):
                code.write(Return((ONE,)))

        code = CodeBuilder(("me",), is_pure=True)
        clauses = _by_choices(action, action.clauses)
        around = self._made(code, action, index, nothing_around)
        wanted = self._only_total(action, index, clauses)
        if wanted is None:
            with self._counting_work(code, action, clauses, around):
                self._each_containing(code, action, index, clauses, around, lambda answer: test(code, answer))
            code.write(Return((ZERO,)))
        else:
            code.write(
                Return((binary("<", self._pieces(action, index), self.expressions.number(code, wanted, around)),))
            )
        name = f"grows_{action.name}_{index}"
        return Function(name, ("me",), code.block, True, action.address, "whether the open answer can grow")

    def whole(self, action: ActionDef, index: int) -> Function:
        """The function that gives the bits of the open answer, which is complete."""
        assert self.open is not None
        held, field = self.open, self.words.fields[action.index][index]
        code = CodeBuilder(("me",), is_pure=True)
        if isinstance(field, BagField):
            bits = [binary("<<", held.bag(lane), Int(shift)) for lane, (shift, _) in enumerate(field.lanes)]
            code.write(Return((joined(bits),)))
        elif isinstance(field, MaskField):
            flags = [(member, at) for at, member in enumerate(field.members)]
            bits = [binary("<<", held.flag(field, Int(member)), Int(field.shift + at)) for member, at in flags]
            code.write(Return((joined(bits),)))
        else:
            around = self._made(code, action, index, nothing_around)

            def give(answer: Value) -> None:
                assert isinstance(answer, ElementSet)
                with code.when(self._is_within(code, action, index, answer)):
                    is_all = binary("==", code.let(answer.count(code)), held.count)
                    with code.when(is_all):
                        code.write(Return((joined(field_bits(code, self.expressions.cells, field, answer)),)))

            self.answers.each_answer(code, action.index, index, (), around, give)
            code.write(Return((ZERO,)))
        name = f"answer_{action.name}_{index}"
        return Function(name, ("me",), code.block, True, action.address, "the open answer as a whole")

    # ---- what can be added --------------------------------------------------------------------------------------

    def _add_offer(self, code: CodeBuilder, action: ActionDef, offer_clauses: Sequence[Clause], outer: Outer) -> None:
        assert self.open is not None
        code.remark(action.address)
        clauses = _by_choices(action, (*offer_clauses, *action.clauses))
        around = Surroundings(Name("me"), {FIRST_OUTER_SLOT + slot: value for slot, value in outer(code).items()})
        with self._counting_work(code, action, clauses, around):
            self._add_what_follows(code, action, clauses, around, outer)

    def _add_what_follows(
        self, code: CodeBuilder, action: ActionDef, clauses: list[list[Clause]], around: Surroundings, outer: Outer
    ) -> None:
        """What can come next of an action: at first, and at each place to which an answer may have come."""
        assert self.open is not None
        number, tokenwise = Int(action.index + 1), self.words.token_choices[action.index]
        with code.when(binary("==", Cell(self.open.action), ZERO)), ExitStack() as stack:
            self._require(code, stack, clauses[0], around)
            self._add_next(code, action, 0, clauses, around, [number])
        if not tokenwise:
            return
        with code.when(binary("==", Cell(self.open.action), number)):
            for made in sorted({*tokenwise, *(index + 1 for index in tokenwise if index + 1 < len(action.choices))}):
                with code.when(binary("==", Cell(self.open.made), Int(made))):
                    around = self._made(code, action, made, outer)
                    self._add_next(code, action, made, clauses, around, [code.let(Cell(self.open.word), "word")])

    def _made(self, code: CodeBuilder, action: ActionDef, made: int, outer: Outer) -> Surroundings:
        """The variables of a decision, with the choices that are made."""
        assert self.open is not None
        word = code.let(Cell(self.open.word), "word") if made else ZERO
        known = {
            slot: read_field(code, field, word, action.choices[slot].name)
            for slot, field in enumerate(self.words.fields[action.index][:made])
        }
        return Surroundings(
            Name("me"), {**known, **{FIRST_OUTER_SLOT + slot: value for slot, value in outer(code).items()}}
        )

    def _add_next(
        self, code: CodeBuilder, action: ActionDef, index: int, clauses: list[list[Clause]], around: Surroundings,
        word: list[Node],
    ) -> None:  # fmt: skip
        """All that can come next when so many choices are made."""
        if index == len(action.choices):
            code.write(AddOption(self._listed(code, action, around, word)))
            return
        choice, field = action.choices[index], self.words.fields[action.index][index]

        def go_on(answer: Value, rest: Sequence[Clause]) -> None:
            self._count_work(code, action, self._counted[index][1])
            inside = around.with_variable(index, answer)
            with ExitStack() as stack:
                self._require(code, stack, rest, inside)
                bits = self._bits(code, field, answer)
                self._add_next(code, action, index + 1, clauses, inside, [*word, *bits])

        if index not in self.words.token_choices[action.index]:
            rest = self.answers.remaining_clauses(action.index, index, clauses[index + 1])
            answers = clauses[index + 1]
            self.answers.each_answer(code, action.index, index, answers, around, lambda answer: go_on(answer, rest))
        elif choice.condition is None:
            self._add_tokens(code, action, index, clauses, around, word)
        else:
            with code.when(code.let(self.expressions.number(code, choice.condition, around), "asked")) as branch:
                self._add_tokens(code, action, index, clauses, around, word)
            with code.unless(branch):
                go_on(self.answers.nothing(choice), clauses[index + 1])

    def _add_tokens(
        self, code: CodeBuilder, action: ActionDef, index: int, clauses: list[list[Clause]], around: Surroundings,
        word: list[Node],
    ) -> None:  # fmt: skip
        """The pieces that can still complete a legal answer, and that it may end as it is."""
        wanted = self._only_total(action, index, clauses)
        if wanted is not None:
            self._add_any_tokens(code, action, index, wanted, around, word)
            return
        assert self.open is not None
        held, field = self.open, self.words.fields[action.index][index]
        may_stop = code.variable(ZERO, "may_stop")
        bag = [code.variable(ZERO, "can_have") for _ in field.lanes] if isinstance(field, BagField) else []
        listed = ""
        if isinstance(field, MaskField | ListField):
            listed = code.new_list(_span(field), "can_have")
            with code.count_loop(ZERO, Int(_span(field)), "element"):
                code.append(listed, ZERO)

        def mark(answer: Value) -> None:
            if isinstance(answer, BagLanes):
                for lane, count in enumerate(answer.lanes):
                    with code.when(binary(">", count, held.bag(lane))):
                        code.assign(bag[lane], ONE)
                is_all = every(binary("==", count, held.bag(lane)) for lane, count in enumerate(answer.lanes))
            else:
                assert isinstance(answer, ElementSet)
                assert isinstance(field, MaskField | ListField)
                low = _bounds(field)[0]

                def mark_one(element: Node) -> None:
                    with code.when(negated(held.flag(field, element))):
                        code.write(SetItem(listed, subtract(element, Int(low)), ONE))

                answer.each(code, mark_one)
                is_all = binary("==", code.let(answer.count(code)), held.count)
            with code.when(is_all):
                code.assign(may_stop, ONE)

        self._each_containing(code, action, index, clauses, around, mark)
        list_piece = partial(self._list_piece, code, action, index, around, word)
        for lane, flag in enumerate(bag):
            with code.when(flag):
                list_piece(Int(lane))
        if isinstance(field, MaskField | ListField):
            with (
                code.count_loop(ZERO, Int(_span(field)), "element") as element,
                code.when(ListItem(listed, element)),
            ):
                list_piece(add(element, Int(_bounds(field)[0])))
        with code.when(may_stop):
            list_piece(Int(self.words.end_token))

    def _list_piece(
        self, code: CodeBuilder, action: ActionDef, index: int, around: Surroundings, word: Sequence[Node], piece: Node
    ) -> None:
        """Lists a piece that can be added, or the end of an answer."""
        if self.ranks is not None:
            rank = subtract(piece, Int(self.words.end_token))
            code.write(AddOption(self.ranks.piece_number(code, action, index, around, rank)))
            return
        first = self.words.token_code(self.words.token_choices[action.index].index(index), 0)
        token = binary("<<", add(piece, Int(first)), Int(self.words.token_shift))
        code.write(AddOption(binary("|", joined(word), token)))

    def _only_total(self, action: ActionDef, index: int, clauses: list[list[Clause]]) -> Expr | None:
        """How many pieces the last choice of an action takes out of a bag, if nothing else is asked of them: then any
        piece that the bag still has can be added as long as some are missing.
        """
        choice = action.choices[index]
        domain, is_last = choice.domain, index + 1 == len(action.choices)
        if not isinstance(domain, SomeOf) or domain.total is None or not isinstance(domain.of.type, Bag):
            return None
        if isinstance(domain.total.type, SetOf) or not is_last or choice.condition is not None or clauses[index + 1]:
            return None
        return domain.total

    def _pieces(self, action: ActionDef, index: int) -> Node:
        """How many pieces the open answer has, a part of a bag."""
        assert self.open is not None
        field = self.words.fields[action.index][index]
        assert isinstance(field, BagField)
        return total(self.open.bag(lane) for lane in range(len(field.lanes)))

    def _add_any_tokens(
        self, code: CodeBuilder, action: ActionDef, index: int, wanted: Expr, around: Surroundings, word: list[Node]
    ) -> None:
        """Any piece that the bag still has, as long as some are missing; then the end of the answer."""
        assert self.open is not None
        domain = action.choices[index].domain
        assert isinstance(domain, SomeOf)
        available = self.expressions.full_bag(code, domain.of, around).lanes
        missing = subtract(self.expressions.number(code, wanted, around), self._pieces(action, index))
        missing = code.let(missing, "missing")
        left = [code.let(subtract(count, self.open.bag(lane)), "left") for lane, count in enumerate(available)]
        list_piece = partial(self._list_piece, code, action, index, around, word)
        with code.when(binary("<=", missing, code.let(total(left), "all_left"))):
            with code.when(binary(">", missing, ZERO)):
                for lane, count in enumerate(left):
                    with code.when(binary(">", count, ZERO)):
                        list_piece(Int(lane))
            with code.when(binary("==", missing, ZERO)):
                list_piece(Int(self.words.end_token))

    def _each_containing(
        self, code: CodeBuilder, action: ActionDef, index: int, clauses: list[list[Clause]], around: Surroundings,
        use: AnswerUse,
    ) -> None:  # fmt: skip
        """Does something for each answer that contains the open one and can be completed; perhaps several times."""
        rest = self.answers.remaining_clauses(action.index, index, clauses[index + 1])

        def go_on(answer: Value) -> None:
            self._count_work(code, action, self._counted[index][1])
            inside = around.with_variable(index, answer)
            with ExitStack() as stack:
                stack.enter_context(code.when(self._is_within(code, action, index, answer)))
                self._require(code, stack, rest, inside)
                self._complete(code, action, index + 1, clauses, inside, [], lambda _: use(answer))

        self.answers.each_answer(code, action.index, index, clauses[index + 1], around, go_on)

    def _is_within(self, code: CodeBuilder, action: ActionDef, index: int, answer: Value) -> Node:
        """Whether an answer contains the open one."""
        assert self.open is not None
        held, field = self.open, self.words.fields[action.index][index]
        if isinstance(answer, BagLanes):
            return every(binary("<=", held.bag(lane), count) for lane, count in enumerate(answer.lanes))
        assert isinstance(answer, ElementSet)
        assert isinstance(field, MaskField | ListField)
        common = code.variable(ZERO, "common")

        def note(element: Node) -> None:
            code.assign(common, add(common, held.flag(field, element)))

        answer.each(code, note)
        return binary("==", common, held.count)


def _by_choices(action: ActionDef, clauses: Sequence[Clause]) -> list[list[Clause]]:
    """Clauses by how many choices they need."""
    found: list[list[Clause]] = [[] for _ in range(len(action.choices) + 1)]
    for clause in clauses:
        found[clause.required_choices].append(clause)
    return found


__all__ = ["OpenAnswer", "PieceListWriter"]
