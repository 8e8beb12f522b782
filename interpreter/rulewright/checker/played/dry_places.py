"""What has run dry where steps go on for ever and nobody decides anything any more?

In: rules, and the game that failed, to be played again. Out: the first step that takes things or pieces from somewhere,
found some there before, and finds nothing whenever it is carried out at the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from rulewright.engine.default_engine import make_watched_engine
from rulewright.engine.interface import Engine
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.frozen import frozen
from rulewright.model.effects import Move, Step
from rulewright.model.rules import Rules

LAST: Final = 500  # moves, while steps go on for ever


@frozen
class DryPlace:
    """A step that finds nothing any more, and the zone from which it takes."""

    step: Step
    zone: str


def find_dry_place(rules: Rules, replay: Callable[[Engine], object]) -> DryPlace | None:
    """The first in the order in which they are carried out; None where there is no such step."""
    zones = {
        step.address: rules.zones[step.effect.source.zone]
        for block in rules.blocks
        for step in block.steps
        if isinstance(step.effect, Move) and step.effect.source is not None
    }
    has_found, last = set[str](), deque[tuple[str, bool]](maxlen=LAST)

    def note(address: str, position: MutableState) -> None:
        zone = zones[address]
        is_there = any(map(position.content_size, range(zone.first_index, zone.first_index + zone.size)))
        last.append((address, is_there))
        if is_there:
            has_found.add(address)

    replay(make_watched_engine(rules, zones.keys(), note))
    finding = {address for address, is_there in last if is_there}
    dry = {address for address, _ in last if address in has_found and address not in finding}
    for number in (rules.round, *range(len(rules.blocks))):
        for step in rules.blocks[number].steps:
            if step.address in dry:
                return DryPlace(step, zones[step.address].name)
    return None


__all__ = ["DryPlace", "find_dry_place"]
