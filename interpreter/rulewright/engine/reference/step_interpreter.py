"""How a game goes on by itself: step after step until somebody must choose, chance must decide, or the game is over.

In: a `MutableState`. Out: the same state, waiting. What is under way is on the state's stack, so that a position can be
saved and resumed anywhere: frames of steps, draws of several things, secret choices.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Final, assert_never, cast

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import BrokenInvariant, EndlessSteps, RuleFault, StepFault, TooMuchWork
from rulewright.engine.layout import Layout
from rulewright.engine.made_on_demand import MadeOnDemand
from rulewright.engine.place_compiler import CompiledExpr, CompiledNumber
from rulewright.engine.reference.game_flow import GameFlow
from rulewright.engine.reference.legal_actions import ActionGenerator
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.verbs import Bindings, CompiledEffect, EffectCompiler
from rulewright.engine.state import Action, ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import Content, Pile
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag, Thing
from rulewright.model.dependencies import position_dependencies
from rulewright.model.effects import Step
from rulewright.model.rules import Invariant, Rules, ZoneDef

MANY_ROUNDS: Final = 5  # in which nothing is decided: what takes long then is that there is no end


class CompiledStep:
    """A step made ready: what it does, and the functions of its modifiers."""

    __slots__ = ("cost", "effect", "loop", "step", "times", "when", "while_condition")

    def __init__(self, step: Step, effect: CompiledEffect, compiler: ExprCompiler) -> None:
        def compile_optional(expr: Expr | None) -> CompiledNumber | None:
            return None if expr is None else compiler.compile_number(expr)

        self.step = step
        self.effect = effect
        self.cost = step.cost
        self.when = compile_optional(step.when)
        self.loop = None if step.for_each is None else compiler.compile_loop(step.for_each, step.order)
        self.times = compile_optional(step.times)
        self.while_condition = compile_optional(step.while_condition)


class StepInterpreter:
    """Carries out the steps of one rule model."""

    def __init__(self, rules: Rules, compiler: ExprCompiler, action_generator: ActionGenerator, layout: Layout) -> None:
        self.rules = rules
        self.compiler = compiler
        self.action_generator = action_generator
        self.game_flow = GameFlow(rules, layout)
        self.zone_by_place = layout.visibility.zone_by_place
        self.effects = EffectCompiler(rules, compiler, action_generator, self.game_flow)
        self.blocks = MadeOnDemand(self._compile_block)
        self.refills = [(*refill, _size_function(self.zone_by_place[refill[0]])) for refill in layout.refills]
        # outcomes are numbers; a rolled flag is a flag again
        self.flag_variables = {
            state.first_index + offset
            for state in rules.states.values()
            if isinstance(state.type, Flag)
            for offset in range(state.size)
        }
        self.invariants = {
            scope: [
                (invariant, compiler.compile(invariant.condition))
                for invariant in rules.invariants
                if invariant.after == scope
            ]
            for scope in ("step", "turn", "round")
        }
        self.step_invariant_reads = [
            position_dependencies(rules, invariant.condition) for invariant, _ in self.invariants["step"]
        ]

    def _compile_block(self, index: int) -> list[CompiledStep]:
        return [
            CompiledStep(step, self.effects.compile(step, index, step_index), self.compiler)
            for step_index, step in enumerate(self.rules.blocks[index].steps)
        ]

    def without_invariants(self) -> StepInterpreter:
        """The same interpreter, which checks none."""
        interpreter = copy(self)
        interpreter.invariants = {scope: [] for scope in self.invariants}
        interpreter.step_invariant_reads = []
        return interpreter

    # ---- the loop -----------------------------------------------------------------------------------------

    def run(self, d: MutableState) -> None:
        """Goes on until the state waits for a choice or for chance from outside, or is over.

        Raises `RuleFault` where the rules fail, and over `limits.MAX_AUTOMATIC_STEPS` or `limits.MAX_WORK`.
        """
        steps, first_round = 0, d.round
        while True:
            if d.waiting is not None:
                if d.rng is None or isinstance(d.waiting, Decision):
                    return
                d.rng, value = chance.pick_weighted(d.rng, d.waiting.outcomes)
                self.resolve_chance(d, value)
            if not d.stack:
                return
            steps += 1
            top = d.stack[-1]
            if steps > limits.MAX_AUTOMATIC_STEPS:
                # which step of several rounds is the last one says nothing
                raise EndlessSteps(self._address(top if d.round == first_round else d.stack[0]))
            if d.expr_steps > limits.MAX_WORK:
                if d.round - first_round >= MANY_ROUNDS:
                    raise EndlessSteps(self._address(d.stack[0]), d.round - first_round)
                message = f"computing what happens between two decisions could take more than {limits.MAX_WORK:,} steps"
                raise TooMuchWork(self._address(top), None, message)
            match top:
                case Frame():
                    self._run_frame(d, top)
                case Draw():
                    self._run_draw(d, top)
                case SimultaneousChoice():
                    self._run_simultaneous_choice(d, top)
                case _:
                    assert_never(top)

    def run_one_step(self, d: MutableState) -> None:
        """Carries out the next step of the frame on top; raises `RuleFault` where the rules fail."""
        frame = d.stack[-1]
        assert isinstance(frame, Frame)
        self._run_frame(d, frame)

    def _address(self, entry: StackEntry) -> str:
        if isinstance(entry, Draw):
            return f"zones.{self.zone_by_place[entry.to].name}"
        return self.rules.blocks[entry.block].address

    def _run_frame(self, d: MutableState, frame: Frame) -> None:
        if d.needs_refill:
            d.needs_refill = False
            if self.refills and self.push_refills(d):
                return
        block = self.blocks[frame.block]
        if frame.step == len(block):
            d.stack.pop()
            self._end_block(d, frame)
            return
        compiled = block[frame.step]
        if compiled.loop is None and compiled.times is None:
            d.stack[-1] = Frame(frame.block, frame.step + 1, frame.env, None, frame.seat)
            self._run_step(d, compiled, frame, frame.env)
            return
        if frame.remaining is None:
            d.expr_steps += compiled.step.loop_cost
            frame = frame._replace(remaining=self._iterations(d, compiled, frame))
        remaining = frame.remaining
        assert remaining is not None
        if not remaining:
            d.stack[-1] = frame._replace(step=frame.step + 1, remaining=None)
            return
        env = frame.env if compiled.loop is None else (*frame.env, remaining[0])
        go_on = compiled.while_condition
        if go_on is not None and not go_on(d.context_for(frame.seat, env)):
            d.expr_steps += compiled.cost
            d.stack[-1] = frame._replace(step=frame.step + 1, remaining=None)
            return
        d.stack[-1] = frame._replace(remaining=remaining[1:])
        self._run_step(d, compiled, frame, env)

    def _iterations(self, d: MutableState, compiled: CompiledStep, frame: Frame) -> tuple[int, ...]:
        """What a loop runs over: the elements for which its condition holds, in the given order, `times` times."""
        c = d.context_for(frame.seat, frame.env)
        if compiled.loop is None:
            assert compiled.times is not None
            return tuple(range(min(compiled.times(c), limits.MAX_AUTOMATIC_STEPS)))
        slot, values = len(frame.env), list(compiled.loop.elements(c))

        def compute(run: CompiledNumber, value: int) -> int:
            c.env[slot] = value
            return run(c)

        if compiled.loop.where is not None:
            where = compiled.loop.where
            values = [value for value in values if compute(where, value)]
        if compiled.loop.order is not None:
            order = compiled.loop.order
            values.sort(key=lambda value: compute(order, value), reverse=compiled.step.is_descending)
        if compiled.times is not None:
            values *= max(0, min(compiled.times(c), limits.MAX_AUTOMATIC_STEPS // max(1, len(values)) + 1))
        return tuple(values)

    def _run_step(self, d: MutableState, compiled: CompiledStep, frame: Frame, env: Bindings) -> None:
        d.expr_steps += compiled.cost
        if compiled.when is not None and not compiled.when(d.context_for(frame.seat, env)):
            return
        try:
            compiled.effect(d, frame, env)
        except StepFault as fault:
            raise RuleFault(compiled.step.address, compiled.step.span, str(fault), fault.key, fault.failed) from None
        if self.invariants["step"]:
            self._check_step_invariants(d, frame.seat)

    def push_refills(self, d: MutableState) -> bool:
        """Puts draws on the stack for all places that fill themselves; whether there are any."""
        contents = d.contents
        draws = [
            Draw(source, to, capacity - count, random=False)
            for to, source, capacity, size in self.refills
            if (count := size(contents[to])) < capacity and d.content_size(source)
        ]
        d.stack.extend(reversed(draws))
        return bool(draws)

    # ---- ends of blocks -----------------------------------------------------------------------------------

    def _end_block(self, d: MutableState, frame: Frame) -> None:
        rules = self.rules
        self.game_flow.reset_block(d, frame.block)
        if frame.block == rules.turn:
            self._check_invariants(d, "turn", frame.seat)
            d.mark_turn(None)
            while d.extra_turns:
                seat, d.extra_turns = d.extra_turns[0], d.extra_turns[1:]
                if not self.compiler.elimination.is_eliminated(d.variables, seat):
                    self.game_flow.begin_turn(d, seat)
                    break
        elif frame.block == rules.setup and not d.stack:
            self.game_flow.begin_round(d)
        elif frame.block == rules.round and not d.stack:
            self._check_invariants(d, "round", -1)
            if d.ending:
                self.game_flow.begin_finale(d)
            else:
                self.game_flow.begin_round(d)

    def _check_invariants(self, d: MutableState, scope: str, seat: int) -> None:
        for invariant, holds in self.invariants[scope]:
            self._check_invariant(d, invariant, holds, seat)

    def _check_step_invariants(self, d: MutableState, seat: int) -> None:
        """Checks those that read something that was written since they were checked last."""
        written = d.written
        for (invariant, holds), reads in zip(self.invariants["step"], self.step_invariant_reads, strict=True):
            if written is None or reads is None or not reads.isdisjoint(written):
                self._check_invariant(d, invariant, holds, seat)
            else:
                d.expr_steps += invariant.cost  # what rules may cost does not depend on what is left out here
        if written is None:
            d.written = set()
        else:
            written.clear()

    def _check_invariant(self, d: MutableState, invariant: Invariant, holds: CompiledExpr, seat: int) -> None:
        d.expr_steps += invariant.cost
        if not holds(d.context_for(seat, ())):
            from rulewright.engine.reference.invariant_failure import describe_failure  # most games never need words
            from rulewright.engine.sentence_renderer import SentenceRenderer

            renderer = SentenceRenderer(self.rules, self.compiler, d.visibility)
            details = describe_failure(
                invariant, d.context_for(seat, ()), renderer=renderer, viewer=d.visibility.viewer_index(None)
            )
            message = f"does not hold after a {invariant.after}{details}"
            raise BrokenInvariant(invariant.address, invariant.span, message)

    # ---- chance -------------------------------------------------------------------------------------------

    def _run_draw(self, d: MutableState, draw: Draw) -> None:
        if min(draw.left, d.content_size(draw.source)) <= 0:
            d.stack.pop()
            return
        event = self.next_draw(d.visibility.zone_by_place[draw.source], d.contents[draw.source], draw)
        if isinstance(event, int):
            self._finish_draw(d, event)
        else:
            d.waiting = event

    def chance_event(self, state: State, draw: Draw) -> ChanceEvent | int:
        """What a position waits for when a draw is under way: a chance event, or the only thing it can be."""
        return self.next_draw(self.zone_by_place[draw.source], state.contents[draw.source], draw)

    def next_draw(self, zone: ZoneDef, content: Content, draw: Draw) -> ChanceEvent | int:
        """What the next draw can give: a chance event, or the only thing or member it can be."""
        if isinstance(content, Pile):
            if draw.random:
                outcomes = tuple([(thing, 1) for thing in sorted(content.things)])
            elif content.top or content.fixed or not content.loose:
                return content.things[0]
            else:
                outcomes = tuple([(thing, 1) for thing in content.loose])
        elif zone.is_pool:
            outcomes = tuple([(member, count) for member, count in enumerate(content) if count])
        elif draw.random:
            outcomes = tuple([(thing, 1) for thing in content])
        else:
            return content[-1]  # as on a pile: the last to arrive is on top
        return outcomes[0][0] if len(outcomes) == 1 else ChanceEvent("draw", draw.source, outcomes)

    def _finish_draw(self, d: MutableState, value: int) -> None:
        draw = d.stack[-1]
        assert isinstance(draw, Draw)
        if draw.left <= 1:
            d.stack.pop()
        else:
            d.stack[-1] = draw._replace(left=draw.left - 1)
        zone = d.visibility.zone_by_place[draw.source]
        try:
            if zone.is_pool:
                size = len(d.contents[draw.source])
                d.move_pieces(tuple([int(member == value) for member in range(size)]), draw.source, draw.to)
            else:
                assert isinstance(zone.content_type, Thing)
                component = self.rules.components[zone.content_type.component]
                d.move_thing(
                    component,
                    value,
                    draw.source,
                    draw.to,
                    end=draw.end,
                    is_identifiable=zone.is_shuffled and not draw.random,
                )
        except StepFault as fault:
            step = self._drawing_step(d)
            if step is None:
                raise RuleFault(f"zones.{zone.name}", None, str(fault)) from None
            raise RuleFault(step.address, step.span, str(fault), fault.key, fault.failed) from None

    def _drawing_step(self, d: MutableState) -> Step | None:
        """The step whose draw is under way; None for a refill, which belongs to no step."""
        frame = next((entry for entry in reversed(d.stack) if isinstance(entry, Frame)), None)
        if frame is None:
            return None
        index = frame.step if frame.remaining is not None else frame.step - 1
        return self.blocks[frame.block][index].step if index >= 0 else None

    def resolve_chance(self, d: MutableState, value: int) -> None:
        """The outcome of the chance event that the state waits for takes effect."""
        event, d.waiting = d.waiting, None
        assert isinstance(event, ChanceEvent)
        if event.kind == "draw":
            self._finish_draw(d, value)
        else:
            d.set_variable(event.target, bool(value) if event.target in self.flag_variables else value)

    # ---- decisions ----------------------------------------------------------------------------------------

    def decline(self, d: MutableState) -> None:
        """Nothing is done at the decision that the state waits for; a seat is not asked again what it has declined."""
        decision, frame = d.waiting, d.stack[-1]
        assert isinstance(decision, Decision)
        assert isinstance(frame, Frame)
        d.waiting = None
        compiled = self.blocks[decision.block][decision.step]
        if compiled.times is not None and compiled.loop is None:
            d.stack[-1] = frame._replace(remaining=())

    def begin_action(self, d: MutableState, action: Action) -> None:
        """A legal whole action begins for the seat that the state waits for."""
        decision = d.waiting
        assert isinstance(decision, Decision)
        d.waiting = None
        top = d.stack[-1]
        if isinstance(top, SimultaneousChoice) and (top.block, top.step) == (decision.block, decision.step):
            d.stack[-1] = top._replace(
                remaining_seats=top.remaining_seats[1:], actions=(*top.actions, (decision.seat, action))
            )
        else:
            self.game_flow.begin_action(d, action, decision.seat)

    def _run_simultaneous_choice(self, d: MutableState, choice: SimultaneousChoice) -> None:
        if choice.remaining_seats:
            seat = choice.remaining_seats[0]
            is_in = not self.compiler.elimination.is_eliminated(d.variables, seat)
            c = d.context_for(seat, (), choice.env)
            if is_in and self.action_generator.offered_actions(c, choice.block, choice.step, 1):
                d.waiting = Decision(seat, choice.block, choice.step, around=choice.env)
            else:
                d.stack[-1] = choice._replace(remaining_seats=choice.remaining_seats[1:])
            return
        d.stack.pop()
        players = self.rules.players
        for seat, action in sorted(choice.actions, key=lambda entry: (entry[0] - d.first_seat) % players, reverse=True):
            self.game_flow.begin_action(d, action, seat)


def _size_function(zone: ZoneDef) -> Callable[[Content], int]:
    """Counts the pieces or things in a place of a zone; refills ask this after every move."""
    if zone.is_pool:
        return cast("Callable[[Content], int]", sum)
    return cast("Callable[[Content], int]", lambda pile: len(pile.things)) if zone.is_shuffled else len
