"""The words of expressions by what they are, so that an editor can give each its colour.

In: rules that are open. Out: tokens of the open file in its order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from rulewright.diagnostics import Diagnostics
from rulewright.document.address import child_entries
from rulewright.document.language import is_expression, principal_key
from rulewright.editor.name_uses import CHANGES
from rulewright.editor.open_rules import OpenRules
from rulewright.expr.keywords import BUILTINS, FUNCTIONS, KEYWORDS
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.reader import parse_file

TokenKind = Literal["keyword", "function", "variable", "parameter", "type", "enumMember", "property", "number"]
TOKEN_KINDS: Final[tuple[TokenKind, ...]] = (
    "keyword", "function", "variable", "parameter", "type", "enumMember", "property", "number",
)  # fmt: skip
KINDS_OF_NAMES: Final[dict[str, TokenKind]] = {
    "kind": "type", "parameter": "parameter", "component": "type", "zone": "property", "state": "property",
    "value": "function", "member": "enumMember", "thing": "enumMember",
}  # fmt: skip
TOKEN: Final = re.compile(r"[A-Za-z_]\w*|\d+")


@frozen
class Token:
    """A word: the offset of its first character, its length, what it is."""

    start: int
    length: int
    kind: TokenKind


def tokens(rules: OpenRules) -> list[Token]:
    """The tokens of the expressions in the open file."""
    node = parse_file(rules.path, Diagnostics())
    if node is None:
        return []
    found = [token for scalar in _expressions(rules, node) for token in _tokens(rules, scalar)]
    return sorted(found, key=lambda token: token.start)


def _expressions(rules: OpenRules, node: Node) -> Iterator[ScalarNode]:
    for entry in child_entries(node):
        if not rules.is_variant:
            yield from _expressions_at(entry.value, (entry.key.text,))
        elif entry.key.text in CHANGES:
            for change in child_entries(entry.value):
                yield from _expressions_at(change.value, tuple(change.key.text.split(".")))


def _expressions_at(node: Node, parts: tuple[str, ...]) -> Iterator[ScalarNode]:
    match node:
        case ScalarNode(value=str()):
            principal = principal_key(parts)
            if is_expression(parts) or (principal and is_expression((*parts, principal))):
                yield node
        case MappingNode() | SequenceNode():
            for entry in child_entries(node):
                yield from _expressions_at(entry.value, (*parts, entry.key.text))


def _tokens(rules: OpenRules, scalar: ScalarNode) -> Iterator[Token]:
    for match in TOKEN.finditer(scalar.text):
        span = scalar.subspan(*match.span())
        yield Token(span.start, span.end - span.start, _kind(rules, scalar.text, match))


def _kind(rules: OpenRules, text: str, match: re.Match[str]) -> TokenKind:
    word = match[0]
    if word.isdigit():
        return "number"
    if match.start() and text[match.start() - 1] == ".":
        return "property"
    if word in KEYWORDS:
        return "keyword"
    if word in FUNCTIONS:
        return "function"
    declared = rules.declarations.get(word)
    return "variable" if declared is None or word in BUILTINS else KINDS_OF_NAMES.get(declared.label, "variable")


__all__ = ["TOKEN_KINDS", "Token", "TokenKind", "tokens"]
