"""What the steps of an action read, and under which clauses steps offer it.

In: the blocks of rules. Out: steps, expressions, clauses, variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.expr.tree import Expr, ReadState, ReadValue
from rulewright.expr.walk import free_variables, iter_exprs, outer_variables
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Block, Choose, RunSteps, Step
from rulewright.model.rules import Rules, ValueDef
from rulewright.model.traversal import (
    asked_exprs,
    blocks_within,
    choice_exprs,
    offered_actions,
    run_blocks,
    step_exprs,
)


def offer_clauses(blocks: Sequence[Block]) -> Mapping[int, Sequence[Clause]]:
    """The clauses under which steps offer each action, by the index of the action."""
    clauses: dict[int, list[Clause]] = {}
    for block in blocks:
        for step in block.steps:
            for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
                clauses.setdefault(offer.action, []).extend(offer.clauses)
    return clauses


def exprs_in_steps(block: int, blocks: Sequence[Block]) -> Iterator[Expr]:
    """The expressions in the steps of a block and of those within it."""
    for step in steps_within(block, blocks):
        yield from step_exprs(step)


def slots_read(block: int, blocks: Sequence[Block]) -> frozenset[int]:
    """The variables that the steps of a block and of those within it read, and what they offer."""
    slots = frozenset[int]().union(*map(free_variables, exprs_in_steps(block, blocks)))
    for step in steps_within(block, blocks):
        for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
            slots = slots.union(*(outer_variables(clause.condition) for clause in offer.clauses))
    return slots


def action_exprs(action: ActionDef) -> Iterator[Expr]:
    """What an action asks: its clauses, and what its choices are made among."""
    yield from (clause.condition for clause in action.clauses)
    yield from (expr for choice in action.choices for expr in choice_exprs(choice))


def asked_within(step: Step, rules: Rules) -> Iterator[Expr]:
    """What a step asks, with all that it runs and offers."""
    blocks = blocks_within(rules, run_blocks(rules, step.effect))
    for each in (step, *(inner for block in blocks for inner in rules.blocks[block].steps)):
        yield from asked_exprs(each)
        for number in offered_actions(each.effect) if isinstance(each.effect, Choose) else ():
            yield from action_exprs(rules.actions[number])


def reads_state(exprs: Iterable[Expr], name: str) -> bool:
    """Whether some expression, or a part of it, is a state; not by way of derived values."""
    return any(isinstance(part, ReadState) and part.name == name for expr in exprs for part in iter_exprs(expr))


def steps_within(block: int, blocks: Sequence[Block], *, with_procedures: bool = False) -> Iterator[Step]:
    """The steps of a block and of those within it; with those of procedures that they run, if these are asked for."""
    waiting, procedures = [block], set[int]()
    while waiting:
        for step in blocks[waiting.pop()].steps:
            yield step
            if not isinstance(step.effect, RunSteps):
                continue
            run = step.effect.block
            if not step.effect.is_procedure:
                waiting.append(run)
            elif with_procedures and run not in procedures:
                procedures.add(run)
                waiting.append(run)


def all_parts(values: Mapping[str, ValueDef], exprs: Sequence[Expr]) -> Iterator[Expr]:
    """All parts of expressions, and of the derived values in them."""
    pending, found = list(exprs), set[str]()
    while pending:
        for part in iter_exprs(pending.pop()):
            yield part
            if isinstance(part, ReadValue) and part.name not in found:
                found.add(part.name)
                definition = values[part.name]
                pending += [term for _, term in (*definition.terms, *definition.deductions)]


__all__ = [
    "action_exprs",
    "all_parts",
    "asked_within",
    "exprs_in_steps",
    "offer_clauses",
    "reads_state",
    "slots_read",
    "steps_within",
]
