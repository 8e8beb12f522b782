"""What the words of a whole file mean: of rules, of what a variant changes, of displays, sources and statements.

In: the names that a file speaks of, and its node. Out: its words, each with the address of what it means, or with the
name that a rule binds for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.document.language import CHANGE_KEYS, GAME_SECTIONS, PROSE_KEYS
from rulewright.document.sentence_places import TEXT_KEY, sentence_parts
from rulewright.editor.known_names import LISTS_OF_FILES, WORKS, KnownNames
from rulewright.editor.local_names import bound_at, visible_at
from rulewright.editor.name_uses import ExpressionPlace, NameUse, RuleWalk, file_of_cases, static_view
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items, as_mapping
from rulewright.variants.change import ANCHOR_KEYS

CHANGES: Final = (*CHANGE_KEYS, "sentences")
DISPLAY_NAMES: Final = ("zone", "value", "beside", "also")  # under which a line of a display has names


def uses_in(names: KnownNames, node: Node, expressions: list[ExpressionPlace] | None = None) -> Iterator[NameUse]:
    """The words of a file that mean something, in no particular order; scenarios are read elsewhere. What is found of
    expressions is added to `expressions`.
    """
    if not isinstance(node, MappingNode) or not node.entries:
        return
    kind = node.entries[0].key.text
    walk = _FileWalk(names, [] if expressions is None else expressions)
    if kind == "display":
        yield from walk.display(node)
        return
    for entry in node:
        key, value = entry.key.text, entry.value
        if kind in LISTS_OF_FILES and key == LISTS_OF_FILES[kind]:
            yield from walk.listed(kind, value)
        elif kind == "statements" and key == "list":
            yield from walk.statements(value)
        elif key in CHANGES:
            yield from walk.changes(key, value)
        elif key == "still_true":
            yield from walk.addresses(value)
        elif key == "cancel":
            for cancelled in as_mapping(value):
                yield from walk.addresses(cancelled.value)
        elif key == "display":
            yield from walk.display(as_mapping(value))
        elif kind == "rows" and key in ("rows", "things"):
            component = node.get("rows")
            name = component.text if isinstance(component, ScalarNode) else ""
            yield from walk.named(value) if key == "rows" else walk.rows(value, name)
        elif key in GAME_SECTIONS:
            yield from walk.words(value, (key,), {}, is_prose=False)
        elif key in PROSE_KEYS:
            yield from walk.words(MappingNode((entry,), value.span), ("kinds", ""), {}, is_prose=False)


class _FileWalk(RuleWalk):
    """Goes through a file; what is no rule has ways of its own."""

    def listed(self, kind: str, node: Node) -> Iterator[NameUse]:
        """What a file declares that is no part of the rules."""
        above = WORKS if kind == "sources" else f"{kind}.{LISTS_OF_FILES[kind]}"
        for entry in as_mapping(node):
            yield NameUse(entry.key.span, entry.key.text, f"{above}.{entry.key.text}")

    def statements(self, node: Node) -> Iterator[NameUse]:
        """What is printed, with the works, rules, reasons and cases that it names."""
        for item in as_items(node):
            for entry in as_mapping(item):
                key = entry.key.text
                if key == "source":
                    yield from self.listed("sources", entry.value)
                elif key in ("rules", "instead"):
                    yield from self.addresses(entry.value)
                elif key == "because" and isinstance(entry.value, ScalarNode):
                    address = f"statements.{LISTS_OF_FILES['statements']}.{entry.value.text}"
                    yield NameUse(entry.value.span, entry.value.text, address)
                elif key == "scenario":
                    for case in as_items(entry.value):
                        if isinstance(case, ScalarNode) and "/" in case.text:
                            name = case.text.rpartition("/")[2]
                            span = case.subspan(len(case.text) - len(name), len(case.text))
                            yield NameUse(span, name, f"{file_of_cases(case.text.rpartition('/')[0])}.{name}")

    def display(self, node: MappingNode) -> Iterator[NameUse]:
        """How a game is drawn."""
        for entry in node:
            section, value = entry.key.text, entry.value
            for item in as_items(value) if section in ("board", "players") else ():
                for line in as_mapping(item):
                    if line.key.text == "rows":
                        yield from self._rows_of_board(as_mapping(item).get("zone"), line.value)
                    elif line.key.text in DISPLAY_NAMES:
                        yield from self.named(line.value)
            if section == "members":
                for looks in as_mapping(value):
                    kind, _, member = looks.key.text.partition(".")
                    for parts, start in ((("kinds", kind), 0), (("kinds", kind, member), len(kind) + 1)):
                        if address := self.names.meaning(parts):
                            span = looks.key.subspan(start, start + len(parts[-1]))
                            yield NameUse(span, parts[-1], address)
            elif section in ("things", "state"):
                for named in as_mapping(value):
                    yield from self.named(named.key)
                    yield from self._shown(named.value)

    def _rows_of_board(self, zone: Node | None, name: Node) -> Iterator[NameUse]:
        """The key of a zone that makes the rows of its picture."""
        if isinstance(zone, ScalarNode) and isinstance(name, ScalarNode):
            local = bound_at(self.names, ("zones", zone.text), None, {}).get(name.text)
            if local is not None:
                address = self.global_name(local.sort) if local.is_implied else local.address
                yield NameUse(name.span, name.text, address, local)

    def _shown(self, node: Node) -> Iterator[NameUse]:
        for entry in as_mapping(node):
            if entry.key.text == "title":
                yield from self.words(entry.value, (TEXT_KEY,), {}, is_prose=True)
            for line in as_items(entry.value) if entry.key.text in ("lines", "extra_lines") else ():
                condition = as_mapping(line).get("when")
                if condition is None:
                    yield from self.words(line, (TEXT_KEY,), {}, is_prose=True)
                    continue
                yield from self.words(condition, ("",), {}, is_prose=False)
                for other in as_mapping(line):
                    if other.key.text != "when":
                        yield from self.words(other.value, (TEXT_KEY,), {}, is_prose=True)

    # ---- what a variant changes -----------------------------------------------------------------------------

    def changes(self, operation: str, node: Node) -> Iterator[NameUse]:
        """The addresses of changes, and what is to be there."""
        if not isinstance(node, MappingNode):
            yield from self.addresses(node)
            return
        for change in node:
            yield from self.address(change.key)
            parts, value = tuple(change.key.text.split(".")), change.value
            if operation == "sentences":
                sentence = sentence_parts(change.key.text)
                seen = static_view(sentence, visible_at(self.names, sentence))
                yield from self.words(value, sentence, seen, is_prose=True)
            elif operation != "adjust":
                if operation == "insert":
                    for place in ANCHOR_KEYS:
                        if isinstance(neighbour := as_mapping(value).get(place), ScalarNode):
                            address = self.names.meaning((*parts[:-1], neighbour.text))
                            yield NameUse(neighbour.span, neighbour.text, address)
                    kept = tuple(entry for entry in as_mapping(value) if entry.key.text not in ANCHOR_KEYS)
                    value = MappingNode(kept, value.span)
                visible = visible_at(self.names, parts)
                expected = as_mapping(value).get("expects")
                for whole in (value,) if expected is None else (each.value for each in as_mapping(value)):
                    yield from self.words(whole, parts, visible, is_prose=any(part in PROSE_KEYS for part in parts))


__all__ = ["CHANGES", "uses_in"]
