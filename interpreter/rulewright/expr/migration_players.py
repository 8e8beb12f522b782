"""The kind of the players under its name of today, wherever rules name it.

In: the node of a file. Out: its text with that name; comments and order stay. The kind was called `seat`, and so was
every variable that a loop or a key made of it. A choice that an author has called so keeps its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.document.language import former_keys_of
from rulewright.document.migration.migration import RULE_FILES
from rulewright.expr.migration_expressions import Replacement, RuleText, moved, rule_texts, trees_in, with_replacements
from rulewright.expr.parse import parse
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.types import FORMER_SEAT_KIND, SEAT
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, as_mapping

KIND_KEYS: Final = frozenset({"per", "holds", "type", "fields", "with"})  # below which kinds are named
FIELD_RULE: Final = "field"  # `x.seat`: the second word is a field's
SENTENCE_FILES: Final = ("texts", "display", *former_keys_of("display"))


@frozen
class PlayerWords:
    """The text of a file, and how many places of it have changed. `is_left`: it has something else that is called
    `player`, so that nothing was changed.
    """

    text: str
    count: int
    is_left: bool = False


def respell_players(root: Node) -> PlayerWords:
    """The text of a file with the kind of the players under its name of today."""
    source = root.span.source.text
    head = root.entries[0].key.text if isinstance(root, MappingNode) and root.entries else ""
    if head not in (*RULE_FILES, *SENTENCE_FILES):
        return PlayerWords(source, 0)
    own = _own_choices(root)
    words = as_mapping(root).get("words")  # whose holes are the program's
    messages = range(words.span.start, words.span.end) if words is not None else range(0)
    texts = [text for text in rule_texts(root) if text.scalar.span.start not in messages and not _is_own(text, own)]
    found = [(text, list(_tokens(text))) for text in texts]
    renamed = [(text, names) for text, tokens in found if (names := _renamed(tokens))]
    if renamed and any(token.text == SEAT.kind for _, tokens in found for _, token in tokens):
        return PlayerWords(source, 0, is_left=True)
    renamed += [(RuleText(key, False, False), [Replacement(0, len(key.text), new)]) for key, new in _renamed_keys(root)]
    for text, names in sorted(renamed, key=lambda each: -each[0].scalar.span.start):
        source = with_replacements(source, text, names)
    return PlayerWords(source, len(renamed))


def _renamed(tokens: list[tuple[int, SyntaxToken]]) -> list[Replacement]:
    former = [(start, token) for start, token in tokens if token.text == FORMER_SEAT_KIND]
    return sorted((moved(token.offsets, start, SEAT.kind) for start, token in former), reverse=True)


def _tokens(text: RuleText) -> Iterator[tuple[int, SyntaxToken]]:
    """The names in a scalar, with where their expression begins."""
    if text.parts[:1] == ("kinds",):
        trees = [parse(text.scalar.text, "every_kind")]
    elif not text.is_expression and (KIND_KEYS.intersection(text.parts[2:]) or _is_bare_type(text)):
        trees = [parse(text.scalar.text, "type")]
    else:
        yield from ((start, token) for start, tree in trees_in(text) for token in _names(tree))
        return
    yield from ((0, token) for tree in trees if isinstance(tree, SyntaxNode) for token in _names(tree))


def _is_bare_type(text: RuleText) -> bool:
    return len(text.parts) == 2 and text.parts[0] == "state"


def _names(tree: SyntaxNode) -> Iterator[SyntaxToken]:
    parts = tree.parts[:1] if tree.rule == FIELD_RULE else tree.parts
    for part in parts:
        if isinstance(part, SyntaxNode):
            yield from _names(part)
        else:
            yield part


# ---- names of an author's own ---------------------------------------------------------------------------------


def _own_choices(root: Node) -> frozenset[str]:
    """The actions of a file that have a choice of that name."""
    actions = as_mapping(as_mapping(root).get("actions"))
    return frozenset(
        action.key.text for action in actions if FORMER_SEAT_KIND in as_mapping(as_mapping(action.value).get("choose"))
    )


def _is_own(text: RuleText, actions: frozenset[str]) -> bool:
    """Whether the name means a choice of its action there: not where it is said what can be chosen."""
    parts = text.parts
    return parts[:1] == ("actions",) and parts[1:2] != () and parts[1] in actions and "choose" not in parts


# ---- keys -----------------------------------------------------------------------------------------------------


def _renamed_keys(root: Node) -> Iterator[tuple[ScalarNode, str]]:
    """The keys that are that name, and what they become: of zones and values by name, of words, of members."""
    if isinstance(root, SequenceNode):
        for item in root.items:
            yield from _renamed_keys(item)
    for entry in as_mapping(root):
        if entry.key.text in ("per", "words"):
            former = as_mapping(entry.value).entry(FORMER_SEAT_KIND)
            if former is not None:
                yield former.key, SEAT.kind
        elif entry.key.text == "members":
            for member in as_mapping(entry.value):
                kind, _, number = member.key.text.rpartition(".")
                if kind == FORMER_SEAT_KIND and number.isdecimal():  # a display counted players from 0
                    yield member.key, f"{SEAT.kind}.{int(number) + 1}"
        yield from _renamed_keys(entry.value)


__all__ = ["PlayerWords", "respell_players"]
