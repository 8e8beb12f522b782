"""What expressions, choices, clauses, steps, blocks and actions read and write.

In: rules and what positions can be. Out: accesses: zones and state variables with their keys as far as they are known,
and what else a game keeps (what seats know, whose turns follow, how it ends). What is not declared as read cannot
change a value, what is not declared as written is not changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, assert_never

from rulewright.expr.tree import (
    Builtin,
    Call,
    Expr,
    Extremum,
    Filter,
    Local,
    Quantifier,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import SetOf
from rulewright.expr.walk import child_exprs, is_me
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.facts.value_ranges import Scalars, ValueRange
from rulewright.model.rules import ELIMINATION_STATE, Rules, StateDef, ZoneDef
from rulewright.model.traversal import choice_exprs, offered_actions, step_exprs

AccessKind = Literal["zone", "state", "knowledge", "turns", "round", "end"]
NO_ACCESS: Final[frozenset[Access]] = frozenset()


@frozen
class KeyChoice:
    """The values of a key by their index among all it runs over. `is_me`: it is the seat in turn."""

    indexes: frozenset[int]
    is_me: bool = False


@frozen
class Access:
    """Something that is read or written. `name` and `keys`: of a zone (also for what is known of it) or state."""

    kind: AccessKind
    name: str = ""
    keys: tuple[KeyChoice, ...] = ()

    def overlaps(self, other: Access) -> bool:
        """Whether both can mean the same place."""
        return (self.kind, self.name) == (other.kind, other.name) and all(
            key.indexes & other_key.indexes for key, other_key in zip(self.keys, other.keys, strict=True)
        )

    def contains(self, other: Access) -> bool:
        """Whether it means every place that another means, and is not the same places said less exactly."""
        pairs = (
            list(zip(self.keys, other.keys, strict=True)) if (self.kind, self.name) == (other.kind, other.name) else []
        )
        return any(key != other_key for key, other_key in pairs) and all(
            not key.is_me and other_key.indexes <= key.indexes for key, other_key in pairs
        )


@frozen
class Accesses:
    """What something reads and writes."""

    reads: frozenset[Access] = NO_ACCESS
    writes: frozenset[Access] = NO_ACCESS

    def __or__(self, other: Accesses) -> Accesses:
        return Accesses(self.reads | other.reads, self.writes | other.writes)


class AccessFinder:
    """Finds the accesses of one rule model."""

    def __init__(self, rules: Rules, positions: PositionRanges) -> None:
        self.rules = rules
        self.positions = positions
        self.ranges = ExpressionRanges(rules, positions.contents, positions.variables)
        self.seats = self.ranges.seats
        self._move_sources = find_move_sources(rules)
        self._values: dict[tuple[object, ...], frozenset[Access]] = {}
        self._running: set[int] = set()  # blocks that are being looked at

    # ---- expressions ---------------------------------------------------------------------------------------

    def reads(self, expr: Expr, env: Variables, me: Scalars) -> frozenset[Access]:
        """What an expression reads. `env`: what its variables can be."""
        found: set[Access] = set()
        self._collect(expr, env, me, found)
        return frozenset(found)

    def _collect(
        self, expr: Expr, env: Variables, me: Scalars, found: set[Access], own: frozenset[int] = frozenset()
    ) -> None:
        """Adds what an expression reads. `own`: the variables that are the seat in turn, by slot."""
        match expr:
            case ReadZone(name=name, keys=keys):
                found.add(self._zone(self.rules.zones[name], keys, env, me, own=own))
            case ReadState(name=name, keys=keys):
                found.add(Access("state", name, self.keys(self.rules.states[name], keys, env, me, own)))
            case ReadValue(name=name, keys=keys):
                ranges = tuple(self.ranges.range_of(key, env, me) for key in keys)
                found |= self.value_reads(name, ranges, me, _own_slots(keys, own))
            case Call(action=action) if action:
                definition = self.rules.find_action(action)
                assert definition is not None
                found |= self.legality_reads(definition, me)
            case Builtin(name=name):
                found.update(self._builtin(name))
            case Call(function="next" | "everyone_from") if self.rules.has_elimination:
                found.add(self._whole_state(ELIMINATION_STATE))
            case Quantifier() | Filter() | Sum() | Extremum():
                env = {**env, expr.slot: self.ranges.elements(expr.over, env, me).elements}
        for child in child_exprs(expr):
            self._collect(child, env, me, found, own)

    def _builtin(self, name: str) -> Iterable[Access]:
        if name == "round_number":
            return (Access("round"),)
        if name in ("everyone", "others", "opponents") and self.rules.has_elimination:
            return (self._whole_state(ELIMINATION_STATE),)
        return ()

    def _whole_state(self, name: str) -> Access:
        return Access("state", name, self.keys(self.rules.states[name], (), {}, self.seats))

    def value_reads(
        self, name: str, keys: tuple[ValueRange, ...], me: Scalars, own: frozenset[int] = frozenset()
    ) -> frozenset[Access]:
        """What a derived value reads, for keys of such ranges. `own`: the keys that are the seat in turn."""
        memo = (name, me, own, *keys)
        if memo not in self._values:
            definition, env = self.rules.values[name], dict(enumerate(keys))
            found: set[Access] = set()
            for _, term in (*definition.terms, *definition.deductions):
                self._collect(term, env, me, found, own)
            self._values[memo] = frozenset(found)
        return self._values[memo]

    def keys(
        self,
        definition: ZoneDef | StateDef,
        keys: tuple[Expr, ...],
        env: Variables,
        me: Scalars,
        own: frozenset[int] = frozenset(),
    ) -> tuple[KeyChoice, ...]:
        """What the keys of a zone or state can be."""
        choices, mine = self.ranges.key_choices(definition, keys, env, me), _own_slots(keys, own)
        return tuple(KeyChoice(frozenset(chosen), index in mine) for index, chosen in enumerate(choices))

    def _zone(
        self,
        zone: ZoneDef,
        keys: tuple[Expr, ...],
        env: Variables,
        me: Scalars,
        kind: AccessKind = "zone",
        own: frozenset[int] = frozenset(),
    ) -> Access:
        return Access(kind, zone.name, self.keys(zone, keys, env, me, own))

    # ---- actions -------------------------------------------------------------------------------------------

    def legality_reads(self, action: ActionDef, me: Scalars) -> frozenset[Access]:
        """What decides whether an action is possible, and with which answers."""
        memo = ("action", action.index, me)
        if memo not in self._values:
            self._values[memo] = NO_ACCESS  # what it needs of itself adds nothing
            env = self._answers(action)
            exprs = [expr for choice in action.choices for expr in choice_exprs(choice)]
            exprs += [clause.condition for clause in action.clauses]
            self._values[memo] = frozenset().union(*(self.reads(expr, env, me) for expr in exprs))
        return self._values[memo]

    def _answers(self, action: ActionDef) -> Variables:
        return dict(enumerate(self.positions.choices.get(action.index, ())))

    def action(self, action: ActionDef, me: Scalars | None = None) -> Accesses:
        """What an action reads and writes: its choices, its clauses and all that it does."""
        me = me or self.seats
        return Accesses(self.legality_reads(action, me)) | self.block(action.block)

    # ---- steps ---------------------------------------------------------------------------------------------

    def block(self, block: int) -> Accesses:
        """What the steps of a block read and write, with all that they run; nothing for one that is never reached."""
        found, known = Accesses(), self.positions.blocks.get(block)
        if known is None or block in self._running:
            return found
        if block == self.rules.round:  # a round that begins sets back what lasts a round
            found = Accesses(writes=self._resets("round"))
        self._running.add(block)
        for step in self.rules.blocks[block].steps:
            found |= self.step(step, known.variables, known.me)
        self._running.discard(block)
        return found

    def step(self, step: Step, env: Variables, me: Scalars) -> Accesses:
        """What a step reads and writes, with all that it runs or offers, and what then refills itself."""
        found = self.own(step, env, me)
        match step.effect:
            case RunSteps(block=block):
                found |= self.block(block)
            case GiveTurn(is_extra=False):
                found |= _of_anyone(self.block(self.rules.turn))
            case Choose():
                is_own = step.by is None and step.effect.mode != "together"
                for action in offered_actions(step.effect):
                    done = self.action(self.rules.actions[action])
                    found |= done if is_own else _of_anyone(done)
        return found

    def own(self, step: Step, env: Variables, me: Scalars) -> Accesses:
        """What a step itself reads and writes, and what then refills itself."""
        if step.for_each is not None:
            env = {**env, step.for_each.slot: self.ranges.elements(step.for_each.over, env, me).elements}
        reads = frozenset().union(*(self.reads(expr, env, me) for expr in step_exprs(step)))
        if isinstance(step.effect, Choose):
            for offer in step.effect.offers:
                answers = self._answers(self.rules.actions[offer.action])
                reads = reads.union(*(self.reads(clause.condition, answers, self.seats) for clause in offer.clauses))
        if self.rules.has_elimination and isinstance(step.effect, Choose | GiveTurn):  # who has left is passed over
            reads |= {self._whole_state(ELIMINATION_STATE)}
        writes = self._writes(step, env, me)
        if isinstance(step.effect, Move):
            sources = self._sources(step.address, self.rules.zones[step.effect.to.zone])
            reads |= {self._zone(zone, keys, env, me) for zone, keys in sources}
        return self._with_refills(Accesses(reads, writes))

    def _writes(self, step: Step, env: Variables, me: Scalars) -> frozenset[Access]:
        match step.effect:
            case Move() as move:
                return self._move_writes(step.address, move, env, me)
            case SetState(target=target) | Roll(target=target):
                definition = self.rules.states[target.name]
                return frozenset({Access("state", target.name, self.keys(definition, target.keys, env, me))})
            case Reveal(what=what):
                thing = what.type.element if isinstance(what.type, SetOf) else what.type
                return frozenset(
                    self._zone(zone, (), {}, self.seats, "knowledge")
                    for zone in self.rules.zones.values()
                    if zone.content_type == thing
                )
            case GiveTurn():  # a turn that begins sets back what lasts a turn
                return frozenset({Access("turns")}) | self._resets("turn")
            case Finish():
                return frozenset({Access("end")})
            case Leave():
                return frozenset({self._whole_state(ELIMINATION_STATE), Access("turns"), Access("end")})
            case RunSteps(block=block):
                return self._block_states(block)
            case Choose():
                return NO_ACCESS
            case _:
                assert_never(step.effect)

    def _resets(self, scope: str) -> frozenset[Access]:
        """The states that are set back when a turn or a round begins."""
        names = [state.name for state in self.rules.states.values() if state.reset_scope == scope]
        return frozenset(map(self._whole_state, names))

    def _block_states(self, block: int) -> frozenset[Access]:
        """The variables that begin anew with a block, and again when it ends."""
        address = self.rules.blocks[block].address
        names = [state.name for state in self.rules.states.values() if state.block_address == address]
        return frozenset(map(self._whole_state, names))

    def _move_writes(self, address: str, move: Move, env: Variables, me: Scalars) -> frozenset[Access]:
        target = self.rules.zones[move.to.zone]
        places = [(target, move.to.keys), *self._sources(address, target)]
        found = {self._zone(zone, keys, env, me) for zone, keys in places}
        if any(zone.seen_by != "all" for zone, _ in places):
            found |= {self._zone(zone, keys, env, me, "knowledge") for zone, keys in places}
        return frozenset(found)

    def sources(self, step: Step, env: Variables, me: Scalars) -> frozenset[Access] | None:
        """The places from which a move takes; None: from wherever the things lie."""
        assert isinstance(step.effect, Move)
        if step.address not in self._move_sources:
            return None
        if step.for_each is not None:
            env = {**env, step.for_each.slot: self.ranges.elements(step.for_each.over, env, me).elements}
        places = self._sources(step.address, self.rules.zones[step.effect.to.zone])
        return frozenset(self._zone(zone, keys, env, me) for zone, keys in places)

    def _sources(self, address: str, target: ZoneDef) -> list[tuple[ZoneDef, tuple[Expr, ...]]]:
        """From where a step takes, each zone with its keys."""
        places = self._move_sources.get(address)
        if places is None:  # things come from wherever they are
            return [(zone, ()) for zone in self.rules.zones.values() if zone.content_type == target.content_type]
        return [(self.rules.zones[place.zone], place.keys) for place in places]

    def _with_refills(self, accesses: Accesses) -> Accesses:
        """With the places that fill themselves when something was taken from them, or came to where they draw from."""
        found = accesses
        while True:
            added = set()
            for zone in self.rules.zones.values():
                if zone.refill is None:
                    continue
                source = self.rules.zones[zone.refill.zone]
                places = [self._zone(zone, (), {}, self.seats), self._zone(source, (), {}, self.seats)]
                if any(write.overlaps(place) for write in found.writes for place in places):
                    added |= {*places, *(Access("knowledge", place.name, place.keys) for place in places)}
            if added <= found.writes:
                return found
            found |= Accesses(frozenset(each for each in added if each.kind == "zone"), frozenset(added))


def _of_anyone(accesses: Accesses) -> Accesses:
    """The same accesses as seen from a step in which another seat is in turn."""
    return Accesses(frozenset(map(_of_any_seat, accesses.reads)), frozenset(map(_of_any_seat, accesses.writes)))


def _of_any_seat(access: Access) -> Access:
    return Access(access.kind, access.name, tuple(KeyChoice(key.indexes) for key in access.keys))


def _own_slots(keys: tuple[Expr, ...], own: frozenset[int]) -> frozenset[int]:
    """Which of some keys are the seat in turn."""
    return frozenset(
        index for index, key in enumerate(keys) if is_me(key) or (isinstance(key, Local) and key.slot in own)
    )


__all__ = ["Access", "AccessFinder", "AccessKind", "Accesses", "KeyChoice"]
