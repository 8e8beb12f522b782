"""Why a text is no expression, in plain words: what stands at the spot, what could, and what was probably meant.

In: the text, the spot, the words that could follow and what was read so far. Out: a `Stumble`. Habits from other
languages are rows of a table: a pattern at the spot, a code and a message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from lark import Token, Tree

from rulewright import limits
from rulewright.diagnostics import Code
from rulewright.expr import codes
from rulewright.expr.keywords import KEYWORDS, word_set
from rulewright.expr.syntax_tree import ParseError
from rulewright.expr.tree import Offsets
from rulewright.suggestions import did_you_mean

# pattern at the spot, code, what is wrong, what to do; \g<0> is the text found, \g<word> a part of it
FOREIGN_SYNTAX: Final[tuple[tuple[re.Pattern[str], Code, str, str], ...]] = (
    (re.compile(r"===?"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here", "to compare, write `is`"),
    (re.compile(r"!==?|<>|=/="), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here", "write `is not`"),
    (re.compile(r"=<"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here", "write `<=`"),
    (re.compile(r"=>"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here", "write `>=`"),
    (re.compile(r"[+*-]="), codes.FOREIGN_OPERATOR, r"`\g<0>` changes something, and expressions change nothing",
     "a step `set: name, to: …` changes state"),
    (re.compile(r"="), codes.SINGLE_EQUALS, "`=` is no comparison", "to compare, write `is`"),
    (re.compile(r"&&?"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here", "write `and`"),
    (re.compile(r"\|\|?"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here", "write `or`"),
    (re.compile(r"[!~¬]"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here", "write `not`"),
    (re.compile(r"\*\*|\^"), codes.FOREIGN_OPERATOR, r"`\g<0>`: there are no powers", "write the product out"),
    (re.compile(r"/"), codes.FOREIGN_OPERATOR, "`/` is no operator here", "`//` divides and drops the rest"),
    (re.compile(r"\?"), codes.FOREIGN_OPERATOR, "`?` is no operator here", "write `if … then … else …`"),
    (re.compile(r"≤|≥|≠|×|÷|−|–"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here",
     "the operators are `<=`, `>=`, `is not`, `*`, `//` and `-`"),
    (re.compile(r"""["'`“”‘’«»„](?P<word>[^"'`“”‘’«»„]*)["'`“”‘’«»„]?"""), codes.QUOTED_WORD,
     r"a word in quotation marks",
     r"names and members stand bare: `\g<word>`"),
    (re.compile(r"[\[\]{}]"), codes.BRACKETS, r"`\g<0>` is not used in expressions",
     "keys and arguments stand in parentheses, as in `name(key)`"),
    (re.compile(r":"), codes.KEY_INSIDE, "a colon inside an expression", "a key of its own belongs on its own line"),
    (re.compile(r"#.*"), codes.STRAY_CHARACTER, "`#` is no part of an expression",
     "a YAML comment needs a space before its `#`, and cannot stand inside a block of text"),
    (re.compile(r"mod(?:ulo)?\b"), codes.FOREIGN_OPERATOR, r"`\g<0>` is no operator here",
     "the rest of a division: `%`"),
    (re.compile(r";"), codes.STRAY_CHARACTER, "`;` is no part of an expression", "one expression stands alone"),
)  # fmt: skip

OPERATOR_PREFIXES: Final = frozenset({"<", "*", "+", "-"})  # read as operators before the sign behind them is seen
DECIMAL_PATTERN: Final = re.compile(r"[0-9]+\s*\.\s*[0-9]+")
WORD_PATTERN: Final = re.compile(r"\w+")
DASHED_RANGE: Final = re.compile(r"\s*([a-z0-9_]+)\s*-\s*([a-z0-9_]+)\s*")  # as ends are written elsewhere
NUMBER_BEFORE: Final = re.compile(r"(?<![\w.])([0-9]+)\s+$")
SELECTION_PATTERN: Final = re.compile(r"\s*([a-z][a-z0-9_]*(?:\s+in\s+[a-z][^:]*?)?)\s*")
SEAT_SETS: Final = word_set("everyone others opponents nobody")
KEY_BEFORE: Final = re.compile(r"([a-z_][a-z0-9_]*)\s*$")
OPEN_CALL: Final = re.compile(r"\b(max|min)\s*\((?:[^()]|\([^()]*\))*$")  # a call that is still open
COLON_PATTERN: Final = re.compile(r"\s*:(?=\s|$)")

OPERATOR_TOKENS: Final = word_set("+ - * // % less < <= > >= is in not fits and or to of . (")
PREFIX_KEYWORDS: Final = word_set("if some every no each sum max min")  # as far to the right as they can
EXPRESSION_STARTERS: Final = PREFIX_KEYWORDS | word_set("( - not")
COMPARISON_TOKENS: Final = word_set("< <= > >= is in fits")
COMPARE_RULES: Final = word_set("is is_not below at_most above at_least in not_in fits_in")
CLAUSE_BOUNDARIES: Final = word_set("( , and or not if then else has where of")

