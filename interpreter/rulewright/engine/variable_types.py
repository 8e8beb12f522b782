"""The types of the variables that a position keeps for steps under way.

In: rules, an entry of a position's stack. Out: a type for each of its variables.
"""

from __future__ import annotations

from rulewright.engine.state import Frame, SimultaneousChoice
from rulewright.expr.types import Type
from rulewright.model.rules import Rules


def variable_types(rules: Rules, entry: Frame | SimultaneousChoice) -> tuple[Type, ...]:
    """Of the variables of an entry: choices made together also have the one that their step loops over."""
    block = rules.blocks[entry.block]
    return block.types_within(entry.step) if isinstance(entry, SimultaneousChoice) else block.variable_types


__all__ = ["variable_types"]
