"""The codes of mistakes in the shape of a file, and in how a game's files fit together.

In: nothing. Out: the `Code`s of family S, and those of family N that are found before names are resolved.
Numbers: S1 the kind of file, S2 keys, S3 values, S4 steps and other tagged unions; N00 files, N01 ids.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

# the kind of file
NOT_A_MAPPING: Final = Code("S101", "not-a-mapping", "a file is not a mapping of keys to values")
UNKNOWN_FILE_KIND: Final = Code("S102", "unknown-file-kind", "the first key of a file is not a kind of file")
NEWER_LANGUAGE: Final = Code("S103", "newer-language", "the file is written in a newer version of the rule language")
WRONG_FILE_KIND: Final = Code("S104", "wrong-file-kind", "a file has the wrong kind")
OLDER_LANGUAGE: Final = Code("S105", "older-language", "the file is written in an older version of the rule language")

# keys
UNKNOWN_KEY: Final = Code("S201", "unknown-key", "an unknown key")
MISSING_KEY: Final = Code("S202", "missing-key", "a required key is missing")
BAD_ID: Final = Code("S203", "bad-id", "an id or a name contains characters that are not allowed")
UNNAMED_ITEM: Final = Code("S204", "unnamed-item", "an item of an ordered list does not have exactly one name")

# values
WRONG_TYPE: Final = Code("S301", "wrong-type", "a value has the wrong type")
NOT_ONE_OF: Final = Code("S302", "not-one-of", "a value is not one of those allowed")
OUT_OF_RANGE: Final = Code("S303", "out-of-range", "a number or a list is too small or too large")
WRONG_FORM: Final = Code("S304", "wrong-form", "a text does not have the required form")
LISTED_TWICE: Final = Code("S305", "listed-twice", "an item appears twice in a list")

# steps and other tagged unions: one key says which variant of the union it is
UNKNOWN_VERB: Final = Code("S401", "unknown-verb", "a step, choice or criterion has an unknown key and no main key")
TWO_VERBS: Final = Code("S402", "two-verbs", "a step, choice or criterion has two main keys")
WRONG_ARGUMENT: Final = Code("S403", "wrong-argument", "a key belongs to another verb")
MISSING_VERB: Final = Code("S404", "missing-verb", "a step, choice or criterion has no main key")

# files of a game
MISSING_FILE: Final = Code("N001", "missing-file", "a file that the manifest lists does not exist")
UNREACHED_FILE: Final = Code("N002", "unreached-file", "a file in the game's folder that the manifest does not list")
OTHER_GAME: Final = Code("N003", "other-game", "a file belongs to another game")
FILE_TWICE: Final = Code("N004", "file-twice", "a file is listed twice, or two files have the same content")

# ids
DUPLICATE_ID: Final = Code("N011", "duplicate-id", "an id appears twice in one list")
DUPLICATE_SECTION: Final = Code("N012", "duplicate-section", "an ordered list stands in two files")
UNKNOWN_COMPONENT: Final = Code("N013", "unknown-component", "rows are given for a component that does not exist")

# sentences apart from their rules
SENTENCE_TWICE: Final = Code("N014", "sentence-twice", "a sentence stands at its rule and apart from it")
SENTENCE_OF_NOTHING: Final = Code("N015", "sentence-of-nothing", "a sentence of a rule that does not exist")
