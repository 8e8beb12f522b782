"""The words that can follow in an expression, by the grammar and by what each name is.

In: the rules, an address and the beginning of an expression there. Out: words, each with what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rulewright.document.address import child_entries, find_entry
from rulewright.editor.known_names import KnownNames
from rulewright.editor.listed_members import members_of_kind
from rulewright.editor.local_names import LocalName, Visible, visible_at
from rulewright.editor.open_rules import OpenRules
from rulewright.expr.keywords import BUILTINS, FUNCTIONS
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, ScalarNode

if TYPE_CHECKING:
    from rulewright.expr.grammar import StartRule

STARTS: Final[dict[str, tuple[StartRule, ...]]] = {
    "for_each": ("binding",), "type": ("type",), "move": ("amount",), "from": ("place",), "to": ("place", "expr"),
    "refill": ("place",), "grid": ("grid",),
}  # fmt: skip
LAST_NAME: Final = lazy_pattern(r"\w*$")
OWNER: Final = lazy_pattern(r"(\w+)(?:\([^()]*\))?\.\w*$")  # of what follows a dot
COMPARED: Final = lazy_pattern(r"(?:(\w+)(?:\([^()]*\))?\.)?(\w+)(?:\([^()]*\))? (?:is|is not) \w*$")
LOOP: Final = lazy_pattern(r"\b(?:some|every|no|each|for) ([a-z]\w*)(?: in ([a-z]\w*))?")
ASKS_FOR_ACTION: Final = lazy_pattern(r"\bpossible\(\w*$")
NAMES_OF_CELLS: Final = ("row", "column")
NOT_IN_EXPRESSIONS: Final = ("action", "procedure", "measure", "thing")
KINDS: Final = ("kind", "component")
PLACES: Final = ("from", "refill")  # under which a zone is named first
IN_TYPES: Final = ("kind", "component", "parameter")
Word = tuple[str, str]


def expression_words(
    rules: OpenRules, root: MappingNode, parts: tuple[str, ...], written: str, key: str
) -> Iterator[Word]:
    """The words that can follow what is written; the last word of it may be unfinished."""
    visible = visible_at(KnownNames(root), (*parts, ""))
    if owner := OWNER.search(written):
        before = written[: written.rfind(".") + 1]
        dotted = before[len(before.rstrip("abcdefghijklmnopqrstuvwxyz0123456789_.")) :]
        yield from ((f"{dotted}{name}", label) for name, label in _fields(root, visible, written, owner[1]))
        return
    if ASKS_FOR_ACTION.search(written):
        yield from ((each.name, each.label) for each in rules.declarations.values() if each.label == "action")
        return
    match = LAST_NAME.search(written)
    before = written[: match.start()] if match is not None else written
    following = _following(before, key)
    if compared := COMPARED.search(written):
        yield from _members(root, visible, written, compared)
    if "NAME" in following:
        yield from _names(rules, visible, before, key)
    yield from ((word, "word of the language") for word in sorted(following) if word.isalpha() and word.islower())


def _following(before: str, key: str) -> frozenset[str]:
    """The keywords that the grammar allows next, and NAME."""
    from rulewright.expr.lark_parser import words_that_follow  # the parser is not loaded until something is typed

    starts = STARTS.get(key, ("expr",))
    return frozenset[str]().union(*(words_that_follow(before, start) for start in starts))


def _names(rules: OpenRules, visible: Visible, before: str, key: str) -> Iterator[Word]:
    for name, local in visible.items():
        yield name, local.label
    for loop in LOOP.finditer(before):
        yield loop[1], "loop variable"
    declared = rules.declarations.values()
    if key == "type":
        yield from ((each.name, each.label) for each in declared if each.label in IN_TYPES)
        yield "flag", "word of the language"
        return
    if key == "for_each" and not before.strip():  # without a set it is all of a kind or component
        yield from ((each.name, each.label) for each in declared if each.label in KINDS)
        yield "player", "kind"
        return
    if key in PLACES and not before.strip():
        yield from ((each.name, each.label) for each in declared if each.label == "zone")
        return
    yield from ((each.name, each.label) for each in declared if each.label not in NOT_IN_EXPRESSIONS)
    yield from ((word, "word of the language") for word in sorted(BUILTINS))
    yield "player", "kind"
    if key != "for_each" or " where " in before:
        yield from ((word, "function") for word in sorted(FUNCTIONS))


def _fields(root: MappingNode, visible: Visible, written: str, owner: str) -> Iterator[Word]:
    """The fields of what a name stands for; of everything where that is not known."""
    component = _sort_of(root, visible, written, owner)
    components = child_entries(root.get("components") or MappingNode((), root.span))
    known = [each for each in components if each.key.text == component]
    for each in known or components:
        entry = find_entry(root, f"components.{each.key.text}.fields")
        for field in child_entries(entry.value) if entry is not None else ():
            yield field.key.text, f"field of {each.key.text}"
    kind = find_entry(root, f"kinds.{component}") if component else None
    is_grid = kind is not None and isinstance(kind.value, MappingNode) and "grid" in kind.value
    if is_grid or not known:
        yield from ((name, "of a cell") for name in NAMES_OF_CELLS)


def _members(root: MappingNode, visible: Visible, written: str, compared: re.Match[str]) -> Iterator[Word]:
    """The members of the kind of what is compared."""
    owner, name = compared[1], compared[2]
    if owner is None:
        kind = _sort_of(root, visible, written, name)
    else:
        component = _sort_of(root, visible, written, owner)
        field = find_entry(root, f"components.{component}.fields.{name}")
        kind = "" if field is None else _word(field.value, "type")
    yield from ((member, f"member of {kind}") for member in members_of_kind(root, kind))


def _sort_of(root: MappingNode, visible: Visible, written: str, name: str) -> str:
    """The component or kind of what a name stands for, as far as that can be seen from its declaration."""
    for loop in LOOP.finditer(written):
        if loop[1] == name:
            return _sort_of(root, {}, "", loop[2]) if loop[2] and loop[2] != name else name
    local = visible.get(name)
    if local is not None:
        return _sort_of_local(root, local)
    for section, key in (("zones", "holds"), ("state", "type"), ("parameters", "type")):
        entry = find_entry(root, f"{section}.{name}")
        if entry is not None:
            return _word(entry.value, key)
    return name


def _sort_of_local(root: MappingNode, local: LocalName) -> str:
    if local.sort:
        return local.sort
    entry = find_entry(root, local.address)
    if entry is None:
        return ""
    value = entry.value
    if isinstance(value, MappingNode):  # a choice
        value = value.get("one_of") or value
    text = value.text if isinstance(value, ScalarNode) else ""
    first = re.search(r"(?:\bin )?([a-z]\w*)", text.partition(" in ")[2] or text)
    return "" if first is None else _sort_of(root, {}, "", first[1])


def _word(node: object, key: str) -> str:
    value = node.get(key) if isinstance(node, MappingNode) else node
    return value.text if isinstance(value, ScalarNode) else ""


__all__ = ["expression_words"]
