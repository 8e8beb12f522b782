"""Answers about the word under the cursor: what it means, where it is declared and used, another name for it.

In: a server and what is open. Out: nothing; the server answers from then on. Needs the extra `lsp`.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.editor.descriptions import describe_target
from rulewright.editor.file_addresses import path_of_uri
from rulewright.editor.meanings import Target, declaration, uses, uses_in_open_file
from rulewright.editor.open_rules import OpenRules
from rulewright.editor.protocol_terms import ProtocolTerms, range_of
from rulewright.editor.refused_requests import RefusedRequest
from rulewright.editor.renaming import rename, why_not_renamed
from rulewright.editor.scenario_descriptions import describe_in_scenarios
from rulewright.editor.workspace import Workspace
from rulewright.source.real_paths import real_path


def answer_word_requests(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers hover, definition, references and highlights."""

    def described_key(params: types.HoverParams) -> str | None:
        path = path_of_uri(params.text_document.uri)
        text, rules = terms.places(path), workspace.rules(path)
        offset = text.offset(params.position.line, params.position.character)
        return None if rules is None else describe_in_scenarios(rules, text.text, offset)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = terms.at(params.text_document.uri, params.position, describe_target) or described_key(params)
        return None if text is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        span = terms.at(params.text_document.uri, params.position, declaration)
        return None if span is None else terms.location(span)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        return [terms.location(use.span) for use in terms.at(params.text_document.uri, params.position, uses) or []]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = terms.at(params.text_document.uri, params.position, uses_in_open_file)
        return [types.DocumentHighlight(terms.location(use.span).range) for use in found or []]


def answer_renaming(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers renaming, in all files and languages."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.Range | None:
        text = terms.places(path_of_uri(params.text_document.uri))

        def place_of_name(rules: OpenRules, target: Target) -> types.Range:
            if reason := why_not_renamed(rules, target):
                raise RefusedRequest(reason)
            return range_of(text, target.start, target.end)

        return terms.at(params.text_document.uri, params.position, place_of_name)

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def do_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            found = terms.at(
                params.text_document.uri,
                params.position,
                lambda rules, target: rename(rules, target, params.new_name),
            )
        except ValueError as error:
            raise RefusedRequest(str(error)) from error
        changes = {
            workspace.uri_of(real_path(path)): [
                types.TextEdit(terms.location(edit.span).range, edit.text) for edit in edits
            ]
            for path, edits in (found or {}).items()
        }
        return types.WorkspaceEdit(changes=changes) if changes else None


__all__ = ["answer_renaming", "answer_word_requests"]
