"""The referee: starts a game, lists what is legal, carries out what is chosen, and says who has won.

In: the rule model. Out: positions. This engine defines what rules mean; anything faster is held equal to it. Every
function takes a position and gives a new one; nothing is kept between calls.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rulewright.engine import chance
from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import Layout
from rulewright.engine.places import CompiledExpr
from rulewright.engine.reference.legal_actions import DECLINE, ActionGenerator
from rulewright.engine.reference.mutable_state import MutableState, TurnMarks
from rulewright.engine.reference.step_interpreter import StepInterpreter
from rulewright.engine.state import Action, ChanceEvent, Decision, Frame, SimultaneousChoice, State
from rulewright.engine.values import Context, Pile, normalize_pile
from rulewright.errors import RulewrightError
from rulewright.expr.types import Bag, SetOf
from rulewright.model.dependencies import is_iterative, place_dependencies
from rulewright.model.rules import Rules, WeightedTerm


class Term(NamedTuple):
    """A weight and the expression it belongs to. `reads`: by seat the places that decide its value, where it is worth
    remembering, else None; `within`: those of them that the derived values in it read.
    """

    weight: int
    expr: CompiledExpr
    dependencies: tuple[frozenset[int] | None, ...]
    value_dependencies: tuple[frozenset[int], ...]


Terms = tuple[Term, ...]


def sum_terms(terms: Terms, c: Context) -> int:
    """The weighted sum of some terms for the seat of a context."""
    total = 0
    for weight, run, _, _ in terms:
        c.env[0] = c.me
        total += weight * run(c)
    return total


class IllegalAction(RulewrightError):
    """An action that is not legal in the position; `action` is the wish."""

    def __init__(self, action: Action, message: str) -> None:
        self.action = action
        super().__init__(message)


class NotWaitingError(RulewrightError):
    """Something was asked that the position does not wait for."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The end of a game: for each seat its place (1 is best, equal seats share a place), and the winning seats."""

    ranks: tuple[int, ...]
    winners: tuple[int, ...]


