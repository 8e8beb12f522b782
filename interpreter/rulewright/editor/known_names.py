"""What the rules have given a name to, and what a word means at a place that names something.

In: the tree of a game, with the variants applied that a file speaks of. Out: a `KnownNames`: the address that a name
stands for, by the place where it is written or, in expressions, by the name alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from rulewright.document.address import AddressParts, child_entries
from rulewright.document.language import (
    FLOW_SECTIONS,
    GAME_SECTIONS,
    KIND_KEYS,
    OFFER_VERBS,
    PROSE_KEYS,
    SYMBOL_SECTIONS,
    keys_at,
    principal_key,
)
from rulewright.document.sentence_places import TITLE_KEY
from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.expr.parse import parse
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_items, as_mapping, as_scalar
from rulewright.source.real_paths import real_path

ID: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
HOLE_OF_ID: Final = lazy_pattern(r"\{(\w+)\}")
MEMBER_KEYS: Final = ("wild", "worth", "weights")  # under which members are named
KEYS: Final = ("per", "with")  # under which a rule names its own keys
WORKS: Final = "sources.works"
# where what has a name is declared in files that are no part of the rules: first key of the file, key
LISTS_OF_FILES: Final = {"sources": "works", "statements": "reasons", "scenarios": "cases"}
TYPE_OF_SECTION: Final = {"zones": "holds", "state": "type", "parameters": "type"}
LABELS: Final = {
    "kinds": "kind", "parameters": "parameter", "components": "component", "zones": "zone", "state": "state",
    "values": "value", "actions": "action", "procedures": "procedure", "measures": "measure",
    "invariants": "invariant", "evaluation": "term", "strategies": "strategy", "ranking": "criterion",
    "book": "passage", "sources": "source", "statements": "reason", "scenarios": "case",
}  # fmt: skip
# of what is declared below a rule, by the key above its name
INNER_LABELS: Final = {
    "when": "condition", "choose": "choice", "fields": "field", "rows": "thing", "sum": "term", "less": "term",
    "terms": "term", "do": "step", "state": "state", "per": "key", "with": "argument", **dict.fromkeys(OFFER_VERBS, ""),
}  # fmt: skip


def label_of(address: str) -> str:
    """What is declared at an address, as a noun; `rule` for anything else."""
    section, *rest = address.split(".")
    if section in FLOW_SECTIONS and len(rest) == 1:
        return "step"
    if section == "kinds" and len(rest) == 2:
        return "member"
    if len(rest) == 1 or (section in LISTS_OF_FILES and len(rest) == 2):
        return LABELS.get(section, "rule")
    above = rest[-2] if len(rest) > 1 else ""
    if len(rest) > 2 and rest[-3] in OFFER_VERBS:
        return "condition"
    return INNER_LABELS.get(above, "") or "rule"


@frozen
class MadeThings:
    """The ids of the things that one row with `for_each` stands for: their component, and a pattern with a group for
    each member in an id.
    """

    component: str
    pattern: re.Pattern[str]


class KnownNames:
    """The names of some rules. `before`: those of the rules that the variants of `root` change, if any; what such a
    variant takes away is known from there, and who declared what.
    """

    def __init__(self, root: MappingNode, before: tuple[KnownNames, ...] = ()) -> None:
        self.root, self.before = root, before

    @cached_property
    def own(self) -> dict[str, ScalarNode]:
        """What is declared, by address, each with the key that declares it."""
        found: dict[str, ScalarNode] = {}
        for address, key in _declared(self.root, ()):
            found.setdefault(address, key)
        return found

    @cached_property
    def declared(self) -> dict[str, ScalarNode]:
        """The same, and what was declared before."""
        found = dict(self.own)
        for names in reversed(self.before):
            found |= names.declared
        return found

    @cached_property
    def in_expressions(self) -> dict[str, str]:
        """The addresses of the names that expressions use, by name."""
        found: dict[str, str] = {}
        for address in self.declared:
            parts = address.split(".")
            is_symbol = (
                (len(parts) == 2 and parts[0] in SYMBOL_SECTIONS)
                or (len(parts) == 3 and parts[0] == "kinds")
                or (len(parts) > 2 and parts[-2] == "state")
            )
            if is_symbol:
                found.setdefault(parts[-1], address)
        return found

    @cached_property
    def things(self) -> dict[str, str]:
        """The addresses of the rows of components, by id."""
        found: dict[str, str] = {}
        for address in self.declared:
            parts = address.split(".")
            if len(parts) == 4 and parts[0] == "components" and parts[2] == "rows":
                found.setdefault(parts[-1], address)
        return found

    @cached_property
    def made_things(self) -> list[MadeThings]:
        """The rows that stand for many things."""
        found = [made for names in self.before for made in names.made_things]
        for component in child_entries(self.root.get("components") or MappingNode((), self.root.span)):
            for row in as_mapping(as_mapping(component.value).get("rows")):
                kinds = dict(key_sorts(as_mapping(row.value).get("for_each")))
                if kinds:
                    found.append(self._made_things(component.key.text, row.key.text, kinds))
        return found

    def _made_things(self, component: str, pattern: str, kinds: dict[str, str]) -> MadeThings:
        members = {
            name: [address.rpartition(".")[2] for address in self.declared if address.startswith(f"kinds.{kind}.")]
            for name, kind in kinds.items()
        }
        choices = {name: "|".join([*map(re.escape, found), r"\d+"]) for name, found in members.items()}
        parts = [
            f"({choices.get(text, '.+')})" if index % 2 else re.escape(text)
            for index, text in enumerate(HOLE_OF_ID.split(pattern))
        ]
        return MadeThings(component, re.compile("".join(parts)))

    def file_of(self, address: str) -> Path | None:
        """The file of the variant that declares what is at an address; None for what the game itself declares."""
        base: KnownNames = self
        while base.before:
            base = base.before[0]
        parts = address.split(".")
        for length in range(len(parts), 0, -1):
            prefix = ".".join(parts[:length])
            if prefix in base.own:
                return None
            if prefix in self.declared:
                return real_path(Path(self.declared[prefix].span.source.path))
        return None

    def meaning(self, parts: AddressParts) -> str:
        """The address of what the last of some names means that stand below one another; empty for a word of the
        language or where nothing is known.
        """
        *above, name = parts
        address = _named_at(parts)
        if address in self.declared or address.startswith(f"{WORKS}."):
            return address
        is_member = (
            (parts[0] == "kinds" and (len(parts) == 3 or parts[2:-1] == ("names",)) and name not in KIND_KEYS)
            or (bool(above) and above[-1] in MEMBER_KEYS)
            or (len(parts) > 5 and _is_below_row(parts))
        )
        known = self.in_expressions.get(name, "") if is_member else ""
        return known if known.startswith("kinds.") else ""

    # ---- what things are of ---------------------------------------------------------------------------------

    def field(self, component: str, name: str) -> str:
        """The address of a field of a component; where that is not known, of the only field of that name."""
        address = f"components.{component}.fields.{name}"
        if address in self.declared or component in self.in_expressions:
            return address if address in self.declared else ""
        found = [known for known in self.declared if known.endswith(f".fields.{name}") and known.startswith("comp")]
        return found[0] if len(found) == 1 else ""

    def sort_of(self, tree: SyntaxNode, sorts: dict[str, str], depth: int = 0) -> str:
        """The component or kind of what an expression gives; empty where that is not known. `sorts`: of the names that
        are bound around it.
        """
        rules, parts = tree.rule, tree.children()
        if rules == "name":
            return self._sort_of_name(tree.token().text, sorts, depth)
        if rules == "at":
            head = parts[0]
            word = head.token().text if head.rule == "name" else ""
            is_function = word in RESERVED_NAMES and word not in sorts
            return self.sort_of(parts[-1] if is_function else head, sorts, depth) if len(parts) > is_function else ""
        if rules in ("each", "head"):
            head = tree if rules == "head" else parts[0]
            return self.sort_of(head.children()[0], sorts, depth) if head.children() else head.token().text
        if rules == "field":
            owner = self.sort_of(parts[0], sorts, depth)
            entry = self._node_at(self.field(owner, tree.token(1).text))
            return self._sort_of_type(entry, "type")
        if rules in ("first", "last", "bag_literal"):
            return self.sort_of(parts[-1], sorts, depth)
        choices = parts[1:] if rules == "if" else parts if rules in ("plus", "minus", "less", "times") else ()
        return next((sort for part in choices if (sort := self.sort_of(part, sorts, depth))), "")

    def _sort_of_name(self, name: str, sorts: dict[str, str], depth: int) -> str:
        if name in sorts:
            return sorts[name]
        address = self.in_expressions.get(name, "")
        section, *rest = address.split(".")
        if len(rest) == 1 and section in ("components", "kinds"):
            return name
        if section == "kinds":
            return rest[0]
        node = self._node_at(address)
        if section == "values" and node is not None and depth < 8:  # values may read one another
            own = dict(key_sorts(as_mapping(node).get("per")))
            bodies = [
                as_mapping(node).get("is") or node,
                *(term.value for term in as_mapping(as_mapping(node).get("sum"))),
            ]
            trees = [parse(each.text) for body in bodies if (each := _expression_in(body)) is not None]
            found = [self.sort_of(tree, own, depth + 1) for tree in trees if isinstance(tree, SyntaxNode)]
            return next(filter(None, found), "")
        return self._sort_of_type(node, TYPE_OF_SECTION.get(rest[-2] if len(rest) > 1 else section, "type"))

    def _sort_of_type(self, node: Node | None, key: str) -> str:
        text = as_scalar(as_mapping(node).get(key) if isinstance(node, MappingNode) else node)
        word = "" if text is None else text.text.rpartition(" ")[2]
        return word if self.in_expressions.get(word, "").startswith(("kinds.", "components.")) else ""

    def _node_at(self, address: str) -> Node | None:
        node: Node = self.root
        if not address:
            return None
        for name in address.split("."):
            found = next((entry.value for entry in child_entries(node) if entry.key.text == name), None)
            if found is None:
                return next((known for names in self.before if (known := names._node_at(address)) is not None), None)
            node = found
        return node


def key_sorts(node: Node | None) -> Iterator[tuple[str, str]]:
    """The names that a `per`, a `with` or the `for_each` of a row binds, each with the kind that it runs over."""
    if isinstance(node, MappingNode):
        yield from ((entry.key.text, kind.text) for entry in node if (kind := as_scalar(entry.value)) is not None)
    else:
        yield from ((item.text, item.text) for item in as_items(node) if isinstance(item, ScalarNode))


def _expression_in(node: Node) -> ScalarNode | None:
    return as_scalar(as_mapping(node).get("is") if isinstance(node, MappingNode) else node)


def _is_below_row(parts: AddressParts) -> bool:
    return parts[0] == "components" and parts[2:3] == ("rows",)


def _named_at(parts: AddressParts) -> str:
    """The address at which what is named at a place would be declared; empty where nothing of an author can stand."""
    *above, name = parts
    if not above or parts[0] not in GAME_SECTIONS or name in keys_at(tuple(above)):
        return ""
    inside = next((above[index] for index in range(1, len(above)) if is_prose_key(parts[: index + 1])), "")
    if inside:
        return f"{WORKS}.{name}" if inside == "source" and above[-1] == inside else ""
    if parts[0] == "kinds" and len(parts) > 2:
        return f"kinds.{parts[1]}.{name}" if parts[2:3] in (("members",), (name,)) else ""
    if _is_below_row(parts) and len(parts) > 4:
        return f"components.{parts[1]}.fields.{name}" if len(parts) == 5 else ""
    if above[-1] in OFFER_VERBS:
        return f"actions.{name}"
    if above[-1] in MEMBER_KEYS or (above[-1] == "about" and parts[0] == "book"):
        return ""
    if name == TITLE_KEY and parts[0] != "book":
        return ""
    return ".".join(parts)


def _declared(node: Node, parts: AddressParts) -> Iterator[tuple[str, ScalarNode]]:
    for entry in child_entries(node):
        name = entry.key.text
        below = (*parts, name)
        if not parts:
            if name in GAME_SECTIONS:
                yield from _declared(entry.value, below)
            continue
        address = _named_at(below)
        is_row = _is_below_row(below) and len(below) == 4
        is_member = below[0] == "kinds" and len(below) > 2 and bool(address)
        is_own = is_member or (address == ".".join(below) and not is_word(node, entry))
        if is_own and ID.fullmatch(name) and not (below[0] == "kinds" and parts[-1] == "names"):
            yield address, entry.key
        if not is_row and not isinstance(entry.value, ScalarNode) and not is_prose_key(below):
            key = principal_key(below)
            yield from _declared(entry.value, (*below, key) if _is_short_list(entry.value, key) else below)


def is_prose_key(parts: AddressParts) -> bool:
    """Whether the last name of an address is a key of what only people read; a passage of the book has a title, too."""
    *above, key = parts
    is_title = key == TITLE_KEY and parts[0] == "book"
    return (key in PROSE_KEYS or is_title) and key in keys_at(tuple(above))


def is_word(node: Node, entry: Entry) -> bool:
    """Whether an entry is a word of a list, which has nothing below it."""
    return isinstance(node, SequenceNode) and isinstance(entry.value, MappingNode) and not entry.value.entries


def _is_short_list(node: Node, key: str) -> bool:
    return key == "do" and not isinstance(node, MappingNode)


__all__ = [
    "HOLE_OF_ID",
    "ID",
    "KEYS",
    "LISTS_OF_FILES",
    "WORKS",
    "KnownNames",
    "is_prose_key",
    "is_word",
    "key_sorts",
    "label_of",
]
