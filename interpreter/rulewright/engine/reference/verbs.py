"""The verbs of steps: what `move`, `set`, `roll`, `reveal`, `must`, `turn` and the others do to a position.

In: steps of the rule model. Out: for each a function of a draft, the frame it runs in and the variables bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rulewright.engine.evaluator import Evaluator
from rulewright.engine.faults import NO_OPTION, Impossible
from rulewright.engine.places import Run
from rulewright.engine.reference.game_flow import Flow
from rulewright.engine.reference.legal_actions import Legality
from rulewright.engine.reference.mutable_state import Draft
from rulewright.engine.state import Chance, Decision, Draw, Frame, Together
from rulewright.engine.values import Context, Pile
from rulewright.expr.types import Bag, SetOf, Thing
from rulewright.model.rules import (
    Choose,
    Finish,
    Leave,
    Move,
    Reveal,
    Roll,
    Rules,
    Set,
    Step,
    Turn,
)
from rulewright.model.rules import (
    Run as RunSteps,
)

Act = Callable[[Draft, Frame, tuple[Any, ...]], None]


class Verbs:
    """Makes the functions of one rule model's steps."""

    def __init__(self, rules: Rules, evaluator: Evaluator, legality: Legality, flow: Flow) -> None:
        self.rules = rules
        self.evaluator = evaluator
        self.legality = legality
        self.flow = flow
        self.departures = evaluator.departures

    def act(self, step: Step, block: int, at: int) -> Act:
        """The function that carries out a step; `block` and `at` say where the step stands."""
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
                return self._finish(finish, block, at)
            case Leave() as leave:
                return self._leave(leave)
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
                if strict and count > d.size(place):
                    raise Impossible(f"draws {count} of {d.size(place)}")
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
                things = tuple([thing for place in places for thing in things_in(d.contents[place])])
            to = to_of(c)
            for thing in things:
                at = d.find(component, thing)
                if places is not None and at not in places:
                    if amount.how == "up to":
                        continue
                    raise Impossible(f"takes {component.ids[thing]} from where it does not lie")
                d.move_thing(component, thing, at, to, bottom=bottom, plain=amount.how == "all")

        return move_things

    def _move_pieces(self, move: Move, to_of: Run, from_of: Run | None, what: Run | None) -> Act:
        amount = move.amount
        assert from_of is not None
        single: Run | None = None
        if amount.of is not None and not isinstance(amount.of.type, Bag):
            single = self.evaluator.elements(amount.of) if isinstance(amount.of.type, SetOf) else None
        position = self.evaluator.position_in(move.to.zone)
        of_bag = single is None and amount.of is not None and isinstance(amount.of.type, Bag)

        def move_pieces(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.at(frame.seat, env)
            to = to_of(c)
            for place in from_of(c):
                held = d.contents[place]
                if what is None:
                    bag = held
                elif not of_bag:
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
        one = of.of if isinstance(of, SetOf) else of
        assert isinstance(one, Thing)
        first = self.rules.components[one.component].first
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
        departures = self.departures

        def choose(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            seat = frame.seat if by is None else by(d.at(frame.seat, env))
            if departures.gone(d.variables, seat):
                return
            found = self.legality.some(d.at(seat, ()), block, at, 2 if effect.automatic else 1)
            if found and effect.automatic and len(found) == 1 and effect.how == "must":
                self.flow.begin(d, found[0], seat)
            elif found or self._stands_in(effect, d.at(seat, ())):
                d.waiting = Decision(seat, block, at)  # an action that stands in for missing ones is a decision too
            elif effect.how == "must" and effect.otherwise != "nothing":
                raise Impossible(NO_OPTION)

        return choose

    def _stands_in(self, effect: Choose, c: Context) -> bool:
        if not isinstance(effect.otherwise, int):
            return False
        return next(self.legality.plans[effect.otherwise].all(c), None) is not None

    def _choose_together(self, step: Step, block: int, at: int) -> Act:
        by = None if step.by is None else self.evaluator.run(step.by)
        lone, departures = step.by is not None and not isinstance(step.by.type, SetOf), self.departures

        def choose(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            seats: Any = range(self.rules.players) if by is None else by(d.at(frame.seat, env))
            asked = departures.still_in(d.variables, (seats,) if lone else tuple(seats))
            order = sorted(asked, key=lambda seat: (seat - d.first) % self.rules.players)
            d.stack.append(Together(block, at, env, frame.seat, tuple(order), ()))

        return choose

    def _turn(self, seat: Run, extra: bool) -> Act:
        departures = self.departures

        def turn(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            who = seat(d.at(frame.seat, env))
            if departures.gone(d.variables, who):
                return
            if extra:
                d.extra = (*d.extra, who)
            else:
                self.flow.begin_turn(d, who)

        return turn

    def _finish(self, effect: Finish, block: int, at: int) -> Act:
        winners = None if effect.winners is None else self.evaluator.run(effect.winners)
        lone = effect.winners is not None and not isinstance(effect.winners.type, SetOf)

        def finish(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            if winners is not None:
                named = winners(d.at(frame.seat, env))
                d.winners = (named,) if lone else tuple(sorted(named))
            if not d.ending or effect.when != "round":  # of several that end the round the first has done it
                d.ended = Frame(block, at, env, None, frame.seat)
            if self._in_finale(d):
                d.stack.clear()  # after the end there is no other end
            elif effect.when == "round":
                d.ending = True
            else:
                self.flow.finale(d)

        return finish

    def _in_finale(self, d: Draft) -> bool:
        return any(isinstance(entry, Frame) and entry.block == self.rules.finale for entry in d.stack)

    def _leave(self, effect: Leave) -> Act:
        seats, departures = self.evaluator.run(effect.seats), self.departures
        lone, everybody = not isinstance(effect.seats.type, SetOf), tuple(range(self.rules.players))

        def leave(d: Draft, frame: Frame, env: tuple[Any, ...]) -> None:
            named = seats(d.at(frame.seat, env))
            if not departures.leave(d.variables, (named,) if lone else named):
                return
            d.changed()
            if not departures.still_in(d.variables, everybody) and not self._in_finale(d):
                self.flow.finale(d)  # nobody is left to play

        return leave


def things_in(content: Any) -> tuple[int, ...]:
    """The things that lie in a place."""
    return content.things if isinstance(content, Pile) else content
