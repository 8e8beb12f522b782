"""Does a clause ask what its own choice has settled?

In: rules, and the composition they were built from. Out: warnings about clauses that always hold, or never, whatever is
chosen: that a thing from a row is in that row, or in hand; that a number between 1 and what is there is no more
than what is there. Of what an answer is, only its choice is asked, not the other clauses: two reasons may overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.common.shared_phrases import SETTLED_BY_CHOICE
from rulewright.checker.logic.known_conditions import Known, KnownRanges, assume
from rulewright.checker.logic.rule_conditions import RuleCondition, judged_conditions, report_constant
from rulewright.diagnostics import Diagnostics
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    CompareOp,
    Constant,
    Expr,
    FieldAccess,
    Filter,
    Local,
    Logic,
    Not,
    Quantifier,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import ANY_NUMBER, FLAG, Bag, Member, Number, SetOf, Thing, Type
from rulewright.expr.walk import disjuncts, free_variables, iter_exprs, transform
from rulewright.frozen import replace
from rulewright.model.actions import ActionDef, Choice, OneOf, Pay, SomeOf
from rulewright.model.effects import Choose
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import Variables
from rulewright.model.facts.value_ranges import FALSE, TRUE, Scalars, ValueRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

ASKING: Final = (ReadParameter, ReadState, ReadValue, ReadZone, FieldAccess, Builtin)
MAX_MEMBERS: Final = 50
WRITTEN_NOWHERE: Final = (0, 0)
Sources = Mapping[int, tuple[Expr, ...]]  # of each answer that is one of several, by slot: the sets it comes from


def check_implied_clauses(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    asked = [each for each in judged_conditions(rules, composition) if free_variables(each.expr)]
    by_address = {condition.address: condition for condition in asked}
    if not asked:
        return
    names, parameters = NamesTouched(rules), ParameterReads(rules)
    for action in rules.actions:
        conditions = [by_address[address] for address in clauses_of(action, rules) if address in by_address]
        if not conditions or not action.choices:
            continue
        ranges = _ranges(rules, action, names, parameters)
        for condition in conditions:
            for part, is_true in _settled(condition, action, ranges):
                hint = SETTLED_BY_CHOICE if is_true else "its choice rules that out"
                report_constant(condition, part, is_true, hint, diagnostics)


def clauses_of(action: ActionDef, rules: Rules) -> Iterator[str]:
    """The addresses of an action's clauses, and of those under which it is offered."""
    yield from (clause.address for clause in action.clauses)
    for step in (step for block in rules.blocks for step in block.steps):
        for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
            yield from (clause.address for clause in offer.clauses if offer.action == action.index)


def _settled(condition: RuleCondition, action: ActionDef, ranges: _AnswerRanges) -> Iterator[tuple[Expr, bool]]:
    """The widest parts of a condition that the choices settle, and how each comes out."""
    choices, pending = {choice.address for choice in action.choices}, [condition.expr]
    while pending:
        part = pending.pop()
        ranges.used.clear()
        known = ranges.scalars(part, {}, ranges.seats) if ranges.know_of(part) else None
        if known in (TRUE, FALSE) and not choices.isdisjoint(ranges.used):
            yield part, known == TRUE
        elif (holds := _for_every_member(part, ranges)) is not None:
            yield part, holds
        elif isinstance(part, Logic):
            pending += [part.right, part.left]
        elif isinstance(part, Not):
            pending.append(part.of)


def _for_every_member(part: Expr, ranges: _AnswerRanges) -> bool | None:
    """How a condition comes out that asks of nothing but one answer, if it is the same for every member of its kind."""
    slots = free_variables(part)
    locals_ = [read for read in iter_exprs(part) if isinstance(read, Local)]
    if not isinstance(part, Logic) or len(slots) != 1 or len({one.slot for one in locals_}) != 1:
        return None
    type_ = locals_[0].type
    if not isinstance(type_, Member) or any(isinstance(one, ASKING) for one in iter_exprs(part)):
        return None
    (slot,) = slots
    members = ranges.rules.kinds[type_.kind].member_values[: MAX_MEMBERS + 1]
    found = {ranges.scalars(part, {slot: Scalars.of((member,))}, ranges.seats).single for member in members}
    is_known = len(members) <= MAX_MEMBERS and len(found) == 1 and None not in found
    return bool(found.pop()) if is_known else None


def _ranges(rules: Rules, action: ActionDef, names: NamesTouched, parameters: ParameterReads) -> _AnswerRanges:
    """What expressions can be where the choices of an action were answered."""
    declared = find_declared_ranges(rules)
    known, sources = Known(declared.variables, {}, {}), dict[int, tuple[Expr, ...]]()
    seats = Scalars.between(0, rules.players - 1)
    for slot, choice in enumerate(action.choices):
        if choice.condition is not None:
            continue  # there may be no answer
        answer = Local(choice.name, slot, choice.type, WRITTEN_NOWHERE)
        if isinstance(choice.domain, OneOf) and not isinstance(choice.domain.of.type, Bag):
            sources[slot] = tuple(_flat(choice.domain.of))
        for fact in _facts(answer, choice):
            ranges = KnownRanges(rules, declared.contents, known, parameters)
            known = assume(
                known,
                fact,
                ranges,
                names,
                seats,
                holds=True,
                address=choice.address,
                variables=len(action.choices),
            )
    found = _AnswerRanges(rules, declared.contents, known, parameters)
    found.sources = sources
    found.choices = tuple(choice.address for choice in action.choices)
    return found


