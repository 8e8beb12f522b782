"""How much a place can hold, by how much steps can bring to it.

In: rules, and ranges of what their steps move. Out: for each zone the most that a place of it can hold: where only the
set-up and the end bring anything, all that; where an invariant says how much it holds after each turn, that much
and all that the steps from one turn's end to the next can bring.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rulewright.expr.tree import SIDES_SWAPPED, Builtin, Call, Compare, Constant, Expr, Local, Quantifier, ReadZone
from rulewright.expr.types import SEAT, Bag
from rulewright.expr.walk import find_position_read, is_all_seats, is_me
from rulewright.model.effects import (
    Choose,
    Effect,
    Finish,
    GiveTurn,
    Leave,
    Move,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    Step,
)
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.found_ranges import BlockRanges
from rulewright.model.facts.value_ranges import UNBOUNDED, Scalars
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import filled_zones, offered_actions


class Growth:
    """The most that places can hold, by zone. It only grows while more of the rules is known to be reached."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.limits = self._turn_limits()
        self._gains = {zone.name: (0, 0, 0) for zone in rules.zones.values() if zone.refill is None}
        self._guards = {zone: guards for zone in self._gains if (guards := self._guarding_actions(zone))}
        self._has_given_up = False
        self._ranges: ExpressionRanges | None = None
        self._blocks: Mapping[int, BlockRanges] = {}
        self._running: set[int] = set()

    def update(self, ranges: ExpressionRanges, blocks: Mapping[int, BlockRanges]) -> bool:
        """Takes notice of what is known now to be reached, and with which variables; whether that changes anything."""
        self._ranges, self._blocks = ranges, blocks
        rules, before = self.rules, dict(self._gains)
        for zone in self._gains:
            setup, finale = self._block_gain(zone, rules.setup), self._block_gain(zone, rules.finale)
            self._gains[zone] = setup, self._block_gain(zone, rules.round) + self._block_gain(zone, rules.turn), finale
        return self._gains != before

    def give_up(self) -> None:
        """Forgets all that it knew: what places hold and what steps bring feed one another."""
        self._has_given_up = True

    def most(self, zone: ZoneDef, initial: int) -> int:
        """The most that a place of a zone can hold at once which holds so much at first."""
        if self._has_given_up or zone.name not in self._gains:
            return UNBOUNDED
        setup, turn, finale = self._gains[zone.name]
        limit, most = self.limits.get(zone.name), self.most_ever(zone, initial)
        if limit is not None:
            most = min(most, max(limit, initial + setup) + turn + finale)
        if zone.name in self._guards:
            guards = self._guards[zone.name]
            after = [bound + self._block_gain(zone.name, block) for block, bound in guards.items()]
            most = min(most, max(initial + setup, *after) + finale)
        return most

    def most_ever(self, zone: ZoneDef, initial: int) -> int:
        """The most that can ever have been in a place, at once or one after another."""
        if self._has_given_up or zone.name not in self._gains:
            return UNBOUNDED
        setup, turn, finale = self._gains[zone.name]
        return UNBOUNDED if turn else initial + setup + finale

    def _turn_limits(self) -> dict[str, int]:
        """What an invariant says that each place of a zone holds at most after every turn.

        None where a turn can begin inside another, or a round can go by without one.
        """
        if self.rules.has_elimination or self._has_inner_turns() or not self._has_turn_each_round():
            return {}
        limits: dict[str, int] = {}
        ranges = ExpressionRanges(self.rules, (), ())
        for invariant in self.rules.invariants:
            found = _limited_zone(invariant.condition) if invariant.after in ("step", "turn") else None
            if found is None:
                continue
            name, bound, is_strict, over = found
            zone = self.rules.zones[name]
            is_whole = len(zone.key_types) == 1 and self._is_of_all(over, zone)
            if zone.refill is None and is_whole and find_position_read(bound) is None:
                most = ranges.scalars(bound, {}, ranges.seats).high - is_strict
                limits[name] = min(most, limits.get(name, most))
        return limits

    def _is_of_all(self, over: Expr, zone: ZoneDef) -> bool:
        """Whether a set has every value of the key of a zone."""
        if isinstance(over, Builtin):
            return zone.key_types[0] == SEAT
        return isinstance(over, Constant) and isinstance(over.value, tuple) and {*zone.key_values[0]} <= {*over.value}

    def _has_inner_turns(self) -> bool:
        """Whether a turn can begin elsewhere than in the steps of a round."""
        return any(
            isinstance(step.effect, GiveTurn) and not step.effect.is_extra
            for number, block in enumerate(self.rules.blocks)
            for step in block.steps
            if number != self.rules.round
        )

    def _guarding_actions(self, zone: str) -> dict[int, int]:
        """The blocks of the actions that bring something to the seat's own place of a zone, and how much it holds at
        most before: `when: count(ZONE(me)) < BOUND`. None where anything but these, the set-up and the end brings more.
        """
        guards: dict[int, int] = {}
        if self._has_choices_together() or self._has_inner_turns():
            return {}
        actions = {action.block: action for action in self.rules.actions}
        for number, block in enumerate(self.rules.blocks):
            bringing = [step.effect for step in block.steps if zone in filled_zones([step])]
            if not bringing or number in (self.rules.setup, self.rules.finale):
                continue
            clauses = actions[number].clauses if number in actions else ()
            known = [bound for clause in clauses if (bound := self._guard(zone, clause.condition)) is not None]
            if not known or not all(map(_goes_to_own_place, bringing)):
                return {}
            guards[number] = min(known)
        return guards

    def _has_choices_together(self) -> bool:
        """Whether actions can be carried out later than they were chosen."""
        effects = [step.effect for block in self.rules.blocks for step in block.steps]
        return any(isinstance(effect, Choose) and effect.mode == "together" for effect in effects)

    def _guard(self, zone: str, condition: Expr) -> int | None:
        """The most of `count(ZONE(me))` for which a condition holds, if it is about that."""
        if not isinstance(condition, Compare):
            return None
        left, right = condition.left, condition.right
        op: str = condition.op
        if not isinstance(left, Call):
            left, op, right = right, SIDES_SWAPPED.get(condition.op, condition.op), left
        read = left.args[0] if isinstance(left, Call) and left.function == "count" else None
        if op not in ("<", "<=") or not isinstance(read, ReadZone) or read.name != zone or read.member is not None:
            return None
        if len(read.keys) != 1 or not is_me(read.keys[0]) or find_position_read(right) is not None:
            return None
        ranges = ExpressionRanges(self.rules, (), ())
        return ranges.scalars(right, {}, ranges.seats).high - (op == "<")

    def _has_turn_each_round(self) -> bool:
        """Whether every round that is played to its end has a turn."""
        for step in self.rules.blocks[self.rules.round].steps:
            if not isinstance(step.effect, GiveTurn) or step.effect.is_extra or step.when or step.times:
                continue
            each = step.for_each
            is_all = each is not None and isinstance(each.over, Builtin) and each.over.name == SEAT.kind
            if each is None or (is_all and each.condition is None):
                return True
        return False

    # ---- what steps bring ----------------------------------------------------------------------------------

    def _block_gain(self, zone: str, block: int) -> int:
        """The most that one run of a block brings to a place of a zone."""
        if block in self._running:
            return UNBOUNDED
        known = self._blocks.get(block)
        if known is None:
            return 0
        self._running.add(block)
        total = sum(self._step_gain(zone, step, known) for step in self.rules.blocks[block].steps)
        self._running.discard(block)
        return min(total, UNBOUNDED)

    def _step_gain(self, zone: str, step: Step, known: BlockRanges) -> int:
        match step.effect:
            case Move() as move:
                each = self._move_gain(zone, move, step, known)
            case RunSteps(block=block):
                each = self._block_gain(zone, block)
            case Choose() as choose:
                gains = [self._block_gain(zone, self.rules.actions[action].block) for action in offered_actions(choose)]
                each = sum(gains) * self.rules.players if step.effect.mode == "together" else max(gains, default=0)
            case SetState() | Roll() | Reveal() | GiveTurn() | Finish() | Leave():
                each = 0
            case _:
                assert_never(step.effect)
        return each * self._repetitions(step, known) if each else 0

    def _move_gain(self, zone: str, move: Move, step: Step, known: BlockRanges) -> int:
        is_within = move.source is not None and move.source.zone == zone and not self.rules.zones[zone].key_types
        if move.to.zone != zone or is_within:
            return 0
        ranges = self._ranges
        assert ranges is not None
        env = known.variables
        if step.for_each is not None:
            env = {**env, step.for_each.slot: ranges.elements(step.for_each.over, env, known.me).elements}
        of, sources = move.amount.of, self._source_count(move, env, known.me)
        if move.amount.mode == "all" or (of is None and move.amount.mode not in ("top", "random")):
            return UNBOUNDED
        if of is None:
            return sources
        if isinstance(of.type, Bag):
            return ranges.bag(of, env, known.me).high_total * sources
        if move.amount.mode in ("top", "random", "up to random"):
            return max(0, ranges.scalars(of, env, known.me).high) * sources
        return ranges.elements(of, env, known.me).most * sources

    def _source_count(self, move: Move, env: Variables, me: Scalars) -> int:
        """From how many places a move takes at once."""
        assert self._ranges is not None
        if move.source is None:
            return 1
        zone = self.rules.zones[move.source.zone]
        count = 1
        for index, values in enumerate(zone.key_values):
            is_plural = index >= len(move.source.keys) or is_plural_key(
                self.rules, move.source.keys[index], zone, index
            )
            count *= len(values) if is_plural else 1
        return count

    def _repetitions(self, step: Step, known: BlockRanges) -> int:
        assert self._ranges is not None
        count = 1
        if step.for_each is not None:
            count *= self._ranges.elements(step.for_each.over, known.variables, known.me).most
        if step.times is not None:
            count *= max(0, self._ranges.scalars(step.times, known.variables, known.me).high)
        return min(count, UNBOUNDED)


