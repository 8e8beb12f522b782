"""Does a fault name a place, a state or a value of a member that its kind has not?

In: rules with a fault and the rules as they are. Out: a yes or no. Nobody could write such rules: they are refused when
they are read. Only what differs between the two is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rulewright.expr.tree import Constant, Expr, Place, ReadParameter, ReadState, ReadValue, ReadZone, StateTarget
from rulewright.expr.types import Member, Number, Type
from rulewright.frozen import field_names, is_data
from rulewright.model.rules import Rules


def has_unknown_key(changed: Rules, before: Rules) -> bool:
    """Whether a constant key of what differs is none of the values that the key can have."""
    return _is_wrong_below(changed, before, before)


def _is_wrong_below(node: Any, before: Any, rules: Rules) -> bool:
    if node is before:
        return False
    if isinstance(node, tuple):
        return any(_is_wrong_below(item, other, rules) for item, other in _changed_items(node, before))
    if isinstance(node, Mapping):
        old = before if isinstance(before, Mapping) else {}
        return any(_is_wrong_below(item, old.get(key), rules) for key, item in node.items())
    if not is_data(node):
        return False
    return _has_wrong_key(node, rules) or any(
        _is_wrong_below(getattr(node, name), getattr(before, name, None), rules) for name in field_names(node)
    )


def _changed_items(items: tuple[Any, ...], before: Any) -> list[tuple[Any, Any]]:
    """The items that are new, each with the one in the place of which it stands, or None."""
    old_items = before if isinstance(before, tuple) else ()
    kept = {id(item) for item in items} & {id(item) for item in old_items}
    new, old = ([item for item in each if id(item) not in kept] for each in (items, old_items))
    return list(zip(new, old if len(old) == len(new) else [None] * len(new), strict=True))


def _has_wrong_key(node: Any, rules: Rules) -> bool:
    match node:
        case ReadZone(name=name, keys=keys) | Place(zone=name, keys=keys):
            return _is_outside(keys, rules.zones[name].key_values)
        case ReadState(name=name, keys=keys) | StateTarget(name=name, keys=keys) if name in rules.states:
            return _is_outside(keys, rules.states[name].key_values)
        case ReadValue(name=name, keys=keys):
            return _is_outside(keys, [_values_of(each, rules) for each in rules.values[name].key_types])
        case ReadParameter(name=name, keys=keys):
            return _is_outside(keys, [_values_of(each, rules) for each in rules.parameters[name].key_types])
        case _:
            return False


def _values_of(type_: Type, rules: Rules) -> Collection[int]:
    match type_:
        case Member(kind=kind) if kind in rules.kinds:
            return rules.kinds[kind].member_values
        case Number(low=low, high=high):
            return range(low, high + 1)
        case _:
            return ()


def _is_outside(keys: Sequence[Expr], values: Sequence[Collection[int]]) -> bool:
    """Whether a number among the keys is none of those that it can be; of other keys only numbers are off by one."""
    return any(
        isinstance(key, Constant) and isinstance(key.type, Number) and bool(known) and key.value not in known
        for key, known in zip(keys, values, strict=False)
    )


__all__ = ["has_unknown_key"]
