"""Positions that agree with what a viewer knows: the hidden things are dealt anew.

In: a position, a viewer and a generator state. Out: a position that gives this viewer the same view. Each hidden
thing is put where it could be; which of the possible deals is drawn does not depend on the true one (`hidden_things`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.hidden_things import (
    ChangedContents,
    deal_pieces,
    deal_things,
    first_thing,
    hidden_groups,
    hidden_pieces,
    hidden_slots,
)
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.state import ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import BagCounts, Content, Pile, RuntimeValue, as_int, as_tuple, content_bag
from rulewright.engine.variable_types import variable_types
from rulewright.expr.types import Member, SetOf, Thing, Type
from rulewright.frozen import replace
from rulewright.model.rules import ZoneDef

ThingSwap: TypeAlias = dict[int, int]  # thing that was in a slot -> thing that is there now


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
    zones = engine.layout.visibility.zone_by_place
    contents = ChangedContents(state.contents.__getitem__)
    slots = hidden_slots(rules, zones, state.thing_pools[viewer], enumerate(state.contents))
    rng, dealt = deal_things(hidden_groups(state, viewer, slots), state.pools, rng)
    for (_, (place, part, index), *_), thing in dealt:
        contents[place][part][index] = thing - first_thing(rules, zones[place])
    swap = {old: thing for (*_, old), thing in dealt}
    rng, bags = deal_pieces(
        hidden_pieces(rules, engine.layout.visibility, viewer),
        state.known_pieces[viewer] if state.known_pieces else (),
        lambda place: content_bag(state.contents[place]),
        rng,
    )
    for place, bag in bags:
        contents[place][0] = bag
    dealt_contents = _dealt(state, contents, zones)
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


def _dealt(state: State, changed: ChangedContents, zones: Sequence[ZoneDef]) -> tuple[Content, ...]:
    """What is in each place after a deal; an order from outside is forgotten everywhere."""
    contents = list(state.contents)
    for place, content in enumerate(contents):
        if place in changed or (isinstance(content, Pile) and content.fixed):
            contents[place] = changed.after(place, zones[place])
    return tuple(contents)


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
