"""What the value of an expression depends on: the places that must not change for it to stay the same.

In: an expression, and the variables whose values are known. Out: the numbers of the places it may read, whatever the
position, or None when it may read more than places.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from rulewright.expr.tree import (
    Builtin,
    Call,
    Constant,
    Expr,
    Extremum,
    Filter,
    Local,
    Quantifier,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import SEAT, Bag, SetOf
from rulewright.expr.walk import iter_exprs
from rulewright.model.rules import Rules, ZoneDef

CONSTANT_BUILTINS = ("players", "everyone", "nobody", "first_player", SEAT.kind)  # the same throughout a game
CONSTANT_BUILTINS_WITH_ELIMINATION = (
    "players",
    "nobody",
    "first_player",
    SEAT.kind,
)  # and in one whose seats can leave


def place_dependencies(
    rules: Rules, expr: Expr, known: Mapping[int, int], *, within_values: bool = False
) -> frozenset[int] | None:
    """The places; None when it may depend on a state, the round or what is possible. `known`: values by slot.

    `within_values`: only those that derived values read, not those that the expression names itself.
    """
    places: set[int] = set()
    constants = CONSTANT_BUILTINS_WITH_ELIMINATION if rules.has_elimination else CONSTANT_BUILTINS
    for part in iter_exprs(expr):
        match part:
            case ReadState() | Call(function="possible"):
                return None
            case Call(function="next" | "everyone_from") if rules.has_elimination:
                return None
            case Builtin(name=name) if name not in constants:
                return None
            case ReadZone(name=name, keys=keys) if not within_values:
                places |= _places(rules.zones[name], [_value(key, known) for key in keys])
            case ReadValue(name=name, keys=keys):
                args = {slot: value for slot, key in enumerate(keys) if (value := _value(key, known)) is not None}
                for _, term in (*rules.values[name].terms, *rules.values[name].deductions):
                    inner = place_dependencies(rules, term, args)
                    if inner is None:
                        return None
                    places |= inner
            case _:
                pass
    return frozenset(places)


def position_dependencies(rules: Rules, expr: Expr) -> frozenset[int] | None:
    """All places, whatever their keys, and as `~n` all state variables; None when it may depend on more."""
    found: set[int] = set()
    constants = CONSTANT_BUILTINS_WITH_ELIMINATION if rules.has_elimination else CONSTANT_BUILTINS
    for part in iter_exprs(expr):
        match part:
            case Call(function="possible"):
                return None
            case Call(function="next" | "everyone_from") if rules.has_elimination:
                return None
            case Builtin(name=name) if name not in constants:
                return None
            case ReadZone(name=name):
                zone = rules.zones[name]
                found.update(range(zone.first_index, zone.first_index + zone.size))
            case ReadState(name=name):
                state = rules.states[name]
                found.update(~index for index in range(state.first_index, state.first_index + state.size))
            case ReadValue(name=name):
                for _, term in (*rules.values[name].terms, *rules.values[name].deductions):
                    inner = position_dependencies(rules, term)
                    if inner is None:
                        return None
                    found |= inner
            case _:
                pass
    return frozenset(found)


def is_iterative(rules: Rules, expr: Expr) -> bool:
    """Whether an expression loops over a set, so that its value is worth caching."""
    return any(
        isinstance(part, Sum | Extremum | Filter | Quantifier)
        or (
            isinstance(part, ReadValue)
            and any(
                is_iterative(rules, term)
                for _, term in (*rules.values[part.name].terms, *rules.values[part.name].deductions)
            )
        )
        for part in iter_exprs(expr)
    )


def _value(key: Expr, known: Mapping[int, int]) -> int | None:
    if isinstance(key.type, SetOf | Bag):
        return None
    match key:
        case Local(slot=slot):
            return known.get(slot)
        case Constant(value=int() as value):
            return value
        case _:
            return None


def _places(zone: ZoneDef, keys: list[int | None]) -> set[int]:
    places, place = set(), zone.first_index
    pattern = [*keys, *[None] * (len(zone.key_types) - len(keys))]
    for values in product(*zone.key_values):
        if all(key is None or key == value for key, value in zip(pattern, values, strict=True)):
            places.add(place)
        place += 1
    return places


__all__ = ["is_iterative", "place_dependencies", "position_dependencies"]
