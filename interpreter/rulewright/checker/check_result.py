"""What a check found, and how much it went through.

In: nothing. Out: a class. It stands alone, so that who knows the answer already imports nothing that reads rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.diagnostics import Diagnostics
from rulewright.frozen import frozen

if TYPE_CHECKING:
    from rulewright.checker.rule_sets import RuleSet


@frozen
class CheckResult:
    """The diagnostics, and how many games, variants, scenario files and files in all were checked. `rule_sets`: those
    that were judged, or known; not where the whole answer was known.
    """

    diagnostics: Diagnostics
    games: int
    variants: int
    scenario_files: int
    files: int
    rule_sets: tuple[RuleSet, ...] = ()


__all__ = ["CheckResult"]
