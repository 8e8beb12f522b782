"""How a game goes on by itself: step after step until somebody must choose, chance has a say, or the game is over.

In: a `Draft`. Out: the same draft, waiting. What is under way lies on the draft's stack, so that a position can be
saved and taken up again anywhere: frames of steps, draws of several things, secret choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.evaluator import Evaluator
from rulewright.engine.faults import Impossible, RuleFault
from rulewright.engine.layout import Layout
from rulewright.engine.places import Run
from rulewright.engine.reference.game_flow import Flow
from rulewright.engine.reference.invariants import broken
from rulewright.engine.reference.legal_actions import Legality
from rulewright.engine.reference.mutable_state import Draft
from rulewright.engine.reference.verbs import Act, Verbs
from rulewright.engine.sentence_renderer import Speaker
from rulewright.engine.state import Action, Chance, Decision, Draw, Frame, State, Together
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag, Thing
from rulewright.model.rules import (
    Rules,
    Step,
    ZoneDef,
)


class Ready:
    """A step made ready: what it does, and the functions of its modifiers."""

    __slots__ = ("act", "cost", "each", "order", "step", "times", "when", "where")

    def __init__(self, step: Step, act: Act, evaluator: Evaluator) -> None:
        def maybe(expr: Expr | None) -> Run | None:
            return None if expr is None else evaluator.run(expr)

        self.step = step
        self.act = act
        self.cost = step.cost
        self.when = maybe(step.when)
        self.each = None if step.each is None else evaluator.elements(step.each.over)
        self.where = None if step.each is None else maybe(step.each.where)
        self.order = maybe(step.order)
        self.times = maybe(step.times)


class Machine:
    """Carries out the steps of one rule model."""

    def __init__(self, rules: Rules, evaluator: Evaluator, legality: Legality, layout: Layout) -> None:
        self.rules = rules
        self.evaluator = evaluator
        self.legality = legality
        self.flow = Flow(rules, layout)
        self.zone_of = layout.sight.zone_of
        verbs = Verbs(rules, evaluator, legality, self.flow)
        self.blocks = [
            [Ready(step, verbs.act(step, number, at), evaluator) for at, step in enumerate(block.steps)]
            for number, block in enumerate(rules.blocks)
        ]
        self.refills = [(*refill, _size(layout.sight.zone_of[refill[0]])) for refill in layout.refills]
        # outcomes are numbers; a rolled flag is a flag again
        self.flags = {
            one.first + at for one in rules.states.values() if isinstance(one.type, Flag) for at in range(one.size)
        }
        self.invariants = {
            when: [(one, evaluator.run(one.is_)) for one in rules.invariants if one.after == when]
            for when in ("step", "turn", "round")
        }
        self.resets = {when: [one for one in rules.states.values() if one.resets == when] for when in ("turn", "round")}

    # ---- the loop -----------------------------------------------------------------------------------------

    def run(self, d: Draft) -> None:
        """Goes on until the draft waits for a choice or for chance from outside, or is over."""
        steps = 0
        while True:
            if d.waiting is not None:
                if d.rng is None or isinstance(d.waiting, Decision):
                    return
                d.rng, value = chance.pick(d.rng, d.waiting.outcomes)
                self.feed(d, value)
            if not d.stack:
                return
            steps += 1
            top = d.stack[-1]
            if steps > limits.MAX_AUTOMATIC_STEPS:
                raise RuleFault(
                    self._where(top), None, f"{limits.MAX_AUTOMATIC_STEPS} steps without a decision or chance"
                )
            if d.work > limits.MAX_WORK:
                text = f"what happens between two decisions could take more than {limits.MAX_WORK:,} steps to work out"
                raise RuleFault(self._where(top), None, text)
            match top:
                case Frame():
                    self._frame(d, top)
                case Draw():
                    self._draw(d, top)
                case Together():
                    self._together(d, top)

    def _where(self, top: Any) -> str:
        return f"zones.{self.zone_of[top.to].name}" if isinstance(top, Draw) else self.rules.blocks[top.block].address

    def _frame(self, d: Draft, frame: Frame) -> None:
        if d.touched:
            d.touched = False
            if self.refills and self.refill(d):
                return
        block = self.blocks[frame.block]
        if frame.at == len(block):
            d.stack.pop()
            self._ended(d, frame)
            return
        ready = block[frame.at]
        if ready.each is None and ready.times is None:
            d.stack[-1] = Frame(frame.block, frame.at + 1, frame.env, None, frame.seat)
            self._once(d, ready, frame, frame.env)
            return
        if frame.todo is None:
            d.work += ready.step.rounds
            frame = frame._replace(todo=self._rounds(d, ready, frame))
        todo = frame.todo
        assert todo is not None
        if not todo:
            d.stack[-1] = frame._replace(at=frame.at + 1, todo=None)
            return
        d.stack[-1] = frame._replace(todo=todo[1:])
        self._once(d, ready, frame, frame.env if ready.each is None else (*frame.env, todo[0]))

    def _rounds(self, d: Draft, ready: Ready, frame: Frame) -> tuple[Any, ...]:
        c = d.at(frame.seat, frame.env)
        if ready.each is None:
            assert ready.times is not None
            return tuple(range(min(ready.times(c), limits.MAX_AUTOMATIC_STEPS)))
        slot, values = len(frame.env), list(ready.each(c))

        def bound(run: Run, value: Any) -> Any:
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

    def _once(self, d: Draft, ready: Ready, frame: Frame, env: tuple[Any, ...]) -> None:
        d.work += ready.cost
        if ready.when is not None and not ready.when(d.at(frame.seat, env)):
            return
        try:
            ready.act(d, frame, env)
        except Impossible as fault:
            raise RuleFault(ready.step.address, ready.step.span, str(fault)) from None
        if self.invariants["step"]:
            self._check(d, "step", frame.seat)

    def refill(self, d: Draft) -> bool:
        """Puts draws on the stack for all places that fill themselves; whether there are any."""
        contents = d.contents
        waiting = [
            Draw(source, to, room - have, bottom=False, random=False)
            for to, source, room, size in self.refills
            if (have := size(contents[to])) < room and d.size(source)
        ]
        d.stack.extend(reversed(waiting))
        return bool(waiting)

    # ---- ends of blocks -----------------------------------------------------------------------------------

    def _ended(self, d: Draft, frame: Frame) -> None:
        rules = self.rules
        if frame.block == rules.turn:
            self._check(d, "turn", frame.seat)
            d.turns_to(None)
            while d.extra:
                seat, d.extra = d.extra[0], d.extra[1:]
                if not self.evaluator.departures.gone(d.variables, seat):
                    self.flow.begin_turn(d, seat)
                    break
        elif frame.block == rules.setup and not d.stack:
            self.flow.begin_round(d)
        elif frame.block == rules.round and not d.stack:
            self._check(d, "round", -1)
            if d.ending:
                self.flow.finale(d)
            else:
                self.flow.begin_round(d)

    def _check(self, d: Draft, when: str, seat: int) -> None:
        for invariant, holds in self.invariants[when]:
            d.work += invariant.cost
            if not holds(d.at(seat, ())):
                speaker = Speaker(self.rules, self.evaluator, d.sight)
                why = broken(invariant, d.at(seat, ()), self.evaluator, speaker, d.sight.row(None))
                raise RuleFault(invariant.address, invariant.span, f"does not hold after this {when}{why}")

    # ---- chance -------------------------------------------------------------------------------------------

    def _draw(self, d: Draft, draw: Draw) -> None:
        if min(draw.left, d.size(draw.source)) <= 0:
            d.stack.pop()
            return
        event = self.drawing(d.sight.zone_of[draw.source], d.contents[draw.source], draw)
        if isinstance(event, int):
            self._drawn(d, event)
        else:
            d.waiting = event

    def event(self, state: State, draw: Draw) -> Chance | int:
        """What a position waits for when a draw is under way: a chance event, or the one thing it can be."""
        return self.drawing(self.zone_of[draw.source], state.contents[draw.source], draw)

    def drawing(self, zone: ZoneDef, content: Any, draw: Draw) -> Chance | int:
        """How the next thing or piece of a draw is found: by chance, or (a thing or member) surely."""
        if zone.pooled:
            outcomes = tuple([(member, count) for member, count in enumerate(content) if count])
        elif draw.random:
            outcomes = tuple([(thing, 1) for thing in (sorted(content.things) if zone.shuffled else content)])
        elif not zone.shuffled:
            return int(content[-1])  # as on a pile: the last to arrive lies on top
        elif content.top or content.fixed or not content.loose:
            return int(content.things[0])
        else:
            outcomes = tuple([(thing, 1) for thing in content.loose])
        return outcomes[0][0] if len(outcomes) == 1 else Chance("draw", draw.source, outcomes)

    def _drawn(self, d: Draft, value: int) -> None:
        draw = d.stack[-1]
        assert isinstance(draw, Draw)
        if draw.left <= 1:
            d.stack.pop()
        else:
            d.stack[-1] = draw._replace(left=draw.left - 1)
        zone = d.sight.zone_of[draw.source]
        try:
            if zone.pooled:
                size = len(d.contents[draw.source])
                d.move_pieces(tuple([int(at == value) for at in range(size)]), draw.source, draw.to)
            else:
                assert isinstance(zone.holds, Thing)
                component = self.rules.components[zone.holds.component]
                d.move_thing(
                    component, value, draw.source, draw.to, bottom=draw.bottom, plain=zone.shuffled and not draw.random
                )
        except Impossible as fault:
            step = self._drawing_step(d)
            if step is None:
                raise RuleFault(f"zones.{zone.name}", None, str(fault)) from None
            raise RuleFault(step.address, step.span, str(fault)) from None

    def _drawing_step(self, d: Draft) -> Step | None:
        """The step of which a draw is under way; a refilling belongs to none."""
        under = next((entry for entry in reversed(d.stack) if isinstance(entry, Frame)), None)
        if under is None:
            return None
        at = under.at if under.todo is not None else under.at - 1
        return self.blocks[under.block][at].step if at >= 0 else None

    def feed(self, d: Draft, value: int) -> None:
        """Chance has spoken."""
        waiting, d.waiting = d.waiting, None
        assert isinstance(waiting, Chance)
        if waiting.kind == "draw":
            self._drawn(d, value)
        else:
            d.variables[waiting.where] = bool(value) if waiting.where in self.flags else value
            d.changed()

    # ---- decisions ----------------------------------------------------------------------------------------

    def act(self, d: Draft, action: Action) -> None:
        """A legal whole action is carried out for the seat that the draft waits for."""
        decision = d.waiting
        assert isinstance(decision, Decision)
        d.waiting = None
        top = d.stack[-1]
        if isinstance(top, Together) and (top.block, top.at) == (decision.block, decision.at):
            d.stack[-1] = top._replace(waiting=top.waiting[1:], chosen=(*top.chosen, (decision.seat, action)))
        else:
            self.flow.begin(d, action, decision.seat)

    def _together(self, d: Draft, top: Together) -> None:
        if top.waiting:
            seat = top.waiting[0]
            here = not self.evaluator.departures.gone(d.variables, seat)
            if here and self.legality.some(d.at(seat, ()), top.block, top.at, 1):
                d.waiting = Decision(seat, top.block, top.at)
            else:
                d.stack[-1] = top._replace(waiting=top.waiting[1:])
            return
        d.stack.pop()
        players = self.rules.players
        for seat, action in sorted(top.chosen, key=lambda one: (one[0] - d.first) % players, reverse=True):
            self.flow.begin(d, action, seat)


def _size(zone: ZoneDef) -> Callable[[Any], int]:
    """How the pieces or things in a zone's places are counted; refilling asks this after every move."""
    if zone.pooled:
        return sum
    return (lambda content: len(content.things)) if zone.shuffled else len
