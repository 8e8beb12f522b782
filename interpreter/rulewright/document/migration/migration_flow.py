"""Rules that became short are written on one line: what is left of a block when its sentences have gone.

In: the text of a file, and the addresses of rules that have lost something. Out: edits of it. A block with a comment in
it stays as it is, and so does one that would be too long.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

from rulewright.document.language import AddressParts, principal_key
from rulewright.document.migration.migration_edits import QUOTES, Edit, is_flow, node_end
from rulewright.document.migration.migration_sentence_lines import FLOW_MARKS, MAX_COLUMNS, NOT_PLAIN
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode

STEPS_KEY: Final = "do"  # steps stand on lines of their own
BLOCK_SCALARS: Final = ("|", ">")

Children = Callable[[Node, AddressParts], Iterator[tuple[AddressParts, Entry]]]


def short_form(parts: AddressParts) -> str:
    """The key without which a rule can be written when it has no other; empty if there is none."""
    return "members" if len(parts) == 2 and parts[0] == "kinds" else principal_key(parts)


class ShortLines:
    """Edits of one file. `lost`: the addresses of the rules that have lost a sentence."""

    def __init__(self, lost: Collection[AddressParts], children: Children) -> None:
        self.lost = lost
        self.children = children

    def edits(self, node: Node, parts: AddressParts, *, within_flow: bool = False) -> Iterator[Edit]:
        """Edits of all rules below an address, the outermost first."""
        for child_parts, entry in self.children(node, parts):
            yield from self.entry_edits(entry, child_parts, within_flow=within_flow)

    def entry_edits(self, entry: Entry, parts: AddressParts, *, within_flow: bool = False) -> Iterator[Edit]:
        """Edits of the rule at an address, or else of those below it."""
        is_whole = parts in self.lost or self._lost_below(entry.value, parts)
        line = self._line(entry, parts, within_flow=within_flow) if is_whole else None
        if line is not None:
            yield line
        else:
            yield from self.edits(entry.value, parts, within_flow=within_flow or is_flow(entry.value))

    def _lost_below(self, node: Node, parts: AddressParts) -> bool:
        """Whether it is a collection of short terms one of which has lost its sentence."""
        if not isinstance(node, MappingNode) or short_form(parts):
            return False
        children = [(child_parts, entry.value) for child_parts, entry in self.children(node, parts)]
        return any(child_parts in self.lost for child_parts, _ in children) and all(
            isinstance(self._shortened(child, child_parts), ScalarNode) for child_parts, child in children
        )

    def _shortened(self, node: Node, parts: AddressParts) -> Node:
        """What a rule is short for when it has lost all other keys."""
        key = short_form(parts)
        if parts in self.lost and key and isinstance(node, MappingNode) and node.keys() == (key,):
            return node.entries[0].value
        return node

    def _line(self, entry: Entry, parts: AddressParts, *, within_flow: bool) -> Edit | None:
        node, text = entry.value, entry.key.span.source.text
        short = self._shortened(node, parts)
        if short is node and (is_flow(node) or isinstance(node, ScalarNode)):
            return None
        start, end = node_end(entry.key), node_end(node)
        if has_comment(text, start, end, node):
            return None
        if isinstance(short, ScalarNode) and not within_flow:
            words = _scalar(short, within_flow=False)
        else:
            words = self._words(short, parts, depth=0)
        if words is None:
            return None
        column = start - text.rfind("\n", 0, start) - 1
        if not within_flow and not isinstance(short, ScalarNode) and column + 2 + len(words) > MAX_COLUMNS:
            return None
        return Edit(start, end, f": {words}")

    def _words(self, node: Node, parts: AddressParts, depth: int) -> str | None:
        """A node in braces, on one line; None for one that has too much in it."""
        if isinstance(node, ScalarNode):
            return _scalar(node, within_flow=True)
        source = node.span.source.text[node.span.start : node_end(node)]
        if is_flow(node) and "\n" not in source and not self._lost_in(node, parts):
            return source
        if isinstance(node, SequenceNode):
            items = [_scalar(item, within_flow=True) if isinstance(item, ScalarNode) else None for item in node]
            return None if None in items else f"[{', '.join(item for item in items if item is not None)}]"
        if depth > 1 or STEPS_KEY in node:
            return None
        found: list[str] = []
        by_key = {entry.key.text: child_parts for child_parts, entry in self.children(node, parts)}
        for entry in node:
            child_parts = by_key.get(entry.key.text, (*parts, entry.key.text))
            words = self._words(self._shortened(entry.value, child_parts), child_parts, depth + 1)
            if words is None:
                return None
            found.append(f"{entry.key.text}: {words}")
        return f"{{{', '.join(found)}}}"

    def _lost_in(self, node: Node, parts: AddressParts) -> bool:
        return any(
            child_parts in self.lost or self._lost_in(entry.value, child_parts)
            for child_parts, entry in self.children(node, parts)
        )


def _scalar(node: ScalarNode, *, within_flow: bool) -> str | None:
    """A scalar as it is written, on one line; None for one of several lines."""
    text, end = node.span.source.text, node_end(node)
    start = node.span.start - (text[node.span.start - 1 : node.span.start] in QUOTES)
    written = text[start:end]
    if "\n" in written or written[:1] in BLOCK_SCALARS:
        return None
    if within_flow and written[:1] not in QUOTES and FLOW_MARKS.search(written):
        return '"' + written.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if not within_flow and FLOW_MARKS.search(node.text) and not NOT_PLAIN.search(node.text):
        return node.text  # it was quoted only because it stood in braces
    return written


def has_comment(text: str, start: int, end: int, node: Node) -> bool:
    """Whether a comment stands between two places, of which the second is the end of a node."""
    place = start
    for scalar in _scalars(node):
        if "#" in text[place : max(scalar.span.start, place)]:
            return True
        place = node_end(scalar)
    return "#" in text[place:end]


def _scalars(node: Node) -> Iterator[ScalarNode]:
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, MappingNode):
        for entry in node:
            yield entry.key
            yield from _scalars(entry.value)
    else:
        for item in node:
            yield from _scalars(item)


__all__ = ["ShortLines", "has_comment"]
