"""The warnings about what an author has probably forgotten, and the mistakes in a file of statements."""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

UNUSED: Final = Code("N405", "unused", "an unused definition", "warning")
MISSPELLED_DECLARATION: Final = Code(
    "N441",
    "misspelled-declaration",
    "nothing uses a declared name, but a similar one that is not declared",
)
NO_SENTENCE: Final = Code("N421", "no-sentence", "a sentence is missing where similar rules have one", "warning")
NEVER_ENDS: Final = Code("N422", "never-ends", "a game, a turn or an action that never ends", "warning")
NEVER_SET: Final = Code("N424", "never-set", "a state that no step sets", "warning")
HELD_BY_NOTHING: Final = Code(
    "N426", "held-by-nothing", "a statement names neither a rule nor a reason for having none"
)
NO_SOURCE: Final = Code("N432", "no-source", "a rule that no statement names, of a game with statements", "warning")
ALL_SEATS: Final = Code(
    "N431", "all-players", "the places of all players together, where those of one seem to be meant", "warning"
)

ONLY_TAKES_IN: Final = Code(
    "N435", "only-takes-in", "pieces go to a zone that nothing reads and from which nothing comes back", "warning"
)

OTHER_NUMBER: Final = Code(
    "N449", "other-number", "a sentence says a number that its rule had, and has no longer", "warning"
)
PRINT_QUOTES: Final = Code(
    "N450", "print-quotes", "quotation marks of print around a whole sentence, or one mark without another", "warning"
)
OTHER_FORM: Final = Code(
    "N484",
    "other-form",
    "the word for one where there are more, the word for more where there is one, or another article",
    "warning",
)
OTHER_LANGUAGE: Final = Code(
    "N470", "other-language", "a sentence in another language than it is said to be", "warning"
)
CHANGES_NOTHING: Final = Code("N451", "changes-nothing", "a step after which all is as it was", "warning")
OTHER_WAY: Final = Code(
    "N452",
    "other-way",
    "a sentence that says the most for the fewest, winning for losing, one player for another, or the reverse",
    "warning",
)
NEVER_SET_BACK: Final = Code(
    "N453", "never-set-back", "a state that is said to be of a turn or a round, and that nothing sets back", "warning"
)
COUNTED_TWICE: Final = Code(
    "N454", "counted-twice", "a term of a sum, a number of `min` or a clause that says the same as another", "warning"
)
SWAPPED_BOUND: Final = Code(
    "N455", "swapped-bound", "`max` where `min` keeps a state within its type, or the reverse", "warning"
)
NO_TURN: Final = Code(
    "N459", "no-turn", "players who never have a turn, though rules say what is done in it", "warning"
)
ALWAYS_EMPTY: Final = Code(
    "N460", "always-empty", "a zone that begins empty, to which nothing ever comes, and which is needed", "warning"
)
NEVER_REACHED: Final = Code("N448", "never-reached", "a step after one that always ends the game", "warning")
ONE_SIDED: Final = Code(
    "N471", "one-sided", "an action that takes nothing of what it asks for, or pays for nothing", "warning"
)
READ_BEFORE_SET: Final = Code(
    "N472", "read-before-set", "a state that is used before any step has set it to a player, or rolled it", "warning"
)
PASSED_STRAIGHT_ON: Final = Code(
    "N473", "passed-straight-on", "a loop in which each passes on what the one before has just passed on", "warning"
)
SET_BACK_EARLY: Final = Code(
    "N474",
    "set-back-early",
    "a state of what is done once in the game that begins anew each turn or round",
    "warning",
)
OTHER_REASON: Final = Code(
    "N475", "other-reason", "a reason that shows something else than what its condition asks", "warning"
)
SAME_TWICE: Final = Code(
    "N476", "same-twice", "two choices that can be the same, where an action takes them as two", "warning"
)
LOOKED_ELSEWHERE: Final = Code(
    "N477", "looked-elsewhere", "the highest of one zone that is looked for in another", "warning"
)
OTHER_TERM: Final = Code(
    "N478", "other-term", "a term that is called like a zone or a state and counts another", "warning"
)
ONLY_ONESELF: Final = Code(
    "N481", "only-oneself", "a loop over all players that leaves one of them, who could be named", "warning"
)
OTHER_PLACE: Final = Code(
    "N482", "other-place", "a thing that goes to one place, where each begins where a field of it says", "warning"
)
ASKED_ONCE: Final = Code(
    "N483", "asked-once", "what is counted down by a step that is not repeated, and asked by nothing else", "warning"
)
OTHER_PLAYER: Final = Code(
    "N491",
    "other-player",
    "what counts in the ranking belongs to a player who is always the same, or never to who plays",
    "warning",
)
ASKED_TOO_LATE: Final = Code(
    "N492",
    "asked-too-late",
    "an end that is not asked because another one comes before it, though the game is decided by it",
    "warning",
)

LOOKS_AT_HIDDEN: Final = Code(
    "V401", "looks-at-hidden", "a condition or choice reveals hidden contents to the player that chooses", "warning"
)
GIVES_AWAY_HIDDEN: Final = Code(
    "V403",
    "gives-away-hidden",
    "options or reasons that tell two positions apart which look the same to the player that chooses",
    "warning",
)
SAYS_HIDDEN: Final = Code("V402", "says-hidden", "a reason prints what its reader may not see", "warning")
SHOWN_AT_ONCE: Final = Code(
    "V404", "shown-at-once", "a hidden place that is shown to everybody before anybody decides", "warning"
)
OPEN_SECRET: Final = Code(
    "V405", "open-secret", "what is done in secret by its sentence, and everybody sees at once", "warning"
)
SEEN_OTHERWISE: Final = Code(
    "V406",
    "seen-otherwise",
    "what is looked at, shown or guessed is seen by others than its sentence says",
    "warning",
)

# warnings about the base that a variant may cause: shown at its change, since the file they are about is right
BLAMED_WARNINGS: Final = frozenset(
    {UNUSED, ONLY_TAKES_IN, NEVER_ENDS, NO_TURN, NEVER_SET, NO_SENTENCE, LOOKS_AT_HIDDEN, SAYS_HIDDEN}
)
