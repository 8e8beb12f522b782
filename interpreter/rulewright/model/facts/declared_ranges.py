"""What can be in each place and variable by their declarations alone: wide, and found at once.

In: rules. Out: `PositionRanges`, as the analysis of positions finds them, but never narrower than that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.expr.types import Bag, Member, SetOf
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.found_ranges import BlockRanges, PositionRanges
from rulewright.model.facts.value_ranges import ValueRange
from rulewright.model.rules import Rules
from rulewright.source.node_memo import NodeMemo


def _find(rules: Rules) -> PositionRanges:
    """The ranges of the declared types; every block and every action counts as possible."""
    ranges = ExpressionRanges(rules, (), ())
    blocks = {
        index: BlockRanges(dict(enumerate(map(ranges.full_range, block.variable_types))), ranges.seats)
        for index, block in enumerate(rules.blocks)
    }
    choices = {
        action.index: tuple(ranges.full_range(choice.type) for choice in action.choices) for action in rules.actions
    }
    return PositionRanges(tuple(_contents(rules, ranges)), tuple(_variables(rules, ranges)), choices, blocks)


find_declared_ranges: Final = NodeMemo[Rules, PositionRanges](_find, 1)  # which several checks ask for, one by one


def _contents(rules: Rules, ranges: ExpressionRanges) -> Iterator[ValueRange]:
    for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index):
        held = zone.content_type
        content = ranges.full_range(Bag(held.kind) if isinstance(held, Member) else SetOf(held))
        yield from [content] * zone.size


def _variables(rules: Rules, ranges: ExpressionRanges) -> Iterator[ValueRange]:
    for state in sorted(rules.states.values(), key=lambda state: state.first_index):
        yield from [ranges.full_range(state.type)] * state.size


__all__ = ["find_declared_ranges"]
