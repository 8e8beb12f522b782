"""What only follows from a step that does nothing, from a value that never holds, or from a zone that is not hidden.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import ReportedFaults, game_of
from rulewright.checker.common.codes import ENDS_AT_ONCE, FAILS_IN_PLAY, LAST_COUNTS, NEVER_ABLE
from rulewright.checker.common.lint_codes import (
    ALL_SEATS,
    ALWAYS_EMPTY,
    CHANGES_NOTHING,
    COUNTED_TWICE,
    GIVES_AWAY_HIDDEN,
    LOOKS_AT_HIDDEN,
    NEVER_ENDS,
    NO_TURN,
    OPEN_SECRET,
    OTHER_NUMBER,
    OTHER_PLAYER,
    OTHER_REASON,
    OTHER_WAY,
    UNUSED,
)
from rulewright.checker.common.names_in_text import find_names
from rulewright.checker.common.shared_phrases import (
    CANNOT_BE_DONE,
    LOOP_GOES_ON,
    SETTLED_BY_CHOICE,
    STEADY_STATE,
    TAKEN_BACK,
)
from rulewright.diagnostics import Code, Diagnostic
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import SAME_FOR_ALL

MOVES_BACK: Final = "this moves to where it is taken from"
ANOTHER_PLAYER: Final = "another player"  # the label of a player whom a sentence does not name
UNUSED_ZONE: Final = "no rule uses the zone "  # how a warning begins
SEEN_ANYWAY: Final = ("its owner sees this anyway", "all see this anyway")
UNUSED_PARAMETER: Final = "no rule uses the parameter "
LITERAL: Final = lazy_pattern(r"(?:<=?|>=?|\bis(?: not)?) \d+\b")
FOUND_BY_PLAY: Final = "in a game of"
VALUES: Final = "values."
ACTIONS: Final = "actions."
NEVER_DECIDED: Final = "nobody ever decided anything"
QUOTED: Final = lazy_pattern(r"`(\w+)`")
CONSTANT: Final = (NEVER_TRUE, ALWAYS_TRUE)


def _should_be_moved_there(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Nothing uses a zone, since what should go there stays where it is."""
    moves = (other for other in faults.of(CHANGES_NOTHING) if other.message == MOVES_BACK)
    return one.message.startswith(UNUSED_ZONE) and any(_same_game(one, moves))


