"""Expressions of the version of the language before, in the spelling of today.

In: the node of a file. Out: its text with other expressions, also those in the holes of sentences; comments, order and
spaces stay. `first(row)` becomes `first 1 of row`, `is nothing` becomes `is empty`, and `empty` as a value `nothing`:
that is seen at the words. Whether `x.y` counts a member of a bag or reads a field depends on types; the checker
reports where it counts (`former-spelling`), and these places are given to `respell_counts`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final, NamedTuple

from rulewright.document.address import AddressParts, child_entries, split_address
from rulewright.document.language import GAME_SECTIONS, current_address, definition_at, is_expression
from rulewright.document.migration.migration import ADDRESS, RULE_FILES
from rulewright.expr.grammar import StartRule
from rulewright.expr.parse import parse
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.templates import PIECE_PATTERN
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

POSTFIX_RULES: Final = frozenset({"name", "at", "field"})  # what `of` takes without parentheses
TIGHT_RULES: Final = frozenset({"at", "field", "bag_literal", "first", "last"})  # whose operands bind like those
STARTS: Final[tuple[StartRule, ...]] = ("expr", "amount", "place", "binding")
BINDING_KEY: Final = "for_each"
WRAPPER_KEYS: Final = frozenset({"value", "expects"})  # around the value of a change
QUOTES: Final = frozenset("\"'|>")


class Replacement(NamedTuple):
    """Characters of a scalar's text that become `new`."""

    start: int
    end: int
    new: str


class RuleText(NamedTuple):
    """A scalar that is an expression, or has some in holes. `in_flow`: in braces or brackets; `parts`: its address, if
    it has one.
    """

    scalar: ScalarNode
    is_expression: bool
    in_flow: bool
    parts: AddressParts = ()


Respelling = Callable[[RuleText, int, SyntaxNode], Iterator[Replacement]]  # of the expression that begins at an offset


def respell_words(root: Node) -> tuple[str, int]:
    """The text of a file with everything that its words alone say, and how many expressions have changed."""
    return _respelled(root, lambda text, start, tree: _former_words(tree, start, ""))


def respell_counts(root: Node, places: Collection[int]) -> tuple[str, int]:
    """The text of a file with counts of members in parentheses, and how many expressions have changed.

    `places`: where in the file the members stand that are behind a dot.
    """
    return _respelled(root, lambda text, start, tree: _former_counts(text, tree, start, places))


def _respelled(root: Node, respell: Respelling) -> tuple[str, int]:
    source, count = root.span.source.text, 0
    for text in sorted(rule_texts(root), key=lambda text: -text.scalar.span.start):
        replacements = [replacement for start, tree in trees_in(text) for replacement in respell(text, start, tree)]
        if replacements:
            count += 1
            source = with_replacements(source, text, sorted(replacements, reverse=True))
    return source, count


def with_replacements(source: str, text: RuleText, replacements: list[Replacement]) -> str:
    """The text of the file with a scalar changed; one that has got a comma and needs quotes gets them."""
    scalar = text.scalar
    start, end = scalar.span.start, scalar.span.end
    written = source[start:end]
    for replacement in replacements:
        span = scalar.subspan(replacement.start, replacement.end)
        written = written[: span.start - start] + replacement.new + written[span.end - start :]
    is_plain = QUOTES.isdisjoint(source[max(0, start - 1) : start + 1])  # a span may begin behind the quote
    if text.in_flow and is_plain and "," in written:
        quote = '"' if '"' not in written and "\\" not in written else "'"
        written = f"{quote}{written}{quote}"
    return source[:start] + written + source[end:]


# ---- where expressions are ------------------------------------------------------------------------------------


def rule_texts(node: Node, parts: AddressParts = (), *, in_flow: bool = False) -> Iterator[RuleText]:
    """The scalars of a file that are expressions, and all others, which may be sentences."""
    match node:
        case ScalarNode(value=str()):
            yield RuleText(node, bool(parts) and (is_expression(parts) or parts[-1] == BINDING_KEY), in_flow, parts)
        case MappingNode(entries=entries):
            in_flow = in_flow or _is_flow(node)
            for entry in entries:
                yield from rule_texts(entry.value, _parts_below(node, parts, entry.key.text), in_flow=in_flow)
        case SequenceNode(items=items):
            in_flow = in_flow or _is_flow(node)
            named = {id(entry.value): entry.key.text for entry in child_entries(node)}
            for item in items:
                inner = item.entries[0] if isinstance(item, MappingNode) and len(item.entries) == 1 else None
                if inner is not None and id(inner.value) in named and parts:
                    yield from rule_texts(inner.value, (*parts, inner.key.text), in_flow=in_flow or _is_flow(item))
                else:
                    yield from rule_texts(item, parts, in_flow=in_flow)


