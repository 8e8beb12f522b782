"""What only follows from rules that fail, in the set-up or in play, and what shows why they do.

In: a diagnostic, and what else is wrong. Out: whether it follows. Rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import ReportedFaults, game_of
from rulewright.checker.common.codes import DEALS_SHORT, FAILS_IN_PLAY, SET_UP_IMPOSSIBLE
from rulewright.checker.common.lint_codes import (
    ALL_SEATS,
    CHANGES_NOTHING,
    NEVER_SET_BACK,
    ONE_SIDED,
    ONLY_TAKES_IN,
    UNUSED,
)
from rulewright.diagnostics import Code, Diagnostic
from rulewright.expr.codes import NEVER_TRUE
from rulewright.lazy_pattern import lazy_pattern
from rulewright.variants.codes import DROPS_KEYS

OUT_OF_REACH: Final = ("it is never more than ", "it is never less than ")  # how a hint begins
MORE_PLACES: Final = "there are more places than there is to fill them"
TAKES_MORE: Final = lazy_pattern(r"\btakes \d+ .*, which holds ")
OUTSIDE: Final = lazy_pattern(r"\bsets (\w+)\b.* outside of ")


def _deal_fails_anyway(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The deal for which there is not enough has no room for it either."""
    return any(other.span.line == one.span.line for other in faults.of(SET_UP_IMPOSSIBLE) if _is_same_game(one, other))


def _is_lost_before(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A later deal finds too little, since something has gone out of the game."""
    return any(_is_same_game(one, other) for other in faults.of(ONLY_TAKES_IN))


def _is_noted(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It stands beside the failure that it explains."""
    return any(note.span == one.span for other in faults.of(FAILS_IN_PLAY) for note in other.related)


def _fails_there(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Where something goes out of the game, what the rules say of all that there is fails in play; and where a step
    that is written anew has lost what it did for those who can do nothing, somebody can do nothing.
    """
    failing = faults.of(FAILS_IN_PLAY, SET_UP_IMPOSSIBLE)
    return any(other.span.line == one.span.line for other in failing if _is_same_game(one, other))


def _fails_each_time(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A loop that does the same each time fails in the set-up, and the failure says why (`reworded_causes.py`)."""
    return _deal_fails_anyway(one, faults)


def _is_kept_from_its_goal(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It is not reached because the type of a state is too narrow, which a step leaves."""
    failures = (other for other in faults.of(FAILS_IN_PLAY) if game_of(other) == game_of(one))
    left = [found[1] for other in failures if (found := OUTSIDE.search(other.message)) is not None]
    return one.help.startswith(OUT_OF_REACH) and any(f"`{state}" in one.message for state in left)


def _is_never_set_back(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A state leaves its type that is to begin anew each round, and nothing sets it back."""
    found = OUTSIDE.search(one.message)
    said = (other.message for other in faults.of(NEVER_SET_BACK) if game_of(other) == game_of(one))
    return found is not None and any(message.startswith(f"`{found[1]}` is said") for message in said)


def _is_never_filled(one: Diagnostic, faults: ReportedFaults) -> bool:
    """There is less than there are places, and so a step that is to fill them fails."""
    failures = (other for other in faults.of(FAILS_IN_PLAY) if game_of(other) == game_of(one))
    return one.help == MORE_PLACES and any(TAKES_MORE.search(other.message) for other in failures)


def _is_same_game(one: Diagnostic, other: Diagnostic) -> bool:
    return game_of(one) == game_of(other) and one.span.source.path == other.span.source.path


FAILURE_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((DEALS_SHORT,), _deal_fails_anyway),
    ((DEALS_SHORT,), _is_lost_before),
    ((CHANGES_NOTHING, ONE_SIDED, UNUSED), _is_noted),
    ((NEVER_TRUE,), _is_kept_from_its_goal),
    ((NEVER_TRUE,), _is_never_filled),
    ((FAILS_IN_PLAY,), _is_never_set_back),
    ((ALL_SEATS,), _fails_each_time),
    ((ONLY_TAKES_IN, DROPS_KEYS), _fails_there),
)

__all__ = ["FAILURE_CONSEQUENCES", "MORE_PLACES"]
