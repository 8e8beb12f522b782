"""The expressions that rules contain: those of a choice's domain, and those of a step; the actions they ask about.

In: a domain or a step. Out: its expressions; `expr/walk` goes on into their parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from rulewright.expr.tree import Call, Expr, ReadValue
from rulewright.expr.walk import iter_exprs
from rulewright.model.rules import (
    Choose,
    Domain,
    Effect,
    Finish,
    GiveTurn,
    Leave,
    Move,
    OneOf,
    Pay,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    SomeOf,
    Step,
    ValueDef,
)


def domain_exprs(domain: Domain) -> tuple[Expr, ...]:
    """The expressions of a domain, in the order in which a choice names them."""
    match domain:
        case OneOf(of=of):
            return (of,)
        case SomeOf(of=of, total=total):
            return (of,) if total is None else (of, total)
        case Pay(price=price, funds=source, rebate=rebate):
            return (price, source) if rebate is None else (price, source, rebate)
        case _:
            assert_never(domain)


def single_run_exprs(step: Step) -> tuple[Expr, ...]:
    """The expressions that a step evaluates each time it runs."""
    return tuple(expr for expr in (step.when, step.by, *_effect_parts(step.effect)) if expr is not None)


def step_exprs(step: Step) -> tuple[Expr, ...]:
    """All expressions of a step, not those of the steps inside it."""
    each = () if step.for_each is None else (step.for_each.over, step.for_each.condition)
    around = (step.order, step.times, *each)
    return (*[expr for expr in around if expr is not None], *single_run_exprs(step))


def offered_actions(effect: Choose) -> tuple[int, ...]:
    """The numbers of the actions that a decision can lead to, the one for want of any other last."""
    offered = tuple(offer.action for offer in effect.offers)
    return (*offered, effect.fallback) if isinstance(effect.fallback, int) else offered


def asked_exprs(step: Step) -> tuple[Expr, ...]:
    """The expressions of a step, and the clauses of what it offers."""
    offers = step.effect.offers if isinstance(step.effect, Choose) else ()
    return (*step_exprs(step), *(clause.condition for offer in offers for clause in offer.clauses))


def asked_actions(exprs: Iterable[Expr], values: Mapping[str, ValueDef]) -> set[str]:
    """The names of the actions of which expressions ask whether they are possible, also through derived values."""
    actions: set[str] = set()
    seen: set[str] = set()
    waiting = list(exprs)
    while waiting:
        for part in iter_exprs(waiting.pop()):
            if isinstance(part, Call) and part.action:
                actions.add(part.action)
            elif isinstance(part, ReadValue) and part.name not in seen and part.name in values:
                seen.add(part.name)
                definition = values[part.name]
                waiting.extend(term for _, term in (*definition.terms, *definition.deductions))
    return actions


def _effect_parts(effect: Effect) -> tuple[Expr | None, ...]:
    match effect:
        case Move(amount=amount, source=source, to=to):
            return (amount.of, *(source.keys if source else ()), *to.keys)
        case SetState(target=target, to=to):
            return (*target.keys, to)
        case Roll(target=target):
            return target.keys
        case Reveal(what=what, to=to):
            return (what, to)
        case GiveTurn(seat=seat):
            return (seat,)
        case Finish(winners=winners):
            return (winners,)
        case Leave(seats=seats):
            return (seats,)
        case Choose() | RunSteps():
            return ()
        case _:
            assert_never(effect)
