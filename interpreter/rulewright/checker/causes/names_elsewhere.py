"""A name that is bound elsewhere, and has no meaning where it is used: the hint says where it has one.

In: the tree of a game and what is wrong with it. Out: the same `Diagnostics`, where an unknown name that a choice, the
argument of a procedure or a loop of another rule binds is explained; so is a field in the name of a row, also where a
value has its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.diagnostics import Diagnostic, Diagnostics
from rulewright.document.address import AddressParts, split_address
from rulewright.document.language import SENTENCE_KEYS
from rulewright.expr.codes import UNKNOWN_NAME, WRONG_INDEX
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items, as_mapping

LOOP: Final = lazy_pattern(r"([a-z][a-z0-9_]*)(?: in )?")
TYPE: Final = ".type"  # how the addresses of types end, in which no name of a rule has a meaning
ACTIONS: Final = "actions"
ROW_HINT: Final = "the name of a row has no holes: write the word, or name all rows by `names` of the component"


def explain_names_elsewhere(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, with hints about such names."""
    unknown = [one for one in diagnostics if one.code is UNKNOWN_NAME and not one.address.endswith(TYPE)]
    keyless = [one for one in diagnostics if one.code is WRONG_INDEX and _is_text_of_row(root, one)]
    if not unknown and not keyless:
        return diagnostics
    loops = _loops(root)
    hints = {id(one): hint for one in unknown if (hint := _hint_beside(root, loops, one))}
    hints |= {id(one): ROW_HINT for one in keyless}
    explained = Diagnostics()
    explained.merge(diagnostics, lambda one: replace(one, help=hints[id(one)], fix=None) if id(one) in hints else one)
    return explained


def _hint_beside(root: MappingNode, loops: Mapping[str, Entry], one: Diagnostic) -> str:
    """The same, where another name is near as well: then only what another action chooses is as likely meant."""
    fix, (section, own, *_) = one.certain_fix, (*split_address(one.address), "", "")
    if fix is None:
        return _hint(root, loops, one)
    actions = as_mapping(root.get(ACTIONS)) if section == ACTIONS else ()
    others = [action.value for action in actions if action.key.text != own]
    is_chosen = any(one.span.text in as_mapping(as_mapping(other).get("choose")) for other in others)
    return f"{_hint(root, loops, one)}; or did you mean `{fix.text}`?" if is_chosen else ""


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
            if _is_of_expression(action, parts, one):
                return f"`{name}` is chosen after `{parts[3]}`: ask about it there, or in `when`"
            return f"the rulebook says this sentence before anything is chosen: leave out `{{{name}}}`"
    if _is_text_of_row(root, one):
        return ROW_HINT
    for procedure in as_mapping(root.get("procedures")):
        if name in _arguments(as_mapping(procedure.value).get("with")):
            return f"`{name}` is an argument of `{procedure.key.text}`: only its own steps know it"
    loop = loops.get(name)
    return (
        ""
        if loop is None
        else f"`{name}` is bound by a `for_each` elsewhere (line {loop.key.span.line}): only its step knows it"
    )


def _is_of_expression(action: Entry, parts: AddressParts, one: Diagnostic) -> bool:
    """Whether something is wrong with what a choice chooses, and not with a sentence of it."""
    if parts[2:3] != ("choose",) or len(parts) != len((ACTIONS, "an action", "choose", "a choice")):
        return False
    choice = as_mapping(as_mapping(as_mapping(action.value).get("choose")).get(parts[3]))
    return any(entry.key.text not in SENTENCE_KEYS and entry.value.span.contains(one.span) for entry in choice)


def _is_text_of_row(root: MappingNode, one: Diagnostic) -> bool:
    """Whether it is a sentence of a row that has a field of that name."""
    name, parts = one.span.text, split_address(one.address)
    if len(parts) != len(("components", "a component", "rows", "a row")) or parts[2] != "rows":
        return False
    return name in as_mapping(as_mapping(as_mapping(root.get(parts[0])).get(parts[1])).get("fields"))


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
