"""Names that a rule binds for itself (choices, keys, arguments, variables of loops), and what each word means there.

In: the rules as they are, and the node of a file. Out: every word of its expressions and holes, each with the name
it is bound to, if any. A name bound in one rule is another one than the same word in the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Final

from rulewright.diagnostics import Span
from rulewright.document.address import child_entries, find_entry
from rulewright.document.language import FLOW_SECTIONS, GAME_SECTIONS, OFFER_VERBS, PROSE_KEYS, ordered_principal_key
from rulewright.expr.parse import canonical_text, parse
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from rulewright.expr.grammar import StartRule

CHANGES: Final = ("set", "adjust", "add", "remove", "extend", "drop", "insert", "sentences")
HOLE: Final = re.compile(r"\{([^{}:]*)(?::[^{}]*)?\}")
CHOICE: Final = re.compile(r"actions\.(\w+)\.choose\.(\w+)")
ACTION: Final = re.compile(r"\b([a-z]\w*)\(")
ANSWER: Final = re.compile(r"[()]|\b([a-z]\w*)(?==)")
LANGUAGE: Final = re.compile(r"(\.text)?(\.[a-z]{2})?$")  # what an address of a sentence may end with
KEYS_OF: Final = {"per": "key", "with": "argument"}
NOT_OF_ONE: Final = ("holds", "type", "seen_by", "order")  # what a declaration says of all its keys together
OUTSIDE_THE_LOOP: Final = ("for_each", "times")  # of a step, they do not see its own variable
LOOPS: Final = ("some", "every", "no", "each")
AGGREGATES: Final = ("total", "greatest", "least")
STARTS: Final[dict[str, tuple[StartRule, ...]]] = {
    "for_each": ("binding",), "from": ("place",), "to": ("place", "expr"), "type": ("type",), "grid": ("grid",),
}  # fmt: skip
OTHER_STARTS: Final[tuple[StartRule, ...]] = ("expr", "amount", "place", "kind_range", "every_kind")


@frozen
class LocalName:
    """A name, what it is, an address that no other has, where it is bound. `implied`: the name of its kind stands for
    it, and what is written there to bind it.
    """

    name: str
    label: str
    address: str
    span: Span
    implied: Node | SyntaxToken | None = None


Visible = Mapping[str, LocalName]


@frozen
class WordUse:
    """A word of the rules: where, what it is bound to, and what could be meant there. `is_field`: it follows a dot."""

    span: Span
    word: str
    local: LocalName | None
    visible: Visible = field(default_factory=dict)
    is_field: bool = False


def words_in(root: MappingNode, node: Node) -> Iterator[WordUse]:
    """The words of all expressions, holes and bindings of a file."""
    if isinstance(node, MappingNode) and "scenarios" in node:
        for scalar in _scalars(node):
            yield from _choices_in(root, scalar)
            yield from _choices_of_notation(root, scalar)
        return
    for entry in child_entries(node):
        if entry.key.text in CHANGES:
            yield from _addresses_of_choices(root, entry.value)
            for change in child_entries(entry.value) if isinstance(entry.value, MappingNode) else ():
                parts = tuple(change.key.text.split("."))
                yield from _choices_in(root, change.key)
                is_prose = entry.key.text == "sentences"
                yield from _words(root, change.value, parts, visible_at(root, parts), is_prose=is_prose)
        else:
            yield from _words(root, entry.value, (entry.key.text,), {}, is_prose=entry.key.text in PROSE_KEYS)


def visible_at(root: MappingNode, parts: tuple[str, ...]) -> Visible:
    """The names that the rules around an address have bound there."""
    visible: Visible = {}
    for length in range(1, len(parts)):
        visible = {**visible, **_bound(root, parts[:length], None)}
        visible = _seen_by(parts[: length + 1], visible)
    return visible


def _words(
    root: MappingNode, node: Node, parts: tuple[str, ...], visible: Visible, *, is_prose: bool
) -> Iterator[WordUse]:
    if isinstance(node, ScalarNode):
        yield from _words_of_text(root, node, parts, visible, is_prose=is_prose)
        return
    if isinstance(node, SequenceNode) and not is_prose and (key := ordered_principal_key(parts)):
        parts = (*parts, key)  # a list alone is short for it
    inner = {**visible, **_bound(root, parts, node)}
    if isinstance(node, SequenceNode) and not child_entries(node):
        for item in node:
            yield from _words(root, item, parts, inner, is_prose=is_prose)
        return
    for entry in child_entries(node):
        key = entry.key.text
        below = (*parts, key)
        local = inner.get(key) if _is_choice(below) else None
        if local is not None and local.label == "choice":
            yield WordUse(entry.key.span, key, local, inner)
        if isinstance(node, SequenceNode) and isinstance(entry.value, MappingNode) and not entry.value.entries:
            yield from _words_of_text(root, entry.key, parts, inner, is_prose=is_prose)  # a word of a list
            continue
        if key in KEYS_OF and len(parts) == 2:
            yield from _words_of_keys(entry.value, inner)
            continue
        outer = (
            visible if key in OUTSIDE_THE_LOOP or (key in NOT_OF_ONE and len(parts) == 2) else _seen_by(below, inner)
        )
        yield from _words(root, entry.value, below, outer, is_prose=is_prose or key in PROSE_KEYS)


def _words_of_keys(node: Node, visible: Visible) -> Iterator[WordUse]:
    """The names that `per` and `with` bind, and the kinds that they run over."""
    if isinstance(node, MappingNode):
        for entry in node:
            yield WordUse(entry.key.span, entry.key.text, visible.get(entry.key.text), visible)
            if isinstance(entry.value, ScalarNode):
                yield WordUse(entry.value.span, entry.value.text, None, visible)
        return
    for item in node if isinstance(node, SequenceNode) else [node]:
        if isinstance(item, ScalarNode):
            yield WordUse(item.span, item.text, visible.get(item.text), visible)


def _words_of_text(
    root: MappingNode, scalar: ScalarNode, parts: tuple[str, ...], visible: Visible, *, is_prose: bool
) -> Iterator[WordUse]:
    if not isinstance(scalar.value, str):
        return
    first = scalar.text.partition(".")
    if first[1] and first[0] in GAME_SECTIONS and first[0] not in visible:
        yield from _choices_in(root, scalar)  # an address
    elif is_prose:
        for hole in HOLE.finditer(scalar.text):
            tree = parse(hole[1])
            if isinstance(tree, SyntaxNode):
                text = canonical_text(hole[1])
                yield from _words_of_tree(scalar, tree, hole.start(1), visible, parts, hole=text)
    else:
        for start in STARTS.get(parts[-1], OTHER_STARTS):
            tree = parse(scalar.text, start)
            if isinstance(tree, SyntaxNode):
                yield from _words_of_tree(scalar, tree, 0, visible, parts)
                return


def _addresses_of_choices(root: MappingNode, node: Node) -> Iterator[WordUse]:
    for item in node if isinstance(node, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            yield from _choices_in(root, item)


def _scalars(node: Node) -> Iterator[ScalarNode]:
    if isinstance(node, ScalarNode):
        yield node
    for item in node.items if isinstance(node, SequenceNode) else ():
        yield from _scalars(item)
    for entry in node if isinstance(node, MappingNode) else ():
        yield entry.key
        yield from _scalars(entry.value)


def _choices_of_notation(root: MappingNode, scalar: ScalarNode) -> Iterator[WordUse]:
    """The names of choices in actions as they are written down: `name(choice=answer)`."""
    if "=" not in scalar.text or not isinstance(scalar.value, str):
        return
    for action in ACTION.finditer(scalar.text):
        choices = _choices(root, action[1], None)
        depth = 1
        for part in ANSWER.finditer(scalar.text, action.end()):
            depth += (part[0] == "(") - (part[0] == ")")
            if depth == 0:
                break
            local = choices.get(part[1] or "")
            if depth == 1 and local is not None:
                yield WordUse(scalar.subspan(*part.span(1)), local.name, local)


def _choices_in(root: MappingNode, scalar: ScalarNode) -> Iterator[WordUse]:
    """The name of a choice within an address."""
    match = CHOICE.match(scalar.text)
    local = None if match is None else _choices(root, match[1], None).get(match[2])
    if match is not None and local is not None:
        yield WordUse(scalar.subspan(*match.span(2)), match[2], local)


def _words_of_tree(
    scalar: ScalarNode,
    tree: SyntaxNode,
    base: int,
    visible: Visible,
    parts: tuple[str, ...],
    *,
    hole: str = "",
) -> Iterator[WordUse]:
    """The words of an expression that begins at `base`; each loop sees its variable."""

    def span(token: SyntaxToken) -> Span:
        return scalar.subspan(base + token.offsets[0], base + token.offsets[1])

    def use(token: SyntaxToken, seen: Visible, *, is_field: bool = False) -> WordUse:
        return WordUse(span(token), token.text, None if is_field else seen.get(token.text), seen, is_field)

    def inside(head: SyntaxNode, seen: Visible) -> Visible:
        token = head.token()
        at = span(token)
        implied = token if len(head.parts) == 1 else None
        is_step = parts[-1] == "for_each" and tree.rule == "binding" and head is tree.child(0)
        address = ".".join(parts)
        if hole:  # the holes of a sentence are the same in every language, wherever it is written
            address = f"{LANGUAGE.sub('', address)}@{hole}@{token.text}"
        elif not is_step:
            address = f"{address}@{at.source.path}:{at.start}"
        return {**seen, token.text: LocalName(token.text, "loop variable", address, at, implied)}

    def loop(head: SyntaxNode, others: tuple[SyntaxNode, ...], seen: Visible) -> Iterator[WordUse]:
        within = inside(head, seen)
        for part in head.children():
            yield from walk(part, seen)
        yield use(head.token(), within)
        for part in others:
            yield from walk(part, within)

    def walk(node: SyntaxNode, seen: Visible) -> Iterator[WordUse]:
        if node.rule in LOOPS or node.rule == "binding":
            yield from loop(node.child(0), node.children()[1:], seen)
        elif node.rule in AGGREGATES:
            binding = node.child(1)
            yield from loop(binding.child(0), (*binding.children()[1:], node.child(0)), seen)
        else:
            for part in node.parts:
                if isinstance(part, SyntaxNode):
                    yield from walk(part, seen)
                elif not part.text.isdigit():
                    yield use(part, seen, is_field=node.rule == "field")

    yield from walk(tree, visible)


def _bound(root: MappingNode, parts: tuple[str, ...], node: Node | None) -> dict[str, LocalName]:
    """The names that the rule at an address binds for all below it; `node`: as the file that is read writes it."""
    if len(parts) > 2 and parts[-2] in OFFER_VERBS:
        return _choices(root, parts[-1], None)
    entry = find_entry(root, ".".join(parts))
    found: dict[str, LocalName] = {}
    for rule in (None if entry is None else entry.value, node):
        if isinstance(rule, MappingNode):
            found |= _bound_by(root, parts, rule)
    return found


def _bound_by(root: MappingNode, parts: tuple[str, ...], rule: MappingNode) -> dict[str, LocalName]:
    if len(parts) == 2 and parts[0] == "actions":
        return _choices(root, parts[1], rule)
    found = {}
    for key, label in KEYS_OF.items() if len(parts) == 2 else ():
        keys = rule.get(key)
        address = f"{'.'.join(parts)}.{key}"
        if isinstance(keys, MappingNode):
            for each in keys:
                name = each.key.text
                found[name] = LocalName(name, label, f"{address}.{name}", each.key.span)
        for item in keys if isinstance(keys, SequenceNode) else [keys]:
            if isinstance(item, ScalarNode):
                found[item.text] = LocalName(item.text, label, f"{address}.{item.text}", item.span, keys)
    zone = rule.get("zone")
    if parts[0] == "board" and isinstance(zone, ScalarNode):  # what is drawn in rows and columns are keys of the zone
        return _bound(root, ("zones", zone.text), None)
    loop = rule.get("for_each")
    if isinstance(loop, ScalarNode) and parts[0] in (*FLOW_SECTIONS, "actions", "procedures"):
        tree = parse(loop.text, "binding")
        if isinstance(tree, SyntaxNode):
            head = tree.child(0)
            token = head.token()
            implied = token if len(head.parts) == 1 else None
            span = loop.subspan(*token.offsets)
            address = f"{'.'.join(parts)}.for_each"
            found[token.text] = LocalName(token.text, "loop variable", address, span, implied)
    return found


def _choices(root: MappingNode, action: str, rule: MappingNode | None) -> dict[str, LocalName]:
    """The choices of an action in their order."""
    address = f"actions.{action}.choose"
    entry = find_entry(root, address)
    own = rule.get("choose") if rule is not None else None
    return {
        choice.key.text: LocalName(choice.key.text, "choice", f"{address}.{choice.key.text}", choice.key.span)
        for choices in (None if entry is None else entry.value, own)
        if choices is not None
        for choice in child_entries(choices)
    }


def _is_choice(parts: tuple[str, ...]) -> bool:
    return len(parts) == 4 and parts[0] == "actions" and parts[2] == "choose"


def _seen_by(parts: tuple[str, ...], visible: Visible) -> Visible:
    """What is visible at an address: what a choice is chosen from, and its reason, see the choices before it only."""
    if len(parts) < 5 or not _is_choice(parts[:4]):
        return visible
    names = [name for name, local in visible.items() if local.label == "choice"]
    later = names[names.index(parts[3]) :] if parts[3] in names else []
    return {name: local for name, local in visible.items() if name not in later}


__all__ = ["CHANGES", "LocalName", "Visible", "WordUse", "visible_at", "words_in"]
