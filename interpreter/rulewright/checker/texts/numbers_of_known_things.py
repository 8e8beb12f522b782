"""Does a number of a sentence count what is known already, rather than what its rule asks for or does?

In: what stands before a number and behind it. Out: yes or no. "The other two", "one of the four corners", "the two of
you" and "but for the last two" say of which things a sentence speaks; "three times three" and "half past nine" say
another number, or none of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from re import Pattern
from typing import Final

from rulewright.lazy_pattern import lazy_pattern

BEFORE: Final[Mapping[str, Pattern[str]]] = {
    "en": lazy_pattern(
        r"(?i)(?:\bother|\bof (?:the|these|those|his|her|its|their|your|my|our)(?: \w+)?|\bthe one or|\bpast|\btimes"
        r"|\b(?:but|except|save)(?: for| in)? the (?:last|first))$"
    ),
    "fr": lazy_pattern(
        r"(?i)(?:\bautres|\b(?:un|une|chacun|chacune|aucun|aucune|quelconque) (?:des|de ces|de ses|de leurs|de vos)"
        r"|\b(?:vous|nous|eux|elles|tous(?: les)?|toutes(?: les)?)"  # "vous deux", "tous les deux"
        r"|\bfois|\b(?:sauf|excepté|hormis)(?: pour| dans| à)? (?:les|aux)(?: dernière?s| première?s)?)$"
    ),
}
BEHIND: Final[Mapping[str, Pattern[str]]] = {
    "en": lazy_pattern(
        r"(?i)^(?: of (?:you|us)\b| just\b| times (?:as|the|\d|two|three|four|five|six|seven|eight|nine|ten)| o'clock\b"
        r"| (?:twos|threes|fours|fives|sixes|sevens|eights|nines|tens)\b)"
    ),
    "fr": lazy_pattern(
        r"(?i)^(?: autres\b| fois (?:\d|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|plus|moins)"
        r"| d'entre (?:vous|nous|eux|elles)\b)"
    ),
}


def counts_known_things(language: str, before: str, behind: str) -> bool:
    """Whether the words beside a number say so."""
    sides = ((BEFORE, before.rstrip()), (BEHIND, behind))
    return any(language in words and words[language].search(side) is not None for words, side in sides)


__all__ = ["counts_known_things"]
