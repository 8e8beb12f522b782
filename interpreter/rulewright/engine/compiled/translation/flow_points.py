"""How a game goes on: points at which it can be taken up again, and what is done from each to the next decision.

In: blocks of steps. Out: one function for each point, which does what comes and returns the point that follows, or
`WAITS` where a seat has to choose, or `ENDS`. Steps in which nobody can be asked run straight on; only around
decisions, turns and ends are there points. What a block needs later (who acts, its action, its loops) stands in cells
of its own; a block that can begin within itself puts them away first.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import assert_never

from rulewright import limits
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Invoke, ListItem, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, negated, some
from rulewright.engine.compiled.kernel.kernel_statements import (
    ForgetPushed,
    Perform,
    Return,
    ShiftCells,
)
from rulewright.engine.compiled.translation.decision_points import DecisionPoints
from rulewright.engine.compiled.translation.game_points import NO_SEAT, Env, StepSite, StepsUnderWay
from rulewright.engine.compiled.translation.kept_loops import keep_loops
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.engine.compiled.translation.sequences import ElementSet
from rulewright.engine.compiled.translation.set_expressions import unrolled
from rulewright.engine.compiled.translation.word_fields import read_field
from rulewright.frozen import frozen
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import ELIMINATION_STATE


@frozen
class _StepLoop:
    """The cells of a step that is done several times, -1 where there are none: how often it is still to be done;
    `elements`: the first of those for which it is done, with `room` for so many; `length`: how many these are, if it is
    done several times for each.
    """

    counter: int
    elements: int = -1
    room: int = 0
    length: int = -1

    def variables(self, step: Step, env: Env, left: Node) -> Env:
        """The variables within the step when it is still to be done so often, this time not counted."""
        if step.for_each is None:
            return dict(env)
        place = left if self.length < 0 else binary("%", left, Cell(Int(self.length)))
        return {**env, step.for_each.slot: Cell(add(place, Int(self.elements)))}


class FlowWriter(DecisionPoints):
    """Writes the points of one rule model. `functions`: all functions so far, `decisions`: by number."""

    # ---- the whole game ---------------------------------------------------------------------------------------

    def write(self) -> None:
        """All points and the functions that they need."""
        rules = self.rules
        self._recursive = self._recursive_blocks()
        self._resume_cell = self.cells.reserve("resume", 1, "where the game goes on after an action")
        self._turn = self._root(rules.turn)
        self._finale_start = self._new_label()
        setup_start = self._new_label()
        self.turn_seat_cell = self._turn.seat_cell
        setup = rules.blocks[rules.setup].address
        self._begin(setup_start, f"begin {setup}", f"{setup}: the game begins")
        if self.effects.refilled:
            self._code.write(Perform(Invoke("refill", ())))
        self._block_steps(rules.setup, NO_SEAT, {})
        round_start = self._new_label()
        self._jump(round_start)
        self._begin(round_start, "begin round", "round: a round begins")
        self._code.store(self.cells.counter("round"), add(Cell(self.cells.counter("round")), ONE))
        self.effects.reset(self._code, [state for state in rules.states.values() if state.reset_scope == "round"])
        self._block_steps(rules.round, NO_SEAT, {})
        self._reset_block(rules.round)
        self.effects.check_invariants(self._code, "round", NO_SEAT)
        with self._code.when(Cell(self.cells.counter("ending"))):
            self._end_game()
        self._jump(round_start)
        finale = rules.blocks[rules.finale].address
        self._begin(self._finale_start, f"begin {finale}", f"{finale}: the game has ended")
        self._block_steps(rules.finale, NO_SEAT, {})
        self._finish_everything()
        self._write_root(self._waiting.pop(0))  # a turn, within which there is a decision or the game goes on
        self.effects.has_begun = True
        while self._waiting:
            self._write_root(self._waiting.pop(0))
        self.start_point = setup_start
        self._write_act()
        self.functions += self.effects.refill_functions()
        self._write_values()
        loops = {
            root.first_cell: (root.inner_cell, root.inner_cells)
            for root in self.roots.values()
            if root.is_recursive and root.inner_cells
        }
        for function in (*self.functions, *self.points):
            if loops and function is not None:
                keep_loops(function.body, loops)

    def _write_root(self, root: StepsUnderWay) -> None:
        rules, seat = self.rules, Cell(Int(root.seat_cell))
        address = rules.blocks[root.block].address
        root.inner_cell = self.cells.size
        self._begin(root.start, f"begin {address}", address)
        env: Env = {}
        self._env_makers: list[Callable[[CodeBuilder], Env]] = []
        action = next((action for action in rules.actions if action.block == root.block), None)
        if action is not None:
            names = [choice.name for choice in action.choices]

            def read_choices(code: CodeBuilder) -> Env:
                word = code.let(Cell(Int(root.word_cell)), "word")
                fields = self.words.fields[action.index]
                return {slot: read_field(code, field, word, names[slot]) for slot, field in enumerate(fields)}

            self._env_makers.append(read_choices)
        for slot, cell in enumerate(root.argument_cells):
            env[slot] = Cell(Int(cell))
        self._steps_of_block(root.block, seat, env)
        if root.block == rules.turn:
            self._end_turn(root)
        else:
            self._reset_block(root.block)
            self._leave_root(root)
        root.inner_cells = self.cells.size - root.inner_cell

    def _end_turn(self, root: StepsUnderWay) -> None:
        code, me = self._code, Cell(Int(root.seat_cell))
        self._reset_block(root.block)
        self.effects.check_invariants(code, "turn", code.let(me, "me"))
        if self.cells.extra_room:
            first = Int(self.cells.extra_turns)
            with code.test_loop(binary(">", Cell(first), ZERO)):
                seat = code.variable(Cell(add(first, ONE)), "seat")
                code.write(ShiftCells(add(first, Int(2)), add(add(first, ONE), Cell(first)), -1))
                code.forget_cells()
                code.store(first, binary("-", Cell(first), ONE))
                with ExitStack() as stack:
                    if self.rules.has_elimination:
                        stack.enter_context(code.when(self.expressions.is_in_game(seat)))
                    code.store(Int(root.seat_cell), seat)
                    self._begin_turn(code)
                    code.write(Return((Int(root.start),)))
        self._leave_root(root)

    # ---- steps ------------------------------------------------------------------------------------------------

    def _block_steps(self, block: int, seat: Node, env: Env) -> None:
        self._env_makers = []
        self._steps_of_block(block, seat, env)

    def _steps_of_block(self, block: int, seat: Node, env: Env) -> None:
        for index, step in enumerate(self.rules.blocks[block].steps):
            self._code.remark(step.address)
            if self._is_flowing_step(step):
                self._flowing_step(block, index, step, seat, env)
            else:
                self._straight_step(self._code, step, self._around(seat, env))
            if block == self.rules.setup and (step.when, step.for_each, step.times) == (None, None, None):
                self.effects.has_begun = True

    # ---- steps that can stop ----------------------------------------------------------------------------------

    def _flowing_step(self, block: int, index: int, step: Step, seat: Node, env: Env) -> None:
        after = self._new_label()
        if step.for_each is None and step.times is None:
            self.sites[*self.path, (block, index)] = StepSite(after)
            self._flowing_once(block, index, step, seat, env, after)
            self._next_point(after, f"after {step.address}", f"after {step.address}")
        else:
            self._repeated_step(block, index, step, seat, env, after)

    def _repeated_step(self, block: int, index: int, step: Step, seat: Node, env: Env, after: int) -> None:
        """A step that is done several times: a point before each time, to which what it begins comes back."""
        head = self._new_label()
        loop = self._begin_loop(step, self._around(seat, env))
        if step.for_each is None:
            self._next_point(head, f"repeat {step.address}", f"{step.address}: once more")
        else:
            self._next_point(head, f"next {step.address}", f"{step.address}: the next one")
        self.sites[*self.path, (block, index)] = StepSite(
            head, left=loop.counter, elements=loop.elements, room=loop.room, length=loop.length
        )
        code, left = self._code, Cell(Int(loop.counter))
        with code.when(binary("<=", left, ZERO)):
            self._jump(after)
        if step.while_condition is not None:
            coming = loop.variables(step, env, binary("-", left, ONE))
            holds = self.expressions.number(code, step.while_condition, self._around(seat, coming))
            with code.when(negated(holds)):
                self._jump(after)
        code.store(Int(loop.counter), binary("-", left, ONE))
        if step.for_each is None and isinstance(step.effect, Choose):
            self._repeated = loop.counter
        self._flowing_once(block, index, step, seat, loop.variables(step, env, left), head)
        self._repeated = -1
        self._jump(head)
        self._begin(after, f"after {step.address}", f"after {step.address}")

    def _begin_loop(self, step: Step, around: Surroundings) -> _StepLoop:
        """Notes in cells how often a step is to be done, and for which elements."""
        code, expressions = self._code, self.expressions
        counter = self.cells.reserve(f"{step.address} turns left", 1)
        if step.for_each is None:
            assert step.times is not None
            times = code.let(expressions.number(code, step.times, around), "times")
            code.store(Int(counter), binary("min", times, Int(limits.MAX_AUTOMATIC_STEPS)))
            return _StepLoop(counter)
        elements = self._loop_elements(code, step, around)
        first = self.cells.reserve(f"{step.address} elements", elements.bound, "from the last to the first")
        length = self._store_elements(code, elements, first)
        if step.times is None:
            code.store(Int(counter), length)
            return _StepLoop(counter, first, elements.bound)
        kept_length = self.cells.reserve(f"{step.address} length", 1, "how many elements there are")
        times = code.let(binary("max", code.let(expressions.number(code, step.times, around)), ZERO), "times")
        times = code.let(binary("min", times, Int(limits.MAX_AUTOMATIC_STEPS)), "times")
        code.store(Int(kept_length), length)
        code.store(Int(counter), code.let(binary("*", length, times), "turns"))
        return _StepLoop(counter, first, elements.bound, kept_length)

    def _store_elements(self, code: CodeBuilder, elements: ElementSet, first: int) -> Node:
        """Writes elements into the cells from `first` on, the last one first. Returns how many there are."""
        known = self.expressions.known_row(code, elements)
        if known is not None:
            for place, element in enumerate(reversed(known), start=first):
                code.store(Int(place), element)
            return Int(len(known))
        listed = elements.to_list(code)
        length = code.let(listed.count(code), "length")
        with code.count_loop(ZERO, length, "index") as position:
            code.store(binary("-", add(length, Int(first - 1)), position), ListItem(listed.items, position))
        return length

    def _flowing_once(self, block: int, index: int, step: Step, seat: Node, env: Env, after: int) -> None:
        code = self._code
        if step.when is not None:
            holds = self.expressions.number(code, step.when, self._around(seat, env))
            with code.when(negated(holds)):
                self._jump(after)
        if not isinstance(step.effect, GiveTurn):
            self.effects.check_at_the_beginning(code, seat)
        match step.effect:
            case Choose(mode="together"):
                self._choose_together(block, index, step, seat, env, after)
            case Choose():
                self._choose(block, index, step, seat, env, after)
            case GiveTurn(seat=whose):
                around = self._around(seat, env)
                player = code.let(self.expressions.number(code, whose, around), "seat")
                with ExitStack() as stack:
                    if self.rules.has_elimination:
                        stack.enter_context(code.when(self.expressions.is_in_game(player)))
                    self._enter(code, self._turn, player, Int(after))
                    self._begin_turn(code)
                    self.effects.check_at_the_beginning(code, around.me)
                    self.effects.check_late(code, around.me)
                    self._jump(self._turn.start)
                if self.rules.has_elimination:
                    self.effects.check_late(code, around.me)
            case Finish() as finish:
                self.effects.name_winners(code, finish, self._around(seat, env))
                self.effects.check_late(code, seat)
                self._finish(step, finish)
            case Leave(seats=seats):
                self._leave(code, self.expressions.one_or_all(code, seats, self._around(seat, env)), seat)
            case RunSteps(block=inner, is_procedure=True, arguments=arguments):
                around = self._around(seat, env)
                root = self._root(inner)
                values = [
                    code.variable(self.expressions.number(code, argument, around), "it") for argument in arguments
                ]
                self._enter(code, root, around.me, Int(after))
                for cell, value in zip(root.argument_cells, values, strict=False):
                    code.store(Int(cell), value)
                self.effects.check_late(code, around.me)
                self._jump(root.start)
            case RunSteps(block=inner):
                self.effects.reset(code, self.block_states.get(inner, []))
                self.effects.check_late(code, seat)
                repeated, self._repeated = self._repeated, -1
                path, self.path = self.path, (*self.path, (block, index))
                self._steps_of_block(inner, seat, env)
                self._repeated, self.path = repeated, path
                self.effects.reset(self._code, self.block_states.get(inner, []))
            case Move() | SetState() | Roll() | Reveal():
                raise AssertionError(f"{step.address} runs straight on")
            case _:
                assert_never(step.effect)

    def _finish(self, step: Step, finish: Finish) -> None:
        code = self._code
        with ExitStack() as stack:
            if finish.when == "after_round":
                stack.enter_context(code.when(negated(Cell(self.cells.counter("ending")))))
            self.effects.note_end(code, step)
        if self.rules.blocks[self.rules.finale].steps:
            with code.when(Cell(self.cells.counter("finale"))):
                code.write(ForgetPushed())
                self._finish_everything()
        if finish.when == "after_round":
            code.store(self.cells.counter("ending"), ONE)
        else:
            self._end_game()

    def _leave(self, code: CodeBuilder, seats: ElementSet, me: Node) -> None:
        first, players = self.cells.states[ELIMINATION_STATE], self.rules.players
        states = [Cell(Int(first + seat)) for seat in range(players)]
        highest = states[0]
        number: Node = code.let(highest, "left")
        for state in states[1:]:
            number = binary("max", number, code.let(state, "left"))
        rank = code.variable(binary("min", add(number, ONE), Int(players)), "rank")
        count = code.variable(ZERO, "leaving")

        def leave(seat: Node) -> None:
            seat = code.let(seat, "seat")
            with code.when(binary("==", Cell(add(seat, Int(first))), ZERO)):
                code.store(add(seat, Int(first)), rank)
                code.assign(count, ONE)

        few = unrolled(seats)
        (seats if few is not None and all(flag == ONE for _, flag in few) else seats.to_list(code)).each(code, leave)
        code.forget_cells()
        self.effects.check_late(code, me)
        nobody = negated(some(binary("==", Cell(Int(first + seat)), ZERO) for seat in range(players)))
        not_in_finale = negated(Cell(self.cells.counter("finale")))
        with code.when(binary("and", count, binary("and", nobody, not_in_finale))):
            self._end_game()
        code.forget_cells()

    # ---- decisions --------------------------------------------------------------------------------------------

    @abstractmethod
    def _write_act(self) -> None:
        """The functions with which a seat acts."""

    @abstractmethod
    def _write_values(self) -> None:
        """Derived values and questions that became functions."""


__all__ = ["FlowWriter"]
