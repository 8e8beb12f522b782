"""Chance from outside: what a game waits for, its outcomes in words, and the order of piles that a referee sets.

In: a match, and what the referee sends. Out: the chance event as JSON data, the number of an outcome, the things of
each pile; or a `ProtocolError` that says what could be meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product

from rulewright import limits
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.state import ChanceEvent, State
from rulewright.engine.values import content_things
from rulewright.errors import quote
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import StateDef, ZoneDef
from rulewright.protocol.request_parser import Orders, ProtocolError
from rulewright.session.match import Match
from rulewright.suggestions import did_you_mean


def chance_data(match: Match, state: State) -> dict[str, object] | None:
    """The chance event that the game waits for, and the weight of each outcome."""
    event = state.waiting
    if not isinstance(event, ChanceEvent):
        return None
    owner = _chance_owner(match, event)
    keys = list(product(*owner.key_values))[event.target - owner.first_index]
    return {
        "kind": event.kind,
        "zone" if event.kind == "draw" else "state": owner.name,
        "keys": [match.notation.format_value(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)],
        "outcomes": [
            {"outcome": _format_outcome(match, event, value), "weight": weight} for value, weight in event.outcomes
        ],
    }


def parse_outcome(match: Match, event: ChanceEvent, outcome: str) -> int:
    """The value of an outcome that is written as `chance_data` writes it; raises `ProtocolError`."""
    values = {_format_outcome(match, event, value): value for value, _ in event.outcomes}
    if outcome not in values:
        hint = did_you_mean(outcome, values) or f"there are {len(values)}"
        raise ProtocolError("wrong-value", f"{quote(outcome[:40])} is not an outcome of this chance event; {hint}")
    return values[outcome]


def _chance_owner(match: Match, event: ChanceEvent) -> ZoneDef | StateDef:
    """The zone that is drawn from, or the state that is rolled for."""
    owners = match.rules.zones if event.kind == "draw" else match.rules.states
    return next(
        owner for owner in owners.values() if owner.first_index <= event.target < owner.first_index + owner.size
    )


def _format_outcome(match: Match, event: ChanceEvent, value: int) -> str:
    owner = _chance_owner(match, event)
    if isinstance(owner, StateDef):
        return match.notation.format_value(value, owner.type)
    if isinstance(owner.content_type, Member):
        return match.notation.bag_member_ids(owner.content_type.kind)[value]
    return match.notation.format_value(value, owner.content_type)


def parse_orders(engine: Engine, orders: Mapping[str, Orders]) -> dict[int, list[int]]:
    """The order of shuffled places: by the number of the place its things, top first; raises `ProtocolError`."""
    parsed: dict[int, list[int]] = {}
    notation = Notation(engine.rules)
    shuffled = {zone.name: zone for zone in engine.rules.zones.values() if zone.is_shuffled and not zone.is_pool}
    for name, nested in orders.items():
        zone = shuffled.get(name)
        if zone is None:
            hint = did_you_mean(name, shuffled) or f"shuffled zones: {', '.join(shuffled) or 'none'}"
            raise ProtocolError("wrong-value", f"orders: {quote(name[:40])} is not a shuffled zone; {hint}")
        places = {
            tuple(notation.format_value(key, type_) for key, type_ in zip(keys, zone.key_types, strict=True)): (
                zone.first_index + index
            )
            for index, keys in enumerate(product(*zone.key_values))
        }
        for keys, ids in _flatten_orders(nested):
            if keys not in places:
                known = ", ".join(".".join((name, *place)) for place in islice(places, limits.MAX_LISTED_NAMES))
                message = f"orders: there is no place {'.'.join((name, *keys))[:80]}; places: {known}"
                raise ProtocolError("wrong-value", message)
            assert isinstance(zone.content_type, Thing)
            known_ids = engine.rules.components[zone.content_type.component].ids
            expected = content_things(engine.layout.contents[places[keys]])
            order = [known_ids.index(thing) if thing in known_ids else -1 for thing in ids]
            if sorted(order) != sorted(expected):
                place = ".".join((name, *keys))
                message = f"orders: {place} must name each of its {len(expected)} things once, top first"
                raise ProtocolError("wrong-value", message)
            parsed[places[keys]] = order
    return parsed


def _flatten_orders(orders: Orders, keys: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], list[str]]]:
    """The lists in nested objects, each with the keys that lead to it."""
    if isinstance(orders, list):
        return [(keys, orders)]
    return [entry for key, inner in orders.items() for entry in _flatten_orders(inner, (*keys, key))]


__all__ = ["chance_data", "parse_orders", "parse_outcome"]
