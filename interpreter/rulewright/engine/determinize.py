"""Positions that agree with what a seat knows: the hidden things dealt anew, as an honest player may imagine them.

In: a position, a viewer and a generator state. Out: a position that gives this viewer the same view. Each hidden
thing is put where it could be; which of the possible deals comes out does not depend on the true one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.state import ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import Pile, content_bag, subtract_bag
from rulewright.expr.types import Member, SetOf, Thing, Type

ThingLocation = tuple[int, int, int]  # place, part of a pile (0 where there are no parts), index
HiddenThing = tuple[tuple[int, ...], ThingLocation, int, int]  # sort key, slot, pool, thing
LOOSE_PART: Final = 1  # the part of a pile that has no order yet


# How a position is determinized
#
# What the viewer knows of each thing is a pool: the set of things that it may be (`knowledge.py`). A slot is a location
# that holds a thing which the viewer does not know. A deal gives each slot one thing of its pool, each thing once.
#
# What is kept true:
# - The viewer's view of the new position equals its view of the old one: known things stay, every slot gets a thing of
#   its pool, and places keep their sizes.
# - Which deal comes out depends on the viewer's knowledge and the random generator alone, never on the true deal. So
#   slots are sorted by what the viewer sees of them, not by what lies in them, and chance is asked equally often in
#   all positions that look the same.
# - The others know of each slot what they knew of it: their knowledge, bound variables and choices under way are
#   carried over from the thing that was there to the thing that is there now.
#
# Pools that share things form a group; groups are dealt apart. Where every pool of a group holds all its things, a
# shuffle is a uniform deal. Else each slot in random order takes the first free thing of its shuffled candidates, and
# where none is free, things are passed on along a chain of slots (an augmenting path of bipartite matching), which
# always succeeds, since the true position is one such deal.
#
# Example: slots a, b, c hold 1, 2, 3; the viewer saw that c is not 1. Pools: a and b {1, 2, 3}, c {2, 3}: one group.
# Say the order is a, b, c, and the candidates a: 3 1 2, b: 2 3 1, c: 3 2. a takes 3, b takes 2; c finds 3 and 2 taken
# and asks for 3; a, which holds 3, passes on to 1. The deal is a = 1, b = 2, c = 3: possible, and drawn at random.


def determinize(engine: Engine, state: State, seat: int | None, rng: int) -> State:
    """A position drawn at random among those a viewer cannot tell from this one; its own chance begins at `rng`.

    A deal in which the deciding seat would have nothing to choose, or in which a secret choice that was made could not
    have been, is drawn again.
    """
    for _ in range(limits.MAX_DEAL_ATTEMPTS):
        rng = chance.rand_below(rng, 1)[0]
        try:
            world = _deal_once(engine, state, seat, rng)
        except _ImpossibleDeal:
            continue
        is_unchanged = (
            world.contents == state.contents and world.stack == state.stack
        )  # then there is something to choose
        if is_unchanged or not isinstance(state.waiting, Decision) or engine.legal(world):
            return world
    return _deal_once(engine, state, seat, rng)


class _ImpossibleDeal(Exception):
    """A deal that cannot be."""


def _deal_once(engine: Engine, state: State, seat: int | None, rng: int) -> State:
    rules, viewer = engine.rules, engine.layout.visibility.viewer_index(seat)
    row = state.thing_pools[viewer]
    contents: list[Any] = [_to_lists(content) for content in state.contents]
    slots: list[HiddenThing] = []
    for place, zone in enumerate(engine.layout.visibility.zone_by_place):
        if not isinstance(zone.content_type, Thing):
            continue
        first = rules.components[zone.content_type.component].first_index
        for part, things in enumerate(contents[place]):
            for index, thing in enumerate(things):
                pool = row[first + thing]
                if pool != KNOWN_POOL:
                    # an order that does not tell what lies there: the rank of a thing where order means nothing would
                    ordered = zone.is_arrival_ordered or (zone.is_shuffled and part != LOOSE_PART)
                    slots.append(
                        ((place, part, index if ordered else 0, pool), (place, part, index), pool, first + thing)
                    )
    slots.sort(key=lambda entry: entry[0])
    swap: dict[int, int] = {}
    for group in _independent_groups(state, slots):
        rng, group_rng = chance.rand_below(rng, 1 << 64)
        if _is_indistinguishable(state, viewer, group):
            continue
        dealt = _deal_group(state, group, group_rng)
        for (_, (place, part, index), _, old), thing in zip(group, dealt, strict=True):
            swap[old] = thing
            holds = engine.layout.visibility.zone_by_place[place].content_type
            assert isinstance(holds, Thing)
            contents[place][part][index] = thing - rules.components[holds.component].first_index
    rng = _deal_pieces(engine, state, contents, viewer, rng)
    dealt_contents = tuple(
        _from_lists(content, old, zone.is_arrival_ordered, zone.is_pool)
        for content, old, zone in zip(contents, state.contents, engine.layout.visibility.zone_by_place, strict=True)
    )
    thing_pools, pools = _swap_knowledge(state, viewer, swap)
    imagined = replace(
        state,
        contents=dealt_contents,
        thing_pools=thing_pools,
        pools=pools,
        known_pieces=_clipped_pieces(engine, state, dealt_contents),
        stack=tuple(_swap_entry(engine, entry, swap) for entry in state.stack),
        rng=chance.seed_rng(rng),
    )
    imagined = replace(imagined, waiting=_swap_waiting(engine, imagined, swap))
    return _redraw_secret_choices(engine, imagined, seat, rng)


def _independent_groups(state: State, slots: list[HiddenThing]) -> list[list[HiddenThing]]:
    """The slots in groups that have no thing in common: what lies in one can lie in no other.

    They follow from what the viewer knows alone, and so does how often chance is asked.
    """
    hidden = {thing for *_, thing in slots}
    groups: list[tuple[set[int], set[int]]] = []  # things, numbers of pools
    for number in dict.fromkeys([pool for _, _, pool, _ in slots]):
        things, numbers = hidden.intersection(state.pools[number]), {number}
        disjoint = []
        for other in groups:
            if things.isdisjoint(other[0]):
                disjoint.append(other)
            else:
                things, numbers = things | other[0], numbers | other[1]
        groups = [*disjoint, (things, numbers)]
    return [[slot for slot in slots if slot[2] in numbers] for _, numbers in groups]


def _is_indistinguishable(state: State, viewer: int, group: list[HiddenThing]) -> bool:
    """Whether a group lies in one place where order means nothing, and is all the same to everybody else: then every
    deal is this one.
    """
    (_, (place, part, _), *_) = group[0]
    if part != LOOSE_PART or any(slot[:2] != (place, part) for _, slot, _, _ in group):
        return False
    things = [thing for *_, thing in group]
    others = [row for index, row in enumerate(state.thing_pools) if index != viewer]
    return all(len({row[thing] for thing in things}) == 1 for row in others)


def _deal_group(state: State, group: list[HiddenThing], rng: int) -> list[int]:
    """The things of a group in a random order in which each slot gets one that it could hold."""
    things = sorted(thing for *_, thing in group)
    pools = {pool: set(state.pools[pool]) for _, _, pool, _ in group}
    if all(pool.issuperset(things) for pool in pools.values()):
        return chance.shuffle(rng, things)[1]
    return random_assignment([pools[pool] for _, _, pool, _ in group], things, rng)[1]


def _clipped_pieces(engine: Engine, state: State, contents: tuple[Any, ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What others surely know of a hidden place: no more than lies there in this world."""
    covered = list(engine.layout.visibility.hidden_piece_places)
    return tuple(
        tuple(tuple(map(min, bag, contents[place])) for place, bag in zip(covered, row, strict=True))
        for row in state.known_pieces
    )


