"""Whether the key of a place names one place or several.

In: rules, an expression that stands for a key, its zone. Out: yes or no.
"""

from __future__ import annotations

from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag, Member, SetOf
from rulewright.model.rules import Rules, ZoneDef


def is_plural_key(rules: Rules, key: Expr, zone: ZoneDef, index: int) -> bool:
    """Whether a key names several places: a set, or a line of the cells that are the zone's keys."""
    if isinstance(key.type, SetOf | Bag):
        return True
    expected = zone.key_types[index]
    return (
        isinstance(key.type, Member)
        and isinstance(expected, Member)
        and bool(rules.kinds[key.type.kind].cell_kind)
        and key.type.kind != expected.kind
    )


__all__ = ["is_plural_key"]
