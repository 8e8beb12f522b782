"""How many pieces of each sort there are on the whole table: no rule makes any, and none gets lost.

In: the rule model, and what is in each place. Out: for each family of kinds the number of each member.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.values import Content, content_bag
from rulewright.expr.types import Member
from rulewright.model.rules import Rules


def count_pieces(rules: Rules, contents: Sequence[Content]) -> dict[str, tuple[int, ...]]:
    """For each family how many there are of each member, in all places together."""
    totals: dict[str, tuple[int, ...]] = {}
    for zone in rules.zones.values():
        if isinstance(zone.content_type, Member):
            family = rules.kinds[zone.content_type.kind].family
            for content in contents[zone.first_index : zone.first_index + zone.size]:
                bag = content_bag(content)
                total = totals.get(family, (0,) * len(bag))
                totals[family] = tuple(a + b for a, b in zip(total, bag, strict=True))
    return totals


__all__ = ["count_pieces"]
