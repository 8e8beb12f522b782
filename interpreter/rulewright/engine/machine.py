"""How a game goes on by itself: step after step until somebody must choose, chance has a say, or the game is over.

In: a `Draft`. Out: the same draft, waiting. What is under way lies on the draft's stack, so that a position can be saved
and taken up again anywhere: frames of steps, draws of several things, secret choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never

from rulewright.engine import chance
from rulewright.engine.draft import Draft, Impossible, RuleFault
from rulewright.engine.evaluate import Evaluator, Pile, Run
from rulewright.engine.layout import Layout
from rulewright.engine.legal import Legality
from rulewright.engine.state import Action, Chance, Decision, Draw, Frame, Together
from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag, SetOf, Thing
from rulewright.model.rules import (
    Choose,
    Finish,
    Move,
    Reveal,
    Roll,
    Rules,
    Run as RunSteps,
    Set,
    Step,
    Turn,
)

MOST_STEPS: Final = 100_000  # between two decisions or chances: more is a loop that never ends

Act = Callable[[Draft, Frame, tuple[Any, ...]], None]


class Ready:
    """A step made ready: what it does, and the functions of its modifiers."""

    __slots__ = ("act", "by", "each", "order", "step", "times", "where", "when")

    def __init__(self, step: Step, act: Act, evaluator: Evaluator) -> None:
        def maybe(expr: Expr | None) -> Run | None:
            return None if expr is None else evaluator.run(expr)

        self.step = step
        self.act = act
        self.when = maybe(step.when)
        self.each = None if step.each is None else evaluator.elements(step.each.over)
        self.where = None if step.each is None else maybe(step.each.where)
        self.order = maybe(step.order)
        self.times = maybe(step.times)
        self.by = maybe(step.by)


class Machine:
    """Carries out the steps of one rule model."""

    def __init__(self, rules: Rules, evaluator: Evaluator, legality: Legality, layout: Layout) -> None:
        self.rules = rules
        self.evaluator = evaluator
        self.legality = legality
        self.layout = layout
        self.blocks = [
            [Ready(step, self._act(step, number, at), evaluator) for at, step in enumerate(block.steps)]
            for number, block in enumerate(rules.blocks)
        ]
        self.refills = layout.refills
        self.invariants = {
            when: [(one, evaluator.run(one.is_)) for one in rules.invariants if one.after == when]
            for when in ("step", "turn", "round")
        }
        self.resets = {
            when: [one for one in rules.states.values() if one.resets == when] for when in ("turn", "round")
        }

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
            if steps > MOST_STEPS:
                raise RuleFault(self._where(top), None, f"{MOST_STEPS} steps without a decision or chance")
            match top:
                case Frame():
                    self._frame(d, top)
                case Draw():
                    self._draw(d, top)
                case Together():
                    self._together(d, top)

    def _where(self, top: Any) -> str:
        return self.rules.blocks[top.block].address if not isinstance(top, Draw) else "refill"

    def _frame(self, d: Draft, frame: Frame) -> None:
        if d.touched:
            d.touched = False
            if self.refills and self._refill(d):
                return
        block = self.blocks[frame.block]
        if frame.at == len(block):
            d.stack.pop()
            self._ended(d, frame)
            return
        ready = block[frame.at]
        if ready.each is None and ready.times is None:
            d.stack[-1] = frame._replace(at=frame.at + 1)
            self._once(d, ready, frame, frame.env)
            return
        if frame.todo is None:
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
            return (0,) * max(0, ready.times(c))
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
            values *= max(0, ready.times(c))
        return tuple(values)

    def _once(self, d: Draft, ready: Ready, frame: Frame, env: tuple[Any, ...]) -> None:
        if ready.when is not None and not ready.when(d.at(frame.seat, env)):
            return
        try:
            ready.act(d, frame, env)
        except Impossible as fault:
            raise RuleFault(ready.step.address, ready.step.span, str(fault)) from None
        if self.invariants["step"]:
            self._check(d, "step", frame.seat)

    def _refill(self, d: Draft) -> bool:
        waiting = [
            Draw(source, to, room - have, bottom=False, random=False)
            for to, source, room in self.refills
            if (have := len(d.contents[to])) < room and _size(d.contents[source])
        ]
        d.stack.extend(reversed(waiting))
        return bool(waiting)

    # ---- ends of blocks -----------------------------------------------------------------------------------

    def _ended(self, d: Draft, frame: Frame) -> None:
        rules = self.rules
        if frame.block == rules.turn:
            self._check(d, "turn", frame.seat)
            if d.extra:
                seat, d.extra = d.extra[0], d.extra[1:]
                self.begin_turn(d, seat)
        elif frame.block == rules.setup and not d.stack:
            self._begin_round(d)
        elif frame.block == rules.round and not d.stack:
            self._check(d, "round", -1)
            if d.ending:
                self._finale(d)
            else:
                self._begin_round(d)

    def _begin_round(self, d: Draft) -> None:
        d.round += 1
        self._reset(d, "round")
        d.stack.append(Frame(self.rules.round, 0, (), None, -1))

    def begin_turn(self, d: Draft, seat: int) -> None:
        """A seat's turn begins."""
        d.turns += 1
        self._reset(d, "turn")
        d.stack.append(Frame(self.rules.turn, 0, (), None, seat))

    def _reset(self, d: Draft, when: str) -> None:
        for one in self.resets[when]:
            d.variables[one.first : one.first + one.size] = self.layout.variables[one.first : one.first + one.size]
        d.changed()

    def _finale(self, d: Draft) -> None:
        d.stack.clear()
        d.ending = True
        d.stack.append(Frame(self.rules.finale, 0, (), None, -1))

    def _check(self, d: Draft, when: str, seat: int) -> None:
        for invariant, holds in self.invariants[when]:
            if not holds(d.at(seat, ())):
                raise RuleFault(invariant.address, invariant.span, f"does not hold after this {when}")

    # ---- chance -------------------------------------------------------------------------------------------

    def _draw(self, d: Draft, draw: Draw) -> None:
        content = d.contents[draw.source]
        left = min(draw.left, _size(content))
        if left <= 0:
            d.stack.pop()
            return
        zone = d.sight.zone_of[draw.source]
        if zone.pooled:
            outcomes = tuple([(member, count) for member, count in enumerate(content) if count])
        elif not draw.random:
            if not zone.shuffled:
                self._drawn(d, content[-1])  # as on a pile: the last to arrive lies on top
                return
            if content.top or not content.loose:
                self._drawn(d, (content.top or content.bottom)[0])
                return
            outcomes = tuple([(thing, 1) for thing in content.loose])
        else:
            outcomes = tuple([(thing, 1) for thing in (content.things if zone.shuffled else content)])
        if len(outcomes) == 1:
            self._drawn(d, outcomes[0][0])
        else:
            d.waiting = Chance("draw", draw.source, outcomes)

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
                d.move_thing(component, value, draw.source, draw.to, bottom=draw.bottom)
        except Impossible as fault:
            raise RuleFault(f"zones.{d.sight.zone_of[draw.to].name}", None, str(fault)) from None

    def feed(self, d: Draft, value: int) -> None:
        """Chance has spoken."""
        waiting, d.waiting = d.waiting, None
        assert isinstance(waiting, Chance)
        if waiting.kind == "draw":
            self._drawn(d, value)
        else:
            d.variables[waiting.where] = value
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
            self._begin(d, action, decision.seat)

    def _begin(self, d: Draft, action: Action, seat: int) -> None:
        definition = self.rules.actions[action.number]
        d.stack.append(Frame(definition.block, 0, action.values, None, seat))

    def _together(self, d: Draft, top: Together) -> None:
        if top.waiting:
            seat = top.waiting[0]
            if self.legality.some(d.at(seat, ()), top.block, top.at, 1):
                d.waiting = Decision(seat, top.block, top.at)
            else:
                d.stack[-1] = top._replace(waiting=top.waiting[1:])
            return
        d.stack.pop()
        for seat, action in reversed(top.chosen):
            self._begin(d, action, seat)

    # ---- verbs --------------------------------------------------------------------------------------------

    def _act(self, step: Step, block: int, at: int) -> Act:
        match step.effect:
            case Move() as move:
                return self._move(move)
            case Set() as set_:
                return self._set(set_)
            case Roll() as roll:
                return self._roll(roll)
            case Reveal() as reveal:
                return self._reveal(reveal)
            case Choose(how="together"):
                return self._choose_together(step, block, at)
            case Choose() as choose:
                return self._choose(choose, step, block, at)
            case Turn(seat=seat, extra=extra):
                return self._turn(self.evaluator.run(seat), extra)
            case Finish() as finish:
                return self._finish(finish)
            case RunSteps(block=inner, fresh=True):
                return lambda d, frame, env: d.stack.append(Frame(inner, 0, (), None, frame.seat))
            case RunSteps(block=inner):
                return lambda d, frame, env: d.stack.append(Frame(inner, 0, env, None, frame.seat))
            case _:
                assert_never(step.effect)

    def _move(self, move: Move) -> Act:
        evaluator, rules = self.evaluator, self.rules
        zone = rules.zones[move.to.zone]
        to_of, bottom = evaluator.place(zone, move.to.keys), move.to.bottom
        amount = move.amount
        source = move.source
        from_of = None if source is None else evaluator.places(rules.zones[source.zone], source.keys)
        what = None if amount.of is None else evaluator.run(amount.of)
        if amount.how in ("top", "random", "up to random"):
            strict = amount.how == "random"

            def draw(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
                c = d.at(frame.seat, env)
                count = 1 if what is None else what(c)
                assert from_of is not None
                (place,) = from_of(c)
                if strict and count > _size(d.contents[place]):
                    raise Impossible(f"draws {count} of {_size(d.contents[place])}")
                d.stack.append(Draw(place, to_of(c), count, bottom, amount.how != "top"))

            return draw
        if zone.pooled:
            return self._move_pieces(move, to_of, from_of, what)
        assert isinstance(zone.holds, Thing)
        component = rules.components[zone.holds.component]
        lone = amount.of is not None and isinstance(amount.of.type, Thing)
        elements = None if amount.of is None or lone else evaluator.elements(amount.of)

        def move_things(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.at(frame.seat, env)
            places = None if from_of is None else from_of(c)
            if elements is not None:
                things = elements(c)
            elif what is not None:
                things = (what(c),)
            else:
                assert places is not None
                things = tuple([thing for place in places for thing in _things(d.contents[place])])
            to = to_of(c)
            for thing in things:
                at = d.find(component, thing)
                if places is not None and at not in places:
                    if amount.how == "up to":
                        continue
                    raise Impossible(f"takes {component.ids[thing]} from where it does not lie")
                d.move_thing(component, thing, at, to, bottom=bottom)

        return move_things

    def _move_pieces(self, move: Move, to_of: Run, from_of: Run | None, what: Run | None) -> Act:
        amount = move.amount
        assert from_of is not None
        single: Run | None = None
        if amount.of is not None and not isinstance(amount.of.type, Bag):
            single = self.evaluator.elements(amount.of) if isinstance(amount.of.type, SetOf) else None
        position = self.evaluator.position_in(move.to.zone)

        def move_pieces(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.at(frame.seat, env)
            to = to_of(c)
            for place in from_of(c):
                held = d.contents[place]
                if what is None:
                    bag = held
                elif single is not None or not isinstance(amount.of.type, Bag):  # type: ignore[union-attr]  # what is not None
                    members = single(c) if single is not None else (what(c),)
                    counts = [0] * len(held)
                    for member in members:
                        counts[position[member]] += 1
                    bag = tuple(counts)
                else:
                    bag = what(c)
                if amount.how == "up to":
                    bag = tuple(map(min, bag, held))
                d.move_pieces(bag, place, to)

        return move_pieces

    def _set(self, effect: Set) -> Act:
        definition = self.rules.states[effect.target.name]
        place, to = self.evaluator.place(definition, effect.target.keys), self.evaluator.run(effect.to)
        type_ = definition.type
        low, high = getattr(type_, "low", None), getattr(type_, "high", None)

        def set_(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.at(frame.seat, env)
            value = to(c)
            if low is not None and high is not None and not low <= value <= high:
                raise Impossible(f"sets {definition.name} to {value}, which must be {low} to {high}")
            d.variables[place(c)] = value
            d.changed()

        return set_

    def _roll(self, effect: Roll) -> Act:
        place = self.evaluator.place(self.rules.states[effect.target.name], effect.target.keys)

        def roll(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            d.waiting = Chance("roll", place(d.at(frame.seat, env)), effect.outcomes)

        return roll

    def _reveal(self, effect: Reveal) -> Act:
        of = effect.what.type
        component = of.component if isinstance(of, Thing) else of.of.component  # type: ignore[union-attr]  # checked
        first = self.rules.components[component].first
        things = self.evaluator.run(effect.what) if isinstance(of, Thing) else self.evaluator.elements(effect.what)
        lone = isinstance(of, Thing)
        to = None if effect.to is None else self.evaluator.run(effect.to)
        many = effect.to is not None and isinstance(effect.to.type, SetOf)

        def reveal(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.at(frame.seat, env)
            shown = (things(c),) if lone else things(c)
            viewers = range(d.sight.viewers) if to is None else to(c) if many else (to(c),)
            d.knowledge.reveal([first + thing for thing in shown], viewers)

        return reveal

    def _choose(self, effect: Choose, step: Step, block: int, at: int) -> Act:
        by = None if step.by is None else self.evaluator.run(step.by)

        def choose(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            seat = frame.seat if by is None else by(d.at(frame.seat, env))
            found = self.legality.some(d.at(seat, ()), block, at, 2 if effect.automatic else 1)
            if found and effect.automatic and len(found) == 1 and effect.how == "must":
                self._begin(d, found[0], seat)
            elif found or isinstance(effect.otherwise, int):
                d.waiting = Decision(seat, block, at)  # an action that stands in for missing ones is a decision too
            elif effect.how == "must" and effect.otherwise is None:
                raise Impossible("must be answered, but no action is legal")

        return choose

    def _choose_together(self, step: Step, block: int, at: int) -> Act:
        by = None if step.by is None else self.evaluator.run(step.by)
        lone = step.by is not None and not isinstance(step.by.type, SetOf)

        def choose(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            seats = range(self.rules.players) if by is None else by(d.at(frame.seat, env))
            order = sorted((seats,) if lone else seats, key=lambda seat: (seat - d.first) % self.rules.players)
            d.stack.append(Together(block, at, env, frame.seat, tuple(order), ()))

        return choose

    def _turn(self, seat: Run, extra: bool) -> Act:
        def turn(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            who = seat(d.at(frame.seat, env))
            if extra:
                d.extra = (*d.extra, who)
            else:
                self.begin_turn(d, who)

        return turn

    def _finish(self, effect: Finish) -> Act:
        winners = None if effect.winners is None else self.evaluator.run(effect.winners)
        lone = effect.winners is not None and not isinstance(effect.winners.type, SetOf)

        def finish(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            if winners is not None:
                named = winners(d.at(frame.seat, env))
                d.winners = (named,) if lone else tuple(sorted(named))
            if effect.when == "round":
                d.ending = True
            else:
                self._finale(d)

        return finish


def _size(content: Any) -> int:
    return len(content.things) if isinstance(content, Pile) else len(content)


def _things(content: Any) -> tuple[int, ...]:
    return content.things if isinstance(content, Pile) else content
