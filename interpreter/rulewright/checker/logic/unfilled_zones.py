"""Is there a zone that begins empty and stays so, although the rules need or ask what lies there?

In: rules, and the composition they were built from. Out: warnings at such zones, and at things that are put nowhere at
the start. What only takes as much as there is, is left to the check of empty zones. Under variants only what a variant
wrote is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from rulewright.checker.common.adjustable_numbers import can_be_adjusted
from rulewright.checker.common.lint_codes import ALWAYS_EMPTY, CHANGES_NOTHING
from rulewright.checker.common.names_in_text import find_names
from rulewright.checker.logic.empty_zones import FEWER_WILL_DO, empty_at_the_start
from rulewright.diagnostics import Cause, Diagnostics
from rulewright.document.address import find_entry
from rulewright.engine.faults import RuleFault
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import ReadZone
from rulewright.expr.types import Thing
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Move
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import choice_exprs
from rulewright.source.nodes import ScalarNode

ASKING_CODES: Final = (NEVER_TRUE, CHANGES_NOTHING)  # of what asks about a zone where there is never anything


def check_unfilled_zones(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the zone with which it begins, one for each sort of things or pieces."""
    asked = {word for one in diagnostics if one.code in ASKING_CODES for word in find_names(one.span.text)}
    by_players = {name for name in rules.zones if name in asked and _begins_by_players(name, composition)}
    unfilled = _unfilled(rules, by_players)
    if not unfilled:
        return
    needed, inflow = _needed(rules), _sources(rules)
    if not len(diagnostics):  # what is told of something else may be why nothing comes
        needed |= _read(rules)
    for content in dict.fromkeys(rules.zones[name].content_type for name in unfilled):
        names = [name for name in unfilled if rules.zones[name].content_type == content]
        if needed.isdisjoint(names):
            continue
        first = min(names, key=lambda name: (*_distance(rules.zones[name], inflow),))
        address, message = f"zones.{first}", f"`{first}` begins empty, and nothing ever comes to it"
        hint = _hint(rules, rules.zones[first], inflow)
        if isinstance(content, Thing) and _is_nowhere(rules, content.component):
            address, hint = f"components.{content.component}", "write `start`: the zone where they begin"
            message = f"each `{content.component}` begins in no zone, and nothing brings it into one"
        if first in by_players:
            address, message = f"zones.{first}.start", f"`{first}` begins empty with so many players, and stays so"
            hint = "let it begin with something whoever plays"
        entry = find_entry(composition.document.root, address)
        if entry is None or not composition.is_judged(entry.key.span):
            continue
        diagnostics.add(
            entry.value.span if first in by_players else entry.key.span,
            ALWAYS_EMPTY,
            message,
            label="always empty",
            help=hint,
            address=address,
            cause=Cause("nothing there", " ".join(names)),
        )


def _begins_by_players(name: str, composition: Composition) -> bool:
    """Whether it depends on how many play with what a zone begins."""
    entry = find_entry(composition.document.root, f"zones.{name}.start")
    return entry is not None and isinstance(entry.value, ScalarNode) and "players" in find_names(entry.value.text)


def _unfilled(rules: Rules, by_players: Collection[str]) -> tuple[str, ...]:
    """The zones in which there is never anything: they begin empty, as does all from which anything comes to them.
    `by_players`: those that are meant to begin with something, as many as play.
    """
    try:
        unfilled = set(empty_at_the_start(rules))
    except RuleFault:
        return ()  # reported by the set-up
    unfilled -= {name for name in unfilled if name not in by_players and _may_be_meant(rules, rules.zones[name])}
    sources = _sources(rules) if unfilled else {}
    is_settled = False
    while not is_settled:
        filled = {name for name in unfilled if sources.get(name, set()) - unfilled}
        is_settled = not filled
        unfilled -= filled
    return tuple(name for name in rules.zones if name in unfilled)


def _may_be_meant(rules: Rules, zone: ZoneDef) -> bool:
    """Whether a parameter may bring more there, or nothing exists that could be there."""
    if isinstance(zone.content_type, Thing):
        is_none = not rules.components[zone.content_type.component].ids
    else:
        is_none = not rules.kinds[zone.content_type.kind].members
    has_no_room = zone.capacity is not None and can_be_adjusted(rules, zone.capacity)
    return is_none or has_no_room or zone.initial_content is not None


def _sources(rules: Rules) -> Mapping[str, set[str]]:
    """By the names of zones: those from which something may come to them."""
    known, found = find_move_sources(rules), dict[str, set[str]]()
    for step in (step for block in rules.blocks for step in block.steps):
        if isinstance(step.effect, Move):
            places, to = known.get(step.address), rules.zones[step.effect.to.zone]
            alike = (zone.name for zone in rules.zones.values() if zone.content_type == to.content_type)
            found.setdefault(to.name, set()).update(alike if places is None else (place.zone for place in places))
    for zone in rules.zones.values():
        if zone.refill is not None:
            found.setdefault(zone.name, set()).add(zone.refill.zone)
    return found


def _needed(rules: Rules) -> set[str]:
    """The zones from which somebody chooses, or a step takes as much as it says."""
    choices = (choice for action in rules.actions for choice in action.choices if choice.condition is None)
    exprs = (expr for choice in choices for expr in choice_exprs(choice))
    found = {part.name for expr in exprs for part in iter_exprs(expr) if isinstance(part, ReadZone)}
    for step in (step for block in rules.blocks for step in block.steps):
        move = step.effect
        if isinstance(move, Move) and move.source is not None and move.amount.mode not in FEWER_WILL_DO:
            found.add(move.source.zone)
    return found


def _read(rules: Rules) -> set[str]:
    """The zones about which anything is asked."""
    return {part.name for expr in exprs_of_play(rules) for part in iter_exprs(expr) if isinstance(part, ReadZone)}


def _distance(zone: ZoneDef, inflow: Mapping[str, Collection[str]]) -> Iterator[int]:
    """How far a zone seems from the first: nothing comes to that one, or it fills itself; it is of all players."""
    yield zone.name in inflow
    yield zone.refill is None
    yield len(zone.key_types)


def _is_nowhere(rules: Rules, component: str) -> bool:
    declared = rules.components[component]
    return declared.initial_place is None and bool(declared.ids)


def _hint(rules: Rules, zone: ZoneDef, inflow: Mapping[str, Collection[str]]) -> str:
    """The pile that is meant, if one only waits to be drawn from; else what can bring something."""
    if zone.is_pool:
        return f"say what it begins with, `start`, or move something to `{zone.name}`"
    if zone.refill is not None:
        return f"it fills itself from `{zone.refill.zone}`, where there is never anything either"
    piles = [each for each in rules.zones.values() if each.is_shuffled and each.content_type == zone.content_type]
    if len(piles) == 1:
        return f"write `refill: {piles[0].name}`, or move something to `{zone.name}`"
    return f"move something to `{zone.name}`"


__all__ = ["check_unfilled_zones"]
