"""How many things can ever have been in a zone, as far as the moves say that lead there.

In: rules, what is in each place at the start. Out: a bound for each zone that holds things. A thing is only where it
starts or where a move brings it, and a move takes from some zones only; what the set-up moves once, it moves once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.engine.values import Content, content_things
from rulewright.expr.types import Number, Thing
from rulewright.expr.walk import find_position_read
from rulewright.model.effects import Move, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.rules import Rules


def most_things_ever(rules: Rules, contents: Sequence[Content]) -> Mapping[str, int]:
    """By the names of zones: how many things can have been in all places of each together."""
    at_start = {
        zone.name: sum(len(content_things(contents[zone.first_index + index])) for index in range(zone.size))
        for zone in rules.zones.values()
        if isinstance(zone.content_type, Thing) and _is_placed(rules, zone.content_type)
    }
    totals = {name: sum(at_start[other] for other in _alike(rules, name)) for name in at_start}
    ranges = ExpressionRanges(rules, (), ())
    once, often = _once(rules, ranges), _often(rules, ranges)
    most = dict(totals)
    for _ in most:
        before = dict(most)
        for name in most:
            inflow = once.get(name, 0) + sum(most[source] for source in often.get(name, ()) if source != name)
            most[name] = min(most[name], at_start[name] + inflow)
        if most == before:
            break
    return most


def _is_placed(rules: Rules, thing: Thing) -> bool:
    """Whether all things of a sort are somewhere from the start."""
    return rules.components[thing.component].initial_place is not None


def _alike(rules: Rules, name: str) -> list[str]:
    """The zones that hold the same sort of things."""
    held = rules.zones[name].content_type
    return [zone.name for zone in rules.zones.values() if zone.content_type == held]


def _once(rules: Rules, ranges: ExpressionRanges) -> Mapping[str, int]:
    """How many things the set-up brings to each zone by steps that it carries out once."""
    found: dict[str, int] = {}
    for step, move in _moves(rules):
        amount = _amount_once(rules, step, move, ranges)
        if amount is not None:
            found[move.to.zone] = found.get(move.to.zone, 0) + amount
    return found


def _amount_once(rules: Rules, step: Step, move: Move, ranges: ExpressionRanges) -> int | None:
    """How many things a step moves in a whole game; None if nothing says so."""
    is_once = any(step is other for other in rules.blocks[rules.setup].steps)
    if not is_once or step.is_repeated:
        return None
    of = move.amount.of
    if of is None or not isinstance(of.type, Number) or find_position_read(of) is not None:
        return None
    return max(0, ranges.scalars(of, {}, ranges.seats).high)


def _often(rules: Rules, ranges: ExpressionRanges) -> Mapping[str, set[str]]:
    """The zones from which things come to each zone by all other steps, and by filling itself."""
    sources, found = find_move_sources(rules), dict[str, set[str]]()
    for step, move in _moves(rules):
        name = move.to.zone
        if rules.zones[name].is_pool or _amount_once(rules, step, move, ranges) is not None:
            continue
        places = sources.get(step.address)
        found.setdefault(name, set()).update(_alike(rules, name) if places is None else (at.zone for at in places))
    for zone in rules.zones.values():
        if zone.refill is not None:
            found.setdefault(zone.name, set()).add(zone.refill.zone)
    return found


def _moves(rules: Rules) -> Iterator[tuple[Step, Move]]:
    for block in rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Move):
                yield step, step.effect


__all__ = ["most_things_ever"]
