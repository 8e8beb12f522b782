"""Positions that agree with what a seat knows: the hidden things dealt anew, as an honest player may imagine them.

In: a position, a viewer and a generator state. Out: a position that gives this viewer the same view. Each hidden
thing is put where it could be; which of the possible deals comes out does not depend on the true one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rulewright.engine import chance
from rulewright.engine.knowledge import KNOWN
from rulewright.engine.reference import Engine
from rulewright.engine.state import State, Together
from rulewright.engine.values import Pile, take_away
from rulewright.expr.types import Thing

Slot = tuple[int, int, int]  # place, part of a pile (0 where there are no parts), index
LOOSE: Final = 1  # the part of a pile that has no order yet


def imagine(engine: Engine, state: State, seat: int | None, rng: int) -> State:
    """A position drawn at random among those a viewer cannot tell from this one; its own chance begins at `rng`."""
    rules, viewer = engine.rules, rules_viewer(engine, seat)
    row = state.knows[viewer]
    contents: list[Any] = [_opened(content) for content in state.contents]
    slots: list[tuple[tuple[int, ...], Slot, int, int]] = []  # sort key, slot, pool, thing
    for place, zone in enumerate(engine.layout.sight.zone_of):
        if not isinstance(zone.holds, Thing):
            continue
        first = rules.components[zone.holds.component].first
        for part, things in enumerate(contents[place]):
            for at, thing in enumerate(things):
                pool = row[first + thing]
                if pool != KNOWN:
                    # an order that does not tell what lies there: the rank of a thing where order means nothing would
                    ordered = zone.arrival or (zone.shuffled and part != LOOSE)
                    slots.append(((place, part, at if ordered else 0, pool), (place, part, at), pool, first + thing))
    slots.sort(key=lambda entry: entry[0])
    rng, dealt = deal([set(state.pools[pool]) for _, _, pool, _ in slots], sorted(entry[3] for entry in slots), rng)
    swap: dict[int, int] = {}
    for (_, (place, part, at), _, old), thing in zip(slots, dealt, strict=True):
        swap[old] = thing
        holds = engine.layout.sight.zone_of[place].holds
        assert isinstance(holds, Thing)
        contents[place][part][at] = thing - rules.components[holds.component].first
    rng = _pieces(engine, state, contents, viewer, rng)
    knows = tuple(_moved(other, swap) for other in state.knows)
    finished = tuple(
        _closed(content, old, zone.arrival, zone.pooled)
        for content, old, zone in zip(contents, state.contents, engine.layout.sight.zone_of, strict=True)
    )
    imagined = replace(state, contents=finished, knows=knows, rng=chance.seeded(rng))
    return _unsealed(engine, imagined, seat, rng)


def rules_viewer(engine: Engine, seat: int | None) -> int:
    """The number of a viewer."""
    return engine.rules.players if seat is None else seat


def _opened(content: Any) -> Any:
    return [list(part) for part in content] if isinstance(content, Pile) else [list(content)]


def _closed(content: Any, old: Any, arrival: bool, pooled: bool) -> Any:
    if isinstance(old, Pile):
        top, loose, bottom = content
        return Pile(tuple(top), tuple(sorted(loose)), tuple(bottom))
    return tuple(content[0]) if arrival or pooled else tuple(sorted(content[0]))


def _moved(row: tuple[int, ...], swap: dict[int, int]) -> tuple[int, ...]:
    # what another viewer knows of a slot it knows of whatever thing lies there now
    changed = list(row)
    for old, new in swap.items():
        changed[new] = row[old]
    return tuple(changed)


def deal(could_be: list[set[int]], things: list[int], rng: int) -> tuple[int, list[int]]:
    """A random way to give each slot one of the things it could hold: shuffled tries, mended along chains of
    exchanges.
    """
    rng, order = chance.shuffled(rng, range(len(could_be)))
    choices: list[list[int]] = []
    for possible in could_be:
        rng, tries = chance.shuffled(rng, [thing for thing in things if thing in possible])
        choices.append(tries)
    holder: dict[int, int] = {}

    def give(slot: int, seen: set[int]) -> bool:
        for thing in choices[slot]:
            if thing not in seen:
                seen.add(thing)
                if thing not in holder or give(holder[thing], seen):
                    holder[thing] = slot
                    return True
        return False

    for slot in order:
        # a free thing first keeps the deal uniform wherever the slots fall into groups
        free = next((thing for thing in choices[slot] if thing not in holder), None)
        if free is not None:
            holder[free] = slot
        elif not give(slot, set()):
            raise AssertionError("what lies there now is always a possible deal")
    by_slot = {slot: thing for thing, slot in holder.items()}
    return rng, [by_slot[slot] for slot in range(len(could_be))]


def _pieces(engine: Engine, state: State, contents: list[Any], viewer: int, rng: int) -> int:
    """Pieces in places that the viewer does not see are dealt anew, but for those of which it knows.

    Each place keeps its number of them.
    """
    sight = engine.layout.sight
    families: dict[str, list[int]] = {}
    for place, zone in enumerate(sight.zone_of):
        if zone.pooled and not sight.sees[viewer][place]:
            assert not isinstance(zone.holds, Thing)
            families.setdefault(engine.rules.kinds[zone.holds.kind].family, []).append(place)
    for places in families.values():
        known = {place: state.seen[viewer][sight.covered[place]] for place in places}
        unsure = {place: take_away(tuple(contents[place][0]), known[place]) for place in places}
        pieces = [member for bag in unsure.values() for member, count in enumerate(bag) for _ in range(count)]
        rng, pieces = chance.shuffled(rng, sorted(pieces))
        for place in places:
            size = sum(unsure[place])
            mine, pieces = pieces[:size], pieces[size:]
            contents[place][0] = [count + mine.count(member) for member, count in enumerate(known[place])]
    return rng


def _unsealed(engine: Engine, state: State, seat: int | None, rng: int) -> State:
    """Secret choices that others have made already are chosen anew from what they could choose."""
    stack = list(state.stack)
    for at, entry in enumerate(stack):
        if isinstance(entry, Together) and any(chooser != seat for chooser, _ in entry.chosen):
            chosen = []
            for chooser, action in entry.chosen:
                if chooser != seat:
                    c = engine.context(state, chooser)
                    options = engine.legality.some(c, entry.block, entry.at, 10_000)
                    rng, pick = chance.below(rng, len(options))
                    action = options[pick]
                chosen.append((chooser, action))
            stack[at] = entry._replace(chosen=tuple(chosen))
    return replace(state, stack=tuple(stack))
