"""What only follows from a rule that files of texts call otherwise, because its name is misspelled.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import SENTENCE_CODES, ReportedFaults, game_of
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.codes import SENTENCE_OF_NOTHING
from rulewright.model.codes import UNKNOWN_REFERENCE


def _is_of_a_misspelled_rule(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A sentence at or below the name that the rule should have."""
    here, address = game_of(one), one.span.text
    if one.code is SENTENCE_OF_NOTHING and (here, address) in faults.misnamed_rules:
        return False  # it is what is reported
    return any(here == game and f"{address}.".startswith(f"{name}.") for game, name in faults.misnamed_rules)


MISNAMED_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((UNKNOWN_REFERENCE, *SENTENCE_CODES), _is_of_a_misspelled_rule),
)

__all__ = ["MISNAMED_CONSEQUENCES"]
