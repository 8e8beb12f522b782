"""The rules of a finished build that are judged.

In: rules, and the composition they were built from. Out: `JudgedRules`, known for the check that asks next.
"""

from __future__ import annotations

from functools import lru_cache

from rulewright.model.judged_rules import JudgedRules, judged_rules
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.node_memo import Same


def judged_in(rules: Rules, composition: Composition) -> JudgedRules:
    """What is judged of some rules."""
    return _judged_in(Same(rules), Same(composition))


@lru_cache(maxsize=1)
def _judged_in(same_rules: Same[Rules], same_composition: Same[Composition]) -> JudgedRules:
    rules, composition = same_rules.value, same_composition.value
    return judged_rules(
        composition.document.root,
        composition.variant_files if composition.chosen_variants else None,
        actions=rules.actions,
        blocks=rules.blocks,
        values=rules.values,
        zones=rules.zones,
    )


def everything_in(rules: Rules) -> JudgedRules:
    """All rules, as if all of them were judged."""
    steps = tuple(step for block in rules.blocks for step in block.steps)
    return JudgedRules(None, rules.actions, steps, rules.values, tuple(rules.zones.values()), ())


__all__ = ["everything_in", "judged_in"]
