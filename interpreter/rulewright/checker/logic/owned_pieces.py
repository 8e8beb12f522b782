"""Which pieces never leave the places of their player, so that nobody can have more of them than at the start.

In: rules. Out: for each zone of pieces that is kept by player, the zones from which its pieces can have come, if no
step brings some from another player, or from where all share.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Expr, Place, ReadZone
from rulewright.expr.types import SEAT, Member
from rulewright.model.effects import Move
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import Rules, ZoneDef


def find_owned_pieces(rules: Rules) -> Mapping[str, frozenset[str]]:
    """By the names of zones, with the zone itself; what can come from elsewhere is left out."""
    own = {zone.name for zone in rules.zones.values() if _is_kept_by_seat(zone)}
    feeding: dict[str, set[str]] = {name: {name} for name in own}
    for step in (step for block in rules.blocks for step in block.steps):
        if not isinstance(step.effect, Move) or step.effect.to.zone not in feeding:
            continue
        source, to = step.effect.source, step.effect.to
        if source is not None and source.zone in own and _same_owner(rules, source, to):
            feeding[to.zone].add(source.zone)
        else:
            del feeding[to.zone]
    for zone in rules.zones.values():
        if zone.refill is not None:
            feeding.pop(zone.name, None)
    for _ in own:
        for name, zones in [*feeding.items()]:
            if zones <= feeding.keys():
                feeding[name] = zones.union(*(feeding[other] for other in zones))
            else:
                del feeding[name]
    return {name: frozenset(zones) for name, zones in feeding.items()}


def owner_key(rules: Rules, read: ReadZone | Place) -> Expr | None:
    """The player whose place a zone of pieces is read at; None where it is not one player's."""
    zone = rules.zones[read.zone if isinstance(read, Place) else read.name]
    if not _is_kept_by_seat(zone):
        return None
    index = zone.key_types.index(SEAT)
    if index >= len(read.keys) or is_plural_key(rules, read.keys[index], zone, index):
        return None
    return read.keys[index]


def _is_kept_by_seat(zone: ZoneDef) -> bool:
    return isinstance(zone.content_type, Member) and zone.key_types.count(SEAT) == 1


def _same_owner(rules: Rules, source: Place, to: Place) -> bool:
    giver, taker = owner_key(rules, source), owner_key(rules, to)
    if giver is None or taker is None:
        return False
    key = structural_key(giver)
    return key is not None and key == structural_key(taker)


__all__ = ["find_owned_pieces", "owner_key"]
