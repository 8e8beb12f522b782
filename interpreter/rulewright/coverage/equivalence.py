"""Proofs that a fault changes no game: what it changes comes out alike in every position of every game.

In: rules, and the same with a fault. Out: why no game differs, in words; nothing where that is not proved.

Two games that have been alike so far first differ where something changed comes out differently. So it is enough to
look at the places where the rules differ, one by one, in all positions that can be there. Both sides are evaluated with
all that places and states can hold (`model/facts/`), case by case: what both have in common takes each of its values.
`lead(me) > 8` and `lead(me) > 9` are alike where a lead is twice a count of pieces: for none of 0, 2, 4 … do they
differ. Of a clause only those positions count in which the other clauses of its action hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from typing import Final, assert_never

from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.known_conditions import Known, KnownRanges, assume
from rulewright.coverage.changed_parts import (
    ChangedExpr,
    ChangedPart,
    ChangedRanking,
    InAction,
    InBlock,
    InValue,
    LostOffers,
    LostStep,
    OtherEffect,
    Scope,
    changed_parts,
)
from rulewright.coverage.expr_mutants import replace_part
from rulewright.expr.tree import (
    PART_FIELDS,
    Constant,
    Expr,
    Extremum,
    Filter,
    If,
    Local,
    Logic,
    Quantifier,
    Sum,
)
from rulewright.expr.types import Bag, Number, SetOf
from rulewright.expr.walk import child_exprs, iter_exprs
from rulewright.frozen import field_names, replace
from rulewright.model.effects import Finish, Move, SetState, Step
from rulewright.model.facts.choice_ranges import domain_range
from rulewright.model.facts.expression_ranges import Variables
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.facts.value_ranges import FALSE, UNBOUNDED, BagRange, Scalars, SetRange, ValueRange
from rulewright.model.rules import Rules

MAX_CASES: Final = 4096
NEVER_RUN: Final = "these steps are never carried out"
ALIKE: Final = "it comes out alike in every position"
NAMED_WINNERS: Final = "the game only ends with named winners, and at most one player is none of them"
Loop = Quantifier | Filter | Sum | Extremum
FIRST_CASE_SLOT: Final = -1  # and downwards, for what both sides have in common: no variable of rules is there


class FixedParameters(ParameterReads):
    """Parameters as these rules have them: no variant changes them."""

    def are_in(self, expr: Expr) -> bool:
        return False


class EquivalenceProver:
    """Proves that rules with a fault are played like these."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.positions = find_position_ranges(rules)
        self.names = NamesTouched(rules)
        self.known = Known(self.positions.variables, {}, {})
        self.ranges = self._ranges(self.known)

    def prove(self, changed: Rules) -> str:
        """Why no game differs; empty: that is not proved."""
        parts = changed_parts(self.rules, changed)
        if not parts:
            return ""
        reasons = [self._prove_part(part) for part in parts]
        return "; ".join(dict.fromkeys(reasons)) if all(reasons) else ""

    def _ranges(self, known: Known) -> KnownRanges:
        return KnownRanges(self.rules, self.positions.contents, known, FixedParameters(self.rules))

    def _prove_part(self, part: ChangedPart) -> str:
        match part:
            case ChangedExpr(before=before, after=after, scope=scope):
                return self._prove_expr(before, after, scope)
            case LostOffers(block=block, actions=actions):
                if block not in self.positions.blocks:
                    return NEVER_RUN
                return "" if actions & self.positions.choices.keys() else "what is not offered is never possible"
            case OtherEffect(block=block):
                return "" if block in self.positions.blocks else NEVER_RUN
            case LostStep(step=step, block=block):
                return self._idle_reason(step, block)
            case ChangedRanking():
                return NAMED_WINNERS if self._is_ranking_unread() else ""
            case _:
                assert_never(part)

    def _prove_expr(self, before: Expr, after: Expr, scope: Scope) -> str:
        match scope:
            case InBlock(block=block, step=step):
                known = self.positions.blocks.get(block)
                if known is None:
                    return NEVER_RUN
                env, seats = self._step_variables(step, known.variables, known.me), known.me
            case InAction():
                is_alike = all(self._are_alike_in_action(before, after, scope, me) for me in _each(self.ranges.seats))
                among = " in which the other conditions hold" if scope.clauses else ""
                return f"{ALIKE}{among}" if is_alike else ""
            case InValue(value=value):
                env = {slot: self.ranges.full_range(type_) for slot, type_ in enumerate(value.key_types)}
                seats = self.ranges.seats
            case _:
                assert_never(scope)
        is_alike = all(self._are_alike(self.ranges, before, after, env, me) for me in _each(seats))
        return ALIKE if is_alike else ""

    # ---- what is around ----------------------------------------------------------------------------------------

    def _step_variables(self, step: Step, env: Variables, me: Scalars) -> Variables:
        if step.for_each is None:
            return env
        return {**env, step.for_each.slot: self.ranges.elements(step.for_each.over, env, me).elements}

    def _are_alike_in_action(self, before: Expr, after: Expr, scope: InAction, me: Scalars) -> bool:
        env: dict[int, ValueRange] = {}
        for slot, choice in enumerate(scope.action.choices[: scope.choices]):
            answer = domain_range(self.ranges, choice, env, me)
            if answer is None:
                return True  # there is never an answer, and so nothing more is asked
            env[slot] = answer

        def with_clause(known: Known, condition: Expr) -> Known:
            return assume(
                known, condition, self._ranges(known), self.names, me, holds=True, address="", variables=scope.choices
            )

        conditions = [clause.condition for clause in scope.clauses]
        ranges = self._ranges(reduce(with_clause, conditions, self.known))
        if any(ranges.scalars(condition, env, me) == FALSE for condition in conditions):
            return True
        for condition in conditions:
            env = {**ranges.narrowed(condition, env, me)}
        return self._are_alike(ranges, before, after, env, me)

    # ---- two expressions ---------------------------------------------------------------------------------------

    def _are_alike(self, ranges: KnownRanges, before: Expr, after: Expr, env: Variables, me: Scalars) -> bool:
        """Whether they have the same value in every position."""
        if before is after:
            return True
        after_as_it_comes = _without_bounds(before, after)
        one, other = ranges.range_of(before, env, me), ranges.range_of(after_as_it_comes, env, me)
        if one == other and _is_single(one):
            return True
        return self._are_alike_by_cases(ranges, before, after_as_it_comes, env, me) or self._are_parts_alike(
            ranges, before, after, env, me
        )

    def _are_alike_by_cases(self, ranges: KnownRanges, before: Expr, after: Expr, env: Variables, me: Scalars) -> bool:
        """What both have in common is given each of its values, as if these had nothing to do with one another."""
        if any(isinstance(part, Loop) for part in _changed_nodes(before, after)):
            return False  # what they have in common may depend on the loop's variable
        values: dict[int, Sequence[int]] = {}
        cases = 1
        for number, part in enumerate(_common_parts(before, after)):
            found = None if isinstance(part.type, Bag | SetOf) else ranges.scalars(part, env, me)
            if found is None or found.listed is None or cases * len(found.listed) > MAX_CASES:
                continue
            cases *= len(found.listed)
            slot = FIRST_CASE_SLOT - number
            values[slot] = sorted(found.listed)
            local = Local("", slot, part.type, part.offsets)
            before, after = replace_part(before, part, local), replace_part(after, part, local)
        if not values:
            return False
        for case in product(*values.values()):
            bound = {**env, **{slot: Scalars.of((value,)) for slot, value in zip(values, case, strict=True)}}
            one, other = ranges.range_of(before, bound, me), ranges.range_of(after, bound, me)
            if one != other or not _is_single(one):
                return False
        return True

    def _are_parts_alike(self, ranges: KnownRanges, before: Expr, after: Expr, env: Variables, me: Scalars) -> bool:
        """Whether they do the same to parts of which each is alike."""
        if type(before) is not type(after) or isinstance(before, Constant | Local):
            return False
        inner = PART_FIELDS[type(before)]
        same = (name for name in field_names(before) if name not in (*inner, "type", "offsets"))
        if any(getattr(before, name) != getattr(after, name) for name in same):
            return False
        pairs = list(zip(child_exprs(before), child_exprs(after), strict=False))
        if len(child_exprs(before)) != len(child_exprs(after)):
            return False
        for one, other in pairs:
            if one is not other and not self._are_alike(ranges, one, other, _inside(before, one, env, me, ranges), me):
                return False
        return True

    # ---- steps, the ranking ------------------------------------------------------------------------------------

    def _idle_reason(self, step: Step, block: int) -> str:
        """Why a step does nothing wherever it is carried out; empty: it may do something."""
        known = self.positions.blocks.get(block)
        if known is None:
            return NEVER_RUN
        env, me = self._step_variables(step, known.variables, known.me), known.me
        if step.when is not None and self.ranges.scalars(step.when, env, me) == FALSE:
            return "its condition never holds"
        match step.effect:
            case SetState(target=target, to=to):
                definition = self.rules.states[target.name]
                value = self.ranges.range_of(to, env, me)
                held = [self.positions.variables[at] for at in self.ranges.places(definition, target.keys, env, me)]
                is_idle = _is_single(value) and all(each == value for each in held)
                return "the state has this value already" if is_idle else ""
            case Move(source=source) if source is not None:
                zone = self.rules.zones[source.zone]
                places = self.ranges.places(zone, source.keys, env, me)
                is_idle = all(_is_empty(self.positions.contents[place]) for place in places)
                return "there is never anything to move" if is_idle else ""
        return ""

    def _is_ranking_unread(self) -> bool:
        """Whether each end of the game names all winners but one player at most: places among losers are not asked."""
        if self.rules.has_elimination:
            return False
        for index, block in enumerate(self.rules.blocks):
            known = self.positions.blocks.get(index)
            for step in block.steps if known is not None else ():
                if isinstance(step.effect, Finish):
                    assert known is not None
                    env = self._step_variables(step, known.variables, known.me)
                    winners = step.effect.winners
                    if winners is None:
                        return False
                    if any(
                        self.ranges.elements(winners, env, me).fewest < self.rules.players - 1 for me in _each(known.me)
                    ):
                        return False
        return True


