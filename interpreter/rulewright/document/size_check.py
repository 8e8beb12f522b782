"""How much of everything a game may have: what is beyond that is refused before anybody tries to understand it.

In: the nodes of a game or of a part of it, its lists as they are written or by name. Out: complaints at the first thing
too many. What is allowed is far above what games need, and low enough that every check comes to an end soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Report, Span
from rulewright.document import codes
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence

HELP: Final = "so much is more than one game: it would take too long to look through"

OFFERS: Final = ("must", "may", "together")
FLOWS: Final = ("setup", "turn", "round", "finale")
SIZED: Final = ("game", "part", "rows")  # kinds of files
UNCOUNTED: Final = frozenset(
    {"text", "why", "source", "status", "names", "rows", "files", "texts", "overlays", "things"}
)
Said = Callable[[Node | Entry, int, int, str], None]


def sizes(root: Mapping, report: Report) -> bool:
    """Complains of everything in a file, or in a whole game, of which there is too much; False when there is."""
    before = report.errors

    def said(spot: Node | Entry, count: int, most: int, what: str) -> None:
        span = spot.key.span if isinstance(spot, Entry) else _start(spot)
        message = f"{count:,} {what}; {most:,} are allowed"
        report.add(span, codes.OUT_OF_RANGE, message, label="one too many", help=HELP)

    for entry in root.entries:
        name, inside = entry.key.text, _named(entry.value)
        if name in ("files", "texts") and isinstance(entry.value, Sequence):
            _within(entry.value.items, limits.MAX_LISTED_FILES, f"names of files in `{name}`", said)
        elif name not in UNCOUNTED and not isinstance(entry.value, Scalar):
            _within(inside, limits.MAX_SECTION_ENTRIES, f"entries in `{name}`", said)
    _words(root, said)
    _within(list(_rows(root)), limits.MAX_ROWS, "rows in all", said)
    for what, clauses in _clauses(root):
        _within(clauses, limits.MAX_CLAUSES, what, said)
    _within(list(_steps(root)), limits.MAX_RULE_STEPS, "steps in all", said)
    _within(list(_expressions(root)), limits.MAX_EXPRESSIONS, "values and expressions in all", said)
    return report.errors == before


def size(root: Mapping) -> int:
    """How much a game says: its values and expressions, and its rows."""
    return sum(1 for _ in _expressions(root)) + sum(1 for _ in _rows(root))


def _within(found: tuple[Node, ...] | list[Node] | list[Entry], most: int, what: str, said: Said) -> None:
    if len(found) > most:
        said(found[most], len(found), most, what)


def _start(node: Node) -> Span:
    """Where a node begins: all of it may be long."""
    if isinstance(node, Mapping) and node.entries:
        return node.entries[0].key.span
    return node.span


def _section(root: Mapping, name: str) -> list[Entry]:
    return _named(root.get(name))


def _named(node: Node | None) -> list[Entry]:
    """What stands under names, in a mapping or in a list of mappings."""
    if isinstance(node, Mapping):
        return list(node.entries)
    if isinstance(node, Sequence):
        return [entry for item in node.items if isinstance(item, Mapping) for entry in item.entries]
    return []


def _inside(entry: Entry, key: str) -> Node | None:
    return entry.value.get(key) if isinstance(entry.value, Mapping) else None


def _words(root: Mapping, said: Said) -> None:
    for kind in _section(root, "kinds"):
        members = _inside(kind, "members") or kind.value
        if isinstance(members, Sequence):
            _within(members.items, limits.MAX_DECLARED_MEMBERS, f"members of `{kind.key.text}`", said)


def _rows(root: Mapping) -> Iterator[Node]:
    """The rows of components, or of a file with the rows of one."""
    lists = [_inside(component, "rows") for component in _section(root, "components")]
    for rows in (*lists, root.get("things")):
        match rows:
            case Sequence(items=items):
                yield from items
            case Mapping(entries=entries):
                yield from (entry.value for entry in entries)


def _steps(root: Mapping) -> Iterator[Node]:
    lists = [root.get(name) for name in FLOWS]
    lists += [entry.value for entry in _section(root, "procedures")]
    lists += [_inside(entry, "do") for entry in _section(root, "actions")]
    waiting = [entry for one in reversed(lists) for entry in reversed(_named(one))]
    while waiting:
        step = waiting.pop()
        yield step.value
        waiting += reversed(_named(_inside(step, "do")))


def _clauses(root: Mapping) -> Iterator[tuple[str, list[Entry]]]:
    """What has to hold together: the clauses of each action and each offer; and the terms of each value."""
    for action in _section(root, "actions"):
        yield f"clauses of `{action.key.text}`", _named(_inside(action, "when"))
    for step in _steps(root):
        for key in OFFERS:
            for offer in _named(step.get(key)) if isinstance(step, Mapping) else ():
                yield f"clauses of the offer `{offer.key.text}`", _named(offer.value)
    for value in _section(root, "values"):
        for key in ("sum", "less"):
            yield f"terms of `{value.key.text}`", _named(_inside(value, key))


def _expressions(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        match waiting.pop():
            case Scalar() as one:
                yield one
            case Sequence(items=items):
                waiting += reversed(items)
            case Mapping(entries=entries):
                waiting += [entry.value for entry in reversed(entries) if entry.key.text not in UNCOUNTED]


__all__ = ["SIZED", "size", "sizes"]
