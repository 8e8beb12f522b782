"""The expressions that rules contain: those of a choice's domain, and those of a step; the actions they ask about.

In: a domain or a step. Out: its expressions; `expr/walk` goes on into their parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from rulewright.expr.tree import Call, Expr, ReadValue
from rulewright.expr.walk import iter_exprs
from rulewright.model.actions import Choice, Domain, OneOf, Pay, SomeOf
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
from rulewright.model.rules import ELIMINATION_STATE, Rules, ValueDef


def only_step(rules: Rules, step: Step) -> Step | None:
    """The one step of the procedure that a step runs just so, if it decides nothing; None of all other steps.

    Whoever explains such a step says what that one does: there is nothing more to the procedure.
    """
    match step:
        case Step(when=None, for_each=None, times=None, effect=RunSteps(is_procedure=True, arguments=(), block=block)):
            inner = rules.blocks[block].steps
            if len(inner) == 1 and not isinstance(inner[0].effect, Choose | RunSteps):
                return inner[0]
    return None


def domain_exprs(domain: Domain) -> tuple[Expr, ...]:
    """The expressions of a domain, in the order in which a choice names them."""
    match domain:
        case OneOf(of=of):
            return (of,)
        case SomeOf(of=of, total=total):
            return (of,) if total is None else (of, total)
        case Pay(price=price, funds=source, worth=worth, rebate=rebate):
            return (price, source, *worth) if rebate is None else (price, source, *worth, rebate)
        case _:
            assert_never(domain)


def choice_exprs(choice: Choice) -> tuple[Expr, ...]:
    """The expressions of a choice: its condition, and those of its domain."""
    exprs = domain_exprs(choice.domain)
    return exprs if choice.condition is None else (choice.condition, *exprs)


def single_run_exprs(step: Step) -> tuple[Expr, ...]:
    """The expressions that a step evaluates each time it runs."""
    return tuple(
        expr for expr in (step.while_condition, step.when, step.by, *_effect_parts(step.effect)) if expr is not None
    )


def step_exprs(step: Step) -> tuple[Expr, ...]:
    """All expressions of a step, not those of the steps inside it."""
    each = () if step.for_each is None else (step.for_each.over, step.for_each.condition)
    around = (step.order, step.times, *each)
    return (*[expr for expr in around if expr is not None], *single_run_exprs(step))


def offered_actions(effect: Choose) -> tuple[int, ...]:
    """The numbers of the actions that a decision can lead to, the one for want of any other last."""
    offered = tuple(offer.action for offer in effect.offers)
    return (*offered, effect.fallback) if isinstance(effect.fallback, int) else offered


def run_blocks(rules: Rules, effect: Effect) -> tuple[int, ...]:
    """The blocks that a step runs or offers: those of its steps, of actions, of a turn that begins at once."""
    match effect:
        case RunSteps(block=block):
            return (block,)
        case Choose():
            return tuple(rules.actions[action].block for action in offered_actions(effect))
        case GiveTurn(is_extra=False):
            return (rules.turn,)
        case Move() | SetState() | Roll() | Reveal() | GiveTurn() | Finish() | Leave():
            return ()
        case _:
            assert_never(effect)


def blocks_within(rules: Rules, blocks: Iterable[int]) -> set[int]:
    """These blocks, and all that their steps run or offer, the turns that they begin included."""
    reached = set(blocks)
    pending = [*reached]
    while pending:
        steps = rules.blocks[pending.pop()].steps
        new = {block for step in steps for block in run_blocks(rules, step.effect)} - reached
        reached |= new
        pending += new
    return reached


def filled_zones(steps: Iterable[Step]) -> set[str]:
    """The zones into which steps put something."""
    return {zone for step in steps for zone in _zones_filled(step.effect)}


def _zones_filled(effect: Effect) -> tuple[str, ...]:
    match effect:
        case Move(to=to):
            return (to.zone,)
        case SetState() | Roll() | Reveal() | Choose() | GiveTurn() | Finish() | Leave() | RunSteps():
            return ()
        case _:
            assert_never(effect)


def changed_states(steps: Iterable[Step]) -> set[str]:
    """The states to which steps can give a value."""
    return {state for step in steps for state in _states_changed(step.effect)}


def _states_changed(effect: Effect) -> tuple[str, ...]:
    match effect:
        case SetState(target=target) | Roll(target=target):
            return (target.name,)
        case Leave():
            return (ELIMINATION_STATE,)
        case Move() | Reveal() | Choose() | GiveTurn() | Finish() | RunSteps():
            return ()
        case _:
            assert_never(effect)


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
        case RunSteps(arguments=arguments):
            return arguments
        case Choose():
            return ()
        case _:
            assert_never(effect)
