"""Can a change make a passage of the book untrue, or does it only happen near what the passage is about?

In: a passage, a change, the address that the passage is about. Out: yes or no. What is added beside others leaves what
is said of the others true, unless the passage lists them; a key with a subject of its own, like who sees a zone, only
touches passages that have a word of that subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.document.address import AddressParts
from rulewright.document.sentence_places import HOLE, TEXT_KEY
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, ScalarNode
from rulewright.variants.change import Change

OFFERS: Final = ("must", "may")
SUMS: Final = ("sum", "less")
CLAUSES: Final = "when"
RANKING: Final = "ranking"
EXAMPLE: Final = "example"
START: Final = "start"
LISTS_THEM: Final = lazy_pattern(r"\beither\b|\bou bien\b|\bsoit\b", re.IGNORECASE)


def _words(*patterns: str) -> re.Pattern[str]:
    return lazy_pattern(rf"\b(?:{'|'.join(patterns)})\b", re.IGNORECASE)


AMOUNTS: Final = _words(
    r"\d+", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "many", "more", "most",
    "few", "fewer", "less", "all", "any", "as", "exactly", "limit", "room", "full", "once", "twice", "again",
    "une?", "deux", "trois", "quatre", "cinq", "sept", "huit", "neuf", "dix", "plus", "moins", "tou[st]e?s?", "autant",
    "limite", "place", "fois",
)  # fmt: skip
SIGHT: Final = _words(
    "sees?", "seen", "knows?", "known", "secret", "hid\\w*", "open", "shows?", "shown", "looks?", "public",
    "voi\\w*", "vus?", "vues?", "conn\\w*", "secr\\w*", "cach\\w*", "montr\\w*", "visibles?",
)  # fmt: skip
SUBJECTS: Final[Mapping[str, re.Pattern[str]]] = {  # of keys of the rule language
    "end_game": _words("rounds?", "turns?", "once", "immediately", "tours?", "manches?", "aussitôt"),
    "winners": _words("wins?", "won", "winners?", "lose[sr]?", "lost", "draw", "gagn\\w*", "perd\\w*", "vainqueurs?"),
    "total": AMOUNTS,
    "at_most": AMOUNTS,
    "times": AMOUNTS,
    "if_unable": _words("can\\w*", "could", "unable", "nothing", "pass\\w*", "p[eo]u[tv]\\w*", "rien"),
    "seen_by": SIGHT,
    "forgets": SIGHT,
}


def can_touch(passage: MappingNode, change: Change, topic: AddressParts) -> bool:
    """Whether a change at or below the address that a passage is about can make it untrue."""
    if len(change.parts) <= len(topic):
        return True  # the very thing that it speaks of, or more
    below = change.parts[len(topic) :]
    texts = [*_texts(passage)]
    if change.operation in ("add", "insert"):
        if _is_beside_others(change):
            return any(map(LISTS_THEM.search, texts))
        role = passage.get("as")
        is_example = isinstance(role, ScalarNode) and role.text == EXAMPLE
        if is_example and len(below) == 2 and below[0] == CLAUSES:
            return False  # it shows a case in which the action can be taken
    subject = SUBJECTS.get(change.parts[-1])
    return subject is None or not texts or any(map(subject.search, texts))


def _texts(passage: MappingNode) -> Iterator[str]:
    """What a passage says; its holes count as numbers, as which most are printed."""
    text = passage.get(TEXT_KEY)
    for _, sentence in sentence_texts(text) if text is not None else ():
        yield HOLE.sub(" 0 ", sentence.text)


def _is_beside_others(change: Change) -> bool:
    """Whether something is added that changes nothing about what is there: another action that is offered, another term
    of a sum, another criterion of the ranking behind the first.
    """
    parts = change.parts
    if len(parts) > 2 and parts[-2] in (*OFFERS, *SUMS):
        return True
    anchor = change.anchor
    if parts[0] != RANKING or change.operation != "insert" or anchor is None:
        return False
    is_first = isinstance(anchor.value, ScalarNode) and anchor.value.text == START
    return not is_first and anchor.key.text != "before"


__all__ = ["can_touch"]
