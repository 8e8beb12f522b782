"""What type each name has where somebody writes: of what rules declare, and of what they bind around that place.

In: a game's document as its file is now, and an address. Out: a `Scope`, as the type checker has it, also while other
rules are wrong; the type of the beginning of an expression in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulewright.diagnostics import Diagnostics, SourceFile, Span
from rulewright.document.address import AddressParts, find_entry
from rulewright.document.document import Document
from rulewright.editor.known_names import KnownNames, key_sorts
from rulewright.editor.local_names import LOOP, SET_OF_CHOICE, LocalName, visible_at
from rulewright.expr.scope import Scope, Symbol, ValueSymbol
from rulewright.expr.type_relations import element_type
from rulewright.expr.typecheck.declarations import check_type
from rulewright.expr.typecheck.expressions import check_binding, check_expression
from rulewright.expr.types import FLAG, Member, SetOf, Type, UnknownType
from rulewright.frozen import replace
from rulewright.model.allowed_players import player_counts
from rulewright.model.build import PASSES
from rulewright.model.build_state import BuildState, run_passes
from rulewright.model.symbol_table import SymbolTable
from rulewright.source.nodes import MappingNode, ScalarNode, as_mapping

if TYPE_CHECKING:
    from rulewright.expr.tree import Binding

LAST_PASS: Final = next(index for index, each in enumerate(PASSES) if "symbols" in each.adds)
DECLARING_PASSES: Final = PASSES[: LAST_PASS + 1]  # with the last all names are declared
WHOLE_ANSWERS: Final = SET_OF_CHOICE[1:]  # keys of a choice whose answer has several elements


def declared_symbols(document: Document, root: MappingNode) -> SymbolTable:
    """What each name means that some rules declare. `root`: the document's, perhaps with a variant."""
    document = replace(document, root=root)
    state = BuildState(document, player_counts(document)[0], (), (), Diagnostics())
    run_passes(DECLARING_PASSES, state)
    return state.symbols


def scope_at(table: SymbolTable, names: KnownNames, parts: AddressParts) -> Scope:
    """The names that can be used at an address; there is a player in turn."""
    scope = replace(table.scope(has_me=True), is_before_play=parts[0] == "parameters")
    for name, local in visible_at(names, parts).items():
        scope = scope.with_variable(name, _type_of_local(local, names.root, scope))
    return scope


def with_procedures(scope: Scope, root: MappingNode) -> Scope:
    """The same scope with what steps run: procedures and their arguments."""
    found: dict[str, Symbol] = {}
    for procedure in as_mapping(root.get("procedures")):
        sorts = [sort for _, sort in key_sorts(as_mapping(procedure.value).get("with"))]
        types = (element_type(type_of_text(sort, scope), scope.kinds) or UnknownType() for sort in sorts)
        found[procedure.key.text] = ValueSymbol(FLAG, tuple(types), is_procedure=True)
    return scope.with_tables({**scope.symbols, **found}, scope.kinds)


def type_of_text(text: str, scope: Scope) -> Type:
    """The type of a whole expression; unknown where it is wrong."""
    return check_expression(scalar_of_text(text), scope, Diagnostics()).type


def binding_of_text(text: str, scope: Scope) -> Binding | None:
    """The variable of a loop; None where it is wrong."""
    return check_binding(scalar_of_text(text), scope, Diagnostics())


def declared_type(text: str, scope: Scope) -> Type:
    """What `type` or `holds` says; unknown where it is wrong."""
    return check_type(scalar_of_text(text), scope, Diagnostics())


def scalar_of_text(text: str) -> ScalarNode:
    """A text as if it stood in a file."""
    return ScalarNode(text, text, Span(SourceFile("", text), 0, len(text)))


def _type_of_local(local: LocalName, root: MappingNode, scope: Scope) -> Type:
    if local.label == "choice":
        return _type_of_answer(local, root, scope)
    of = dict(local.form.names).get(local.name, "") if local.form is not None else ""
    if local.label == LOOP and local.is_implied:
        of = local.name  # `for_each: card` is for all cards
    found = element_type(type_of_text(of, scope), scope.kinds) if of else None
    return found or UnknownType()


def _type_of_answer(local: LocalName, root: MappingNode, scope: Scope) -> Type:
    entry = find_entry(root, local.address)
    choice = as_mapping(None if entry is None else entry.value)
    for key in SET_OF_CHOICE:
        if isinstance(written := choice.get(key), ScalarNode):
            of = type_of_text(written.text, scope)
            element = element_type(of, scope.kinds)
            if key not in WHOLE_ANSWERS:
                return element or UnknownType()
            return SetOf(element) if isinstance(of, Member) and isinstance(element, Member) else of
    return UnknownType()


__all__ = [
    "DECLARING_PASSES",
    "binding_of_text",
    "declared_symbols",
    "declared_type",
    "scalar_of_text",
    "scope_at",
    "type_of_text",
]
