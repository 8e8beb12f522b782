"""Why a text is not an expression, in plain words: what is at the spot, what was expected, and what was probably meant.

In: the text, the spot, the tokens that the grammar allows there and what was read before it. Out: a `ParseError`. What
is written as in other languages is explained by `foreign_habits.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, Literal

from lark import Token, Tree

from rulewright import limits
from rulewright.expr import codes
from rulewright.expr.foreign_habits import (
    KEY_BEFORE,
    WORDS_FOR_ELSE,
    WORDS_FOR_WHERE,
    explain_adverb,
    explain_brackets,
    explain_conditional,
    explain_counted_loop,
    explain_folding_call,
    explain_for_in_call,
    explain_foreign_syntax,
    explain_leading_for,
    explain_named_argument,
    explain_other_order,
    explain_other_words,
    explain_quantifier,
    explain_two_names,
)
from rulewright.expr.foreign_lists import (
    explain_arrow,
    explain_bare_list,
    explain_between,
    explain_filter,
    explain_listed_values,
    explain_lone_not,
    explain_loop_word,
    explain_missing_has,
    explain_question_in_call,
)
from rulewright.expr.keywords import KEYWORDS, word_set
from rulewright.expr.method_hints import method_hint
from rulewright.expr.other_words import find_usual_form
from rulewright.expr.parse_spot import ParseStack, Spot
from rulewright.expr.syntax_tree import ParseError, Rewriting
from rulewright.expr.tree import Offsets
from rulewright.lazy_pattern import lazy_pattern
from rulewright.suggestions import (
    WordHint,
    describe_blank,
    describe_foreign_letter,
    did_you_mean,
    join_hints,
    letter_for_digit,
    meant_hint,
    snake_case,
)

DECIMAL_PATTERN: Final = lazy_pattern(r"[0-9]+\s*\.\s*[0-9]+")
WORD_PATTERN: Final = lazy_pattern(r"\w+")
DASHED_RANGE: Final = lazy_pattern(r"\s*([a-z0-9_]+)\s*-\s*([a-z0-9_]+)\s*")  # a range in another notation
NUMBER_BEFORE: Final = lazy_pattern(r"(?<![\w.])([0-9]+)\s+$")
SELECTION_PATTERN: Final = lazy_pattern(r"\s*([a-z][a-z0-9_]*(?:\s+in\s+[a-z][^:]*?)?)\s*")
SEAT_SETS: Final = word_set("everyone others opponents nobody")
WHOLE_KIND: Final = lazy_pattern(r"\s*(?:every|each)\s+([a-z][a-z0-9_]*)\s*")
OWNER_BEFORE: Final = lazy_pattern(r"([a-z_][a-z0-9_]*(?:\([^()]*\))?)\.$")  # what is before a dot
TIMES_SIGN: Final = lazy_pattern(r"x\s+([a-z_]\w*\b(?!\s*\())?")  # and a name behind it that may mean a member
CHAIN_PATTERN: Final = lazy_pattern(r"\s*([^<>=]+?)\s*(<=?|>=?)\s*([^<>=]+?)\s*(<=?|>=?)\s*([^<>=]+?)\s*")
COLON_PATTERN: Final = lazy_pattern(r"\s*:(?=\s|$)")

OPERATOR_TOKENS: Final = word_set("+ - * // % less < <= > >= is in not fits and or to of . (")
PREFIX_KEYWORDS: Final = word_set("if some every no each sum max min")  # extend as far to the right as they can
EXPRESSION_STARTERS: Final = PREFIX_KEYWORDS | word_set("( - not first last")
COMPARISON_TOKENS: Final = word_set("< <= > >= is in fits")
COMPARE_RULES: Final = word_set("is is_not is_empty is_not_empty below at_most above at_least in not_in fits_in")
CLAUSE_BOUNDARIES: Final = word_set("( , and or not if then else has where of")

OPENING_KEYWORDS: Final = ("first", "last", "some", "every", "each", "sum")  # with which something begins
NAME_BEFORE: Final = lazy_pattern(r"\b([a-z_]{3,})\s+$")

UnexpectedPart = Literal["end", "character", "word"]  # a character that is no token, a token out of place


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
    spot = Spot(text, offsets, expected, stack)
    if part == "end":
        return _explain_end(spot)
    for explain in EXPLANATIONS:
        if error := explain(spot):
            return error
    word = spot.word
    if part == "character":
        if blank := describe_blank(word):
            space = WordHint("write an ordinary space", word, " ")
            return ParseError(codes.STRAY_CHARACTER, offsets, f"unexpected {blank}", "looks like a space", space)
        message = f"unexpected character `{word}`"
        return ParseError(codes.STRAY_CHARACTER, offsets, message, "", describe_expected(expected))
    keyword = "keyword " if word in KEYWORDS and "NAME" in expected else ""
    is_called = spot.text[offsets[1] : offsets[1] + 1] == "("  # so that it is a name, and no misspelled keyword
    meant = "" if keyword or is_called else _keyword_meant(word, expected)
    hint = join_hints(meant or _misspelled_before(spot), describe_expected(expected))
    if keyword and not expected & EXPRESSION_STARTERS:  # only a name can stand here
        hint = f"a word of the language cannot be a name; choose another, like `{word}_one`"
    return ParseError(codes.UNEXPECTED_WORD, offsets, f"unexpected {keyword}`{word}`", "not expected", hint)


def _keyword_meant(word: str, expected: Collection[str]) -> str:
    """The keyword that is spelled like a word, or that says what the word says elsewhere."""
    if near := did_you_mean(word, [token for token in expected if token.islower()]):
        return near
    meant = ("else",) if word in WORDS_FOR_ELSE else ("has", "where") if word in WORDS_FOR_WHERE else ()
    return next((meant_hint(word, keyword) for keyword in meant if keyword in expected), "")


def _misspelled_before(spot: Spot) -> str:
    """What the name before was probably meant to be, if a keyword like it would go on as the text does."""
    before = NAME_BEFORE.search(spot.text, 0, spot.start)
    return "" if before is None else did_you_mean(before[1], OPENING_KEYWORDS)


def _explain_end(spot: Spot) -> ParseError:
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


def _explain_decimal(spot: Spot) -> ParseError | None:
    for match in DECIMAL_PATTERN.finditer(spot.text):
        if match.start() <= spot.start < match.end():
            message = f"`{match[0]}` is not a whole number"
            return ParseError(codes.DECIMAL_NUMBER, match.span(), message, "no fractions", "count in smaller units")
    return None


def _explain_key(spot: Spot) -> ParseError | None:
    word, offsets = spot.word, spot.offsets
    before = KEY_BEFORE.search(spot.text, 0, spot.start)
    if word == ":" and before:
        word, offsets = before[1], before.span(1)
    if word.isidentifier() and COLON_PATTERN.match(spot.text, offsets[1]):
        message = f"`{word}:` looks like a key inside an expression"
        hint = "put the key on a line of its own, or after a comma"
        return ParseError(codes.KEY_INSIDE, offsets, message, "not part of an expression", hint)
    return None


def _explain_letters(spot: Spot) -> ParseError | None:
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
        hint = (method_hint(lower, owner[1]) if owner else "") or letter_for_digit(match[0]) or lowercase
        return ParseError(codes.CAPITAL_LETTERS, match.span(), message, "", hint)
    if not lower.isascii() or lower.startswith("_"):
        hint = describe_foreign_letter(match[0])
        rewriting = Rewriting(match.span(), hint.meant) if isinstance(hint, WordHint) else None
        hint = hint or "names are made of a to z, digits and _, and start with a letter"
        return ParseError(codes.STRAY_CHARACTER, spot.offsets, f"`{match[0]}` is not a name", "", hint, rewriting)
    return None


def _explain_chain(spot: Spot) -> ParseError | None:
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
            hint = f"write `{_unchained(spot.text) or 'a < b and b < c'}`"
            return ParseError(codes.CHAINED_COMPARISON, spot.offsets, message, "second comparison", hint)
    return None


def _unchained(text: str) -> str:
    """For a text that is nothing but `a < b < c`: how it is written."""
    match = CHAIN_PATTERN.fullmatch(text)
    if match is None or any(word in KEYWORDS for part in match.group(1, 3, 5) for word in WORD_PATTERN.findall(part)):
        return ""
    left, first, middle, second, right = match.groups()
    return f"{left} {first} {middle} and {middle} {second} {right}"


def _is_inside_operand(word: Token, before: Tree[Token] | Token | None, after: ParseStack) -> bool:
    """Whether a word that begins a clause elsewhere is part of an operand or comparison here."""
    if word == "of":
        return before not in ("sum", "max", "min")  # `2 of red` is a value, and `sum of …` has no comparison in it
    return word == "not" and (before == "is" or (bool(after) and after[0] == "in"))


def _explain_minus(spot: Spot) -> ParseError | None:
    if spot.expected != {"INT"} or not spot.text[: spot.start].rstrip().endswith("-"):
        return None
    message = "only a literal number can be negative"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, message, "not a number", f"write `0 - {spot.word}`")


def _explain_missing_of(spot: Spot) -> ParseError | None:
    """`3 red`: a number of something needs an `of`."""
    word, number = spot.word, NUMBER_BEFORE.search(spot.text, 0, spot.start)
    if number is None or word in KEYWORDS or not word.isidentifier():
        return None
    if "of" not in spot.expected or "by" in spot.expected or _keyword_meant(word, spot.expected):
        return None
    meant = f"did you mean `{number[1]} of {word}`?"
    hint = join_hints(meant, f"a number has no unit: `{number[1]}`", describe_expected(spot.expected))
    if times := TIMES_SIGN.match(spot.text, spot.start):
        hint = "write `*` to multiply"
        if times[1]:
            hint = f"write `{number[1]} of {times[1]}` for an amount, `{number[1]} * {times[1]}` for a product"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{word}`", "missing `of`", hint)


def _explain_two_numbers(spot: Spot) -> ParseError | None:
    """`[0, 3 5]`: two values with nothing between them."""
    number = NUMBER_BEFORE.search(spot.text, 0, spot.start)
    if number is None or not spot.word.isdecimal():
        return None
    hint = f"put a comma or an operator between `{number[1]}` and `{spot.word}`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{spot.word}`", "not expected", hint)


def _explain_missing_each(spot: Spot) -> ParseError | None:
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


def _explain_missing_parentheses(spot: Spot) -> ParseError | None:
    """`1 + sum of …`: what extends as far to the right as it can needs parentheses as an operand."""
    word = spot.word
    if word not in PREFIX_KEYWORDS or not {"NAME", "("} <= spot.expected or word in spot.expected:
        return None
    form = {"if": "if … then … else …", "each": "each … where …"}.get(word, f"{word} … has …")
    form = f"{word} of … for …" if word in ("sum", "max", "min") else form
    hint = f"write `({form})`"
    return ParseError(codes.UNEXPECTED_WORD, spot.offsets, f"unexpected `{word}`", "needs parentheses", hint)


# tried in order; the first that knows the mistake explains it
EXPLANATIONS: Final[tuple[Callable[[Spot], ParseError | None], ...]] = (
    _explain_decimal,
    _explain_key,
    explain_listed_values,
    explain_bare_list,
    explain_brackets,
    explain_arrow,
    explain_named_argument,
    explain_foreign_syntax,
    _explain_letters,
    explain_between,
    explain_lone_not,
    explain_loop_word,
    explain_other_words,
    explain_other_order,
    _explain_chain,
    _explain_minus,
    explain_quantifier,
    _explain_missing_of,
    _explain_two_numbers,
    explain_adverb,
    explain_question_in_call,
    explain_filter,
    _explain_missing_each,
    _explain_missing_parentheses,
    explain_folding_call,
    explain_missing_has,
    explain_two_names,
    explain_for_in_call,
    explain_counted_loop,
    explain_leading_for,
    explain_conditional,
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
