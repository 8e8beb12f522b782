"""Names as words, and texts with another first letter.

In: a name or a text. Out: a text.
"""

from __future__ import annotations


def humanize(name: str) -> str:
    """A name of the rules as words: `last_round` is `last round`."""
    return name.replace("_", " ")


def lower_first(title: str) -> str:
    """A title inside a sentence; one in capitals stays as it is."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def upper_first(text: str) -> str:
    """A text at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def is_same_text(text: str, other: str) -> bool:
    """Whether two texts differ in capitals and the full stop at most."""
    return text.rstrip(".").casefold() == other.rstrip(".").casefold()


__all__ = ["humanize", "is_same_text", "lower_first", "upper_first"]