ParseStack = Sequence[Tree[Token] | Token]  # what was read so far, as far as it is put together


def find_number_error(word: str, at: Offsets) -> ParseError | None:
    """What is wrong with the digits of a number, if anything."""
    if len(word) > limits.MAX_NUMBER_DIGITS:
        message = f"a number of {len(word)} digits; {limits.MAX_NUMBER_DIGITS} are allowed"
        return ParseError(codes.NUMBER_FORM, at, message, "too long")
    if word[0] == "0" and word != "0":
        return ParseError(codes.NUMBER_FORM, at, "a number that starts with 0", "", f"write `{word.lstrip('0') or 0}`")
    return None


def explain_parse_error(
    text: str, what: Literal["end", "stray", "word"], at: Offsets, following: frozenset[str], parts: ParseStack
) -> ParseError:
    """What to say of what stands at `at`: the end, a character that means nothing, a word or sign at a wrong place."""
    if what == "end":
        return _end(text, at, following)
    for cause in (_decimal, _key, _habit, _letters, _chained, _minus, _lot, _some_of, _reaching, _called):
        if found := cause(text, at, following, parts):
            return found
    word = text[slice(*at)]
    if what == "stray":
        return ParseError(
            codes.STRAY_CHARACTER, at, f"`{word}` means nothing in an expression", "", describe_expected(following)
        )
    message = f"`{word}` cannot stand here"
    if word in KEYWORDS and "NAME" in following:
        message = f"`{word}` is a word of the language, and cannot stand here"
    meant = did_you_mean(word, [one for one in following if one.islower()])
    hint = "; ".join(one for one in (meant, describe_expected(following)) if one)
    return ParseError(codes.UNEXPECTED_WORD, at, message, "not expected", hint)


def _end(text: str, at: Offsets, following: frozenset[str]) -> ParseError:
    if not text.strip():
        return ParseError(
            codes.EMPTY_EXPRESSION, (0, 0), "an expression is missing", "nothing here", describe_expected(following)
        )
    if "else" in following:
        message = "an `if` without `else`"
        return ParseError(
            codes.IF_WITHOUT_ELSE, at, message, "ends here", "every `if` has two outcomes: `if … then … else …`"
        )
    dashed = DASHED_RANGE.fullmatch(text)
    if dashed and "to" in following:
        hint = f"write `{dashed[1]} to {dashed[2]}`"
        return ParseError(codes.EARLY_END, at, "from where to where?", "no `to`", hint)
    missing = "a `)` is missing" if ")" in following else "the expression is not complete"
    return ParseError(codes.EARLY_END, at, missing, "ends here", describe_expected(following))


