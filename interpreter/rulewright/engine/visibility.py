"""Where each viewer can look: which seat sees which place, as the rules say it once and for all.

In: the rule model. Out: a `Visibility`. Viewers are the seats and, last, a spectator, who sees what everybody sees.
What viewers remember of places that they cannot see is `knowledge`.
"""

from __future__ import annotations

from rulewright.model.rules import Rules, ZoneDef


class Visibility:
    """What each viewer sees of the table: `can_see[viewer][place]`, `is_open[place]` (seen by all)."""

    def __init__(self, rules: Rules) -> None:
        self.viewer_count = rules.players + 1
        self.spectator = rules.players
        self.zone_by_place: list[ZoneDef] = [
            zone for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index) for _ in range(zone.size)
        ]
        self.can_see = [
            [_is_visible(zone, place, viewer, rules.players) for place, zone in enumerate(self.zone_by_place)]
            for viewer in range(self.viewer_count)
        ]
        self.is_open = [all(row[place] for row in self.can_see) for place in range(len(self.zone_by_place))]
        # places of pieces that some viewer does not see -> their index in `State.known_pieces[viewer]`
        self.hidden_piece_places = {
            place: index
            for index, place in enumerate(
                place for place, zone in enumerate(self.zone_by_place) if zone.is_pool and not self.is_open[place]
            )
        }

    def viewer_index(self, seat: int | None) -> int:
        """The number of a viewer: the seat, or for a spectator (None) the number after the last seat."""
        return self.spectator if seat is None else seat


def _is_visible(zone: ZoneDef, place: int, viewer: int, players: int) -> bool:
    if zone.seen_by in ("all", "nobody"):
        return zone.seen_by == "all"
    assert zone.owner_key is not None
    stride = 1
    for values in zone.key_values[zone.owner_key + 1 :]:
        stride *= len(values)
    seats = zone.key_values[zone.owner_key]
    owner = seats[(place - zone.first_index) // stride % len(seats)]
    return viewer < players and (viewer == owner) == (zone.seen_by == "owner")


__all__ = ["Visibility"]
