"""Answers while a text is typed: what can follow, corrections, the text's outline, folds and colours.

In: a server and what is open. Out: nothing; the server answers from then on. Needs the extra `lsp`.
"""

from __future__ import annotations

from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.diagnostics import Diagnostics
from rulewright.editor.completions import completions_at
from rulewright.editor.file_addresses import path_of_uri
from rulewright.editor.outlines import OutlineEntry, foldings, outline
from rulewright.editor.protocol_terms import ProtocolTerms, range_of
from rulewright.editor.symbol_search import find_declarations
from rulewright.editor.tokens import TOKEN_KINDS, tokens
from rulewright.editor.workspace import Workspace
from rulewright.source.reader import parse_file

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

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "(", "{"]))
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        path = path_of_uri(params.text_document.uri)
        text = terms.places(path)
        rules = workspace.rules_while_typing(path, text.text, params.position.line)
        offset = text.offset(params.position.line, params.position.character)
        return [
            types.CompletionItem(
                each.word,
                kind=types.CompletionItemKind[SYMBOLS.get(each.label.partition(" ")[0], "Variable")],
                detail=each.label,
                sort_text=f"{index:05}",  # what fits best comes first, not what is first in the alphabet
                text_edit=types.TextEdit(range_of(text, offset - each.replaced, offset), each.word),
            )
            for index, each in enumerate(completions_at(path, rules, text.text, offset))
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        path = path_of_uri(params.text_document.uri)
        actions = []
        for diagnostic in workspace.diagnostics_of(path):
            marked = terms.location(diagnostic.span).range
            if marked.end.line < params.range.start.line or params.range.end.line < marked.start.line:
                continue  # all of a line: its mistakes are shown at its end, where the cursor may be
            if (fix := diagnostic.fix) is not None:
                edits = [types.TextEdit(terms.location(span).range, fix.text) for span in fix.spans]
                edit = types.WorkspaceEdit(changes={params.text_document.uri: edits})
                kind = types.CodeActionKind.QuickFix
                actions.append(types.CodeAction(fix.title, kind, [terms.to_diagnostic(diagnostic)], edit=edit))
        return actions


def answer_outlines(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers the outline, folding, colours and the search for what is declared."""

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

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        node = parse_file(path_of_uri(params.text_document.uri), Diagnostics())

        def symbol(entry: OutlineEntry) -> types.DocumentSymbol:
            text = terms.places_of(entry.key.source)
            whole, key = range_of(text, entry.start, entry.end), range_of(text, entry.key.start, entry.key.end)
            kind = types.SymbolKind.Namespace if entry.inner else types.SymbolKind.Property
            return types.DocumentSymbol(
                entry.name, kind, whole, key, entry.detail, children=[*map(symbol, entry.inner)]
            )

        return [] if node is None else [*map(symbol, outline(node))]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        node = parse_file(path_of_uri(params.text_document.uri), Diagnostics())
        return [] if node is None else [types.FoldingRange(first, last) for first, last in foldings(node)]

    legend = types.SemanticTokensLegend(list(TOKEN_KINDS), [])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        path = path_of_uri(params.text_document.uri)
        rules, text = workspace.rules(path), terms.places(path)
        data: list[int] = []
        line = column = 0
        for token in tokens(rules) if rules is not None else ():
            place = text.place(token.start)
            if place.line != line:
                column = 0
            length = text.place(token.start + token.length).column - place.column
            data += [place.line - line, place.column - column, length, TOKEN_KINDS.index(token.kind), 0]
            line, column = place
        return types.SemanticTokens(data)


__all__ = ["answer_completion", "answer_outlines"]
