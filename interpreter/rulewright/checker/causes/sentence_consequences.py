"""What only follows for a sentence, or for what nothing uses any more, from a change or an address that is wrong.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.causes.indentation_causes import line_key
from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import (
    SENTENCE_CODES,
    WORD_CODES,
    ReportedFaults,
    game_of,
    is_below,
    siblings_of,
)
from rulewright.checker.common.lint_codes import NEVER_SET, NO_SENTENCE, UNUSED
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.codes import DUPLICATE_ID
from rulewright.model.codes import HOLES_DIFFER, MISSING_SENTENCE, UNKNOWN_REFERENCE, UNUSED_SENTENCE
from rulewright.variants.codes import DROPS_KEYS, STALE_SENTENCE

LEFT_OVER_CODES: Final = (UNUSED, NEVER_SET)  # what only an end needed that a variant takes away


def _change_is_wrong(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It will be another change."""
    return any(_is_of_change(other, one) for other in faults.changes_to_rules)


def _change_drops_it(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(_is_of_change(dropping, one) for dropping in faults.of(DROPS_KEYS))


def _is_of_change(one: Diagnostic, stale: Diagnostic) -> bool:
    """Whether a diagnostic is about the change of which another asks whether sentences are still true."""
    return one.span.source.path == stale.span.source.path and (
        one.span.line == stale.span.line or is_below(one, stale.address)
    )


def _title_has_holes(one: Diagnostic, faults: ReportedFaults) -> bool:
    return line_key(one.span) in faults.title_lines


def _sentence_is_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The sentence stands under a misspelled address, or the rule does."""
    if not faults.unsaid.isdisjoint((*one.cause_name("unsaid").split(), one.address)):
        return True
    return any(is_below(one, address) for address in faults.misspelled)


def _original_is_at_a_wrong_address(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The sentence that it translates stands under a misspelled address."""
    meant = (fix.text for other, fix in faults.fixes(*SENTENCE_CODES, UNKNOWN_REFERENCE) if other is not one)
    return any(f"{one.span.text}.".startswith(f"{address}.") and "." in address for address in meant)


def _translation_is_reported(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The sentence that lacks is missed where it is translated."""
    translated = faults.of(UNUSED_SENTENCE)
    return any((game_of(other), other.span.text) == (game_of(one), one.address) for other in translated)


def _sentence_is_at_a_wrong_address(one: Diagnostic, faults: ReportedFaults) -> bool:
    parent = siblings_of(one.address)
    is_lonely = parent in faults.lonely_unnamed and faults.unused_sentences[parent] == 1
    return is_lonely and one.certain_fix is None


def _is_beside_a_doubled_id(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It may translate the one whose id is that of another."""
    lists = (double.address.rpartition(".")[0] for double in faults.of(DUPLICATE_ID) if game_of(double) == game_of(one))
    return any(above and one.span.text.startswith(f"{above}.") for above in lists)


def _id_is_doubled(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The step that is left out may be what needs it."""
    return any(one.span.source.path == double.span.source.path for double in faults.of(DUPLICATE_ID))


def _is_left_by_a_fault(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A variant takes all ends of the game away, or the change that leaves it unused is wrong itself."""
    if not one.comes_from("variant"):
        return False
    others = (other for other in faults.changes_to_rules if other.code not in LEFT_OVER_CODES)
    return one.span.source.path in faults.endless_files or any(_is_of_change(other, one) for other in others)


SENTENCE_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((STALE_SENTENCE,), _change_is_wrong),
    ((NO_SENTENCE,), _change_drops_it),
    (WORD_CODES, _sentence_is_elsewhere),
    ((MISSING_SENTENCE, NO_SENTENCE), _sentence_is_at_a_wrong_address),
    ((HOLES_DIFFER,), _title_has_holes),
    ((UNUSED_SENTENCE,), _original_is_at_a_wrong_address),
    ((UNUSED_SENTENCE,), _is_beside_a_doubled_id),
    ((NO_SENTENCE,), _translation_is_reported),
    (LEFT_OVER_CODES, _id_is_doubled),
    (LEFT_OVER_CODES, _is_left_by_a_fault),
)

__all__ = ["SENTENCE_CONSEQUENCES"]
