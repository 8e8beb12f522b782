"""How many pieces are left in a place at least, since all other places together have no room for more.

In: rules, what each place can hold at most. Out: the same, with the least that must be in each place of pieces. Pieces
are never made nor destroyed, so that those for which the others have no room are here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.expr.types import Member
from rulewright.model.facts.value_ranges import BagRange, ValueRange
from rulewright.model.rules import Rules


def with_least_pieces(
    rules: Rules, held: Sequence[ValueRange], totals: Mapping[str, tuple[int, ...]]
) -> list[ValueRange]:
    """`totals`: for each family how many there are of each member. Of zones of many places nothing is said: what one of
    them lacks another may have.
    """
    found = [*held]
    for family, counts in totals.items():
        zones = [zone for zone in rules.zones.values() if _holds(rules, zone.content_type, family)]
        places = dict[int, BagRange]()
        for place in (place for zone in zones for place in range(zone.first_index, zone.first_index + zone.size)):
            whole = held[place]
            if isinstance(whole, BagRange):
                places[place] = whole
        room = sum(whole.high_total for whole in places.values())
        for zone in zones:
            if zone.size == 1 and zone.first_index in places and places[zone.first_index].highs:
                whole = places[zone.first_index]
                least = max(whole.low_total, sum(counts) - (room - whole.high_total))
                found[zone.first_index] = BagRange.of(whole.lows, whole.highs, least, max(least, whole.high_total))
    return found


def _holds(rules: Rules, content: object, family: str) -> bool:
    return isinstance(content, Member) and rules.kinds[content.kind].family == family


__all__ = ["with_least_pieces"]
