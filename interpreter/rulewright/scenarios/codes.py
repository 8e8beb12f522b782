"""What can be wrong with a scenario: a position that cannot be, an expectation that is not met.

In: nothing. Out: the `Code`s of the family P. Numbers: 1 how a case is written, 2 the position it gives, 3 its outcome.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

# how a case is written
NO_SCENARIOS: Final = Code("P101", "no-scenarios", "a file that should contain scenarios contains something else")
CANNOT_BE_PLAYED: Final = Code(
    "P102", "cannot-be-played", "the game of a case cannot be loaded for its players and variants"
)
UNKNOWN_IN_SCENARIO: Final = Code("P103", "unknown-in-scenario", "a case uses a name that the game does not have")
WRONG_CONTENT: Final = Code("P104", "wrong-content", "a value in a case does not fit its zone, state or value")
NOT_AN_ACTION: Final = Code("P105", "not-an-action", "an entry of `when` is not an action of the game")

# the position it gives
PIECES_NOT_KEPT: Final = Code("P201", "pieces-not-kept", "the given position has more or fewer pieces than the game")
IN_TWO_PLACES: Final = Code("P202", "in-two-places", "a thing is in two places at once")
LEFT_OVER: Final = Code("P203", "left-over", "a thing is in no place")
NO_ROOM: Final = Code("P204", "no-room", "a place has more in it than it has room for")
WOULD_BE_REFILLED: Final = Code("P205", "would-be-refilled", "a given place has room, although it is refilled at once")
NO_SUCH_MOMENT: Final = Code("P206", "no-such-moment", "the game cannot be at the given player or step")
BREAKS_AN_INVARIANT: Final = Code(
    "P207", "breaks-an-invariant", "an invariant of the rules does not hold in the given position"
)

# the outcome
NOT_AS_EXPECTED: Final = Code("P301", "not-as-expected", "an expectation is not met")
STOPPED_BEFORE: Final = Code("P302", "stopped-before", "an action before the last one is not legal")
FAULT_IN_PLAY: Final = Code("P303", "fault-in-play", "the rules fail in play")
