"""In which expressions, steps and criteria two rules differ, one of which was made of the other.

In: both rules. Out: a `ChangedExpr` for each expression that is another one, with the variables around it, and what was
left out; None where they differ in something else. What is unchanged is the same object in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias, TypeVar

from rulewright.expr.tree import Call, Constant, Expr, Range
from rulewright.expr.types import FLAG, Number
from rulewright.frozen import field_names, frozen, replace
from rulewright.model.actions import ActionDef, Choice, Clause, Domain, SomeOf
from rulewright.model.effects import Choose, Effect, Roll, Step
from rulewright.model.rules import Rules, ValueDef
from rulewright.model.traversal import domain_exprs, step_exprs

T = TypeVar("T")
NONE_CHOSEN: Final = Constant(0, Number(0, 0), (0, 0))
ALWAYS: Final = Constant(1, FLAG, (0, 0))  # what a condition that is left out comes to


@frozen
class InAction:
    """Among the choices and clauses of an action: `choices` of them are made, the `clauses` hold in addition."""

    action: ActionDef
    choices: int
    clauses: tuple[Clause, ...] = ()


@frozen
class InBlock:
    """At a step of a block."""

    block: int
    step: Step


@frozen
class InValue:
    """In a derived value, with its keys."""

    value: ValueDef


Scope: TypeAlias = InAction | InBlock | InValue


@frozen
class ChangedExpr:
    """Another expression in place of the one before."""

    before: Expr
    after: Expr
    scope: Scope


@frozen
class LostStep:
    """A step that is not there any more."""

    step: Step
    block: int


@frozen
class LostOffers:
    """Actions that a step of a block does not offer any more, by their numbers."""

    block: int
    actions: frozenset[int]


@frozen
class OtherEffect:
    """A step of a block that decides or rolls otherwise."""

    block: int


@frozen
class ChangedRanking:
    """Another criterion, or one less."""


ChangedPart: TypeAlias = ChangedExpr | LostStep | LostOffers | OtherEffect | ChangedRanking


class _DiffersOtherwise(Exception):
    """In what this module does not follow."""


def changed_parts(rules: Rules, changed: Rules) -> tuple[ChangedPart, ...] | None:
    """All of them; None where something else is changed."""
    try:
        return tuple(_parts(rules, changed))
    except _DiffersOtherwise:
        return None


def _parts(rules: Rules, changed: Rules) -> Iterator[ChangedPart]:
    for name in field_names(rules):
        before, after = getattr(rules, name), getattr(changed, name)
        if before is after:
            continue
        match name:
            case "actions":
                for action, other in _pairs(before, after):
                    yield from _in_action(action, other)
            case "blocks":
                for index, (block, other) in enumerate(zip(before, after, strict=True)):
                    if block is not other:
                        yield from _in_block(index, block.steps, other.steps)
            case "values":
                for value, other in _pairs(tuple(before.values()), tuple(after.values())):
                    yield from _in_value(value, other)
            case "ranking":
                yield ChangedRanking()
            case _:
                raise _DiffersOtherwise


def _pairs(before: tuple[T, ...], after: tuple[T, ...]) -> Iterator[tuple[T, T]]:
    if len(before) != len(after):
        raise _DiffersOtherwise
    return ((one, other) for one, other in zip(before, after, strict=True) if one is not other)


def _exprs(before: tuple[Expr, ...], after: tuple[Expr, ...], scope: Scope) -> Iterator[ChangedExpr]:
    return (ChangedExpr(one, other, scope) for one, other in _pairs(before, after))


def _condition(before: Expr | None, after: Expr | None, scope: Scope) -> Iterator[ChangedExpr]:
    if before is not after:
        yield ChangedExpr(before or ALWAYS, after or ALWAYS, scope)


# ---- actions ---------------------------------------------------------------------------------------------------


def _in_action(action: ActionDef, other: ActionDef) -> Iterator[ChangedPart]:
    for index, (choice, after) in enumerate(zip(action.choices, other.choices, strict=True)):
        if choice is not after:
            yield from _in_choice(choice, after, InAction(action, index))
    yield from _clauses(action.clauses, other.clauses, action)


def _in_choice(choice: Choice, other: Choice, scope: Scope) -> Iterator[ChangedPart]:
    yield from _condition(choice.condition, other.condition, scope)
    yield from _exprs(_asked_of(choice.domain), _asked_of(other.domain), scope)


def _asked_of(domain: Domain) -> tuple[Expr, ...]:
    """The expressions of a domain as they count: of how many are chosen, no number below 0."""
    match domain:
        case SomeOf(of=of, total=Range(low=low) as total):
            lowest = Call("max", (NONE_CHOSEN, low), "", low.type, low.offsets)
            return of, replace(total, low=lowest)
    return domain_exprs(domain)


def _clauses(before: tuple[Clause, ...], after: tuple[Clause, ...], action: ActionDef) -> Iterator[ChangedExpr]:
    """What is asked in the midst of the choices only spares the choices after it: together with the others each counts
    when all have been made.
    """
    kept = {clause.address: clause for clause in after}
    for clause in before:
        other = kept.get(clause.address)
        if other is not clause:
            rest = tuple(each for each in before if each is not clause)
            scope = InAction(action, len(action.choices), rest)
            yield ChangedExpr(clause.condition, ALWAYS if other is None else other.condition, scope)


# ---- steps, values ---------------------------------------------------------------------------------------------


def _in_block(block: int, before: tuple[Step, ...], after: tuple[Step, ...]) -> Iterator[ChangedPart]:
    if len(after) < len(before):
        rest = set(map(id, after))
        yield from (LostStep(step, block) for step in before if id(step) not in rest)
        return
    for step, other in _pairs(before, after):
        yield from _in_step(step, other, InBlock(block, step))


def _in_step(step: Step, other: Step, scope: InBlock) -> Iterator[ChangedPart]:
    if isinstance(step.effect, Choose | Roll) and step.effect is not other.effect:
        yield _in_effect(step.effect, other.effect, scope)
    before, after = step_exprs(step), step_exprs(other)
    if len(before) == len(after):
        yield from _exprs(before, after, scope)
        return
    yield from _condition(step.when, other.when, scope)
    yield from _condition(step.while_condition, other.while_condition, scope)
    if step.for_each is not None and other.for_each is not None:
        yield from _condition(step.for_each.condition, other.for_each.condition, scope)


def _in_effect(effect: Choose | Roll, other: Effect, scope: InBlock) -> LostOffers | OtherEffect:
    if isinstance(effect, Choose) and isinstance(other, Choose) and replace(other, offers=effect.offers) == effect:
        rest = set(map(id, other.offers))
        lost = [offer.action for offer in effect.offers if id(offer) not in rest]
        if len(lost) == len(effect.offers) - len(rest) > 0:
            return LostOffers(scope.block, frozenset(lost))
    return OtherEffect(scope.block)


def _in_value(value: ValueDef, other: ValueDef) -> Iterator[ChangedPart]:
    before = tuple(term for _, term in (*value.terms, *value.deductions))
    after = tuple(term for _, term in (*other.terms, *other.deductions))
    return _exprs(before, after, InValue(value))


__all__ = [
    "ChangedExpr",
    "ChangedPart",
    "ChangedRanking",
    "InAction",
    "InBlock",
    "InValue",
    "LostOffers",
    "LostStep",
    "OtherEffect",
    "Scope",
    "changed_parts",
]
