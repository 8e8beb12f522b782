"""Is more asked for as a turn begins than an invariant allows as one ends?

In: rules, and the composition they were built from. Out: warnings about comparisons without which a condition cannot
hold, asked in a turn before any of its steps has changed what they count: an invariant that is kept after each turn
rules them out, where what is counted lies in places that begin empty and that only turns fill. Under variants only what
a variant wrote. Nothing is said of parameters that are 0 or as high as they can be, which may turn something off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.names_touched import NO_NAMES, Names, NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.implied_clauses import clauses_of
from rulewright.checker.logic.rule_conditions import RuleCondition, judged_conditions, report_constant
from rulewright.diagnostics import Diagnostics
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    SIDES_SWAPPED,
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Expr,
    Local,
    Quantifier,
    ReadZone,
)
from rulewright.expr.types import SEAT, Number
from rulewright.expr.walk import conjuncts, is_all_seats, is_me, iter_exprs, transform
from rulewright.frozen import frozen
from rulewright.model.effects import Choose, GiveTurn, RunSteps
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

TOO_MUCH: Final[Mapping[str, int]] = {">=": 1, ">": 0, "is": 1}  # how much more than the most is too much
AT_MOST: Final[Mapping[str, int]] = {"<=": 0, "<": 1}  # how much less than the bound is the most
ANYBODY: Final = Builtin("me", SEAT, (0, 0))


@frozen
class _Limit:
    """What is counted of a player as a turn ends is never more than this, by an invariant."""

    most: int
    reads: Names
    address: str


def check_beyond_invariants(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    if all(invariant.after != "turn" for invariant in rules.invariants):
        return
    conditions = {condition.address: condition for condition in judged_conditions(rules, composition)}
    if not conditions:
        return
    names, ranges, switches = NamesTouched(rules), _ranges(rules), ParameterReads(rules, only_switches=True)
    limits = _limits(rules, names, ranges)
    for condition, changed in _asked_in_turn(rules, conditions, names) if limits else ():
        for part in _needed(condition.expr):
            if not isinstance(part, Compare) or not isinstance(part.left.type, Number) or switches.are_in(part):
                continue
            op, left, right = _from_count(part)
            limit = limits.get(_key(left)) if op in TOO_MUCH and _is_count(left) else None
            if limit is None or limit.reads & changed:
                continue
            if ranges.scalars(right, {}, ranges.seats).low >= limit.most + TOO_MUCH[op]:
                hint = f"`{limit.address}` leaves nobody more than {limit.most} as a turn ends"
                report_constant(condition, part, False, f"{hint}, and this is asked before it can be more", diagnostics)


def _ranges(rules: Rules) -> ExpressionRanges:
    declared = find_declared_ranges(rules)
    return ExpressionRanges(rules, declared.contents, declared.variables)


def _limits(rules: Rules, names: NamesTouched, ranges: ExpressionRanges) -> dict[object, _Limit]:
    """What invariants keep down of each player, by what is counted."""
    between = _written_between_turns(rules, names)
    empty = {zone.name for zone in rules.zones.values() if zone.initial_content is None and zone.refill is None}
    empty -= {each.initial_place.zone for each in rules.components.values() if each.initial_place is not None}
    found = dict[object, _Limit]()
    for invariant in (invariant for invariant in rules.invariants if invariant.after == "turn"):
        for part in conjuncts(invariant.condition):
            inner = part.condition if _is_of_every_player(part) and isinstance(part, Quantifier) else None
            if not isinstance(inner, Compare) or inner.op not in AT_MOST or not _is_count(inner.left):
                continue
            reads, key = names.read(inner.left), _key(inner.left)
            if key is not None and reads <= empty and not reads & between:
                most = ranges.scalars(inner.right, {}, ranges.seats).high - AT_MOST[inner.op]
                found[key] = _Limit(most, reads, invariant.address)
    return found


def _is_of_every_player(part: Expr) -> bool:
    return isinstance(part, Quantifier) and part.quantifier == "every" and is_all_seats(part.over)


def _written_between_turns(rules: Rules, names: NamesTouched) -> Names:
    """The names that steps write outside of turns."""
    written, pending, seen = names.written_in(rules.setup), [rules.round], set[int]()
    while pending:
        block = pending.pop()
        seen.add(block)
        for step in rules.blocks[block].steps:
            if isinstance(step.effect, RunSteps):
                pending += [step.effect.block] if step.effect.block not in seen else []
            elif not isinstance(step.effect, GiveTurn):
                written |= names.written(step)
    return written


def _asked_in_turn(
    rules: Rules, conditions: Mapping[str, RuleCondition], names: NamesTouched
) -> Iterator[tuple[RuleCondition, Names]]:
    """The conditions that are asked in a turn and nowhere else, each with what was written before in it."""
    steps = [step for block in rules.blocks for step in block.steps]
    often = [offer.action for step in steps if isinstance(step.effect, Choose) for offer in step.effect.offers]
    written = NO_NAMES
    for step in rules.blocks[rules.turn].steps:
        if not step.is_repeated:
            if step.address in conditions:
                yield conditions[step.address], written
            offers = step.effect.offers if isinstance(step.effect, Choose) else ()
            for action in (rules.actions[offer.action] for offer in offers if often.count(offer.action) == 1):
                for address in clauses_of(action, rules):
                    if address in conditions:
                        yield conditions[address], written
        written |= names.written(step)


def _needed(condition: Expr) -> Iterator[Expr]:
    """What has to hold for a condition to, of somebody."""
    for part in conjuncts(condition):
        is_of_some = isinstance(part, Quantifier) and part.quantifier == "some"
        yield from conjuncts(part.condition) if is_of_some and isinstance(part, Quantifier) else (part,)


def _from_count(part: Compare) -> tuple[str, Expr, Expr]:
    """A comparison with what is counted on the left."""
    if _is_count(part.left):
        return part.op, part.left, part.right
    return SIDES_SWAPPED.get(part.op, part.op), part.right, part.left


def _is_count(expr: Expr) -> bool:
    """Whether an expression counts what lies in places, none of which can make it less."""
    match expr:
        case Call(function="count", args=(ReadZone(),)):
            return True
        case ReadZone(member=member):
            return member is not None
        case Arithmetic(op="+", left=left, right=right):
            return _is_count(left) and _is_count(right)
    return False


def _key(expr: Expr) -> object:
    """What is counted, whosever it is: None where it is of several players."""
    seats = {structural_key(part) for part in iter_exprs(expr) if _is_one_player(part)}

    def as_anybody(part: Expr) -> Expr | None:
        return ANYBODY if _is_one_player(part) else None

    return structural_key(transform(expr, as_anybody)) if len(seats) == 1 else None


def _is_one_player(part: Expr) -> bool:
    return is_me(part) or (isinstance(part, Local) and part.type == SEAT)


__all__ = ["check_beyond_invariants"]
