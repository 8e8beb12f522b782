"""Lists of legal actions, as functions of the program: one for each decision, one for each action that is asked about.

In: the offers of a step. Out: functions that list the words of all legal actions, or their fixed numbers, in their
fixed order: offers as the step names them, then answers of the first choice, then of the second. Clauses are asked as
soon as they can be.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from rulewright import limits
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary
from rulewright.engine.compiled.kernel.kernel_statements import AddOption, Function, Return
from rulewright.engine.compiled.translation.action_ranks import RankWriter
from rulewright.engine.compiled.translation.action_words import ActionWords, Field
from rulewright.engine.compiled.translation.answers import AnswerWriter
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.fault_sites import FaultSite, FaultSites
from rulewright.engine.compiled.translation.place_expressions import Surroundings, Value
from rulewright.engine.compiled.translation.word_fields import field_bits, joined
from rulewright.expr.tree import FIRST_OUTER_SLOT
from rulewright.expr.walk import conjuncts
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Choose, Step
from rulewright.model.rules import Rules

Outer = Callable[[CodeBuilder], Mapping[int, Value]]  # the variables around a step, read where they are needed
Leaf = Callable[[Callable[[], Node]], None]  # what is done with a legal action, which can be asked for


class LegalListWriter:
    """Writes the lists of one rule model. `ranks`: what gives actions their numbers, where these are listed."""

    def __init__(
        self, rules: Rules, expressions: ExpressionWriter, words: ActionWords, faults: FaultSites,
        ranks: RankWriter | None = None,
    ) -> None:  # fmt: skip
        self.rules = rules
        self.expressions = expressions
        self.words = words
        self.ranks = ranks
        self.answers = AnswerWriter(rules, expressions, words, faults, ranks)
        self.faults = faults
        self._counted: list[tuple[int, int]] = []  # of the action that is written; see `_counted_work`
        self._work: Name | None = None  # what was counted

    # ---- functions --------------------------------------------------------------------------------------------

    def options(self, names: tuple[str, str], step: Step, outer: Outer) -> tuple[Function, Function | None]:
        """The functions, by these names, that list what a decision offers, and what its fallback adds."""
        effect = step.effect
        assert isinstance(effect, Choose)
        code = CodeBuilder(("me",), is_pure=True)
        for offer in effect.offers:
            self._add_action(code, self.rules.actions[offer.action], offer.clauses, outer)
        options = Function(names[0], ("me",), code.block, True, step.address, "lists what may be chosen")
        if not isinstance(effect.fallback, int):
            return options, None
        code = CodeBuilder(("me",), is_pure=True)
        self._add_action(code, self.rules.actions[effect.fallback], (), outer)
        text = "lists what is done if nothing else can be"
        return options, Function(names[1], ("me",), code.block, True, step.address, text)

    def first_options(self, name: str, step: Step, outer: Outer, enough: int) -> Function:
        """The function that lists only the first options that a decision offers."""
        effect = step.effect
        assert isinstance(effect, Choose)
        code = CodeBuilder(("me",), is_pure=True)
        count = code.variable(ZERO, "count") if enough > 1 else None

        def add_option(listed: Callable[[], Node]) -> None:
            code.write(AddOption(listed()))
            if count is None:
                code.write(Return(()))
                return
            code.assign(count, add(count, ONE))
            with code.when(binary(">=", count, Int(enough))):
                code.write(Return(()))

        for offer in effect.offers:
            action = self.rules.actions[offer.action]
            code.remark(action.address)
            self._each_legal(code, action, offer.clauses, outer, add_option)
        return Function(name, ("me",), code.block, True, step.address, "lists the first that may be chosen")

    def possible(self, action: ActionDef) -> Function:
        """The function that says whether an action could be done at all."""
        code = CodeBuilder(("me",), is_pure=True)
        self._each_legal(code, action, (), nothing_around, lambda _: code.write(Return((ONE,))))
        code.write(Return((ZERO,)))
        return Function(
            f"possible_{action.name}", ("me",), code.block, True, action.address, "whether it could be done"
        )

    def _add_action(self, code: CodeBuilder, action: ActionDef, offer_clauses: Sequence[Clause], outer: Outer) -> None:
        code.remark(action.address)
        self._each_legal(code, action, offer_clauses, outer, lambda listed: code.write(AddOption(listed())))

    # ---- whole actions ----------------------------------------------------------------------------------------

    def _each_legal(
        self, code: CodeBuilder, action: ActionDef, offer_clauses: Sequence[Clause], outer: Outer, leaf: Leaf
    ) -> None:
        clauses: list[list[Clause]] = [[] for _ in range(len(action.choices) + 1)]
        for clause in (*offer_clauses, *action.clauses):
            clauses[clause.required_choices].append(clause)
        around = Surroundings(Name("me"), {FIRST_OUTER_SLOT + slot: value for slot, value in outer(code).items()})
        with self._counting_work(code, action, clauses, around), ExitStack() as stack:
            self._require(code, stack, clauses[0], around)
            self._complete(code, action, 0, clauses, around, [Int(action.index + 1)], leaf)

    def _complete(
        self, code: CodeBuilder, action: ActionDef, index: int, clauses: list[list[Clause]], around: Surroundings,
        word: list[Node], leaf: Leaf,
    ) -> None:  # fmt: skip
        """All answers of a choice and of those after it."""
        if index == len(action.choices):
            leaf(lambda: self._listed(code, action, around, word))
            return
        rest: list[Clause] = []
        field = self.words.fields[action.index][index]
        once, for_each = self._counted[index]

        def go_on(answer: Value) -> None:
            self._count_work(code, action, for_each)
            inside = around.with_variable(index, answer)
            with ExitStack() as stack:
                self._require(code, stack, rest, inside)
                bits = self._bits(code, field, answer)
                self._complete(code, action, index + 1, clauses, inside, [*word, *bits], leaf)

        rest = self.answers.remaining_clauses(action.index, index, clauses[index + 1])
        self._count_work(code, action, once)
        self.answers.each_answer(code, action.index, index, clauses[index + 1], around, go_on)

    @contextmanager
    def _counting_work(
        self, code: CodeBuilder, action: ActionDef, clauses: list[list[Clause]], around: Surroundings
    ) -> Generator[None]:
        """Within it the choices of an action are gone through."""
        before = self._counted, self._work
        self._counted = self._counted_work(action, clauses, around)
        self._work = code.variable(ZERO, "work") if any(map(any, self._counted)) else None
        yield
        self._counted, self._work = before

    def _counted_work(
        self, action: ActionDef, clauses: list[list[Clause]], around: Surroundings
    ) -> list[tuple[int, int]]:
        """What is counted of each choice, once and for each answer: nothing where it cannot come to much."""
        counted, tried = [], 1
        for index, choice in enumerate(action.choices):
            once, for_each = choice.cost, limits.ANSWER_COST + sum(clause.cost for clause in clauses[index + 1])
            answers = tried * min(limits.MAX_ANSWERS, self.answers.answer_count(action.index, index, around))
            counted.append((once * (tried * once > limits.MAX_WORK), for_each * (answers * for_each > limits.MAX_WORK)))
            tried = answers
        return counted

    def _count_work(self, code: CodeBuilder, action: ActionDef, amount: int) -> None:
        """Counts what it takes to look at answers, and stops what would take too long."""
        if not amount:
            return
        assert self._work is not None
        code.assign(self._work, add(self._work, Int(amount)))
        text = f"finding the legal actions could take more than {limits.MAX_WORK:,} steps"
        site = FaultSite(action.address, action.span, text)
        self.faults.fail_unless(code, binary("<=", self._work, Int(limits.MAX_WORK)), site)

    def _bits(self, code: CodeBuilder, field: Field, answer: Value) -> list[Node]:
        """The bits of an answer in the word of an action, where words are listed."""
        return [] if self.ranks is not None else field_bits(code, self.expressions.cells, field, answer)

    def _listed(self, code: CodeBuilder, action: ActionDef, around: Surroundings, word: Sequence[Node]) -> Node:
        """What is listed of an action that has all its answers: its number, or its word out of these bits."""
        return joined(word) if self.ranks is None else self.ranks.number(code, action, around)

    def _require(self, code: CodeBuilder, stack: ExitStack, clauses: Sequence[Clause], around: Surroundings) -> None:
        """Goes on only where all clauses hold; a condition after `and` is asked only where that before it holds."""
        for clause in clauses:
            for part in conjuncts(clause.condition):
                stack.enter_context(code.when(self.expressions.number(code, part, around)))


def nothing_around(code: CodeBuilder) -> Mapping[int, Value]:
    """No variables."""
    return {}


__all__ = ["LegalListWriter", "Outer", "nothing_around"]
