"""The words of expressions by what they are, so that an editor can give each its colour.

In: rules that are open. Out: tokens of the open file in its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.file_uses import uses_in
from rulewright.editor.known_names import label_of
from rulewright.editor.name_uses import ExpressionPlace, NameUse
from rulewright.editor.open_rules import SCENARIOS, OpenRules
from rulewright.expr.keywords import FUNCTIONS, KEYWORDS
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, SequenceNode

TokenKind = Literal["keyword", "function", "variable", "parameter", "type", "enumMember", "property", "number"]
TOKEN_KINDS: Final[tuple[TokenKind, ...]] = (
    "keyword", "function", "variable", "parameter", "type", "enumMember", "property", "number",
)  # fmt: skip
KINDS_OF_NAMES: Final[dict[str, TokenKind]] = {
    "kind": "type", "parameter": "parameter", "component": "type", "zone": "property", "state": "property",
    "value": "function", "member": "enumMember", "thing": "enumMember",
}  # fmt: skip
LONG_LIST: Final = 200  # items: no list of steps or names is so long
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
    return _in_order(rules.names.expressions_in(rules.path), rules.names.uses_in(rules.path))


def tokens_within(rules: OpenRules, start: int, end: int) -> list[Token] | None:
    """The same, at least those from one offset to another; of a file that has not changed all are known."""
    node = node_of_file(rules.path)
    if not isinstance(node, MappingNode) or not node.entries or rules.names is None:
        return None
    part = _without_far_items(node, start, end)
    if part is node or not isinstance(part, MappingNode) or node.entries[0].key.text == SCENARIOS:
        return tokens(rules)
    expressions: list[ExpressionPlace] = []
    uses = [*uses_in(rules.names.of_file(rules.path, node), part, expressions)]
    return _in_order(expressions, uses)


def _without_far_items(node: Node, start: int, end: int) -> Node:
    """A node without most items of long lists, in which no item is explained by another: rows, statements."""
    if isinstance(node, SequenceNode) and len(node.items) >= LONG_LIST:
        near = tuple(item for item in node.items if item.span.start <= end and item.span.end >= start)
        return SequenceNode(near, node.span)
    if not isinstance(node, MappingNode):
        return node
    values = [_without_far_items(entry.value, start, end) for entry in node]
    if all(value is entry.value for entry, value in zip(node, values, strict=True)):
        return node
    entries = (Entry(entry.key, value, entry.history) for entry, value in zip(node, values, strict=True))
    return MappingNode(tuple(entries), node.span)


def _in_order(expressions: Iterable[ExpressionPlace], uses: Iterable[NameUse]) -> list[Token]:
    known = {use.span.start: use for use in uses}
    found = {token.start: token for place in expressions for token in _tokens(place, known)}
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


__all__ = ["TOKEN_KINDS", "Token", "TokenKind", "tokens", "tokens_within"]
