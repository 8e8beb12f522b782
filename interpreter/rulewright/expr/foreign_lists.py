"""What was probably meant, where several values or a condition on them are written as other languages have it.

In: the spot where reading stops. Out: a `ParseError`, or None where none of these habits explains it.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.expr import codes
from rulewright.expr.foreign_habits import WORDS_FOR_WHERE
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.parse_spot import Spot
from rulewright.expr.syntax_tree import ParseError
from rulewright.lazy_pattern import lazy_pattern
from rulewright.suggestions import WordHint, did_you_mean

LISTED_BEHIND_IN: Final = lazy_pattern(r"(?<!\S)(\S+)\s+((?:not\s+)?in)\s*[\[(]([^\[\]()]*,[^\[\]()]*)[\])]")
BETWEEN: Final = lazy_pattern(
    r"(?<=[\w)]\s)(?:is\s+)?between\s+((?!and\b|or\b|is\b)\w.*?)\s+and\s+(\w+(?:\([^()]*\))?)"
)
QUESTION_OPENED: Final = lazy_pattern(r"\b(any|all|exists|some|every|none)\s*\(\s*([a-z_]\w*)\s+in\s+(.+?)\s*$")
QUESTION_WORDS: Final = {
    "any": "some",
    "exists": "some",
    "some": "some",
    "all": "every",
    "every": "every",
    "none": "no",
}
CONDITION_WORDS: Final = ("where", "has", "if", ":")
FILTERED: Final = lazy_pattern(r"([a-z_]\w*(?:\([^()]*\))?)\s+$")  # a place or value, before its `where`
PASSED_NAME: Final = lazy_pattern(r"[a-z_]\w*\((?:[^()]|\([^()]*\))*,\s*\(?[a-z_]\w*\)?\s*$")
LOOP_WORDS: Final = {"of": "in", "from": "in", "who": "where", "that": "where", "with": "where", "if": "where"}
BARE_LIST: Final = lazy_pattern(r"\s*\w+(?:\s*,\s*\w+)+\s*")
CONDITION_KEYWORDS: Final = ("has", "where")  # before what is asked of each that is gone through
CALL_OR_FIELD: Final = lazy_pattern(r"[a-z_]\w*[.(]")
EACH_BEFORE: Final = lazy_pattern(r"(?<!\w)each\s+[^:]*$")
NOT_BEFORE: Final = lazy_pattern(r"[\w)]\s+not\s+$")


def explain_listed_values(spot: Spot) -> ParseError | None:
    """`x in [1, 2]`: a set of single values."""
    for match in LISTED_BEHIND_IN.finditer(spot.text):
        if match.start(2) < spot.start < match.end():
            value, word, listed = match.groups()
            value = value if value.count("(") == value.count(")") else "…"
            items = [item.strip() for item in listed.split(",") if item.strip()]
            numbers = [int(item) for item in items if item.isdecimal() and len(item) < 5]
            if len(numbers) == len(items) and numbers == [*range(numbers[0], numbers[-1] + 1)]:
                hint = f"write `{word} {numbers[0]} to {numbers[-1]}`"
            else:
                joint, test = ("and", "is not") if word != "in" else ("or", "is")
                hint = f"write `{f' {joint} '.join(f'{value} {test} {item}' for item in items)}`"
            message = f"unexpected `{spot.word}`"
            return ParseError(codes.BRACKETS, spot.offsets, message, "no list of values", hint)
    return None


def explain_bare_list(spot: Spot) -> ParseError | None:
    """`4, 3, 2`: a list without its brackets."""
    if spot.word != "," or not BARE_LIST.fullmatch(spot.text):
        return None
    hint = f"a list has brackets: `[{', '.join(item.strip() for item in spot.text.split(','))}]`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `,`", "not expected", hint)


def explain_between(spot: Spot) -> ParseError | None:
    """`x between 1 and 3`: a range."""
    match = next((each for each in BETWEEN.finditer(spot.text) if each.start() <= spot.start < each.end()), None)
    if match is None:
        return None
    hint = f"write `in {match[1]} to {match[2]}`"
    return ParseError(codes.FOREIGN_OPERATOR, match.span(), "`between` is not an operator", "", hint)


def explain_question_in_call(spot: Spot) -> ParseError | None:
    """`any(x in places where …)`: a question about many."""
    call = QUESTION_OPENED.search(spot.text, 0, spot.start) if spot.word in CONDITION_WORDS else None
    if call is None:
        return None
    end = spot.text.rfind(")", spot.offsets[1])
    condition = spot.text[spot.offsets[1] : end if end >= 0 else None].strip()
    hint = f"write `{QUESTION_WORDS[call[1]]} {call[2]} in {call[3]} has {condition}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "in a call", hint)


def explain_filter(spot: Spot) -> ParseError | None:
    """`hand(me) where …`: a filter needs an `each`, and a name for the one that is asked about."""
    filtered = FILTERED.search(spot.text, 0, spot.start) if spot.word == "where" else None
    if filtered is None or not filtered[1].endswith(")"):
        return None
    hint = f"write `each one in {filtered[1]} where …`, and in the condition `one` for what is asked about"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `where`", "nothing to filter", hint)


def explain_loop_word(spot: Spot) -> ParseError | None:
    """`card of hand`, `player who …`: what is gone through, where nothing but that can stand."""
    meant = LOOP_WORDS.get(spot.word, "") if spot.expected == {"in", "where", "$END"} else ""
    if not meant:
        return None
    hint = WordHint(f"write `{meant}`", spot.word, meant)
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)


def explain_arrow(spot: Spot) -> ParseError | None:
    """`any(places, x => …)`: a function that is passed to another."""
    is_arrow = spot.text.startswith(("=>", "->"), spot.start) and PASSED_NAME.search(spot.text, 0, spot.start)
    if not is_arrow:  # else it is a comparison
        return None
    hint = "to go through many, write `some … in … has …`, `every … in … has …` or `each … in … where …`"
    offsets = spot.start, spot.start + 2
    return ParseError(codes.FOREIGN_OPERATOR, offsets, f"`{spot.text[slice(*offsets)]}` is not an operator", "", hint)


def explain_lone_not(spot: Spot) -> ParseError | None:
    """`x not 3`: a comparison without its `is`."""
    if spot.expected != {"in"} or spot.word in KEYWORDS or NOT_BEFORE.search(spot.text, 0, spot.start) is None:
        return None
    hint = f"write `is not {spot.word}`, or `not in …`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)


def explain_missing_has(spot: Spot) -> ParseError | None:
    """`every card in hand card.cost > 2`: what is gone through and the condition, and nothing between them."""
    is_name = spot.word.isidentifier() and spot.word not in KEYWORDS
    keywords = [token for token in spot.expected if token.islower()]
    word = next((word for word in CONDITION_KEYWORDS if word in keywords), "")
    if not is_name or not word or did_you_mean(spot.word, keywords):
        return None
    rest = spot.text[spot.start :]
    is_question = re.search(rf"\b{word}\b", rest) is None and (word == "has" or CALL_OR_FIELD.match(rest) is not None)
    is_other_word = spot.word in WORDS_FOR_WHERE
    if not is_question or is_other_word or (word == "where" and EACH_BEFORE.search(spot.text, 0, spot.start) is None):
        return None
    hint = f"put `{word}` before `{spot.word}`, where the condition begins"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)


__all__ = [
    "explain_arrow",
    "explain_bare_list",
    "explain_between",
    "explain_filter",
    "explain_listed_values",
    "explain_lone_not",
    "explain_loop_word",
    "explain_missing_has",
    "explain_question_in_call",
]