def _decimal(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    for found in DECIMAL_PATTERN.finditer(text):
        if found.start() <= at[0] < found.end():
            message = f"`{found[0]}`: numbers are whole"
            return ParseError(codes.DECIMAL_NUMBER, found.span(), message, "no fractions", "count in smaller units")
    return None


def _key(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    word = text[slice(*at)]
    before = KEY_BEFORE.search(text, 0, at[0])
    if word == ":" and before:
        word, at = before[1], before.span(1)
    if word.isidentifier() and COLON_PATTERN.match(text, at[1]):
        message = f"`{word}:` looks like a key inside an expression"
        return ParseError(codes.KEY_INSIDE, at, message, "a key?", "a key belongs on its own line, or behind a comma")
    return None


def _habit(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    starts = (at[0] - 1, at[0]) if text[max(0, at[0] - 1) : at[0]] in OPERATOR_PREFIXES else (at[0],)
    for start in starts:
        for pattern, code, message, hint in FOREIGN_SYNTAX:
            found = pattern.match(text, start)
            if found and found.end() > at[0] and (start == at[0] or len(found[0]) == 2):
                return ParseError(code, found.span(), found.expand(message), "", found.expand(hint))
    return None


def _letters(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    found = next((one for one in WORD_PATTERN.finditer(text) if one.start() <= at[0] < one.end()), None)
    if found is None or found[0] == text[slice(*at)].lower():
        return None
    small = found[0].lower()
    if small != found[0] and small.isascii():
        message = f"`{found[0]}` has capital letters"
        return ParseError(codes.CAPITAL_LETTERS, found.span(), message, "", f"names are written small: `{small}`")
    if not small.isascii() or small.startswith("_"):
        message = f"`{found[0]}` is no name"
        return ParseError(
            codes.STRAY_CHARACTER, at, message, "", "names are made of a to z, digits and _, a letter first"
        )
    return None


def _chained(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    if text[slice(*at)] not in COMPARISON_TOKENS | {"not"}:
        return None
    closed = 0
    for number in range(len(parts) - 1, -1, -1):
        part, before = parts[number], parts[number - 1] if number else None
        if isinstance(part, Tree):
            compared = part.data in COMPARE_RULES
        elif part == ")":  # keys, arguments and what stands in parentheses belong to the operand
            closed += 1
            continue
        elif closed and part == "(":
            closed -= 1
            continue
        elif not closed and part in CLAUSE_BOUNDARIES and not _joins(part, before, parts[number + 1 :]):
            return None
        else:
            # the `in` of `some x in …` is no comparison: a bare word stands before it, not a value
            compared = part in COMPARISON_TOKENS and (isinstance(before, Tree) or before in (")", "not"))
        if compared and not closed:
            message = "a comparison cannot be compared again"
            return ParseError(codes.CHAINED_COMPARISON, at, message, "second comparison", "write `a < b and b < c`")
    return None


def _joins(word: Token, before: Tree[Token] | Token | None, after: ParseStack) -> bool:
    """Whether a word that begins something elsewhere belongs to an operand or comparison here."""
    if word == "of":
        return before not in ("sum", "max", "min")  # `2 of red` is a value, and `sum of …` has no comparison in it
    return word == "not" and (before == "is" or (bool(after) and after[0] == "in"))


def _minus(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    if following != {"INT"} or not text[: at[0]].rstrip().endswith("-"):
        return None
    word = text[slice(*at)]
    message = "only a written number can be negative"
    return ParseError(codes.UNEXPECTED_WORD, at, message, "no number", f"write `0 - {word}`")


def _lot(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    """`3 red`: so many of something need an `of`."""
    word, number = text[slice(*at)], NUMBER_BEFORE.search(text, 0, at[0])
    if number is None or word in KEYWORDS or not word.isidentifier() or "of" not in following or "by" in following:
        return None
    message = f"`{word}` cannot stand here"
    hint = f"did you mean `{number[1]} of {word}`?; {describe_expected(following)}"
    return ParseError(codes.UNEXPECTED_WORD, at, message, "an `of` is missing", hint)


def _some_of(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    """`red where …`: what is picked out needs an `each`."""
    begun = SELECTION_PATTERN.fullmatch(text, 0, at[0])
    if text[slice(*at)] != "where" or begun is None:
        return None
    hint = f"write `each {begun[1]} where …`"
    if begun[1] in SEAT_SETS:
        hint = f"write `each seat in {begun[1]} where …`"
    elif " " not in begun[1]:
        hint += f"; if that is no kind or component, `each one in {begun[1]} where …`"
    return ParseError(codes.UNEXPECTED_WORD, at, "`where` cannot stand here", "picks from what?", hint)


def _reaching(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    """`1 + sum of …`: what reaches to the right as far as it can needs parentheses beside an operator."""
    word = text[slice(*at)]
    if word not in PREFIX_KEYWORDS or not {"NAME", "("} <= following or word in following:
        return None
    form = {"if": "if … then … else …", "each": "each … where …"}.get(word, f"{word} … has …")
    form = f"{word} of … for …" if word in ("sum", "max", "min") else form
    return ParseError(
        codes.UNEXPECTED_WORD, at, f"`{word}` cannot stand here", "needs parentheses", f"write `({form})`"
    )


def _called(text: str, at: Offsets, following: frozenset[str], parts: ParseStack) -> ParseError | None:
    """`max(… for …)`: what goes through many is no call."""
    begun = None if text[slice(*at)] != "for" else OPEN_CALL.search(text, 0, at[0])
    if begun is None:
        return None
    word = begun[1]
    return ParseError(
        codes.UNEXPECTED_WORD, at, "`for` cannot stand here", "in a call", f"write `{word} of … for … in …`"
    )


def describe_expected(following: frozenset[str]) -> str:
    """What could stand at a spot, in words: `here could stand: a value or …`."""
    rest = set(following)
    found = []
    if {"NAME", "INT"} <= rest:
        found.append("a value")
        rest -= EXPRESSION_STARTERS | {"NAME", "INT"}
    elif "NAME" in rest:
        found.append("a name")
    elif "INT" in rest:
        found.append("a number")
    # `of`, `to` and `(` lead on from nearly every value; they are worth telling only where little else could follow
    many = len(rest & OPERATOR_TOKENS) > 3
    end = "$END" in rest
    rest -= {"NAME", "INT", "$END"} | (OPERATOR_TOKENS if many else frozenset())
    found += [f"`{word}`" for word in sorted(rest)]
    if many:
        found.append("an operator")
    if end:
        found.append("the end")
    return "here could stand: " + (f"{', '.join(found[:-1])} or {found[-1]}" if len(found) > 1 else "".join(found))
