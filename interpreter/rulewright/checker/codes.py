"""What can be wrong with a game as a whole: found by setting it up.

In: nothing. Out: the `Code`s of the family G. Numbers: 1 the set-up.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

SET_UP_IMPOSSIBLE: Final = Code("G101", "set-up-impossible", "the rules fail in the set-up")
