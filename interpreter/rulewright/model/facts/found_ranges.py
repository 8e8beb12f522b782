"""What is found of all positions of rules: what can be where, and what is bound where steps run.

In: nothing. Out: data, which `position_ranges` finds by following the rules, `declared_ranges` from declarations alone.
"""

from __future__ import annotations

from rulewright.frozen import frozen
from rulewright.model.facts.expression_ranges import Variables
from rulewright.model.facts.value_ranges import Scalars, ValueRange


@frozen
class BlockRanges:
    """What the variables bound where a block begins can be, and the seats in turn."""

    variables: Variables
    me: Scalars


@frozen
class PositionRanges:
    """What can be in each place, by its number, and in each state variable; what each choice of an action can be; the
    blocks that can be reached, with what is bound there.

    An action that is in no position possible has no choices here.
    """

    contents: tuple[ValueRange, ...]
    variables: tuple[ValueRange, ...]
    choices: dict[int, tuple[ValueRange, ...]]
    blocks: dict[int, BlockRanges]


__all__ = ["BlockRanges", "PositionRanges"]
