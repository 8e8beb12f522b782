"""How a game goes on: points at which it can be taken up again, and what is done from each to the next decision.

In: blocks of steps. Out: one function for each point, which does what comes and returns the point that follows, or
`WAITS` where a seat has to choose, or `ENDS`. Steps in which nobody can be asked run straight on; only around
decisions, turns and ends are there points. What a block needs later (who acts, its action, its loops) stands in cells
of its own; a block that can begin within itself puts them away first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from rulewright import limits
from rulewright.engine.compiled.action_words import ActionWords
from rulewright.engine.compiled.cell_layout import NOBODY
from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.effects import EffectWriter, KnownAnswers
from rulewright.engine.compiled.expression_writer import BagLanes, ExpressionWriter, Surroundings, Value, unrolled
from rulewright.engine.compiled.fault_sites import FaultSite
from rulewright.engine.compiled.kernel import (
    AddOption,
    Assign,
    Cell,
    ClearOptions,
    CountOptions,
    ForgetPushed,
    Function,
    Int,
    Invoke,
    LeaveLoop,
    ListItem,
    Name,
    Node,
    Perform,
    PopCells,
    PushCells,
    Return,
    SetItem,
    ShiftCells,
    TableEntry,
    TakeOption,
)
from rulewright.engine.compiled.kernel_arithmetic import ONE, ZERO, add, binary, negated, some
from rulewright.engine.compiled.legal_lists import LegalListWriter, Outer, nothing_around, read_field
from rulewright.engine.compiled.refusal import NotCompiled
from rulewright.engine.compiled.sequences import ElementSet, FilteredSet, KnownSet, ListSet
from rulewright.expr.types import Bag, SetOf
from rulewright.frozen import frozen
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, RunSteps, Step
from rulewright.model.rules import ELIMINATION_STATE, Rules, StateDef

WAITS: Final = -1
ENDS: Final = -2
NO_SEAT: Final = Int(-1)
LONGEST_LOOP: Final = 512  # elements of a loop in which somebody may be asked
Env: TypeAlias = dict[int, Value]


@frozen
class DecisionSite:
    """A step at which a seat chooses: its place in the rules, the function that lists its options.

    `fallbacks`: the number of the action that is done if nothing else can be, if the step does not offer it as well.
    """

    block: int
    step: int
    options: str
    otherwise: str
    fallbacks: tuple[int, ...]


@dataclass
class _Root:
    """Steps with cells of their own: a turn, an action, a procedure, or the set-up, a round, the end."""

    block: int
    seat_cell: int = -1
    return_cell: int = -1
    word_cell: int = -1
    argument_cells: list[int] = field(default_factory=list)
    first_cell: int = -1
    start: int = -1  # its first point
    is_recursive: bool = False
    cell_count: int = 0


class FlowWriter:
    """Writes the points of one rule model. `functions`: all functions so far, `decisions`: by number."""

    def __init__(
        self,
        rules: Rules,
        expressions: ExpressionWriter,
        effects: EffectWriter,
        lists: LegalListWriter,
        words: ActionWords,
    ) -> None:
        self.rules = rules
        self.expressions = expressions
        self.effects = effects
        self.lists = lists
        self.words = words
        self.cells = expressions.cells
        self.functions: list[Function] = []
        self.points: list[Function | None] = []
        self.decisions: list[DecisionSite] = []
        self.resume_points: list[int] = []
        self.option_loops: dict[int, int] = {}  # of a decision that is repeated: the cell that counts its turns left
        self.together: dict[int, int] = {}  # of a decision made in secret: the first cell of what was chosen
        self.block_states: dict[int, list[StateDef]] = {}
        numbers = {block.address: number for number, block in enumerate(rules.blocks)}
        for state in rules.states.values():
            if state.block_address:
                self.block_states.setdefault(numbers[state.block_address], []).append(state)
        self._flowing = self._find_flowing()
        self._roots: dict[int, _Root] = {}
        self._straight: dict[str, None] = {}
        self._code = CodeBuilder((), is_pure=False)
        self._point = -1
        self._waiting: list[_Root] = []

    # ---- which steps can stop ---------------------------------------------------------------------------------

    def _find_flowing(self) -> set[int]:
        """The blocks in which somebody can be asked, a turn can begin or the game can end."""
        rules, flowing = self.rules, set[int]()

        def flows(step: Step) -> bool:
            match step.effect:
                case Choose() | Leave() | GiveTurn(is_extra=False) | Finish(when="now"):
                    return True
                case Finish():
                    return may_end_twice
                case RunSteps(block=inner):
                    return inner in flowing
                case _:
                    return False

        may_end_twice = bool(rules.blocks[rules.finale].steps)
        while True:
            more = {
                number
                for number, block in enumerate(rules.blocks)
                if number not in flowing and any(flows(step) for step in block.steps)
            }
            if not more:
                return flowing | {rules.setup, rules.round, rules.turn, rules.finale}
            flowing |= more

    def _is_flowing_step(self, step: Step) -> bool:
        match step.effect:
            case Choose() | Leave() | GiveTurn(is_extra=False) | Finish(when="now"):
                return True
            case Finish():
                return bool(self.rules.blocks[self.rules.finale].steps)
            case RunSteps(block=inner):
                return inner in self._flowing
            case _:
                return False

    def _recursive_blocks(self) -> set[int]:
        """The turns, actions and procedures that can begin while they are under way."""
        rules = self.rules
        actions = {action.index: action.block for action in rules.actions}

        def called(block: int) -> set[int]:
            found: set[int] = set()
            for step in rules.blocks[block].steps:
                match step.effect:
                    case Choose() as choose:
                        found |= {actions[offer.action] for offer in choose.offers}
                        if isinstance(choose.fallback, int):
                            found.add(actions[choose.fallback])
                    case GiveTurn(is_extra=False):
                        found.add(rules.turn)
                    case RunSteps(block=inner, is_procedure=True):
                        found.add(inner)
                    case RunSteps(block=inner):
                        found |= called(inner)
                    case _:
                        pass
            return found

        reached = {block: called(block) for block in {*actions.values(), rules.turn, *self._procedures()}}
        while True:
            grown = {
                block: found.union(*(reached.get(other, set()) for other in found)) for block, found in reached.items()
            }
            if grown == reached:
                return {block for block, found in reached.items() if block in found}
            reached = grown

    def _procedures(self) -> set[int]:
        return {
            step.effect.block
            for block in self.rules.blocks
            for step in block.steps
            if isinstance(step.effect, RunSteps) and step.effect.is_procedure
        }

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
        self._begin(setup_start, f"{rules.blocks[rules.setup].address}: the game begins")
        self._code.write(Perform(Invoke("refill", ())))
        self._block_steps(rules.setup, NO_SEAT, {})
        round_start = self._new_label()
        self._jump(round_start)
        self._begin(round_start, "round: a round begins")
        self._code.store(self.cells.counter("round"), add(Cell(self.cells.counter("round")), ONE))
        self.effects.reset(self._code, [state for state in rules.states.values() if state.reset_scope == "round"])
        self._block_steps(rules.round, NO_SEAT, {})
        self._reset_block(rules.round)
        self.effects.check_invariants(self._code, "round", NO_SEAT)
        with self._code.when(Cell(self.cells.counter("ending"))):
            self._end_game()
        self._jump(round_start)
        self._begin(self._finale_start, f"{rules.blocks[rules.finale].address}: the game has ended")
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

    def _root(self, block: int) -> _Root:
        """The cells of steps that begin from several places."""
        if block in self._roots:
            return self._roots[block]
        rules = self.rules
        root = self._roots[block] = _Root(block, is_recursive=block in self._recursive)
        name = rules.blocks[block].address
        root.first_cell = root.seat_cell = self.cells.reserve(f"{name} seat", 1, start=NOBODY)
        root.return_cell = self.cells.reserve(f"{name} goes on", 1, "the point after it")
        action = next((action for action in rules.actions if action.block == block), None)
        if action is not None:
            root.word_cell = self.cells.reserve(f"{name} action", 1)
        elif block in self._procedures():
            for slot, type_ in enumerate(rules.blocks[block].variable_types):
                if isinstance(type_, Bag | SetOf):
                    raise NotCompiled(name, "a bag or set given to a procedure that can stop")
                root.argument_cells.append(self.cells.reserve(f"{name} {slot}", 1))
        root.start = self._new_label()
        self._waiting.append(root)
        return root

    def _write_root(self, root: _Root) -> None:
        rules, seat = self.rules, Cell(Int(root.seat_cell))
        address = rules.blocks[root.block].address
        before = self.cells.size
        self._begin(root.start, address)
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
        root.cell_count = self.cells.size - before
        if root.is_recursive and root.cell_count:
            raise NotCompiled(address, "loops in steps that can begin while they are under way")

    def _leave_root(self, root: _Root) -> None:
        code = self._code
        target = code.variable(Cell(Int(root.return_cell)), "next_point")
        if root.block == self.rules.turn:
            code.store(Int(root.seat_cell), NO_SEAT)
        if root.is_recursive:
            code.write(PopCells(root.first_cell, self._saved_cells(root)))
            code.forget_cells()
        code.write(Return((target,)))

    def _saved_cells(self, root: _Root) -> int:
        return 2 + (root.word_cell >= 0) + len(root.argument_cells)

    def _enter(self, code: CodeBuilder, root: _Root, seat: Node, after: Node, word: Node | None = None) -> None:
        """Steps begin: their cells are filled, and the game goes on at their first point."""
        if root.is_recursive:
            code.write(PushCells(root.first_cell, self._saved_cells(root)))
        code.store(Int(root.seat_cell), seat)
        code.store(Int(root.return_cell), after)
        if word is not None:
            code.store(Int(root.word_cell), word)

    def _end_turn(self, root: _Root) -> None:
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

    def _begin_turn(self, code: CodeBuilder) -> None:
        turns = self.cells.counter("turns")
        code.store(turns, add(Cell(turns), ONE))
        self.effects.reset(code, [state for state in self.rules.states.values() if state.reset_scope == "turn"])

    def _reset_block(self, block: int) -> None:
        self.effects.reset(self._code, self.block_states.get(block, []))

    def _end_game(self) -> None:
        """Whatever is under way is dropped, and the steps after the end are carried out."""
        code = self._code
        code.write(ForgetPushed())
        code.store(Int(self._turn.seat_cell), NO_SEAT)
        code.store(self.cells.counter("ending"), ONE)
        if self.cells.extra_room:
            code.store(Int(self.cells.extra_turns), ZERO)
        if not self.rules.blocks[self.rules.finale].steps:
            self._finish_everything()
            return
        code.store(self.cells.counter("finale"), ONE)
        code.write(Return((Int(self._finale_start),)))

    def _finish_everything(self) -> None:
        self._code.store(self.cells.counter("over"), ONE)
        self._code.write(Return((Int(ENDS),)))

    # ---- points -----------------------------------------------------------------------------------------------

    def _new_label(self) -> int:
        self.points.append(None)
        return len(self.points) - 1

    def _begin(self, label: int, text: str) -> None:
        """From here on the statements of a point are written."""
        self._code = CodeBuilder((), is_pure=False)
        self.points[label] = Function(f"at_{label}", (), self._code.block, False, text, "")

    def _jump(self, label: int) -> None:
        self._code.write(Return((Int(label),)))

    def _next_point(self, label: int, text: str) -> None:
        """The game goes on at a point, which begins here."""
        self._jump(label)
        self._begin(label, text)

    # ---- steps ------------------------------------------------------------------------------------------------

    def _block_steps(self, block: int, seat: Node, env: Env) -> None:
        self._env_makers = []
        self._steps_of_block(block, seat, env)

    def _environment(self, code: CodeBuilder, env: Mapping[int, Value]) -> Env:
        made: Env = {}
        for make in self._env_makers:
            made.update(make(code))
        return {**made, **env}

    def _around(self, seat: Node, env: Env) -> Surroundings:
        code = self._code
        known = {
            slot: code.let(value, "it") if isinstance(value, Cell) else value
            for slot, value in self._environment(code, env).items()
        }
        return Surroundings(code.let(seat, "me"), known)

    def _steps_of_block(self, block: int, seat: Node, env: Env) -> None:
        for index, step in enumerate(self.rules.blocks[block].steps):
            self._code.remark(step.address)
            if self._is_flowing_step(step):
                self._flowing_step(block, index, step, seat, env)
            else:
                self._straight_step(self._code, step, self._around(seat, env))
            if block == self.rules.setup and (step.when, step.for_each, step.times) == (None, None, None):
                self.effects.has_begun = True

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
                if step.for_each is None or step.times is not None:
                    self._check_times(code, step, times)
            if step.for_each is None:
                stack.enter_context(code.count_loop(ZERO, times, "repetition"))
                self._straight_iteration(code, step, around)
                return
            elements = self._loop_elements(code, step, around)
            if step.times is not None:
                stack.enter_context(code.count_loop(ZERO, times, "repetition"))
            assert slot is not None
            few = unrolled(elements) if step.while_condition is None else None
            if few is not None and len(few) <= 4 and all(flag == ONE for _, flag in few):
                for value, _ in few:
                    self._straight_once(code, step, around.with_variable(slot, Int(value)))
                return
            elements.each(code, lambda x: self._straight_iteration(code, step, around.with_variable(slot, x)))

    def _check_times(self, code: CodeBuilder, step: Step, times: Node) -> None:
        """More repetitions than a game may have steps are an endless loop."""
        if isinstance(times, Int):
            return
        site = FaultSite(step.address, step.span, "goes on without end")
        self.effects.fail_unless(code, binary("<=", times, Int(limits.MAX_AUTOMATIC_STEPS)), site)

    def _straight_iteration(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        if step.while_condition is not None:
            if step.for_each is not None and step.times is not None:
                raise NotCompiled(step.address, "`while` with `for_each` and `times`")
            with code.when(negated(self.expressions.number(code, step.while_condition, around))):
                code.write(LeaveLoop())
        self._straight_once(code, step, around)

    def _straight_once(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        with ExitStack() as stack:
            if step.when is not None:
                stack.enter_context(code.when(code.let(self.expressions.number(code, step.when, around), "holds")))
            match step.effect:
                case RunSteps(block=inner, is_procedure=True, arguments=arguments):
                    variables = {
                        slot: self._argument(code, argument, around) for slot, argument in enumerate(arguments)
                    }
                    known, self.effects.known = self.effects.known, KnownAnswers()
                    self._straight_block(code, inner, Surroundings(around.me, variables))
                    self.effects.known = known
                    known.forget_bags()
                    known.forget_things()
                case RunSteps(block=inner):
                    self.effects.reset(code, self.block_states.get(inner, []))
                    self._straight_block(code, inner, around)
                    self.effects.reset(code, self.block_states.get(inner, []))
                case _:
                    self.effects.write(code, step, around)
        if step.when is not None:
            code.forget_cells()

    def _argument(self, code: CodeBuilder, argument: object, around: Surroundings) -> Value:
        type_ = argument.type  # type: ignore[attr-defined]
        if isinstance(type_, Bag):
            return BagLanes(tuple(code.let(lane, "it") for lane in self.expressions.bag(code, argument, around).lanes))  # type: ignore[arg-type]
        if isinstance(type_, SetOf):
            found = self.expressions.elements(code, argument, around)  # type: ignore[arg-type]
            return found if isinstance(found, KnownSet) else found.to_list(code)
        return code.variable(self.expressions.number(code, argument, around), "it")  # type: ignore[arg-type]

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
        return over if isinstance(over, KnownSet) else over.to_list(code)

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

    # ---- steps that can stop ----------------------------------------------------------------------------------

    def _flowing_step(self, block: int, index: int, step: Step, seat: Node, env: Env) -> None:
        after = self._new_label()
        if step.for_each is None and step.times is None:
            self._flowing_once(block, index, step, seat, env, after)
            self._next_point(after, f"after {step.address}")
            return
        head = self._new_label()
        code = self._code
        around = self._around(seat, env)
        expressions = self.expressions
        inner = dict(env)
        counter = self.cells.reserve(f"{step.address} turns left", 1)
        if step.for_each is None:
            assert step.times is not None
            times = code.let(expressions.number(code, step.times, around), "times")
            code.store(Int(counter), binary("min", times, Int(limits.MAX_AUTOMATIC_STEPS)))
            self._next_point(head, f"{step.address}: once more")
        else:
            elements = self._loop_elements(code, step, around).to_list(code)
            if step.times is not None:
                raise NotCompiled(step.address, "`for_each` with `times` around a decision")
            if elements.bound > LONGEST_LOOP:
                raise NotCompiled(step.address, "a long loop around a decision")
            first = self.cells.reserve(f"{step.address} elements", elements.bound, "from the last to the first")
            length = code.let(elements.count(code), "length")
            code.store(Int(counter), length)
            with code.count_loop(ZERO, length, "index") as position:
                at = binary("-", add(length, Int(first - 1)), position)
                code.store(at, ListItem(elements.items, position))
            self._next_point(head, f"{step.address}: the next one")
            inner[step.for_each.slot] = Cell(add(Cell(Int(counter)), Int(first)))
        code = self._code
        left = Cell(Int(counter))
        with code.when(binary("<=", left, ZERO)):
            self._jump(after)
        if step.while_condition is not None:
            peeked = dict(inner)
            if step.for_each is not None:
                peeked[step.for_each.slot] = Cell(add(left, Int(first - 1)))
            holds = expressions.number(code, step.while_condition, self._around(seat, peeked))
            with code.when(negated(holds)):
                self._jump(after)
        code.store(Int(counter), binary("-", left, ONE))
        if step.for_each is None and isinstance(step.effect, Choose):
            self._repeated = counter
        self._flowing_once(block, index, step, seat, inner, head)
        self._repeated = -1
        self._jump(head)
        self._begin(after, f"after {step.address}")

    _repeated = -1

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
                    self._jump(self._turn.start)
            case Finish() as finish:
                self.effects.name_winners(code, finish, self._around(seat, env))
                self._finish(step, finish)
            case Leave(seats=seats):
                self._leave(code, self.expressions.one_or_all(code, seats, self._around(seat, env)))
            case RunSteps(block=inner, is_procedure=True, arguments=arguments):
                around = self._around(seat, env)
                root = self._root(inner)
                values = [
                    code.variable(self.expressions.number(code, argument, around), "it") for argument in arguments
                ]
                self._enter(code, root, around.me, Int(after))
                for cell, value in zip(root.argument_cells, values, strict=False):
                    code.store(Int(cell), value)
                self._jump(root.start)
            case RunSteps(block=inner):
                self.effects.reset(code, self.block_states.get(inner, []))
                repeated, self._repeated = self._repeated, -1
                self._steps_of_block(inner, seat, env)
                self._repeated = repeated
                self.effects.reset(self._code, self.block_states.get(inner, []))
            case _:
                raise AssertionError(type(step.effect).__name__)

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

    def _leave(self, code: CodeBuilder, seats: ElementSet) -> None:
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
        nobody = negated(some(binary("==", Cell(Int(first + seat)), ZERO) for seat in range(players)))
        not_in_finale = negated(Cell(self.cells.counter("finale")))
        with code.when(binary("and", count, binary("and", nobody, not_in_finale))):
            self._end_game()
        code.forget_cells()

    # ---- decisions --------------------------------------------------------------------------------------------

    def _decision(self, block: int, index: int, step: Step, outer: Outer, after: int) -> int:
        effect = step.effect
        assert isinstance(effect, Choose)
        number = len(self.decisions)
        options, otherwise = self.lists.options(f"options_{number}", step, outer)
        self.functions.append(options)
        if otherwise is not None:
            self.functions.append(otherwise)
        offered = {offer.action for offer in effect.offers}
        fallbacks = (effect.fallback,) if isinstance(effect.fallback, int) and effect.fallback not in offered else ()
        site = DecisionSite(block, index, options.name, otherwise.name if otherwise else "", fallbacks)
        self.decisions.append(site)
        self.resume_points.append(after)
        if self._repeated >= 0:
            self.option_loops[number] = self._repeated
        return number

    def _outer(self, step: Step, env: Env) -> Outer:
        """The variables around a step, for clauses of its offers; they stand in cells while the game waits."""
        effect = step.effect
        assert isinstance(effect, Choose)
        if not effect.sees_around:
            return nothing_around
        makers = tuple(self._env_makers)

        def read(code: CodeBuilder) -> Env:
            made: Env = {}
            for make in makers:
                made.update(make(code))
            known = {slot: code.let(value, "it") if isinstance(value, Cell) else value for slot, value in env.items()}
            return {**made, **known}

        return read

    def _choose(self, block: int, index: int, step: Step, seat: Node, env: Env, after: int) -> None:
        code, effect = self._code, step.effect
        assert isinstance(effect, Choose)
        number = self._decision(block, index, step, self._outer(step, env), after)
        site = self.decisions[number]
        around = self._around(seat, env)
        chooser = around.me if step.by is None else code.let(self.expressions.number(code, step.by, around), "seat")
        if self.rules.has_elimination:
            with code.when(negated(self.expressions.is_in_game(chooser))):
                self._jump(after)
        code.write(ClearOptions())
        code.write(Perform(Invoke(site.options, (chooser,))))
        count = code.result("count")
        code.write(CountOptions(count.text))
        if effect.is_automatic and effect.mode == "must":
            with code.when(binary("==", count, ONE)):
                word = code.result("word")
                code.write(TakeOption(word.text, ZERO))
                code.write(Return((Invoke("perform", (word, chooser, Int(after))),)))
        with code.when(binary("==", count, ZERO)):
            if site.otherwise:
                code.write(Perform(Invoke(site.otherwise, (chooser,))))
                code.write(CountOptions(count.text))
            with code.when(binary("==", count, ZERO)) if site.otherwise else ExitStack():
                if effect.mode == "must" and effect.fallback != "nothing":
                    self.effects.faults.fail(code, FaultSite(step.address, step.span, "offers no legal action"))
                else:
                    self._jump(after)
        if effect.mode == "may":
            code.write(AddOption(ZERO))
        code.store(self.cells.counter("decision"), Int(number))
        code.store(self.cells.counter("seat"), chooser)
        code.write(Return((Int(WAITS),)))

    def _choose_together(self, block: int, index: int, step: Step, seat: Node, env: Env, after: int) -> None:
        """Each seat chooses in secret; then what they have chosen is done in turn order."""
        code, effect, players = self._code, step.effect, self.rules.players
        assert isinstance(effect, Choose)
        head, execution = self._new_label(), self._new_label()
        first = self.cells.reserve(f"{step.address} chosen", 2 + players, "how many were asked, how many not; words")
        around = self._around(seat, env)
        asked = (
            KnownSet(tuple(range(players))) if step.by is None else self.expressions.one_or_all(code, step.by, around)
        )
        mask = code.variable(ZERO, "choosers")
        asked.each(code, lambda chooser: code.assign(mask, binary("|", mask, binary("<<", ONE, chooser))))
        order = self.cells.reserve(f"{step.address} choosers", 1, "a bit for each")
        code.store(Int(order), mask)
        code.store(Int(first), ZERO)
        for place in range(players):
            code.store(Int(first + 2 + place), ZERO)
        number = self._decision(block, index, step, self._outer(step, env), head)
        self.together[number] = first
        site = self.decisions[number]
        self._next_point(head, f"{step.address}: the next seat")
        code = self._code
        position = code.let(Cell(Int(first)), "position")
        with code.when(binary(">=", position, Int(players))):
            code.store(Int(first), ZERO)
            self._jump(execution)
        code.store(Int(first), add(position, ONE))
        chooser = code.let(self._seat_at(position), "seat")
        is_asked = binary("&", binary(">>", Cell(Int(order)), chooser), ONE)
        if self.rules.has_elimination:
            is_asked = binary("and", is_asked, self.expressions.is_in_game(chooser))
        with code.when(is_asked):
            code.write(ClearOptions())
            code.write(Perform(Invoke(site.options, (chooser,))))
            count = code.result("count")
            code.write(CountOptions(count.text))
            with code.when(count):
                code.store(self.cells.counter("decision"), Int(number))
                code.store(self.cells.counter("seat"), chooser)
                code.write(Return((Int(WAITS),)))
        self._jump(head)
        self._begin(execution, f"{step.address}: what was chosen is done")
        code = self._code
        position = code.let(Cell(Int(first)), "position")
        with code.when(binary(">=", position, Int(players))):
            self._jump(after)
        code.store(Int(first), add(position, ONE))
        chooser = code.let(self._seat_at(position), "seat")
        word = code.let(Cell(add(chooser, Int(first + 2))), "word")
        with code.when(word):
            code.write(Return((Invoke("perform", (word, chooser, Int(execution))),)))
        self._jump(execution)

    def _seat_at(self, position: Node) -> Node:
        """The seat that is so many places after the one that began the game."""
        return binary("%", add(position, Cell(self.cells.counter("first"))), Int(self.rules.players))

    # ---- functions around the points --------------------------------------------------------------------------

    def _write_act(self) -> None:
        """`act`: the deciding seat does what a word says; `perform`: the steps of an action begin."""
        code = CodeBuilder(("word", "seat", "after"), is_pure=False)
        word, seat, after = Name("word"), Name("seat"), Name("after")
        number = code.let(binary("&", word, Int((1 << self.words.number_width) - 1)), "number")
        offered = self._performed_actions()
        with ExitStack() as stack:
            for action in self.rules.actions:
                if action.index not in offered:
                    continue
                with code.when(binary("==", number, Int(action.index + 1))) as branch:
                    if action.block in self._flowing:
                        root = self._root(action.block)
                        self._enter(code, root, seat, after, word)
                        code.write(Return((Int(root.start),)))
                    else:
                        code.write(Perform(Invoke(f"do_{action.name}", (seat, word))))
                        code.forget_cells()
                        code.write(Return((after,)))
                stack.enter_context(code.unless(branch))
            code.write(Return((after,)))
        self.functions.append(
            Function("perform", ("word", "seat", "after"), code.block, False, "", "the steps of an action begin")
        )
        while self._waiting:
            self._write_root(self._waiting.pop(0))
        for action in self.rules.actions:
            if action.index in offered and action.block not in self._flowing:
                self._write_straight_action(action.index)
        self._write_choose_function()

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
        if not self._is_chosen_together(index):  # else somebody else's action may come between
            self.effects.known.learn(action)
        self._straight_block(code, action.block, Surroundings(Name("me"), env))
        self.effects.known = KnownAnswers()
        self.effects.reset(code, self.block_states.get(action.block, []))
        self.functions.append(
            Function(f"do_{action.name}", ("me", "word"), code.block, False, action.address, "does it")
        )

    def _is_chosen_together(self, index: int) -> bool:
        return any(
            isinstance(step.effect, Choose)
            and step.effect.mode == "together"
            and any(offer.action == index for offer in step.effect.offers)
            for block in self.rules.blocks
            for step in block.steps
        )

    def _write_choose_function(self) -> None:
        code = CodeBuilder(("word",), is_pure=False)
        word = Name("word")
        decision = code.let(Cell(self.cells.counter("decision")), "decision")
        seat = code.let(Cell(self.cells.counter("seat")), "seat")
        resume = Name(self._resume_table_lookup(code, decision))
        for number, counter in self.option_loops.items():
            declined = binary("and", binary("==", word, ZERO), binary("==", decision, Int(number)))
            with code.when(declined):
                code.store(Int(counter), ZERO)
        for number, first in self.together.items():
            with code.when(binary("==", decision, Int(number))):
                code.store(add(seat, Int(first + 2)), word)
                code.write(Return((resume,)))
        if self.lists.open_bags:
            token_mask = (1 << self.words.token_width) - 1
            token = code.let(binary("&", binary(">>", word, Int(self.words.token_shift)), Int(token_mask)), "token")
            with code.when(token):
                self._write_pieces(code, word, token, seat, decision, resume)
        code.write(Return((Invoke("perform", (word, seat, resume)),)))
        self.functions.append(
            Function("act", ("word",), code.block, False, "", "the deciding seat does what a word says")
        )

    def _resume_table_lookup(self, code: CodeBuilder, decision: Node) -> str:
        name = code.fresh_name("after")
        code.write(Assign(name, TableEntry(self.cells.table("resume_points", self.resume_points), decision)))
        return name

    def _write_pieces(
        self, code: CodeBuilder, word: Node, token: Node, seat: Node, decision: Node, resume: Node
    ) -> None:
        """A piece more for an open bag; when none is missing, the action that it completes."""
        number = code.let(binary("&", word, Int((1 << self.words.number_width) - 1)), "number")
        for index, first in self.lists.open_bags.items():
            action = self.rules.actions[index]
            lanes = self.cells.lanes(action.choices[0].type.kind)  # type: ignore[union-attr]  # a bag
            with code.when(binary("==", number, Int(index + 1))):
                with code.when(binary(">", token, ONE)):
                    cell = code.let(add(token, Int(first - 2)), "cell")
                    code.store(cell, add(Cell(cell), ONE))
                with code.when(binary(">", self.lists.missing_pieces(code, action, seat), ZERO)):
                    code.write(ClearOptions())
                    for at, site in enumerate(self.decisions):
                        effect = self.rules.blocks[site.block].steps[site.step].effect
                        assert isinstance(effect, Choose)
                        if any(offer.action == index for offer in effect.offers):
                            with code.when(binary("==", decision, Int(at))):
                                if len(effect.offers) > 1:
                                    raise NotCompiled(action.address, "piece by piece, beside other actions")
                                code.write(Perform(Invoke(site.options, (seat,))))
                    code.write(Return((Int(WAITS),)))
                whole: Node = Int(index + 1)
                field = self.words.fields[index][0]
                for lane in range(lanes):
                    whole = binary("|", whole, binary("<<", Cell(Int(first + lane)), Int(field.lanes[lane][0])))  # type: ignore[union-attr]
                complete = code.variable(whole, "complete")
                for lane in range(lanes):
                    code.store(Int(first + lane), ZERO)
                code.write(Return((Invoke("perform", (complete, seat, resume)),)))

    def _write_values(self) -> None:
        """Derived values and questions that became functions; each may ask for more."""
        written: set[str] = set()
        while True:
            values = [name for name in self.expressions.value_functions if name not in written]
            actions = [
                f"possible_{name}" for name in self.expressions.asked_actions if f"possible_{name}" not in written
            ]
            if not values and not actions:
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


__all__ = ["ENDS", "WAITS", "DecisionSite", "FlowWriter"]
