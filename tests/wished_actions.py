"""Actions that somebody might ask for at a position, legal or not."""

from __future__ import annotations

import random
from typing import Any

from positions import Spot
from rulewright.engine.state import STOP_TOKEN, Action
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import Rules


def answer(model: Rules, type_: Type, rng: random.Random) -> Any:
    """Any value of a type, far outside what the domain admits too."""
    match type_:
        case Member(kind=SEAT.kind):
            return rng.randrange(model.players)
        case Number(low=low, high=high):
            return rng.randint(max(low, -3) - 1, min(high, 9) + 1)
        case Flag():
            return rng.random() < 0.5
        case Member(kind=kind):
            info = model.kinds[kind]
            family = model.family_members[info.family]
            return rng.choice(info.member_values) if info.is_numeric else rng.randrange(len(family))
        case Thing(component=component):
            return rng.randrange(len(model.components[component].ids))
        case Bag(kind=kind):
            size = len(model.family_members[model.kinds[kind].family])
            return tuple(rng.choice((0, 0, 0, 1, 1, 2, 3, 7)) for _ in range(size))
        case SetOf(element=of) if of is not None:
            return tuple(answer(model, of, rng) for _ in range(rng.randint(0, 4)))
    return ()


def any_attempt(model: Rules, rng: random.Random) -> Action:
    """Any action, its last choices perhaps left open, perhaps with one piece more of a bag or set."""
    action = rng.choice(model.actions)
    made = len(action.choices) if rng.random() < 0.7 else rng.randint(0, len(action.choices))
    values = tuple(answer(model, choice.type, rng) for choice in action.choices[:made])
    if made < len(action.choices) and isinstance(kind := action.choices[made].type, Bag | SetOf) and rng.random() < 0.5:
        return Action(action.index, values, piece(model, kind, rng))
    return Action(action.index, values)


def piece(model: Rules, type_: Bag | SetOf, rng: random.Random) -> int:
    """One piece that a bag or set could hold, or the sign that it is complete."""
    if rng.random() < 0.2:
        return STOP_TOKEN
    return (
        rng.randrange(len(model.family_members[model.kinds[type_.kind].family]))
        if isinstance(type_, Bag)
        else answer(model, type_.element, rng)
    )


def near_miss(model: Rules, action: Action, rng: random.Random) -> Action:
    """A legal action with one answer changed a little, dropped or added."""
    if action.number < 0:
        return any_attempt(model, rng)
    types = [choice.type for choice in model.actions[action.number].choices]
    values = list(action.values)
    if action.token is not None:
        kind = types[len(values)]
        assert isinstance(kind, Bag | SetOf)
        return Action(action.number, action.values, piece(model, kind, rng))
    if not values:
        return any_attempt(model, rng)
    at = rng.randrange(len(values))
    match types[at]:
        case Bag():
            bag = list(values[at])
            one = rng.randrange(len(bag))
            bag[one] = max(0, bag[one] + rng.choice((-1, 1)))
            if rng.random() < 0.5:  # the same number of pieces, others
                two = rng.randrange(len(bag))
                bag[two] = max(0, bag[two] + rng.choice((-1, 1)))
            values[at] = tuple(bag)
        case SetOf(element=of) if of is not None:
            chosen = list(values[at])
            if chosen and rng.random() < 0.6:
                chosen[rng.randrange(len(chosen))] = answer(model, of, rng)
            else:
                chosen.append(answer(model, of, rng))
            values[at] = tuple(chosen)
        case type_:
            values[at] = answer(model, type_, rng)
    if rng.random() < 0.1:
        del values[rng.randrange(len(values)) :]
    return Action(action.number, tuple(values))


def attempts(spot: Spot, seed: int, count: int) -> list[Action]:
    """So many wishes at a position, half of them close to what is legal."""
    rng = random.Random(seed)
    legal = spot.engine.legal(spot.state)
    return [
        near_miss(spot.rules, rng.choice(legal), rng) if legal and rng.random() < 0.5 else any_attempt(spot.rules, rng)
        for _ in range(count)
    ]
