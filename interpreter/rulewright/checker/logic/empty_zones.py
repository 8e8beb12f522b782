"""Is something taken from a zone in which there is never anything?

In: rules, and the composition they were built from. Out: warnings about moves of all, of the top or of as much as there
is from a zone that begins empty and into which nothing ever comes. What asks for its contents is left to other checks,
and what has to be there to games that are played. Under variants only steps that a variant wrote are reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulewright.checker.common.codes import DEALS_SHORT
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.diagnostics import Diagnostics, Span
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import layout_of
from rulewright.engine.values import content_bag, content_things
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import ReadZone
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import filled_zones

FEWER_WILL_DO: Final = ("all", "top", "up to", "up to random")
CONSTANT: Final = (ALWAYS_TRUE, NEVER_TRUE)
NAME: Final = lazy_pattern(r"\w+")
NOTHING_COMES: Final = "nothing ever comes to"  # how the message begins


def check_empty_zones(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first such move from each zone, unless a condition that asks for its contents is reported."""
    steps = [step for block in rules.blocks for step in block.steps]
    filled = filled_zones(steps)
    idle = {zone.name for zone in rules.zones.values() if zone.refill is None and zone.name not in filled}
    taking = [(step, zone) for step in steps if (zone := _taken_from(step)) in idle] if idle else []
    if not taking or any(one.code is CHANGES_NOTHING for one in diagnostics):
        return  # what another step moves in vain may be meant for that zone
    try:
        empty = set(empty_at_the_start(rules))
    except RuleFault:
        return  # reported by the set-up
    asked = {word for one in diagnostics if one.code in CONSTANT for word in NAME.findall(one.span.text)}
    reported = {one.address for one in diagnostics if one.code is DEALS_SHORT}
    for step, zone in taking:
        if zone in empty - asked and step.address not in reported and composition.is_judged(step.span):
            asked.add(zone)
            diagnostics.add(
                _span(composition, step),
                CHANGES_NOTHING,
                f"{NOTHING_COMES} `{zone}`, so this moves nothing",
                label="always empty",
                help=f"exchange `from` and `to`, or move something to `{zone}`"
                if _is_exchanged(step, steps)
                else f"move something to `{zone}`, or take it from elsewhere",
                address=step.address,
            )


def _is_exchanged(step: Step, steps: Iterable[Step]) -> bool:
    """Whether nothing is taken from where a step brings things, either."""
    assert isinstance(step.effect, Move)
    moves = (each.effect for each in steps if isinstance(each.effect, Move))
    sources = {move.source.zone for move in moves if move.source is not None}
    return step.effect.source is not None and step.effect.to.zone not in sources


def _taken_from(step: Step) -> str:
    """The zone from which a step takes what is there, be it nothing."""
    move = step.effect
    if not isinstance(move, Move):
        return ""
    if move.source is not None:
        return move.source.zone if move.amount.mode in FEWER_WILL_DO else ""
    return move.amount.of.name if isinstance(move.amount.of, ReadZone) else ""


def empty_at_the_start(rules: Rules) -> Iterator[str]:
    """The zones in which there is nothing when a game begins."""
    contents = layout_of(rules).contents
    for zone in rules.zones.values():
        places = contents[zone.first_index : zone.first_index + zone.size]
        if not any(sum(content_bag(place)) if zone.is_pool else content_things(place) for place in places):
            yield zone.name


def _span(composition: Composition, step: Step) -> Span:
    root = composition.document.root
    node = condition_node(root, step.address, "from") or condition_node(root, step.address, "move")
    return step.span if node is None else node.span


__all__ = ["FEWER_WILL_DO", "NOTHING_COMES", "check_empty_zones", "empty_at_the_start"]
