"""Whether everything in a position from outside can have come where it is.

In: a position in which nothing is added or lost. Out: nothing, or `InvalidPosition` with one sentence. Asked is only
whether some steps of the rules lead there, not whether a game can have taken them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rulewright.engine.interface import Engine
from rulewright.engine.place_flow import reachable_places, rule_flows
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.state import State
from rulewright.engine.values import content_bag, content_things
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import ZoneDef


def check_reachable(engine: Engine, state: State) -> None:
    """No thing or piece is where no step can bring it, and where no step brings any there are no more than at first.

    Raises `InvalidPosition`.
    """
    check = _ReachCheck(engine)
    for zone in engine.rules.zones.values():
        for place in range(zone.first_index, zone.first_index + zone.size):
            if isinstance(zone.content_type, Thing):
                check.check_things(zone, place, content_things(state.contents[place]))
            else:
                check.check_pieces(zone, place, content_bag(state.contents[place]))


class _ReachCheck:
    """One position under check. What starts in one place reaches the same places."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.start = engine.layout.contents
        self.flows = rule_flows(engine.rules, engine.layout.refills)
        self.entered = {place for _, places in self.flows for place in places}
        self.reached_from = cache(lambda starts: reachable_places(self.flows, starts))
        self.start_of = {
            (zone.content_type.component, thing): place
            for place, zone in enumerate(engine.layout.visibility.zone_by_place)
            if isinstance(zone.content_type, Thing)
            for thing in content_things(self.start[place])
        }

    def check_things(self, zone: ZoneDef, place: int, things: Iterable[int]) -> None:
        """Each thing starts there, or can be brought there."""
        assert isinstance(zone.content_type, Thing)
        component = self.engine.rules.components[zone.content_type.component]
        for thing in things:
            start = self.start_of[component.name, thing]
            if place != start and place not in self.reached_from((start,)):
                raise InvalidPosition(f"{component.ids[thing]} can never come to this place of {zone.name}")

    def check_pieces(self, zone: ZoneDef, place: int, bag: tuple[int, ...]) -> None:
        """Pieces of each member start there, or can be brought there."""
        family = self.engine.rules.kinds[zone.piece_kind].family
        names = self.engine.rules.family_members.get(family, ())
        initial = content_bag(self.start[place])
        for member, count in enumerate(bag):
            name = names[member] if member < len(names) else str(member)
            if place not in self.entered and count > initial[member]:
                raise InvalidPosition(f"a place of {zone.name} holds {count} {name}, but {initial[member]} at first")
            if count and not initial[member] and place not in self.reached_from(self._starts(family, member)):
                raise InvalidPosition(f"{name} can never come to this place of {zone.name}")

    def _starts(self, family: str, member: int) -> tuple[int, ...]:
        """The places with pieces of a member at first."""
        kinds = self.engine.rules.kinds
        return tuple(
            place
            for place, zone in enumerate(self.engine.layout.visibility.zone_by_place)
            if isinstance(zone.content_type, Member)
            and kinds[zone.content_type.kind].family == family
            and content_bag(self.start[place])[member]
        )


__all__ = ["check_reachable"]
