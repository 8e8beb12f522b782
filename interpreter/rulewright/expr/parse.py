"""Reads an expression: its words are put together as the grammar says, or the first word that does not fit is reported.

In: a text and what it should be (a value, an amount, a place …). Out: a `SyntaxNode` or a `ParseError`. What is right
is read by a table (`table_parser`), or was by an earlier process (`syntax_cache`); Lark is imported for what is not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rulewright import limits
from rulewright.expr import codes
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.syntax_cache import find_tree, note_tree
from rulewright.expr.syntax_tree import ParseError, SyntaxNode
from rulewright.expr.table_parser import parse_by_table
from rulewright.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from rulewright.expr.grammar import StartRule


@lru_cache(maxsize=8192)
def parse(text: str, start: StartRule = "expr") -> SyntaxNode | ParseError:
    """Reads a text as a value, or as what `start` says. The same text is read only once."""
    if len(text) > limits.MAX_EXPRESSION_LENGTH:
        message = f"an expression of {len(text)} characters is over the limit of {limits.MAX_EXPRESSION_LENGTH}"
        return ParseError(
            codes.EXPRESSION_TOO_LONG, (0, len(text)), message, "too long", "name a part of it in `values`"
        )
    known = find_tree(text, start)
    if known is not None:
        return known
    tree = parse_by_table(text, start)
    if tree is None:
        from rulewright.expr.lark_parser import parse_by_grammar

        return parse_by_grammar(text, start)
    note_tree(text, start, tree)
    return tree


TOKEN_PATTERN: Final = lazy_pattern(r"[a-z0-9_]+|<=|>=|//|\S")
NO_SPACE_BEFORE: Final = frozenset({")", ",", "."})
NO_SPACE_AFTER: Final = frozenset({"(", "."})


def canonical_text(text: str) -> str:
    """The same words with uniform spacing, so that two texts can be compared."""
    canonical = ""
    last = ""
    for token in TOKEN_PATTERN.findall(text):
        is_call = token == "(" and (last.replace("_", "a").isalnum() and last not in KEYWORDS)
        is_tight = not last or token in NO_SPACE_BEFORE or last in NO_SPACE_AFTER or is_call
        canonical += token if is_tight else f" {token}"
        last = token
    return canonical
