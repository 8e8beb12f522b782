"""Whether a position that came from outside can be one: nothing lost or won, and everything under way can go on.

In: a position read from JSON. Out: nothing, or `BadPosition` with one sentence.
"""

from __future__ import annotations

from typing import Any, Final

from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.state import ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import Pile
from rulewright.errors import RulewrightError
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import Choose

# what values can lead to that no game would ever bind; the position comes from outside
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
    """JSON data that is no position of these rules."""


def check_conservation(engine: Engine, state: State) -> None:
    """Every thing stands in one place, and of every piece there are as many as at the start."""
    for component in engine.rules.components.values():
        if component.initial_place is None:
            continue
        found: list[int] = []
        for zone in engine.rules.zones.values():
            if zone.content_type == Thing(component.name):
                for content in state.contents[zone.first_index : zone.first_index + zone.size]:
                    found.extend(content.things if isinstance(content, Pile) else content)
        if sorted(found) != list(range(len(component.ids))):
            odd = next((t for t in range(len(component.ids)) if found.count(t) != 1), 0)
            raise InvalidPosition(f"{component.ids[odd]} is in {found.count(odd)} places, expected 1")
    if count_pieces(engine, state.contents) != count_pieces(engine, engine.layout.contents):
        raise InvalidPosition("it has more or fewer pieces of some sort than the game")


def count_pieces(engine: Engine, contents: tuple[Any, ...]) -> dict[str, tuple[int, ...]]:
    """How many there are of each member, by family, all places together."""
    totals: dict[str, tuple[int, ...]] = {}
    for zone in engine.rules.zones.values():
        if isinstance(zone.content_type, Member):
            family = engine.rules.kinds[zone.content_type.kind].family
            for content in contents[zone.first_index : zone.first_index + zone.size]:
                before = totals.get(family, (0,) * len(content))
                totals[family] = tuple(a + b for a, b in zip(before, content, strict=True))
    return totals


def check_coherence(engine: Engine, state: State) -> None:
    """What is under way can go on: blocks, seats, places and bound values exist, and a decision has an option."""
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
        if not _entry_fits(engine, entry, in_turn):
            raise InvalidPosition("its pending steps do not fit these rules")
    waiting = state.waiting
    if isinstance(waiting, Decision):
        _decision_fits(engine, state, waiting)
    elif isinstance(waiting, ChanceEvent) and not _chance_fits(engine, state, waiting):
        raise InvalidPosition("the chance event it waits for does not fit its pending steps")
    if waiting is not None and not state.stack:
        raise InvalidPosition("it waits for something, but has no pending steps")


def _entry_fits(engine: Engine, entry: StackEntry, in_turn: bool) -> bool:
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
    if len(entry.env) != len(block.variable_types) or not _all_fit(engine, entry.env, block.variable_types):
        return False
    if isinstance(entry, SimultaneousChoice):
        return {*entry.remaining_seats, *[seat for seat, _ in entry.actions]} <= set(range(rules.players))
    if entry.remaining is None:
        return True
    each = block.steps[entry.step].for_each if entry.step < len(block.steps) else None
    return all(_fits(engine, value, Number(0, 10**6) if each is None else each.type) for value in entry.remaining)


def _all_fit(engine: Engine, values: tuple[Any, ...], types: tuple[Type, ...]) -> bool:
    return all(_fits(engine, value, type_) for value, type_ in zip(values, types, strict=True))


def _fits(engine: Engine, value: Any, type_: Type) -> bool:
    """Whether a run-time value can be of a type."""
    rules = engine.rules
    match type_:
        case Flag():
            return isinstance(value, bool)
        case Number():
            return _whole(value)
        case Member(kind=kind):
            return _whole(value) and value in rules.kinds[kind].member_values
        case Thing(component=component):
            return _whole(value) and 0 <= value < len(rules.components[component].ids)
        case Bag(kind=kind):
            size = len(rules.family_members[rules.kinds[kind].family]) if kind else 0
            return isinstance(value, tuple) and len(value) in (0, size) and all(_whole(n) and n >= 0 for n in value)
        case SetOf(element=of) if of is not None:
            return isinstance(value, tuple) and all(_fits(engine, one, of) for one in value)
        case _:
            return True


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _decision_fits(engine: Engine, state: State, waiting: Decision) -> None:
    steps = engine.rules.blocks[waiting.block].steps
    good = waiting.seat < engine.rules.players and waiting.step < len(steps)
    if not good or not isinstance(steps[waiting.step].effect, Choose):
        raise InvalidPosition("the decision it waits for does not exist in these rules")
    partial = waiting.partial_action
    if partial is not None:
        actions = engine.rules.actions
        choices = actions[partial.number].choices if 0 <= partial.number < len(actions) else ()
        types = tuple(choice.type for choice in choices)[: len(partial.values)]
        if len(types) < len(partial.values) or not _all_fit(engine, partial.values, types):
            raise InvalidPosition("the answer that it is partly through does not fit these rules")
    try:
        options = engine.legal(state)
    except MALFORMED_STATE_ERRORS as wrong:
        raise InvalidPosition(f"the decision it waits for is invalid: {wrong}") from None
    if not options:
        raise InvalidPosition("the decision it waits for has no option")


def _chance_fits(engine: Engine, state: State, waiting: ChanceEvent) -> bool:
    if waiting.kind == "draw":
        top = state.stack[-1] if state.stack else None
        return isinstance(top, Draw) and top.source == waiting.target and waiting == engine.chance_event(state, top)
    states = [
        one for one in engine.rules.states.values() if one.first_index <= waiting.target < one.first_index + one.size
    ]
    weights = all(_whole(weight) and weight > 0 for _, weight in waiting.outcomes)
    if not states or not weights:
        return False
    type_ = states[0].type
    if isinstance(type_, Flag):
        return all(value in (0, 1) for value, _ in waiting.outcomes)
    if isinstance(type_, Number):
        return all(type_.low <= value <= type_.high for value, _ in waiting.outcomes)
    return all(_fits(engine, value, type_) for value, _ in waiting.outcomes)
