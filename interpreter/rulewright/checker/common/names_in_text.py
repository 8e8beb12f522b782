"""The words of a text of rules that can be names.

In: a text. Out: words.
"""

from __future__ import annotations

from typing import Final

from rulewright.lazy_pattern import lazy_pattern

NAME: Final = lazy_pattern(r"[a-z][a-z0-9_]*")


def find_names(text: str) -> list[str]:
    """The names of things, places, states … in an expression, a line or a message, in their order."""
    return NAME.findall(text)


__all__ = ["find_names"]
