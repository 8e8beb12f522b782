"""What patterns of words find in the sentences of a rule, each in its own language.

In: patterns and sentences by language. Out: the words that are found. A sentence in a language for which there is no
pattern says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import ScalarNode

WORD: Final = lazy_pattern(r"[^\W\d_]+")
Patterns = Mapping[str, re.Pattern[str]]  # by language


def words_found(patterns: Patterns, texts: Mapping[str, ScalarNode], *, in_small: bool = False) -> str:
    """The first words that a pattern finds in a sentence; nothing where none does. `in_small`: in small letters."""
    for language, node in texts.items():
        if language in patterns:
            match = patterns[language].search(node.text.lower() if in_small else node.text)
            if match is not None:
                return match[0]
    return ""


def contrary_words(text: str, right: Iterable[re.Pattern[str]], wrong: Iterable[re.Pattern[str]]) -> str:
    """The first words of a sentence that say the contrary of what is right; nothing where others say what is right."""
    if any(pattern.search(text) for pattern in right):
        return ""
    matches = (pattern.search(text) for pattern in wrong)
    return next((match[0] for match in matches if match is not None), "")


def contrary_found(texts: Mapping[str, ScalarNode], right: Patterns, wrong: Patterns, unless: re.Pattern[str]) -> str:
    """The same of the first of several sentences that says the contrary, in small letters; `unless` it denies it."""
    for language, node in texts.items():
        if language in right and language in wrong:
            says = contrary_words(node.text.lower(), (right[language], unless), (wrong[language],))
            if says:
                return says.strip()
    return ""


__all__ = ["WORD", "Patterns", "contrary_found", "contrary_words", "words_found"]
