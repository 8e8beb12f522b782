"""What can be wrong with a scenario: what it gives cannot stand, what it expects does not come.

In: nothing. Out: the `Code`s of the family P. Numbers: 1 how a case is written, 2 the position it gives, 3 what came of
it.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

# how a case is written
NO_SCENARIOS: Final = Code("P101", "no-scenarios", "a file that should hold scenarios holds something else")
CANNOT_BE_PLAYED: Final = Code(
    "P102", "cannot-be-played", "the game, number of players or variants of a case cannot be had"
)
UNKNOWN_IN_SCENARIO: Final = Code("P103", "unknown-in-scenario", "a case names what the game does not have")
WRONG_CONTENT: Final = Code("P104", "wrong-content", "a value in a case is of another sort than its place needs")
NOT_AN_ACTION: Final = Code("P105", "not-an-action", "what a case does is not written as an action of the game")

# the position it gives
PIECES_NOT_KEPT: Final = Code("P201", "pieces-not-kept", "pieces are won or lost by what a case gives")
IN_TWO_PLACES: Final = Code("P202", "in-two-places", "a thing stands in two places at once")
LEFT_OVER: Final = Code("P203", "left-over", "a thing has no place where it could stand")
NO_ROOM: Final = Code("P204", "no-room", "a place holds more than it has room for")
WOULD_BE_REFILLED: Final = Code("P205", "would-be-refilled", "a place is given empty that fills itself at once")
NO_SUCH_MOMENT: Final = Code("P206", "no-such-moment", "the game cannot stand where a case wants it to")
BREAKS_AN_INVARIANT: Final = Code(
    "P207", "breaks-an-invariant", "something that the rules say always holds does not, as given"
)

# what came of it
NOT_AS_EXPECTED: Final = Code("P301", "not-as-expected", "what a case expects is not so")
STOPPED_BEFORE: Final = Code("P302", "stopped-before", "an action before the last one is not legal")
FAULT_IN_PLAY: Final = Code("P303", "fault-in-play", "the rules ask for the impossible in play")

ALL: Final = tuple(value for value in dict(globals()).values() if isinstance(value, Code))
