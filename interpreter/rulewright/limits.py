"""The limits of everything: sizes of files, lengths of lists, steps of evaluation, characters that are shown.

In: nothing. Out: numbers. Rule files, records and protocol lines come from strangers, so every size that they decide
has a limit here; what is over it is rejected with a message that names the limit.
"""

from __future__ import annotations

from typing import Final

# Reading a rule file
MAX_FILE_BYTES: Final = 2 * 1024 * 1024
MAX_NODES: Final = 200_000
MAX_SIBLINGS: Final = 6_000  # entries of one mapping, items of one list: more than there are rows in any game
MAX_TEXT_ERRORS: Final = 5_000  # of one file; what is behind them is not read
MAX_NESTING: Final = 40  # mappings and lists inside one another; the deepest shipped rule needs about ten
MAX_KEY_LENGTH: Final = 1024
MAX_RETRACED_CHARACTERS: Final = 100_000  # of a text over several lines in which each character has its place
MAX_DIGITS: Final = 15  # of a number; exact also in readers that use floating point
MAX_REMEMBERED_WORDS: Final = 200_000  # of actions that generated Python has listed for some numbers
MAX_REMEMBERED_FILES: Final = 128  # kept as they were read, should they be read again
MAX_REMEMBERED_ADJUSTMENTS: Final = 32  # of games to numbers of players
MAX_REMEMBERED_NODES: Final = 4_096  # of rules, with what was found in each
MAX_REMEMBERED_HEADS: Final = 4_096  # of variant files, a few names each; folders with variants
MAX_REMEMBERED_CHARACTERS: Final = 32_768  # of such a file
MAX_REMEMBERED_LARGE_FILES: Final = 2  # beside them, with more characters
MAX_LARGE_CHARACTERS: Final = 262_144  # of such a large file
MAX_REMEMBERED_SEARCHES: Final = 16  # for causes, which are searched for at each number of players
MAX_KEPT_TREES: Final = 4_096  # of expressions, from one process to the next
MAX_REMEMBERED_READINGS: Final = 16_384  # expressions and sentences that were read without a problem
MAX_REMEMBERED_SECTIONS: Final = 1_024  # of games: their digests
MAX_REMEMBERED_SYMBOLS: Final = 16  # different declarations of one name; those asked for last stay
MAX_MENDED_CHARACTERS: Final = 262_144  # of a file that is read without what has a wrong shape in it

# The files of a game
MAX_GAME_BYTES: Final = 4 * 1024 * 1024
MAX_PARENT_FOLDERS: Final = 3  # above a file, in which the game that it belongs to is looked for
MAX_CHECKED_FILES: Final = 2_000  # by one check, in all folders that it is asked for
MAX_FOLDER_DEPTH: Final = 40  # folders inside one another, below the one that is named
MAX_SIBLING_FILES: Final = 1000  # files that are compared with a misspelled file name
MAX_LISTED_FILES: Final = 100  # files or translations in a manifest
MAX_DECLARED_MEMBERS: Final = 1000  # members of a kind
MAX_CLAUSES: Final = 100  # of an action or an offer; terms of a value
MAX_ROWS: Final = 5000  # of all components
MAX_SECTION_ENTRIES: Final = 500
MAX_ACTIONS: Final = 150  # one inside another in a program; Python goes no deeper
MAX_RULE_STEPS: Final = 2000  # in all
MAX_EXPRESSIONS: Final = 4_000  # in all, outside of rows and sentences
MAX_EXPRESSION_CHARACTERS: Final = 100_000  # of these together
MAX_SENTENCE_CHARACTERS: Final = 50_000  # of one sentence, in one language: several sheets of print
MAX_COMPARED_CHARACTERS: Final = 2_000  # of a sentence whose words are compared with its rule: a page of print
MAX_SENTENCE_HOLES: Final = 100  # of one sentence, in one language
MAX_HOLES: Final = 10_000  # of all sentences, in all languages

# Variants
MAX_VARIANT_CHANGES: Final = 2000
MAX_PLAYER_DIGITS: Final = 9  # of a number of players
MAX_TOTAL_CHANGES: Final = 5000  # by all variants of a game together
MAX_VARIANTS: Final = 100  # applied to a game at once, `--set` included
MAX_BLAME_NODES: Final = 20_000  # read again while looking for the change that is at fault
MAX_LEFT_OUT: Final = 12  # changes, one by one, while looking for it
MAX_BLAMED_SPANS: Final = 4  # listed for one faulty change

