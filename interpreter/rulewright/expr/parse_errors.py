"""Why a text is not an expression, in plain words: what is at the spot, what was expected, and what was probably meant.

In: the text, the spot, the tokens that the grammar allows there and what was read before it. Out: a `ParseError`.
Habits from other languages are rows of a table (`foreign_syntax.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from lark import Token, Tree

from rulewright import limits
from rulewright.expr import codes
from rulewright.expr.foreign_syntax import FOREIGN_SYNTAX
from rulewright.expr.keywords import KEYWORDS, word_set
from rulewright.expr.method_hints import method_hint
from rulewright.expr.other_words import find_usual_form, find_words_for_operator
from rulewright.expr.syntax_tree import ParseError, Rewriting
from rulewright.expr.tree import Offsets
from rulewright.lazy_pattern import lazy_pattern
from rulewright.suggestions import WordHint, describe_foreign_letter, did_you_mean, join_hints, meant_hint, snake_case

OPERATOR_PREFIXES: Final = frozenset(
    {"<", "*", "+", "-", "."}
)  # read as operators before the character after them is seen
QUOTES: Final = "\"'`“”‘’«»„"
DECIMAL_PATTERN: Final = lazy_pattern(r"[0-9]+\s*\.\s*[0-9]+")
WORD_PATTERN: Final = lazy_pattern(r"\w+")
DASHED_RANGE: Final = lazy_pattern(r"\s*([a-z0-9_]+)\s*-\s*([a-z0-9_]+)\s*")  # a range in another notation
NUMBER_BEFORE: Final = lazy_pattern(r"(?<![\w.])([0-9]+)\s+$")
SELECTION_PATTERN: Final = lazy_pattern(r"\s*([a-z][a-z0-9_]*(?:\s+in\s+[a-z][^:]*?)?)\s*")
SEAT_SETS: Final = word_set("everyone others opponents nobody")
WHOLE_KIND: Final = lazy_pattern(r"\s*(?:every|each)\s+([a-z][a-z0-9_]*)\s*")
NAME_BEFORE: Final = lazy_pattern(r"\b([a-z_][a-z0-9_]*)\s+$")
DOTTED_RANGE: Final = lazy_pattern(r"\s*([a-z0-9_]+)\s*\.\.+\s*([a-z0-9_]+)\s*")
ARGUMENT_NAME: Final = lazy_pattern(r"[(,]\s*([a-z_][a-z0-9_]*)\s*$")
PRINTED_RANGE: Final = lazy_pattern(r"\s*(\d+)\s*([–—−])\s*(\d+)\s*")
KEY_BEFORE: Final = lazy_pattern(r"([a-z_][a-z0-9_]*)\s*$")
OWNER_BEFORE: Final = lazy_pattern(r"([a-z_][a-z0-9_]*(?:\([^()]*\))?)\.$")  # what is before a dot
BRACKETED_KEY: Final = lazy_pattern(r"\[([^\[\]]+)\]")
BRACED_VALUE: Final = lazy_pattern(r"[{\[]\s*([^\[\]{}:,]+?)\s*[}\]]")
FOREIGN_QUANTIFIERS: Final = {"any": "some", "exists": "some", "all": "every", "none": "no"}
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
TIMES_SIGN: Final = lazy_pattern(r"x\s+([a-z_]\w*\b(?!\s*\())?")  # and a name behind it that may mean a member
COUNTED_LOOP: Final = lazy_pattern(r"\b(count|number|total|amount)\s+of\s[^,]*$")
COLON_PATTERN: Final = lazy_pattern(r"\s*:(?=\s|$)")

OPERATOR_TOKENS: Final = word_set("+ - * // % less < <= > >= is in not fits and or to of . (")
PREFIX_KEYWORDS: Final = word_set("if some every no each sum max min")  # extend as far to the right as they can
EXPRESSION_STARTERS: Final = PREFIX_KEYWORDS | word_set("( - not first last")
COMPARISON_TOKENS: Final = word_set("< <= > >= is in fits")
COMPARE_RULES: Final = word_set("is is_not is_empty is_not_empty below at_most above at_least in not_in fits_in")
CLAUSE_BOUNDARIES: Final = word_set("( , and or not if then else has where of")

ParseStack = Sequence[Tree[Token] | Token]  # what was read before the spot, as far as the parser has reduced it
UnexpectedPart = Literal["end", "character", "word"]  # a character that is no token, a token out of place


class _Spot(NamedTuple):
    """Where the parser stops: at the characters `offsets` of `text`, where the grammar allows the tokens `expected`."""

    text: str
    offsets: Offsets
    expected: frozenset[str]
    stack: ParseStack

    @property
    def word(self) -> str:
        return self.text[slice(*self.offsets)]

    @property
    def start(self) -> int:
        return self.offsets[0]


def find_number_error(word: str, offsets: Offsets) -> ParseError | None:
    """What is wrong with the digits of a number, if anything."""
    if len(word) > limits.MAX_NUMBER_DIGITS:
        message = f"a number of {len(word)} digits is over the limit of {limits.MAX_NUMBER_DIGITS}"
        return ParseError(codes.NUMBER_FORM, offsets, message, "too long")
    if word[0] == "0" and word != "0":
        short = word.lstrip("0") or "0"
        hint = WordHint(f"write `{short}`", word, short)
        return ParseError(codes.NUMBER_FORM, offsets, "a number cannot start with 0", "leading zero", hint)
    return None


def explain_parse_error(
    text: str, part: UnexpectedPart, offsets: Offsets, expected: frozenset[str], stack: ParseStack
) -> ParseError:
    """The error for an unexpected part of a text.

    `expected`: the tokens that the grammar allows instead, keywords and operators as they are written; `stack`: the
    parser's stack before the part.
    """
    spot = _Spot(text, offsets, expected, stack)
    if part == "end":
        return _explain_end(spot)
    for explain in EXPLANATIONS:
        if error := explain(spot):
            return error
    word = spot.word
    if part == "character":
        message = f"unexpected character `{word}`"
        return ParseError(codes.STRAY_CHARACTER, offsets, message, "", describe_expected(expected))
    keyword = "keyword " if word in KEYWORDS and "NAME" in expected else ""
    meant = "" if keyword else did_you_mean(word, [token for token in expected if token.islower()])
    hint = join_hints(meant, describe_expected(expected))
    return ParseError(codes.UNEXPECTED_WORD, offsets, f"unexpected {keyword}`{word}`", "not expected", hint)


def _explain_end(spot: _Spot) -> ParseError:
    expected = describe_expected(spot.expected)
    if not spot.text.strip():
        return ParseError(codes.EMPTY_EXPRESSION, (0, 0), "missing expression", "empty", expected)
    if "else" in spot.expected:
        hint = "every `if` has two outcomes: `if … then … else …`"
        return ParseError(codes.IF_WITHOUT_ELSE, spot.offsets, "`if` without `else`", "ends here", hint)
    dashed = DASHED_RANGE.fullmatch(spot.text)
    if dashed and "to" in spot.expected:
        hint = f"write `{dashed[1]} to {dashed[2]}`"
        return ParseError(codes.EARLY_END, spot.offsets, "incomplete range", "missing `to`", hint)
    if usual := find_usual_form(spot.text, spot.expected):
        word = WORD_PATTERN.search(spot.text)
        offsets = word.span() if word else spot.offsets
        return ParseError(
            codes.UNEXPECTED_WORD, offsets, f"unexpected `{word[0] if word else ''}`", "not expected", usual
        )
    whole = WHOLE_KIND.fullmatch(spot.text)
    if whole is not None and "in" in spot.expected:
        expected = f"for all of them, write `{whole[1]}`; {expected}"
    message = "missing `)`" if ")" in spot.expected else "incomplete expression"
    return ParseError(codes.EARLY_END, spot.offsets, message, "ends here", expected)


def _explain_decimal(spot: _Spot) -> ParseError | None:
    for match in DECIMAL_PATTERN.finditer(spot.text):
        if match.start() <= spot.start < match.end():
            message = f"`{match[0]}` is not a whole number"
            return ParseError(codes.DECIMAL_NUMBER, match.span(), message, "no fractions", "count in smaller units")
    return None


def _explain_key(spot: _Spot) -> ParseError | None:
    word, offsets = spot.word, spot.offsets
    before = KEY_BEFORE.search(spot.text, 0, spot.start)
    if word == ":" and before:
        word, offsets = before[1], before.span(1)
    if word.isidentifier() and COLON_PATTERN.match(spot.text, offsets[1]):
        message = f"`{word}:` looks like a key inside an expression"
        hint = "put the key on a line of its own, or after a comma"
        return ParseError(codes.KEY_INSIDE, offsets, message, "not part of an expression", hint)
    return None


def _explain_named_argument(spot: _Spot) -> ParseError | None:
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


def _explain_foreign_syntax(spot: _Spot) -> ParseError | None:
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
            hint = _exact_range(spot, match) or match.expand(hint)
            written = _spaced(spot.text, offsets, match.expand(instead)) if instead else None
            return ParseError(code, offsets, message, "", hint, written)
    return None


def _spaced(text: str, offsets: Offsets, instead: str) -> Rewriting:
    """A word or sign in the place of another; a word is kept apart from what is beside it: `a==b` is `a is b`."""
    before, after = text[: offsets[0]][-1:], text[offsets[1] :][:1]
    is_word = instead[0].isalpha() and not text[offsets[0]].isalpha() and text[offsets[0]] not in QUOTES
    lead = " " if is_word and not before.isspace() and before not in '("' else ""
    return Rewriting(offsets, f"{lead}{instead}{' ' if is_word and after and not after.isspace() else ''}")


def _exact_range(spot: _Spot, dots: re.Match[str]) -> str:
    """For `3..30`: the range as it is written."""
    ends = DOTTED_RANGE.fullmatch(spot.text) if dots[0].startswith("..") else None
    return f"write `{ends[1]} to {ends[2]}`" if ends else ""


def _joined_comparison(spot: _Spot, equals: re.Match[str]) -> str:
    """For `> =`: the comparison without the blank."""
    before = spot.text[: equals.start()].rstrip()[-1:]
    return f"{before}=" if equals[0] == "=" and before in ("<", ">") else ""


def _explain_two_names(spot: _Spot) -> ParseError | None:
    """`points me`: a key without parentheses, or an amount without `of`."""
    before = NAME_BEFORE.search(spot.text, 0, spot.start)
    is_name = spot.word.isidentifier() and spot.word not in KEYWORDS
    if before is None or before[1] in KEYWORDS or not is_name or not {"(", "of"} <= spot.expected:
        return None
    if did_you_mean(spot.word, [token for token in spot.expected if token.islower()]):
        return None
    if before[1] in ARTICLES:
        hint = f"names stand alone: write `{spot.word}`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), f"unexpected `{before[1]}`", "not expected", hint)
    if before[1] in POSSESSIVES:
        hint = f"whose it is stands in parentheses: write `{spot.word}({'me' if before[1] in ('my', 'your') else '…'})`"
        return ParseError(codes.UNEXPECTED_WORD, before.span(1), f"unexpected `{before[1]}`", "not expected", hint)
    pair = f"`{before[1]}({spot.word})`", f"`{before[1]} of {spot.word}`"
    hint = f"write {pair[0]} if it is a key, {pair[1]} for an amount, or an operator between them"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)


def _explain_brackets(spot: _Spot) -> ParseError | None:
    """`board[a1]`: keys as other languages write them; `{goal}`: a name as sentences have it."""
    before = KEY_BEFORE.search(spot.text, 0, spot.start)
    match = BRACKETED_KEY.match(spot.text, spot.start) if before else None
    if match is not None and before is not None:
        key = match[1].strip()
        hint = f"keys go in parentheses: `{before[1]}({key})`"
        if key.isidentifier() and key not in ("me", "player"):
            hint += f"; a field follows a dot: `{before[1]}.{key}`"
        if key[0] in QUOTES and (name := key.strip(QUOTES)).isidentifier():
            hint = f"write `{before[1]}.{name}` for a field, `{before[1]}({name})` for a key"
        return ParseError(codes.BRACKETS, (spot.start, spot.start + 1), "unexpected `[`", "", hint)
    braced = BRACED_VALUE.match(spot.text, spot.start)
    if braced is None or "NAME" not in spot.expected:
        return None
    written = braced[1] if braced[1].isalnum() or braced[1].isidentifier() else f"({braced[1]})"
    message = f"unexpected `{spot.text[spot.start]}`"
    return ParseError(codes.BRACKETS, (spot.start, spot.start + 1), message, "", f"write `{written}`")


def _explain_other_words(spot: _Spot) -> ParseError | None:
    """`count(x) is at least 3`: a comparison or a sum in words."""
    found = find_words_for_operator(spot.text, spot.start)
    if found is None:
        return None
    message = f"`{spot.text[slice(*found.offsets)]}` is not an operator"
    written = _spaced(spot.text, found.offsets, found.operator) if found.operator else None
    return ParseError(codes.FOREIGN_OPERATOR, found.offsets, message, "", found.hint, written)


def _explain_other_order(spot: _Spot) -> ParseError | None:
    """`2 top`, `8 x 8`: an amount, a grid or a loop in another form."""
    hint = find_usual_form(spot.text, spot.expected)
    message = f"unexpected {'keyword ' if spot.word in KEYWORDS and 'NAME' in spot.expected else ''}`{spot.word}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, message, "not expected", hint) if hint else None


def _explain_quantifier(spot: _Spot) -> ParseError | None:
    """`any row has …`: a quantifier of another language."""
    match = QUANTIFIER_BEFORE.search(spot.text, 0, spot.start)
    if match is None or not spot.word.isidentifier():
        return None
    hint = meant_hint(match[1], FOREIGN_QUANTIFIERS[match[1]])
    return ParseError(codes.UNEXPECTED_WORD, match.span(1), f"unexpected `{match[1]}`", "not a keyword", hint)


def _explain_letters(spot: _Spot) -> ParseError | None:
    words = WORD_PATTERN.finditer(spot.text)
    match = next((match for match in words if match.start() <= spot.start < match.end()), None)
    if match is None or match[0] == spot.word.lower():
        return None
    lower = match[0].lower()
    if lower != match[0] and lower.isascii():
        message = f"`{match[0]}` has capital letters"
        owner = OWNER_BEFORE.search(spot.text, 0, match.start())
        snake = snake_case(match[0])
        lowercase = WordHint(f"names are lowercase: `{snake}`", match[0], snake)
        hint = (method_hint(lower, owner[1]) if owner else "") or lowercase
        return ParseError(codes.CAPITAL_LETTERS, match.span(), message, "", hint)
    if not lower.isascii() or lower.startswith("_"):
        hint = describe_foreign_letter(match[0])
        rewriting = Rewriting(match.span(), hint.meant) if isinstance(hint, WordHint) else None
        hint = hint or "names are made of a to z, digits and _, and start with a letter"
        return ParseError(codes.STRAY_CHARACTER, spot.offsets, f"`{match[0]}` is not a name", "", hint, rewriting)
    return None


def _explain_chain(spot: _Spot) -> ParseError | None:
    """`a < b < c`: walks back from the second operator to the first, unless a clause begins between them."""
    if spot.word not in COMPARISON_TOKENS | {"not"}:
        return None
    stack, closed = spot.stack, 0
    for index in range(len(stack) - 1, -1, -1):
        part, before = stack[index], stack[index - 1] if index else None
        if isinstance(part, Tree):
            is_comparison = part.data in COMPARE_RULES
        elif part == ")":  # keys, arguments and what is in parentheses belong to the operand
            closed += 1
            continue
        elif closed and part == "(":
            closed -= 1
            continue
        elif not closed and part in CLAUSE_BOUNDARIES and not _is_inside_operand(part, before, stack[index + 1 :]):
            return None
        else:
            # the `in` of `some x in …` is no comparison: before it is a bare word, not a value
            is_comparison = part in COMPARISON_TOKENS and (isinstance(before, Tree) or before in (")", "not"))
        if is_comparison and not closed:
            message = "comparisons cannot be chained"
            hint = "write `a < b and b < c`"
            return ParseError(codes.CHAINED_COMPARISON, spot.offsets, message, "second comparison", hint)
    return None


def _is_inside_operand(word: Token, before: Tree[Token] | Token | None, after: ParseStack) -> bool:
    """Whether a word that begins a clause elsewhere is part of an operand or comparison here."""
    if word == "of":
        return before not in ("sum", "max", "min")  # `2 of red` is a value, and `sum of …` has no comparison in it
    return word == "not" and (before == "is" or (bool(after) and after[0] == "in"))


def _explain_minus(spot: _Spot) -> ParseError | None:
    if spot.expected != {"INT"} or not spot.text[: spot.start].rstrip().endswith("-"):
        return None
    message = "only a literal number can be negative"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, message, "not a number", f"write `0 - {spot.word}`")


def _explain_missing_of(spot: _Spot) -> ParseError | None:
    """`3 red`: a number of something needs an `of`."""
    word, number = spot.word, NUMBER_BEFORE.search(spot.text, 0, spot.start)
    if number is None or word in KEYWORDS or not word.isidentifier():
        return None
    if "of" not in spot.expected or "by" in spot.expected:
        return None
    hint = join_hints(f"did you mean `{number[1]} of {word}`?", describe_expected(spot.expected))
    if times := TIMES_SIGN.match(spot.text, spot.start):
        hint = "write `*` to multiply"
        if times[1]:
            hint = f"write `{number[1]} of {times[1]}` for an amount, `{number[1]} * {times[1]}` for a product"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{word}`", "missing `of`", hint)


def _explain_counted_loop(spot: _Spot) -> ParseError | None:
    """`count of … for …`: what is added up for each is a sum."""
    counted = COUNTED_LOOP.search(spot.text, 0, spot.start) if spot.word == "for" else None
    if counted is None:
        return None
    hint = "write `sum of … for …`; how many there are is `count(each … where …)`"
    message = f"unexpected `{counted[1]}`"
    return ParseError(codes.UNEXPECTED_WORD, counted.span(1), message, "not a loop", hint)


def _explain_adverb(spot: _Spot) -> ParseError | None:
    """`exactly 2`: a number stands alone."""
    before = NAME_BEFORE.search(spot.text, 0, spot.start)
    if before is None or before[1] not in ADVERBS or not spot.word.isdecimal():
        return None
    hint = f"a number stands alone: write `{spot.word}`"
    return ParseError(codes.UNEXPECTED_WORD, before.span(1), f"unexpected `{before[1]}`", "not expected", hint)


def _explain_two_numbers(spot: _Spot) -> ParseError | None:
    """`[0, 3 5]`: two values with nothing between them."""
    number = NUMBER_BEFORE.search(spot.text, 0, spot.start)
    if number is None or not spot.word.isdecimal():
        return None
    hint = f"put a comma or an operator between `{number[1]}` and `{spot.word}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)


def _explain_missing_each(spot: _Spot) -> ParseError | None:
    """`red where …`: a filter needs an `each`."""
    match = SELECTION_PATTERN.fullmatch(spot.text, spot.text.rfind("(", 0, spot.start) + 1, spot.start)
    if spot.word != "where" or match is None:
        return None
    selected = match[1]
    hint = f"write `each {selected} where …`"
    if selected in SEAT_SETS:
        hint = f"write `each player in {selected} where …`"
    elif " " not in selected:
        hint += f"; if that is not a kind or component, `each one in {selected} where …`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `where`", "nothing to filter", hint)


def _explain_missing_parentheses(spot: _Spot) -> ParseError | None:
    """`1 + sum of …`: what extends as far to the right as it can needs parentheses as an operand."""
    word = spot.word
    if word not in PREFIX_KEYWORDS or not {"NAME", "("} <= spot.expected or word in spot.expected:
        return None
    form = {"if": "if … then … else …", "each": "each … where …"}.get(word, f"{word} … has …")
    form = f"{word} of … for …" if word in ("sum", "max", "min") else form
    hint = f"write `({form})`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{word}`", "needs parentheses", hint)


def _explain_folding_call(spot: _Spot) -> ParseError | None:
    """`sum(…)`: a word with a loop behind it is not a function."""
    if spot.word != "(" or not spot.text[: spot.start].rstrip().endswith("sum"):
        return None
    hint = "write `sum of … for … in …`; how many there are is `count(…)`, the total of a field `things.field`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `(`: `sum` is not a function", "", hint)


def _explain_for_in_call(spot: _Spot) -> ParseError | None:
    """`max(… for …)`: a loop is not a call."""
    call = None if spot.word != "for" else OPEN_CALL.search(spot.text, 0, spot.start)
    if call is None or call[1] not in FOLDS_OF_CALLS:
        return None
    loop = LOOP_PATTERN.match(spot.text, spot.start)
    hint = f"write `{FOLDS_OF_CALLS[call[1]].format(' '.join(loop[1].split()) if loop else '… in …')}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `for`", "in a call", hint)


def _explain_leading_for(spot: _Spot) -> ParseError | None:
    """`for every x in …`: a word too many before a quantifier."""
    match = FOR_QUANTIFIER.match(spot.text, spot.start)
    if match is None or "for" in spot.expected:
        return None
    hint = f"write `{'some' if match[1] in ('any', 'some') else 'every'} … in … has …`, without `for`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected keyword `for`", "not expected", hint)


def _explain_conditional(spot: _Spot) -> ParseError | None:
    """`1 if leads else 0`: the condition comes first."""
    match = CONDITION_BEHIND.fullmatch(spot.text)
    if match is None or spot.start != match.start(2):
        return None
    value, test, other = (part.strip() if part else "…" for part in match.group(1, 3, 4))
    hint = f"write `if {test} then {value} else {other}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, "unexpected `if`", "behind a value", hint)


# tried in order; the first that knows the mistake explains it
EXPLANATIONS: Final[tuple[Callable[[_Spot], ParseError | None], ...]] = (
    _explain_decimal,
    _explain_key,
    _explain_brackets,
    _explain_named_argument,
    _explain_foreign_syntax,
    _explain_letters,
    _explain_other_words,
    _explain_other_order,
    _explain_chain,
    _explain_minus,
    _explain_quantifier,
    _explain_missing_of,
    _explain_two_numbers,
    _explain_adverb,
    _explain_missing_each,
    _explain_missing_parentheses,
    _explain_folding_call,
    _explain_two_names,
    _explain_for_in_call,
    _explain_counted_loop,
    _explain_leading_for,
    _explain_conditional,
)


def describe_expected(expected: frozenset[str]) -> str:
    """What the grammar allows at a spot, in words: `expected a value or …`."""
    rest = set(expected)
    items = []
    if {"NAME", "INT"} <= rest:
        items.append("a value")
        rest -= EXPRESSION_STARTERS | {"NAME", "INT"}
    elif "NAME" in rest:
        items.append("a name")
    elif "INT" in rest:
        items.append("a number")
    # `of`, `to` and `(` can follow nearly every value; they are listed only where little else can
    has_operators = len(rest & OPERATOR_TOKENS) > 3
    can_end = "$END" in rest
    rest -= {"NAME", "INT", "$END"} | (OPERATOR_TOKENS if has_operators else frozenset())
    items += [f"`{token}`" for token in sorted(rest)]
    if has_operators:
        items.append("an operator")
    if can_end:
        items.append("the end")
    return f"expected {', '.join(items[:-1])} or {items[-1]}" if len(items) > 1 else f"expected {''.join(items)}"
