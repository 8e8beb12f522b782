"""What every place and every state variable can hold in any position of any game, and what can be chosen.

In: rules. Out: `PositionRanges`. From what is there at the start, everything that a step can do is added until nothing
new comes. Steps are followed without their order; a thing or piece is only where some move can have brought it, and no
place holds more of a piece than those places had from which it can come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, assert_never

from rulewright.expr.tree import Builtin, Expr, Local, ReadValue
from rulewright.expr.types import Bag, Member, Number, Thing
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import field, mutable
from rulewright.model.actions import ActionDef
from rulewright.model.bag_indexes import bag_index, family_size, holds_alike
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.facts.choice_ranges import domain_range
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.found_ranges import BlockRanges, PositionRanges
from rulewright.model.facts.growth import Growth
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.facts.value_ranges import FALSE, BagRange, Scalars, SetRange, ValueRange, join
from rulewright.model.rules import ELIMINATION_STATE, Rules, ZoneDef
from rulewright.model.traversal import changed_states, offered_actions

MAX_CASES: Final = 4096  # combinations of variables for which a move is followed one by one
EXACT_ROUNDS: Final = 8  # after so many rounds what still grows can be whatever its type and the pieces allow
HALF_EXACT_ROUNDS: Final = 16  # and a number that grows to one side only may until then still keep its other bound


def find_position_ranges(rules: Rules) -> PositionRanges:
    """The ranges of a rule model."""
    return _Analysis(rules).run()


@mutable
class _Place:
    """What is known of a place so far."""

    zone: ZoneDef
    capacity: int | None
    initial: tuple[int, ...]  # counts of a bag, or things
    things: frozenset[int] = frozenset()
    inflows: dict[int, set[int]] = field(default_factory=dict)  # index in a bag → places it comes from
    sources: set[int] = field(default_factory=set)  # of things: places they come from
    is_source: bool = False


class _Analysis:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ranges = ExpressionRanges(rules, (), ())
        self.seats = self.ranges.seats
        self.places = list(self._initial_places())
        self._place_things()
        self.refills = list(self._refills())
        self.variables: list[ValueRange] = [
            self.ranges.range_of(state.initial_value, _constants(keys), self.seats)
            for state in sorted(rules.states.values(), key=lambda state: state.first_index)
            for keys in product(*state.key_values)
        ]
        self.choices: dict[int, tuple[ValueRange, ...]] = {}
        self.blocks: dict[int, BlockRanges] = {}
        self.followed: set[int] = set()  # blocks of this round
        self.growth = Growth(rules)
        self.move_sources = find_move_sources(rules)
        self.changed = True

    # ---- the start -----------------------------------------------------------------------------------------

    def _initial_places(self) -> Iterator[_Place]:
        for zone in sorted(self.rules.zones.values(), key=lambda zone: zone.first_index):
            for keys in product(*zone.key_values):
                env = _constants(keys)
                capacity = None if zone.capacity is None else self.ranges.scalars(zone.capacity, env, self.seats).high
                initial: tuple[int, ...] = ()
                if isinstance(zone.content_type, Member):
                    initial = (0,) * family_size(self.rules, zone.content_type.kind)
                    if zone.initial_content is not None:
                        initial = self.ranges.bag(zone.initial_content, env, self.seats).highs or initial
                yield _Place(zone, capacity, initial)

    def _place_things(self) -> None:
        for component in self.rules.components.values():
            if component.initial_place is None:
                continue
            zone = self.rules.zones[component.initial_place.zone]
            for thing in range(len(component.ids)):
                env = _constants((thing,))
                (place,) = self.ranges.places(zone, component.initial_place.keys, env, self.seats)
                self.places[place].initial += (thing,)
                self.places[place].things |= {thing}

    def _refills(self) -> Iterator[tuple[int, int]]:
        """Places and where they are filled from."""
        number = 0
        for zone in sorted(self.rules.zones.values(), key=lambda zone: zone.first_index):
            for keys in product(*zone.key_values):
                if zone.refill is not None:
                    source = self.rules.zones[zone.refill.zone]
                    (place,) = self.ranges.places(source, zone.refill.keys, _constants(keys), self.seats)
                    yield number, place
                number += 1

    # ---- rounds --------------------------------------------------------------------------------------------

    def run(self) -> PositionRanges:
        rounds = 0
        while self.changed:
            self.ranges = ExpressionRanges(
                self.rules, self._contents(), tuple(self.variables), self.ranges.constant_values
            )
            self.changed = is_growing = self.growth.update(self.ranges, self.blocks)
            self.followed = set()
            before = list(self.variables)
            for to, source in self.refills:
                self._move_from(source, to, None)
            rules = self.rules
            for block in (rules.setup, rules.round, rules.turn, rules.finale):
                self._follow(block, {}, self.seats)
            rounds += 1
            if rounds in (EXACT_ROUNDS, HALF_EXACT_ROUNDS):
                self._widen(before if rounds == EXACT_ROUNDS else None)
            if rounds >= EXACT_ROUNDS and is_growing:
                self.growth.give_up()
        contents = self._contents()
        return PositionRanges(contents, tuple(self.variables), self.choices, self.blocks)

    def _widen(self, before: Sequence[ValueRange] | None) -> None:
        """Lets states be whatever their types allow; `before`: what they were a round ago, of which numbers keep the
        bound that they have not moved since.
        """
        for name in changed_states(step for block in self.rules.blocks for step in block.steps):
            state = self.rules.states[name]
            full = self.ranges.full_range(state.type)
            for index in range(state.first_index, state.first_index + state.size):
                old, now = None if before is None else before[index], self.variables[index]
                wide = full
                if isinstance(old, Scalars) and isinstance(now, Scalars) and isinstance(full, Scalars):
                    low = now.low if now.low == old.low else full.low
                    wide = Scalars.between(low, now.high if now.high == old.high else full.high)
                    wide = now if now == old else wide
                self.variables[index] = wide

    def _contents(self) -> tuple[ValueRange, ...]:
        most_things = self._most_things()
        return tuple(self._content(number, place, most_things) for number, place in enumerate(self.places))

    def _most_things(self) -> list[int]:
        """For each place how many things can ever have been there: what can come from where they can have been."""
        most = [min(len(place.things), self.growth.most_ever(place.zone, len(place.initial))) for place in self.places]
        for _ in self.places:
            before = list(most)
            for number, place in enumerate(self.places):
                most[number] = min(most[number], len(place.initial) + sum(most[source] for source in place.sources))
            if most == before:
                break
        return most

    def _content(self, number: int, place: _Place, most_things: list[int]) -> ValueRange:
        capacity = 10**9 if place.capacity is None else place.capacity
        if not place.zone.is_pool:
            fewest = 0 if place.is_source else len(place.initial)
            most = min(capacity, most_things[number], self.growth.most(place.zone, len(place.initial)))
            return SetRange.of(Scalars.of(place.things), fewest, most)
        highs = [
            sum(self.places[origin].initial[index] for origin in self._origins(number, index))
            for index in range(len(place.initial))
        ]
        lows = [0] * len(highs) if place.is_source else list(place.initial)
        most = min(capacity, self.growth.most(place.zone, sum(place.initial)))
        return BagRange.of(lows, (min(high, capacity) for high in highs), sum(lows), most)

    def _origins(self, number: int, index: int) -> set[int]:
        """The places from which a piece can come, through any others; the place itself among them."""
        found, pending = {number}, [number]
        while pending:
            new = self.places[pending.pop()].inflows.get(index, set()) - found
            found |= new
            pending += new
        return found

    # ---- blocks --------------------------------------------------------------------------------------------

    def _follow(self, block: int, env: Variables, me: Scalars) -> None:
        """Follows the steps of a block for all that its variables can be, here and wherever else it is run."""
        known = self.blocks.get(block)
        variables = dict(env)
        if known is not None:
            me = me.join(known.me)
            for slot, other in known.variables.items():
                joined = join(variables.get(slot), other)
                assert joined is not None
                variables[slot] = joined
        found = BlockRanges(variables, me)
        if found == known and block in self.followed:
            return
        if found != known:
            self.blocks[block] = found
            self.changed = True
        self.followed.add(block)
        for step in self.rules.blocks[block].steps:
            self._follow_step(step, variables, me)

    def step_variables(self, step: Step, env: Variables, me: Scalars) -> Variables | None:
        """What is bound where a step takes effect; None when it never does."""
        if step.for_each is not None:
            each = self.ranges.elements(step.for_each.over, env, me).elements
            env = {**env, step.for_each.slot: each}
            if step.for_each.condition is not None:
                env = self._narrowed_element(step.for_each.condition, step.for_each.slot, env, me)
            bound = env[step.for_each.slot]
            if isinstance(bound, Scalars) and bound.is_empty:
                return None
        if step.times is not None and self.ranges.scalars(step.times, env, me).high <= 0:
            return None
        if step.while_condition is not None and self.ranges.scalars(step.while_condition, env, me) == FALSE:
            return None
        if step.when is not None:
            if self.ranges.scalars(step.when, env, me) == FALSE:
                return None
            env = self.ranges.narrowed(step.when, env, me)
            if any(isinstance(each, Scalars) and each.is_empty for each in env.values()):
                return None
        return env

    def _narrowed_element(self, condition: Expr, slot: int, env: Variables, me: Scalars) -> Variables:
        """The variables of a loop with those elements for which its condition can hold."""
        each = env[slot]
        assert isinstance(each, Scalars)
        if each.listed is None or len(each.listed) > MAX_CASES:
            return self.ranges.narrowed(condition, env, me)
        kept = [
            value
            for value in each.listed
            if 1 in self.ranges.scalars(condition, {**env, slot: Scalars.of((value,))}, me)
        ]
        return {**env, slot: Scalars.of(kept)}

    def _follow_step(self, step: Step, env: Variables, me: Scalars) -> None:
        inner = self.step_variables(step, env, me)
        if inner is None:
            return
        match step.effect:
            case Move() as move:
                self._move(step.address, move, inner, me)
            case SetState(target=target, to=to):
                for case, seat in self._cases((*target.keys, to), inner, me):
                    value = self.ranges.range_of(to, case, seat)
                    definition = self.rules.states[target.name]
                    if isinstance(definition.type, Number) and isinstance(value, Scalars):
                        value = value.clip(definition.type.low, definition.type.high)
                    for index in self.ranges.places(definition, target.keys, case, seat):
                        self._set(index, value)
            case Roll(target=target, outcomes=outcomes):
                value = Scalars.of(outcome for outcome, weight in outcomes if weight)
                for index in self.ranges.places(self.rules.states[target.name], target.keys, inner, me):
                    self._set(index, value)
            case Leave():
                left = self.rules.states[ELIMINATION_STATE]
                for index in range(left.first_index, left.first_index + left.size):
                    self._set(index, self.ranges.full_range(left.type))
            case Choose():
                seats = me if step.by is None else self._seats_of(step.by, inner, me)
                if step.effect.mode == "together":
                    seats = self.seats
                for action in offered_actions(step.effect):
                    self._follow_action(self.rules.actions[action], seats)
            case RunSteps(block=block, is_procedure=True, arguments=arguments):
                given = {slot: self.ranges.range_of(each, inner, me) for slot, each in enumerate(arguments)}
                self._follow(block, given, me)
            case RunSteps(block=block):
                self._follow(block, inner, me)
            case GiveTurn() | Finish() | Reveal():
                pass
            case _:
                assert_never(step.effect)

    def _seats_of(self, by: Expr, env: Variables, me: Scalars) -> Scalars:
        return self.ranges.elements(by, env, me).elements

    def _set(self, index: int, value: ValueRange) -> None:
        joined = join(self.variables[index], value)
        assert joined is not None
        if joined != self.variables[index]:
            self.variables[index] = joined
            self.changed = True

    # ---- actions -------------------------------------------------------------------------------------------

    def _follow_action(self, action: ActionDef, me: Scalars) -> None:
        env: dict[int, ValueRange] = {}
        for slot, choice in enumerate(action.choices):
            answer = domain_range(self.ranges, choice, env, me)
            if answer is None:
                return
            env[slot] = answer
        for clause in action.clauses:
            if self.ranges.scalars(clause.condition, env, me) == FALSE:
                return
            env = {**self.ranges.narrowed(clause.condition, env, me)}
        if any(isinstance(answer, Scalars) and answer.is_empty for answer in env.values()):
            return
        known = self.choices.get(action.index)
        answers = tuple(env[slot] for slot in range(len(action.choices)))
        if known is not None:
            answers = tuple(_joined(old, new) for old, new in zip(known, answers, strict=True))
        if answers != known:
            self.choices[action.index] = answers
            self.changed = True
        self._follow(action.block, env, me)

    # ---- moves ---------------------------------------------------------------------------------------------

    def _cases(self, exprs: Iterable[Expr | None], env: Variables, me: Scalars) -> Iterator[tuple[Variables, Scalars]]:
        """The variables and the seats in turn one by one where expressions read them, so that what belongs together
        stays together.
        """
        parts = [part for expr in exprs if expr is not None for part in iter_exprs(expr)]
        slots = {part.slot for part in parts if isinstance(part, Local)}
        seats = [me]
        if me.listed is not None and any(isinstance(part, Builtin | ReadValue) for part in parts):
            seats = [Scalars.of((seat,)) for seat in sorted(me.listed)]
        listed: dict[int, Sequence[int]] = {}
        cases = len(seats)
        for slot in sorted(slots):
            known = env.get(slot)
            if isinstance(known, Scalars) and known.listed is not None and cases * len(known.listed) <= MAX_CASES:
                listed[slot] = sorted(known.listed)
                cases *= len(known.listed)
        for values in product(*listed.values()):
            case = {**env, **_constants_at(listed, values)}
            for seat in seats:
                yield case, seat

    def _move(self, address: str, move: Move, env: Variables, me: Scalars) -> None:
        zones, to = self.rules.zones, move.to
        sources = self.move_sources.get(address)
        keys = [key for place in sources or () for key in place.keys]
        of = move.amount.of
        is_separate = isinstance(of, Local) and all(
            part.slot != of.slot for key in (*keys, *to.keys) for part in iter_exprs(key) if isinstance(part, Local)
        )  # all that it can be goes the same ways
        for case, seat in self._cases((None if is_separate else of, *keys, *to.keys), env, me):
            if sources is None:
                origins = list(range(len(self.places)))
            else:
                origins = [each for at in sources for each in self.ranges.places(zones[at.zone], at.keys, case, seat)]
            taken = self._taken(move, case, seat)
            for target in self.ranges.places(zones[to.zone], to.keys, case, seat):
                for origin in origins:
                    if holds_alike(
                        self.rules, self.places[origin].zone.content_type, self.places[target].zone.content_type
                    ):
                        self._move_from(origin, target, taken)

    def _taken(self, move: Move, env: Variables, me: Scalars) -> frozenset[int] | None:
        """The things, or the indexes of pieces in a bag, that a move can take; None: whatever is there."""
        of, zone = move.amount.of, self.rules.zones[move.to.zone]
        if of is None or move.amount.mode in ("top", "random", "up to random", "all"):
            return None
        if isinstance(zone.content_type, Thing):
            return self.ranges.elements(of, env, me).elements.listed
        if isinstance(of.type, Bag):
            bag = self.ranges.bag(of, env, me)
            return frozenset(index for index in bag.members if bag.highs[index])
        members = self.ranges.elements(of, env, me).elements
        return frozenset(
            index for value, index in bag_index(self.rules, zone.content_type.kind).items() if value in members
        )

    def _move_from(self, source: int, to: int, taken: frozenset[int] | None) -> None:
        """Notes that what is in a place can come to another."""
        origin, target = self.places[source], self.places[to]
        if not origin.zone.is_pool:
            things = origin.things if taken is None else origin.things & taken
            if things and not origin.is_source:
                origin.is_source = self.changed = True
            if things and source != to and source not in target.sources:
                target.sources.add(source)
                self.changed = True
            if not things <= target.things:
                target.things |= things
                self.changed = True
            return
        for index in range(len(origin.initial)) if taken is None else taken:
            if source not in target.inflows.setdefault(index, set()):
                target.inflows[index].add(source)
                self.changed = True
        if not origin.is_source:
            origin.is_source = self.changed = True


def _joined(left: ValueRange, right: ValueRange) -> ValueRange:
    joined = join(left, right)
    assert joined is not None
    return joined


def _constants(values: Iterable[int]) -> Variables:
    return {slot: Scalars.of((value,)) for slot, value in enumerate(values)}


def _constants_at(slots: Iterable[int], values: Iterable[int]) -> Variables:
    return {slot: Scalars(value, value, frozenset({value})) for slot, value in zip(slots, values, strict=True)}


__all__ = ["find_position_ranges"]
