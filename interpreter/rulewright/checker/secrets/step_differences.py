"""How a step tells two positions apart, to whoever only watches: what it asks, writes or ends in each.

In: rules, the address of a step, two positions after the same was done. Out: words for what is so in the first and not
in the second; None where all see the same of it.
"""

from __future__ import annotations

from rulewright.checker.common.rules_read import steps_within
from rulewright.engine.notation import Notation
from rulewright.engine.state import Decision, Frame, State
from rulewright.engine.values import Content, content_bag, content_things
from rulewright.model.effects import Finish, GiveTurn, Move, Roll, RunSteps, SetState, Step
from rulewright.model.locale import player_number
from rulewright.model.rules import Rules, StateDef, ZoneDef


def step_difference(rules: Rules, address: str, one: State, other: State) -> str | None:
    """What all see of a step in the first position, and what else in the second."""
    step = next((step for block in rules.blocks for step in block.steps if step.address == address), None)
    match step.effect if step is not None else None:
        case SetState(target=target) | Roll(target=target):
            return _written(rules, target.name, one, other)
        case Finish():
            if (one.ending, one.over) == (other.ending, other.over):
                return None
            return _either(one.ending or one.over, f"`{address}` ends the game", f"`{address}` does not end the game")
        case Move(source=source, to=to):
            zones = [rules.zones[to.zone], *([rules.zones[source.zone]] if source is not None else [])]
            return next((words for zone in zones if (words := _counted(rules, zone, one, other))), None)
    is_in = [_is_in(rules, address, state) or _is_run(rules, step, state) for state in (one, other)]
    if is_in[0] != is_in[1]:
        return _either(is_in[0], f"`{address}` asks", f"`{address}` does not ask")
    if one.over or other.over or one.acting_seat == other.acting_seat or not (is_in[0] or _is_turn(rules, step, one)):
        return _done(rules, step, one, other)
    seats = [player_number(state.acting_seat) for state in (one, other)]
    return f"player {seats[0]} comes now, else player {seats[1]}"


def _done(rules: Rules, step: Step | None, one: State, other: State) -> str | None:
    """What all see of the steps that a step runs."""
    if step is None or not isinstance(step.effect, RunSteps):
        return None
    inner = (*steps_within(step.effect.block, rules.blocks, with_procedures=True),)
    differences = (step_difference(rules, each.address, one, other) for each in inner if _is_open(each, rules))
    return next((words for words in differences if words), None)


def _is_open(step: Step, rules: Rules) -> bool:
    """Whether a step changes a state that all see, or moves something."""
    effect = step.effect
    if isinstance(effect, SetState | Roll):
        return rules.states[effect.target.name].is_shown
    return isinstance(effect, Move)


def _either(is_first: bool, yes: str, no: str) -> str:
    return f"{yes}, else not" if is_first else f"{no}, else it does"


def _written(rules: Rules, name: str, one: State, other: State) -> str | None:
    """What a state is in each position."""
    state, notation = rules.states[name], Notation.for_people(rules)
    for number in range(state.first_index, state.first_index + state.size):
        values = one.variables[number], other.variables[number]
        if values[0] != values[1]:
            first, second = (notation.format_value(value, state.type) for value in values)
            return f"`{place_name(state, number, notation)}` is {first}, else {second}"
    return None


def _counted(rules: Rules, zone: ZoneDef, one: State, other: State) -> str | None:
    """How much lies in the first place of a zone where that differs."""
    for place in range(zone.first_index, zone.first_index + zone.size):
        counts = [_count(zone, state.contents[place]) for state in (one, other)]
        if counts[0] != counts[1]:
            return f"`{place_name(zone, place, Notation.for_people(rules))}` holds {counts[0]}, else {counts[1]}"
    return None


def _count(zone: ZoneDef, content: Content) -> int:
    return sum(content_bag(content)) if zone.is_pool else len(content_things(content))


def place_name(zone: ZoneDef | StateDef, place: int, notation: Notation) -> str:
    """What a place is called: its zone with its keys; so are states."""
    keys, rest = list[str](), place - zone.first_index
    for values, type_ in zip(reversed(zone.key_values), reversed(zone.key_types), strict=True):
        rest, index = divmod(rest, len(values))
        keys.insert(0, notation.format_value(values[index], type_))
    return f"{zone.name}({', '.join(keys)})" if keys else zone.name


def _is_in(rules: Rules, address: str, state: State) -> bool:
    """Whether a step asks, or one in it."""
    waiting = state.waiting
    if not isinstance(waiting, Decision):
        return False
    return f"{rules.blocks[waiting.block].steps[waiting.step].address}.".startswith(f"{address}.")


def _is_turn(rules: Rules, step: Step | None, state: State) -> bool:
    """Whether a turn is under way that a step has given."""
    if step is None or not isinstance(step.effect, GiveTurn):
        return False
    return step.effect.is_extra or _is_under_way(rules, step, state)


def _is_run(rules: Rules, step: Step | None, state: State) -> bool:
    """Whether somebody is asked in a procedure that a step runs, or has a turn."""
    if step is None or not isinstance(step.effect, RunSteps) or not isinstance(state.waiting, Decision):
        return False
    return step.effect.is_procedure and _is_under_way(rules, step, state)


def _is_under_way(rules: Rules, step: Step, state: State) -> bool:
    """Whether the steps around it have come as far as this one."""
    frames = (entry for entry in state.stack if isinstance(entry, Frame))
    near = (rules.blocks[frame.block].steps[max(0, frame.step - 1) : frame.step + 1] for frame in frames)
    return any(each.address == step.address for steps in near for each in steps)


__all__ = ["place_name", "step_difference"]
