"""Signs and words that people bring along from other languages, such as `==`, and what is written here instead.

In: nothing. Out: a table, tried in order where an expression cannot be read: a pattern, a code, a message and a hint.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rulewright.diagnostics import Code
from rulewright.expr import codes


class Habit(NamedTuple):
    r"""What other languages write: `\g<0>` is the text that matches, `\g<word>` a part of it."""

    pattern: re.Pattern[str]
    code: Code
    message: str
    hint: str
    instead: str = ""  # what is certainly meant


def _operator(pattern: str, instead: str = "", hint: str = "", code: Code = codes.FOREIGN_OPERATOR) -> Habit:
    return Habit(re.compile(pattern), code, r"`\g<0>` is not an operator", hint or f"write `{instead}`", instead)


FOREIGN_SYNTAX: Final[tuple[Habit, ...]] = (
    _operator(r"===?", "is", "to compare, write `is`"),
    _operator(r"!==?|<>|=/=|≠", "is not"),
    _operator(r"\.\.+", hint="write a range as `1 to 4`"),
    _operator(r"\+\+", hint="write `+ 1`"),
    _operator(r"=<|≤", "<="),
    _operator(r"=>|≥", ">="),
    Habit(re.compile(r"[+*-]="), codes.FOREIGN_OPERATOR,
           r"`\g<0>` is an assignment, but expressions cannot change anything",
           "to change state, write a step `set: name, to: …`"),
    _operator(r"=", "is", "to compare, write `is`", codes.SINGLE_EQUALS),
    _operator(r"&&?", "and"),
    _operator(r"\|\|", "or"),
    _operator(r"\|", "or", "write `or`; in a sentence, a plural is `{number: one | more}`"),
    _operator(r"[!¬]", "not"),
    _operator(r"~", hint="write `not`"),
    _operator(r"\*\*|\^", hint="write the power as a product"),
    _operator(r"[/÷]", hint="to divide and round down, write `//`"),
    _operator(r"\?", hint="write `if … then … else …`"),
    _operator(r"×", "*"),
    _operator(r"[−–]", "-"),
    Habit(re.compile(r"""["'`“”‘’«»„](?P<word>[a-z][a-z0-9_]*)["'`“”‘’«»„]"""), codes.QUOTED_WORD,
           "unexpected quotation marks", r"write names and members without quotes: `\g<word>`", r"\g<word>"),
    Habit(re.compile(r"""["'`“”‘’«»„](?P<word>[^"'`“”‘’«»„]*)["'`“”‘’«»„]?"""), codes.QUOTED_WORD,
           "unexpected quotation marks", r"write names and members without quotes: `\g<word>`"),
    Habit(re.compile(r"[\[\]{}]"), codes.BRACKETS, r"unexpected `\g<0>`",
           "put keys and arguments in parentheses, as in `name(key)`"),
    Habit(re.compile(r":"), codes.KEY_INSIDE, "unexpected colon", "put the key on a line of its own"),
    Habit(re.compile(r"#.*"), codes.STRAY_CHARACTER, "unexpected `#`",
           "put a space before the `#` of a YAML comment; a block of text cannot contain one"),
    _operator(r"mod(?:ulo)?\b", hint="write `%` for the remainder"),
    Habit(re.compile(r"[$@](?P<word>\w+)"), codes.STRAY_CHARACTER, r"unexpected `\g<0>`",
           r"write names alone: `\g<word>`"),
    Habit(re.compile(r";"), codes.STRAY_CHARACTER, "unexpected `;`",
           "values of a list are separated by commas; elsewhere write a single expression"),
)  # fmt: skip


__all__ = ["FOREIGN_SYNTAX", "Habit"]
