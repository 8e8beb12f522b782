"""Positions that agree with what a viewer knows: the hidden things are dealt anew.

In: a position, a viewer and a generator state. Out: a position that gives this viewer the same view. Each hidden
thing is put where it could be; which of the possible deals is drawn does not depend on the true one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.made_on_demand import MadeOnDemand
from rulewright.engine.state import ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import BagCounts, Content, Pile, RuntimeValue, as_int, as_tuple, content_bag, subtract_bag
from rulewright.engine.variable_types import variable_types
from rulewright.expr.types import Member, SetOf, Thing, Type
from rulewright.model.rules import ZoneDef

ThingLocation = tuple[int, int, int]  # place, part of a pile (0 where there are no parts), index
HiddenThing = tuple[tuple[int, ...], ThingLocation, int, int]  # sort key, slot, pool, thing
ContentParts: TypeAlias = list[list[int]]  # top, loose and bottom of a pile; of any other place its whole content
ThingSwap: TypeAlias = dict[int, int]  # thing that was in a slot -> thing that is there now
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
#   slots are sorted by what the viewer sees of them, not by what is in them, and chance is asked equally often in
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
            determinized = _deal_once(engine, state, seat, rng)
        except _ImpossibleDeal:
            continue
        # then there is something to choose
        is_unchanged = determinized.contents == state.contents and determinized.stack == state.stack
        if is_unchanged or not isinstance(state.waiting, Decision) or engine.legal(determinized):
            return determinized
    return _deal_once(engine, state, seat, rng)


class _ImpossibleDeal(Exception):
    """A deal in which a secret choice that was made would have had no option."""


def _deal_once(engine: Engine, state: State, seat: int | None, rng: int) -> State:
    rules, viewer = engine.rules, engine.layout.visibility.viewer_index(seat)
    row = state.thing_pools[viewer]
    contents = _ChangedContents(state)
    slots: list[HiddenThing] = []
    for place, zone in enumerate(engine.layout.visibility.zone_by_place):
        if not isinstance(zone.content_type, Thing):
            continue
        content = state.contents[place]
        if not content:
            continue
        first = rules.components[zone.content_type.component].first_index
        for part, things in enumerate(content.parts if isinstance(content, Pile) else (content,)):
            for index, thing in enumerate(things):
                pool = row[first + thing]
                if pool != KNOWN_POOL:
                    # where order means nothing, the index of a thing would tell which one it is
                    is_ordered = zone.is_arrival_ordered or (zone.is_shuffled and part != LOOSE_PART)
                    slots.append(
                        ((place, part, index if is_ordered else 0, pool), (place, part, index), pool, first + thing)
                    )
    slots.sort(key=lambda slot: slot[0])
    swap: ThingSwap = {}
    for group in _independent_groups(state, slots):
        rng, group_rng = chance.rand_below(rng, 1 << 64)
        if _is_indistinguishable(state, viewer, group):
            continue
        dealt = _deal_group(state, group, group_rng)
        for (_, (place, part, index), _, old), thing in zip(group, dealt, strict=True):
            swap[old] = thing
            content_type = engine.layout.visibility.zone_by_place[place].content_type
            assert isinstance(content_type, Thing)
            contents[place][part][index] = thing - rules.components[content_type.component].first_index
    rng = _deal_pieces(engine, state, contents, viewer, rng)
    dealt_contents = contents.dealt(engine.layout.visibility.zone_by_place)
    thing_pools, pools = _swap_knowledge(state, viewer, swap)
    determinized = replace(
        state,
        contents=dealt_contents,
        thing_pools=thing_pools,
        pools=pools,
        known_pieces=_cap_known_pieces(engine, state, dealt_contents),
        stack=tuple(_swap_entry(engine, entry, swap) for entry in state.stack),
        rng=chance.seed_rng(rng),
    )
    determinized = replace(determinized, waiting=_swap_waiting(engine, determinized, swap))
    return _redraw_secret_choices(engine, determinized, seat, rng)


def _independent_groups(state: State, slots: list[HiddenThing]) -> list[list[HiddenThing]]:
    """The slots in groups that have no thing in common: what is in one cannot be in another.

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
    """Whether a group is in one place where order means nothing, and is all the same to everybody else: then every
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


def _cap_known_pieces(engine: Engine, state: State, contents: tuple[Content, ...]) -> tuple[tuple[BagCounts, ...], ...]:
    """What all surely know of hidden places: no more than is there after the deal."""
    bags = [content_bag(contents[place]) for place in engine.layout.visibility.hidden_piece_places]
    return tuple(
        tuple(tuple(map(min, known, bag)) for known, bag in zip(row, bags, strict=True)) for row in state.known_pieces
    )


def _swap_value(engine: Engine, value: RuntimeValue, type_: Type, swap: ThingSwap) -> RuntimeValue:
    """A bound value with every hidden thing in it replaced by the one that is in its slot now."""
    match type_:
        case Thing(component=component):
            return _swap_thing(engine, as_int(value), component, swap)
        case SetOf(element=Thing(component=component)):
            return tuple(_swap_thing(engine, thing, component, swap) for thing in as_tuple(value))
        case _:
            return value


def _swap_thing(engine: Engine, thing: int, component: str, swap: ThingSwap) -> int:
    first = engine.rules.components[component].first_index
    return swap.get(first + thing, first + thing) - first


def _swap_values(
    engine: Engine, values: tuple[RuntimeValue, ...], types: Iterable[Type], swap: ThingSwap
) -> tuple[RuntimeValue, ...]:
    return tuple(_swap_value(engine, value, type_, swap) for value, type_ in zip(values, types, strict=False))


def _swap_entry(engine: Engine, entry: StackEntry, swap: ThingSwap) -> StackEntry:
    if isinstance(entry, Draw):
        return entry
    block = engine.rules.blocks[entry.block]
    env = _swap_values(engine, entry.env, variable_types(engine.rules, entry), swap)
    if isinstance(entry, Frame) and entry.remaining is not None and entry.step < len(block.steps):
        loop = block.steps[entry.step].for_each
        if loop is not None:
            remaining = tuple(_swap_value(engine, value, loop.type, swap) for value in entry.remaining)
            return entry._replace(env=env, remaining=remaining)
    return entry._replace(env=env)


def _swap_waiting(engine: Engine, state: State, swap: ThingSwap) -> Decision | ChanceEvent | None:
    waiting = state.waiting
    if isinstance(waiting, Decision) and waiting.around:
        types = engine.rules.blocks[waiting.block].types_within(waiting.step)
        waiting = waiting._replace(around=_swap_values(engine, waiting.around, types, swap))
    if isinstance(waiting, Decision) and waiting.partial_action is not None:
        types = tuple(choice.type for choice in engine.rules.actions[waiting.partial_action.number].choices)
        values = _swap_values(engine, waiting.partial_action.values, types, swap)
        bag = waiting.partial_bag
        if len(values) < len(types):
            bag = as_tuple(_swap_value(engine, bag, types[len(values)], swap))
        return waiting._replace(partial_action=waiting.partial_action._replace(values=values), partial_bag=bag)
    if isinstance(waiting, ChanceEvent) and waiting.kind == "draw":
        zone, content = engine.layout.visibility.zone_by_place[waiting.target], state.contents[waiting.target]
        if isinstance(zone.content_type, Member):
            return waiting._replace(
                outcomes=tuple((member, count) for member, count in enumerate(content_bag(content)) if count)
            )
        component = zone.content_type.component
        things = sorted(_swap_thing(engine, thing, component, swap) for thing, _ in waiting.outcomes)
        return waiting._replace(outcomes=tuple((thing, 1) for thing in things))
    return waiting


def _to_parts(content: Content) -> ContentParts:
    return [list(part) for part in content.parts] if isinstance(content, Pile) else [list(content)]


class _ChangedContents(MadeOnDemand[int, ContentParts]):
    """The places that a deal changes, in parts, as soon as one is asked for."""

    def __init__(self, state: State) -> None:
        super().__init__(lambda place: _to_parts(state.contents[place]))
        self._contents = state.contents

    def dealt(self, zones: Sequence[ZoneDef]) -> tuple[Content, ...]:
        """What is in each place after the deal; an order from outside is forgotten everywhere."""
        contents = list(self._contents)
        for place, content in enumerate(contents):
            if place in self or (isinstance(content, Pile) and content.fixed):
                contents[place] = _from_parts(self[place], zones[place], is_pile=isinstance(content, Pile))
        return tuple(contents)


def _from_parts(parts: ContentParts, zone: ZoneDef, *, is_pile: bool) -> Content:
    if is_pile:
        top, loose, bottom = parts
        return Pile(tuple(top), tuple(sorted(loose)), tuple(bottom))
    (whole,) = parts
    return tuple(whole) if zone.is_arrival_ordered or zone.is_pool else tuple(sorted(whole))


def _swap_knowledge(
    state: State, viewer: int, swap: ThingSwap
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """`thing_pools` and `pools` after the deal: the viewer's as before, of the others for each slot what they knew."""
    if not swap:
        return state.thing_pools, state.pools
    pools = list(state.pools)
    new_numbers: dict[int, int] = {}

    def swap_pool(number: int) -> int:
        """The number of the pool with its things swapped."""
        if number not in new_numbers:
            pool = tuple(sorted(swap.get(thing, thing) for thing in state.pools[number]))
            if pool not in pools:
                pools.append(pool)
            new_numbers[number] = pools.index(pool)
        return new_numbers[number]

    rows = [_swap_row(row, swap) for row in state.thing_pools]
    for index, (old, new) in enumerate(zip(state.thing_pools, rows, strict=True)):
        if index != viewer:
            unchanged = {
                number
                for number in sorted({*new} - {KNOWN_POOL})
                if _is_still_true(state.pools[number], number, old, new)
            }
            rows[index] = tuple(
                number if number == KNOWN_POOL or number in unchanged else swap_pool(number) for number in new
            )
    return tuple(rows), tuple(pools)


