"""Steps in which nobody can be asked: they run straight on, as often as they are done.

In: steps of the rule model, and where their variables stand. Out: code that carries them out, with their loops.
"""

from __future__ import annotations

from abc import ABC
from contextlib import ExitStack

from rulewright import limits
from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.expression_writer import ExpressionWriter
from rulewright.engine.compiled.fault_sites import FaultSite
from rulewright.engine.compiled.kernel import Int, ListItem, Name, Node
from rulewright.engine.compiled.kernel_arithmetic import ONE, ZERO, binary, negated
from rulewright.engine.compiled.kernel_statements import LeaveLoop, SetItem
from rulewright.engine.compiled.known_answers import KnownAnswers
from rulewright.engine.compiled.place_expressions import Surroundings
from rulewright.engine.compiled.sequences import ElementSet, FilteredSet, KnownSet, ListSet, TableRowSet, leave_when
from rulewright.engine.compiled.set_expressions import unrolled
from rulewright.engine.compiled.step_effects import EffectWriter
from rulewright.model.effects import RunSteps, Step
from rulewright.model.rules import Rules, StateDef


class StraightSteps(ABC):
    """Writes the steps of one rule model that run straight on."""

    expressions: ExpressionWriter
    effects: EffectWriter
    rules: Rules
    block_states: dict[int, list[StateDef]]

    def _straight_step(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        """A step in which nobody can be asked, as often as it is done."""
        if step.for_each is None and step.times is None:
            self._straight_once(code, step, around)
            return
        expressions = self.expressions
        slot = None if step.for_each is None else step.for_each.slot
        self.effects.known.forget_bags()  # the loop comes round again after what it moves
        self.effects.known.forget_things()
        with ExitStack() as stack:
            if step.times is not None:
                times = code.let(expressions.number(code, step.times, around), "times")
                self._check_times(code, step, times)
            if step.for_each is None:
                stack.enter_context(code.count_loop(ZERO, times, "repetition"))
                self._straight_iteration(code, step, around, None)
                return
            elements = self._loop_elements(code, step, around)
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
                    self._straight_once(code, step, around.with_variable(slot, Int(value)))
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


__all__ = ["StraightSteps"]
