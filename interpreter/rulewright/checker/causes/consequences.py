"""What only follows from an error, and is not reported beside it.

In: what is wrong with files. Out: `Diagnostics` without what would be right if something else were: each way in which
one fault leads to another is a rule of the table `CONSEQUENCES`, by the sort of diagnostic that follows.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.checker.causes.condition_consequences import CONDITION_CONSEQUENCES
from rulewright.checker.causes.declaration_consequences import DECLARATION_CONSEQUENCES
from rulewright.checker.causes.empty_consequences import EMPTY_CONSEQUENCES
from rulewright.checker.causes.failure_consequences import FAILURE_CONSEQUENCES
from rulewright.checker.causes.idle_consequences import IDLE_CONSEQUENCES
from rulewright.checker.causes.indentation_causes import line_text
from rulewright.checker.causes.line_consequences import LINE_CONSEQUENCES, FollowsRule
from rulewright.checker.causes.misnamed_consequences import MISNAMED_CONSEQUENCES
from rulewright.checker.causes.missing_consequences import MISSING_CONSEQUENCES
from rulewright.checker.causes.missing_lines import MissingLines
from rulewright.checker.causes.reported_faults import (
    ReportedFaults,
    game_of,
    is_below,
    look_at_files_anew,
    place_of,
    rule_of,
)
from rulewright.checker.causes.reworded_causes import reword
from rulewright.checker.causes.sentence_consequences import SENTENCE_CONSEQUENCES
from rulewright.checker.common.lint_codes import UNUSED
from rulewright.diagnostics import Code, Diagnostic, Diagnostics
from rulewright.document.codes import TWO_VERBS, UNKNOWN_VERB, WRONG_TYPE
from rulewright.expr.codes import SHADOWING
from rulewright.model.codes import BREAKS_RULES

FOUND_BY_PLAY: Final = "G"  # the family of their codes


def without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics without what follows from others, of very many from the first."""
    shown = list(diagnostics)
    if len(shown) < 2:
        return diagnostics
    look_at_files_anew()
    faults = ReportedFaults(shown[: limits.MAX_CAUSES])
    missing_lines = MissingLines(sorted(shown, key=place_of))

    def kept(one: Diagnostic) -> Diagnostic | None:
        if _follows(one, faults):
            return None
        reworded = reword(one, faults)
        return missing_lines.merge(one) if reworded is one else reworded

    reported = Diagnostics()
    reported.merge(diagnostics, kept)
    return reported


def without_unused(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics without what nothing uses in a game with errors: what is wrong may be what would use it.

    What is found by playing is wrong in rules that were all read: it follows from what is not used, if from anything.
    """
    wrong = {game_of(one) for one in diagnostics if one.severity == "error" and one.code.number[0] != FOUND_BY_PLAY}
    if not wrong:
        return diagnostics
    reported = Diagnostics()
    reported.merge(diagnostics, lambda one: None if one.code is UNUSED and game_of(one) in wrong else one)
    return reported


def _follows(one: Diagnostic, faults: ReportedFaults) -> bool:
    rules = (*RULES_BY_CODE.get(one.code, ()), *FAMILIES.get(one.code.number[0], ()), *OF_ALL)
    return any(follows(one, faults) for follows in rules)


# ---- what families of errors, and all, have in common ---------------------------------------------------------


def _stands_at_an_error(one: Diagnostic, faults: ReportedFaults) -> bool:
    return one.severity == "warning" and place_of(one) in faults.wrong_places


def _was_not_read(one: Diagnostic, faults: ReportedFaults) -> bool:
    return place_of(one) in faults.unread_places


def _is_below_a_breaking_change(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A change breaks the rules, of which it is a part."""
    breaking = (other for other in faults.of(BREAKS_RULES) if other.span.source is one.span.source)
    return any(other is not one and is_below(one, other.span.text) for other in breaking)


def _is_read_as_a_word_of_the_language(one: Diagnostic, faults: ReportedFaults) -> bool:
    return bool(faults.reserved_words) and any(
        word.search(line_text(one.span)) is not None for word in faults.reserved_words
    )


def _variable_is_taken(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The variable of the step has the name of something else, and what uses it means that."""
    return any(one is not taken and rule_of(one) == rule_of(taken) for taken in faults.of(SHADOWING))


def _address_is_misspelled(one: Diagnostic, faults: ReportedFaults) -> bool:
    return faults.misspelled_changes.explain(one)


def _belongs_to_another_verb(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Of two verbs in one step each has keys that do not fit the other; a verb that is none has its keys as well."""
    if one.code in (TWO_VERBS, UNKNOWN_VERB):
        return False
    verbs = faults.of(TWO_VERBS, UNKNOWN_VERB) if one.code is WRONG_TYPE else faults.of(TWO_VERBS)
    return any(verb.span.source is one.span.source and verb.address and is_below(one, verb.address) for verb in verbs)


# ---- the table ----------------------------------------------------------------------------------------------

CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    *LINE_CONSEQUENCES,
    *EMPTY_CONSEQUENCES,
    *MISNAMED_CONSEQUENCES,
    *DECLARATION_CONSEQUENCES,
    *FAILURE_CONSEQUENCES,
    *IDLE_CONSEQUENCES,
    *MISSING_CONSEQUENCES,
    *CONDITION_CONSEQUENCES,
    *SENTENCE_CONSEQUENCES,
)
FAMILIES: Final[dict[str, tuple[FollowsRule, ...]]] = {  # by the first letter of their numbers
    "S": (_was_not_read, _belongs_to_another_verb),
    "E": (_is_read_as_a_word_of_the_language,),
    "T": (_is_below_a_breaking_change, _is_read_as_a_word_of_the_language, _variable_is_taken),
}
OF_ALL: Final = (_address_is_misspelled, _stands_at_an_error)
RULES_BY_CODE: Final[dict[Code, tuple[FollowsRule, ...]]] = {
    code: tuple(follows for codes, follows in CONSEQUENCES if code in codes)
    for codes, _ in CONSEQUENCES
    for code in codes
}


__all__ = ["without_consequences", "without_unused"]
