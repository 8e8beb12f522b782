"""The names that a game declares, each with what it means and where it is declared.

In: declarations, section by section. Out: a table in which expressions look names up. A pass that declares something
extends a copy and hands that on, so that a table never changes under whoever has it.
"""

from __future__ import annotations

from collections.abc import Mapping as ReadOnly
from typing import Final

from rulewright.diagnostics import Related, Span
from rulewright.document.language import PROSE_KEYS
from rulewright.expr.scope import (
    ActionSymbol,
    ComponentSymbol,
    KindSymbol,
    MemberSymbol,
    ParameterSymbol,
    Scope,
    StateSymbol,
    Symbol,
    ValueSymbol,
    ZoneSymbol,
)
from rulewright.expr.types import KindInfo, Type
from rulewright.frozen import field, mutable

METADATA_KEYS: Final = PROSE_KEYS | {"rows"}  # keys with which a node can describe itself

SYMBOL_LABELS: Final[ReadOnly[type, str]] = {
    ParameterSymbol: "parameter",
    ZoneSymbol: "zone",
    ValueSymbol: "value",
    StateSymbol: "state",
    ComponentSymbol: "component",
    ActionSymbol: "action",
    MemberSymbol: "member of a kind",
    KindSymbol: "kind",
}


def symbol_label(symbol: Symbol) -> str:
    """What sort of thing a symbol is, as a noun for messages."""
    return SYMBOL_LABELS.get(type(symbol), "thing")


def symbol_phrase(symbol: Symbol) -> str:
    """The same with its article."""
    label = symbol_label(symbol)
    return f"{'an' if label[:1] in 'aeio' else 'a'} {label}"


@mutable
class SymbolTable:
    """The symbols of a game for one number of players, as far as they are declared."""

    players: int
    removed_names: frozenset[str] = frozenset()  # names whose declarations variants have removed
    symbols: dict[str, Symbol] = field(default_factory=dict)
    declaration_spans: dict[str, Span] = field(default_factory=dict)
    symbol_spans: dict[str, Span] = field(default_factory=dict)  # for notes; of components those of their fields
    kinds: dict[str, KindInfo] = field(default_factory=dict)
    family_members: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each family of kinds
    ambiguous_names: set[str] = field(default_factory=set)  # names of two things, reported where they are declared
    later_names: tuple[str, ...] = ()  # what is declared after the expressions that are read now
    turn_values: dict[str, Related] = field(default_factory=dict)  # values that need a seat in turn, and where they do
    # those outside all bindings, once made
    scopes: dict[tuple[bool, tuple[str, ...]], Scope] = field(default_factory=dict, repr=False)

    def copy(self) -> SymbolTable:
        """A table with the same symbols, which can be extended by itself."""
        return SymbolTable(
            self.players,
            self.removed_names,
            dict(self.symbols),
            dict(self.declaration_spans),
            dict(self.symbol_spans),
            dict(self.kinds),
            dict(self.family_members),
            set(self.ambiguous_names),
            (),
            dict(self.turn_values),
        )

    def scope(self, *, has_me: bool = False, variables: ReadOnly[str, Type] | None = None) -> Scope:
        """The scope outside all bindings, with some variables in its first slots."""
        key = (has_me, self.later_names)
        scope = self.scopes.get(key)
        if scope is None:  # its tables are those of this one, which grow
            scope = self.scopes[key] = Scope(
                self.symbols,
                self.kinds,
                has_me=has_me,
                ambiguous_names=self.ambiguous_names,
                removed_names=self.removed_names,
                later_names=self.later_names,
                spans=self.symbol_spans,
            )
        for name, type_ in (variables or {}).items():
            scope = scope.with_variable(name, type_)
        return scope


__all__ = ["METADATA_KEYS", "SYMBOL_LABELS", "SymbolTable", "symbol_label", "symbol_phrase"]