def _is_still_true(pool: tuple[int, ...], number: int, old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether a pool still holds after the swap: it contains every thing that has its number, and of its things the
    same ones are known.
    """
    things = set(pool)
    return all(thing in things for thing, pool_number in enumerate(new) if pool_number == number) and all(
        (old[thing] == KNOWN_POOL) == (new[thing] == KNOWN_POOL) for thing in pool
    )


def _swap_row(row: tuple[int, ...], swap: ThingSwap) -> tuple[int, ...]:
    # what another viewer knows of a slot it knows of whatever thing is there now
    changed = list(row)
    for old, new in swap.items():
        changed[new] = row[old]
    return tuple(changed)


def random_assignment(possible_things: list[set[int]], things: list[int], rng: int) -> tuple[int, list[int]]:
    """The next generator state, and for each slot one of the things that it could hold, at random: a bipartite matching
    by augmenting paths over shuffled candidates.
    """
    rng, order = chance.shuffle(rng, range(len(possible_things)))
    candidates_by_slot: list[list[int]] = []
    for possible in possible_things:
        rng, candidates = chance.shuffle(rng, [thing for thing in things if thing in possible])
        candidates_by_slot.append(candidates)
    slot_by_thing: dict[int, int] = {}

    def augment(slot: int, tried: set[int]) -> bool:
        for thing in candidates_by_slot[slot]:
            if thing not in tried:
                tried.add(thing)
                if thing not in slot_by_thing or augment(slot_by_thing[thing], tried):
                    slot_by_thing[thing] = slot
                    return True
        return False

    for slot in order:
        # a free thing first keeps the deal uniform wherever the slots fall into groups
        free = next((thing for thing in candidates_by_slot[slot] if thing not in slot_by_thing), None)
        if free is not None:
            slot_by_thing[free] = slot
        elif not augment(slot, set()):
            raise AssertionError("the true position is always a possible deal")
    thing_by_slot = {slot: thing for thing, slot in slot_by_thing.items()}
    return rng, [thing_by_slot[slot] for slot in range(len(possible_things))]


def _deal_pieces(engine: Engine, state: State, contents: _ChangedContents, viewer: int, rng: int) -> int:
    """Deals the pieces anew in places that the viewer does not see, except those that it knows; returns the next
    generator state. Each place keeps its number of pieces.
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
    """The position with secret choices of others drawn anew from what they could choose; raises `_ImpossibleDeal`."""
    stack = list(state.stack)
    for index, entry in enumerate(stack):
        if isinstance(entry, SimultaneousChoice) and any(chooser != seat for chooser, _ in entry.actions):
            chosen = []
            for chooser, action in entry.actions:
                if chooser != seat:
                    options = engine.offered_actions(state, chooser, entry, limit=limits.MAX_SECRET_OPTIONS)
                    if not options:
                        raise _ImpossibleDeal
                    rng, option = chance.rand_below(rng, len(options))
                    action = options[option]
                chosen.append((chooser, action))
            stack[index] = entry._replace(actions=tuple(chosen))
    return replace(state, stack=tuple(stack))
