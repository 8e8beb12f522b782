"""Answers while a text is typed: what can follow, corrections, the text's outline and folds.

In: a server and what is open. Out: nothing; the server answers from then on. Needs the extra `lsp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.diagnostics import Span
from rulewright.editor.client_capabilities import can_nest_symbols, shows_markdown_beside_lists, without_levels
from rulewright.editor.completions import completions_at
from rulewright.editor.file_addresses import path_of_uri
from rulewright.editor.file_nodes import node_of_beginning, node_of_file
from rulewright.editor.kept_answers import NO_CHANGE, KeptAnswers, TextChange
from rulewright.editor.open_rules import is_rule_file
from rulewright.editor.outlines import OutlineEntry, foldings, outline
from rulewright.editor.protocol_terms import ProtocolTerms, range_of
from rulewright.editor.symbol_search import find_declarations
from rulewright.editor.text_places import TextPlaces
from rulewright.editor.workspace import Workspace, path_of
from rulewright.source.nodes import Node
from rulewright.source.reader import peek_text

# the picture beside a word that can follow, by the first word of what it is
SYMBOLS: Final = {
    "key": "Property", "changes": "Property", "rule": "Reference", "game": "Module", "kind": "Class",
    "component": "Class", "member": "EnumMember", "field": "Field", "parameter": "Constant", "zone": "Field",
    "value": "Function", "function": "Function", "action": "Method", "procedure": "Method", "word": "Keyword",
}  # fmt: skip


# the picture beside what is declared, by what it is
SYMBOL_KINDS: Final = {
    "kind": types.SymbolKind.Enum, "member": types.SymbolKind.EnumMember, "parameter": types.SymbolKind.Constant,
    "component": types.SymbolKind.Class, "thing": types.SymbolKind.Object, "field": types.SymbolKind.Field,
    "value": types.SymbolKind.Function, "action": types.SymbolKind.Method, "procedure": types.SymbolKind.Method,
}  # fmt: skip


def answer_completion(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers completion and quick fixes."""

    def documentation(meaning: str) -> str | types.MarkupContent:
        is_markdown = shows_markdown_beside_lists(server.client_capabilities)
        return types.MarkupContent(types.MarkupKind.Markdown, meaning) if is_markdown else meaning

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "(", "{"]))
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        path = path_of_uri(params.text_document.uri)
        text = terms.places(path)
        rules = workspace.rules_while_typing(path, text.text, params.position.line, is_hurried=True)
        offset = text.offset(params.position.line, params.position.character)
        return [
            types.CompletionItem(
                each.word,
                kind=types.CompletionItemKind[SYMBOLS.get(each.label.partition(" ")[0], "Variable")],
                detail=each.label,
                documentation=documentation(each.meaning) if each.meaning else None,
                sort_text=f"{index:05}",  # what fits best comes first, not what is first in the alphabet
                text_edit=types.TextEdit(
                    range_of(text, offset - each.replaced, offset + each.replaced_behind), each.word
                ),
            )
            for index, each in enumerate(completions_at(path, rules, text.text, offset))
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        path = path_of_uri(params.text_document.uri)
        actions: list[types.CodeAction] = []
        kinds = types.CodeActionKind
        if not {kinds.QuickFix, kinds.Empty} & {*(params.context.only or [kinds.Empty])}:
            return actions  # an editor that saves may ask for other sorts of changes, and makes what it is answered
        for diagnostic in workspace.diagnostics_of(path):
            marked = terms.location(diagnostic.span).range
            if marked.end.line < params.range.start.line or params.range.end.line < marked.start.line:
                continue  # all of a line: its mistakes are shown at its end, where the cursor may be
            if (fix := diagnostic.fix) is not None and all(map(_is_current, fix.spans)):
                edits: dict[str, list[types.TextEdit]] = {}
                for place in map(terms.location, fix.spans):
                    edits.setdefault(place.uri, []).append(types.TextEdit(place.range, fix.text))
                edit = types.WorkspaceEdit(changes=edits)
                actions.append(
                    types.CodeAction(fix.title, kinds.QuickFix, [terms.to_diagnostic(diagnostic)], edit=edit)
                )
        return actions


def _is_current(span: Span) -> bool:
    """Whether its file still says what it said when it was checked: places may be others now."""
    return span.source.text == peek_text(path_of(span))


def answer_outlines(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers the outline, folding and the search for what is declared."""

    @server.feature(types.WORKSPACE_SYMBOL)
    def declared(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        return [
            types.WorkspaceSymbol(
                terms.location(each.span),
                each.name,
                SYMBOL_KINDS.get(each.label, types.SymbolKind.Variable),
                container_name=each.address.rpartition(".")[0],
            )
            for each in find_declarations(workspace, params.query)
        ]

    outlined = KeptAnswers[tuple[OutlineEntry, ...]](workspace)
    folded = KeptAnswers[list[tuple[int, int]]](workspace)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        path = path_of_uri(params.text_document.uri)
        node, text = _node_of_rules(path), terms.places(path)
        known = outlined.latest(path, text.text, None if node is None else outline(node))
        if known is None and is_rule_file(path) and (beginning := node_of_beginning(path)) is not None:
            known = outline(beginning), NO_CHANGE
        nested = [] if known is None else [*_symbols(known[0], known[1], text)]
        if can_nest_symbols(server.client_capabilities):
            return nested
        return [*without_levels(nested, params.text_document.uri)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        path = path_of_uri(params.text_document.uri)
        node, text = _node_of_rules(path), terms.places(path)
        known = folded.latest(path, text.text, None if node is None else [*foldings(node)])
        if known is None:
            return None  # VS Code then folds by indentation
        found, change = known
        places = ((change.moved(start), change.moved_end(end)) for start, end in found)
        lines = ((text.place(start).line, text.place(end).line) for start, end in places if start is not None)
        return [types.FoldingRange(first, last) for first, last in lines if first < last]


def _node_of_rules(path: Path) -> Node | None:
    """What a file says; None for one that cannot be read, and for other YAML files, which have servers of their own."""
    return node_of_file(path) if is_rule_file(path) else None


def _symbols(entries: Iterable[OutlineEntry], change: TextChange, text: TextPlaces) -> Iterator[types.DocumentSymbol]:
    """What an outline has, where it stands now; not what is written anew."""
    for entry in entries:
        start = change.moved(entry.key.start)
        if start is None:
            continue
        end = change.moved_end(entry.key.end)
        whole, key = range_of(text, start, max(end, change.moved_end(entry.end))), range_of(text, start, end)
        kind = types.SymbolKind.Namespace if entry.inner else types.SymbolKind.Property
        inner = [*_symbols(entry.inner, change, text)]
        yield types.DocumentSymbol(entry.name, kind, whole, key, entry.detail, children=inner)


__all__ = ["answer_completion", "answer_outlines"]
