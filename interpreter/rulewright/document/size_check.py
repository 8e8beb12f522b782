"""Limits the size of a game: one that is over a limit is rejected before any other check.

In: the nodes of a game or of a part of it, its lists as written or normalized. Out: a diagnostic at the first item over
a limit. The limits are far above what games need, and low enough that every check ends soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Span
from rulewright.document import codes
from rulewright.document.language import FILE_LISTS, FLOW_SECTIONS, OFFER_VERBS, PROSE_KEYS, ROW_KEYS
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode

SIZE_HINT: Final = "checking a game of this size would take too long"

SIZED_KINDS: Final = ("game", "part_of", "rows")  # kinds of files
UNCOUNTED_KEYS: Final = PROSE_KEYS | ROW_KEYS | frozenset(FILE_LISTS)
ReportExcess = Callable[[Node | Entry, int, int, str], None]


def check_sizes(root: MappingNode, diagnostics: Diagnostics) -> bool:
    """Reports everything in a file, or in a whole game, that is over a limit; False when something is."""
    before = diagnostics.error_count

    def report(place: Node | Entry, count: int, limit: int, noun: str) -> None:
        span = place.key.span if isinstance(place, Entry) else _start_span(place)
        message = f"{count:,} {noun}, over the limit of {limit:,}"
        diagnostics.add(span, codes.OUT_OF_RANGE, message, label="over the limit", help=SIZE_HINT)

    for entry in root.entries:
        name, inside = entry.key.text, _named_entries(entry.value)
        if name in ("files", "texts") and isinstance(entry.value, SequenceNode):
            _check_count(entry.value.items, limits.MAX_LISTED_FILES, f"file names in `{name}`", report)
        elif name not in UNCOUNTED_KEYS and not isinstance(entry.value, ScalarNode):
            limit = limits.MAX_ACTIONS if name == "actions" else limits.MAX_SECTION_ENTRIES
            _check_count(inside, limit, f"entries in `{name}`", report)
    _check_members(root, report)
    _check_count(list(_rows(root)), limits.MAX_ROWS, "rows in all", report)
    for noun, clauses in _clause_groups(root):
        _check_count(clauses, limits.MAX_CLAUSES, noun, report)
    _check_count(list(_steps(root)), limits.MAX_RULE_STEPS, "steps in all", report)
    count, characters = _expression_size(root)
    if count > limits.MAX_EXPRESSIONS:
        _check_count(list(_expressions(root)), limits.MAX_EXPRESSIONS, "values and expressions in all", report)
    elif characters > limits.MAX_EXPRESSION_CHARACTERS:
        longest = max(_expressions(root), key=_length)
        report(longest, characters, limits.MAX_EXPRESSION_CHARACTERS, "characters in all expressions")
    return diagnostics.error_count == before


def document_size(root: MappingNode) -> int:
    """The size of a game: the number of its values and expressions, and of its rows."""
    return _expression_size(root)[0] + sum(1 for _ in _rows(root))


def _expression_size(root: MappingNode) -> tuple[int, int]:
    """How many values and expressions there are, and how many characters they have; those of a rule are counted once
    for all variants that leave it.
    """
    sections = (section for section in root if section.key.text not in UNCOUNTED_KEYS)
    rules = (
        rule
        for section in sections
        for rule in (
            [each.value for each in section.value if each.key.text not in UNCOUNTED_KEYS]
            if isinstance(section.value, MappingNode)
            else [section.value]
        )
    )
    sizes = [_sized_once(rule) for rule in rules]
    return sum(count for count, _ in sizes), sum(characters for _, characters in sizes)


def _length(node: Node) -> int:
    return len(node.text) if isinstance(node, ScalarNode) else 0


def _check_count(
    items: tuple[Node, ...] | list[Node] | list[Entry], limit: int, noun: str, report: ReportExcess
) -> None:
    if len(items) > limit:
        report(items[limit], len(items), limit, noun)


def _start_span(node: Node) -> Span:
    """The start of a node: its whole span may be long."""
    if isinstance(node, MappingNode) and node.entries:
        return node.entries[0].key.span
    return node.span


def _section_entries(root: MappingNode, name: str) -> list[Entry]:
    return _named_entries(root.get(name))


def _named_entries(node: Node | None) -> list[Entry]:
    """The entries of a mapping, or of a list of mappings."""
    if isinstance(node, MappingNode):
        return list(node.entries)
    if isinstance(node, SequenceNode):
        return [entry for item in node.items if isinstance(item, MappingNode) for entry in item.entries]
    return []


def _child(entry: Entry, key: str) -> Node | None:
    return entry.value.get(key) if isinstance(entry.value, MappingNode) else None


def _check_members(root: MappingNode, report: ReportExcess) -> None:
    for kind in _section_entries(root, "kinds"):
        members = _child(kind, "members") or kind.value
        if isinstance(members, SequenceNode):
            _check_count(members.items, limits.MAX_DECLARED_MEMBERS, f"members of `{kind.key.text}`", report)


def _rows(root: MappingNode) -> Iterator[Node]:
    """The rows of all components, or of a file with the rows of one."""
    lists = [_child(component, "rows") for component in _section_entries(root, "components")]
    for rows in (*lists, root.get("things")):
        match rows:
            case SequenceNode(items=items):
                yield from items
            case MappingNode(entries=entries):
                yield from (entry.value for entry in entries)


def _steps(root: MappingNode) -> Iterator[Node]:
    lists = [root.get(name) for name in FLOW_SECTIONS]
    lists += [_child(entry, "do") or entry.value for entry in _section_entries(root, "procedures")]
    lists += [_child(entry, "do") for entry in _section_entries(root, "actions")]
    pending = [entry for steps in reversed(lists) for entry in reversed(_named_entries(steps))]
    while pending:
        step = pending.pop()
        yield step.value
        pending += reversed(_named_entries(_child(step, "do")))


def _clause_groups(root: MappingNode) -> Iterator[tuple[str, list[Entry]]]:
    """The clauses of each action and each offer, and the terms of each value, with their name in a message."""
    for action in _section_entries(root, "actions"):
        yield f"clauses of `{action.key.text}`", _named_entries(_child(action, "when"))
    for step in _steps(root):
        for key in OFFER_VERBS:
            for offer in _named_entries(step.get(key)) if isinstance(step, MappingNode) else ():
                yield f"clauses of the offer `{offer.key.text}`", _named_entries(offer.value)
    for value in _section_entries(root, "values"):
        for key in ("sum", "less"):
            yield f"terms of `{value.key.text}`", _named_entries(_child(value, key))


def _expressions(node: Node) -> Iterator[Node]:
    pending = [node]
    while pending:
        match pending.pop():
            case ScalarNode() as scalar:
                yield scalar
            case SequenceNode(items=items):
                pending += reversed(items)
            case MappingNode(entries=entries):
                pending += [entry.value for entry in reversed(entries) if entry.key.text not in UNCOUNTED_KEYS]


def _sized(node: Node) -> tuple[int, int]:
    lengths = [*map(_length, _expressions(node))]
    return len(lengths), sum(lengths)


_sized_once: Final = NodeMemo[Node, tuple[int, int]](_sized, limits.MAX_REMEMBERED_NODES)

__all__ = ["SIZED_KINDS", "check_sizes", "document_size"]
