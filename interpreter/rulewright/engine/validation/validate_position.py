"""Whether a position from outside is possible: nothing added or lost, nothing where it has no room, nobody who does not
know what is seen, and everything under way as a game can have left it.

In: a position read from JSON. Out: nothing, or `InvalidPosition` with one sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulewright import limits
from rulewright.engine.faults import MALFORMED_STATE_ERRORS
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.piece_counts import count_pieces
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.state import Action, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.turn_counts import UNBOUNDED, turn_count_range
from rulewright.engine.validation.validate_invariants import check_lasting_invariants, check_step_invariants
from rulewright.engine.validation.validate_pending import check_pending
from rulewright.engine.validation.validate_winners import check_winners
from rulewright.engine.values import content_bag, content_things
from rulewright.engine.variable_types import variable_types
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.json_values import is_integer


def check_conservation(engine: Engine, state: State) -> None:
    """Every thing is in one place, and there are as many of every piece as at the start; raises `InvalidPosition`."""
    for component in engine.rules.components.values():
        if component.initial_place is None:
            continue
        things: list[int] = []
        for zone in engine.rules.zones.values():
            if zone.content_type == Thing(component.name):
                for content in state.contents[zone.first_index : zone.first_index + zone.size]:
                    things.extend(content_things(content))
        if sorted(things) != list(range(len(component.ids))):
            wrong = next((thing for thing in range(len(component.ids)) if things.count(thing) != 1), 0)
            raise InvalidPosition(f"{component.ids[wrong]} is in {things.count(wrong)} places, expected 1")
    if count_pieces(engine.rules, state.contents) != count_pieces(engine.rules, engine.layout.contents):
        raise InvalidPosition("it has too many or too few pieces of some kind")


def check_room(engine: Engine, state: State) -> None:
    """No place holds more than it has room for; raises `InvalidPosition`."""
    for place, capacity in enumerate(engine.layout.capacities):
        zone, content = engine.layout.visibility.zone_by_place[place], state.contents[place]
        count = sum(content_bag(content)) if zone.is_pool else len(content_things(content))
        if capacity is not None and count > capacity:
            raise InvalidPosition(f"a place of {zone.name} holds {count}, but has room for {capacity}")


def check_knowledge(engine: Engine, state: State) -> None:
    """Pools hold things of one component each, and what a viewer sees it knows; raises `InvalidPosition`."""
    first_of = {
        component.first_index + index: component.first_index
        for component in engine.rules.components.values()
        for index in range(len(component.ids))
    }
    if state.pools[0] or len(set(state.pools)) != len(state.pools):
        raise InvalidPosition("its pools must all differ, and the first must be empty")
    for pool in state.pools[1:]:
        if not pool or list(pool) != sorted(set(pool)) or len({first_of[thing] for thing in pool}) != 1:
            raise InvalidPosition("a pool must hold things of one component, each once and in their order")
    visibility = engine.layout.visibility
    for place, content in enumerate(state.contents):
        type_ = visibility.zone_by_place[place].content_type
        if not isinstance(type_, Thing):
            continue
        component = engine.rules.components[type_.component]
        for viewer, can_see in enumerate(visibility.can_see):
            for thing in content_things(content) if can_see[place] else ():
                if state.thing_pools[viewer][component.first_index + thing] != KNOWN_POOL:
                    raise InvalidPosition(f"{component.ids[thing]} is hidden from somebody who sees it")


def check_coherence(engine: Engine, state: State) -> None:
    """What is under way can be resumed: blocks, seats and bound values exist, and a game can have stopped there.

    Raises `InvalidPosition`.
    """
    seats = range(engine.rules.players)
    if (
        state.first_seat not in seats
        or not set(state.extra_turns) <= set(seats)
        or not set(state.winners or ()) <= set(seats)
    ):
        raise InvalidPosition("it names a seat that does not exist")
    if len(state.extra_turns) > limits.MAX_WAITING_TURNS:
        raise InvalidPosition(f"{len(state.extra_turns)} extra turns wait; the most is {limits.MAX_WAITING_TURNS}")
    in_turn = False
    for entry in state.stack:
        in_turn = in_turn or (isinstance(entry, Frame) and entry.block == engine.rules.turn)
        if not _is_entry_valid(engine, entry, in_turn):
            raise InvalidPosition("its pending steps do not fit these rules")
    try:
        _check_waiting(engine, state)
        check_step_invariants(engine, state)
        check_pending(engine, state)
        check_winners(engine, state)
        check_lasting_invariants(engine, state)
        check_turn_count(engine, state)
    except MALFORMED_STATE_ERRORS as error:
        raise InvalidPosition(f"it cannot be resumed: {error}") from None


def check_turn_count(engine: Engine, state: State) -> None:
    """As many turns have begun as the steps up to here can have given; raises `InvalidPosition`."""
    low, high = turn_count_range(engine, state)
    if not low <= state.turn_count <= high:
        turns, rounds = ("turn" if state.turn_count == 1 else "turns"), ("round" if state.round == 1 else "rounds")
        expected = str(low) if low == high else f"{low} to {high}" if high < UNBOUNDED else f"at least {low}"
        raise InvalidPosition(
            f"it has begun {state.turn_count} {turns} in {state.round} {rounds}, expected {expected} by this step"
        )


def _check_waiting(engine: Engine, state: State) -> None:
    decision = state.waiting
    if not isinstance(decision, Decision):
        return
    steps = engine.rules.blocks[decision.block].steps
    if not (decision.seat < engine.rules.players and decision.step < len(steps)):
        raise InvalidPosition("the decision it waits for does not exist in these rules")
    types = engine.rules.blocks[decision.block].types_within(decision.step)
    if decision.around and (len(decision.around) != len(types) or not _have_types(engine, decision.around, types)):
        raise InvalidPosition("the variables around the decision it waits for do not fit these rules")
    partial = decision.partial_action
    if partial is not None and not _is_action_valid(engine, partial):
        raise InvalidPosition("the choice that it is partly through does not fit these rules")


def _is_action_valid(engine: Engine, action: Action) -> bool:
    """Whether the answers of an action are of the types of its choices; a flag is no number, although 1 is True."""
    actions = engine.rules.actions
    choices = actions[action.number].choices if 0 <= action.number < len(actions) else ()
    types = tuple(choice.type for choice in choices)[: len(action.values)]
    return len(types) == len(action.values) and _have_types(engine, action.values, types)


def _is_entry_valid(engine: Engine, entry: StackEntry, in_turn: bool) -> bool:
    rules = engine.rules
    if isinstance(entry, Draw):
        zones = engine.layout.visibility.zone_by_place
        if not (entry.source < len(zones) and entry.to < len(zones)):
            return False
        source, to = zones[entry.source].content_type, zones[entry.to].content_type
        if isinstance(source, Member) and isinstance(to, Member):
            return rules.kinds[source.kind].family == rules.kinds[to.kind].family
        return source == to
    block = rules.blocks[entry.block]
    if not (entry.step <= len(block.steps) and (0 if in_turn else -1) <= entry.seat < rules.players):
        return False
    if isinstance(entry, SimultaneousChoice) and entry.step == len(block.steps):
        return False
    types = variable_types(rules, entry)
    if len(entry.env) != len(types) or not _have_types(engine, entry.env, types):
        return False
    if isinstance(entry, SimultaneousChoice):
        if not all(_is_action_valid(engine, action) for _, action in entry.actions):
            return False
        return {*entry.remaining_seats, *[seat for seat, _ in entry.actions]} <= set(range(rules.players))
    if entry.remaining is None:
        return True
    loop = block.steps[entry.step].for_each if entry.step < len(block.steps) else None
    type_ = Number(0, 10**6) if loop is None else loop.type
    return all(_has_type(engine, value, type_) for value in entry.remaining)


def _have_types(engine: Engine, values: Sequence[object], types: Sequence[Type]) -> bool:
    return all(_has_type(engine, value, type_) for value, type_ in zip(values, types, strict=True))


def _has_type(engine: Engine, value: object, type_: Type) -> bool:
    """Whether a value is a run-time value of a type."""
    rules = engine.rules
    match type_:
        case Flag():
            return isinstance(value, bool)
        case Number(low=low, high=high):
            return is_integer(value) and low <= value <= high
        case Member(kind=kind):
            return is_integer(value) and value in rules.kinds[kind].member_values
        case Thing(component=component):
            return is_integer(value) and 0 <= value < len(rules.components[component].ids)
        case Bag(kind=kind, max_size=most):
            size = len(rules.family_members[rules.kinds[kind].family]) if kind else 0
            return (
                isinstance(value, tuple)
                and len(value) == size
                and all(is_integer(count) and count >= 0 for count in value)
                and sum(value) <= most
            )
        case SetOf(element=element_type, max_size=most) if element_type is not None:
            return (
                isinstance(value, tuple)
                and len(value) <= most
                and all(_has_type(engine, element, element_type) for element in value)
                and len(set(value)) == len(value)
            )
        case SetOf() | UnknownType():
            return True
        case _:
            assert_never(type_)
