"""The mistakes that an expression can have, each with its number and name.

In: nothing. Out: the codes. E: syntax; N: names; T: types.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

# ---- syntax ---------------------------------------------------------------------------------------------------

EMPTY_EXPRESSION: Final = Code("E301", "empty-expression", "An expression is empty.")
EXPRESSION_TOO_LONG: Final = Code("E302", "expression-too-long", "An expression has more than 2,000 characters.")
EXPRESSION_TOO_DEEP: Final = Code("E303", "expression-too-deep", "An expression is nested too deep.")
NUMBER_FORM: Final = Code("E304", "number-form", "A number is too long or starts with 0.")
STRAY_CHARACTER: Final = Code("E305", "stray-character", "A character is not part of the expression language.")
UNEXPECTED_WORD: Final = Code("E306", "unexpected-word", "A word or operator where another is expected.")
EARLY_END: Final = Code("E307", "early-end", "An expression is incomplete.")
SINGLE_EQUALS: Final = Code("E308", "single-equals", "`=` instead of `is`.")
FOREIGN_OPERATOR: Final = Code("E309", "foreign-operator", "An operator of another language, such as `==` or `&&`.")
CHAINED_COMPARISON: Final = Code("E310", "chained-comparison", "Comparisons are chained, as in `1 < x < 3`.")
QUOTED_WORD: Final = Code("E311", "quoted-word", "A word is in quotation marks.")
BRACKETS: Final = Code("E312", "brackets", "Brackets or braces instead of parentheses.")
DECIMAL_NUMBER: Final = Code("E313", "decimal-number", "A number is not whole.")
CAPITAL_LETTERS: Final = Code("E314", "capital-letters", "A name has capital letters.")
IF_WITHOUT_ELSE: Final = Code("E315", "if-without-else", "An `if` has no `else`.")
KEY_INSIDE: Final = Code("E316", "key-inside", "A key with its colon inside an expression.")
UNKNOWN_FUNCTION: Final = Code("E317", "unknown-function", "No function, zone, value or state has this name.")
ARGUMENT_COUNT: Final = Code("E318", "argument-count", "A function gets too few or too many arguments.")
UNBALANCED_BRACE: Final = Code("E319", "unbalanced-brace", "A brace in a sentence has no counterpart.")
PLURAL_WITHOUT_FORMS: Final = Code("E320", "plural-without-forms", "A plural hole has fewer than two forms.")
FORMER_SPELLING: Final = Code("E321", "former-spelling", "An expression is spelled as in version 1 of the language.")

# ---- names ----------------------------------------------------------------------------------------------------

UNKNOWN_NAME: Final = Code("N201", "unknown-name", "A name is not defined.")
WRONG_KIND_OF_NAME: Final = Code("N202", "wrong-kind-of-name", "A name refers to something of the wrong kind.")
UNKNOWN_FIELD: Final = Code("N203", "unknown-field", "A component has no such field, or a bag no such member.")
SHADOWING: Final = Code("N204", "shadowing", "A variable has a name that is already taken.")
NOT_AVAILABLE_HERE: Final = Code("N205", "not-available-here", "A name is defined, but not available here.")

# ---- types ----------------------------------------------------------------------------------------------------

TYPE_MISMATCH: Final = Code("T201", "type-mismatch", "A value has the wrong type.")
ARITHMETIC_ON_NON_NUMBER: Final = Code("T202", "arithmetic-on-non-number", "An operand is not a number.")
CONDITION_NOT_A_FLAG: Final = Code("T203", "condition-not-a-flag", "A condition is not true or false.")
UNLIKE_COMPARISON: Final = Code("T204", "unlike-comparison", "Two values of different types are compared.")
WRONG_INDEX: Final = Code("T205", "wrong-index", "A zone, value, state or parameter gets the wrong keys.")
OTHER_FAMILY: Final = Code("T206", "other-family", "Bags or sets of unrelated kinds are combined.")
OUTSIDE_KIND: Final = Code("T207", "outside-kind", "A member or number is not in the required kind.")
KIND_FOR_MEMBER: Final = Code("T208", "kind-for-member", "A whole kind or set where a single member is needed.")
CONSTANT_CONDITION: Final = Code("T209", "constant-condition", "A condition has only literals and never changes.")
NEVER_TRUE: Final = Code("T210", "never-true", "A condition never holds, by itself or with another.", "warning")
ALWAYS_TRUE: Final = Code("T211", "always-true", "A condition always holds, by itself or with another.", "warning")
BRANCHES_DIFFER: Final = Code("T212", "branches-differ", "The two outcomes of an `if` have different types.")
NOT_A_SET: Final = Code("T213", "not-a-set", "A loop over something that is not a set.")
NO_FIELDS: Final = Code("T214", "no-fields", "A value has no fields.")
FIELD_WITHOUT_TOTAL: Final = Code("T215", "field-without-total", "The field of a set cannot be added up.")
NEVER_IN_RANGE: Final = Code("T216", "never-in-range", "A number is never in the required range.")
NOT_KNOWN_BEFORE_PLAY: Final = Code("T217", "not-known-before-play", "A bound is not known before play.")
RANGE_UPSIDE_DOWN: Final = Code("T218", "range-upside-down", "A range ends before it starts.")
DIVISOR: Final = Code("T219", "divisor", "A divisor is not a constant above 0.")
NOT_ABOVE_ZERO: Final = Code("T220", "negative-lot", "A count is never above 0.")
NOT_A_PLACE: Final = Code("T221", "not-a-place", "A move's source or destination is not a zone.")
PLACE_NOT_WHOLE: Final = Code("T222", "place-not-whole", "A destination does not name a single place.")
NOT_AN_AMOUNT: Final = Code("T223", "not-an-amount", "An amount to move is not something that moves.")
RESULT_TOO_LARGE: Final = Code("T224", "result-too-large", "A number could become too large.")
TOO_COSTLY: Final = Code("T225", "too-costly", "An expression could take too many steps.")
ALL_OR_ONE: Final = Code(
    "T229", "all-or-one", "The name of a whole kind, where a variable with a similar name is probably meant.", "warning"
)
SAME_BRANCHES: Final = Code("T230", "same-branches", "Both outcomes of an `if` are the same.", "warning")
FLAG_IN_SENTENCE: Final = Code("T226", "flag-in-sentence", "A sentence prints a flag, which has no words.")
