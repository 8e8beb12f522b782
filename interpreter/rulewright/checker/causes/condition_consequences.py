"""What is said of a condition and only follows from what it reads, from what stands beside it, or from what fails.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import ReportedFaults, game_of, is_below, rule_of
from rulewright.checker.common.lint_codes import ALL_SEATS, LOOKS_AT_HIDDEN, NEVER_ENDS, NEVER_SET
from rulewright.checker.common.names_in_text import find_names
from rulewright.diagnostics import Code, Diagnostic
from rulewright.expr.codes import ALL_OR_ONE, ALWAYS_TRUE, KIND_FOR_MEMBER, NEVER_TRUE, NOT_AVAILABLE_HERE

CONDITION_CODES: Final = (NEVER_TRUE, ALWAYS_TRUE)


def _is_of_each(one: Diagnostic, faults: ReportedFaults) -> bool:
    """In a condition that stands where those are needed for which it holds: it will be asked of one after another."""
    conditions = (other for other in faults.errors if other.comes_from("condition"))
    return any(other.span.contains(one.span) for other in conditions)


def _step_is_wrong(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The step that seems to go on is wrong itself."""
    return any(is_below(wrong, one.address) for wrong in faults.errors)


def _things_are_miscounted(one: Diagnostic, faults: ReportedFaults) -> bool:
    return game_of(one) in faults.miscounted_games


def _asks_of_all(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key of a player was forgotten in it."""
    return any(rule_of(all_of) == rule_of(one) for all_of in faults.of(ALL_SEATS, ALL_OR_ONE))


def _is_part_of_an_error(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(wrong.span.contains(one.span) for wrong in faults.errors)


def _excludes_what_never_holds(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The other condition is wrong already."""
    return any(other.span == related.span for other in faults.of(NEVER_TRUE) for related in one.related)


def _reads_what_is_never_set(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It comes out the same because a state in it never changes."""
    words = find_names(one.span.text)
    return any(never.span.text in words and game_of(never) == game_of(one) for never in faults.of(NEVER_SET))


def _is_denied_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """That something is never so is told where it is asked; here it is asked whether it is not."""
    asked = one.span.text.replace(" is not ", " is ", 1)
    return asked != one.span.text and any(
        never.span.text == asked and game_of(never) == game_of(one) for never in faults.of(NEVER_TRUE)
    )


def _makes_rules_fail(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The condition will be another one."""
    return any(is_below(one, change) for change in faults.failing_changes)


def _is_shown_where_it_fails(one: Diagnostic, faults: ReportedFaults) -> bool:
    return rule_of(one) in faults.failing and faults.meant_ones[rule_of(one)] is one


def _is_an_error_of_its_own(one: Diagnostic, faults: ReportedFaults) -> bool:
    return rule_of(one) in faults.asked_of_all


CONDITION_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((KIND_FOR_MEMBER, NOT_AVAILABLE_HERE), _is_of_each),
    ((NEVER_ENDS,), _step_is_wrong),
    (CONDITION_CODES, _things_are_miscounted),
    (CONDITION_CODES, _asks_of_all),
    (CONDITION_CODES, _is_part_of_an_error),
    (CONDITION_CODES, _reads_what_is_never_set),
    ((ALWAYS_TRUE,), _is_denied_elsewhere),
    ((NEVER_TRUE,), _excludes_what_never_holds),
    ((LOOKS_AT_HIDDEN,), _makes_rules_fail),
    ((ALL_OR_ONE,), _is_shown_where_it_fails),
    ((ALL_OR_ONE,), _is_an_error_of_its_own),
)

__all__ = ["CONDITION_CONSEQUENCES"]
