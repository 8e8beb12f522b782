"""Which steps are carried out and which conditions can hold, as far as the steps before them say.

In: rules. Out: `FlowResult`: steps that nothing reaches, steps and clauses whose condition an earlier step or condition
has made false, or that a state which begins anew with the turn or round does not meet there. Every section and every
action is followed from any position, but the round from what is known behind the set-up and behind any round; steps in
their order, with what is known after each (`known_conditions.py`). What
runs in several places is only named if it fails in all of them, for every seat in turn. What does not depend on the
order of steps is left to other checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, assert_never

from rulewright.checker.common.emptying_moves import added_to, count_taken
from rulewright.checker.common.names_touched import Names, NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.flow_verdicts import COPY, IDLE, FlowResult, FlowVerdicts
from rulewright.checker.logic.known_conditions import Fact, Known, KnownRanges, assume, with_values
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Builtin,
    Call,
    Constant,
    Expr,
    Local,
    Logic,
    Place,
    ReadZone,
    StateTarget,
)
from rulewright.expr.types import SEAT, Number, SetOf
from rulewright.frozen import replace
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.value_ranges import FALSE, Scalars, ValueRange
from rulewright.model.rules import ResetScope, Rules
from rulewright.model.traversal import offered_actions

OF_STATES: Final = "state."  # how the address of a state begins: what begins anew is known by it
OF_VARIABLES: Final = "variables"  # beside the names that a fact reads: it is lost where variables are others
MAX_FOLLOWED: Final = 2_000  # steps, counted wherever they run; beyond that nothing is said


def find_dead_steps(rules: Rules) -> FlowResult:
    """What never happens because of what comes before."""
    walk = _Walk(rules)
    has_finale = bool(rules.blocks[rules.finale].steps)
    for seat in range(rules.players):
        if not walk.run(Scalars.of((seat,))):
            return FlowResult()
        if not (walk.verdicts.dead or has_finale or (walk.end is not None and walk.end.empty)):
            return FlowResult()
    return walk.result()


class _TooMuch(Exception):
    """The steps run in too many places."""


class _Walk:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.declared = find_declared_ranges(rules)
        self.names = NamesTouched(rules)
        self.seats = Scalars.between(0, rules.players - 1)
        self.state_names = [""] * len(self.declared.variables)  # of the state variables, by number
        for state in rules.states.values():
            self.state_names[state.first_index : state.first_index + state.size] = [state.name] * state.size
        self.fresh = Known(self.declared.variables, {}, {})
        self.parameters = ParameterReads(rules)
        self.bare = self._ranges(self.fresh)
        self.verdicts = FlowVerdicts()
        self.running: set[int] = set()  # actions that are being followed
        self.entered: set[int] = set()  # actions that are followed from anywhere, by any seat
        self.followed = 0
        self.round_start: Known | None = None  # what is known wherever a round begins, once that is found
        self.end: Known | None = None  # what is known wherever the game has ended so far
        self.ends_later = False  # with the round

    def _ranges(self, known: Known) -> KnownRanges:
        return KnownRanges(self.rules, self.declared.contents, known, self.parameters)

    def run(self, me: Scalars) -> bool:
        """Follows all rules with one seat in turn; returns whether they could all be followed."""
        self.entered = set()
        rules = self.rules
        try:
            if self.round_start is None:
                self.round_start = self._at_round_start()
            self._block(rules.turn, self._begun("turn"), me)
            after_round = self._block(rules.round, self.round_start, self.seats)
            if self.ends_later and after_round is not None:
                self.end = after_round.join(self.end)
            self._set_up()
        except _TooMuch:
            return False
        return True

    def _set_up(self) -> Known | None:
        return self._block(self.rules.setup, replace(self.fresh, empty=dict(self._empty_at_first())), self.seats)

    def _at_round_start(self) -> Known:
        """What is known where any round begins: which places are empty behind the set-up and behind every round, and
        the states that begin anew.
        """
        begun = self._begun("round")
        trial = _Walk(self.rules)  # which notes what it finds elsewhere: behind a round from anywhere
        after_round = trial._block(self.rules.round, begun, self.seats)
        after_setup = trial._set_up()
        if after_setup is None:
            return begun
        after_any = after_setup if after_round is None else after_round.join(after_setup)
        return replace(begun, empty=after_any.empty)

    def _empty_at_first(self) -> Iterator[tuple[int, tuple[str, str]]]:
        """The places in which nothing is before the set-up, whatever the parameters are."""
        components = self.rules.components.values()
        started = {each.initial_place.zone for each in components if each.initial_place is not None}
        for zone in self.rules.zones.values():
            if zone.initial_content is None and zone.refill is None and zone.name not in started:
                for place in range(zone.first_index, zone.first_index + zone.size):
                    yield place, (zone.name, zone.address)

    def _begun(self, scope: ResetScope) -> Known:
        """What is known where a turn or round begins: the start of each state that begins anew then."""
        variables, set_by = list(self.fresh.variables), dict[int, str]()
        for state in self.rules.states.values():
            if state.reset_scope != scope or self.parameters.are_in(state.initial_value):
                continue
            for number, keys in enumerate(product(*state.key_values), start=state.first_index):
                env: dict[int, ValueRange] = {slot: Scalars.of((key,)) for slot, key in enumerate(keys)}
                variables[number] = self.bare.range_of(state.initial_value, env, self.seats)
                set_by[number] = state.address
        return replace(self.fresh, variables=tuple(variables), set_by=set_by)

    def result(self) -> FlowResult:
        """What failed wherever it was reached, once the finale is followed, too, from wherever the game can end."""
        is_known = self.end is not None and not self.rules.has_elimination  # else it also ends when nobody is left
        over = self.end if is_known and self.end is not None else self.fresh
        self.followed = 0
        try:
            over = self._block(self.rules.finale, over, self.seats) or over
        except _TooMuch:
            return FlowResult()
        return self.verdicts.result(over if is_known else None)

    # ---- steps ---------------------------------------------------------------------------------------------

    def _block(self, block: int, known: Known, me: Scalars) -> Known | None:
        """Follows the steps of a block; returns what is known behind it, None if nothing comes behind it."""
        steps = self.rules.blocks[block].steps
        for index, step in enumerate(steps):
            after = self._step(step, known, me)
            if after is None:
                for unreached in steps[index + 1 :]:
                    self.verdicts.note(unreached.address, unreached, (step.address,), is_reached=False)
                return None
            known = after
        return known

    def _step(self, step: Step, known: Known, me: Scalars) -> Known | None:
        self.followed += 1
        if self.followed > MAX_FOLLOWED:
            raise _TooMuch
        is_loop = step.is_repeated
        if is_loop:
            if self._goes_through_nothing(step, known, me):
                return known.join(self._after_writes(step, known))
            known = self._after_writes(step, known)
        passed: Known | None = None
        around = known  # whether the steps of a loop are carried out or not
        if step.while_condition is not None:
            ranges = self._ranges(known)
            known = assume(
                known, step.while_condition, ranges, self.names, me, holds=True, address=f"{step.address}.while"
            )
        if step.when is not None:
            ranges = self._ranges(known)
            if self._can_tell(known, step.when) and ranges.scalars(step.when, {}, me) == FALSE and ranges.used:
                failing = self._failing_side(step.when, known, me)
                self.verdicts.note(step.address, step, tuple(dict.fromkeys(ranges.used)), condition=failing)
                # what follows is told when this is mended, so it is judged as if the condition could hold
                return known.join(self._after_writes(step, known))
            self.verdicts.note_alive(step.address)
            passed = assume(known, step.when, ranges, self.names, me, holds=False, address=step.address)
            if not is_loop:
                known = assume(known, step.when, ranges, self.names, me, holds=True, address=step.address)
        else:
            self.verdicts.note_alive(step.address)
        after = self._effect(step, known, me, is_loop=is_loop)
        if is_loop:
            everywhere = self._set_everywhere(step, known, me)
            if everywhere is not None:
                return everywhere
            passed = around if after is not None else passed or around
        if after is None:
            return passed
        return after.join(passed)

    def _failing_side(self, condition: Expr, known: Known, me: Scalars) -> Expr:
        """Of what has to hold together the one part that fails by what is known; all of it where there are more."""
        if not isinstance(condition, Logic) or condition.op != "and":
            return condition
        sides = (condition.left, condition.right)
        failing = [
            side for side in sides if self._can_tell(known, side) and self._ranges(known).scalars(side, {}, me) == FALSE
        ]
        return self._failing_side(failing[0], known, me) if len(failing) == 1 else condition

    def _goes_through_nothing(self, step: Step, known: Known, me: Scalars) -> bool:
        """Whether a loop has nothing to go through; notes it."""
        each = step.for_each
        if each is None or (not known.empty and not known.facts and not known.set_by):
            return False
        ranges = self._ranges(known)
        if known.empty and isinstance(each.over.type, SetOf) and self._can_tell(known, each.over):
            over = ranges.elements(each.over, {}, me)
            if over.most == 0 and ranges.used:
                self.verdicts.note(f"{step.address}.for_each", step, tuple(dict.fromkeys(ranges.used)), key="for_each")
                return True
        if each.condition is not None and self._can_tell(known, each.condition):
            ranges = self._ranges(known)
            if ranges.scalars(each.condition, {}, me) == FALSE and ranges.used:
                causes = tuple(dict.fromkeys(ranges.used))
                self.verdicts.note(f"{step.address}.for_each", step, causes, key="for_each", condition=each.condition)
                return True
        self.verdicts.note_alive(f"{step.address}.for_each")
        return False

    def _effect(self, step: Step, known: Known, me: Scalars, *, is_loop: bool) -> Known | None:
        """What is known after a step was carried out once."""
        match step.effect:
            case Finish(when="now"):
                self.end = known.join(self.end)
                return known if is_loop else None
            case RunSteps(block=block, is_procedure=False):
                after = self._block(block, known, me)
                return self._after_writes(step, known) if after is not None and is_loop else after
            case RunSteps(block=block):
                self._block(block, self._without(known, frozenset({OF_VARIABLES})), me)
            case Choose() as choose:
                self._choose(step, choose, known, me)
            case SetState(to=to):
                value = None if self.parameters.are_in(to) else self._ranges(known).range_of(to, {}, me)
                self._judge_sum(step, step.effect.target, to, known, me)
                self._judge_copy(step, step.effect.target, to, known, me)
                return self._after_set(step, step.effect.target, value, known, me)
            case Roll(target=target, outcomes=outcomes):
                value = Scalars.of(outcome for outcome, weight in outcomes if weight)
                return self._after_set(step, target, value, known, me)
            case Move(source=source, amount=amount) as move:
                self._judge_content(step, "move", source or amount.of, known, me)
                return self._after_move(step, move, known, me)
            case Finish():
                self.ends_later = True
            case Reveal(what=what):
                self._judge_content(step, "reveal", what, known, me)
            case GiveTurn() | Leave():
                pass
            case _:
                assert_never(step.effect)
        return self._after_writes(step, known)

    def _after_move(self, step: Step, move: Move, known: Known, me: Scalars) -> Known:
        """After things or pieces were moved: the places that all of it was taken from are empty."""
        after = self._after_writes(step, known)
        count = count_taken(move) if step.for_each is None else None
        if count is not None and move.to.zone != count.name and self.rules.zones[count.name].refill is None:
            nothing = Fact(FALSE, self.names.read(count) | {OF_VARIABLES}, step.address)
            return replace(after, facts={**after.facts, ("number", structural_key(count)): nothing})
        taken = move.source if move.amount.mode == "all" else move.amount.of
        each = step.for_each
        if each is not None and isinstance(taken, Local) and taken.slot == each.slot and each.condition is None:
            taken = each.over  # one after another, until none is left
        if not isinstance(taken, Place | ReadZone) or move.amount.mode not in ("all", "exactly"):
            return after
        if isinstance(taken, ReadZone) and taken.member is not None:
            return after
        name = taken.zone if isinstance(taken, Place) else taken.name
        zone = self.rules.zones[name]
        places = self.bare.places(zone, taken.keys, {}, me)
        if zone.refill is not None or name == move.to.zone or (step.when is not None and each is not None):
            return after
        is_of_each_seat = (
            each is not None
            and each.condition is None
            and isinstance(each.over, Builtin)
            and each.over.name == SEAT.kind
            and len(taken.keys) == 1
            and isinstance(taken.keys[0], Local)
            and taken.keys[0].slot == each.slot
        )
        if len(places) != 1 and taken.keys and not is_of_each_seat:
            return after
        return replace(after, empty={**after.empty, **dict.fromkeys(places, (name, step.address))})

    def _judge_sum(self, step: Step, target: StateTarget, to: Expr, known: Known, me: Scalars) -> None:
        """Notes a step that adds nothing to a state or takes nothing off."""
        address = f"{step.address}.{IDLE}"
        added = added_to(target, to)
        if added is not None and self._can_tell(known, added):
            ranges = self._ranges(known)
            if ranges.scalars(added, {}, me).single == 0 and ranges.used:
                self.verdicts.note(address, step, tuple(dict.fromkeys(ranges.used)), key=IDLE)
                return
        self.verdicts.note_alive(address)

    def _judge_copy(self, step: Step, target: StateTarget, to: Expr, known: Known, me: Scalars) -> None:
        """Notes a step that takes over what another state is, which has begun anew just before."""
        address = f"{step.address}.{COPY}"
        if known.set_by and target.name not in self.names.read(to) and self._can_tell(known, to):
            ranges = self._ranges(known)
            found = ranges.range_of(to, {}, me)
            is_begun = ranges.used and all(cause.startswith(OF_STATES) for cause in ranges.used)
            if isinstance(found, Scalars) and found.single is not None and is_begun:
                self.verdicts.note(address, step, tuple(dict.fromkeys(ranges.used)), key=COPY)
                return
        self.verdicts.note_alive(address)

    def _judge_content(self, step: Step, key: str, taken: Expr | Place | None, known: Known, me: Scalars) -> None:
        """Notes a step that moves or shows what is not there, since its places are empty."""
        address = f"{step.address}.{key}"
        if isinstance(taken, Call) and self._can_tell(known, taken):
            ranges = self._ranges(known)
            if isinstance(taken.type, SetOf) and ranges.elements(taken, {}, me).most == 0 and ranges.used:
                self.verdicts.note(address, step, tuple(dict.fromkeys(ranges.used)), key=key)
                return
        if known.empty and isinstance(taken, Place | ReadZone) and (isinstance(taken, Place) or taken.member is None):
            name = taken.zone if isinstance(taken, Place) else taken.name
            places = self.bare.places(self.rules.zones[name], taken.keys, {}, me)
            if places and all(place in known.empty for place in places):
                causes = tuple(dict.fromkeys(known.empty[place][1] for place in places))
                if step.when is not None or causes != (step.address,):  # else only a step of the last round emptied it
                    self.verdicts.note(address, step, causes, key=key)
                    return
        self.verdicts.note_alive(address)

    def _after_writes(self, step: Step, known: Known) -> Known:
        """What is still known after a step, whatever exactly it did. What a move takes from stays empty if it was."""
        after = self._without(known, self.names.written(step))
        if not isinstance(step.effect, Move) or len(after.empty) == len(known.empty):
            return after
        to = step.effect.to.zone
        return replace(after, empty={place: why for place, why in known.empty.items() if why[0] != to})

    def _without(self, known: Known, names: Names) -> Known:
        numbers = frozenset(index for index, name in enumerate(self.state_names) if name in names)
        return known.without(names, numbers, self.declared.variables)

    def _can_tell(self, known: Known, condition: Expr) -> bool:
        """Whether what is known can say anything of a condition."""
        if not known.facts and not known.set_by and not known.empty:
            return False
        names = self.names.read(condition)
        return (
            any(zone in names for zone, _ in known.empty.values())
            or any(self.state_names[index] in names for index in known.set_by)
            or any(fact.reads & names for fact in known.facts.values())
        )

    def _after_set(self, step: Step, target: StateTarget, value: ValueRange | None, known: Known, me: Scalars) -> Known:
        """After a state variable was set or rolled; `value`: None where that depends on parameters."""
        definition = self.rules.states[target.name]
        places = frozenset(self.bare.places(definition, target.keys, {}, me))
        if step.for_each is not None:
            return self._after_writes(step, known)
        after = known.without(frozenset({target.name}), places, self.declared.variables)
        if len(places) != 1 or value is None:
            return after
        if isinstance(definition.type, Number) and isinstance(value, Scalars):
            if step.when is None and (value.low < definition.type.low or value.high > definition.type.high):
                return after  # it can fail here, and what comes behind it may be meant otherwise
            value = value.clip(definition.type.low, definition.type.high)
        if isinstance(value, Scalars) and value.is_empty:
            return after
        variables = with_values(after.variables, dict.fromkeys(places, value))
        return replace(after, variables=variables, set_by={**after.set_by, **dict.fromkeys(places, step.address)})

    def _set_everywhere(self, step: Step, known: Known, me: Scalars) -> Known | None:
        """After a loop over all seats that sets the variable of each to the same constant, or that empties the place of
        each or what it goes through; None for other loops.
        """
        each = step.for_each
        if each is None or step.when or step.times or step.while_condition or each.condition is not None:
            return None
        if isinstance(step.effect, Move):
            after = self._after_move(step, step.effect, known, me)
            return after if after.empty != known.empty else None
        if not isinstance(step.effect, SetState) or not isinstance(step.effect.to, Constant):
            return None
        is_all = isinstance(each.over, Builtin) and each.over.name == SEAT.kind
        keys = step.effect.target.keys
        if not is_all or len(keys) != 1 or not isinstance(keys[0], Local) or keys[0].slot != each.slot:
            return None
        definition = self.rules.states[step.effect.target.name]
        value = self.bare.range_of(step.effect.to, {}, self.seats)
        numbers = range(definition.first_index, definition.first_index + definition.size)
        variables = with_values(known.variables, dict.fromkeys(numbers, value))
        return replace(known, variables=variables, set_by={**known.set_by, **dict.fromkeys(numbers, step.address)})

    # ---- decisions -----------------------------------------------------------------------------------------

    def _choose(self, step: Step, choose: Choose, known: Known, me: Scalars) -> None:
        is_own = step.by is None and choose.mode != "together"
        clauses = {offer.action: offer.clauses for offer in choose.offers}
        for index in offered_actions(choose):
            action = self.rules.actions[index]
            if is_own and index not in self.running:
                self.running.add(index)
                self._action(action, clauses.get(index, ()), known, me)
                self.running.discard(index)
            elif index not in self.entered:
                self.entered.add(index)
                self._action(action, (), self.fresh, self.seats)

    def _action(self, action: ActionDef, offered: Iterable[Clause], known: Known, me: Scalars) -> None:
        """Follows an action from where it is offered."""
        known = self._without(known, frozenset({OF_VARIABLES}))
        for clause in (*action.clauses, *offered):
            ranges = self._ranges(known)
            condition: Expr = clause.condition
            is_dead = self._can_tell(known, condition) and ranges.scalars(condition, {}, me) == FALSE
            if is_dead and ranges.used and not all(cause.startswith(f"{action.address}.") for cause in ranges.used):
                self.verdicts.note(clause.address, clause, tuple(dict.fromkeys(ranges.used)))
                return
            self.verdicts.note_alive(clause.address)
            known = assume(known, condition, ranges, self.names, me, holds=True, address=clause.address)
        self._block(action.block, known, me)


__all__ = ["find_dead_steps"]
