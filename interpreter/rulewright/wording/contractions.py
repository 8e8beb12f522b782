"""How a word and the one behind it become one: `de` and `le` are `du`.

In: a text with a hole at its end, what fills the hole, a locale. Out: both, put together. Only what the program itself
puts together is contracted, never a sentence of a game, which its author has written as it should be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

CONTRACTIONS: Final[Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]] = {
    "fr": (
        (re.compile(r"\b([Dd])e \0le "), r"\1u "),
        (re.compile(r"\b([Dd])e \0les "), r"\1es "),
        (re.compile(r"(?<!\w)à \0le "), "au "),
        (re.compile(r"(?<!\w)à \0les "), "aux "),
        (re.compile(r"\b([DdQq]u?)e \0(?=[aeiouéèêhy])(?!h)"), r"\1'"),
        (re.compile(r"\b([Ss])i \0(?=ils? )"), r"\1'"),
    )
}


def contract(before: str, value: str, locale: str) -> str:
    """The text before a hole with the value behind it."""
    joined = f"{before}\0{value}"
    for pattern, replacement in CONTRACTIONS.get(locale, ()):
        joined = pattern.sub(replacement, joined)
    return joined.replace("\0", "")


__all__ = ["contract"]
