"""What to write instead of a method of another language: `count(x)` for `x.length`.

In: the word behind a dot, and what is before it. Out: a text for the help line, or "" if there is nothing to suggest.
"""

from __future__ import annotations

from rulewright.expr.keywords import FUNCTIONS


def method_hint(name: str, owner: str) -> str:
    """For a method of another language, behind a dot: what does the same here; `owner` is what is before the dot."""
    word = name.lower().replace("_", "")
    if word in ("isempty", "empty"):
        return f"write `{owner} is empty`"
    if word in ("count", "len", "length", "size"):
        return f"write `count({owner})`"
    if word in ("contains", "includes", "has"):
        return f"write `… in {owner}`"
    return f"write `{word}({owner})`" if word in FUNCTIONS else ""