def _is_flow(node: Node) -> bool:
    return node.span.source.text[node.span.start : node.span.start + 1] in ("{", "[")


def _parts_below(node: MappingNode, parts: AddressParts, key: str) -> AddressParts:
    """The address below a key: keys of a rule file are sections, and elsewhere a key may be an address itself."""
    if not parts:
        if ADDRESS.fullmatch(key):
            address = current_address(split_address(key))
            return address if address[0] in GAME_SECTIONS else ()
        is_rules = node.entries[0].key.text in (*RULE_FILES, "part_of")
        return (key,) if is_rules and key in GAME_SECTIONS else ()
    below = (*parts, key)
    return parts if key in WRAPPER_KEYS and definition_at(below) is None else below


def trees_in(text: RuleText) -> Iterator[tuple[int, SyntaxNode]]:
    """The expressions of a scalar that can be read, with where they begin."""
    if text.is_expression:
        trees = (parse(text.scalar.text, start) for start in STARTS)
        tree = next((tree for tree in trees if isinstance(tree, SyntaxNode)), None)
        if tree is not None:
            yield 0, tree
        return
    for piece in PIECE_PATTERN.finditer(text.scalar.text):
        if piece["hole"] is not None:
            hole = parse(piece["hole"].partition(":")[0])
            if isinstance(hole, SyntaxNode):
                yield piece.start("hole"), hole


# ---- what was spelled otherwise -------------------------------------------------------------------------------


def _former_words(node: SyntaxNode, start: int, parent: str) -> Iterator[Replacement]:
    """`first(…)`, `is nothing` and `empty` in an expression. `parent`: the rule that it is the operand of."""
    whole = _whole_of_end(node)
    if node.rule in ("is", "is_not") and _is_word(node.child(1), "nothing"):
        yield moved(node.child(1).offsets, start, "empty")
    elif node.rule == "name" and node.token().text == "empty":
        yield moved(node.offsets, start, "nothing")
    if whole is None:
        for index, child in enumerate(node.children()):
            is_argument = node.rule == "at" and index > 0
            yield from _former_words(child, start, "" if is_argument else node.rule)
        return
    word, of = whole
    before, after = ("(", ")") if parent in TIGHT_RULES else ("", "")
    inner, outer = ("", "") if of.rule in POSTFIX_RULES and _whole_of_end(of) is None else ("(", ")")
    yield moved((node.offsets[0], of.offsets[0]), start, f"{before}{word} 1 of {inner}")
    yield from _former_words(of, start, "")
    yield moved((of.offsets[1], node.offsets[1]), start, f"{outer}{after}")


def _whole_of_end(node: SyntaxNode) -> tuple[str, SyntaxNode] | None:
    """For `first(row)` the word and the row; for `first(reversed(row))` `last` and the row; else None."""
    if node.rule != "at" or len(node.parts) != 2 or not _is_word(node.child(0), "first"):
        return None
    of = node.child(1)
    if of.rule == "at" and len(of.parts) == 2 and _is_word(of.child(0), "reversed"):
        return "last", of.child(1)
    return "first", of


def _is_word(node: SyntaxNode, word: str) -> bool:
    return node.rule == "name" and node.token().text == word


def moved(offsets: tuple[int, int], start: int, new: str) -> Replacement:
    """A part of an expression that begins at `start` in its scalar becomes `new`."""
    return Replacement(offsets[0] + start, offsets[1] + start, new)


def _former_counts(text: RuleText, node: SyntaxNode, start: int, places: Collection[int]) -> Iterator[Replacement]:
    """`bag.member` at one of the places."""
    for child in node.children():
        yield from _former_counts(text, child, start, places)
    if node.rule != "field":
        return
    word, bag = node.token(1), node.child(0)
    if text.scalar.subspan(word.offsets[0] + start, word.offsets[1] + start).start not in places:
        return
    end = text.scalar.text.rindex(".", 0, word.offsets[0] + start)
    bag_end = bag.offsets[1] + start
    is_call = bag.rule == "at" and not text.scalar.text[bag_end:end].strip()  # otherwise it is in parentheses
    opening, begin = (", ", bag_end - 1) if is_call else ("(", end)
    yield Replacement(begin, word.offsets[1] + start, f"{opening}{word.text})")


__all__ = [
    "STARTS",
    "Replacement",
    "RuleText",
    "moved",
    "respell_counts",
    "respell_words",
    "rule_texts",
    "trees_in",
    "with_replacements",
]
