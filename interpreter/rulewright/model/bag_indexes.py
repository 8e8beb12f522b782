"""Where in a bag the members of a kind are counted, and which places hold the same.

In: rules and the name of a kind. Out: sizes and indexes. A bag has a count for each member of the kind's family; words
are numbered together in their family, a kind of numbers counts its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Rules


def family_size(rules: Rules, kind: str) -> int:
    """The length of the bags of a kind."""
    return len(rules.family_members[rules.kinds[kind].family])


def bag_index(rules: Rules, kind: str) -> Mapping[int, int]:
    """For each member of a kind, its index in a bag; none for that of `nothing`, which counts no member."""
    if not kind:
        return {}
    definition = rules.kinds[kind]
    return {number: index if definition.is_numeric else number for index, number in enumerate(definition.member_values)}


def bag_members(rules: Rules, kind: str) -> tuple[int, ...]:
    """For each index in a bag of this kind's family the member that is counted there."""
    definition = rules.kinds[kind]
    return definition.member_values if definition.is_numeric else tuple(range(family_size(rules, kind)))


def holds_alike(rules: Rules, first: Member | Thing, second: Member | Thing) -> bool:
    """Whether what lies in one sort of place can lie in another: the same things, or pieces of one family."""
    if isinstance(first, Member) and isinstance(second, Member):
        return rules.kinds[first.kind].family == rules.kinds[second.kind].family
    return first == second


__all__ = ["bag_index", "bag_members", "family_size", "holds_alike"]
