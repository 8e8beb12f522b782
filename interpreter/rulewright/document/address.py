"""Every rule has an address: the names on the way down to it, with dots between.

In: nodes of a game. Out: the same nodes with ordered lists of named items turned into mappings (and back, for the
schema check), what stands at an address, and which addresses there are. Nothing is ever addressed by its number in a
list: an item of a list has the name it stands under, or is that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.diagnostics import Related, Report
from rulewright.document import codes
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence

Parts = tuple[str, ...]

# how deep an ordered list of named items stands below the start of its section
LISTS: Final = {"setup": 1, "turn": 1, "round": 1, "finale": 1, "ranking": 1, "procedures": 2, "actions": 3}


def address_parts(address: str) -> Parts:
    """The names of an address."""
    return tuple(address.split("."))


def _below_list(parts: Parts) -> Parts | None:
    """The names below the outermost ordered list that `parts` lead into, or None when they lead into none."""
    depth = LISTS.get(parts[0]) if parts else None
    if depth is None or len(parts) < depth or (depth == 3 and parts[2] != "do"):
        return None
    return parts[depth:]


def is_ordered(parts: Parts) -> bool:
    """Whether named items stand in order there: `turn`, `actions.take.do`, `turn.act.do`."""
    below = _below_list(parts)
    # a step, its `do`, a step of that, …
    return below is not None and len(below) % 2 == 0 and all(name == "do" for name in below[1::2])


def are_choices(parts: Parts) -> bool:
    """Whether the choices of an action stand there: a later one may use the earlier ones."""
    return len(parts) == 3 and parts[0] == "actions" and parts[2] == "choose"


def is_rows(parts: Parts) -> bool:
    """Whether the rows of a component stand there."""
    return len(parts) == 3 and parts[0] == "components" and parts[2] == "rows"


def items_by_name(items: Sequence) -> tuple[Entry, ...] | None:
    """A list as entries: a word is its own name, a mapping of one key has that name. None when an item has no name."""
    if not items.by_name:
        items.by_name.append(_by_name(items))
    return items.by_name[0]


def _by_name(items: Sequence) -> tuple[Entry, ...] | None:
    found: list[Entry] = []
    for item in items:
        match item:
            case Scalar(value=str(), text=text) if text and "." not in text:
                found.append(Entry(item, Mapping((), item.span)))
            case Mapping(entries=(entry,)):
                found.append(entry)
            case _:
                return None
    return tuple(found)


def children(node: Node) -> tuple[Entry, ...]:
    """What stands under a node by name: entries of a mapping, items of a list of names."""
    match node:
        case Mapping(entries=entries):
            return entries
        case Sequence():
            return items_by_name(node) or ()
        case Scalar():
            return ()


def child(node: Node, name: str) -> Entry | None:
    """The entry of that name under a node, or None."""
    if isinstance(node, Mapping):
        return node.entry(name)
    return next((entry for entry in children(node) if entry.key.text == name), None)


def find(root: Mapping, address: str) -> Entry | None:
    """The entry at an address such as `actions.take.do.pay`, or None."""
    node: Node = root
    entry: Entry | None = None
    for name in address_parts(address):
        entry = child(node, name)
        if entry is None:
            return None
        node = entry.value
    return entry


def addresses(node: Node, above: str = "") -> Iterator[str]:
    """Every address below a node, in the order of the files."""
    for entry in children(node):
        address = f"{above}.{entry.key.text}" if above else entry.key.text
        yield address
        yield from addresses(entry.value, address)


def arranged(node: Node, parts: Parts, report: Report) -> Node:
    """`node`, which stands at `parts`, with ordered lists and rows in it as mappings; names given twice are reported.

    A list with an item that has no name stays as it is: the schema check says so.
    """
    if is_rows(parts):
        return _rows(node, parts, report) if isinstance(node, Sequence) else node
    if is_ordered(parts) and isinstance(node, Sequence):
        if not all(isinstance(item, Mapping) and len(item.entries) == 1 for item in node):
            return node
        node = _distinct(children(node), node, parts, report)
    if isinstance(node, Mapping) and (not parts or parts[0] in LISTS or parts[0] == "components"):
        entries = tuple(
            _with_value(entry, arranged(entry.value, (*parts, entry.key.text), report)) for entry in node.entries
        )
        return Mapping(entries, node.span)
    return node


def _with_value(entry: Entry, value: Node) -> Entry:
    return entry if value is entry.value else Entry(entry.key, value, entry.layers)


def _rows(rows: Sequence, parts: Parts, report: Report) -> Node:
    found: list[Entry] = []
    for row in rows:
        name = row.get("id") if isinstance(row, Mapping) else None
        if not isinstance(row, Mapping) or not isinstance(name, Scalar):
            return rows
        fields = tuple(entry for entry in row.entries if entry.key.text != "id")
        found.append(Entry(name, Mapping(fields, row.span)))
    return _distinct(tuple(found), rows, parts, report)


def _distinct(entries: tuple[Entry, ...], whole: Sequence, parts: Parts, report: Report) -> Mapping:
    first: dict[str, Entry] = {}
    for entry in entries:
        name = entry.key.text
        known = first.setdefault(name, entry)
        if known is not entry:
            where = ".".join(parts)
            report.add(
                entry.key.span,
                codes.DUPLICATE_ID,
                f"`{name}` stands twice in {where}",
                label="the second",
                address=f"{where}.{name}",
                related=[Related(known.key.span, "the first")],
            )
    return Mapping(tuple(first.values()), whole.span)


def listed_again(node: Node, parts: Parts) -> Node:
    """The opposite of `arranged`: mappings that stand for lists are lists again, as the schemas describe them."""
    if not isinstance(node, Mapping) or (parts and parts[0] not in LISTS and parts[0] != "components"):
        return node
    entries = tuple(_with_value(entry, listed_again(entry.value, (*parts, entry.key.text))) for entry in node.entries)
    if is_rows(parts):
        return Sequence(tuple(_row_again(entry) for entry in entries), node.span)
    if is_ordered(parts):
        return Sequence(tuple(Mapping((entry,), entry.key.span) for entry in entries), node.span)
    return Mapping(entries, node.span)


def _row_again(entry: Entry) -> Node:
    if not isinstance(entry.value, Mapping):
        return entry.value
    name = Entry(Scalar("id", "id", entry.key.span), entry.key)
    return Mapping((name, *entry.value.entries), entry.value.span)


__all__ = [
    "Parts",
    "address_parts",
    "addresses",
    "arranged",
    "child",
    "children",
    "find",
    "is_ordered",
    "is_rows",
    "items_by_name",
    "listed_again",
]
