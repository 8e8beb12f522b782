"""The functions around the points of a program: how a seat acts, and what became a function of its own.

In: the points of a rule model. Out: `act`, `perform`, a function for each action that runs straight on, derived values.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Invoke, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, binary
from rulewright.engine.compiled.kernel.kernel_statements import Assign, Function, Perform, Return
from rulewright.engine.compiled.translation.flow_points import FlowWriter
from rulewright.engine.compiled.translation.game_points import RESUME_TABLE
from rulewright.engine.compiled.translation.known_answers import KnownAnswers
from rulewright.engine.compiled.translation.number_words import ACT_FUNCTION, PERFORM_FUNCTION, NumberReader
from rulewright.engine.compiled.translation.piece_acts import PieceActs
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Surroundings
from rulewright.engine.compiled.translation.sequences import ElementSet
from rulewright.engine.compiled.translation.word_fields import read_field
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose


class ProgramWriter(PieceActs, FlowWriter):
    """Writes all functions of the program of one rule model."""

    def _write_act(self) -> None:
        """`act`: the deciding seat does what a word says; `perform`: the steps of an action begin. Where numbers are
        listed also for these, without a word in between if nothing else has to be done with it.
        """
        offered = self._performed_actions()
        self.functions.append(self._perform(offered))
        if self.reader is not None:
            self.functions.append(self._perform_number(self.reader, offered))
        while self._waiting:
            self._write_root(self._waiting.pop(0))
        for action in self.rules.actions:
            if action.index in offered and action.block not in self._flowing:
                self._write_straight_action(action.index)
        self._write_choose_function("act", "word", "perform")
        if self.reader is not None and self.lists.open is None and not self.together:
            self._write_choose_function(ACT_FUNCTION, "number", PERFORM_FUNCTION)

    def _perform(self, offered: Collection[int]) -> Function:
        code = CodeBuilder(("word", "seat", "after"), is_pure=False)
        word, seat, after = Name("word"), Name("seat"), Name("after")
        number = code.let(binary("&", word, Int((1 << self.words.number_width) - 1)), "action")
        with ExitStack() as stack:
            for action in self.rules.actions:
                if action.index not in offered:
                    continue
                with code.when(binary("==", number, Int(action.index + 1))) as branch:
                    self._begin_action(code, action, word, seat, after)
                stack.enter_context(code.unless(branch))
            code.write(Return((after,)))
        return Function("perform", ("word", "seat", "after"), code.block, False, "", "the steps of an action begin")

    def _perform_number(self, reader: NumberReader, offered: Collection[int]) -> Function:
        """What `perform` does, for a number: which action it is, is asked once, and its answers need not be packed."""
        code = CodeBuilder(("number", "me", "after"), is_pure=False)
        me, after = Name("me"), Name("after")
        with code.when(binary("==", Name("number"), ZERO)):
            code.write(Return((after,)))

        def begin(action: ActionDef, word: Node) -> None:
            if action.index in offered:
                self._begin_action(code, action, code.let(word, "word"), me, after)
            else:
                code.write(Return((after,)))

        reader.each_action(code, begin)
        code.write(Return((after,)))
        text = "the steps of the action that has a number begin"
        return Function(PERFORM_FUNCTION, ("number", "me", "after"), code.block, False, "", text)

    def _begin_action(self, code: CodeBuilder, action: ActionDef, word: Node, seat: Node, after: Node) -> None:
        if action.block in self._flowing:
            root = self._root(action.block)
            self._enter(code, root, seat, after, word)
            code.write(Return((Int(root.start),)))
        else:
            code.write(Perform(Invoke(f"do_{action.name}", (seat, word))))
            code.forget_cells()
            code.write(Return((after,)))

    def _performed_actions(self) -> set[int]:
        found: set[int] = set()
        for block in self.rules.blocks:
            for step in block.steps:
                if isinstance(step.effect, Choose):
                    found |= {offer.action for offer in step.effect.offers}
                    if isinstance(step.effect.fallback, int):
                        found.add(step.effect.fallback)
        return found

    def _write_straight_action(self, index: int) -> None:
        action = self.rules.actions[index]
        code = CodeBuilder(("me", "word"), is_pure=False)
        env = {
            slot: read_field(code, field, Name("word"), action.choices[slot].name)
            for slot, field in enumerate(self.words.fields[index])
        }
        if not (self.is_imagined or self._is_chosen_together(index)):  # else it may not be what was just seen
            self.effects.known.learn(action)
        self._straight_block(code, action.block, Surroundings(Name("me"), env))
        self.effects.known = KnownAnswers()
        self.effects.reset(code, self.block_states.get(action.block, []))
        self.functions.append(
            Function(f"do_{action.name}", ("me", "word"), code.block, False, action.address, "what this action does")
        )

    def _is_chosen_together(self, index: int) -> bool:
        return any(
            isinstance(step.effect, Choose)
            and step.effect.mode == "together"
            and any(offer.action == index for offer in step.effect.offers)
            for block in self.rules.blocks
            for step in block.steps
        )

    def _write_choose_function(self, name: str, chosen: str, perform: str) -> None:
        """`chosen`: what says what is done, a word or a number; for both nothing is 0."""
        code = CodeBuilder((chosen,), is_pure=False)
        word = Name(chosen)
        for cell in self.work_cells or ():
            code.store(cell, ZERO)
        decision = code.let(Cell(self.cells.counter("decision")), "decision")
        seat = code.let(Cell(self.cells.counter("seat")), "seat")
        if self.lists.open is not None:
            word = code.variable(word, "chosen")
            self._take_pieces(code, word, decision, seat)
        resume = Name(self._resume_table_lookup(code, decision))
        for number, counter in self.option_loops.items():
            declined = binary("and", binary("==", word, ZERO), binary("==", decision, Int(number)))
            with code.when(declined):
                code.store(Int(counter), ZERO)
        for number, first in self.together.items():
            with code.when(binary("==", decision, Int(number))):
                code.store(add(seat, Int(first + 2)), word)
                code.write(Return((resume,)))
        code.write(Return((Invoke(perform, (word, seat, resume)),)))
        text = f"the deciding seat does what a {chosen} says"
        self.functions.append(Function(name, (chosen,), code.block, False, "", text))

    def _resume_table_lookup(self, code: CodeBuilder, decision: Node) -> str:
        name = code.fresh_name("after")
        code.write(Assign(name, TableEntry(self.cells.table(RESUME_TABLE, self.resume_points), decision)))
        return name

    def _write_values(self) -> None:
        """Derived values and questions that became functions; each may ask for more."""
        written: set[str] = set()
        while True:
            values = [name for name in self.expressions.value_functions if name not in written]
            actions = [
                f"possible_{name}" for name in self.expressions.asked_actions if f"possible_{name}" not in written
            ]
            if not values and not actions:
                self.functions += self.lists.answers.cover_functions()  # asked in lists that are written by now
                return
            for name in values:
                self.functions.append(self._value_function(name))
            for name in actions:
                action = next(action for action in self.rules.actions if f"possible_{action.name}" == name)
                self.functions.append(self.lists.possible(action))
            written.update(values, actions)

    def _value_function(self, name: str) -> Function:
        definition = self.rules.values[name]
        keys = [f"key_{index}" for index in range(len(definition.key_types))]
        code = CodeBuilder(("me", *keys), is_pure=True)
        inside = Surroundings(Name("me"), {slot: Name(key) for slot, key in enumerate(keys)})
        result = self.expressions.terms(code, definition, inside)
        assert not isinstance(result, BagLanes | ElementSet)
        code.write(Return((result,)))
        return Function(f"value_{name}", ("me", *keys), code.block, True, f"values.{name}", "a derived value")


__all__ = ["ProgramWriter"]
