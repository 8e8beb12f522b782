"""How much of everything a game may have: what is beyond that is refused before anybody tries to understand it.

In: the nodes of a game or of a part of it, its lists as they are written or by name. Out: complaints at the first thing
too many. What is allowed is far above what games need, and low enough that every check comes to an end soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Span
from rulewright.document import codes
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode

SIZE_HINT: Final = "so much is more than one game: it would take too long to look through"

OFFER_VERBS: Final = ("must", "may", "together")
FLOW_SECTIONS: Final = ("setup", "turn", "round", "finale")
SIZED_KINDS: Final = ("game", "part", "rows")  # kinds of files
UNCOUNTED_KEYS: Final = frozenset(
    {"text", "why", "source", "status", "names", "rows", "files", "texts", "overlays", "things"}
)
ReportExcess = Callable[[Node | Entry, int, int, str], None]


def check_sizes(root: MappingNode, diagnostics: Diagnostics) -> bool:
    """Complains of everything in a file, or in a whole game, of which there is too much; False when there is."""
    before = diagnostics.error_count

    def said(spot: Node | Entry, count: int, most: int, what: str) -> None:
        span = spot.key.span if isinstance(spot, Entry) else _start(spot)
        message = f"{count:,} {what}; {most:,} are allowed"
        diagnostics.add(span, codes.OUT_OF_RANGE, message, label="one too many", help=SIZE_HINT)

    for entry in root.entries:
        name, inside = entry.key.text, _named(entry.value)
        if name in ("files", "texts") and isinstance(entry.value, SequenceNode):
            _within(entry.value.items, limits.MAX_LISTED_FILES, f"names of files in `{name}`", said)
        elif name not in UNCOUNTED_KEYS and not isinstance(entry.value, ScalarNode):
            _within(inside, limits.MAX_SECTION_ENTRIES, f"entries in `{name}`", said)
    _words(root, said)
    _within(list(_rows(root)), limits.MAX_ROWS, "rows in all", said)
    for what, clauses in _clauses(root):
        _within(clauses, limits.MAX_CLAUSES, what, said)
    _within(list(_steps(root)), limits.MAX_RULE_STEPS, "steps in all", said)
    _within(list(_expressions(root)), limits.MAX_EXPRESSIONS, "values and expressions in all", said)
    return diagnostics.error_count == before


def document_size(root: MappingNode) -> int:
    """How much a game says: its values and expressions, and its rows."""
    return sum(1 for _ in _expressions(root)) + sum(1 for _ in _rows(root))


def _within(found: tuple[Node, ...] | list[Node] | list[Entry], most: int, what: str, said: ReportExcess) -> None:
    if len(found) > most:
        said(found[most], len(found), most, what)


def _start(node: Node) -> Span:
    """Where a node begins: all of it may be long."""
    if isinstance(node, MappingNode) and node.entries:
        return node.entries[0].key.span
    return node.span


def _section(root: MappingNode, name: str) -> list[Entry]:
    return _named(root.get(name))


def _named(node: Node | None) -> list[Entry]:
    """What stands under names, in a mapping or in a list of mappings."""
    if isinstance(node, MappingNode):
        return list(node.entries)
    if isinstance(node, SequenceNode):
        return [entry for item in node.items if isinstance(item, MappingNode) for entry in item.entries]
    return []


def _inside(entry: Entry, key: str) -> Node | None:
    return entry.value.get(key) if isinstance(entry.value, MappingNode) else None


def _words(root: MappingNode, said: ReportExcess) -> None:
    for kind in _section(root, "kinds"):
        members = _inside(kind, "members") or kind.value
        if isinstance(members, SequenceNode):
            _within(members.items, limits.MAX_DECLARED_MEMBERS, f"members of `{kind.key.text}`", said)


def _rows(root: MappingNode) -> Iterator[Node]:
    """The rows of components, or of a file with the rows of one."""
    lists = [_inside(component, "rows") for component in _section(root, "components")]
    for rows in (*lists, root.get("things")):
        match rows:
            case SequenceNode(items=items):
                yield from items
            case MappingNode(entries=entries):
                yield from (entry.value for entry in entries)


def _steps(root: MappingNode) -> Iterator[Node]:
    lists = [root.get(name) for name in FLOW_SECTIONS]
    lists += [entry.value for entry in _section(root, "procedures")]
    lists += [_inside(entry, "do") for entry in _section(root, "actions")]
    waiting = [entry for one in reversed(lists) for entry in reversed(_named(one))]
    while waiting:
        step = waiting.pop()
        yield step.value
        waiting += reversed(_named(_inside(step, "do")))


def _clauses(root: MappingNode) -> Iterator[tuple[str, list[Entry]]]:
    """What has to hold together: the clauses of each action and each offer; and the terms of each value."""
    for action in _section(root, "actions"):
        yield f"clauses of `{action.key.text}`", _named(_inside(action, "when"))
    for step in _steps(root):
        for key in OFFER_VERBS:
            for offer in _named(step.get(key)) if isinstance(step, MappingNode) else ():
                yield f"clauses of the offer `{offer.key.text}`", _named(offer.value)
    for value in _section(root, "values"):
        for key in ("sum", "less"):
            yield f"terms of `{value.key.text}`", _named(_inside(value, key))


def _expressions(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        match waiting.pop():
            case ScalarNode() as one:
                yield one
            case SequenceNode(items=items):
                waiting += reversed(items)
            case MappingNode(entries=entries):
                waiting += [entry.value for entry in reversed(entries) if entry.key.text not in UNCOUNTED_KEYS]


__all__ = ["SIZED_KINDS", "check_sizes", "document_size"]
