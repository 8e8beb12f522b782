"""The codes of mistakes in variants of a game.

In: nothing. Out: the `Code`s of family O. Numbers: O1 the head of a variant, O2 the addresses of its changes, O3 their
payloads, O4 several variants together. Until version 2, O107, O108 and O113 were about variants for a number of
players, which the game itself lists now.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

# the head of a variant
UNKNOWN_GAME: Final = Code("O101", "unknown-game", "a variant is for another game")
PLAYERS_DO_NOT_FIT: Final = Code("O102", "players-do-not-fit", "a variant is for other numbers of players")
REQUIRED_VARIANT: Final = Code("O103", "required-variant", "a variant requires one that is not chosen")
CONFLICTING_VARIANTS: Final = Code("O104", "conflicting-variants", "two variants exclude each other")
ONE_OF_A_GROUP: Final = Code("O105", "one-of-a-group", "two variants of one group are chosen")
CYCLE_OF_VARIANTS: Final = Code("O106", "cycle-of-variants", "variants form a cycle by `after` or `requires`")
BASE_VERSION: Final = Code("O119", "base-version", "a variant was written for another version of the game")
VARIANT_TWICE: Final = Code("O109", "variant-twice", "two variants have the same name, or one is chosen twice")
OTHER_FILE_NAME: Final = Code("O111", "other-file-name", "a variant and its file have different names", "warning")
UNKNOWN_VARIANT: Final = Code(
    "O112", "unknown-variant", "`after` or `conflicts` names a variant that does not exist", "warning"
)
EMPTY_VARIANT: Final = Code("O110", "empty-variant", "a variant has no changes")

# addresses
NO_SUCH_ADDRESS: Final = Code("O201", "no-such-address", "the address of a change does not exist")
INDEX_FOR_ID: Final = Code("O202", "index-for-id", "an address contains an index instead of a name")
FIXED_ADDRESS: Final = Code("O203", "fixed-address", "an address in the game's head that no variant may change")
ALREADY_THERE: Final = Code("O204", "already-there", "an added value already exists")
ADD_WITHOUT_PLACE: Final = Code("O205", "add-without-place", "a step is added to an ordered list without a position")
NO_SUCH_SIBLING: Final = Code("O206", "no-such-sibling", "a step is inserted next to one that does not exist")
NOT_AN_ORDERED_LIST: Final = Code(
    "O207", "not-an-ordered-list", "a step is inserted into something that is not an ordered list"
)
NOT_A_LIST: Final = Code("O208", "not-a-list", "`extend` or `drop` of something that is not a list of names")
NOTHING_TO_TRANSLATE: Final = Code(
    "O209", "nothing-to-translate", "a translation of a sentence that the variant does not have"
)
NOTHING_TO_CANCEL: Final = Code(
    "O210", "nothing-to-cancel", "`cancel` takes back a change that no variant of this joint file makes"
)

# payloads
NO_CHANGE: Final = Code("O301", "no-change", "a change sets the current value")
UNEXPECTED_VALUE: Final = Code("O302", "unexpected-value", "the value is not the one that the variant expects")
INSERT_PLACE: Final = Code("O303", "insert-place", "an insertion has no position, or more than one")
BREAKS_SHAPE: Final = Code("O304", "breaks-shape", "the rules are no longer valid after a change")
NOT_A_NUMBER: Final = Code("O305", "not-a-number", "an adjusted value is not a number")
DROPS_KEYS: Final = Code("O306", "drops-keys", "a change drops the other keys of the value that it sets", "warning")
STALE_SENTENCE: Final = Code(
    "O307", "stale-sentence", "a sentence stays although a variant changes what it speaks of", "warning"
)
NOT_STALE: Final = Code(
    "O308", "not-stale", "`still_true` lists a sentence of which the variant changes nothing", "warning"
)
CHANGES_NOTHING_HERE: Final = Code(
    "O309", "no-change-with-some", "a change sets the current value, with some numbers of players", "warning"
)

# several variants
TWO_WRITERS: Final = Code("O401", "two-writers", "two variants write to one address")
ONE_ANCHOR: Final = Code("O402", "one-anchor", "two variants insert at one position, so that their order matters")
REMOVED_BUT_CHANGED: Final = Code("O403", "removed-but-changed", "what is removed is also changed")
REMOVED_NEIGHBOUR: Final = Code("O404", "removed-neighbour", "a step is inserted next to one that is removed")
TWO_SENTENCES: Final = Code("O405", "two-sentences", "two variants write one sentence in different words", "warning")
