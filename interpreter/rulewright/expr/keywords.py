"""The words of the language: which of them stand for something by themselves, and which no rule may take as a name.

In: nothing. Out: sets of words, used by the checker and by whoever checks the ids of a game.
"""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# the grammar holds the same list; these are never names
KEYWORDS: Final = word_set("and each else every fits for has if in is less no not of or some sum then to where")
BUILTINS: Final = word_set(
    "me opponent opponents others everyone nobody players first_player round_number empty nothing true false"
)
FUNCTIONS: Final = word_set("count min max first next reversed possible")
TYPE_KEYWORDS: Final = frozenset({"flag"})

RESERVED_NAMES: Final = (
    KEYWORDS | BUILTINS | FUNCTIONS | TYPE_KEYWORDS
)  # no id that an expression can name may be one of these
