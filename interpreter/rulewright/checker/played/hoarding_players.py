"""Who brings it about that there is no room left in a place of a player: players who take nothing out of it?

In: rules that can be set up, and the composition they were built from. Out: the players, as they are named: those who
avoid an action that takes from a limited place into which a turn moves something without a look at what is there, then
those who do anything. Under variants only places and steps count that are otherwise in the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rulewright.checker.common.names_touched import NO_NAMES, NamesTouched
from rulewright.engine.layout import layout_of
from rulewright.expr.tree import Expr
from rulewright.expr.types import SEAT
from rulewright.model.effects import Move, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within

_Limits: TypeAlias = Sequence[int | None]  # of the places of a zone


def hoarding_players(rules: Rules, composition: Composition) -> list[str]:
    """The players, in the order in which they play; none where no such place is seen."""
    filled = dict(_filled_unasked(rules))
    base = base_rules(composition) if composition.chosen_variants else None
    known = {} if base is None else dict(_filled_unasked(base))
    zones = {zone for (zone, address), limits in filled.items() if known.get((zone, address)) != limits}
    sources = find_move_sources(rules)
    takers = [
        f"avoid:{action.name}"
        for action in rules.actions
        for number in blocks_within(rules, [action.block])
        for step in rules.blocks[number].steps
        if any(place.zone in zones for place in sources.get(step.address, ()))
    ]
    return [*dict.fromkeys(takers), "random"] if zones else []


def _filled_unasked(rules: Rules) -> Iterator[tuple[tuple[str, str], _Limits]]:
    """The limited zones and the addresses of steps that move something there without a look at them, with the limits
    of their places.
    """
    limited = {zone.name: zone for zone in rules.zones.values() if zone.capacity is not None and SEAT in zone.key_types}
    if not limited:
        return
    names, capacities = NamesTouched(rules), layout_of(rules).capacities
    parts = [(action.block, [clause.condition for clause in action.clauses]) for action in rules.actions]
    for block, clauses in [*parts, (rules.turn, [])]:
        asked = NO_NAMES.union(*map(names.read, clauses))
        for number in blocks_within(rules, [block]):
            for step in rules.blocks[number].steps:
                zone = limited.get(step.effect.to.zone) if isinstance(step.effect, Move) else None
                if zone is not None and zone.name not in asked.union(*map(names.read, _asked(step))):
                    yield (zone.name, step.address), capacities[zone.first_index : zone.first_index + zone.size]


def _asked(step: Step) -> Iterator[Expr]:
    """What decides whether a step moves anything, and how much."""
    loop = () if step.for_each is None else (step.for_each.over, step.for_each.condition)
    amount = step.effect.amount.of if isinstance(step.effect, Move) else None
    yield from (part for part in (step.when, step.times, step.while_condition, amount, *loop) if part is not None)


__all__ = ["hoarding_players"]
