"""What only follows from a name that is misspelled where it is declared, or from a section whose line is lost.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.causes.indentation_causes import line_text
from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import SENTENCE_CODES, ReportedFaults, game_of
from rulewright.checker.common.lint_codes import MISSPELLED_DECLARATION, NO_SENTENCE
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.codes import SENTENCE_OF_NOTHING
from rulewright.expr.codes import SHADOWING
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import DUPLICATE_NAME, MISSING_SECTION, MISSING_SENTENCE, UNKNOWN_REFERENCE

KINDS: Final = "kinds."  # what the members of kinds stand under
WORD: Final = lazy_pattern(r"[a-z][a-z0-9_]*")


def _is_of_a_misspelled_rule(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A sentence at or below the name that the rule should have."""
    here, address = game_of(one), one.span.text
    if one.code is SENTENCE_OF_NOTHING and (here, address) in faults.misnamed_rules:
        return False  # it is what is reported
    return any(here == game and f"{address}.".startswith(f"{name}.") for game, name in faults.misnamed_rules)


def _has_the_name_by_right(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Its name is taken only by a declaration that should have another, or it should have another itself."""
    misspelled = (*faults.of(MISSPELLED_DECLARATION), *faults.misnamed_rules.values())
    return any(game_of(other) == game_of(one) and other.span.text == one.span.text for other in misspelled)


def _embeds_a_misspelled_kind(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A member that a kind would have from the one whose name is misspelled."""
    words = WORD.findall(line_text(one.span)) if one.address.startswith(KINDS) else ()
    meant = (name for game, name in faults.meant_names if game == game_of(one))
    return any(name in words for name in meant)


def _is_of_a_moved_step(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A sentence of a section whose steps stand in another."""
    return (game_of(one), one.span.text.partition(".")[0]) in faults.moved_steps


def _is_below_a_lost_line(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A step that is read as one of the section above."""
    missing = (other for other in faults.of(MISSING_SECTION) if other.address)
    return any(
        other is not one
        and other.span.source is one.span.source
        and other.span.start <= one.span.start
        and other.address.partition(".")[0] == one.address.partition(".")[0]
        for other in (*missing, *faults.moved_steps.values())
    )


MISNAMED_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((UNKNOWN_REFERENCE, *SENTENCE_CODES), _is_of_a_misspelled_rule),
    ((DUPLICATE_NAME, SHADOWING), _has_the_name_by_right),
    ((UNKNOWN_REFERENCE, *SENTENCE_CODES), _is_of_a_moved_step),
    ((MISSING_SENTENCE, NO_SENTENCE), _is_below_a_lost_line),
    ((MISSING_SENTENCE,), _embeds_a_misspelled_kind),
)

__all__ = ["MISNAMED_CONSEQUENCES"]