def _names_another_player(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A step that moves to where it takes from names the player in turn where its sentence names another."""
    others = (other for other in faults.of(OTHER_WAY) if other.label == ANOTHER_PLAYER)
    return one.message == MOVES_BACK and any(other.span == one.span for other in others)


def _should_go_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A game in which all comes again has a zone to which nothing is moved."""
    zones = (other for other in faults.of(UNUSED) if other.message.startswith(UNUSED_ZONE))
    return FOUND_BY_PLAY in one.message and any(_same_game(one, zones))


def _asks_a_constant_value(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It asks nothing but a value of which the same is told where it is written."""
    values = (other for other in faults.of(NEVER_TRUE, ALWAYS_TRUE) if other.address.startswith(VALUES))
    name = one.span.text.partition("(")[0]
    return not one.address.startswith(VALUES) and any(
        other.address == f"{VALUES}{name}" for other in _same_game(one, values)
    )


def _asks_a_steady_state(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It asks what a state is to which steps give nothing but what it is at the start, as is told of these."""
    asked = {*find_names(one.span.text)}
    steady = (other for other in faults.of(CHANGES_NOTHING) if STEADY_STATE in other.message)
    return any(not asked.isdisjoint(QUOTED.findall(other.message)) for other in _same_game(one, steady))


def _leave_anyway(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Those who have left are still asked, at a step by which all leave at once, as is told of it."""
    together = (other for other in faults.of(ALL_SEATS) if other.address == one.address)
    return any(_same_game(one, together))


def _zone_is_not_hidden_as_meant(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What its owner sees anyway is seen by others, too, as is told, or should not be seen by its owner."""
    looks = (other for other in faults.of(GIVES_AWAY_HIDDEN, LOOKS_AT_HIDDEN, OTHER_WAY))
    read = {*find_names(one.span.source.line_text(one.span.line))}
    return one.message.startswith(SEEN_ANYWAY) and any(
        not read.isdisjoint(QUOTED.findall(other.message)) for other in _same_game(one, looks)
    )


def _step_is_reported(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Who comes when tells more than what is done then."""
    looks = faults.of(GIVES_AWAY_HIDDEN, LOOKS_AT_HIDDEN)
    return any(other.address == one.address for other in _same_game(one, looks))


def _is_impossible_anyway(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What nobody can do in any game asks for what never holds, or for what lies nowhere, as is told."""
    return any(_same_game(one, faults.of(NEVER_TRUE, ALWAYS_EMPTY)))


def _nothing_is_offered(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Nobody decides anything, and there are actions that no step offers, as is told."""
    unused = (other for other in faults.of(UNUSED) if other.address.startswith(ACTIONS))
    return NEVER_DECIDED in one.message and any(_same_game(one, unused))


def _is_meant_for_a_number(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Nothing uses a parameter, since a condition has a number in its place, which it is told beside."""
    return any(meant is one for meant in (meant_parameter(other, faults) for other in faults.of(*CONSTANT)))


def meant_parameter(one: Diagnostic, faults: ReportedFaults) -> Diagnostic | None:
    """The warning about the only parameter that nothing uses, where one condition compares with a number, and always
    or never holds.
    """
    if LITERAL.search(one.span.text) is None:
        return None
    written = (other for other in _same_game(one, faults.of(*CONSTANT)) if LITERAL.search(other.span.text))
    unused = [other for other in _same_game(one, faults.of(UNUSED)) if other.message.startswith(UNUSED_PARAMETER)]
    return unused[0] if len(unused) == 1 == len({other.span for other in written}) else None


def _clause_is_another(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Its condition asks what another clause asks, and so not what its reason says."""
    doubled = (other.span.line for other in faults.of(COUNTED_TWICE) if other.span.source is one.span.source)
    return one.span.line in doubled


def _has_no_turns(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Where no step begins a turn, nothing is done one after the other, nor after so many rounds."""
    return any(_same_game(one, faults.of(NO_TURN)))


def _goes_on_for_another_reason(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A game in which all comes again asks for a player who is not the one that is meant, or the last of several, or
    for something that can never be done.
    """
    if FOUND_BY_PLAY not in one.message:
        return False
    impossible = (other for other in faults.of(NEVER_TRUE) if CANNOT_BE_DONE in other.message)
    others = (*faults.of(OTHER_PLAYER, LAST_COUNTS, NEVER_ABLE), *impossible)
    return any(_same_game(one, iter(others)))


def _is_around_idle_steps(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A loop goes on for ever since a step in it changes nothing."""
    idle = (other for other in faults.of(CHANGES_NOTHING) if f"{other.address}.".startswith(f"{one.address}."))
    return one.message.startswith(LOOP_GOES_ON) and any(_same_game(one, idle))


def _is_the_wrong_way_round(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A clause never holds, or always does, since it asks for the contrary of what its reason says."""
    return any(other.span == one.span for other in _same_game(one, faults.of(OTHER_REASON)))


def _fails_there(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The rules fail at the step whose sentence says something else."""
    failures = (other for other in faults.of(FAILS_IN_PLAY) if other.span.source.path == one.span.source.path)
    return any(other.span.line == one.span.line for other in failures)


def _ends_or_fails(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What ends games too early makes them fail with other players."""
    return any(_same_game(one, faults.of(FAILS_IN_PLAY)))


def _is_chosen_so(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A clause always holds because of the choice of the same action, which is told to be another than is said."""
    action = ".".join(one.address.split(".")[:2])
    chosen = (other for other in faults.of(OTHER_WAY) if other.address.startswith(f"{action}.choose."))
    return one.help.startswith(SETTLED_BY_CHOICE) and any(_same_game(one, chosen))


def _finds_nothing_dealt(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It looks for what a step has taken back as soon as it was dealt, which is told of that step."""
    back = {other.address for other in _same_game(one, faults.of(CHANGES_NOTHING)) if other.label == TAKEN_BACK}
    return one.label != TAKEN_BACK and any(related.note in back for related in one.related)


def _same_game(one: Diagnostic, others: Iterator[Diagnostic]) -> Iterator[Diagnostic]:
    return (other for other in others if game_of(other) == game_of(one))


IDLE_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((UNUSED,), _should_be_moved_there),
    ((NEVER_ENDS,), _should_go_elsewhere),
    ((NEVER_ENDS,), _leave_anyway),
    ((NEVER_TRUE, ALWAYS_TRUE), _asks_a_constant_value),
    ((NEVER_TRUE, ALWAYS_TRUE), _asks_a_steady_state),
    ((OPEN_SECRET,), _step_is_reported),
    ((OPEN_SECRET, OTHER_NUMBER), _has_no_turns),
    ((NEVER_ABLE,), _is_impossible_anyway),
    ((NEVER_ABLE,), _nothing_is_offered),
    ((NEVER_ENDS,), _goes_on_for_another_reason),
    ((ALWAYS_TRUE,), _is_around_idle_steps),
    ((NEVER_TRUE, ALWAYS_TRUE), _is_the_wrong_way_round),
    ((OTHER_WAY,), _fails_there),
    ((ENDS_AT_ONCE,), _ends_or_fails),
    ((ALWAYS_TRUE,), _is_chosen_so),
    ((UNUSED,), _is_meant_for_a_number),
    ((OTHER_REASON,), _clause_is_another),
    ((CHANGES_NOTHING,), _zone_is_not_hidden_as_meant),
    ((NEVER_TRUE, ALWAYS_TRUE, CHANGES_NOTHING, SAME_FOR_ALL), _finds_nothing_dealt),
    ((CHANGES_NOTHING,), _names_another_player),
)

__all__ = ["IDLE_CONSEQUENCES", "meant_parameter"]
