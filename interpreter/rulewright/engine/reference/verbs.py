"""The verbs of steps: what `move`, `set`, `roll`, `reveal`, `must`, `turn` and the others do to a position.

In: steps of the rule model. Out: for each a function of a draft, the frame it runs in and the variables bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.faults import NO_OPTION_MESSAGE, StepFault
from rulewright.engine.places import CompiledExpr
from rulewright.engine.reference.game_flow import GameFlow
from rulewright.engine.reference.legal_actions import ActionGenerator
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.state import ChanceEvent, Decision, Draw, Frame, SimultaneousChoice
from rulewright.engine.values import Context, Pile
from rulewright.expr.types import Bag, SetOf, Thing
from rulewright.model.rules import (
    Choose,
    Finish,
    GiveTurn,
    Leave,
    Move,
    Reveal,
    Roll,
    Rules,
    SetState,
    Step,
)
from rulewright.model.rules import (
    RunSteps as RunSteps,
)

CompiledEffect = Callable[[MutableState, Frame, tuple[Any, ...]], None]


class EffectCompiler:
    """Makes the functions of one rule model's steps."""

    def __init__(self, rules: Rules, evaluator: ExprCompiler, legality: ActionGenerator, flow: GameFlow) -> None:
        self.rules = rules
        self.compiler = evaluator
        self.action_generator = legality
        self.game_flow = flow
        self.elimination = evaluator.elimination

    def compile(self, step: Step, block: int, step_index: int) -> CompiledEffect:
        """The function that carries out a step; `block` and `at` say where the step stands."""
        match step.effect:
            case Move() as move:
                return self._move(move)
            case SetState() as set_:
                return self._set(set_)
            case Roll() as roll:
                return self._roll(roll)
            case Reveal() as reveal:
                return self._reveal(reveal)
            case Choose(mode="together"):
                return self._choose_together(step, block, step_index)
            case Choose() as choose:
                return self._choose(choose, step, block, step_index)
            case GiveTurn(seat=seat, is_extra=extra):
                return self._turn(self.compiler.compile(seat), extra)
            case Finish() as finish:
                return self._finish(finish, block, step_index)
            case Leave() as leave:
                return self._leave(leave)
            case RunSteps(block=inner, is_procedure=True):
                return lambda d, frame, env: d.stack.append(Frame(inner, 0, (), None, frame.seat))
            case RunSteps(block=inner):
                return lambda d, frame, env: d.stack.append(Frame(inner, 0, env, None, frame.seat))
            case _:
                assert_never(step.effect)

    def _move(self, move: Move) -> CompiledEffect:
        evaluator, rules = self.compiler, self.rules
        zone = rules.zones[move.to.zone]
        to_of, bottom = evaluator.compile_place(zone, move.to.keys), move.to.is_bottom
        amount = move.amount
        source = move.source
        from_of = None if source is None else evaluator.compile_places(rules.zones[source.zone], source.keys)
        what = None if amount.of is None else evaluator.compile(amount.of)
        if amount.mode in ("top", "random", "up to random"):
            strict = amount.mode == "random"

            def draw(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
                c = d.context_for(frame.seat, env)
                count = 1 if what is None else what(c)
                assert from_of is not None
                (place,) = from_of(c)
                if strict and count > d.content_size(place):
                    raise StepFault(f"draws {count} of {d.content_size(place)}")
                d.stack.append(Draw(place, to_of(c), count, bottom, amount.mode != "top"))

            return draw
        if zone.is_pool:
            return self._move_pieces(move, to_of, from_of, what)
        assert isinstance(zone.content_type, Thing)
        component = rules.components[zone.content_type.component]
        lone = amount.of is not None and isinstance(amount.of.type, Thing)
        elements = None if amount.of is None or lone else evaluator.compile_elements(amount.of)

        def move_things(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.context_for(frame.seat, env)
            places = None if from_of is None else from_of(c)
            if elements is not None:
                things = elements(c)
            elif what is not None:
                things = (what(c),)
            else:
                assert places is not None
                things = tuple([thing for place in places for thing in content_things(d.contents[place])])
            to = to_of(c)
            for thing in things:
                at = d.find_thing(component, thing)
                if places is not None and at not in places:
                    if amount.mode == "up to":
                        continue
                    raise StepFault(f"takes {component.ids[thing]} from where it does not lie")
                d.move_thing(component, thing, at, to, to_bottom=bottom, is_identifiable=amount.mode == "all")

        return move_things

    def _move_pieces(
        self, move: Move, to_of: CompiledExpr, from_of: CompiledExpr | None, what: CompiledExpr | None
    ) -> CompiledEffect:
        amount = move.amount
        assert from_of is not None
        single: CompiledExpr | None = None
        if amount.of is not None and not isinstance(amount.of.type, Bag):
            single = self.compiler.compile_elements(amount.of) if isinstance(amount.of.type, SetOf) else None
        position = self.compiler.zone_bag_index(move.to.zone)
        of_bag = single is None and amount.of is not None and isinstance(amount.of.type, Bag)

        def move_pieces(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.context_for(frame.seat, env)
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
                if amount.mode == "up to":
                    bag = tuple(map(min, bag, held))
                d.move_pieces(bag, place, to)

        return move_pieces

    def _set(self, effect: SetState) -> CompiledEffect:
        definition = self.rules.states[effect.target.name]
        place, to = self.compiler.compile_place(definition, effect.target.keys), self.compiler.compile(effect.to)
        type_ = definition.type
        low, high = getattr(type_, "low", None), getattr(type_, "high", None)

        def set_(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.context_for(frame.seat, env)
            value = to(c)
            if low is not None and high is not None and not low <= value <= high:
                raise StepFault(f"sets {definition.name} to {value}, which must be {low} to {high}")
            d.variables[place(c)] = value
            d.invalidate_memo()

        return set_

    def _roll(self, effect: Roll) -> CompiledEffect:
        place = self.compiler.compile_place(self.rules.states[effect.target.name], effect.target.keys)

        def roll(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            d.waiting = ChanceEvent("roll", place(d.context_for(frame.seat, env)), effect.outcomes)

        return roll

    def _reveal(self, effect: Reveal) -> CompiledEffect:
        of = effect.what.type
        one = of.element if isinstance(of, SetOf) else of
        assert isinstance(one, Thing)
        first = self.rules.components[one.component].first_index
        things = (
            self.compiler.compile(effect.what) if isinstance(of, Thing) else self.compiler.compile_elements(effect.what)
        )
        lone = isinstance(of, Thing)
        to = None if effect.to is None else self.compiler.compile(effect.to)
        many = effect.to is not None and isinstance(effect.to.type, SetOf)

        def reveal(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            c = d.context_for(frame.seat, env)
            shown = (things(c),) if lone else things(c)
            viewers = range(d.visibility.viewer_count) if to is None else to(c) if many else (to(c),)
            d.knowledge.reveal([first + thing for thing in shown], viewers)

        return reveal

    def _choose(self, effect: Choose, step: Step, block: int, at: int) -> CompiledEffect:
        by = None if step.by is None else self.compiler.compile(step.by)
        departures = self.elimination

        def choose(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            seat = frame.seat if by is None else by(d.context_for(frame.seat, env))
            if departures.is_eliminated(d.variables, seat):
                return
            found = self.action_generator.offered_actions(
                d.context_for(seat, ()), block, at, 2 if effect.is_automatic else 1
            )
            if found and effect.is_automatic and len(found) == 1 and effect.mode == "must":
                self.game_flow.begin_action(d, found[0], seat)
            elif found or self._stands_in(effect, d.context_for(seat, ())):
                d.waiting = Decision(seat, block, at)  # an action that stands in for missing ones is a decision too
            elif effect.mode == "must" and effect.fallback != "nothing":
                raise StepFault(NO_OPTION_MESSAGE)

        return choose

    def _stands_in(self, effect: Choose, c: Context) -> bool:
        if not isinstance(effect.fallback, int):
            return False
        return next(self.action_generator.actions[effect.fallback].all_values(c), None) is not None

    def _choose_together(self, step: Step, block: int, at: int) -> CompiledEffect:
        by = None if step.by is None else self.compiler.compile(step.by)
        lone, departures = step.by is not None and not isinstance(step.by.type, SetOf), self.elimination

        def choose(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            seats: Any = range(self.rules.players) if by is None else by(d.context_for(frame.seat, env))
            asked = departures.remaining_seats(d.variables, (seats,) if lone else tuple(seats))
            order = sorted(asked, key=lambda seat: (seat - d.first_seat) % self.rules.players)
            d.stack.append(SimultaneousChoice(block, at, env, frame.seat, tuple(order), ()))

        return choose

    def _turn(self, seat: CompiledExpr, extra: bool) -> CompiledEffect:
        departures = self.elimination

        def turn(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            who = seat(d.context_for(frame.seat, env))
            if departures.is_eliminated(d.variables, who):
                return
            if extra:
                d.extra_turns = (*d.extra_turns, who)
            else:
                self.game_flow.begin_turn(d, who)

        return turn

    def _finish(self, effect: Finish, block: int, at: int) -> CompiledEffect:
        winners = None if effect.winners is None else self.compiler.compile(effect.winners)
        lone = effect.winners is not None and not isinstance(effect.winners.type, SetOf)

        def finish(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            if winners is not None:
                named = winners(d.context_for(frame.seat, env))
                d.winners = (named,) if lone else tuple(sorted(named))
            if not d.ending or effect.when != "round":  # of several that end the round the first has done it
                d.end_frame = Frame(block, at, env, None, frame.seat)
            if self._in_finale(d):
                d.stack.clear()  # after the end there is no other end
            elif effect.when == "round":
                d.ending = True
            else:
                self.game_flow.begin_finale(d)

        return finish

    def _in_finale(self, d: MutableState) -> bool:
        return any(isinstance(entry, Frame) and entry.block == self.rules.finale for entry in d.stack)

    def _leave(self, effect: Leave) -> CompiledEffect:
        seats, departures = self.compiler.compile(effect.seats), self.elimination
        lone, everybody = not isinstance(effect.seats.type, SetOf), tuple(range(self.rules.players))

        def leave(d: MutableState, frame: Frame, env: tuple[Any, ...]) -> None:
            named = seats(d.context_for(frame.seat, env))
            if not departures.eliminate(d.variables, (named,) if lone else named):
                return
            d.invalidate_memo()
            if not departures.remaining_seats(d.variables, everybody) and not self._in_finale(d):
                self.game_flow.begin_finale(d)  # nobody is left to play

        return leave


def content_things(content: Any) -> tuple[int, ...]:
    """The things that lie in a place."""
    return content.things if isinstance(content, Pile) else content