def _each(me: Scalars) -> Iterator[Scalars]:
    return (Scalars.of((seat,)) for seat in sorted(me.listed or ()))


def _is_single(found: ValueRange) -> bool:
    match found:
        case Scalars():
            return found.single is not None
        case BagRange(lows=lows, highs=highs):
            return lows == highs
        case SetRange():
            return found.is_exact


def _is_empty(found: ValueRange) -> bool:
    match found:
        case BagRange(high_total=most) | SetRange(most=most):
            return most == 0
        case _:
            return False


def _inside(whole: Expr, part: Expr, env: Variables, me: Scalars, ranges: KnownRanges) -> Variables:
    """The variables where a part of an expression is asked."""
    match whole:
        case Quantifier(over=over) | Filter(over=over) | Sum(over=over) | Extremum(over=over) if part is not over:
            env = {**env, whole.slot: ranges.elements(over, env, me).elements}
            is_filtered = not isinstance(whole, Quantifier) and part is not whole.condition
            return ranges.narrowed(whole.condition, env, me) if is_filtered else env
        case Logic(op="and", left=left, right=right) if part is right:
            return ranges.narrowed(left, env, me)
        case If(condition=condition, then=then) if part is then:
            return ranges.narrowed(condition, env, me)
    return env


def _changed_nodes(before: Expr, after: Expr) -> Iterator[Expr]:
    """The parts of the new expression that are not parts of the old one."""
    old = set(map(id, iter_exprs(before)))
    return (part for part in iter_exprs(after) if id(part) not in old)


