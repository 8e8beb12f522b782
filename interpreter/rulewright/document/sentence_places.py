"""Sentences that stand apart from the rules, by address: where each belongs in the tree, and how it is put there.

In: the address of a sentence, as texts files and the `sentences` of variants write it. Out: the node and key that it is
the sentence of, and trees with it. Whoever reads the rules afterwards finds every sentence at its node.
"""

from __future__ import annotations

from typing import Final

from rulewright.document.address import AddressParts, child_entries, split_address
from rulewright.document.editing import edit_node, look_up, with_entries
from rulewright.document.language import PROSE_KEYS, keys_at, principal_key
from rulewright.document.text_addresses import TITLE_ENDING, reason_address
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode

ENGLISH_CODE = "en"
HOLE: Final = lazy_pattern(r"\{[^{}]*\}")  # of a sentence: what is worked out when it is shown
TEXT_KEY, REASON_KEY, TITLE_KEY = "text", "why", TITLE_ENDING[1:]
NAMES_KEY = "names"
PASSAGES = "book"


def has_reason(parts: AddressParts) -> bool:
    """Whether the rule at an address is a choice or a condition, which says why something is not allowed."""
    return len(parts) > 1 and (parts[-2] == "when" or REASON_KEY in keys_at(parts))


def sentence_parts(address: str) -> AddressParts:
    """The names on the way to a sentence: of the rule, then `text`, `why` or `title`; of a member of a kind its names.

    The name of the game is at `game`.
    """
    *parents, last = split_address(address)
    node = tuple(parents)
    if not node and last == "game":
        return (TEXT_KEY,)
    if len(node) == 2 and node[0] == "kinds" and last != TITLE_KEY:
        return (*node, "names", last)
    if len(node) == 2 and node[0] == "components" and last == "names":
        return (*node, last)
    if node and (last == TITLE_KEY or (last == REASON_KEY and has_reason(node))):
        return (*node, last)
    return (*node, last, TEXT_KEY)


def rule_parts(parts: AddressParts) -> AddressParts:
    """The rule that a sentence belongs to; of a member's name its kind."""
    return parts[:-2] if len(parts) == 4 and parts[0] == "kinds" and parts[2] == "names" else parts[:-1]


def has_own_title(parts: AddressParts) -> bool:
    """Whether a title at an address stands in the rules: that of a passage of the book, which it is a part of."""
    return parts[0] == PASSAGES


def enclosing_sentence(parts: AddressParts) -> AddressParts | None:
    """The sentence, name or source that an address is or is inside of; a passage whole; None for a rule.

    Titles stand apart from the rules, where any of them may be called `title`.
    """
    if parts[0] == PASSAGES:
        return parts[:2] if len(parts) > 1 else None
    for length in range(1, len(parts) + 1):
        node, key = parts[: length - 1], parts[length - 1]
        if key in PROSE_KEYS and key in keys_at(node):
            return parts[: length + (key == NAMES_KEY and parts[0] == "kinds")]
    return None


def sentence_address(parts: AddressParts) -> str:
    """The address at which a variant or a file of texts writes the sentence at a place: `sentence_parts` undone."""
    if parts == (TEXT_KEY,):
        return "game"
    if parts[0] == "kinds" and NAMES_KEY in parts[2:-1]:
        return ".".join((*parts[:2], *parts[3:]))
    return ".".join(parts[:-1] if parts[-1] == TEXT_KEY else parts)


def is_name(sentence: AddressParts) -> bool:
    """Whether what stands at the place of a sentence says what something is called, and nothing that can be untrue."""
    is_of_row = sentence[0] == "components" and len(sentence) == 5 and sentence[-1] == TEXT_KEY
    return sentence == (TEXT_KEY,) or is_of_row or sentence[-1] == TITLE_KEY or NAMES_KEY in sentence[2:3]


def without_sentence(root: MappingNode, parts: AddressParts) -> MappingNode:
    """The tree without the sentence at an address."""
    if find_sentence_entry(root, parts) is None:
        return root
    kept = edit_node(
        root,
        parts[:-1],
        lambda node: with_entries(node, tuple(one for one in child_entries(node) if one.key.text != parts[-1])),
    )
    assert isinstance(kept, MappingNode)
    return kept


def find_sentence_entry(root: MappingNode, parts: AddressParts) -> Entry | None:
    """The sentence at an address as the tree has it; None where there is none."""
    found = look_up(root, parts)
    return found.entries[-1] if len(found.entries) == len(parts) else None


def place_sentence(root: MappingNode, parts: AddressParts, entry: Entry) -> MappingNode:
    """The tree with a sentence at an address whose rule exists, in place of the one that is there."""
    rule = rule_parts(parts)

    def put(node: Node) -> Node:
        whole = _with_keys(node, rule)
        if parts[:-1] == rule:
            return _with_entry(whole, entry)
        names = whole.get(parts[-2])
        inner = names if isinstance(names, MappingNode) else MappingNode((), entry.value.span)
        return _with_entry(whole, Entry(_key(parts[-2], entry), _with_entry(inner, entry)))

    placed = edit_node(root, rule, put)
    assert isinstance(placed, MappingNode)
    return placed


def _with_keys(node: Node, parts: AddressParts) -> MappingNode:
    """A node with keys; a bare value is put under the key that it is short for."""
    if isinstance(node, MappingNode):
        return node
    key = principal_key(parts) or ("members" if parts[0] == "kinds" else "type")
    return MappingNode((Entry(ScalarNode(key, key, node.span), node),), node.span)


def _with_entry(node: MappingNode, entry: Entry) -> MappingNode:
    name = entry.key.text
    kept = tuple(entry if other.key.text == name else other for other in node.entries)
    return MappingNode(kept if name in node else (*node.entries, entry), node.span)


def _key(name: str, entry: Entry) -> ScalarNode:
    return ScalarNode(name, name, entry.key.span)


def sentence_entry(parts: AddressParts, address: ScalarNode, value: Node, old: Entry | None = None) -> Entry:
    """A sentence as an entry of its node, whose key points to where its address is written."""
    history = () if old is None else (*old.history, old.value.span)
    return Entry(ScalarNode(parts[-1], parts[-1], address.span), value, history)


def with_language(value: Node, code: str, translation: Node) -> MappingNode:
    """A sentence with its translation into one more language."""
    if isinstance(value, MappingNode):
        languages = value.entries
    else:
        languages = (Entry(ScalarNode(ENGLISH_CODE, ENGLISH_CODE, value.span), value),)
    added = Entry(ScalarNode(code, code, translation.span), translation)
    return MappingNode((*(one for one in languages if one.key.text != code), added), value.span)


__all__ = [
    "ENGLISH_CODE",
    "NAMES_KEY",
    "PASSAGES",
    "REASON_KEY",
    "TEXT_KEY",
    "TITLE_KEY",
    "enclosing_sentence",
    "find_sentence_entry",
    "has_own_title",
    "has_reason",
    "is_name",
    "place_sentence",
    "reason_address",
    "rule_parts",
    "sentence_address",
    "sentence_entry",
    "sentence_parts",
    "with_language",
    "without_sentence",
]
