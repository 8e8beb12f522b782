"""Every rule has an address: the names on the path to it, joined by dots, such as `actions.take.do.pay`.

In: the nodes of a game. Out: the same nodes with ordered lists of named items turned into mappings (and back, for the
schema check), the entry at an address, and all addresses. No address contains an index: an item of a list has the name
it is written under, or is itself that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document import codes
from rulewright.document.language import ORDERED_LIST_DEPTHS, AddressParts, ordered_principal_key
from rulewright.source.node_memo import Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, to_builtins


def split_address(address: str) -> AddressParts:
    """The names of an address."""
    return tuple(address.split("."))


def _parts_in_list(parts: AddressParts) -> AddressParts | None:
    """The names after the outermost ordered list on the path, or None when there is none."""
    depth = ORDERED_LIST_DEPTHS.get(parts[0]) if parts else None
    if depth is None or len(parts) < depth or (depth == 3 and parts[2] != "do"):
        return None
    return parts[depth:]


def is_ordered_list(parts: AddressParts) -> bool:
    """Whether it is the address of an ordered list of named items: `turn`, `actions.take.do`, `turn.act.do`."""
    inner = _parts_in_list(parts)
    # a step, its `do`, a step of that, …
    return inner is not None and len(inner) % 2 == 0 and all(name == "do" for name in inner[1::2])


def is_choices(parts: AddressParts) -> bool:
    """Whether it is the address of an action's choices: a later one may use the earlier ones."""
    return len(parts) == 3 and parts[0] == "actions" and parts[2] == "choose"


def is_rows(parts: AddressParts) -> bool:
    """Whether it is the address of a component's rows."""
    return len(parts) == 3 and parts[0] == "components" and parts[2] == "rows"


def named_items(items: SequenceNode) -> tuple[Entry, ...] | None:
    """A list as entries: a word is its own name, a mapping with one key has that name. None if an item has no name."""
    if not items.named_items_cache:
        items.named_items_cache.append(_entries_by_name(items))
    return items.named_items_cache[0]


def _entries_by_name(items: SequenceNode) -> tuple[Entry, ...] | None:
    entries: list[Entry] = []
    for item in items:
        match item:
            case ScalarNode(value=str(), text=text) if text and "." not in text:
                entries.append(Entry(item, MappingNode((), item.span)))
            case MappingNode(entries=(entry,)):
                entries.append(entry)
            case _:
                return None
    return tuple(entries)


def child_entries(node: Node) -> tuple[Entry, ...]:
    """The named children of a node: entries of a mapping, items of a list of names."""
    match node:
        case MappingNode(entries=entries):
            return entries
        case SequenceNode():
            return named_items(node) or ()
        case ScalarNode():
            return ()


def child_entry(node: Node, name: str) -> Entry | None:
    """The child of that name, or None."""
    if isinstance(node, MappingNode):
        return node.entry(name)
    return next((entry for entry in child_entries(node) if entry.key.text == name), None)


def find_entry(root: MappingNode, address: str) -> Entry | None:
    """The entry at an address such as `actions.take.do.pay`, or None."""
    node: Node = root
    entry: Entry | None = None
    for name in split_address(address):
        entry = child_entry(node, name)
        if entry is None:
            return None
        node = entry.value
    return entry


def iter_addresses(node: Node, prefix: str = "") -> Iterator[str]:
    """Every address below a node, in file order."""
    for entry in child_entries(node):
        address = f"{prefix}.{entry.key.text}" if prefix else entry.key.text
        yield address
        yield from iter_addresses(entry.value, address)


def normalize_lists(node: Node, parts: AddressParts, diagnostics: Diagnostics) -> Node:
    """The node at `parts` with its ordered lists and rows as mappings; duplicate names are reported.

    A list with an unnamed item stays as it is: the schema check reports it.
    """
    if is_rows(parts):
        return _rows_by_id(node, parts, diagnostics) if isinstance(node, SequenceNode) else node
    if isinstance(node, SequenceNode) and (key := ordered_principal_key(parts)):
        node = MappingNode((Entry(ScalarNode(key, key, node.span), node),), node.span)  # a list alone is short for it
    if is_ordered_list(parts) and isinstance(node, SequenceNode):
        if not all(isinstance(item, MappingNode) and len(item.entries) == 1 for item in node):
            return node
        node = _distinct_entries(child_entries(node), node, parts, diagnostics)
    if isinstance(node, MappingNode) and (not parts or parts[0] in ORDERED_LIST_DEPTHS or parts[0] == "components"):
        entries = tuple(
            _with_value(entry, normalize_lists(entry.value, (*parts, entry.key.text), diagnostics))
            for entry in node.entries
        )
        return MappingNode(entries, node.span)
    return node


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _normalize(node: Same[Node], parts: AddressParts) -> tuple[Node, Diagnostics]:
    diagnostics = Diagnostics()
    return normalize_lists(node.value, parts, diagnostics), diagnostics


