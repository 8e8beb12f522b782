"""Whether a position from outside is possible: nothing added or lost, and everything under way can be resumed.

In: a position read from JSON. Out: nothing, or `InvalidPosition` with one sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.notation import is_json_integer
from rulewright.engine.state import ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import Content, content_bag, content_things
from rulewright.errors import RulewrightError
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model.rules import Choose

# what an engine may raise for bound values that no game would produce
MALFORMED_STATE_ERRORS: Final = (
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    AssertionError,
    RuleFault,
)


class InvalidPosition(RulewrightError):
    """JSON data that is not a position of these rules."""


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
    if count_pieces(engine, state.contents) != count_pieces(engine, engine.layout.contents):
        raise InvalidPosition("it has more or fewer pieces of some sort than the game")


def count_pieces(engine: Engine, contents: Sequence[Content]) -> dict[str, tuple[int, ...]]:
    """For each family how many there are of each member, in all places together."""
    totals: dict[str, tuple[int, ...]] = {}
    for zone in engine.rules.zones.values():
        if isinstance(zone.content_type, Member):
            family = engine.rules.kinds[zone.content_type.kind].family
            for content in contents[zone.first_index : zone.first_index + zone.size]:
                bag = content_bag(content)
                total = totals.get(family, (0,) * len(bag))
                totals[family] = tuple(a + b for a, b in zip(total, bag, strict=True))
    return totals


def check_coherence(engine: Engine, state: State) -> None:
    """What is under way can be resumed: blocks, seats, places and bound values exist, and a decision has an option.

    Raises `InvalidPosition`.
    """
    seats = range(engine.rules.players)
    if (
        state.first_seat not in seats
        or not set(state.extra_turns) <= set(seats)
        or not set(state.winners or ()) <= set(seats)
    ):
        raise InvalidPosition("it names a seat that does not exist")
    in_turn = False
    for entry in state.stack:
        in_turn = in_turn or (isinstance(entry, Frame) and entry.block == engine.rules.turn)
        if not _is_entry_valid(engine, entry, in_turn):
            raise InvalidPosition("its pending steps do not fit these rules")
    waiting = state.waiting
    if isinstance(waiting, Decision):
        _check_decision(engine, state, waiting)
    elif isinstance(waiting, ChanceEvent) and not _is_chance_event_valid(engine, state, waiting):
        raise InvalidPosition("the chance event it waits for does not fit its pending steps")
    if waiting is not None and not state.stack:
        raise InvalidPosition("it waits for something, but has no pending steps")


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
    if len(entry.env) != len(block.variable_types) or not _have_types(engine, entry.env, block.variable_types):
        return False
    if isinstance(entry, SimultaneousChoice):
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
        case Number():
            return is_json_integer(value)
        case Member(kind=kind):
            return is_json_integer(value) and value in rules.kinds[kind].member_values
        case Thing(component=component):
            return is_json_integer(value) and 0 <= value < len(rules.components[component].ids)
        case Bag(kind=kind):
            size = len(rules.family_members[rules.kinds[kind].family]) if kind else 0
            return (
                isinstance(value, tuple)
                and len(value) in (0, size)
                and all(is_json_integer(count) and count >= 0 for count in value)
            )
        case SetOf(element=element_type) if element_type is not None:
            return isinstance(value, tuple) and all(_has_type(engine, element, element_type) for element in value)
        case SetOf() | UnknownType():
            return True
        case _:
            assert_never(type_)


def _check_decision(engine: Engine, state: State, decision: Decision) -> None:
    steps = engine.rules.blocks[decision.block].steps
    exists = decision.seat < engine.rules.players and decision.step < len(steps)
    if not exists or not isinstance(steps[decision.step].effect, Choose):
        raise InvalidPosition("the decision it waits for does not exist in these rules")
    partial = decision.partial_action
    if partial is not None:
        actions = engine.rules.actions
        choices = actions[partial.number].choices if 0 <= partial.number < len(actions) else ()
        types = tuple(choice.type for choice in choices)[: len(partial.values)]
        if len(types) < len(partial.values) or not _have_types(engine, partial.values, types):
            raise InvalidPosition("the answer that it is partly through does not fit these rules")
    try:
        options = engine.legal(state)
    except MALFORMED_STATE_ERRORS as error:
        raise InvalidPosition(f"the decision it waits for is invalid: {error}") from None
    if not options:
        raise InvalidPosition("the decision it waits for has no option")


def _is_chance_event_valid(engine: Engine, state: State, event: ChanceEvent) -> bool:
    if event.kind == "draw":
        top = state.stack[-1] if state.stack else None
        return isinstance(top, Draw) and top.source == event.target and event == engine.chance_event(state, top)
    rolled = [
        definition
        for definition in engine.rules.states.values()
        if definition.first_index <= event.target < definition.first_index + definition.size
    ]
    if not rolled or not all(is_json_integer(weight) and weight > 0 for _, weight in event.outcomes):
        return False
    type_ = rolled[0].type
    if isinstance(type_, Flag):
        return all(value in (0, 1) for value, _ in event.outcomes)
    if isinstance(type_, Number):
        return all(type_.low <= value <= type_.high for value, _ in event.outcomes)
    return all(_has_type(engine, value, type_) for value, _ in event.outcomes)
