"""The mistakes in the shape of a file, in how a game's files fit together, and in how variants are laid over a game.

In: nothing. Out: the `Code`s of the families S and O, and those of family N that are found before names are looked
up. Numbers: S1 a file's kind, S2 keys, S3 values, S4 steps and their like; N00 files, N01 ids; O1 what a variant says
of itself, O2 its addresses, O3 its payloads, O4 several variants together.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

# a file's kind
NOT_A_MAPPING: Final = Code("S101", "not-a-mapping", "a file is no mapping of keys to values")
UNKNOWN_FILE_KIND: Final = Code("S102", "unknown-file-kind", "the first key of a file names no kind of file")
NEWER_LANGUAGE: Final = Code("S103", "newer-language", "the file is written in a newer version of the rule language")
WRONG_FILE_KIND: Final = Code("S104", "wrong-file-kind", "a file of another kind is wanted there")

# keys
UNKNOWN_KEY: Final = Code("S201", "unknown-key", "a key that has no meaning there")
MISSING_KEY: Final = Code("S202", "missing-key", "a key that has to be there is not")
BAD_ID: Final = Code("S203", "bad-id", "an id or a name is spelled with other characters than it may have")
UNNAMED_ITEM: Final = Code(
    "S204", "unnamed-item", "an item of an ordered list does not stand under one name of its own"
)

# values
WRONG_TYPE: Final = Code("S301", "wrong-type", "a value of another sort is wanted")
NOT_ONE_OF: Final = Code("S302", "not-one-of", "a value that is none of those that are allowed")
OUT_OF_RANGE: Final = Code("S303", "out-of-range", "a number or a list is too small or too large")
WRONG_FORM: Final = Code("S304", "wrong-form", "a text that is not written as it has to be")
LISTED_TWICE: Final = Code("S305", "listed-twice", "an item stands twice in a list")

# steps and other nodes that one key tells apart
UNKNOWN_VERB: Final = Code("S401", "unknown-verb", "no key says which sort of step, domain or criterion it is")
TWO_VERBS: Final = Code("S402", "two-verbs", "two keys each say which sort of step, domain or criterion it is")
WRONG_ARGUMENT: Final = Code("S403", "wrong-argument", "a key that belongs to another verb")

# files of a game
MISSING_FILE: Final = Code("N001", "missing-file", "a file that the manifest names is not there")
UNREACHED_FILE: Final = Code("N002", "unreached-file", "a file in the game's folder that the manifest does not name")
OTHER_GAME: Final = Code("N003", "other-game", "a file says that it belongs to another game")
FILE_TWICE: Final = Code(
    "N004", "file-twice", "two entries of the manifest name one file, or two files do the same work"
)

# ids
DUPLICATE_ID: Final = Code("N011", "duplicate-id", "an id is given twice in one list")
DUPLICATE_SECTION: Final = Code("N012", "duplicate-section", "a section stands in two files")
UNKNOWN_COMPONENT: Final = Code("N013", "unknown-component", "rows are given for a component that is not there")

# what a variant says of itself
UNKNOWN_GAME: Final = Code("O101", "unknown-game", "a variant is for another game")
PLAYERS_DO_NOT_FIT: Final = Code("O102", "players-do-not-fit", "a variant is for other numbers of players")
REQUIRED_VARIANT: Final = Code("O103", "required-variant", "a variant requires one that is not played")
CONFLICTING_VARIANTS: Final = Code("O104", "conflicting-variants", "two variants exclude each other")
ONE_OF_A_GROUP: Final = Code("O105", "one-of-a-group", "two variants of one group are played")
CYCLE_OF_VARIANTS: Final = Code("O106", "cycle-of-variants", "variants each say that they come after the other")
MISSING_OVERLAY: Final = Code("O107", "missing-overlay", "the file for this number of players is not there")
TWO_OVERLAYS: Final = Code("O108", "two-overlays", "two files are for the same number of players")
BASE_VERSION: Final = Code("O119", "base-version", "a variant was written for another version of the game")
VARIANT_TWICE: Final = Code("O109", "variant-twice", "two variants have one name, or one is named twice")
OTHER_FILE_NAME: Final = Code(
    "O111", "other-file-name", "a variant calls itself otherwise than its file, by whose name it is found", "warning"
)
UNKNOWN_VARIANT: Final = Code(
    "O112", "unknown-variant", "a variant speaks of another that there is not in `after` or `conflicts`", "warning"
)
UNLISTED_OVERLAY: Final = Code(
    "O113",
    "unlisted-overlay",
    "a variant always applies at a number of players that the game's head does not list",
    "warning",
)
EMPTY_VARIANT: Final = Code("O110", "empty-variant", "a variant that has no changes")

# addresses
NO_SUCH_ADDRESS: Final = Code("O201", "no-such-address", "nothing stands at the address in the rules below")
INDEX_FOR_ID: Final = Code("O202", "index-for-id", "an address counts where it has to name")
FIXED_ADDRESS: Final = Code("O203", "fixed-address", "an address in the game's head that no variant may change")
ALREADY_THERE: Final = Code("O204", "already-there", "something is added that is there already")
ADD_WITHOUT_PLACE: Final = Code("O205", "add-without-place", "a step is added to an ordered list without a place in it")
NO_SUCH_SIBLING: Final = Code("O206", "no-such-sibling", "a step is inserted beside one that is not there")
NOT_AN_ORDERED_LIST: Final = Code("O207", "not-an-ordered-list", "a step is inserted where no steps stand in order")
NOT_A_LIST: Final = Code("O208", "not-a-list", "something is made longer or shorter that is no list of names")

# payloads
NO_CHANGE: Final = Code("O301", "no-change", "a value is set that stands there already")
UNEXPECTED_VALUE: Final = Code("O302", "unexpected-value", "another value stands there than the variant expects")
INSERT_PLACE: Final = Code("O303", "insert-place", "an insertion does not say in exactly one way where it goes")
BREAKS_SHAPE: Final = Code(
    "O304", "breaks-shape", "the rules below a change have no longer a shape that means something"
)
NOT_A_NUMBER: Final = Code("O305", "not-a-number", "something is adjusted that is no number")
DROPS_KEYS: Final = Code("O306", "drops-keys", "a value that is set takes its type and sentence away", "warning")

# several variants
TWO_WRITERS: Final = Code("O401", "two-writers", "two variants write at one address")
ONE_ANCHOR: Final = Code("O402", "one-anchor", "two variants insert at one place, so that their order matters")
REMOVED_BUT_CHANGED: Final = Code("O403", "removed-but-changed", "what is removed is changed as well")
REMOVED_NEIGHBOUR: Final = Code("O404", "removed-neighbour", "a step is inserted beside one that is removed")
