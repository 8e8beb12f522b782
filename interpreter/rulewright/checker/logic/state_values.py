"""What can a state ever be, by its start and by what steps give it?

In: rules, ranges of expressions as states are declared. Out: a range for each state: its start and whatever some step
sets or rolls, in no order, within what the step's own condition or the clauses of its action leave of it. A state that
begins anew with each turn or round goes as far as the steps within one can count it. What depends on parameters by
which variants switch rules can be anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.logic.how_often import Bound, most_often
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import SIDES_SWAPPED, Arithmetic, Call, Compare, Expr, Logic, ReadState, StateTarget
from rulewright.expr.types import Number
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, Roll, SetState, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import UNBOUNDED, Scalars, ValueRange, join
from rulewright.model.rules import ELIMINATION_STATE, ResetScope, Rules, StateDef
from rulewright.model.traversal import run_blocks

MAX_VALUES: Final = 300  # of a state that are tried one by one
COMPARED: Final = (*SIDES_SWAPPED, "is")


class StateValues:
    """What each state can be, with certain steps."""

    def __init__(self, rules: Rules, ranges: ExpressionRanges, steps: Sequence[Step]) -> None:
        self.rules = rules
        self.ranges = ranges
        self.steps = steps
        self.parameters = ParameterReads(rules, only_switches=True)
        self.setting: dict[str, list[Step]] = {}  # the steps that set or roll each state
        for step in steps:
            if isinstance(step.effect, SetState | Roll):
                self.setting.setdefault(step.effect.target.name, []).append(step)
        self.how_often: dict[ResetScope, Mapping[str, Bound]] = {}  # by turn or round, once it is asked

    def of(self, state: StateDef) -> ValueRange:
        """The range of one state, whatever its keys."""
        full, found = self.ranges.full_range(state.type), None
        if state.name not in self.setting:
            return full  # that no step gives it a value is a fault of its own
        for value in self._sources(state):
            found = full if value is None else join(found, value)
            if found is None or found == full or _leaves(found, full):
                found = full
                break
        if isinstance(found, Scalars) and isinstance(state.type, Number) and state.reset_scope in ("turn", "round"):
            found = found.clip(found.low, self._counted_up(state, found.high))
        return full if found is None else found

    def stays(self, state: StateDef) -> bool:
        """Whether it is one value at the start, and every step that sets it while it is that gives it the same."""
        begin, everything = None, ParameterReads(self.rules)
        if state.name == ELIMINATION_STATE or everything.are_in(state.initial_value):
            return False
        for value in self._starts(state):
            begin = join(begin, value)
        if not isinstance(begin, Scalars) or begin.single is None:
            return False
        ranges = self._ranges_at(state, begin)
        for step in self.setting.get(state.name, ()):
            match step.effect:
                case SetState(to=to):
                    if everything.are_in(to) or ranges.range_of(to, {}, ranges.seats) != begin:
                        return False
                case Roll(outcomes=outcomes):
                    if {outcome for outcome, weight in outcomes if weight} != {begin.single}:
                        return False
        return True

    def counts_nothing(self, step: Step, state: StateDef) -> bool:
        """Whether a step leaves a state as it is or sets it back to its start, whatever it is."""
        full, begin = self.ranges.full_range(state.type), next(self._starts(state), None)
        if not isinstance(step.effect, SetState) or not isinstance(full, Scalars) or not isinstance(begin, Scalars):
            return False
        if full.high - full.low > MAX_VALUES:
            return False
        for value in range(full.low, full.high + 1):
            ranges = self._ranges_at(state, Scalars.of((value,)))
            given = ranges.scalars(step.effect.to, {}, ranges.seats)
            if given.listed is None or not given.listed <= {value, begin.single}:
                return False
        return True

    def _ranges_at(self, state: StateDef, value: ValueRange) -> ExpressionRanges:
        """Ranges where a state is a value, whatever its keys."""
        variables = list(self.ranges.variables)
        variables[state.first_index : state.first_index + state.size] = [value] * state.size
        return ExpressionRanges(self.rules, self.ranges.contents, variables)

    def _sources(self, state: StateDef) -> Iterator[ValueRange | None]:
        """What a state is at the start and what steps give it; None for anything."""
        ranges, parameters = self.ranges, self.parameters
        if state.name == ELIMINATION_STATE or parameters.are_in(state.initial_value):
            yield None
        yield from self._starts(state)
        for step in self.setting.get(state.name, ()):
            match step.effect:
                case SetState(target=target, to=to):
                    value = (
                        None
                        if parameters.are_in(to)
                        else self._ranges_before(step, target).range_of(to, {}, ranges.seats)
                    )
                    is_guarded = step.when is not None  # what can leave its bounds otherwise fails there
                    if is_guarded and isinstance(state.type, Number) and isinstance(value, Scalars):
                        value = value.clip(state.type.low, state.type.high)
                    yield value
                case Roll(outcomes=outcomes):
                    yield Scalars.of(outcome for outcome, weight in outcomes if weight)

    def _starts(self, state: StateDef) -> Iterator[ValueRange]:
        for keys in product(*state.key_values):
            env: dict[int, ValueRange] = {slot: Scalars.of((key,)) for slot, key in enumerate(keys)}
            yield self.ranges.range_of(state.initial_value, env, self.ranges.seats)

    # ---- what conditions leave of it ------------------------------------------------------------------------

    def _ranges_before(self, step: Step, target: StateTarget) -> ExpressionRanges:
        """Ranges where a step sets a state: of the state what the conditions of the step leave of it."""
        state, ranges = self.rules.states[target.name], self.ranges
        assert isinstance(step.effect, SetState)
        reads = [part for part in iter_exprs(step.effect.to) if isinstance(part, ReadState) and part.name == state.name]
        full = ranges.full_range(state.type)
        if not reads or not isinstance(state.type, Number) or not isinstance(full, Scalars):
            return ranges
        if not all(are_same(read.keys, target.keys) for read in reads):
            return ranges
        left = full
        for condition in self._conditions(step, target):
            left = self._narrowed(left, condition, target)
        if left == full or left.is_empty:
            return ranges
        variables = list(ranges.variables)
        variables[state.first_index : state.first_index + state.size] = [left] * state.size
        return ExpressionRanges(self.rules, ranges.contents, variables)

    def _conditions(self, step: Step, target: StateTarget) -> Iterator[Expr]:
        """What holds where a step sets a state, of that state."""
        if step.when is not None:
            yield from _sides(step.when)
        action = self._first_setting(step, target)
        for clause in action.clauses if action is not None else ():
            yield from _sides(clause.condition)

    def _first_setting(self, step: Step, target: StateTarget) -> ActionDef | None:
        """The action of which a step is the first one that can set a state, once: its clauses hold there."""
        action = next((one for one in self.rules.actions if step.address.startswith(f"{one.address}.do.")), None)
        steps = () if action is None else self.rules.blocks[action.block].steps
        if action is None or step not in steps or not all(map(is_me, target.keys)):
            return None
        if step.for_each is not None or step.times is not None:
            return None
        is_first = all(
            not run_blocks(self.rules, before.effect) and not sets_state(before, target.name)
            for before in steps[: steps.index(step)]
        )
        return action if is_first and (target.keys or not self._is_offered_together(action)) else None

    def _is_offered_together(self, action: ActionDef) -> bool:
        """Whether others may set what all share after its clauses were judged."""
        return any(
            isinstance(step.effect, Choose)
            and step.effect.mode == "together"
            and any(offer.action == action.index for offer in step.effect.offers)
            for block in self.rules.blocks
            for step in block.steps
        )

    def _narrowed(self, found: Scalars, condition: Expr, target: StateTarget) -> Scalars:
        """What a condition leaves of a state."""
        if not isinstance(condition, Compare) or condition.op not in COMPARED or self.parameters.are_in(condition):
            return found
        for read, other, op in (
            (condition.left, condition.right, condition.op),
            (condition.right, condition.left, SIDES_SWAPPED.get(condition.op, condition.op)),
        ):
            if not isinstance(read, ReadState) or read.name != target.name or not are_same(read.keys, target.keys):
                continue
            bound = self.ranges.scalars(other, {}, self.ranges.seats)
            low = -UNBOUNDED if op in ("<", "<=") else bound.low + (op == ">")
            high = UNBOUNDED if op in (">", ">=") else bound.high - (op == "<")
            return found.clip(low, high)
        return found

    # ---- states that begin anew -----------------------------------------------------------------------------

    def _counted_up(self, state: StateDef, high: int) -> int:
        """The most that a state comes to which begins anew with each turn or round, if steps only count it up."""
        if self.parameters.are_in(state.initial_value):
            return high
        if state.reset_scope not in self.how_often:
            self.how_often[state.reset_scope] = most_often(self.rules, state.reset_scope)
        often = self.how_often[state.reset_scope]
        starts = [value.high for value in self._starts(state) if isinstance(value, Scalars)]
        most, growth = max(starts, default=high), 0
        for step in self.steps:
            if not isinstance(step.effect, SetState | Roll) or step.effect.target.name != state.name:
                continue
            if isinstance(step.effect, Roll) or self.parameters.are_in(step.effect.to):
                return high
            times, added = often.get(step.address), self._added(step.effect.to, step.effect.target)
            if times is None:
                return high
            if added is None:
                value = self.ranges.range_of(step.effect.to, {}, self.ranges.seats)
                if not isinstance(value, Scalars):
                    return high
                most = max(most, value.high)
            else:
                growth += times * max(0, added)
        return min(high, most + growth)

    def _added(self, to: Expr, target: StateTarget) -> int | None:
        """The most by which a step lets a state grow; None for a value that does not depend on what it was."""
        match to:
            case ReadState(name=target.name, keys=keys) if are_same(keys, target.keys):
                return 0
            case Arithmetic(op="+", left=left, right=right):
                for before, more in ((left, right), (right, left)):
                    if (added := self._added(before, target)) is not None and isinstance(more.type, Number):
                        return added + self.ranges.scalars(more, {}, self.ranges.seats).high
            case Arithmetic(op="-" | "less", left=left, right=right) if isinstance(right.type, Number):
                added = self._added(left, target)
                return None if added is None else added - self.ranges.scalars(right, {}, self.ranges.seats).low
            case Call(function="min", args=args):
                return next((added for arg in args if (added := self._added(arg, target)) is not None), None)
        return None


def _sides(condition: Expr) -> Iterator[Expr]:
    """What has to hold together."""
    if isinstance(condition, Logic) and condition.op == "and":
        yield from _sides(condition.left)
        yield from _sides(condition.right)
    else:
        yield condition


def _leaves(found: ValueRange, full: ValueRange) -> bool:
    """Whether a number can go beyond the bounds of its type."""
    if not isinstance(found, Scalars) or not isinstance(full, Scalars):
        return False
    return found.low < full.low or found.high > full.high


__all__ = ["StateValues"]