class ReferenceEngine:
    """The reference engine of one rule model. `tokenwise`: addresses of choices answered piece by piece."""

    def __init__(self, rules: Rules, *, tokenwise: Collection[str] = ()) -> None:
        types = {choice.address: choice.type for action in rules.actions for choice in action.choices}
        for address in sorted(tokenwise):
            if address not in types:
                raise ValueError(f"no choice stands at {address!r}")
            if not isinstance(types[address], Bag | SetOf):
                raise ValueError(f"the choice at {address!r} takes one answer, which has no pieces")
        self.rules = rules
        self.tokenwise = frozenset(tokenwise)
        self.compiler = ExprCompiler(rules)
        self.layout = Layout(rules, self.compiler)
        self.action_generator = ActionGenerator(rules, self.compiler, tokenwise)
        self.interpreter = StepInterpreter(rules, self.compiler, self.action_generator, self.layout)
        self._ranking = [(one, self.compiler.compile(one.of)) for one in rules.ranking]
        self._measures = [(one, self.compiler.compile(one.of)) for one in rules.measures]
        self._terms: dict[str | None, list[tuple[CompiledExpr | None, Term]]] = {}

    # ---- a game -------------------------------------------------------------------------------------------

    def start(
        self,
        *,
        first: int = 0,
        seed: int | None = None,
        orders: Mapping[int, Sequence[int]] | None = None,
    ) -> State:
        """A new game at its first decision (or, without a seed, its first chance event).

        `first`: the seat that begins. `orders`: for the number of a shuffled place the things in it, top first; a place
        without an order is drawn from by chance.
        """
        if not 0 <= first < self.rules.players:
            raise ValueError(f"seat {first} does not play: seats are 0 to {self.rules.players - 1}")
        contents = list(self.layout.contents)
        for place, order in (orders or {}).items():
            zone = self.layout.visibility.zone_by_place[place]
            if not zone.is_shuffled or zone.is_pool or sorted(order) != sorted(contents[place].things):
                raise ValueError(f"an order must name every thing of a shuffled place once; {zone.name} has others")
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
        draft = MutableState(self.rules, self.layout, state)
        draft.needs_refill = True
        return self._on(draft)

    def _on(self, draft: MutableState) -> State:
        self.interpreter.run(draft)
        return draft.freeze()

    def context(self, state: State, seat: int | None = None) -> Context:
        """The context for expressions in a position; `seat` is the seat in turn (default: who decides, else the
        turn's).
        """
        if seat is None:
            seat = self.acting_seat(state)
        return Context(state.contents, state.variables, me=seat, first=state.first_seat, round=state.round)

    def acting_seat(self, state: State) -> int:
        """The seat that decides, or else the one whose turn it is; -1 when there is none."""
        if isinstance(state.waiting, Decision):
            return state.waiting.seat
        for entry in reversed(state.stack):
            if isinstance(entry, Frame | SimultaneousChoice) and entry.seat >= 0:
                return entry.seat
        return -1

    def legal(self, state: State) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order; none when nobody decides."""
        decision = state.waiting
        if not isinstance(decision, Decision):
            return ()
        return tuple(self.action_generator.legal_actions(self.context(state), decision))

    def apply(self, state: State, action: Action) -> State:
        """The position after a legal action of the deciding seat; raises `IllegalAction` or `WrongMoment`."""
        if not isinstance(state.waiting, Decision):
            raise NotWaitingError("nobody has to choose now" + (": the game is over" if state.over else ""))
        if action not in self._like(state, action):
            raise IllegalAction(action, "this action is not legal now")
        return self.apply_legal(state, action)

    def _like(self, state: State, action: Action) -> list[Action]:
        decision = state.waiting
        assert isinstance(decision, Decision)
        if action == DECLINE or not 0 <= action.number < len(self.rules.actions):
            return list(self.legal(state))
        c = self.context(state)
        found: list[Action] = []
        for plan in self.action_generator.step_offers(decision.block, decision.step):
            if plan.number == action.number:
                found.extend(self.action_generator.legal_variants(plan, c, decision))
        # what stands in for missing actions is legal only when no other is
        return found or list(self.legal(state))

    def apply_legal(self, state: State, action: Action, turn_marks: TurnMarks | None = None) -> State:
        """`apply` for an action that was just listed. `turning`: a list to which the turns are added that begin or end
        on the way.
        """
        decision = state.waiting
        assert isinstance(decision, Decision)
        draft = MutableState(self.rules, self.layout, state)
        draft.turn_marks = turn_marks
        if action == DECLINE:
            draft.waiting = None
            return self._on(draft)
        if action.token is not None or decision.partial_action is not None:
            whole = self.complete_action(state, action)
            if isinstance(whole, Decision):
                return replace(state, waiting=whole)
            action = whole
        self.interpreter.begin_action(draft, action)
        return self._on(draft)

    def complete_action(self, state: State, action: Action) -> Action | Decision:
        """The whole action that a legal one completes; for a piece more of an open bag the decision that goes on."""
        decision = state.waiting
        assert isinstance(decision, Decision)
        if action.token is None:
            return action
        plan = self.action_generator.actions[action.number]
        bag, done = self.action_generator.extend_bag(plan, self.context(state), action, decision.partial_bag)
        if not done:
            return decision._replace(partial_action=Action(action.number, action.values), partial_bag=bag)
        values = (*action.values, bag)
        if len(values) == len(plan.definition.choices):
            return Action(action.number, values)
        return decision._replace(partial_action=Action(action.number, values), partial_bag=())

    def resolve_chance(self, state: State, outcome: int, turn_marks: TurnMarks | None = None) -> State:
        """The position after chance from outside; `outcome` is a thing, member or value that the event names.
        `turning`: as in `apply_legal`.
        """
        if not isinstance(state.waiting, ChanceEvent):
            raise NotWaitingError("the game does not wait for chance")
        if outcome not in [value for value, _ in state.waiting.outcomes]:
            raise ValueError("no such outcome of this chance event")
        draft = MutableState(self.rules, self.layout, state)
        draft.turn_marks = turn_marks
        self.interpreter.resolve_chance(draft, outcome)
        return self._on(draft)

    # ---- numbers about a position -------------------------------------------------------------------------

    def result(self, state: State) -> GameResult:
        """Places and winners, as the position stands; a game is decided when `state.over`."""
        seats = range(self.rules.players)
        c, departures = self.context(state), self.compiler.elimination
        keys: list[tuple[Any, ...]] = []
        for seat in seats:
            c.env[0] = seat
            scores = [run(c) for _, run in self._ranking]
            signs = [
                -score if one.is_maximized else score for (one, _), score in zip(self._ranking, scores, strict=True)
            ]
            named = [] if state.winners is None else [seat not in state.winners]
            gone = departures.elimination_rank(state.variables, seat)
            keys.append((*named, *([] if named and not named[0] else [gone, *signs])))
        places = tuple(1 + sum(other < key for other in keys) for key in keys)
        winners = state.winners if state.winners is not None else tuple(s for s in seats if places[s] == 1)
        return GameResult(places, winners)

    def eliminated(self, state: State) -> tuple[int, ...]:
        """The seats that have left the game."""
        departures = self.compiler.elimination
        if not departures.is_possible:
            return ()
        return tuple(seat for seat in range(self.rules.players) if departures.is_eliminated(state.variables, seat))

    def measures(self, state: State) -> dict[str, int | tuple[int, ...]]:
        """Every measure of the game: a number, or one for each seat."""
        c = self.context(state)
        found: dict[str, int | tuple[int, ...]] = {}
        for one, run in self._measures:
            if not one.is_per_seat:
                found[one.name] = run(c)
                continue
            per_seat = []
            for seat in range(self.rules.players):
                c.env[0] = seat
                per_seat.append(run(c))
            found[one.name] = tuple(per_seat)
        return found

    def terms(self, state: State, seat: int, strategy: str | None = None) -> Terms:
        """The terms by which a seat judges that chooses in a position: those of the game's evaluation, or those of a
        strategy that are meant for this position.
        """
        c, found = self.context(state, seat), []
        for when, term in self._advice(strategy):
            c.env[0] = seat
            if when is None or when(c):
                found.append(term)
        return tuple(found)

    def _advice(self, strategy: str | None) -> list[tuple[CompiledExpr | None, Term]]:
        known = self._terms.get(strategy)
        if known is None:
            rules = self.rules
            weights = (
                rules.evaluation
                if strategy is None
                else next(one.terms for one in rules.strategies if one.name == strategy)
            )
            known = self._terms[strategy] = [
                (None if one.when is None else self.compiler.compile(one.when), self._term(one)) for one in weights
            ]
        return known

    def _term(self, one: WeightedTerm) -> Term:
        rules, seats = self.rules, range(self.rules.players)
        reads: tuple[frozenset[int] | None, ...] = (None,) * rules.players
        if is_iterative(rules, one.of):
            reads = tuple(place_dependencies(rules, one.of, {0: seat}) for seat in seats)
        within = tuple(
            place_dependencies(rules, one.of, {0: seat}, within_values=True) or frozenset() for seat in seats
        )
        return Term(one.weight, self.compiler.compile(one.of), reads, within)

    def evaluate(self, state: State, seat: int, terms: Terms | None = None) -> int:
        """How good the position is for a seat by some terms (default: the game's evaluation), added up."""
        return sum_terms(self.terms(state, seat) if terms is None else terms, self.context(state, seat))

    def place_index(self, zone: str, keys: tuple[int, ...] = ()) -> int:
        """The number of a place."""
        definition = self.rules.zones[zone]
        offset = 0
        for key, values in zip(keys, definition.key_values, strict=True):
            offset = offset * len(values) + values.index(key)
        return definition.first_index + offset


__all__ = ["GameResult", "IllegalAction", "NotWaitingError", "ReferenceEngine", "RuleFault", "Terms", "sum_terms"]
