"""Steps in which nobody can be asked: they run straight on, as often as they are done.

In: steps of the rule model, and where their variables stand. Out: code that carries them out, with their loops.

Loops that could run for long count what they do since somebody last chose, as the engine that defines what rules mean
does, but nothing outside of them: so what they stop is stopped there too, and no rules keep a program busy for ever.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Final

from rulewright import limits
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, ListItem, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, negated
from rulewright.engine.compiled.kernel.kernel_statements import LeaveLoop, SetItem, Store
from rulewright.engine.compiled.translation.derived_sequences import FilteredSet
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.fault_sites import FaultSite
from rulewright.engine.compiled.translation.known_answers import KnownAnswers
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.engine.compiled.translation.sequences import ElementSet, KnownSet, ListSet, TableRowSet, leave_when
from rulewright.engine.compiled.translation.set_expressions import unrolled
from rulewright.engine.compiled.translation.step_effects import EffectWriter
from rulewright.expr.tree import Expr
from rulewright.expr.types import Number
from rulewright.model.effects import RunSteps, Step
from rulewright.model.rules import Rules, StateDef

UNCOUNTED_STEPS: Final = limits.MAX_AUTOMATIC_STEPS // 10  # in loops within loops: so few need no count
UNCOUNTED_WORK: Final = limits.MAX_WORK // 20


class StraightSteps(ABC):
    """Writes the steps of one rule model that run straight on."""

    expressions: ExpressionWriter
    effects: EffectWriter
    rules: Rules
    block_states: dict[int, list[StateDef]]
    work_cells: tuple[Int, Int] | None = None  # what loops have done since somebody chose: steps, evaluation
    _rounds = 1  # how often the step that is written can be done in the loops around it

    def _straight_step(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        """A step in which nobody can be asked, as often as it is done."""
        if step.for_each is None and step.times is None:
            self._straight_once(code, step, around)
            return
        expressions = self.expressions
        slot = None if step.for_each is None else step.for_each.slot
        most = 1 if step.times is None else most_times(step.times)
        self.effects.known.forget_bags()  # the loop comes round again after what it moves
        self.effects.known.forget_things()
        with ExitStack() as stack:
            if step.times is not None:
                times = code.let(expressions.number(code, step.times, around), "times")
                self._check_times(code, step, times)
            if step.for_each is None:
                stack.enter_context(self._within_rounds(most))
                stack.enter_context(code.count_loop(ZERO, times, "repetition"))
                self._straight_iteration(code, step, around, None)
                return
            elements = self._loop_elements(code, step, around)
            stack.enter_context(self._within_rounds(most * max(1, elements.bound)))
            ended: Name | None = None
            if step.times is not None:
                if step.while_condition is not None:
                    ended = code.variable(ZERO, "ended")
                stack.enter_context(code.count_loop(ZERO, times, "repetition"))
                leave_when(code, ended)
            assert slot is not None
            few = unrolled(elements) if step.while_condition is None else None
            if few is not None and len(few) <= 4 and all(flag == ONE for _, flag in few):
                for value, _ in few:
                    self._straight_iteration(code, step, around.with_variable(slot, Int(value)), None)
                return
            if step.while_condition is not None:
                elements = elements.to_list(code)  # what has a loop of its own, which can be left
            elements.each(code, lambda x: self._straight_iteration(code, step, around.with_variable(slot, x), ended))

    def _check_times(self, code: CodeBuilder, step: Step, times: Node) -> None:
        """More repetitions than a game may have steps are an endless loop."""
        if isinstance(times, Int):
            return
        site = FaultSite(step.address, step.span, "goes on without end")
        self.effects.fail_unless(code, binary("<=", times, Int(limits.MAX_AUTOMATIC_STEPS)), site)

    def _straight_iteration(self, code: CodeBuilder, step: Step, around: Surroundings, ended: Name | None) -> None:
        """Once more, unless the step has come to its end; then `ended` is set, for the loop around."""
        self._count_work(code, step, *self._least_work(step))
        if step.while_condition is not None:
            with code.when(negated(self.expressions.number(code, step.while_condition, around))):
                if ended is not None:
                    code.assign(ended, ONE)
                code.write(LeaveLoop())
        self._straight_once(code, step, around)

    def _straight_once(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        with ExitStack() as stack:
            if step.when is not None:
                stack.enter_context(code.when(code.let(self.expressions.number(code, step.when, around), "holds")))
            match step.effect:
                case RunSteps(block=inner) if step.when is not None:
                    self._count_work(code, step, *self._least_work_of_block(inner))
                case _:
                    pass
            match step.effect:
                case RunSteps(block=inner, is_procedure=True, arguments=arguments):
                    variables = {  # members and things: nothing else can be given
                        slot: code.variable(self.expressions.number(code, argument, around), "it")
                        for slot, argument in enumerate(arguments)
                    }
                    self.effects.check_late(code, around.me)
                    known, self.effects.known = self.effects.known, KnownAnswers()
                    self._straight_block(code, inner, Surroundings(around.me, variables))
                    self.effects.known = known
                    known.forget_bags()
                    known.forget_things()
                case RunSteps(block=inner):
                    self.effects.reset(code, self.block_states.get(inner, []))
                    self.effects.check_late(code, around.me)
                    self._straight_block(code, inner, around)
                    self.effects.reset(code, self.block_states.get(inner, []))
                case _:
                    self.effects.write(code, step, around)
        if step.when is not None:
            code.forget_cells()

    def _straight_block(self, code: CodeBuilder, block: int, around: Surroundings) -> None:
        for step in self.rules.blocks[block].steps:
            code.remark(step.address)
            self._straight_step(code, step, around)

    # ---- how much is done -------------------------------------------------------------------------------------

    @contextmanager
    def _within_rounds(self, most: int) -> Generator[None]:
        """What is written within it can be done so many times as often."""
        before, self._rounds = self._rounds, self._rounds * most
        yield
        self._rounds = before

    def _count_work(self, code: CodeBuilder, step: Step, steps: int, work: int) -> None:
        """Counts steps and their evaluation, if the loops around are long, and stops what would go on without end."""
        found = (
            (0, steps, limits.MAX_AUTOMATIC_STEPS, self._rounds * steps > UNCOUNTED_STEPS, "without a decision"),
            (1, work, limits.MAX_WORK, self._rounds * work > UNCOUNTED_WORK, "of evaluation between two decisions"),
        )
        for at, amount, most, is_counted, unit in found:
            if not is_counted:
                continue
            if self.work_cells is None:
                first = self.effects.cells.reserve("work", 2, "steps and evaluation of loops since somebody chose")
                self.work_cells = Int(first), Int(first + 1)
            cell = self.work_cells[at]
            code.write(Store(cell, add(Cell(cell), Int(amount))))
            site = FaultSite(step.address, step.span, f"more than {most:,} steps {unit}")
            self.effects.fail_unless(code, binary("<=", Cell(cell), Int(most)), site)

    def _least_work(self, step: Step) -> tuple[int, int]:
        """The fewest steps, and what evaluation counts for them at least, each time that a step is done."""
        steps, work = 1, step.cost
        if isinstance(step.effect, RunSteps) and step.when is None and step.while_condition is None:
            inner_steps, inner_work = self._least_work_of_block(step.effect.block)
            steps, work = steps + inner_steps, work + inner_work
        return steps, work

    def _least_work_of_block(self, block: int) -> tuple[int, int]:
        steps = work = 0
        for step in self.rules.blocks[block].steps:
            is_loop = step.for_each is not None or step.times is not None  # that counts its rounds itself
            more_steps, more_work = (1, step.loop_cost) if is_loop else self._least_work(step)
            steps, work = steps + more_steps, work + more_work
        return steps + 1, work  # the end of a block is a step too

    # ---- loops ------------------------------------------------------------------------------------------------

    def _loop_elements(self, code: CodeBuilder, step: Step, around: Surroundings) -> ElementSet:
        """What a loop runs over: worked out before it begins, in its order."""
        binding = step.for_each
        assert binding is not None
        over = self.expressions.elements(code, binding.over, around)
        if binding.condition is not None:
            condition = binding.condition
            over = FilteredSet(
                over, lambda x: self.expressions.number(code, condition, around.with_variable(binding.slot, x))
            )
        if step.order is not None:
            return self._sorted(code, step, over, around)
        return over if isinstance(over, KnownSet | TableRowSet) else over.to_list(code)

    def _sorted(self, code: CodeBuilder, step: Step, over: ElementSet, around: Surroundings) -> ListSet:
        """Elements by a number, equal ones as they were."""
        binding, order = step.for_each, step.order
        assert binding is not None
        assert order is not None
        items, keys = code.new_list(over.bound, "items"), code.new_list(over.bound, "keys")

        def insert(element: Node) -> None:
            element = code.let(element, "it")
            key = code.let(self.expressions.number(code, order, around.with_variable(binding.slot, element)), "key")
            at = code.variable(ListSet(items, over.bound).count(code), "at")
            code.append(items, element)
            code.append(keys, key)
            before = binary("-", at, ONE)
            is_later = binary("<" if step.is_descending else ">", ListItem(keys, before), key)
            with code.test_loop(binary("and", binary(">", at, ZERO), is_later)):
                code.write(SetItem(items, at, ListItem(items, before)))
                code.write(SetItem(keys, at, ListItem(keys, before)))
                code.assign(at, before)
            code.write(SetItem(items, at, element))
            code.write(SetItem(keys, at, key))

        over.each(code, insert)
        code.freeze(items)
        return ListSet(items, over.bound)


def most_times(times: Expr) -> int:
    """How often a step can be repeated."""
    return max(0, times.type.high) if isinstance(times.type, Number) else limits.MAX_AUTOMATIC_STEPS


__all__ = ["StraightSteps", "most_times"]
