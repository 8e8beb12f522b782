"""The complaints of the rule model: names that are declared twice, never, or not used; values that do not fit."""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

DUPLICATE_NAME: Final = Code("N401", "duplicate-name", "two definitions have the same name")
UNKNOWN_REFERENCE: Final = Code("N402", "unknown-reference", "a key names something that is not declared")
WRONG_KIND_OF_THING: Final = Code("N403", "wrong-kind-of-thing", "a key names something of the wrong sort")
CYCLE: Final = Code("N404", "cycle", "definitions depend on one another in a cycle")
UNKNOWN_ROW_FIELD: Final = Code("N406", "unknown-row-field", "a row has a field that its component does not declare")
MISSING_FIELD: Final = Code("N407", "missing-field", "a row lacks a field that its component declares")
NEEDS_A_TURN: Final = Code("N408", "needs-a-turn", "a rule that only works during a turn is used outside of one")
UNKNOWN_SOURCE: Final = Code("N409", "unknown-source", "a source cites a work that is not listed")
MISSING_SENTENCE: Final = Code("N410", "missing-sentence", "a sentence is not translated", "warning")
UNUSED_SENTENCE: Final = Code("N411", "unused-sentence", "a translation for an address that has no sentence")
HOLES_DIFFER: Final = Code("N412", "holes-differ", "a translation and its sentence have different holes")
TWO_TRANSLATIONS: Final = Code(
    "N413", "two-translations", "a sentence is translated in its own file and in a texts file"
)
PLURAL_FORMS: Final = Code("N414", "plural-forms", "a word has more forms than its language has")
PLAYERS: Final = Code("N415", "players", "a number of players that the game does not allow")
RESERVED_NAME: Final = Code("N416", "reserved-name", "a name is a reserved word")
MISSING_SECTION: Final = Code("N417", "missing-section", "a required section is missing")
NO_EFFECT: Final = Code("N418", "no-effect", "a key has no effect")
OFFERED_TWICE: Final = Code("N419", "offered-twice", "a step offers the same action more than once")
SAME_FOR_ALL: Final = Code("N423", "same-for-all", "a criterion of the ranking is the same for every player", "warning")
UNKNOWN_SECTION: Final = Code("N425", "unknown-section", "a source cites a section that its work does not list")
OUTSIDE_BLOCK: Final = Code("N433", "outside-block", "a variable of a block of steps is used outside of it")
PASSAGE_TITLE: Final = Code("N434", "passage-title", "a passage of the book gives a rule its title")
HOLE_IN_TITLE: Final = Code("N430", "hole-in-title", "a title has a hole, which is never filled")

WRONG_VALUE: Final = Code("T401", "wrong-value", "a value does not fit its declared type")
OUT_OF_BOUNDS: Final = Code("T402", "out-of-bounds", "a number is out of its bounds")
WRONG_MOVE: Final = Code("T403", "wrong-move", "a move connects places that hold different things")
WRONG_ZONE_KEY: Final = Code("T404", "wrong-zone-key", "the key of a zone, state or parameter is not a finite set")
NOT_CONSTANT: Final = Code("T405", "not-constant", "a value is not known before play begins")
NOT_A_CHOICE: Final = Code("T406", "not-a-choice", "a choice is among something that is not a set or bag")
MISSING_CASE: Final = Code("T407", "missing-case", "a table lacks a value for a member, or has an extra one")
TOO_MANY: Final = Code("T408", "too-many", "more places, members, rows or holes of sentences than the language allows")


BREAKS_RULES: Final = Code("O501", "breaks-rules", "a variant breaks rules that are valid without it")
REMOVED_BUT_USED: Final = Code("O502", "removed-but-used", "what a variant removes is still used")
