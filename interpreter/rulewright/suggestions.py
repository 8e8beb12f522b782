"""What a misspelled name was probably meant to be, and which names there are.

In: a name, and the names that are known. Out: hints for a diagnostic: `did you mean `hand`?`, `zones: hand, pile`.
"""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Callable, Iterable
from typing import Final

from rulewright import limits

SIMILARITY: Final = 0.6  # share of the letters of two names that has to agree


def join_hints(*hints: str) -> str:
    """Several hints on one line; empty ones are left out."""
    return "; ".join(filter(None, hints)).replace("?; ", "? ")


def join_list(words: Iterable[str], conjunction: str) -> str:
    """`a, b or c`: at least one word."""
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The hint `did you mean …?` when one of the names is close, else the empty string."""
    closest = closest_name(name, names)
    return f"did you mean `{closest}`?" if closest else ""


def closest_name(name: str, names: Iterable[str]) -> str:
    """The most similar of the names; the empty string when none is similar enough."""
    if len(name) > limits.MAX_COMPARED_LENGTH:
        return ""
    candidates = [candidate for candidate in names if len(candidate) <= limits.MAX_COMPARED_LENGTH]
    if len(candidates) > limits.MAX_COMPARED_NAMES:
        candidates = _likely(name, candidates)
    matches = difflib.get_close_matches(name, candidates, 1, SIMILARITY)
    return matches[0] if matches else ""


def _likely(name: str, candidates: list[str]) -> list[str]:
    """The candidates of similar length that have most in common with `name` at both ends: a full comparison is slow."""
    # outside these lengths too few letters can agree
    shortest, longest = len(name) * SIMILARITY / (2 - SIMILARITY), len(name) * (2 - SIMILARITY) / SIMILARITY
    first, last = name[:1], name[-1:]
    plausible = [
        candidate
        for candidate in candidates
        if shortest <= len(candidate) <= longest and (candidate[:1] == first or candidate[-1:] == last)
    ]
    ends = [(name[:size], name[-size:], size) for size in (1, 2, 4, 8)]

    def distance(candidate: str) -> tuple[int, int]:
        differences = sum((candidate[:size] != start) + (candidate[-size:] != end) for start, end, size in ends)
        return differences, abs(len(candidate) - len(name))

    return heapq.nsmallest(limits.MAX_COMPARED_NAMES, plausible, key=distance)


def list_names(heading: str, names: Iterable[str]) -> str:
    """`fields: a, b, c`; a long list is cut after `limits.MAX_LISTED_NAMES`."""
    listed = list(names)
    more = f", … ({len(listed)} in all)" if len(listed) > limits.MAX_LISTED_NAMES else ""
    return f"{heading}: {', '.join(listed[: limits.MAX_LISTED_NAMES])}{more}" if listed else f"{heading}: none"


def unknown_name_hint(name: str, heading: str, names: Iterable[str]) -> Callable[[], str]:
    """The hint for an unknown name: the closest known one and a list of all; computed only when it is shown."""

    def hint() -> str:
        known = list(names)
        return join_hints(did_you_mean(name, known), list_names(heading, known))

    return hint


__all__ = ["closest_name", "did_you_mean", "join_hints", "join_list", "list_names", "unknown_name_hint"]
