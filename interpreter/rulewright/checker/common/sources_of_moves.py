"""From which zones does a step take what it moves?

In: a step that moves, and the actions of the rules. Out: the names of zones: those that the step names, or among which
a loop or a choice finds a thing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.expr.tree import ReadZone
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model.actions import ActionDef, OneOf, SomeOf
from rulewright.model.effects import Move, Step


def sources_of_move(step: Step, actions: Sequence[ActionDef]) -> set[str]:
    """The zones from which a move takes."""
    assert isinstance(step.effect, Move)
    if step.effect.source is not None:
        return {step.effect.source.zone}
    of, loop = step.effect.amount.of, step.for_each
    slots = free_variables(of) if of is not None else frozenset[int]()
    exprs = [] if of is None else [of]
    exprs += [loop.over] if loop is not None and loop.slot in slots else []
    for action in actions:
        if step.address.startswith(f"{action.address}."):
            chosen = [choice.domain for slot, choice in enumerate(action.choices) if slot in slots]
            exprs += [domain.of for domain in chosen if isinstance(domain, OneOf | SomeOf)]
    return {part.name for expr in exprs for part in iter_exprs(expr) if isinstance(part, ReadZone)}


__all__ = ["sources_of_move"]
