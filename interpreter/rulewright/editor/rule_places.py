"""Where a rule that has no name of its own is written: a key of the language, in the game and in what changes it.

In: rules that are open, and what is meant. Out: spans. `zones.tree.start` is such a rule: `start` means the same below
`tree:` in the game and in the address that a variant sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulewright.diagnostics import Span
from rulewright.document.address import AddressParts, child_entries
from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.file_uses import CHANGES
from rulewright.editor.meanings import Target, declaration, uses, uses_in_open_file
from rulewright.editor.open_rules import KINDS_WITH_RULES, VARIANT_KEYS, OpenRules
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items
from rulewright.source.reader import peek_text
from rulewright.source.real_paths import real_path


def places_of_target(rules: OpenRules, target: Target) -> list[Span]:
    """Where the same is meant: the words of its name, else the keys that lead to it."""
    return [use.span for use in uses(rules, target)] or [*_places_of_rule(rules, rules.files(), target)]


def places_in_open_file(rules: OpenRules, target: Target) -> list[Span]:
    """Those of them that are in the open file."""
    named = [use.span for use in uses_in_open_file(rules, target)]
    return named or [*_places_of_rule(rules, [rules.path], target)]


def _places_of_rule(rules: OpenRules, paths: Iterable[Path], target: Target) -> Iterator[Span]:
    declared = declaration(rules, target)
    if declared is None or target.local is not None:
        return
    own = real_path(Path(declared.source.path))
    is_of_variant = _kind(node_of_file(own)) in VARIANT_KEYS  # another variant may add a rule at the same address
    for path in paths:
        if target.word in peek_text(path) and (real_path(path) == own or not is_of_variant):
            yield from _places_in(node_of_file(path), tuple(target.address.split(".")))


def _kind(node: Node | None) -> str:
    return node.entries[0].key.text if isinstance(node, MappingNode) and node.entries else ""


def _places_in(node: Node | None, address: AddressParts) -> Iterator[Span]:
    if not isinstance(node, MappingNode):
        return
    is_of_game = _kind(node) in KINDS_WITH_RULES
    for entry in node:
        if entry.key.text not in CHANGES:
            yield from () if not is_of_game else _below(MappingNode((entry,), node.span), (), address)
        elif isinstance(entry.value, MappingNode):
            yield from _below(entry.value, (), address)
        else:
            for item in as_items(entry.value):
                yield from _last_part(item, (), address) if isinstance(item, ScalarNode) else ()


def _below(node: Node, above: AddressParts, address: AddressParts) -> Iterator[Span]:
    """The keys in a node that lead to an address."""
    for entry in child_entries(node):
        yield from _last_part(entry.key, above, address)
        whole = (*above, *entry.key.text.split("."))
        if len(whole) < len(address) and address[: len(whole)] == whole:
            yield from _below(entry.value, whole, address)


def _last_part(key: ScalarNode, above: AddressParts, address: AddressParts) -> Iterator[Span]:
    """The part of a key at which it has led to the address, if it does."""
    parts = tuple(key.text.split("."))
    count = len(address) - len(above)
    if 0 < count <= len(parts) and (*above, *parts[:count]) == address:
        end = len(".".join(parts[:count]))
        yield key.subspan(end - len(parts[count - 1]), end)


__all__ = ["places_in_open_file", "places_of_target"]
