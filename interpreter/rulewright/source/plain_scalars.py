"""What an unquoted word of a rule file is: a flag, a whole number or text; and which words are ambiguous.

In: the text of a plain scalar. Out: its value, and a `ScalarProblem` when other YAML readers take it for something
else. Only `true` and `false` are flags and only decimal numbers without leading zeros are numbers; all else is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Code
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source import codes
from rulewright.source.nodes import ScalarNode, ScalarValue
from rulewright.suggestions import WordHint

# one group per kind of word; a word that matches none is text
SCALAR_KIND_PATTERN: Final = lazy_pattern(
    r"""
      (?P<flag> true | false )
    | (?P<number> 0 | -?[1-9][0-9]* )
    | (?P<like_flag> (?i: yes | no | on | off | true | false ) )
    | (?P<like_nothing> ~ | (?i: null ) )
    | (?P<like_date> [0-9]{4}-[0-9]{1,2}-[0-9]{1,2} (?: [Tt\x20\t] .* )? )
    | (?P<like_time> [-+]?[0-9][0-9_]* (?: :[0-5]?[0-9] )+ (?: \.[0-9_]* )? )
    | (?P<like_base> [-+]?0 (?: [xX][0-9a-fA-F_]+ | [bB][01_]+ | [oO][0-7_]+ ) )
    | (?P<like_number> [-+]?[0-9][0-9_]* )
    | (?P<like_fraction> [-+]? (?: [0-9][0-9_]*\.[0-9_]* | \.[0-9][0-9_]* ) (?: [eE][-+]?[0-9]+ )?
        | [-+]?[0-9]+[eE][-+]?[0-9]+ | [-+]?\.(?i: inf ) | \.(?i: nan ) )
    """,
    re.VERBOSE,
)
FIRST_CHARACTERS: Final = frozenset("0123456789-+.~tTfFyYnNoO")  # any other word is text
TRUE_WORDS: Final = frozenset({"yes", "on", "true"})
DECIMAL_NUMBER: Final = lazy_pattern(r"[-+]?[0-9]+\.[0-9]+")
INCOMPLETE_END: Final = lazy_pattern(r"(?:[-+*/%<>=(,]|\b(?:and|or|not|less|where|in|of|has|is|to|from))\Z")

# Characters that a reader of the file cannot see: control characters, unusual line ends, surrogates, a byte-order mark
# in the middle, zero-width spaces, soft hyphens (joiners such as U+200D are spelling in some scripts), and the marks
# that reverse the direction of text, with which a rule can look like one thing and mean another.
INVISIBLE_CHARACTER: Final = lazy_pattern(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
    "\u202a-\u202e\u2060-\u2064\u2066-\u2069]|\r(?!\n)"
)


class ErrorNode(ScalarNode):
    """A scalar that has been reported: nothing else about its type or text is reported."""

    __slots__ = ()


@frozen
class ScalarProblem:
    """Why a word cannot be written without quotes."""

    code: Code
    message: str
    help: str


def scalar_kind(word: str) -> str | None:
    """The group of `SCALAR_KIND_PATTERN` that a plain scalar matches; None for text."""
    if not word or word[0] not in FIRST_CHARACTERS:
        return None
    match = SCALAR_KIND_PATTERN.fullmatch(word)
    return match.lastgroup if match else None


def scalar_value(kind: str, word: str) -> ScalarValue:
    """The value of a plain scalar of that kind."""
    return word == "true" if kind == "flag" else int(word) if kind == "number" else word


def find_scalar_problem(kind: str, word: str, key: str = "") -> ScalarProblem | None:
    """What is wrong with a plain scalar of that kind, the value of `key`; None when it is unambiguous."""
    if kind == "flag" or (kind == "number" and len(word) <= limits.MAX_DIGITS):
        return None
    if kind == "number":
        message = f"number of {len(word.lstrip('-'))} digits is over the limit of {limits.MAX_DIGITS}"
        return ScalarProblem(codes.NUMBER_TOO_LARGE, message, "use a smaller number, or put it in quotes as text")
    if DECIMAL_NUMBER.fullmatch(word):
        if key == "version":
            hint = f"a version has three numbers: `{word}.0`"
            return ScalarProblem(codes.YAML_SURPRISE, f"`{word}` is not a version", hint)
        hint = "rules use whole numbers" if key in NUMBER_KEYS else f"rules use whole numbers; {QUOTE_HINT}"
        return ScalarProblem(codes.YAML_SURPRISE, f"`{word}` is not a whole number", hint)
    other_reading, hint_for = AMBIGUOUS_KINDS[kind]
    message = f"ambiguous `{word}`: other YAML readers take it for {other_reading}"
    hint = hint_for(word) if callable(hint_for) else hint_for
    return ScalarProblem(codes.YAML_SURPRISE, message, _hint_for_number(kind, word, hint, key))


def _hint_for_number(kind: str, word: str, hint: str, key: str) -> str:
    """The hint without quotation marks where only a number can stand."""
    if key not in NUMBER_KEYS:
        return hint
    if kind == "like_date":
        return WordHint(f"`{key}` is a whole number: write `{word[:YEAR_LENGTH]}`", word, word[:YEAR_LENGTH])
    number = WRITTEN_NUMBER.match(hint)
    if number is None:
        return f"`{key}` is a whole number"
    return WordHint(f"write `{number[1]}`", word, number[1])


def _flag_hint(word: str) -> str:
    flag = "true" if word.lower() in TRUE_WORDS else "false"
    return f'write `{flag}` for the flag, or quote it as a word: `"{word}"`'


def _number_hint(word: str) -> str:
    digits = word.replace("_", "")
    sign = "-" if digits.startswith("-") else ""
    significant = digits.lstrip("+-").lstrip("0")
    return f"write `{sign + significant if significant else 0}`, or put it in quotes as text"


def _base_hint(word: str) -> str:
    return f"write `{int(word.replace('_', ''), 0)}`, or {QUOTE_HINT}" if len(word) < MAX_OTHER_BASE else QUOTE_HINT


def _fraction_hint(word: str) -> str:
    whole = WHOLE_WITH_EXPONENT.fullmatch(word)
    if whole is None:
        return f"rules use whole numbers; {QUOTE_HINT}"
    return f"write `{whole[1]}{'0' * int(whole[2])}`, or {QUOTE_HINT}"


NUMBER_KEYS: Final = frozenset({"weight", "year"})  # whose values are never text
YEAR_LENGTH: Final = 4
WRITTEN_NUMBER: Final = lazy_pattern(r"write `(-?[0-9]+)`")
MAX_OTHER_BASE: Final = 12  # characters of a number whose value a hint says
WHOLE_WITH_EXPONENT: Final = lazy_pattern(r"\+?(-?[1-9][0-9]{0,5})[eE]\+?([0-9])")
QUOTE_HINT: Final = "put it in quotes if it is text"
AMBIGUOUS_KINDS: Final[dict[str, tuple[str, str | Callable[[str], str]]]] = {
    "like_flag": ("a flag", _flag_hint),
    "like_nothing": ("an empty value", "leave the key out, or put the word in quotes if it is text"),
    "like_date": ("a date", QUOTE_HINT),
    "like_time": ("a count of minutes and seconds", QUOTE_HINT),
    "like_base": ("a number to another base", _base_hint),
    "like_number": ("a number in another notation", _number_hint),
    "like_fraction": ("a fraction", _fraction_hint),
}


def is_incomplete(text: str) -> bool:
    """Whether a text ends where an expression or a sentence cannot: after an operator, or inside brackets."""
    return text.count("(") > text.count(")") or text.count("{") > text.count("}") or bool(INCOMPLETE_END.search(text))


__all__ = [
    "INVISIBLE_CHARACTER",
    "ErrorNode",
    "ScalarProblem",
    "find_scalar_problem",
    "is_incomplete",
    "scalar_kind",
    "scalar_value",
]
