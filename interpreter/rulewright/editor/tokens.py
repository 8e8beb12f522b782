"""The words of expressions by what they are, so that an editor can give each its colour.

In: rules that are open. Out: tokens of the open file in its order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.known_names import label_of
from rulewright.editor.name_uses import ExpressionPlace, NameUse
from rulewright.editor.open_rules import OpenRules
from rulewright.expr.keywords import FUNCTIONS, KEYWORDS
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode

TokenKind = Literal["keyword", "function", "variable", "parameter", "type", "enumMember", "property", "number"]
TOKEN_KINDS: Final[tuple[TokenKind, ...]] = (
    "keyword", "function", "variable", "parameter", "type", "enumMember", "property", "number",
)  # fmt: skip
KINDS_OF_NAMES: Final[dict[str, TokenKind]] = {
    "kind": "type", "parameter": "parameter", "component": "type", "zone": "property", "state": "property",
    "value": "function", "member": "enumMember", "thing": "enumMember",
}  # fmt: skip
TOKEN: Final = lazy_pattern(r"[A-Za-z_]\w*|\d+")


@frozen
class Token:
    """A word: the offset of its first character, its length, what it is."""

    start: int
    length: int
    kind: TokenKind


def tokens(rules: OpenRules) -> list[Token] | None:
    """The tokens of the expressions in the open file, those in the holes of sentences, too; None while it or its game
    cannot be read.
    """
    node = node_of_file(rules.path)
    if not isinstance(node, MappingNode) or not node.entries or rules.names is None:
        return None
    expressions = rules.names.expressions_in(rules.path)
    uses = {use.span.start: use for use in rules.names.uses_in(rules.path)}
    found = {token.start: token for place in expressions for token in _tokens(place, uses)}
    return [found[start] for start in sorted(found)]


def _tokens(place: ExpressionPlace, uses: Mapping[int, NameUse]) -> Iterator[Token]:
    text = place.scalar.text
    for match in TOKEN.finditer(text, place.start, place.end):
        span = place.scalar.subspan(*match.span())
        yield Token(span.start, span.end - span.start, _kind(match[0], uses.get(span.start)))


def _kind(word: str, use: NameUse | None) -> TokenKind:
    if use is not None and use.is_field:
        return "property"
    if use is not None and use.address and use.local is None:
        return KINDS_OF_NAMES.get(label_of(use.address), "variable")
    if word.isdigit():
        return "number"
    if use is None or use.local is None:
        return "keyword" if word in KEYWORDS else "function" if word in FUNCTIONS else "variable"
    return "variable"


__all__ = ["TOKEN_KINDS", "Token", "TokenKind", "tokens"]
