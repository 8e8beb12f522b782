"""A whole kind or component where one of it is meant: the choice of an action that is called like it or nearly so, or
the variable of a loop.

In: the state of a build. Out: warnings, or where the kind stands: the choice is made only after the expression that
names the kind, or nothing reads the choice or variable, and the kind stands where it could be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.warn import warn
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.expr.codes import ALL_OR_ONE
from rulewright.expr.scope import ComponentSymbol, KindSymbol, Symbol
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items, as_mapping
from rulewright.suggestions import closest_name

NAME: Final = lazy_pattern(r"(?<![\w.])[a-z][a-z0-9_]*\b")
BOUND: Final = lazy_pattern(r"\b(?:some|every|no|each|for|other in)\s+$")  # before a kind that a loop goes through
SENTENCES: Final = ("text", "why", "source", "status")
LOOP: Final = "for_each"
LISTED: Final = ("one_of", "some_of")  # of a whole kind, on purpose


def report_choices_made_later(state: BuildState, action: Entry) -> None:
    """Warns of an earlier choice of an action that names a kind where it means a choice which is made only later."""
    symbols = state.symbols.symbols
    choices = as_mapping(as_mapping(action.value).get("choose")).entries
    for index, choice in enumerate(choices):
        later = {one.key.text for one in choices[index + 1 :] if _is_kind(symbols.get(one.key.text))}
        for name, span in _whole_kinds(choice.value, symbols) if later else ():
            if name in later:
                message = f"`{name}` is chosen only after this, and means all of them here"
                hint = f"put the choice `{name}` before `{choice.key.text}`"
                warn(state, span, ALL_OR_ONE, message, "all of them", hint, f"actions.{action.key.text}.choose")


def find_meant_choice(state: BuildState, action: ActionDef, choice: str) -> tuple[str, Span] | None:
    """Where an action names a whole kind and means a choice that nothing reads."""
    node = as_mapping(as_mapping(state.document.root.get("actions")).get(action.name))
    for key in ("when", "do"):
        for name, span in _whole_kinds(node.get(key), state.symbols.symbols):
            if closest_name(name, [choice]):
                return name, span
    return None


def find_whole_kind(state: BuildState, step: str, kind: str) -> Span | None:
    """Where the step at an address names a whole kind, beside the loop that it is."""
    entry = find_entry(state.document.root, step)
    for part in as_mapping(entry.value if entry is not None else None):
        if part.key.text != LOOP:
            for name, span in _whole_kinds(part.value, state.symbols.symbols):
                if name == kind:
                    return span
    return None


def _is_kind(symbol: Symbol | None) -> bool:
    return isinstance(symbol, KindSymbol | ComponentSymbol)


def _whole_kinds(node: Node | None, symbols: Mapping[str, Symbol]) -> Iterator[tuple[str, Span]]:
    """The names of kinds and components in expressions, where no loop goes through them."""
    match node:
        case ScalarNode():
            for name in NAME.finditer(node.text):
                if _is_kind(symbols.get(name[0])) and not BOUND.search(node.text, 0, name.start()):
                    yield name[0], node.subspan(*name.span())
        case MappingNode():
            for entry in node.entries:
                is_listed = entry.key.text in LISTED and isinstance(entry.value, ScalarNode)
                whole = entry.value.text if is_listed and isinstance(entry.value, ScalarNode) else ""
                if entry.key.text not in SENTENCES and whole not in symbols:
                    yield from _whole_kinds(entry.value, symbols)
        case _:
            for item in as_items(node):
                yield from _whole_kinds(item, symbols)


__all__ = ["find_meant_choice", "find_whole_kind", "report_choices_made_later"]
