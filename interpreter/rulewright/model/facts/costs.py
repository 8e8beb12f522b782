"""How much there is to do between two decisions at most, and for one list of legal actions.

In: rules, and what positions can be. Out: `Costs`. Where they stay below the limits of play, whoever runs the rules
needs to count nothing. Where something can go on for ever without a decision they are unbounded: then it is enough to
count the rounds of that loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Final, assert_never

from rulewright import limits
from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag, Thing
from rulewright.frozen import frozen
from rulewright.model.actions import Clause, OneOf
from rulewright.model.bag_indexes import holds_alike
from rulewright.model.effects import (
    Choose,
    Finish,
    GiveTurn,
    Leave,
    Move,
    Offer,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    Step,
)
from rulewright.model.facts.action_numbers import answer_count
from rulewright.model.facts.choice_ranges import domain_range
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.found_ranges import BlockRanges, PositionRanges
from rulewright.model.facts.routes import NOTHING, NOWHERE, STRAIGHT, Route, Workload, work
from rulewright.model.facts.value_ranges import UNBOUNDED, BagRange, SetRange, ValueRange
from rulewright.model.rules import InvariantScope, Rules
from rulewright.model.traversal import asked_actions, choice_exprs, offered_actions, step_exprs

EXACT_ROUNDS: Final = 4  # after so many more rounds than there are blocks what still grows has no bound
DECISION: Final = Route(until=NOTHING, after=NOTHING)


@frozen
class Costs:
    """The costs of one rule model.

    `blocks`: the ways through each block that can be reached, by its number. `steps`: the same for steps, by address.
    `game`: the ways through the whole game. `lists`: by the addresses of steps that ask for a decision the evaluation
    that one list of legal actions can take. `endless`: the blocks that can follow themselves for ever without a
    decision: rounds, turns that give turns, what runs itself; their rounds are to be counted.
    """

    blocks: Mapping[int, Route]
    steps: Mapping[str, Route]
    game: Route
    lists: Mapping[str, int]
    endless: frozenset[int]


def find_costs(rules: Rules, positions: PositionRanges) -> Costs:
    """The costs of a rule model."""
    return _CostFinder(rules, positions).find()


class _CostFinder:
    def __init__(self, rules: Rules, positions: PositionRanges) -> None:
        self.rules = rules
        self.positions = positions
        self.ranges = ExpressionRanges(rules, positions.contents, positions.variables)
        self.refill_steps = self._refill_steps()
        self._growing: set[int] = set()  # blocks whose ways grow without an end
        self.routes: dict[int, Route] = dict.fromkeys(positions.blocks, NOWHERE)

    def find(self) -> Costs:
        """Looks at all blocks again and again, until nothing new comes; what grows too often has no bound."""
        rounds, is_growing = 0, True
        while is_growing:
            is_growing, rounds = False, rounds + 1
            for number, known in self.positions.blocks.items():
                before = self.routes[number]
                route = before.or_else(self._block(number, known))
                if route != before:
                    is_growing = True
                    if rounds > len(self.routes) + EXACT_ROUNDS:
                        route = route.widened(before)
                        self._growing.add(number)
                    self.routes[number] = route
        lists = {
            step.address: self._list_work(step.effect)
            for number in self.positions.blocks
            for step in self.rules.blocks[number].steps
            if isinstance(step.effect, Choose)
        }
        steps = {
            step.address: self._step(step, known)
            for number, known in self.positions.blocks.items()
            for step in self.rules.blocks[number].steps
        }
        return Costs(self.routes, steps, self._game(), lists, frozenset(self._endless()))

    def _endless(self) -> Iterator[int]:
        rules = self.rules
        if self.routes.get(rules.round, STRAIGHT).through is not None:
            yield rules.round
        if not self._turns().longest.is_bounded:
            yield rules.turn
        yield from self._growing

    # ---- the whole game ------------------------------------------------------------------------------------

    def _game(self) -> Route:
        """Set-up, rounds, and the end, which can come at any time."""
        rules = self.rules
        rounds = self._section(rules.round, "round").repeated(1, UNBOUNDED)
        opening = Route(through=self._refill())  # places fill themselves before the first step
        played = opening.then(self._section(rules.setup, None)).then(rounds)
        finale = self._section(rules.finale, None)
        ended = Route(through=played.longest, after=played.longest)
        return played.or_else(ended.then(finale))

    def _section(self, block: int, scope: InvariantScope | None) -> Route:
        route = self.routes.get(block, STRAIGHT)
        return route.then(work(self._invariant_cost(scope), 0)) if scope else route

    def _turns(self) -> Route:
        """A turn, and those that it gives."""
        route = self._section(self.rules.turn, "turn")
        giving = {
            number
            for number in self.positions.blocks
            for step in self.rules.blocks[number].steps
            if isinstance(step.effect, GiveTurn) and step.effect.is_extra
        }
        if not giving:
            return route
        rules = self.rules
        is_of_turns = not giving & self._run_by([rules.setup, rules.round, rules.finale])
        is_decided = not giving & self._run_by([rules.turn], only_undecided=True)
        # with one turn given at most, no more than one waits
        is_chained = is_of_turns and is_decided and (route.through is None or self._grants(rules.turn) <= 1)
        return route.chained() if is_chained else route.repeated(1, UNBOUNDED)

    def _grants(self, block: int, around: frozenset[int] = frozenset()) -> int:
        """The most extra turns that one run of a block gives."""
        known = self.positions.blocks.get(block)
        if block in around:
            return UNBOUNDED
        total = 0
        for step in self.rules.blocks[block].steps if known is not None else ():
            match step.effect:
                case GiveTurn():
                    each = 1 if step.effect.is_extra else UNBOUNDED
                case RunSteps(block=inner):
                    each = self._grants(inner, around | {block})
                case Choose() as choose:
                    blocks = [self.rules.actions[action].block for action in offered_actions(choose)]
                    grants = [self._grants(inner, around | {block}) for inner in blocks]
                    each = sum(grants) * self.rules.players if choose.mode == "together" else max(grants, default=0)
                case _:
                    each = 0
            if each:
                is_loop = step.for_each is not None or step.times is not None
                total += UNBOUNDED if is_loop else each
        return min(total, UNBOUNDED)

    def _run_by(self, sections: Sequence[int], *, only_undecided: bool = False) -> set[int]:
        """The blocks that sections run, turns left out; or those that they run without a decision."""
        found, pending = set[int](), list(sections)
        while pending:
            block = pending.pop()
            if block in found:
                continue
            found.add(block)
            for step in self.rules.blocks[block].steps:
                match step.effect:
                    case RunSteps(block=inner):
                        pending.append(inner)
                    case Choose() as choose if choose.is_automatic or not only_undecided:
                        pending += [self.rules.actions[action].block for action in offered_actions(choose)]
        return found

    def _invariant_cost(self, scope: InvariantScope) -> int:
        return sum(
            invariant.cost + self._asked_work([invariant.condition])
            for invariant in self.rules.invariants
            if invariant.after == scope
        )

    def _refill_steps(self) -> int:
        """The steps in which all places fill themselves again: one for each thing that is drawn, and its end."""
        places = [
            place
            for zone in self.rules.zones.values()
            if zone.refill is not None
            for place in range(zone.first_index, zone.first_index + zone.size)
        ]
        if not places:
            return 0
        draws = sum(map(self._room, places))
        sources = {zone.name: zone.refill.zone for zone in self.rules.zones.values() if zone.refill is not None}
        if not any(source in sources for source in sources.values()):
            return 1 + draws + len(places)
        if any(_comes_back(name, sources) for name in sources):
            return UNBOUNDED
        draws *= len(sources)  # what fills a place may pass through all others, one thing at a time
        return min(UNBOUNDED, draws + (draws + 1) * (1 + len(places)))

    def _room(self, place: int) -> int:
        """The most things or pieces that a place can hold."""
        content = self.positions.contents[place]
        assert isinstance(content, SetRange | BagRange)
        return content.most if isinstance(content, SetRange) else content.high_total

    # ---- blocks and steps ----------------------------------------------------------------------------------

    def _block(self, number: int, known: BlockRanges) -> Route:
        routes = [self._step(step, known) for step in self.rules.blocks[number].steps]
        return reduce(Route.then, routes, STRAIGHT).then(work(0, 1))  # the end of a block is a step too

    def _step(self, step: Step, known: BlockRanges) -> Route:
        """A step with all that it runs, as often as it is done."""
        fewest = most = 1
        env, me = known.variables, known.me
        if step.for_each is not None:
            each = self.ranges.elements(step.for_each.over, env, me)
            env = {**env, step.for_each.slot: each.elements}
            fewest, most = (each.fewest if step.for_each.condition is None else 0), each.most
        if step.times is not None:
            times = self.ranges.scalars(step.times, env, me)
            fewest, most = fewest * max(0, times.low), min(UNBOUNDED, most * max(0, times.high))
        tried = work(step.cost + self._asked_work(step_exprs(step)), 1)
        done = tried.then(self._effect(step, env, known)).then(work(self._invariant_cost("step"), 0))
        if step.while_condition is not None:
            fewest = 0
        if step.when is not None or step.while_condition is not None:
            done = done.or_else(tried)
        if step.for_each is None and step.times is None:
            return done
        return work(step.loop_cost, 1).then(done.repeated(fewest, most))

    def _effect(self, step: Step, env: Variables, known: BlockRanges) -> Route:
        match step.effect:
            case Move() as move:
                return self._move(move, env, known)
            case RunSteps(block=block):
                return self.routes.get(block, STRAIGHT)
            case GiveTurn(is_extra=False):
                return self._turns().or_else(STRAIGHT) if self.rules.has_elimination else self._turns()
            case Choose(mode="together"):
                return self._together(step, step.effect)
            case Choose():
                return self._choose(step.effect)
            case SetState() | Roll() | Reveal() | GiveTurn() | Finish() | Leave():
                return STRAIGHT
            case _:
                assert_never(step.effect)

    def _choose(self, effect: Choose) -> Route:
        asked = work(self._list_work(effect), 0)
        carried_out = self._carried_out(offered_actions(effect))
        done = DECISION.then(carried_out.or_else(STRAIGHT) if effect.mode == "may" else carried_out)
        if effect.is_automatic:
            done = done.or_else(carried_out)
        if effect.mode != "must" or effect.fallback == "nothing" or self.rules.has_elimination:
            done = done.or_else(STRAIGHT)
        return asked.then(done)

    def _is_always_possible(self, offer: Offer) -> bool:
        """Whether an action can be chosen in every position: it has no clauses, and there is always an answer."""
        action = self.rules.actions[offer.action]
        domains = [choice.domain for choice in action.choices]
        return not (offer.clauses or action.clauses) and all(
            isinstance(domain, OneOf) and self.ranges.elements(domain.of, {}, self.ranges.seats).fewest > 0
            for domain in domains
        )

    def _together(self, step: Step, effect: Choose) -> Route:
        players = self.rules.players
        asked = work(self._list_work(effect), 1)
        is_certain = not self.rules.has_elimination and any(map(self._is_always_possible, effect.offers))
        choice = asked.then(DECISION if is_certain else DECISION.or_else(STRAIGHT))
        choices = choice.repeated(players if step.by is None else 0, players)
        carried_out = self._carried_out(offered_actions(effect)).repeated(0, players)
        return choices.then(work(0, 1)).then(carried_out)

    def _carried_out(self, actions: Sequence[int]) -> Route:
        """One of some actions, once it is chosen."""
        possible = [number for number in actions if number in self.positions.choices]
        blocks = [self.rules.actions[number].block for number in possible]
        return reduce(Route.or_else, (self.routes.get(block, STRAIGHT) for block in blocks), NOWHERE)

    def _move(self, move: Move, env: Variables, known: BlockRanges) -> Route:
        """A move: of things, one after another; draws take a step for each."""
        content_type = self.rules.zones[move.to.zone].content_type
        count = self._moved_count(move, env, known)
        is_drawn = move.amount.mode in ("top", "random", "up to random")
        evaluation = 0
        if isinstance(content_type, Thing):
            evaluation = min(UNBOUNDED, count * limits.SKIP_COST * 2 * self._widest(content_type))
        moved = work(evaluation, count + 1 if is_drawn else 0)
        return moved.then(Route(through=self._refill())) if self._can_cause_refill(move) else moved

    def _refill(self) -> Workload:
        """What it takes until all places have filled themselves."""
        evaluation = min(UNBOUNDED, limits.SKIP_COST * 2 * self.refill_steps * self._widest_refill())
        return Workload(evaluation, self.refill_steps)

    def _can_cause_refill(self, move: Move) -> bool:
        """Whether what a move takes can leave a place that fills itself, or come to where such a place draws from."""
        zones = [zone for zone in self.rules.zones.values() if zone.refill is not None]
        moved = self.rules.zones[move.to.zone].content_type
        return any(holds_alike(self.rules, zone.content_type, moved) for zone in zones)

    def _moved_count(self, move: Move, env: Variables, known: BlockRanges) -> int:
        """The most things that a move takes, or drawn pieces."""
        of, me = move.amount.of, known.me
        everything = sum(len(component.ids) for component in self.rules.components.values())
        if move.amount.mode in ("top", "random", "up to random"):
            return 1 if of is None else max(0, self.ranges.scalars(of, env, me).high)
        if of is None or isinstance(of.type, Bag):
            return everything
        return self.ranges.elements(of, env, me).most

    def _widest(self, content_type: Thing) -> int:
        """The most things that a place of a component can hold."""
        zones = [zone for zone in self.rules.zones.values() if zone.content_type == content_type]
        places = [place for zone in zones for place in range(zone.first_index, zone.first_index + zone.size)]
        return max(map(self._room, places), default=0)

    def _widest_refill(self) -> int:
        types = {zone.content_type for zone in self.rules.zones.values() if zone.refill is not None}
        return max((self._widest(each) for each in types if isinstance(each, Thing)), default=0)

    # ---- lists of legal actions ----------------------------------------------------------------------------

    def _list_work(self, effect: Choose) -> int:
        """The most evaluation that one list of legal actions takes."""
        fallback = self._action_work(effect.fallback) if isinstance(effect.fallback, int) else 0
        return fallback + sum(self._action_work(offer.action, offer.clauses) for offer in effect.offers)

    def _action_work(self, number: int, offer_clauses: tuple[Clause, ...] = ()) -> int:
        action = self.rules.actions[number]
        clauses = (*offer_clauses, *action.clauses)
        env: dict[int, ValueRange] = {}
        ways, total = 1, self._clauses_work(clauses, 0)
        for slot, choice in enumerate(action.choices):
            answer = domain_range(self.ranges, choice, env, self.ranges.seats)
            count = 0 if answer is None else answer_count(self.ranges, choice, answer, env)
            per_answer = limits.ANSWER_COST + self._clauses_work(clauses, slot + 1)
            asked = self._asked_work(choice_exprs(choice))
            total = min(UNBOUNDED, total + ways * (choice.cost + asked + count * per_answer))
            if answer is None:
                break
            ways = min(UNBOUNDED, ways * count)
            env[slot] = answer
            for clause in action.clauses:
                if clause.required_choices == slot + 1:
                    env = {**self.ranges.narrowed(clause.condition, env, self.ranges.seats)}
        return total

    def _clauses_work(self, clauses: Iterable[Clause], required_choices: int) -> int:
        return sum(
            clause.cost + self._asked_work([clause.condition])
            for clause in clauses
            if clause.required_choices == required_choices
        )

    def _asked_work(self, exprs: Iterable[Expr]) -> int:
        """The evaluation of all legal lists that expressions ask for; each is made once for each seat."""
        names = asked_actions(exprs, self.rules.values)
        return self.rules.players * sum(
            self._action_work(action.index) for action in self.rules.actions if action.name in names
        )


def _comes_back(name: str, sources: Mapping[str, str]) -> bool:
    """Whether a zone fills itself, through others, from itself."""
    seen = {name}
    while (source := sources.get(name)) is not None:
        if source in seen:
            return True
        seen.add(source)
        name = source
    return False


__all__ = ["Costs", "find_costs"]
