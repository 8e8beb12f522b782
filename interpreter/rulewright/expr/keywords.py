"""The words of the expression language: keywords, built-in names and functions, and those that no rule may redefine.

In: nothing. Out: sets of words, for the checker and for the check of a game's ids.
"""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# never names; `grammar.lark` has the same list
KEYWORDS: Final = word_set(
    "and each else every first fits for has if in is last less no not of or some sum then to where"
)
BUILTINS: Final = word_set(
    "me opponent opponents others everyone nobody players first_player round_number nothing true false"
)
FUNCTIONS: Final = word_set("count min max only next everyone_from reversed possible")
TYPE_KEYWORDS: Final = frozenset({"flag"})
QUESTION_WORDS: Final = frozenset({"empty"})  # only after `is` and `is not`

RESERVED_NAMES: Final = (
    KEYWORDS | BUILTINS | FUNCTIONS | TYPE_KEYWORDS | QUESTION_WORDS
)  # none of them is an id of a game
