"""What was probably meant, where an expression is written as other languages or everyday English have it.

In: the spot where reading stops. Out: a `ParseError`, or None where a habit does not explain it. Signs and words that
stand for others one by one are rows of tables (`foreign_syntax.py`, `other_words.py`).
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.expr import codes
from rulewright.expr.foreign_syntax import FOREIGN_SYNTAX
from rulewright.expr.keywords import KEYWORDS, word_set
from rulewright.expr.other_words import find_usual_form, find_words_for_operator
from rulewright.expr.parse_spot import Spot
from rulewright.expr.syntax_tree import ParseError, Rewriting
from rulewright.expr.tree import Offsets
from rulewright.lazy_pattern import lazy_pattern
from rulewright.suggestions import did_you_mean, meant_hint, number_word

KEY_BEFORE: Final = lazy_pattern(r"([a-z_][a-z0-9_]*)\s*$")
OPERATOR_PREFIXES: Final = frozenset("<*+-.")  # read as operators before the character after them is seen
ENDS_OF_PLACES: Final = {"under": "bottom", "below": "bottom", "over": "top", "above": "top"}
SEVERAL_PLAYERS: Final = {
    ("other", "players"): "others", ("all", "players"): "everyone", ("every", "player"): "everyone",
    ("no", "players"): "nobody", ("next", "player"): "next(me)", ("current", "player"): "me",
}  # fmt: skip
QUOTES: Final = "\"'`“”‘’«»„"
NAME_BEFORE: Final = lazy_pattern(r"\b([a-z_][a-z0-9_]*)\s+$")
DOTTED_RANGE: Final = lazy_pattern(r"\s*([a-z0-9_]+)\s*\.\.+\s*([a-z0-9_]+)\s*")
ARGUMENT_NAME: Final = lazy_pattern(r"[(,]\s*([a-z_][a-z0-9_]*)\s*$")
PRINTED_RANGE: Final = lazy_pattern(r"\s*(\d+)\s*([–—−])\s*(\d+)\s*")
BRACKETED_KEY: Final = lazy_pattern(r"\[([^\[\]]+)\]")
BRACED_VALUE: Final = lazy_pattern(r"[{\[]\s*([^\[\]{}:,]+?)\s*[}\]]")
FOREIGN_QUANTIFIERS: Final = {"any": "some", "exists": "some", "all": "every", "none": "no"}
QUANTIFIERS: Final = ("some", "every", "no", "each")
LOOP_BEHIND: Final = lazy_pattern(r"[a-z_][a-z0-9_]*\s+(?:in|has|where)\b")  # a variable, and what follows only that
WORDS_FOR_WHERE: Final = word_set("with that who which whose having have")
WORDS_FOR_ELSE: Final = word_set("otherwise sinon")
HAS_BEHIND: Final = lazy_pattern(r"\bhas\b")
LOOP_BEFORE: Final = lazy_pattern(r"\b(each|every|some|no|first|last)\s+[a-z_][a-z0-9_]*(?:\s+in\s+[a-z_][^:]*)?\s*$")
CALL: Final = lazy_pattern(r"[a-z_][a-z0-9_]*\([^()]*\)")
ADVERBS: Final = word_set("exactly only just precisely")
ARTICLES: Final = word_set("the a an")
POSSESSIVES: Final = word_set("my your his her its their our")
FOR_QUANTIFIER: Final = lazy_pattern(r"for\s+(every|all|each|any|some)\b")
QUANTIFIER_BEFORE: Final = lazy_pattern(rf"\b({'|'.join(FOREIGN_QUANTIFIERS)})\s+$")
OPEN_CALL: Final = lazy_pattern(r"\b([a-z_]+)\s*\((?:[^()]|\([^()]*\))*$")  # a call that is still open
LOOP_PATTERN: Final = lazy_pattern(r"for\s+(?:each\s+)?([a-z_][a-z0-9_]*\s+in\s+[a-z_][a-z0-9_]*(?:\([^()]*\))?)")
FOLDS_OF_CALLS: Final = {  # what other languages call with a loop inside
    "max": "max of … for {}", "min": "min of … for {}", "sum": "sum of … for {}", "all": "every {} has …",
    "any": "some {} has …", "count": "count(each {} where …)", "len": "count(each {} where …)",
}  # fmt: skip
CONDITION_BEHIND: Final = lazy_pattern(r"(.+?)\s(if)\s(.+?)(?:\selse\s(.+))?")  # a value `if` a condition
COUNTED_LOOP: Final = lazy_pattern(r"\b(count|number|total|amount)\s+of\s[^,]*$")


def explain_brackets(spot: Spot) -> ParseError | None:
    """`board[a1]`: keys as other languages write them; `{goal}`: a name as sentences have it."""
    before = KEY_BEFORE.search(spot.text, 0, spot.start)
    match = BRACKETED_KEY.match(spot.text, spot.start) if before else None
    if match is not None and before is not None:
        key = match[1].strip()
        hint, in_parentheses = f"keys go in parentheses: `{before[1]}({key})`", Rewriting(match.span(), f"({key})")
        is_certain = not key.isidentifier() or key in ("me", "player")
        if not is_certain:
            hint += f"; a field follows a dot: `{before[1]}.{key}`"
        if key[0] in QUOTES and (name := key.strip(QUOTES)).isidentifier():
            hint, is_certain = f"write `{before[1]}.{name}` for a field, `{before[1]}({name})` for a key", False
        rewriting = in_parentheses if is_certain else None
        return ParseError(codes.BRACKETS, (spot.start, spot.start + 1), "unexpected `[`", "", hint, rewriting)
    braced = BRACED_VALUE.match(spot.text, spot.start)
    if braced is None or "NAME" not in spot.expected:
        return None
    written = braced[1] if braced[1].isalnum() or braced[1].isidentifier() else f"({braced[1]})"
    message = f"unexpected `{spot.text[spot.start]}`"
    return ParseError(codes.BRACKETS, (spot.start, spot.start + 1), message, "", f"write `{written}`")


def explain_named_argument(spot: Spot) -> ParseError | None:
    """`hand(player=me)`: arguments with names, as other languages have them."""
    name = ARGUMENT_NAME.search(spot.text, 0, spot.start) if spot.word == "=" else None
    if name is None or not _is_in_call(spot.text[: spot.start]):
        return None
    hint = f"write them in their order: leave out `{name[1]}=`"
    return ParseError(codes.SINGLE_EQUALS, (name.start(1), spot.offsets[1]), "arguments have no names", "a name", hint)


def _is_in_call(before: str) -> bool:
    """Whether the innermost open parenthesis stands behind a name."""
    depth = 0
    for index in range(len(before) - 1, -1, -1):
        depth += (before[index] == ")") - (before[index] == "(")
        if depth < 0:
            name = KEY_BEFORE.search(before, 0, index)
            return name is not None and name[1] not in KEYWORDS
    return False


def explain_foreign_syntax(spot: Spot) -> ParseError | None:
    """`==`, `&&`, `3..5`: signs of other languages."""
    dashed = PRINTED_RANGE.fullmatch(spot.text)
    if dashed is not None:
        hint = f"write `{dashed[1]} to {dashed[3]}`"
        return ParseError(codes.FOREIGN_OPERATOR, dashed.span(2), f"`{dashed[2]}` is not an operator", "", hint)
    has_prefix = spot.text[max(0, spot.start - 1) : spot.start] in OPERATOR_PREFIXES
    for start in (spot.start - 1, spot.start) if has_prefix else (spot.start,):
        for pattern, code, message, hint, instead in FOREIGN_SYNTAX:
            match = pattern.match(spot.text, start)
            if not match or match.end() <= spot.start or (start < spot.start and len(match[0]) != 2):
                continue
            message, offsets = match.expand(message), match.span()
            if joined := _joined_comparison(spot, match):
                rewriting = Rewriting((len(spot.text[: match.start()].rstrip()), match.end()), "=")
                return ParseError(code, offsets, message, "", f"write `{joined}`", rewriting)
            if match[0] == "=" and not spot.text[: match.start()].strip():
                return ParseError(code, offsets, message, "", "an expression has no name: leave out the `=`")
            hint = _exact_range(spot, match) or _quoted_number(match) or match.expand(hint)
            written = _spaced(spot.text, offsets, match.expand(instead)) if instead else None
            return ParseError(code, offsets, message, "", hint, written)
    return None


def _spaced(text: str, offsets: Offsets, instead: str) -> Rewriting:
    """A word or sign in the place of another; a word is kept apart from what is beside it: `a==b` is `a is b`."""
    before, after = text[: offsets[0]][-1:], text[offsets[1] :][:1]
    is_word = instead[0].isalpha() and not text[offsets[0]].isalpha() and text[offsets[0]] not in QUOTES
    lead = " " if is_word and not before.isspace() and before not in '("' else ""
    return Rewriting(offsets, f"{lead}{instead}{' ' if is_word and after and not after.isspace() else ''}")


def _quoted_number(match: re.Match[str]) -> str:
    """For `"three"`: the number."""
    number = number_word(match[0][1:-1]) if match[0][0] in QUOTES else None
    return "" if number is None else f"write `{number}`"


def _exact_range(spot: Spot, dots: re.Match[str]) -> str:
    """For `3..30`: the range as it is written."""
    ends = DOTTED_RANGE.fullmatch(spot.text) if dots[0].startswith("..") else None
    return f"write `{ends[1]} to {ends[2]}`" if ends else ""


def _joined_comparison(spot: Spot, equals: re.Match[str]) -> str:
    """For `> =`: the comparison without the blank."""
    before = spot.text[: equals.start()].rstrip()[-1:]
    return f"{before}=" if equals[0] == "=" and before in ("<", ">") else ""


def explain_other_words(spot: Spot) -> ParseError | None:
    """`count(x) is at least 3`: a comparison or a sum in words."""
    found = find_words_for_operator(spot.text, spot.start)
    if found is None:
        return None
    if not spot.text[: found.offsets[0]].strip():  # nothing is compared
        return _explain_end_of_place(spot, found.offsets)
    message = f"`{spot.text[slice(*found.offsets)]}` is not an operator"
    written = _spaced(spot.text, found.offsets, found.operator) if found.operator else None
    return ParseError(codes.FOREIGN_OPERATOR, found.offsets, message, "", found.hint, written)


def _explain_end_of_place(spot: Spot, offsets: Offsets) -> ParseError | None:
    """`under pile`: which end of a place something goes to."""
    word = spot.text[slice(*offsets)]
    if word not in ENDS_OF_PLACES:
        return None
    hint = f"write `{ENDS_OF_PLACES[word]} of {spot.text[offsets[1] :].strip()}`"
    return ParseError(codes.UNEXPECTED_WORD, offsets, f"unexpected `{word}`", "not expected", hint)


def explain_other_order(spot: Spot) -> ParseError | None:
    """`2 top`, `8 x 8`: an amount, a grid or a loop in another form."""
    hint = find_usual_form(spot.text, spot.expected)
    message = f"unexpected {'keyword ' if spot.word in KEYWORDS and 'NAME' in spot.expected else ''}`{spot.word}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, message, "not expected", hint) if hint else None


def explain_quantifier(spot: Spot) -> ParseError | None:
    """`any row has …`: a quantifier of another language."""
    match = QUANTIFIER_BEFORE.search(spot.text, 0, spot.start)
    if match is None or not spot.word.isidentifier():
        return None
    if spot.word == "of":
        hint = "write `all`, and `from: …`"
        return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `of`", "not expected", hint)
    hint = meant_hint(match[1], FOREIGN_QUANTIFIERS[match[1]])
    return ParseError(codes.UNEXPECTED_WORD, match.span(1), f"unexpected `{match[1]}`", "not a keyword", hint)


def explain_two_names(spot: Spot) -> ParseError | None:
    """`points me`: a key without parentheses, or an amount without `of`."""
    before = NAME_BEFORE.search(spot.text, 0, spot.start)
    is_name = spot.word.isidentifier() and spot.word not in KEYWORDS
    if before is None or before[1] in KEYWORDS or not is_name or "(" not in spot.expected:
        return None
    if before[1] in ARTICLES:
        hint = f"names stand alone: write `{spot.word}`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), f"unexpected `{before[1]}`", "not expected", hint)
    if "of" not in spot.expected:
        return None
    call = CALL.match(spot.text, spot.start)
    keywords = [token for token in spot.expected if token.islower()]
    if before[1] not in ARTICLES | POSSESSIVES and call is None and did_you_mean(spot.word, keywords):
        return None
    if spot.word in WORDS_FOR_ELSE and "else" in keywords:
        return None
    if before[1] == "empty":
        test = "is not empty" if re.search(r"\bnot\s+$", spot.text[: before.start()]) else "is empty"
        hint = f"write `{call[0] if call else spot.word} {test}`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), "unexpected `empty`", "before what it is about", hint)
    meant = did_you_mean(before[1], QUANTIFIERS) if LOOP_BEHIND.match(spot.text, spot.start) else ""
    if meant:
        message = f"unexpected `{before[1]}`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), message, "not a keyword", meant)
    if before[1] == "return":
        hint = "an expression is its value: leave out `return`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), "unexpected `return`", "not expected", hint)
    if before[1] in POSSESSIVES:
        hint = f"whose it is stands in parentheses: write `{spot.word}({'me' if before[1] in ('my', 'your') else '…'})`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), f"unexpected `{before[1]}`", "not expected", hint)
    if spot.word == "empty":
        hint = f"write `{before[1]} is empty`"
        return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `empty`", "not expected", hint)
    loop = LOOP_BEFORE.search(spot.text, 0, spot.start) if spot.word in WORDS_FOR_WHERE else None
    if loop is not None:
        is_asked = loop[1] in ("some", "every", "no") and not HAS_BEHIND.search(spot.text, spot.start)
        hint = meant_hint(spot.word, "has" if is_asked else "where")
        return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)
    if call is not None:
        hint = f"write `{before[1]}({call[0]})`, or an operator between them"
        return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)
    if "|" in spot.text[spot.start :]:
        hint = f"a plural has a colon behind its number: `{{{before[1]}: {spot.text[spot.start :].strip()}}}`"
        return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)
    if (before[1], spot.word) in SEVERAL_PLAYERS:
        hint = f"write `{SEVERAL_PLAYERS[before[1], spot.word]}`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), f"unexpected `{before[1]}`", "not expected", hint)
    pair = f"`{before[1]}({spot.word})`", f"`{before[1]} of {spot.word}`"
    hint = f"write {pair[0]} if it is a key, {pair[1]} for an amount, or an operator between them"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)


def explain_adverb(spot: Spot) -> ParseError | None:
    """`exactly 2`: a number stands alone."""
    before = NAME_BEFORE.search(spot.text, 0, spot.start)
    is_value = spot.word.isdecimal() or (spot.word.isidentifier() and spot.word not in KEYWORDS)
    if before is None or before[1] not in ADVERBS or not is_value:
        return None
    call = CALL.match(spot.text, spot.start)
    hint = f"a number stands alone: write `{call[0] if call else spot.word}`"
    return ParseError(codes.UNEXPECTED_WORD, before.span(1), f"unexpected `{before[1]}`", "not expected", hint)


def explain_folding_call(spot: Spot) -> ParseError | None:
    """`sum(…)`: a word with a loop behind it is not a function."""
    if spot.word != "(" or not spot.text[: spot.start].rstrip().endswith("sum"):
        return None
    hint = "write `sum of … for … in …`; how many there are is `count(…)`, the total of a field `things.field`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `(`: `sum` is not a function", "", hint)


def explain_for_in_call(spot: Spot) -> ParseError | None:
    """`max(… for …)`: a loop is not a call."""
    call = None if spot.word != "for" else OPEN_CALL.search(spot.text, 0, spot.start)
    if call is None or call[1] not in FOLDS_OF_CALLS:
        return None
    loop = LOOP_PATTERN.match(spot.text, spot.start)
    hint = f"write `{FOLDS_OF_CALLS[call[1]].format(' '.join(loop[1].split()) if loop else '… in …')}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `for`", "in a call", hint)


def explain_counted_loop(spot: Spot) -> ParseError | None:
    """`count of … for …`: what is added up for each is a sum."""
    counted = COUNTED_LOOP.search(spot.text, 0, spot.start) if spot.word == "for" else None
    if counted is None:
        return None
    hint = "write `sum of … for …`; how many there are is `count(each … where …)`"
    message = f"unexpected `{counted[1]}`"
    return ParseError(codes.UNEXPECTED_WORD, counted.span(1), message, "not a loop", hint)


def explain_leading_for(spot: Spot) -> ParseError | None:
    """`for every x in …`: a word too many before a quantifier."""
    match = FOR_QUANTIFIER.match(spot.text, spot.start)
    if match is None or "for" in spot.expected:
        return None
    hint = f"write `{'some' if match[1] in ('any', 'some') else 'every'} … in … has …`, without `for`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected keyword `for`", "not expected", hint)


def explain_conditional(spot: Spot) -> ParseError | None:
    """`1 if leads else 0`: the condition comes first."""
    match = CONDITION_BEHIND.fullmatch(spot.text)
    if match is None or spot.start != match.start(2):
        return None
    value, test, other = (part.strip() if part else "…" for part in match.group(1, 3, 4))
    hint = f"write `if {test} then {value} else {other}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `if`", "behind a value", hint)


__all__ = [
    "KEY_BEFORE",
    "WORDS_FOR_ELSE",
    "WORDS_FOR_WHERE",
    "explain_adverb",
    "explain_brackets",
    "explain_conditional",
    "explain_counted_loop",
    "explain_folding_call",
    "explain_for_in_call",
    "explain_foreign_syntax",
    "explain_leading_for",
    "explain_named_argument",
    "explain_other_order",
    "explain_other_words",
    "explain_quantifier",
    "explain_two_names",
]
