"""The mistakes that an expression can hold, each with its number and name.

In: nothing. Out: the codes. E: how it is written; N: its names; T: what its parts are.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

# ---- how it is written ----------------------------------------------------------------------------------------

EMPTY_EXPRESSION: Final = Code("E301", "empty-expression", "An expression has nothing in it.")
EXPRESSION_TOO_LONG: Final = Code("E302", "expression-too-long", "An expression has more than 2,000 characters.")
EXPRESSION_TOO_DEEP: Final = Code("E303", "expression-too-deep", "An expression has too many parts inside one another.")
NUMBER_FORM: Final = Code("E304", "number-form", "A number is too long or starts with a zero.")
STRAY_CHARACTER: Final = Code("E305", "stray-character", "A character means nothing in an expression.")
UNEXPECTED_WORD: Final = Code("E306", "unexpected-word", "A word or sign stands where something else has to.")
EARLY_END: Final = Code("E307", "early-end", "An expression ends before it is complete.")
SINGLE_EQUALS: Final = Code("E308", "single-equals", "`=` stands where `is` is meant.")
FOREIGN_OPERATOR: Final = Code("E309", "foreign-operator", "An operator of another language, such as `==` or `&&`.")
CHAINED_COMPARISON: Final = Code("E310", "chained-comparison", "A comparison is compared again, as in `1 < x < 3`.")
QUOTED_WORD: Final = Code("E311", "quoted-word", "A word stands in quotation marks.")
BRACKETS: Final = Code("E312", "brackets", "Brackets or braces stand where parentheses are meant.")
DECIMAL_NUMBER: Final = Code("E313", "decimal-number", "A number has a fraction.")
CAPITAL_LETTERS: Final = Code("E314", "capital-letters", "A name has capital letters.")
IF_WITHOUT_ELSE: Final = Code("E315", "if-without-else", "An `if` does not say what holds otherwise.")
KEY_INSIDE: Final = Code("E316", "key-inside", "A key with its colon stands inside an expression.")
UNKNOWN_FUNCTION: Final = Code("E317", "unknown-function", "Something is asked of a function that there is not.")
ARGUMENT_COUNT: Final = Code("E318", "argument-count", "A function is given too few or too many arguments.")
UNBALANCED_BRACE: Final = Code("E319", "unbalanced-brace", "A brace in a sentence has no partner.")
PLURAL_WITHOUT_FORMS: Final = Code("E320", "plural-without-forms", "A plural hole has fewer than two forms.")

# ---- names ----------------------------------------------------------------------------------------------------

UNKNOWN_NAME: Final = Code("N201", "unknown-name", "A name stands for nothing.")
WRONG_KIND_OF_NAME: Final = Code(
    "N202", "wrong-kind-of-name", "A name stands for another sort of thing than is needed."
)
UNKNOWN_FIELD: Final = Code("N203", "unknown-field", "A thing has no such field.")
SHADOWING: Final = Code("N204", "shadowing", "A variable takes a name that stands for something already.")
NOT_AVAILABLE_HERE: Final = Code("N205", "not-available-here", "A name has a meaning elsewhere, but not at this place.")

# ---- what the parts are ---------------------------------------------------------------------------------------

TYPE_MISMATCH: Final = Code("T201", "type-mismatch", "A value is of another sort than its place needs.")
ARITHMETIC_ON_NON_NUMBER: Final = Code(
    "T202", "arithmetic-on-non-number", "Something that is no number is reckoned with."
)
CONDITION_NOT_A_FLAG: Final = Code(
    "T203", "condition-not-a-flag", "Something that is not true or false is a condition."
)
UNLIKE_COMPARISON: Final = Code("T204", "unlike-comparison", "Two values of different sorts are compared.")
WRONG_INDEX: Final = Code("T205", "wrong-index", "A place, value or table is asked with keys that are not its own.")
OTHER_FAMILY: Final = Code("T206", "other-family", "Bags or sets of things that never mix are put together.")
OUTSIDE_KIND: Final = Code("T207", "outside-kind", "A member or number lies outside the kind that is needed.")
KIND_FOR_MEMBER: Final = Code("T208", "kind-for-member", "A whole kind or set stands where one member is needed.")
CONSTANT_CONDITION: Final = Code("T209", "constant-condition", "A condition is written out and never changes.")
NEVER_TRUE: Final = Code("T210", "never-true", "A condition can never hold, by itself or beside another.", "warning")
ALWAYS_TRUE: Final = Code("T211", "always-true", "A condition always holds, by itself or beside another.", "warning")
BRANCHES_DIFFER: Final = Code("T212", "branches-differ", "The two outcomes of an `if` are of different sorts.")
NOT_A_SET: Final = Code("T213", "not-a-set", "Something that has no members is gone through.")
NO_FIELDS: Final = Code("T214", "no-fields", "A field is asked of something that has none.")
FIELD_WITHOUT_TOTAL: Final = Code("T215", "field-without-total", "A field that cannot be added up is asked of a set.")
NEVER_IN_RANGE: Final = Code("T216", "never-in-range", "A number is never inside the range that is needed.")
NOT_KNOWN_BEFORE_PLAY: Final = Code("T217", "not-known-before-play", "A bound is not known before the game.")
RANGE_UPSIDE_DOWN: Final = Code("T218", "range-upside-down", "A range ends before it starts.")
DIVISOR: Final = Code("T219", "divisor", "The number divided by is not a constant above 0.")
NEGATIVE_LOT: Final = Code("T220", "negative-lot", "So many of something is never above nothing.")
NOT_A_PLACE: Final = Code("T221", "not-a-place", "Something that is no zone stands where things move.")
PLACE_NOT_WHOLE: Final = Code("T222", "place-not-whole", "A place to move to, or to set, lacks a key.")
NOT_AN_AMOUNT: Final = Code("T223", "not-an-amount", "Something that cannot move is to be moved.")
RESULT_TOO_LARGE: Final = Code("T224", "result-too-large", "A number could grow beyond what is counted with.")
TOO_COSTLY: Final = Code("T225", "too-costly", "Working an expression out could take too many steps.")
ALL_OR_ONE: Final = Code(
    "T229", "all-or-one", "A name stands for all there are, where one of nearly that name was chosen.", "warning"
)
FLAG_IN_SENTENCE: Final = Code("T226", "flag-in-sentence", "A sentence is to print something that has no words.")
