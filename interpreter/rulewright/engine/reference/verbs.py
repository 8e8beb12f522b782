"""What steps do: `move`, `set`, `roll`, `reveal`, `must`, `turn` and the others as changes of a position.

In: steps of the rule model. Out: for each a function of a `MutableState`, the frame it runs in and the variables bound.
A function that cannot do what its step asks raises `StepFault`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import NoLegalAction, StepFault
from rulewright.engine.place_compiler import CompiledNumber, CompiledTuple
from rulewright.engine.reference.game_flow import GameFlow
from rulewright.engine.reference.legal_actions import ActionGenerator
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.state import ChanceEvent, Decision, Draw, Frame, SimultaneousChoice
from rulewright.engine.values import RuntimeValue, content_things
from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag, Number, SetOf, Thing
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import Rules, StateDef

Bindings: TypeAlias = tuple[RuntimeValue, ...]  # the variables bound around a step, by slot
CompiledEffect: TypeAlias = Callable[[MutableState, Frame, Bindings], None]


class EffectCompiler:
    """Makes the functions of one rule model's steps."""

    def __init__(
        self, rules: Rules, compiler: ExprCompiler, action_generator: ActionGenerator, game_flow: GameFlow
    ) -> None:
        self.rules = rules
        self.compiler = compiler
        self.action_generator = action_generator
        self.game_flow = game_flow
        self.elimination = compiler.elimination

    def compile(self, step: Step, block_index: int, step_index: int) -> CompiledEffect:
        """The function that carries out a step; the indexes say where the step is in the rules."""
        match step.effect:
            case Move() as move:
                return self._move(move)
            case SetState() as set_state:
                return self._set(set_state)
            case Roll() as roll:
                return self._roll(roll)
            case Reveal() as reveal:
                return self._reveal(reveal)
            case Choose(mode="together"):
                return self._choose_together(step, block_index, step_index)
            case Choose() as choose:
                return self._choose(choose, step, block_index, step_index)
            case GiveTurn(seat=seat, is_extra=is_extra):
                return self._give_turn(self.compiler.compile_number(seat), is_extra)
            case Finish() as finish:
                return self._finish(finish, block_index, step_index)
            case Leave() as leave:
                return self._leave(leave)
            case RunSteps(block=inner, is_procedure=True, arguments=arguments):
                return self._run(inner, arguments)
            case RunSteps(block=inner):
                return self._do(inner)
            case _:
                assert_never(step.effect)

    def _run(self, block: int, arguments: tuple[Expr, ...]) -> CompiledEffect:
        """A procedure: its first variables are the values of its arguments where it is called."""
        values_of = tuple(map(self.compiler.compile, arguments))

        def run(d: MutableState, frame: Frame, env: Bindings) -> None:
            c = d.context_for(frame.seat, env) if values_of else None
            given = () if c is None else tuple([value_of(c) for value_of in values_of])
            d.stack.append(Frame(block, 0, given, None, frame.seat))

        return run

    def _do(self, block: int) -> CompiledEffect:
        game_flow = self.game_flow

        def do(d: MutableState, frame: Frame, env: Bindings) -> None:
            game_flow.reset_block(d, block)  # a game that ended inside of it has left its variables as they were
            d.stack.append(Frame(block, 0, env, None, frame.seat))

        return do

    # ---- moves --------------------------------------------------------------------------------------------

    def _move(self, move: Move) -> CompiledEffect:
        compiler, zone = self.compiler, self.rules.zones[move.to.zone]
        to_of = compiler.compile_place(zone, move.to.keys)
        source = move.source
        sources_of = None if source is None else compiler.compile_places(self.rules.zones[source.zone], source.keys)
        if move.amount.mode in ("top", "random", "up to random"):
            assert sources_of is not None
            return self._draw(move, to_of, sources_of)
        if zone.is_pool:
            assert sources_of is not None
            return self._move_pieces(move, to_of, sources_of)
        assert isinstance(zone.content_type, Thing)
        return self._move_things(move, zone.content_type, to_of, sources_of)

    def _draw(self, move: Move, to_of: CompiledNumber, sources_of: CompiledTuple) -> CompiledEffect:
        count_of = None if move.amount.of is None else self.compiler.compile_number(move.amount.of)
        mode, end = move.amount.mode, move.to.end

        def draw(d: MutableState, frame: Frame, env: Bindings) -> None:
            c = d.context_for(frame.seat, env)
            count = 1 if count_of is None else count_of(c)
            (place,) = sources_of(c)
            if mode == "random" and count > d.content_size(place):
                message = f"draws {count} from {d.place_text(place)}, which holds {d.content_size(place) or 'nothing'}"
                raise StepFault(message, "move", d.zone_name(place))
            d.stack.append(Draw(place, to_of(c), count, mode != "top", end))

        return draw

    def _move_things(
        self, move: Move, type_: Thing, to_of: CompiledNumber, sources_of: CompiledTuple | None
    ) -> CompiledEffect:
        amount, component = move.amount, self.rules.components[type_.component]
        end, is_all = move.to.end, amount.mode == "all"
        things_of: CompiledTuple | None = None
        if amount.of is not None:
            is_single, compiler = isinstance(amount.of.type, Thing), self.compiler
            things_of = (compiler.compile_single if is_single else compiler.compile_elements)(amount.of)

        def move_things(d: MutableState, frame: Frame, env: Bindings) -> None:
            c = d.context_for(frame.seat, env)
            sources = None if sources_of is None else sources_of(c)
            if things_of is not None:
                things = things_of(c)
            else:
                assert sources is not None
                things = tuple([thing for place in sources for thing in content_things(d.contents[place])])
            to = to_of(c)
            for thing in things:
                place = d.find_thing(component, thing)
                if sources is not None and place not in sources:
                    if amount.mode == "up to":
                        continue
                    raise StepFault(f"takes {component.ids[thing]} from a place where it is not", "move")
                d.move_thing(component, thing, place, to, end=end, is_identifiable=is_all)

        return move_things

    def _move_pieces(self, move: Move, to_of: CompiledNumber, sources_of: CompiledTuple) -> CompiledEffect:
        amount = move.amount
        bag_of: CompiledTuple | None = None  # what is taken: this bag, one of each of these members, or everything
        members_of: CompiledTuple | None = None
        if amount.of is not None:
            if isinstance(amount.of.type, Bag):
                bag_of = self.compiler.compile_tuple(amount.of)
            else:
                members_of = self.compiler.compile_one_or_all(amount.of)
        index_of = self.compiler.zone_bag_index(move.to.zone)

        def move_pieces(d: MutableState, frame: Frame, env: Bindings) -> None:
            c = d.context_for(frame.seat, env)
            to = to_of(c)
            for place in sources_of(c):
                available = d.bag(place)
                if bag_of is not None:
                    bag = bag_of(c)
                elif members_of is not None:
                    counts = [0] * len(available)
                    for member in members_of(c):
                        counts[index_of[member]] += 1
                    bag = tuple(counts)
                else:
                    bag = available
                if amount.mode == "up to":
                    bag = tuple(map(min, bag, available))
                d.move_pieces(bag, place, to)

        return move_pieces

    # ---- state, chance, reveals ---------------------------------------------------------------------------

    def _set(self, effect: SetState) -> CompiledEffect:
        definition = self.rules.states[effect.target.name]
        variable_of = self.compiler.compile_place(definition, effect.target.keys)
        if isinstance(definition.type, Number):
            return self._set_number(effect, variable_of, definition, definition.type)
        value_of = self.compiler.compile(effect.to)

        def set_value(d: MutableState, frame: Frame, env: Bindings) -> None:
            c = d.context_for(frame.seat, env)
            value = value_of(c)
            d.set_variable(variable_of(c), value)

        return set_value

    def _set_number(
        self, effect: SetState, variable_of: CompiledNumber, state: StateDef, type_: Number
    ) -> CompiledEffect:
        value_of, low, high = self.compiler.compile_number(effect.to), type_.low, type_.high

        def set_number(d: MutableState, frame: Frame, env: Bindings) -> None:
            c = d.context_for(frame.seat, env)
            value = value_of(c)
            if not low <= value <= high:
                name = d.state_text(state, variable_of(c))
                raise StepFault(f"sets {name} to {value}, outside of {low} to {high}", "to", state.name)
            d.set_variable(variable_of(c), value)

        return set_number

    def _roll(self, effect: Roll) -> CompiledEffect:
        variable_of = self.compiler.compile_place(self.rules.states[effect.target.name], effect.target.keys)

        def roll(d: MutableState, frame: Frame, env: Bindings) -> None:
            d.waiting = ChanceEvent("roll", variable_of(d.context_for(frame.seat, env)), effect.outcomes)

        return roll

    def _reveal(self, effect: Reveal) -> CompiledEffect:
        type_ = effect.what.type
        element = type_.element if isinstance(type_, SetOf) else type_
        assert isinstance(element, Thing)
        first = self.rules.components[element.component].first_index
        things_of = self.compiler.compile_one_or_all(effect.what)
        viewers_of = None if effect.to is None else self.compiler.compile_one_or_all(effect.to)

        def reveal(d: MutableState, frame: Frame, env: Bindings) -> None:
            c = d.context_for(frame.seat, env)
            things = [first + thing for thing in things_of(c)]
            viewers = range(d.visibility.viewer_count) if viewers_of is None else viewers_of(c)
            d.knowledge.reveal(things, viewers)

        return reveal

    # ---- decisions ----------------------------------------------------------------------------------------

    def _choose(self, effect: Choose, step: Step, block_index: int, step_index: int) -> CompiledEffect:
        seat_of = None if step.by is None else self.compiler.compile_number(step.by)
        elimination = self.elimination

        def choose(d: MutableState, frame: Frame, env: Bindings) -> None:
            seat = frame.seat if seat_of is None else seat_of(d.context_for(frame.seat, env))
            if elimination.is_eliminated(d.variables, seat):
                return
            limit, around = 2 if effect.is_automatic else 1, env if effect.sees_around else ()
            actions = self.action_generator.offered_actions(
                d.context_for(seat, (), around), block_index, step_index, limit
            )
            if len(actions) == 1 and effect.is_automatic and effect.mode == "must":
                self.game_flow.begin_action(d, actions[0], seat)
            elif actions or self._is_fallback_legal(effect, d.context_for(seat, ())):
                # doing the fallback is a decision too
                d.waiting = Decision(seat, block_index, step_index, around=around)
            elif effect.mode == "must" and effect.fallback != "nothing":
                raise NoLegalAction(step.address, step.span)

        return choose

    def _is_fallback_legal(self, effect: Choose, c: Context) -> bool:
        if not isinstance(effect.fallback, int):
            return False
        return next(self.action_generator.actions[effect.fallback].all_values(c), None) is not None

    def _choose_together(self, step: Step, block_index: int, step_index: int) -> CompiledEffect:
        players, elimination = self.rules.players, self.elimination
        seats_of = None if step.by is None else self.compiler.compile_one_or_all(step.by)

        def choose(d: MutableState, frame: Frame, env: Bindings) -> None:
            seats = tuple(range(players)) if seats_of is None else seats_of(d.context_for(frame.seat, env))
            choosers = elimination.remaining_seats(d.variables, seats)
            order = tuple(sorted(choosers, key=lambda seat: (seat - d.first_seat) % players))
            d.stack.append(SimultaneousChoice(block_index, step_index, env, frame.seat, order, ()))

        return choose

    # ---- turns and ends -----------------------------------------------------------------------------------

    def _give_turn(self, seat_of: CompiledNumber, is_extra: bool) -> CompiledEffect:
        elimination = self.elimination

        def give_turn(d: MutableState, frame: Frame, env: Bindings) -> None:
            seat = seat_of(d.context_for(frame.seat, env))
            if elimination.is_eliminated(d.variables, seat):
                return
            if is_extra:
                if len(d.extra_turns) >= limits.MAX_WAITING_TURNS:
                    raise StepFault(f"grants a turn while {limits.MAX_WAITING_TURNS} others wait")
                d.extra_turns = (*d.extra_turns, seat)
            else:
                self.game_flow.begin_turn(d, seat)

        return give_turn

    def _finish(self, effect: Finish, block_index: int, step_index: int) -> CompiledEffect:
        winners_of = None if effect.winners is None else self.compiler.compile_one_or_all(effect.winners)

        def finish(d: MutableState, frame: Frame, env: Bindings) -> None:
            if winners_of is not None:
                d.winners = tuple(sorted(winners_of(d.context_for(frame.seat, env))))
            if (
                not d.ending or effect.when != "after_round"
            ):  # of several steps that end the round the first has ended it
                d.end_frame = Frame(block_index, step_index, env, None, frame.seat)
            if self._is_in_finale(d):
                d.stack.clear()  # after the end there is no other end
            elif effect.when == "after_round":
                d.ending = True
            else:
                self.game_flow.begin_finale(d)

        return finish

    def _is_in_finale(self, d: MutableState) -> bool:
        return any(isinstance(entry, Frame) and entry.block == self.rules.finale for entry in d.stack)

    def _leave(self, effect: Leave) -> CompiledEffect:
        elimination, all_seats = self.elimination, tuple(range(self.rules.players))
        seats_of = self.compiler.compile_one_or_all(effect.seats)

        def leave(d: MutableState, frame: Frame, env: Bindings) -> None:
            if not elimination.eliminate(d.variables, seats_of(d.context_for(frame.seat, env))):
                return
            d.written = None  # invariants that speak of all seats depend on who is left
            d.invalidate_memo()
            if not elimination.remaining_seats(d.variables, all_seats) and not self._is_in_finale(d):
                self.game_flow.begin_finale(d)  # nobody is left to play

        return leave
