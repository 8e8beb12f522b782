"""A key that is indented one level too deep, among names: `when` of an action in its `choose`.

In: the tree of a file, and a place in it that does not have the shape expected there. Out: a diagnostic, where the key
of that place is one of the mapping further out, which lacks it, and what is below it is nothing that belongs there.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code, Diagnostics
from rulewright.document.language import AddressParts, definition_at, keys_at
from rulewright.document.located_nodes import LocatedNode
from rulewright.source.nodes import MappingNode, Node, as_mapping
from rulewright.suggestions import did_you_mean

FILES_OF_RULES: Final = ("game", "part_of")
GAME: Final = "the game"


Path = tuple[str | int, ...]  # from the root of a file: keys and indices


def is_deep_key(root: MappingNode, location: LocatedNode, path: Path) -> bool:
    """Whether the key of the place that a path leads to belongs one level further out."""
    parts = tuple(part for part in path if isinstance(part, str))
    is_named = len(parts) > 1 and len(parts) == len(path) and location.key is not None
    return is_named and _is_deep(root, parts, location.node)


def report_deep_key(location: LocatedNode, code: Code, diagnostics: Diagnostics) -> None:
    """Reports such a key."""
    assert location.key is not None
    *outer, holder, name = location.address.split(".")
    definition = definition_at(tuple(outer)) if outer else None
    title = GAME if definition is None else definition.get("title", "what is around it")
    diagnostics.add(
        location.key.span,
        code,
        f"`{name}` is a key of {title}, but is in its `{holder}`",
        label="one level too deep",
        help=f"indent it one level less, like `{holder}`, with what is below it",
        address=location.address,
    )


def _is_deep(root: MappingNode, parts: AddressParts, node: Node) -> bool:
    """Whether the last name of an address is a key of the mapping further out, where names are expected."""
    *outer, holder, name = parts
    if keys_at((*outer, holder)) or name not in keys_at(tuple(outer)):
        return False
    place: Node | None = root
    for part in outer:
        place = as_mapping(place).get(part)
    if not isinstance(place, MappingNode) or name in place:
        return False
    known = keys_at(parts)
    here = [entry.key.text for entry in node] if isinstance(node, MappingNode) else []
    return not any(key in known or did_you_mean(key, known) for key in here)


__all__ = ["FILES_OF_RULES", "Path", "is_deep_key", "report_deep_key"]