# The model of the rules
MAX_PLAYERS: Final = 20
MAX_MEMBERS: Final = 1000
MAX_TOTAL_MEMBERS: Final = 10_000  # members of all kinds together
MAX_PLACE_PIECES: Final = 1000  # assumed in a place with no other bound
MAX_PLACES: Final = 20_000
MAX_CHOICES: Final = 12  # of one action
MAX_STEP_VARIABLES: Final = 16  # bound around a step
MAX_DEFINITION_DEPTH: Final = 30  # definitions that each need the next
MAX_ACTION_DEPTH: Final = 20  # actions whose legality depends on one another's
MAX_EXPRESSION_STEPS: Final = 1_000_000
MAX_SHARED_PARTS: Final = 64  # of one expression, that are counted once in its loops
MAX_KEY_PARTS: Final = 400  # by which parts of expressions are compared
MAX_RANGE_MEMBERS: Final = 1000  # of a kind
MAX_BOUND_VARIABLES: Final = 32  # in scope at one point, choices and loops included
MAX_EXPRESSION_LENGTH: Final = 2000
MAX_PATH_LENGTH: Final = 10_000  # of a path that is not there, to look for others like it
MAX_SETTING_LENGTH: Final = 100_000  # of a parameter's values on the command line
MAX_EXPRESSION_DEPTH: Final = 60  # far below Python's own recursion limit
MAX_ROUNDS: Final = 1_000_000
MAX_NUMBER_DIGITS: Final = 9
MAX_NUMBER: Final = 10**12  # above every sensible count, far below a 64-bit word

# Play
MAX_WORK: Final = 20_000_000  # evaluation steps for one list of legal actions, and between two decisions
ANSWER_COST: Final = 20  # evaluation steps that take as long as looking at one answer
SKIP_COST: Final = 4  # evaluation steps that take as long as a move takes for each thing that it leaves in place
MAX_AUTOMATIC_STEPS: Final = 10_000  # between two decisions or chance events: more is an endless loop
MAX_WAITING_TURNS: Final = 256  # extra turns that were granted and have not begun
MAX_ANSWERS: Final = 100_000
MAX_EXPLAINED_COMPLETIONS: Final = 2_000  # completions of a partial action that are tried
MAX_REASON_ANSWERS: Final = 12  # possible answers to a choice that a reason lists
MAX_DEAL_ATTEMPTS: Final = 200
TRIAL_GAMES: Final = 12  # random games that are played on from a position from outside, each for
TRIAL_MOVES: Final = 60  # decisions and chance events, together listing
MAX_TRIAL_ACTIONS: Final = 6_000  # legal actions
MAX_POSITION_VALUES: Final = 60_000  # in a saved position: objects, lists and what they hold
MAX_ACTION_LENGTH: Final = 10_000  # characters of an action in notation; values in its JSON form
MAX_SHORTHAND_LENGTH: Final = 1000
MAX_SHORTHAND_WORDS: Final = 64
MAX_NAME_WORDS: Final = 4  # words that can form one name
MAX_SCENARIO_STEPS: Final = 1_000  # decisions and chance events before the turn that a scenario starts in
MAX_SEED: Final = (1 << 64) - 1

# Bots and simulations
MAX_SEARCH_BUDGET: Final = 1_000_000  # playouts, and milliseconds
DEFAULT_PLAYOUTS: Final = 200  # before each choice, where nobody says how many
MAX_CHANCE_POSITIONS: Final = 20_000  # that are followed at once where all outcomes are counted
MAX_EVALUATED_ACTIONS: Final = 500  # that a bot evaluates; of more it draws a sample
MAX_CACHED_VALUES: Final = 50_000
MAX_LOGIT: Final = 30.0  # beyond it a win is as good as certain
MAX_SECRET_OPTIONS: Final = 10_000  # of one seat
MAX_PERMUTED_SEATS: Final = 4  # seats up to which every order is played; with more the bots move round
MAX_GAME_TURNS: Final = 2000  # after which a game is given up, unless told otherwise
MAX_DECISIONS_PER_TURN: Final = 20  # on average; a game with more would never get to its next turn
MAX_CHUNK_GAMES: Final = 4096  # handed to a process at once
MAX_GAMES: Final = 10_000_000
MAX_ROW_BYTES: Final = 1 << 20

