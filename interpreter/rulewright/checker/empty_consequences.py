"""What only follows from a zone in which there is never anything.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.codes import ENDS_AT_ONCE, FAILS_IN_PLAY
from rulewright.checker.empty_zones import NOTHING_COMES
from rulewright.checker.line_consequences import FollowsRule
from rulewright.checker.lint_codes import ALWAYS_EMPTY, CHANGES_NOTHING
from rulewright.checker.reported_faults import ReportedFaults, game_of
from rulewright.diagnostics import Code, Diagnostic
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import SAME_FOR_ALL

WORD: Final = lazy_pattern(r"[a-z][a-z0-9_]*")


def _is_about_nothing(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It reads a zone in which there is never anything, which is reported there."""
    read = {*WORD.findall(one.span.text)}
    empty = (zone for zone in faults.of(ALWAYS_EMPTY) if game_of(zone) == game_of(one))
    return any(not read.isdisjoint(zone.cause_name("nothing there").split()) for zone in empty)


def _comes_to_nothing(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Where nothing ever comes to a place of the game, ends never come, and nobody is ahead."""
    if one.address.startswith("actions."):
        return False  # what is asked there may be about something else
    never = [*faults.of(ALWAYS_EMPTY), *faults.of(CHANGES_NOTHING)]
    empty = (other for other in never if other.code is ALWAYS_EMPTY or other.message.startswith(NOTHING_COMES))
    return any(game_of(other) == game_of(one) for other in empty)


def _is_taken_from(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What takes from the empty zone fails in play, which is reported."""
    name = one.address.rpartition(".")[2]
    failures = (other for other in faults.of(FAILS_IN_PLAY) if game_of(other) == game_of(one))
    return any(name in WORD.findall(other.message) for other in failures)


EMPTY_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((NEVER_TRUE, ALWAYS_TRUE, CHANGES_NOTHING, SAME_FOR_ALL, ENDS_AT_ONCE), _is_about_nothing),
    ((NEVER_TRUE, SAME_FOR_ALL), _comes_to_nothing),
    ((ALWAYS_EMPTY,), _is_taken_from),
)

__all__ = ["EMPTY_CONSEQUENCES"]
