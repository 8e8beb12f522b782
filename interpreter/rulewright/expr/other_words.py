"""What a player would write for an operator or an amount: `is at least`, `2 top`, `8 x 8`.

In: a text that is no expression, and where reading it stopped. Out: the words that are meant, and what to write.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from rulewright.expr.tree import Offsets
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern


@frozen
class WordsForOperator:
    """Words, and the operator that is written instead; none where a hint says what to do."""

    offsets: Offsets
    operator: str
    hint: str


# words of everyday English, of other languages, or in another order, and what is written instead
_WORDS_FOR_OPERATORS: Final[tuple[tuple[re.Pattern[str], str, str], ...]] = tuple(
    (re.compile(rf"\b{pattern}"), operator, advice or f"write `{operator}`")
    for pattern, operator, advice in (
        (r"not\s+is(?=\s|$)", "is not", ""),
        (r"(?:is\s+)?(?:greater|more|larger|bigger|higher)\s+(?:than\s+)?or\s+equal(?:\s+(?:to|than))?\b", ">=", ""),
        (r"(?:is\s+)?(?:less|fewer|smaller|lower)\s+(?:than\s+)?or\s+equal(?:\s+(?:to|than))?\b", "<=", ""),
        (r"(?:is\s+)?(?:greater|more|larger|bigger|higher)\s+than\b", ">", ""),
        (r"(?:is\s+)?(?:less|fewer|smaller|lower)\s+than\b", "<", ""),
        (r"(?:is\s+)?(?:at\s+least|no\s+less\s+than)\b", ">=", ""),
        (r"(?:is\s+)?(?:at\s+most|no\s+more\s+than|up\s+to)\b", "<=", ""),
        (r"(?:is\s+)?(?:above|over)\b|exceeds\b", ">", ""),
        (r"(?:is\s+)?(?:below|under)\b", "<", ""),
        (r"(?:is\s+not\s+equal|not\s+equals?|unequal|differs\s+from)(?:\s+to)?\b", "is not", ""),
        (r"(?:isn|aren)[’']?t(?!\s+in\b)", "is not", ""),
        (r"(?:is\s+)?equals?(?:\s+to)?\b|are\b|eq\b", "is", ""),
        (r"is\s+not\s+in\b|isn[’']?t\s+in\b", "not in", ""),
        (r"is\s+in\b", "in", ""),
        (r"fits(?!\s+in\b)", "fits in", ""),
        (r"(?:contains|includes|holds)\b", "", "write it the other way round: `… in …`"),
        (r"minus\b", "", "write `-`, or `less` for what is never below 0"),
        (r"(?:without|except)\b", "less", ""),
        (r"plus\b", "+", ""),
        (r"(?:times|multiplied\s+by)\b", "*", ""),
        (r"(?:divided\s+by|div)\b", "", "write `//`"),
        (r"xor\b", "is not", ""),
        (r"but\b", "and", ""),
        (r"unless\b", "", "write `if not (…) then … else …`"),
        (r"(?:elif|elseif)\b", "", "write `else if`"),
    )
)  # fmt: skip

# amounts, a size and a loop in another order: the pattern, the word that is expected where it stops, the usual form
_USUAL_FORMS: Final[tuple[tuple[re.Pattern[str], str, str], ...]] = tuple(
    (re.compile(rf"\s*{pattern}\s*"), expected, usual)
    for pattern, expected, usual in (
        (r"(\S.*?(?<! at))\s+top", "at", r"top \1"),
        (r"(\S.*?(?<! at))\s+random", "at", r"\1 at random"),
        (r"random(?:ly)?\s+(\S.*?)", "at", r"\1 at random"),
        (r"top\s+of\s+([a-z]\S*)", "INT", r"top`, and `from: \1"),
        (r"([0-9]+)\s*[x×*]\s*([0-9]+)", "by", r"\1 by \2"),
        (r"(?:between|from)\s+(\S+)\s+(?:and|to)\s+(\S+)", "to", r"\1 to \2"),
        (r"([a-z][a-z0-9_]*)\s+(bag|set)", "of", r"\2 of \1"),
        (
            r"(?:list|array|multiset|collection|counts?|numbers?|map|dict)\s+of\s+([a-z][a-z0-9_]*)",
            "to",
            r"bag of \1`, or `set of \1",
        ),
        (r"(\S+)\s+(?:of\s+)?each", "of", r"\1 of …"),
        (r"(?:each|every|all)\s+([a-z][a-z0-9_]*.*?)", "NAME", r"\1"),
    )
)


NAME_EXPECTED: Final = lazy_pattern(r"(?:\b(?:in|of|for)|[(,])\s*$")  # before what can be no operator


def find_words_for_operator(text: str, stop: int) -> WordsForOperator | None:
    """The words in which or behind which reading stopped, and the operator that they mean."""
    for pattern, operator, hint in _WORDS_FOR_OPERATORS:
        for match in pattern.finditer(text):
            is_name = match.start() < stop and NAME_EXPECTED.search(text[: match.start()])  # a zone may be called so
            if match.start() <= stop and not text[match.end() : stop].strip() and not is_name:
                return WordsForOperator(match.span(), operator, hint)
    return None


def find_usual_form(text: str, expected: Collection[str]) -> str:
    """What to write for an amount, a size or a loop in another order; `expected`: the tokens that could follow."""
    for pattern, token, usual in _USUAL_FORMS:
        match = pattern.fullmatch(text)
        if match and token in expected and (token != "NAME" or len(expected) == 1):
            return f"write `{match.expand(usual)}`"
    return ""


__all__ = ["WordsForOperator", "find_usual_form", "find_words_for_operator"]
