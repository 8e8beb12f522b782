"""Decisions during which steps are under way that are about things: a card that is bought, each card of a row in turn.

In: a program. Out: the numbers of these decisions. Where a thing is dealt anew that a seat does not know, what is under
way would be about another one then.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.expr.types import SetOf, Thing, Type
from rulewright.model.effects import Choose, GiveTurn, RunSteps, Step
from rulewright.model.rules import Rules


def decisions_with_things(program: CompiledProgram) -> frozenset[int]:
    """The numbers of decisions at which a variable of a step around can be a thing, or a set of things."""
    rules = program.rules
    callers: dict[int, set[tuple[int, int]]] = {}
    for number, block in enumerate(rules.blocks):
        for index, step in enumerate(block.steps):
            for begun in _begun_by(rules, step):
                callers.setdefault(begun, set()).add((number, index))
    return frozenset(
        number
        for number, site in enumerate(program.decisions)
        if any(_is_about_things(rules, *place) for place in _around(callers, (site.block, site.step)))
    )


def _around(callers: dict[int, set[tuple[int, int]]], place: tuple[int, int]) -> set[tuple[int, int]]:
    """A step, and all those in which it can be carried out."""
    found, waiting = set[tuple[int, int]](), [place]
    while waiting:
        step = waiting.pop()
        if step not in found:
            found.add(step)
            waiting += callers.get(step[0], ())
    return found


def _begun_by(rules: Rules, step: Step) -> Iterator[int]:
    """The blocks that begin while a step is carried out."""
    match step.effect:
        case RunSteps(block=block):
            yield block
        case GiveTurn():
            yield rules.turn
        case Choose(offers=offers, fallback=fallback):
            numbers = {*(offer.action for offer in offers), fallback}
            yield from (action.block for action in rules.actions if action.index in numbers)
        case _:
            pass


def _is_about_things(rules: Rules, block: int, step: int) -> bool:
    effect = rules.blocks[block].steps[step].effect
    types = [*rules.blocks[block].types_within(step)]
    if isinstance(effect, Choose) and effect.mode == "together":  # what others have chosen waits to be carried out
        numbers = {offer.action for offer in effect.offers}
        types += [choice.type for action in rules.actions if action.index in numbers for choice in action.choices]
    return any(map(_is_thing, types))


def _is_thing(type_: Type) -> bool:
    return isinstance(type_.element if isinstance(type_, SetOf) else type_, Thing)


__all__ = ["decisions_with_things"]
