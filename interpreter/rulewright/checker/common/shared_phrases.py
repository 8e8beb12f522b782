"""How messages and hints begin by which one finding recognises another.

In: nothing. Out: texts.
"""

from __future__ import annotations

from typing import Final

CANNOT_BE_DONE: Final = "can never be done"  # in a message about a clause
FIRST_TAKES_ALL: Final = "the first takes all"  # of a loop that gives all to each
LOOP_GOES_ON: Final = "nothing in this loop changes what `while` asks"
SETTLED_BY_CHOICE: Final = "its choice says so already"
STEADY_STATE: Final = "to anything but what it is at the start"  # behind the name of a state that no step sets
TAKEN_BACK: Final = "taken back at once"  # of a step after which nothing is where something was dealt

__all__ = ["CANNOT_BE_DONE", "FIRST_TAKES_ALL", "LOOP_GOES_ON", "SETTLED_BY_CHOICE", "STEADY_STATE", "TAKEN_BACK"]
