"""A name that is bound elsewhere, and has no meaning where it is used: the hint says where it has one.

In: the tree of a game and what is wrong with it. Out: the same `Diagnostics`, where an unknown name that a choice, the
argument of a procedure or a loop of another rule binds is explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.diagnostics import Diagnostic, Diagnostics
from rulewright.document.address import split_address
from rulewright.expr.codes import UNKNOWN_NAME
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items, as_mapping

LOOP: Final = lazy_pattern(r"([a-z][a-z0-9_]*)(?: in )?")
ACTIONS: Final = "actions"


def explain_names_elsewhere(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, with hints about such names."""
    unknown = [one for one in diagnostics if one.code is UNKNOWN_NAME and one.certain_fix is None]
    if not unknown:
        return diagnostics
    loops = _loops(root)
    hints = {id(one): hint for one in unknown if (hint := _hint(root, loops, one))}
    explained = Diagnostics()
    explained.merge(diagnostics, lambda one: replace(one, help=hints[id(one)], fix=None) if id(one) in hints else one)
    return explained


def _hint(root: MappingNode, loops: Mapping[str, Entry], one: Diagnostic) -> str:
    """Where the name has a meaning."""
    name, parts = one.span.text, split_address(one.address)
    own = parts[1] if parts[0] == ACTIONS and len(parts) > 1 else ""
    for action in as_mapping(root.get(ACTIONS)):
        if name in as_mapping(as_mapping(action.value).get("choose")):
            if action.key.text != own:
                return f"`{name}` is a choice of the action `{action.key.text}`: only its own clauses and steps know it"
            if len(parts) == len((ACTIONS, own)):
                return f"`{name}` is chosen only later: the sentence of an action is about no choice"
            return f"the rulebook says this sentence before anything is chosen: leave out `{{{name}}}`"
    for procedure in as_mapping(root.get("procedures")):
        if name in _arguments(as_mapping(procedure.value).get("with")):
            return f"`{name}` is an argument of `{procedure.key.text}`: only its own steps know it"
    loop = loops.get(name)
    return (
        ""
        if loop is None
        else f"`{name}` is bound by a `for_each` elsewhere (line {loop.key.span.line}): only its step knows it"
    )


def _arguments(node: Node | None) -> Iterator[str]:
    names = [entry.key for entry in node] if isinstance(node, MappingNode) else as_items(node)
    return (name.text for name in names if isinstance(name, ScalarNode))


def _loops(root: MappingNode) -> dict[str, Entry]:
    """By the names that they bind, the keys `for_each`; of several the first that is met."""
    found: dict[str, Entry] = {}
    waiting: list[Node] = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, MappingNode):
            waiting += [entry.value for entry in part.entries]
            loop = part.entry("for_each")
            match = LOOP.match(loop.value.text) if loop is not None and isinstance(loop.value, ScalarNode) else None
            if loop is not None and match is not None:
                found.setdefault(match[1], loop)
        else:
            waiting += as_items(part) if not isinstance(part, ScalarNode) else ()
    return found


__all__ = ["explain_names_elsewhere"]
