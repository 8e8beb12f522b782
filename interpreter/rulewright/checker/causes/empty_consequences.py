"""What only follows from a zone in which there is never anything.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import ReportedFaults, game_of
from rulewright.checker.common.codes import ENDS_AT_ONCE, FAILS_IN_PLAY
from rulewright.checker.common.lint_codes import ALWAYS_EMPTY, CHANGES_NOTHING
from rulewright.checker.common.names_in_text import find_names
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.codes import UNKNOWN_COMPONENT
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import SAME_FOR_ALL

NEVER_MORE: Final = "it is never more than 0"
TAKES: Final = lazy_pattern(r"\btakes \d+ .* from .* holds (?:no|none)\b")
COUNTED: Final = lazy_pattern(r"\bcount\((\w+)")
PLACE: Final = lazy_pattern(r"\b(?:from|to): *\"?([a-z][a-z0-9_]*)")


def _is_about_nothing(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It reads a zone in which there is never anything, which is reported there."""
    read = {*find_names(one.span.text)}
    empty = (zone for zone in faults.of(ALWAYS_EMPTY) if game_of(zone) == game_of(one))
    return any(not read.isdisjoint(zone.cause_name("nothing there").split()) for zone in empty)


def _counts_nothing(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It never counts to anything, since it goes by way of a zone in which there is never anything."""
    return one.help.endswith(NEVER_MORE) and any(game_of(zone) == game_of(one) for zone in faults.of(ALWAYS_EMPTY))


def _decides_nothing(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It ranks by what is counted in, or by way of, a zone in which there is never anything."""
    empty = [*faults.of(ALWAYS_EMPTY), *(other for other in faults.of(CHANGES_NOTHING) if _is_always_empty(other))]
    return any(game_of(zone) == game_of(one) for zone in empty)


def _is_always_empty(one: Diagnostic) -> bool:
    return one.label == "always empty"


def _has_no_rows(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The rows of a component, which would be in the zone, are given to one that does not exist."""
    return _is_always_empty(one) and any(game_of(other) == game_of(one) for other in faults.of(UNKNOWN_COMPONENT))


def _is_filled_in_vain(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It asks for what is in a zone to which, or from which, a step moves nothing, which is reported."""
    read = {*find_names(one.span.text)}
    steps = (
        other for other in faults.of(CHANGES_NOTHING) if _is_always_empty(other) and game_of(other) == game_of(one)
    )
    places = (PLACE.findall(other.span.source.line_text(other.span.line)) for other in steps)
    return any(not read.isdisjoint(names) for names in places)


def _runs_out(one: Diagnostic, faults: ReportedFaults) -> bool:
    """There are too few for what it asks, and what brings them there fails in play for want of them."""
    zones = {*COUNTED.findall(one.span.text)}
    failures = (other for other in faults.of(FAILS_IN_PLAY) if game_of(other) == game_of(one))
    lines = (other.span.source.line_text(other.span.line) for other in failures if TAKES.search(other.message))
    return any(not zones.isdisjoint(find_names(line)) for line in lines)


def _is_taken_from(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What takes from the empty zone fails in play, which is reported."""
    name = one.address.rpartition(".")[2]
    failures = (other for other in faults.of(FAILS_IN_PLAY) if game_of(other) == game_of(one))
    return any(name in find_names(other.message) for other in failures)


EMPTY_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((NEVER_TRUE, ALWAYS_TRUE, CHANGES_NOTHING, SAME_FOR_ALL, ENDS_AT_ONCE), _is_about_nothing),
    ((ALWAYS_EMPTY,), _is_taken_from),
    ((CHANGES_NOTHING,), _has_no_rows),
    ((NEVER_TRUE,), _counts_nothing),
    ((NEVER_TRUE,), _runs_out),
    ((ENDS_AT_ONCE,), _is_filled_in_vain),
    ((SAME_FOR_ALL,), _decides_nothing),
)

__all__ = ["EMPTY_CONSEQUENCES"]