def normalize_lists_once(node: Node, parts: AddressParts, diagnostics: Diagnostics) -> Node:
    """The same for what is written again and again at one place: each time the very same node."""
    normalized, reported = _normalize(Same(node), parts)
    diagnostics.extend(reported)
    return normalized


def normalize_sections(root: MappingNode, diagnostics: Diagnostics) -> MappingNode:
    """The same for the rules of a game, whose sections stay the same nodes where their files do."""
    entries = []
    for entry in root.entries:
        section, reported = _normalize_section(Same(entry.value), entry.key.text)
        diagnostics.extend(reported)
        entries.append(_with_value(entry, section))
    return MappingNode(tuple(entries), root.span)


@lru_cache(maxsize=limits.MAX_REMEMBERED_FILES)
def _normalize_section(node: Same[Node], name: str) -> tuple[Node, Diagnostics]:
    diagnostics = Diagnostics()
    return normalize_lists(node.value, (name,), diagnostics), diagnostics


def _with_value(entry: Entry, value: Node) -> Entry:
    return entry if value is entry.value else Entry(entry.key, value, entry.history)


def _rows_by_id(rows: SequenceNode, parts: AddressParts, diagnostics: Diagnostics) -> Node:
    entries: list[Entry] = []
    for row in rows:
        name = row.get("id") if isinstance(row, MappingNode) else None
        if not isinstance(row, MappingNode) or not isinstance(name, ScalarNode):
            return rows
        fields = tuple(entry for entry in row.entries if entry.key.text != "id")
        entries.append(Entry(name, MappingNode(fields, row.span)))
    return _distinct_entries(tuple(entries), rows, parts, diagnostics)


def _distinct_entries(
    entries: tuple[Entry, ...], items: SequenceNode, parts: AddressParts, diagnostics: Diagnostics
) -> MappingNode:
    distinct: dict[str, Entry] = {}
    for entry in entries:
        name = entry.key.text
        first = distinct.setdefault(name, entry)
        if first is not entry:
            address = ".".join(parts)
            diagnostics.add(
                entry.key.span,
                codes.DUPLICATE_ID,
                f"duplicate `{name}` in `{address}`",
                label="defined again",
                help="give one of them another id, or leave it out",
                address=f"{address}.{name}",
                related=[Related(first.key.span, "first defined here")],
            )
    return MappingNode(tuple(distinct.values()), items.span)


def denormalize_lists(node: Node, parts: AddressParts) -> Node:
    """The inverse of `normalize_lists`: lists are lists again, as the schemas describe them."""
    if not isinstance(node, MappingNode) or (
        parts and parts[0] not in ORDERED_LIST_DEPTHS and parts[0] != "components"
    ):
        return node
    entries = tuple(
        _with_value(entry, denormalize_lists(entry.value, (*parts, entry.key.text))) for entry in node.entries
    )
    if is_rows(parts):
        return SequenceNode(tuple(_row_from_entry(entry) for entry in entries), node.span)
    if is_ordered_list(parts):
        return SequenceNode(tuple(MappingNode((entry,), entry.key.span) for entry in entries), node.span)
    return MappingNode(entries, node.span)


def builtins_with_lists(node: Node, parts: AddressParts) -> object:
    """What `denormalize_lists` makes of a node, as dicts, lists and plain values; without nodes of its own."""
    if not isinstance(node, MappingNode) or (
        parts and parts[0] not in ORDERED_LIST_DEPTHS and parts[0] != "components"
    ):
        return to_builtins(node)
    values = [(entry.key, builtins_with_lists(entry.value, (*parts, entry.key.text))) for entry in node.entries]
    if is_rows(parts):
        return [{"id": to_builtins(key), **value} if isinstance(value, dict) else value for key, value in values]
    if is_ordered_list(parts):
        return [{key.text: value} for key, value in values]
    return {key.text: value for key, value in values}


def _row_from_entry(entry: Entry) -> Node:
    if not isinstance(entry.value, MappingNode):
        return entry.value
    name = Entry(ScalarNode("id", "id", entry.key.span), entry.key)
    return MappingNode((name, *entry.value.entries), entry.value.span)


__all__ = [
    "AddressParts",
    "builtins_with_lists",
    "child_entries",
    "child_entry",
    "denormalize_lists",
    "find_entry",
    "is_ordered_list",
    "is_rows",
    "iter_addresses",
    "named_items",
    "normalize_lists",
    "normalize_lists_once",
    "normalize_sections",
    "split_address",
]
