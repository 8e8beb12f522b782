"""What can be wrong with a game as a whole: found by setting it up, and by playing.

In: nothing. Out: the `Code`s of the family G. Numbers: 1 the set-up and what follows without a decision.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

SET_UP_IMPOSSIBLE: Final = Code("G101", "set-up-impossible", "the rules fail in the set-up")
ENDLESS_STEPS: Final = Code("G102", "endless-steps", "steps go on for ever without a decision or a chance event")
BROKEN_INVARIANT: Final = Code("G103", "broken-invariant", "an invariant does not hold before the first decision")
DEALS_SHORT: Final = Code("G105", "deals-short", "a deal of the set-up for which there is not enough", "warning")
FAILS_IN_PLAY: Final = Code("G104", "fails-in-play", "the rules fail in a game of random players")
RUNS_OVER: Final = Code("G106", "runs-over", "a state that is counted up for longer than its type lasts", "warning")
NEVER_ABLE: Final = Code("G108", "never-able", "a decision at which nobody can ever do what it offers", "warning")
NEVER_HELD: Final = Code(
    "G110", "never-held", "a condition that never held, however often games asked for it", "warning"
)
LAST_COUNTS: Final = Code(
    "G109", "last-counts", "a loop that gives one state several values, of which only the last counts", "warning"
)
ENDS_AT_ONCE: Final = Code("G107", "ends-at-once", "an end of the game that holds before anything is done", "warning")