# Records, positions and protocol lines from outside
MAX_RECORD_BYTES: Final = 64 * 1024 * 1024
MAX_RECORD_LINE_BYTES: Final = 8 * 1024 * 1024
MAX_RECORD_LINES: Final = 200_000
MAX_RECORD_NUMBER: Final = 10**9  # any number of a record but its seed
MAX_RECORD_PLAYERS: Final = 100  # and the highest seat of a record; `MAX_PLAYERS` holds when its rules are read
MAX_RECORD_PLACES: Final = 100  # places or winners in a record's result
MAX_RECORD_TEXT: Final = 1000  # characters of a name or outcome
MAX_RECORD_NAMES: Final = 1000  # of variants, seats or addresses in one list
MAX_QUOTED_RECORD: Final = 200  # characters of what a record says, in a message
MAX_QUOTED_KEY: Final = 40  # characters of an unknown key
MAX_QUOTED_VERSION: Final = 20  # characters of an unknown version
MAX_QUOTED_JSON_ERROR: Final = 100  # characters of what the JSON parser says
MAX_JSON_NESTING: Final = 60  # lists and objects inside one another
MAX_REPLAYED_ACTIONS: Final = 1_000_000  # undone and redone, in all
MAX_POSITION_BYTES: Final = 16 * 1024 * 1024
MAX_REQUEST_BYTES: Final = 4 * 1024 * 1024
MAX_REQUEST_VALUES: Final = 250_000  # in a line, counted by its commas and brackets outside of texts before it is read
MAX_PROTOCOL_INTEGER: Final = 1e20  # far above every limit of a request
MAX_ID_LENGTH: Final = 200  # of a request's id, which is echoed
MAX_ANSWERED_DIAGNOSTICS: Final = 50
MAX_CACHED_ENGINES: Final = 16  # for further games
MAX_MESSAGE_LENGTH: Final = 1000

# Diagnostics
MAX_DIAGNOSTICS: Final = 500
MAX_CAUSES: Final = 100  # diagnostics from which others are taken to follow
MAX_VIOLATIONS: Final = 2_000  # of the schema of one file that are looked for
MAX_ALLOWANCES: Final = 1_000  # of one file
MAX_SEARCHED_HINTS: Final = 100  # hints that need a search among many names
MAX_COMPARED_LENGTH: Final = 200  # characters of a name that is compared with others
MAX_COMPARED_FIELDS: Final = 2_000  # pairs of a key of a row and a field, of one component
MAX_COMPARED_NAMES: Final = 60  # up to so many names are compared letter by letter
MAX_LISTED_NAMES: Final = 12
MAX_EXPECTED_NAMES: Final = 100  # of what could be somewhere, for other programs; how many there are is said besides
MAX_MIXED_NAMES: Final = 10
MAX_SOURCE_LINE: Final = 160  # characters of a source line
MAX_QUOTED_IN_HINT: Final = 40  # characters
MAX_QUOTED_VALUE: Final = 40  # characters
MAX_QUOTED_EXPRESSION: Final = 80  # characters
MAX_QUOTED_WORD: Final = 24  # characters of a key or word of a broken file
MAX_QUOTED_ORIGINAL: Final = 40  # characters
MAX_AMBIGUOUS_CANDIDATES: Final = 4
MAX_CLAIM_ITEMS: Final = 12

# On the terminal
MIN_COLUMNS: Final = 40
MIN_SCREEN_LINES: Final = 12
UNLIMITED_COLUMNS: Final = 10_000  # lines are already broken where they should be
UNLIMITED_LINES: Final = 10_000  # of a menu that may be as long as it likes
MIN_MENU_LINES: Final = 4  # however small the screen
MAX_LISTED_ACTIONS: Final = 60
MAX_LISTED_ANSWERS: Final = 12
MAX_NAMED_THINGS: Final = 4  # of a place that are drawn in full where room is scarce
MAX_MOVED_THINGS: Final = 8
MAX_QUOTED_NAME: Final = 60  # characters
MAX_LISTED_CHANGES: Final = 12
MAX_ADDRESS_LENGTH: Final = 1000
MAX_SHOWN_LINES: Final = 30  # a longer rule is shown in parts
MAX_SHOWN_VALUE: Final = 40  # characters

# In tables, pictures and rulebooks
MAX_LISTED_SEEDS: Final = 5
MAX_BARS: Final = 60
MAX_LABEL_WIDTH: Final = 110.0  # beside an arrow
MAX_PLAN_SLOTS: Final = 9  # drawn in a row
MAX_PHRASE_LENGTH: Final = 360  # characters of an expression in words
MAX_LABEL_LENGTH: Final = 60  # characters of a sentence that can serve as a label
MAX_NARROW_CELL: Final = 24  # characters of a cell that has room beside others on a telephone
MAX_NARROW_COLUMNS: Final = 7  # that a telephone has room for
MAX_INDEX_SECTIONS: Final = 6  # that an index entry links to
MAX_THING_ROWS: Final = 12  # of a component that is listed thing by thing
MAX_SORTING_MEMBERS: Final = 8
MAX_LISTED_PLACES: Final = 12  # of a zone that are listed one by one
MAX_NAMED_MEMBERS: Final = 6  # that are listed one by one
