"""The warnings about what an author has probably forgotten, and the mistakes in a file of statements."""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

UNUSED: Final = Code("N405", "unused", "a definition that nothing uses", "warning")
NO_SENTENCE: Final = Code("N421", "no-sentence", "no sentence where its like have one", "warning")
NEVER_ENDS: Final = Code("N422", "never-ends", "a game that no step ends, or a turn", "warning")
NEVER_SET: Final = Code("N424", "never-set", "a state that no step sets", "warning")
HELD_BY_NOTHING: Final = Code(
    "N426", "held-by-nothing", "a statement names no rule that holds it, and no reason why none does"
)
ALL_SEATS: Final = Code(
    "N431", "all-seats", "a clause of an action asks whether places of all seats together are empty", "warning"
)

LOOKS_AT_HIDDEN: Final = Code(
    "V401", "looks-at-hidden", "a condition or choice that tells who chooses what it may not see", "warning"
)
SAYS_HIDDEN: Final = Code("V402", "says-hidden", "a reason that speaks of what its reader may not see", "warning")

# warnings about the base that a variant may cause: shown at its change, since the file they are about is right
BLAMED_WARNINGS: Final = frozenset({UNUSED, NEVER_ENDS, NEVER_SET, NO_SENTENCE, LOOKS_AT_HIDDEN, SAYS_HIDDEN})