def limits_after_turns(rules: Rules) -> Mapping[str, int]:
    """How much each place of a zone holds at most after every turn, as invariants say: by the names of the zones."""
    return Growth(rules).limits


def _goes_to_own_place(effect: Effect) -> bool:
    """Whether a step brings something to the place of the seat in turn alone."""
    return isinstance(effect, Move) and len(effect.to.keys) == 1 and is_me(effect.to.keys[0])


def _limited_zone(condition: Expr) -> tuple[str, Expr, bool, Expr] | None:
    """The zone of `every seat has count(ZONE(seat)) <= BOUND`, the bound, whether it is below that, and for which keys
    it is said.
    """
    if not isinstance(condition, Quantifier) or condition.quantifier not in ("every", "no"):
        return None
    over, test = condition.over, condition.condition
    is_everyone = is_all_seats(over)
    is_kind = isinstance(over, Constant) and isinstance(over.value, tuple)
    if not (is_everyone or is_kind) or not isinstance(test, Compare):
        return None
    left, right = test.left, test.right
    op: str = test.op
    if not isinstance(left, Call):
        left, op, right = right, SIDES_SWAPPED.get(test.op, test.op), left
    if condition.quantifier == "no":
        op = {">": "<=", ">=": "<"}.get(op, "")
    if op not in ("<=", "<") or not isinstance(left, Call) or left.function != "count":
        return None
    (read,) = left.args
    is_each = isinstance(read, ReadZone) and len(read.keys) == 1 and read.member is None
    if not is_each or not isinstance(read, ReadZone):
        return None
    (key,) = read.keys
    is_element = isinstance(key, Local) and key.slot == condition.slot
    return (read.name, right, op == "<", over) if is_element else None


__all__ = ["Growth", "limits_after_turns"]