def _facts(answer: Local, choice: Choice) -> Iterator[Expr]:
    """What holds of an answer because it is one."""
    match choice.domain:
        case OneOf(of=Range(low=low, high=high)):
            yield _compare(">=", answer, low)
            yield _compare("<=", answer, high)
        case OneOf(of=Filter(slot=slot, condition=condition)) if condition is not None:

            def as_answer(part: Expr) -> Expr | None:
                return answer if isinstance(part, Local) and part.slot == slot else None

            yield transform(condition, as_answer)
        case OneOf(of=ReadZone(member=None, type=Bag()) as read):
            one = ReadZone(read.name, read.keys, answer, ANY_NUMBER, WRITTEN_NOWHERE)
            yield _compare(">", one, Constant(0, Number(0, 0), WRITTEN_NOWHERE))
        case SomeOf(of=of, total=total):
            yield _compare("fits in", answer, of)
            yield _compare("<=", _count(answer), _count(of))
            if total is not None and isinstance(total.type, Number):
                yield _compare("is", _count(answer), total)
        case Pay(funds=funds):
            yield _compare("fits in", answer, funds)
            yield _compare("<=", _count(answer), _count(funds))


def _compare(op: CompareOp, left: Expr, right: Expr) -> Compare:
    return Compare(op, left, right, FLAG, WRITTEN_NOWHERE)


def _count(of: Expr) -> Call:
    return Call("count", (of,), "", ANY_NUMBER, WRITTEN_NOWHERE)


def _flat(of: Expr) -> Iterator[Expr]:
    """The sets of which one is put together, without what is left out of each."""
    match of:
        case Arithmetic(op="+", left=left, right=right):
            yield from _flat(left)
            yield from _flat(right)
        case Filter(over=over):
            yield from _flat(over)
        case _:
            yield of


class _AnswerRanges(KnownRanges):
    """Ranges of expressions where it is known from which sets answers come."""

    sources: Sources
    choices: tuple[str, ...]

    def know_of(self, part: Expr) -> bool:
        """Whether anything that is known of the answers is asked in a part, and nothing of each thing of a set, which
        would take long and depend on more than the answers.
        """
        if any(isinstance(each, Quantifier | Sum) and _holds_things(each.over.type) for each in iter_exprs(part)):
            return False
        asked = {key for _, *keys in self.known.facts for key in keys}
        return any(
            structural_key(each) in asked
            or (isinstance(each, Compare) and each.op in ("in", "not in") and isinstance(each.left, Local))
            or (isinstance(each, Logic) and each.op == "or")
            for each in iter_exprs(part)
        )

    def _range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        if isinstance(expr, Logic) and expr.op == "or":
            for slot, sources in self.sources.items():
                named = [each for part in disjuncts(expr) for each in _named(part, slot)]
                if named and _cover(named, sources):
                    self.used.append(self.choices[slot])
                    return TRUE
        if isinstance(expr, Compare) and expr.op in ("in", "not in") and isinstance(expr.left, Local):
            is_in = self._is_in(self.sources.get(expr.left.slot, ()), expr.right)
            if is_in is not None:
                self.used.append(self.choices[expr.left.slot])
                return TRUE if is_in is (expr.op == "in") else FALSE
        return super()._range_of(expr, env, me)

    def _is_in(self, sources: tuple[Expr, ...], within: Expr) -> bool | None:
        """Whether something out of one of some sets is in another set; None if that depends on it."""
        if not sources:
            return None
        others = [*_flat(within)] if not any(isinstance(part, Filter) for part in iter_exprs(within)) else []
        if _cover(others, sources):
            return True
        zones = [each.name if isinstance(each, ReadZone) and _holds_things(each.type) else "" for each in sources]
        asked = [each.name if isinstance(each, ReadZone) and _holds_things(each.type) else "" for each in others]
        is_apart = bool(asked) and all(zones) and all(asked) and set(zones).isdisjoint(asked)
        return False if is_apart else None  # a thing lies in one place


def _holds_things(type_: Type) -> bool:
    return isinstance(type_, SetOf) and isinstance(type_.element, Thing)


def _named(part: Expr, slot: int) -> Iterator[Expr]:
    """The sets of which one holds the answer, where a condition asks that."""
    match part:
        case Compare(op="in", left=Local(slot=asked), right=right) if asked == slot:
            if not any(isinstance(each, Filter) for each in iter_exprs(right)):
                yield from _flat(right)


def _cover(sets: Sequence[Expr], sources: Sequence[Expr]) -> bool:
    """Whether all that is in some sets is in others."""
    return bool(sources) and all(any(_covers(one, source) for one in sets) for source in sources)


def _covers(one: Expr, source: Expr) -> bool:
    """Whether a set is another, or all places of a zone of which that is some."""
    if isinstance(one, ReadZone) and isinstance(source, ReadZone) and len(one.keys) < len(source.keys):
        source = replace(source, keys=source.keys[: len(one.keys)])
    key = structural_key(one)
    return key is not None and key == structural_key(source)


__all__ = ["check_implied_clauses", "clauses_of"]