def _swap_value(engine: Engine, value: Any, type_: Type, swap: dict[int, int]) -> Any:
    """A bound value, where it speaks of a hidden thing, speaks of what lies in its stead."""
    match type_:
        case Thing(component=component):
            first = engine.rules.components[component].first_index
            return swap.get(first + value, first + value) - first
        case SetOf(element=Thing() as of):
            return tuple(_swap_value(engine, one, of, swap) for one in value)
        case _:
            return value


def _swap_values(
    engine: Engine, values: tuple[Any, ...], types: Iterable[Type], swap: dict[int, int]
) -> tuple[Any, ...]:
    return tuple(_swap_value(engine, value, type_, swap) for value, type_ in zip(values, types, strict=False))


def _swap_entry(engine: Engine, entry: StackEntry, swap: dict[int, int]) -> StackEntry:
    if isinstance(entry, Draw):
        return entry
    block = engine.rules.blocks[entry.block]
    env = _swap_values(engine, entry.env, block.variable_types, swap)
    env += entry.env[len(env) :]
    if isinstance(entry, Frame) and entry.remaining is not None and entry.step < len(block.steps):
        each = block.steps[entry.step].for_each
        if each is not None:
            remaining = tuple(_swap_value(engine, value, each.type, swap) for value in entry.remaining)
            return entry._replace(env=env, remaining=remaining)
    return entry._replace(env=env)


def _swap_waiting(engine: Engine, state: State, swap: dict[int, int]) -> Decision | ChanceEvent | None:
    waiting = state.waiting
    if isinstance(waiting, Decision) and waiting.partial_action is not None:
        types = [choice.type for choice in engine.rules.actions[waiting.partial_action.number].choices]
        values = _swap_values(engine, waiting.partial_action.values, types, swap)
        bag = waiting.partial_bag
        if len(values) < len(types):
            bag = _swap_value(engine, bag, types[len(values)], swap)
        return waiting._replace(partial_action=waiting.partial_action._replace(values=values), partial_bag=bag)
    if isinstance(waiting, ChanceEvent) and waiting.kind == "draw":
        zone, content = engine.layout.visibility.zone_by_place[waiting.target], state.contents[waiting.target]
        if isinstance(zone.content_type, Member):
            return waiting._replace(
                outcomes=tuple((member, count) for member, count in enumerate(content_bag(content)) if count)
            )
        first = engine.rules.components[zone.content_type.component].first_index
        things = sorted(swap.get(first + value, first + value) - first for value, _ in waiting.outcomes)
        return waiting._replace(outcomes=tuple((thing, 1) for thing in things))
    return waiting


