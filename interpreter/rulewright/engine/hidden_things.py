"""What a viewer does not know of a position, and how it is dealt anew: where each hidden thing and piece could be.

In: what lies where, what viewers know, a generator state. Out: hidden things in groups, and deals of them; hidden
pieces by the places that could hold them, and deals of these. Nothing here depends on how a position is held:
`determinize` makes positions of a deal, `compiled/dealt_cells` cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeAlias

from rulewright.engine import chance
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.made_on_demand import MadeOnDemand
from rulewright.engine.values import BagCounts, Content, Pile, content_things, subtract_bag
from rulewright.engine.visibility import Visibility
from rulewright.expr.types import Thing
from rulewright.frozen import frozen
from rulewright.model.rules import Rules, ZoneDef

ThingLocation = tuple[int, int, int]  # place, part of a pile (0 where there are no parts), index
HiddenThing = tuple[tuple[int, ...], ThingLocation, int, int]  # sort key, slot, pool, thing
ContentParts: TypeAlias = list[list[int]]  # top, loose and bottom of a pile; of any other place its whole content
Pools: TypeAlias = Sequence[tuple[int, ...]]
LOOSE_PART: Final = 1  # the part of a pile that has no order yet


class WhatIsKnown(Protocol):
    """What viewers know of things, as positions and `Knowledge` have it."""

    @property
    def thing_pools(self) -> Pools:
        """For each viewer the pool of each thing."""

    @property
    def pools(self) -> Pools:
        """Things that could not be told apart."""


@frozen
class HiddenGroup:
    """Hidden things that could be in one another's places. `is_same_in_all_deals`: it makes no difference which of them
    is where.
    """

    things: tuple[HiddenThing, ...]
    is_same_in_all_deals: bool


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


def first_thing(rules: Rules, zone: ZoneDef) -> int:
    """The number of the first thing of the component that lies in a zone, among all things."""
    assert isinstance(zone.content_type, Thing)
    return rules.components[zone.content_type.component].first_index


def hidden_slots(
    rules: Rules, zones: Sequence[ZoneDef], row: Sequence[int], contents: Iterable[tuple[int, Content]]
) -> list[HiddenThing]:
    """The things that a viewer does not know, sorted by what it sees of them. `zones`: of each place; `row`: the pools
    of the things for this viewer; `contents`: places, each with what is there.
    """
    slots: list[HiddenThing] = []
    for place, content in contents:
        zone = zones[place]
        if not content or not isinstance(zone.content_type, Thing):
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
    return slots


def hidden_groups(known: WhatIsKnown, viewer: int, slots: Sequence[HiddenThing]) -> list[HiddenGroup]:
    """The slots in groups that are dealt apart."""
    return [
        HiddenGroup(tuple(group), _is_indistinguishable(known, viewer, group))
        for group in _independent_groups(known.pools, slots)
    ]


def loose_groups(
    rules: Rules, zones: Sequence[ZoneDef], known: WhatIsKnown, viewer: int, contents: Sequence[tuple[int, Content]]
) -> list[HiddenGroup] | None:
    """The groups where each is all that lies in one pile, without order, and no deal changes anything, as it is most of
    the time; then nobody asks for their things, and they are left out. None where it is otherwise.
    """
    row = known.thing_pools[viewer]
    things_by_pool: dict[int, list[int]] = {}
    for place, content in contents:
        first = first_thing(rules, zones[place])
        things = [first + thing for thing in content_things(content)]
        pools = {*map(row.__getitem__, things)} - {KNOWN_POOL}
        if not pools:
            continue
        number = pools.pop()
        if number in things_by_pool or not isinstance(content, Pile) or len(content.loose) < len(things):
            return None
        if any(len({*map(one.__getitem__, things)}) > 1 for one in known.thing_pools):
            return None
        things_by_pool[number] = things
    hidden: set[int] = set().union(*things_by_pool.values())
    if any(len(hidden.intersection(known.pools[number])) > len(things) for number, things in things_by_pool.items()):
        return None
    return [HiddenGroup((), is_same_in_all_deals=True)] * len(things_by_pool)


def deal_things(groups: Sequence[HiddenGroup], pools: Pools, rng: int) -> tuple[int, list[tuple[HiddenThing, int]]]:
    """The next generator state, and for each slot in which another thing could be the one that is there now."""
    dealt: list[tuple[HiddenThing, int]] = []
    for group in groups:
        rng, group_rng = chance.rand_below(rng, 1 << 64)
        if not group.is_same_in_all_deals:
            dealt += zip(group.things, _deal_group(group.things, pools, group_rng), strict=True)
    return rng, dealt


def _independent_groups(pools: Pools, slots: Sequence[HiddenThing]) -> list[list[HiddenThing]]:
    """The slots in groups that have no thing in common: what is in one cannot be in another.

    They follow from what the viewer knows alone, and so does how often chance is asked.
    """
    hidden = {thing for *_, thing in slots}
    groups: list[tuple[set[int], set[int]]] = []  # things, numbers of pools
    for number in dict.fromkeys([pool for _, _, pool, _ in slots]):
        things, numbers = hidden.intersection(pools[number]), {number}
        disjoint = []
        for other in groups:
            if things.isdisjoint(other[0]):
                disjoint.append(other)
            else:
                things, numbers = things | other[0], numbers | other[1]
        groups = [*disjoint, (things, numbers)]
    return [[slot for slot in slots if slot[2] in numbers] for _, numbers in groups]


def _is_indistinguishable(known: WhatIsKnown, viewer: int, group: Sequence[HiddenThing]) -> bool:
    """Whether a group is in one place where order means nothing, and is all the same to everybody else: then every
    deal is this one.
    """
    (_, (place, part, _), *_) = group[0]
    if part != LOOSE_PART or any(slot[:2] != (place, part) for _, slot, _, _ in group):
        return False
    things = [thing for *_, thing in group]
    others = [row for index, row in enumerate(known.thing_pools) if index != viewer]
    return all(len({row[thing] for thing in things}) == 1 for row in others)


def _deal_group(group: Sequence[HiddenThing], known_pools: Pools, rng: int) -> list[int]:
    """The things of a group in a random order in which each slot gets one that it could hold."""
    things = sorted(thing for *_, thing in group)
    pools = {pool: set(known_pools[pool]) for _, _, pool, _ in group}
    if all(pool.issuperset(things) for pool in pools.values()):
        return chance.shuffle(rng, things)[1]
    return random_assignment([pools[pool] for _, _, pool, _ in group], things, rng)[1]


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


class ChangedContents(MadeOnDemand[int, ContentParts]):
    """The places that a deal changes, in parts, made when one is asked for. `content_at`: what is in a place before."""

    def __init__(self, content_at: Callable[[int], Content]) -> None:
        super().__init__(lambda place: _to_parts(content_at(place)))

    def after(self, place: int, zone: ZoneDef) -> Content:
        """What is in a place after the deal."""
        parts = self[place]
        if zone.is_shuffled and not zone.is_pool:
            top, loose, bottom = parts
            return Pile(tuple(top), tuple(sorted(loose)), tuple(bottom))
        (whole,) = parts
        return tuple(whole) if zone.is_arrival_ordered or zone.is_pool else tuple(sorted(whole))


def _to_parts(content: Content) -> ContentParts:
    return [list(part) for part in content.parts] if isinstance(content, Pile) else [list(content)]


def hidden_pieces(rules: Rules, visibility: Visibility, viewer: int) -> list[list[tuple[int, int]]]:
    """The places of pieces that a viewer does not see, in groups whose pieces could be in one another's places; each
    with its index in `State.known_pieces[viewer]`.
    """
    families: dict[str, list[tuple[int, int]]] = {}
    for place, index in visibility.hidden_piece_places.items():
        if not visibility.can_see[viewer][place]:
            kind = rules.kinds[visibility.zone_by_place[place].piece_kind]
            families.setdefault(kind.family, []).append((place, index))
    return list(families.values())


def deal_pieces(
    families: Iterable[Sequence[tuple[int, int]]],
    known_pieces: Sequence[BagCounts],
    bag_at: Callable[[int], BagCounts],
    rng: int,
) -> tuple[int, list[tuple[int, list[int]]]]:
    """The next generator state, and for each place that a viewer does not see the bag that is there now: what it surely
    knows to be there, and of the other pieces as many as there are.

    `families`: as `hidden_pieces` gives them; `known_pieces`: what the viewer knows; `bag_at`: what is in a place.
    """
    bags: list[tuple[int, list[int]]] = []
    for places in families:
        unknown = [subtract_bag(bag_at(place), known_pieces[index]) for place, index in places]
        pieces = [member for bag in unknown for member, count in enumerate(bag) for _ in range(count)]
        rng, pieces = chance.shuffle(rng, sorted(pieces))
        for (place, index), bag in zip(places, unknown, strict=True):
            size = sum(bag)
            dealt, pieces = pieces[:size], pieces[size:]
            bags.append((place, [count + dealt.count(member) for member, count in enumerate(known_pieces[index])]))
    return rng, bags


__all__ = [
    "ChangedContents",
    "HiddenGroup",
    "WhatIsKnown",
    "deal_pieces",
    "deal_things",
    "first_thing",
    "hidden_groups",
    "hidden_pieces",
    "hidden_slots",
    "loose_groups",
]
