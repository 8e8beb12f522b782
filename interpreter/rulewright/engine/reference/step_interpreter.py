"""How a game goes on by itself: step after step until somebody must choose, chance has a say, or the game is over.

In: a `Draft`. Out: the same draft, waiting. What is under way lies on the draft's stack, so that a position can be
saved and taken up again anywhere: frames of steps, draws of several things, secret choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.faults import RuleFault, StepFault
from rulewright.engine.layout import Layout
from rulewright.engine.places import CompiledExpr
from rulewright.engine.reference.game_flow import GameFlow
from rulewright.engine.reference.invariants import describe_failure
from rulewright.engine.reference.legal_actions import ActionGenerator
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.verbs import CompiledEffect, EffectCompiler
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.state import Action, ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, State
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag, Thing
from rulewright.model.rules import (
    Rules,
    Step,
    ZoneDef,
)


class CompiledStep:
    """A step made ready: what it does, and the functions of its modifiers."""

    __slots__ = ("cost", "each", "effect", "order", "step", "times", "when", "where")

    def __init__(self, step: Step, act: CompiledEffect, evaluator: ExprCompiler) -> None:
        def maybe(expr: Expr | None) -> CompiledExpr | None:
            return None if expr is None else evaluator.compile(expr)

        self.step = step
        self.effect = act
        self.cost = step.cost
        self.when = maybe(step.when)
        self.each = None if step.for_each is None else evaluator.compile_elements(step.for_each.over)
        self.where = None if step.for_each is None else maybe(step.for_each.condition)
        self.order = maybe(step.order)
        self.times = maybe(step.times)


class StepInterpreter:
    """Carries out the steps of one rule model."""

    def __init__(self, rules: Rules, evaluator: ExprCompiler, legality: ActionGenerator, layout: Layout) -> None:
        self.rules = rules
        self.compiler = evaluator
        self.action_generator = legality
        self.game_flow = GameFlow(rules, layout)
        self.zone_by_place = layout.visibility.zone_by_place
        verbs = EffectCompiler(rules, evaluator, legality, self.game_flow)
        self.blocks = [
            [CompiledStep(step, verbs.compile(step, number, at), evaluator) for at, step in enumerate(block.steps)]
            for number, block in enumerate(rules.blocks)
        ]
        self.refills = [(*refill, _size(layout.visibility.zone_by_place[refill[0]])) for refill in layout.refills]
        # outcomes are numbers; a rolled flag is a flag again
        self.flag_variables = {
            one.first_index + at
            for one in rules.states.values()
            if isinstance(one.type, Flag)
            for at in range(one.size)
        }
        self.invariants = {
            when: [(one, evaluator.compile(one.condition)) for one in rules.invariants if one.after == when]
            for when in ("step", "turn", "round")
        }
        self.resets = {
            when: [one for one in rules.states.values() if one.reset_scope == when] for when in ("turn", "round")
        }

    # ---- the loop -----------------------------------------------------------------------------------------

    def run(self, d: MutableState) -> None:
        """Goes on until the draft waits for a choice or for chance from outside, or is over."""
        steps = 0
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
                raise RuleFault(
                    self._where(top), None, f"{limits.MAX_AUTOMATIC_STEPS} steps without a decision or chance"
                )
            if d.expr_steps > limits.MAX_WORK:
                text = f"what happens between two decisions could take more than {limits.MAX_WORK:,} steps to work out"
                raise RuleFault(self._where(top), None, text)
            match top:
                case Frame():
                    self._frame(d, top)
                case Draw():
                    self._draw(d, top)
                case SimultaneousChoice():
                    self._together(d, top)

    def _where(self, top: Any) -> str:
        return (
            f"zones.{self.zone_by_place[top.to].name}"
            if isinstance(top, Draw)
            else self.rules.blocks[top.block].address
        )

    def _frame(self, d: MutableState, frame: Frame) -> None:
        if d.needs_refill:
            d.needs_refill = False
            if self.refills and self.push_refills(d):
                return
        block = self.blocks[frame.block]
        if frame.step == len(block):
            d.stack.pop()
            self._ended(d, frame)
            return
        ready = block[frame.step]
        if ready.each is None and ready.times is None:
            d.stack[-1] = Frame(frame.block, frame.step + 1, frame.env, None, frame.seat)
            self._once(d, ready, frame, frame.env)
            return
        if frame.remaining is None:
            d.expr_steps += ready.step.loop_cost
            frame = frame._replace(remaining=self._rounds(d, ready, frame))
        todo = frame.remaining
        assert todo is not None
        if not todo:
            d.stack[-1] = frame._replace(step=frame.step + 1, remaining=None)
            return
        d.stack[-1] = frame._replace(remaining=todo[1:])
        self._once(d, ready, frame, frame.env if ready.each is None else (*frame.env, todo[0]))

    def _rounds(self, d: MutableState, ready: CompiledStep, frame: Frame) -> tuple[Any, ...]:
        c = d.context_for(frame.seat, frame.env)
        if ready.each is None:
            assert ready.times is not None
            return tuple(range(min(ready.times(c), limits.MAX_AUTOMATIC_STEPS)))
        slot, values = len(frame.env), list(ready.each(c))

        def bound(run: CompiledExpr, value: Any) -> Any:
            c.env[slot] = value
            return run(c)

        if ready.where is not None:
            where = ready.where
            values = [value for value in values if bound(where, value)]
        if ready.order is not None:
            order = ready.order
            values.sort(key=lambda value: bound(order, value))
        if ready.times is not None:
            values *= max(0, min(ready.times(c), limits.MAX_AUTOMATIC_STEPS // max(1, len(values)) + 1))
        return tuple(values)

    def _once(self, d: MutableState, ready: CompiledStep, frame: Frame, env: tuple[Any, ...]) -> None:
        d.expr_steps += ready.cost
        if ready.when is not None and not ready.when(d.context_for(frame.seat, env)):
            return
        try:
            ready.effect(d, frame, env)
        except StepFault as fault:
            raise RuleFault(ready.step.address, ready.step.span, str(fault)) from None
        if self.invariants["step"]:
            self._check(d, "step", frame.seat)

    def push_refills(self, d: MutableState) -> bool:
        """Puts draws on the stack for all places that fill themselves; whether there are any."""
        contents = d.contents
        waiting = [
            Draw(source, to, room - have, bottom=False, random=False)
            for to, source, room, size in self.refills
            if (have := size(contents[to])) < room and d.content_size(source)
        ]
        d.stack.extend(reversed(waiting))
        return bool(waiting)

    # ---- ends of blocks -----------------------------------------------------------------------------------

    def _ended(self, d: MutableState, frame: Frame) -> None:
        rules = self.rules
        if frame.block == rules.turn:
            self._check(d, "turn", frame.seat)
            d.mark_turn(None)
            while d.extra_turns:
                seat, d.extra_turns = d.extra_turns[0], d.extra_turns[1:]
                if not self.compiler.elimination.is_eliminated(d.variables, seat):
                    self.game_flow.begin_turn(d, seat)
                    break
        elif frame.block == rules.setup and not d.stack:
            self.game_flow.begin_round(d)
        elif frame.block == rules.round and not d.stack:
            self._check(d, "round", -1)
            if d.ending:
                self.game_flow.begin_finale(d)
            else:
                self.game_flow.begin_round(d)

    def _check(self, d: MutableState, when: str, seat: int) -> None:
        for invariant, holds in self.invariants[when]:
            d.expr_steps += invariant.cost
            if not holds(d.context_for(seat, ())):
                speaker = SentenceRenderer(self.rules, self.compiler, d.visibility)
                why = describe_failure(
                    invariant, d.context_for(seat, ()), self.compiler, speaker, d.visibility.viewer_index(None)
                )
                raise RuleFault(invariant.address, invariant.span, f"does not hold after this {when}{why}")

    # ---- chance -------------------------------------------------------------------------------------------

    def _draw(self, d: MutableState, draw: Draw) -> None:
        if min(draw.left, d.content_size(draw.source)) <= 0:
            d.stack.pop()
            return
        event = self.next_draw(d.visibility.zone_by_place[draw.source], d.contents[draw.source], draw)
        if isinstance(event, int):
            self._drawn(d, event)
        else:
            d.waiting = event

    def chance_event(self, state: State, draw: Draw) -> ChanceEvent | int:
        """What a position waits for when a draw is under way: a chance event, or the one thing it can be."""
        return self.next_draw(self.zone_by_place[draw.source], state.contents[draw.source], draw)

    def next_draw(self, zone: ZoneDef, content: Any, draw: Draw) -> ChanceEvent | int:
        """How the next thing or piece of a draw is found: by chance, or (a thing or member) surely."""
        if zone.is_pool:
            outcomes = tuple([(member, count) for member, count in enumerate(content) if count])
        elif draw.random:
            outcomes = tuple([(thing, 1) for thing in (sorted(content.things) if zone.is_shuffled else content)])
        elif not zone.is_shuffled:
            return int(content[-1])  # as on a pile: the last to arrive lies on top
        elif content.top or content.fixed or not content.loose:
            return int(content.things[0])
        else:
            outcomes = tuple([(thing, 1) for thing in content.loose])
        return outcomes[0][0] if len(outcomes) == 1 else ChanceEvent("draw", draw.source, outcomes)

    def _drawn(self, d: MutableState, value: int) -> None:
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
                d.move_pieces(tuple([int(at == value) for at in range(size)]), draw.source, draw.to)
            else:
                assert isinstance(zone.content_type, Thing)
                component = self.rules.components[zone.content_type.component]
                d.move_thing(
                    component,
                    value,
                    draw.source,
                    draw.to,
                    to_bottom=draw.bottom,
                    is_identifiable=zone.is_shuffled and not draw.random,
                )
        except StepFault as fault:
            step = self._drawing_step(d)
            if step is None:
                raise RuleFault(f"zones.{zone.name}", None, str(fault)) from None
            raise RuleFault(step.address, step.span, str(fault)) from None

    def _drawing_step(self, d: MutableState) -> Step | None:
        """The step of which a draw is under way; a refilling belongs to none."""
        under = next((entry for entry in reversed(d.stack) if isinstance(entry, Frame)), None)
        if under is None:
            return None
        at = under.step if under.remaining is not None else under.step - 1
        return self.blocks[under.block][at].step if at >= 0 else None

    def resolve_chance(self, d: MutableState, value: int) -> None:
        """Chance has spoken."""
        waiting, d.waiting = d.waiting, None
        assert isinstance(waiting, ChanceEvent)
        if waiting.kind == "draw":
            self._drawn(d, value)
        else:
            d.variables[waiting.target] = bool(value) if waiting.target in self.flag_variables else value
            d.invalidate_memo()

    # ---- decisions ----------------------------------------------------------------------------------------

    def begin_action(self, d: MutableState, action: Action) -> None:
        """A legal whole action is carried out for the seat that the draft waits for."""
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

    def _together(self, d: MutableState, top: SimultaneousChoice) -> None:
        if top.remaining_seats:
            seat = top.remaining_seats[0]
            here = not self.compiler.elimination.is_eliminated(d.variables, seat)
            if here and self.action_generator.offered_actions(d.context_for(seat, ()), top.block, top.step, 1):
                d.waiting = Decision(seat, top.block, top.step)
            else:
                d.stack[-1] = top._replace(remaining_seats=top.remaining_seats[1:])
            return
        d.stack.pop()
        players = self.rules.players
        for seat, action in sorted(top.actions, key=lambda one: (one[0] - d.first_seat) % players, reverse=True):
            self.game_flow.begin_action(d, action, seat)


def _size(zone: ZoneDef) -> Callable[[Any], int]:
    """How the pieces or things in a zone's places are counted; refilling asks this after every move."""
    if zone.is_pool:
        return sum
    return (lambda content: len(content.things)) if zone.is_shuffled else len
