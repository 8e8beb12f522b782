"""The names that rules declare.

In: the tree of a game. Out: each name with what it is and where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.diagnostics import Span
from rulewright.document.address import child_entries
from rulewright.frozen import frozen
from rulewright.source.nodes import Entry, MappingNode, ScalarNode, as_items, as_mapping

SECTIONS: Final = {
    "kinds": "kind", "parameters": "parameter", "components": "component", "zones": "zone", "state": "state",
    "values": "value", "actions": "action", "procedures": "procedure", "measures": "measure",
}  # fmt: skip
STEP_SECTIONS: Final = ("setup", "actions", "procedures", "turn", "round", "finale")


@frozen
class Declaration:
    """A name that rules declare: what it is, its address, where the name stands."""

    name: str
    label: str
    address: str
    span: Span


def iter_declarations(root: MappingNode) -> Iterator[Declaration]:
    """All names, those of sections before those within them."""
    for section, label in SECTIONS.items():
        for entry in _section(root, section):
            yield _declared(entry.key, label, section)
    for kind in _section(root, "kinds"):
        for member in as_items(as_mapping(kind.value).get("members") or kind.value):
            if isinstance(member, ScalarNode) and member.text.isidentifier():
                yield _declared(member, "member", f"kinds.{kind.key.text}")
    for component in _section(root, "components"):
        for row in child_entries(as_mapping(component.value).get("rows") or MappingNode((), root.span)):
            yield _declared(row.key, "thing", f"components.{component.key.text}.rows")
        for field in as_mapping(as_mapping(component.value).get("fields")):
            yield _declared(field.key, "field", f"components.{component.key.text}.fields")
    for section in STEP_SECTIONS:
        for entry in _section(root, section):
            yield from _variables(entry, section)
    for action in _section(root, "actions"):
        for choice in as_mapping(as_mapping(action.value).get("choose")):
            yield _declared(choice.key, "choice", f"actions.{action.key.text}.choose")


def _variables(entry: Entry, owner: str) -> Iterator[Declaration]:
    """The variables of blocks of steps in an entry."""
    node, address = as_mapping(entry.value), f"{owner}.{entry.key.text}"
    steps = node.get("do") if isinstance(entry.value, MappingNode) else entry.value
    if steps is None or isinstance(steps, ScalarNode):
        return
    for variable in as_mapping(node.get("state")):
        yield _declared(variable.key, "variable", f"{address}.state")
    for step in child_entries(steps):
        yield from _variables(step, f"{address}.do")


def _section(root: MappingNode, name: str) -> tuple[Entry, ...]:
    return child_entries(root.get(name) or MappingNode((), root.span))


def _declared(name: ScalarNode, label: str, owner: str) -> Declaration:
    return Declaration(name.text, label, f"{owner}.{name.text}", name.span)


__all__ = ["SECTIONS", "Declaration", "iter_declarations"]
