"""A key that is indented one level too deep, among names: `when` of an action in its `choose`.

In: the tree of a file, and a place in it that does not have the shape expected there. Out: a diagnostic, where the key
of that place is one of the mapping further out, which lacks it, and what is below it is nothing that belongs there.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code, Diagnostics
from rulewright.document.address import split_address
from rulewright.document.language import AddressParts, definition_at, keys_at
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_mapping
from rulewright.suggestions import did_you_mean

FILES_OF_RULES: Final = ("game", "part_of")
CHANGES: Final = ("add", "set")  # of a variant, whose values are rules at addresses
GAME: Final = "the game"


Path = tuple[str | int, ...]  # from the root of a file: keys and indices


@frozen
class DeepKey:
    """A key that belongs one level further out. `outer`: the address of the rule that it is a key of."""

    key: ScalarNode
    holder: str
    outer: AddressParts
    address: str

    def report(self, code: Code, diagnostics: Diagnostics) -> None:
        """Reports it."""
        definition = definition_at(self.outer) if self.outer else None
        title = GAME if definition is None else definition.get("title", "what is around it")
        diagnostics.add(
            self.key.span,
            code,
            f"`{self.key.text}` is a key of {title}, but is in its `{self.holder}`",
            label="one level too deep",
            help=f"indent it one level less, like `{self.holder}`, with what is below it",
            address=self.address,
        )


def find_deep_key(root: MappingNode, kind: str, path: Path) -> DeepKey | None:
    """The key at the end of a path from the root of a file of a kind, if it belongs one level further out."""
    names = tuple(part for part in path if isinstance(part, str))
    outer = _rule_parts(kind, names[:-2])
    if len(names) < max(2, len(path)) or outer is None:
        return None
    nodes: list[Node | None] = [root]
    for name in names:
        nodes.append(as_mapping(nodes[-1]).get(name))
    entry = as_mapping(nodes[-2]).entry(names[-1])
    place, node = nodes[-3], nodes[-1]
    if entry is None or not isinstance(place, MappingNode) or names[-1] in place:
        return None
    *_, holder, name = names
    if keys_at((*outer, holder)) or name not in keys_at(outer):
        return None
    known = keys_at((*outer, holder, name))
    here = [entry.key.text for entry in node] if isinstance(node, MappingNode) else []
    if any(key in known or did_you_mean(key, known) for key in here):
        return None
    return DeepKey(entry.key, holder, outer, ".".join(names))


def _rule_parts(kind: str, names: AddressParts) -> AddressParts | None:
    """The address of the rule at the end of some keys of a file; None where there is none."""
    if kind in FILES_OF_RULES:
        return names
    if len(names) > 1 and names[0] in CHANGES:
        return (*split_address(names[1]), *names[2:])
    return None


__all__ = ["DeepKey", "Path", "find_deep_key"]
