"""From where to where the steps of the rules move things and pieces, whatever the position.

In: the rule model. Out: the places that a step can take from and put into, and all places that something can come to.
Where a step computes a key of a place, any key is meant; so what is found can be too much, but never too little.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import product
from typing import assert_never

from rulewright.expr.tree import Builtin, Constant, Expr, Place
from rulewright.expr.types import Member, Thing
from rulewright.json_values import is_integer
from rulewright.model.effects import Choose, Effect, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState
from rulewright.model.rules import Rules

Flow = tuple[Collection[int], Collection[int]]  # places from which something comes, places to which it may go


def move_flow(rules: Rules, move: Move, seat: int | None = None) -> Flow:
    """Where a step may take from and put into. `seat`: the one that carries it out; None: any."""
    to = _places(rules, move.to, seat)
    if move.source is not None:
        return _places(rules, move.source, seat), to
    content_type = rules.zones[move.to.zone].content_type
    same = [zone for zone in rules.zones.values() if zone.content_type == content_type]
    return [place for zone in same for place in range(zone.first_index, zone.first_index + zone.size)], to


def rule_flows(rules: Rules, refills: Iterable[tuple[int, int, int]]) -> list[Flow]:
    """Every way that things and pieces can take: by the steps of the rules, and where places fill themselves."""
    steps = [step for block in rules.blocks for step in block.steps]
    flows = [flow for step in steps if (flow := _effect_flow(rules, step.effect)) is not None]
    return [*flows, *[((source,), (to,)) for to, source, _ in refills]]


def _effect_flow(rules: Rules, effect: Effect) -> Flow | None:
    match effect:
        case Move() as move:
            return move_flow(rules, move)
        case SetState() | Roll() | Reveal() | Choose() | GiveTurn() | Finish() | Leave() | RunSteps():
            return None  # what other steps do that they run or offer, these do themselves
        case _:
            assert_never(effect)


def reachable_places(flows: Sequence[Flow], starts: Iterable[int]) -> set[int]:
    """The places that something can come to which is in some places at first."""
    reached, closed = set(starts), list(flows)
    while True:
        opened = [flow for flow in closed if not reached.isdisjoint(flow[0])]
        if not opened:
            return reached
        closed = [flow for flow in closed if reached.isdisjoint(flow[0])]
        reached.update(*[to for _, to in opened])


def _places(rules: Rules, place: Place, seat: int | None) -> Collection[int]:
    zone = rules.zones[place.zone]
    keys = [_key_value(key, seat) for key in place.keys]
    if all(key is None for key in keys):
        return range(zone.first_index, zone.first_index + zone.size)
    keys += [None] * (len(zone.key_values) - len(keys))
    return [
        zone.first_index + index
        for index, values in enumerate(product(*zone.key_values))
        if all(key is None or key == value for key, value in zip(keys, values, strict=True))
    ]


def _key_value(key: Expr, seat: int | None) -> int | None:
    """The key of a place, where it is the same in every position; None where it may be any."""
    if not isinstance(key.type, Member | Thing):
        return None
    match key:
        case Constant(value=value) if is_integer(value):
            return value
        case Builtin(name="me"):
            return seat
        case _:
            return None


__all__ = ["Flow", "move_flow", "reachable_places", "rule_flows"]
