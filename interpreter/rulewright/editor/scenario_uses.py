"""What each word of a scenario means: zones, states and values, what is in them, actions as they are written down.

In: the names of the rules that a case is played by, and the node of the case. Out: its words, each with the address of
what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulewright.document.address import find_entry
from rulewright.editor.known_names import KnownNames, key_sorts
from rulewright.editor.local_names import choices_of
from rulewright.editor.name_uses import NameUse
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, as_items, as_mapping

ACTION: Final = lazy_pattern(r"\s*([a-z]\w*)\s*(\()?")
ANSWER: Final = lazy_pattern(r"[()]|\b([a-z]\w*)(?=\s*=)")
WORD: Final = lazy_pattern(r"[a-z]\w*")
OF_CONTENTS: Final = ("holds", "type")  # of a zone or state, says what is in it
OPTIONS: Final = ("legal", "not_legal", "options")
ADDRESSES: Final = ("step", "illegal")


def uses_in_case(names: KnownNames, case: MappingNode) -> Iterator[NameUse]:
    """The words of one case that mean something in its game."""
    walk = _CaseWalk(names)
    for item in as_items(case.get("when")):
        yield from walk.action(item)
    for entry in as_mapping(case.get("given")):
        if entry.key.text == "state":
            yield from walk.section("state", entry.value)
        elif entry.key.text in ADDRESSES and isinstance(entry.value, ScalarNode):
            yield from walk.address(entry.value)
        else:
            yield from walk.contents_of(entry.key, "zones", entry.value)
    for entry in as_mapping(case.get("then")):
        key, value = entry.key.text, entry.value
        if key in ("zones", "state", "values"):
            yield from walk.section(key, value)
        elif key == "sees":
            for seen in as_mapping(value):
                yield from walk.section("zones", seen.value)
        elif key in OPTIONS:
            for item in as_items(value):
                yield from walk.action(item)
        elif key in ADDRESSES and isinstance(value, ScalarNode):
            yield from walk.address(value)


class _CaseWalk:
    def __init__(self, names: KnownNames) -> None:
        self.names = names

    def address(self, scalar: ScalarNode) -> Iterator[NameUse]:
        """The names within an address."""
        parts, start = tuple(scalar.text.split(".")), 0
        for index, part in enumerate(parts):
            if index and (address := self.names.meaning(parts[: index + 1])):
                yield NameUse(scalar.subspan(start, start + len(part)), part, address)
            start += len(part) + 1

    def section(self, section: str, node: Node) -> Iterator[NameUse]:
        """Zones, states or values by their ids."""
        for entry in as_mapping(node):
            yield from self.contents_of(entry.key, section, entry.value)

    def contents_of(self, key: ScalarNode, section: str, node: Node) -> Iterator[NameUse]:
        """What is said of a zone, state or value."""
        address = self.names.in_expressions.get(key.text, "")
        if address.split(".")[-2:-1] != [section]:
            return
        yield NameUse(key.span, key.text, address)
        entry = find_entry(self.names.root, address)
        rule = MappingNode((), key.span) if entry is None else as_mapping(entry.value)
        named = [each.text for name in OF_CONTENTS if isinstance(each := rule.get(name), ScalarNode)]
        if entry is not None and isinstance(entry.value, ScalarNode) and section == "state":
            named = [entry.value.text]
        sorts = [*(sort for _, sort in key_sorts(rule.get("per"))), *(text.rpartition(" ")[2] for text in named)]
        yield from self._contents(node, sorts)

    def _contents(self, node: Node, sorts: list[str]) -> Iterator[NameUse]:
        """What is in places: by their keys, then counts of members, or things."""
        sort = sorts[0] if sorts else ""
        if isinstance(node, ScalarNode):
            yield from self._values(node, 0, len(node.text), sorts[-1] if sorts else "")
        elif isinstance(node, SequenceNode):
            for item in node:
                yield from self._contents(item, sorts)
        else:
            for entry in node:
                yield from self._values(entry.key, 0, len(entry.key.text), sort)
                yield from self._contents(entry.value, sorts[1:] or sorts)

    def action(self, node: Node) -> Iterator[NameUse]:
        """An action as it is written down: `name(choice=answer)`."""
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
            return
        match = ACTION.match(node.text)
        if match is None:
            return
        name = match[1]
        address = f"actions.{name}"
        if address in self.names.declared:
            yield NameUse(node.subspan(*match.span(1)), name, address)
        elif name != "chance":
            return
        choices = choices_of(self.names, name, None)
        depth, begun, sort = 0, match.end(), ""
        for part in ANSWER.finditer(node.text, match.end(1)):
            if part[1] is None:
                depth += 1 if part[0] == "(" else -1
                continue
            local = choices.get(part[1])
            if depth != 1 or local is None:
                continue
            yield from self._values(node, begun, part.start(), sort)
            yield NameUse(node.subspan(*part.span(1)), part[1], local.address, local)
            begun, sort = part.end(), local.sort
        yield from self._values(node, begun, len(node.text), sort)

    def _values(self, node: ScalarNode, start: int, end: int, sort: str) -> Iterator[NameUse]:
        """The things and members within a part of a text. `sort`: what they are of, as far as it is known."""
        names = self.names
        for match in WORD.finditer(node.text, start, end):
            word = match[0]
            thing = names.things.get(word, "")
            if f"components.{sort}" in names.declared:
                thing = next((each for each in (f"components.{sort}.rows.{word}",) if each in names.declared), "")
            member = names.in_expressions.get(word, "")
            is_member = member.startswith("kinds.") and member.count(".") == 2
            if thing and not (is_member and f"kinds.{sort}" in names.declared):
                yield NameUse(node.subspan(*match.span()), word, thing)
            elif is_member:
                yield NameUse(node.subspan(*match.span()), word, member)
            else:
                yield from self._made(node, match)

    def _made(self, node: ScalarNode, match: re.Match[str]) -> Iterator[NameUse]:
        """The members in the id of a thing that a row with `for_each` makes."""
        for made in self.names.made_things:
            found = made.pattern.fullmatch(match[0])
            for group in range(1, made.pattern.groups + 1) if found is not None else ():
                assert found is not None
                start, end = found.span(group)
                if address := self.names.in_expressions.get(found[group], ""):
                    yield NameUse(node.subspan(match.start() + start, match.start() + end), found[group], address)


__all__ = ["uses_in_case"]