def _without_bounds(before: Expr, after: Expr) -> Expr:
    """The new expression, where changed numbers may be whatever they come to: their types are those of the old ones."""
    old = set(map(id, iter_exprs(before)))

    def loosened(part: Expr) -> Expr:
        if id(part) in old:
            return part
        changes = {name: _loosened_parts(getattr(part, name)) for name in PART_FIELDS[type(part)]}
        type_ = Number(-UNBOUNDED, UNBOUNDED) if isinstance(part.type, Number) else part.type
        return replace(part, **changes, type=type_)  # type: ignore[arg-type]  # each class has its own parts

    def _loosened_parts(parts: Expr | tuple[Expr, ...] | None) -> Expr | tuple[Expr, ...] | None:
        if isinstance(parts, tuple):
            return tuple(map(loosened, parts))
        return None if parts is None else loosened(parts)

    return loosened(after)


def _common_parts(before: Expr, after: Expr) -> tuple[Expr, ...]:
    """The largest parts of the old expression that are parts of the new one as well, each once."""
    new = set(map(id, iter_exprs(after)))
    found: dict[int, Expr] = {}
    pending = [before]
    while pending:
        part = pending.pop()
        if id(part) in new and not isinstance(part, Constant):
            found[id(part)] = part
        else:
            pending += child_exprs(part)
    return tuple(found.values())


__all__ = ["EquivalenceProver"]