def _to_lists(content: Any) -> Any:
    return [list(part) for part in content.parts] if isinstance(content, Pile) else [list(content)]


def _from_lists(content: Any, old: Any, arrival: bool, pooled: bool) -> Any:
    if isinstance(old, Pile):
        top, loose, bottom = content
        return Pile(tuple(top), tuple(sorted(loose)), tuple(bottom))
    return tuple(content[0]) if arrival or pooled else tuple(sorted(content[0]))


def _swap_knowledge(
    state: State, viewer: int, swap: dict[int, int]
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """What all know in the imagined world: the viewer as before, the others of each slot what they knew of it."""
    if not swap:
        return state.thing_pools, state.pools
    pools = list(state.pools)
    renamed: dict[int, int] = {}

    def number_of(number: int) -> int:
        """The pool with other things in it."""
        if number not in renamed:
            pool = tuple(sorted(swap.get(thing, thing) for thing in state.pools[number]))
            if pool not in pools:
                pools.append(pool)
            renamed[number] = pools.index(pool)
        return renamed[number]

    rows = [_swap_row(row, swap) for row in state.thing_pools]
    for index, (old, new) in enumerate(zip(state.thing_pools, rows, strict=True)):
        if index != viewer:
            unchanged = {
                number
                for number in sorted({*new} - {KNOWN_POOL})
                if _is_still_true(state.pools[number], number, old, new)
            }
            rows[index] = tuple(
                number if number == KNOWN_POOL or number in unchanged else number_of(number) for number in new
            )
    return tuple(rows), tuple(pools)


def _is_still_true(pool: tuple[int, ...], number: int, old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether somebody who does not know what was exchanged can go on thinking of the same things: so can all who know
    no more than the viewer.
    """
    things = set(pool)
    return all(thing in things for thing, where in enumerate(new) if where == number) and all(
        (old[thing] == KNOWN_POOL) == (new[thing] == KNOWN_POOL) for thing in pool
    )


def _swap_row(row: tuple[int, ...], swap: dict[int, int]) -> tuple[int, ...]:
    # what another viewer knows of a slot it knows of whatever thing lies there now
    changed = list(row)
    for old, new in swap.items():
        changed[new] = row[old]
    return tuple(changed)


def random_assignment(possible_things: list[set[int]], things: list[int], rng: int) -> tuple[int, list[int]]:
    """A random way to give each slot one of the things it could hold: shuffled candidates, mended along chains of
    exchanges.
    """
    rng, order = chance.shuffle(rng, range(len(possible_things)))
    choices: list[list[int]] = []
    for possible in possible_things:
        rng, candidates = chance.shuffle(rng, [thing for thing in things if thing in possible])
        choices.append(candidates)
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
    return rng, [by_slot[slot] for slot in range(len(possible_things))]


def _deal_pieces(engine: Engine, state: State, contents: list[Any], viewer: int, rng: int) -> int:
    """Pieces in places that the viewer does not see are dealt anew, but for those of which it knows.

    Each place keeps its number of them.
    """
    visibility = engine.layout.visibility
    families: dict[str, list[int]] = {}
    for place, zone in enumerate(visibility.zone_by_place):
        if zone.is_pool and not visibility.can_see[viewer][place]:
            assert not isinstance(zone.content_type, Thing)
            families.setdefault(engine.rules.kinds[zone.content_type.kind].family, []).append(place)
    for places in families.values():
        known = {place: state.known_pieces[viewer][visibility.hidden_piece_places[place]] for place in places}
        unknown = {place: subtract_bag(tuple(contents[place][0]), known[place]) for place in places}
        pieces = [member for bag in unknown.values() for member, count in enumerate(bag) for _ in range(count)]
        rng, pieces = chance.shuffle(rng, sorted(pieces))
        for place in places:
            size = sum(unknown[place])
            dealt, pieces = pieces[:size], pieces[size:]
            contents[place][0] = [count + dealt.count(member) for member, count in enumerate(known[place])]
    return rng


def _redraw_secret_choices(engine: Engine, state: State, seat: int | None, rng: int) -> State:
    """Secret choices that others have made already are chosen anew from what they could choose."""
    stack = list(state.stack)
    for index, entry in enumerate(stack):
        if isinstance(entry, SimultaneousChoice) and any(chooser != seat for chooser, _ in entry.actions):
            chosen = []
            for chooser, action in entry.actions:
                if chooser != seat:
                    options = engine.offered_actions(
                        state, chooser, entry.block, entry.step, limit=limits.MAX_SECRET_OPTIONS
                    )
                    if not options:
                        raise _ImpossibleDeal
                    rng, pick = chance.rand_below(rng, len(options))
                    action = options[pick]
                chosen.append((chooser, action))
            stack[index] = entry._replace(actions=tuple(chosen))
    return replace(state, stack=tuple(stack))
