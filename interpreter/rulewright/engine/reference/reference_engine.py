"""The referee: starts games, says what is legal, carries out what is chosen, and says who has won.

In: the rule model. Out: positions. This engine defines what rules mean; anything faster is tested against it. Every
method takes a position and gives a new one; nothing is kept between calls.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import cached_property

from rulewright.engine import chance
from rulewright.engine.context import Context
from rulewright.engine.evaluation_terms import EvaluationTerms, Terms
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.interface import Asker, GameResult, IllegalAction, NotWaitingError, Observer, TurnMarks
from rulewright.engine.knowledge import KnowledgeWatch
from rulewright.engine.layout import layout_of
from rulewright.engine.reference.legal_actions import ActionGenerator
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.step_interpreter import StepInterpreter
from rulewright.engine.state import DECLINE, Action, ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, State
from rulewright.engine.values import Pile, content_things, normalize_pile
from rulewright.expr.types import Bag, SetOf
from rulewright.frozen import replace
from rulewright.model.rules import Rules


class ReferenceEngine:
    """The reference engine of one rule model: an `engine.interface.Engine`, whose methods are described there.

    `tokenwise`: addresses of choices that are answered piece by piece; raises `ValueError` for any other.
    """

    def __init__(self, rules: Rules, *, tokenwise: Collection[str] = ()) -> None:
        types = {choice.address: choice.type for action in rules.actions for choice in action.choices}
        for address in sorted(tokenwise):
            if address not in types:
                raise ValueError(f"there is no choice at {address!r}")
            if not isinstance(types[address], Bag | SetOf):
                raise ValueError(f"the choice at {address!r} takes a single value, which has no pieces")
        self.rules = rules
        self.tokenwise = frozenset(tokenwise)
        self.compiler = ExprCompiler(rules)
        self.layout = layout_of(rules)
        self.action_generator = ActionGenerator(rules, self.compiler, tokenwise)
        self.interpreter = StepInterpreter(rules, self.compiler, self.action_generator, self.layout)
        self.evaluation_terms = EvaluationTerms(rules, self.compiler)
        self._ranking = [(criterion, self.compiler.compile_number(criterion.of)) for criterion in rules.ranking]
        self._measures = [(measure, self.compiler.compile_number(measure.of)) for measure in rules.measures]

    def observe(self, observer: Observer) -> None:
        """Tells the observer from now on what is asked and done while this engine plays."""
        from rulewright.engine.reference.observation import (  # few games are watched
            observe_actions,
            observe_steps,
            observe_values,
            observed_criterion,
        )

        observe_values(self.compiler, observer)
        observe_actions(self.action_generator, observer)
        observe_steps(self.interpreter, observer)
        self._ranking = [
            (criterion, observed_criterion(run, criterion.address, observer)) for criterion, run in self._ranking
        ]

    def watch_conditions(self, addresses: Collection[str], asker: Asker) -> None:
        """Tells the asker from now on, each time before one of some clauses or conditions of steps is asked."""
        from rulewright.engine.reference.observation import watch_conditions  # few games are watched

        watch_conditions(self.action_generator, self.interpreter, addresses, asker)

    @cached_property
    def imagined(self) -> ReferenceEngine:
        """The same engine, which does not check the invariants: for positions that somebody only thinks of."""
        engine = copy(self)
        engine.interpreter = self.interpreter.without_invariants()
        return engine

    # ---- a game -------------------------------------------------------------------------------------------

    def start(
        self,
        *,
        first: int = 0,
        seed: int | None = None,
        orders: Mapping[int, Sequence[int]] | None = None,
    ) -> State:
        """A new game at its first decision (or, without a seed, its first chance event)."""
        if not 0 <= first < self.rules.players:
            raise ValueError(f"there is no seat {first} (0 to {self.rules.players - 1})")
        chance.require_seed(seed)
        contents = list(self.layout.contents)
        for place, order in (orders or {}).items():
            zone = self.layout.visibility.zone_by_place[place]
            if not zone.is_shuffled or zone.is_pool or sorted(order) != sorted(content_things(contents[place])):
                raise ValueError(f"an order of {zone.name} must name each thing of a shuffled place once")
            contents[place] = normalize_pile(Pile((), tuple(order), (), fixed=True))
        state = State(
            contents=tuple(contents),
            variables=self.layout.variables,
            thing_pools=self.layout.thing_pools,
            pools=self.layout.pools,
            known_pieces=self.layout.known_pieces,
            stack=(Frame(self.rules.setup, 0, (), None, -1),),
            waiting=None,
            first_seat=first,
            round=0,
            turn_count=0,
            ending=False,
            extra_turns=(),
            winners=None,
            rng=None if seed is None else chance.seed_rng(seed),
        )
        return self.resume(state, needs_refill=True)

    def resume(self, state: State, *, needs_refill: bool) -> State:
        """The position after the game has gone on from one that waits for nothing.

        `needs_refill`: places that fill themselves may have room.
        """
        mutable = MutableState(self.rules, self.layout, state)
        mutable.needs_refill = needs_refill
        return self._run(mutable)

    def refill_once(self, state: State) -> State | None:
        """The position after the draws for all places that fill themselves, up to the first chance event; None when no
        place has room and something to take.
        """
        mutable = MutableState(self.rules, self.layout, state)
        return self._run(mutable) if self.interpreter.push_refills(mutable) else None

    def _run(self, mutable: MutableState) -> State:
        self.interpreter.run(mutable)
        return mutable.freeze()

    def context(self, state: State, seat: int | None = None) -> Context:
        """The context for expressions in a position; `seat` is the seat in turn (default: `state.acting_seat`)."""
        if seat is None:
            seat = state.acting_seat
        context = Context(state.contents, state.variables, me=seat, first=state.first_seat, round=state.round)
        if isinstance(state.waiting, Decision) and state.waiting.around:
            context.see_around(state.waiting.around)
        return context

    # ---- actions ------------------------------------------------------------------------------------------

    def legal(self, state: State) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order; none when nobody decides."""
        decision = state.waiting
        if not isinstance(decision, Decision):
            return ()
        return tuple(self.action_generator.legal_actions(self.context(state), decision))

    def offered_actions(self, state: State, seat: int, choice: SimultaneousChoice, *, limit: int) -> Sequence[Action]:
        """Up to `limit` of the whole actions that a secret choice offers a seat."""
        context = self.context(state, seat)
        context.see_around(choice.env)
        return self.action_generator.offered_actions(context, choice.block, choice.step, limit)

    def apply(self, state: State, action: Action) -> State:
        """The position after a legal action of the deciding seat; raises `IllegalAction` or `NotWaitingError`."""
        if not isinstance(state.waiting, Decision):
            raise NotWaitingError("no decision is pending" + (": the game is over" if state.over else ""))
        if action not in self._legal_variants(state, state.waiting, action):
            raise IllegalAction(action)
        return self.apply_legal(state, action)

    def _legal_variants(self, state: State, decision: Decision, action: Action) -> Sequence[Action]:
        """The legal actions with the number of an attempted one."""
        if action == DECLINE or not 0 <= action.number < len(self.rules.actions):
            return self.legal(state)
        c = self.context(state)
        variants: list[Action] = []
        for offer in self.action_generator.step_offers(decision.block, decision.step):
            if offer.number == action.number:
                variants.extend(self.action_generator.legal_variants(offer, c, decision))
        # a fallback is legal only when nothing that is offered is
        return variants or self.legal(state)

    def apply_legal(self, state: State, action: Action, turn_marks: TurnMarks | None = None) -> State:
        """`apply` for an action that was just listed; `turn_marks` is filled with the turns on the way."""
        decision = state.waiting
        assert isinstance(decision, Decision)
        mutable = MutableState(self.rules, self.layout, state)
        mutable.turn_marks = turn_marks
        if action == DECLINE:
            self.interpreter.decline(mutable)
            return self._run(mutable)
        if action.token is not None or decision.partial_action is not None:
            completed = self.complete_action(state, action)
            if isinstance(completed, Decision):
                return replace(state, waiting=completed)
            action = completed
        self.interpreter.begin_action(mutable, action)
        return self._run(mutable)

    def complete_action(self, state: State, action: Action) -> Action | Decision:
        """The whole action that a legal one completes; for one more piece of an open bag the decision that follows."""
        decision = state.waiting
        assert isinstance(decision, Decision)
        if action.token is None:
            return action
        compiled = self.action_generator.actions[action.number]
        c = self.context(state)
        bag, is_complete = self.action_generator.extend_bag(compiled, c, action, decision.partial_bag)
        if not is_complete:
            return decision._replace(partial_action=Action(action.number, action.values), partial_bag=bag)
        values = (*action.values, bag)
        if len(values) == compiled.choice_count:
            return Action(action.number, values)
        return decision._replace(partial_action=Action(action.number, values), partial_bag=())

    def run_step(self, state: State) -> State:
        """The position after the next step of the frame on top of the stack, and nothing that follows from it."""
        mutable = MutableState(self.rules, self.layout, state)
        self.interpreter.run_one_step(mutable)
        return mutable.freeze()

    # ---- chance and information ---------------------------------------------------------------------------

    def chance_event(self, state: State, draw: Draw) -> ChanceEvent | int:
        """What a position waits for when a draw is under way: a chance event, or the only thing it can be."""
        return self.interpreter.chance_event(state, draw)

    def resolve_chance(self, state: State, outcome: int, turn_marks: TurnMarks | None = None) -> State:
        """The position after chance from outside; raises `NotWaitingError`, or `ValueError` for no such outcome."""
        if not isinstance(state.waiting, ChanceEvent):
            raise NotWaitingError("no chance event is pending")
        if outcome not in [value for value, _ in state.waiting.outcomes]:
            raise ValueError(f"{outcome} is not an outcome of the pending chance event")
        mutable = MutableState(self.rules, self.layout, state)
        mutable.turn_marks = turn_marks
        self.interpreter.resolve_chance(mutable, outcome)
        return self._run(mutable)

    def reveals_information(self, before: State, action: Action, outcomes: Sequence[int]) -> bool:
        """Whether a viewer learns something while a legal action is carried out with these outcomes of chance."""
        return self._watch(before, action, outcomes).has_grown

    def things_seen(self, before: State, action: Action) -> tuple[set[int], ...]:
        """For each viewer the things that it sees while a legal action is carried out, if only for a moment; after a
        chance event a thing could be another that looks the same, so none is added.
        """
        return self._watch(before, action, ()).seen

    def _watch(self, before: State, action: Action, outcomes: Sequence[int]) -> KnowledgeWatch:
        mutable = MutableState(self.rules, self.layout, replace(before, rng=None))
        mutable.knowledge = watch = KnowledgeWatch(
            self.layout.visibility, before.thing_pools, before.pools, before.known_pieces
        )
        if action == DECLINE:
            self.interpreter.decline(mutable)
        else:
            completed = self.complete_action(before, action)
            if isinstance(completed, Decision):
                return watch  # a piece of an answer: nothing is done yet
            self.interpreter.begin_action(mutable, completed)
        self.interpreter.run(mutable)
        for outcome in outcomes:
            self.interpreter.resolve_chance(mutable, outcome)
            self.interpreter.run(mutable)
        return watch

    # ---- numbers about a position -------------------------------------------------------------------------

    def result(self, state: State) -> GameResult:
        """Ranks and winners as of this position; they are final when `state.over`."""
        c, elimination = self.context(state), self.compiler.elimination
        keys: list[tuple[int, ...]] = []  # smaller is better
        for seat in range(self.rules.players):
            c.env[0] = seat
            scores = [-run(c) if criterion.is_maximized else run(c) for criterion, run in self._ranking]
            rank = elimination.elimination_rank(state.variables, seat)
            if state.winners is None:
                keys.append((rank, *scores))
            elif seat in state.winners:
                keys.append((0,))  # named winners share the first rank
            else:
                keys.append((1, rank, *scores))
        ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
        winners = state.winners
        if winners is None:
            winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
        return GameResult(ranks, winners)

    def eliminated(self, state: State) -> tuple[int, ...]:
        """The seats that have left the game."""
        elimination = self.compiler.elimination
        if not elimination.is_possible:
            return ()
        return tuple(seat for seat in range(self.rules.players) if elimination.is_eliminated(state.variables, seat))

    def measures(self, state: State) -> dict[str, int | tuple[int, ...]]:
        """Every measure of the game: a number, or one for each seat."""
        c = self.context(state)
        measures: dict[str, int | tuple[int, ...]] = {}
        for measure, run in self._measures:
            if not measure.is_per_seat:
                measures[measure.name] = run(c)
                continue
            per_seat: list[int] = []
            for seat in range(self.rules.players):
                c.env[0] = seat
                per_seat.append(run(c))
            measures[measure.name] = tuple(per_seat)
        return measures

    def terms(self, state: State, seat: int, strategy: str | None = None) -> Terms:
        """The terms by which a seat judges positions that follow from this one; see `EvaluationTerms.applicable`."""
        return self.evaluation_terms.applicable(self.context(state, seat), strategy)

    def place_index(self, zone: str, keys: tuple[int, ...] = ()) -> int:
        """The number of a place."""
        definition = self.rules.zones[zone]
        offset = 0
        for key, values in zip(keys, definition.key_values, strict=True):
            offset = offset * len(values) + values.index(key)
        return definition.first_index + offset


__all__ = ["ReferenceEngine"]
