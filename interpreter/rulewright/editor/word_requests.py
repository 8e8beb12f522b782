"""Answers about the word under the cursor: what it means, where it is declared and used, another name for it.

In: a server and what is open. Out: nothing; the server answers from then on. Needs the extra `lsp`.
"""

from __future__ import annotations

from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.diagnostics import Span
from rulewright.editor.client_capabilities import format_of_hovers
from rulewright.editor.descriptions import describe_target
from rulewright.editor.file_addresses import path_of_uri
from rulewright.editor.joint_changes import JointChanges
from rulewright.editor.key_meanings import describe_language
from rulewright.editor.meanings import Target, declaration
from rulewright.editor.named_files import NamedFile, describe_file, file_named_at
from rulewright.editor.open_rules import OpenRules, is_rule_file
from rulewright.editor.protocol_terms import ProtocolTerms, range_of
from rulewright.editor.refused_requests import RefusedRequest
from rulewright.editor.renaming import rename, why_not_renamed
from rulewright.editor.rule_places import places_in_open_file, places_of_target
from rulewright.editor.scenario_descriptions import describe_in_scenarios
from rulewright.editor.spoken_languages import language_at
from rulewright.editor.workspace import Workspace
from rulewright.source.real_paths import real_path

START: Final = types.Range(types.Position(0, 0), types.Position(0, 0))


def answer_word_requests(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers hover, definition, references and highlights."""

    def described_key(params: types.HoverParams) -> str | None:
        path = path_of_uri(params.text_document.uri)
        text, rules = terms.places(path), workspace.rules(path)
        offset = text.offset(params.position.line, params.position.character)
        if rules is None:
            return None
        return describe_in_scenarios(rules, text.text, offset) or describe_language(rules, offset)

    def named_file(params: types.HoverParams | types.DefinitionParams) -> tuple[NamedFile, str] | None:
        """The file whose name stands there, and the language that is spoken there."""
        path = path_of_uri(params.text_document.uri)
        text = terms.places(path)
        rules = workspace.rules_while_typing(path, text.text, params.position.line)
        offset = text.offset(params.position.line, params.position.character)
        file = None if rules is None else file_named_at(rules, text.text, offset)
        return None if rules is None or file is None else (file, language_at(rules, offset))

    def described_file(params: types.HoverParams) -> str | None:
        named = named_file(params)
        return None if named is None else describe_file(*named)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        named = described_file(params) or terms.at(params.text_document.uri, params.position, describe_target)
        text = "\n\n".join(filter(None, (described_key(params), named)))
        markup = format_of_hovers(server.client_capabilities)
        return types.Hover(types.MarkupContent(markup, text)) if text else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        if (named := named_file(params)) is not None:
            return types.Location(workspace.uri_of(real_path(named[0].path)), START)
        span = terms.at(params.text_document.uri, params.position, declaration)
        return None if span is None else terms.location(span)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        uri, position = params.text_document.uri, params.position
        found = terms.at(uri, position, places_of_target) or []
        declared = None if params.context.include_declaration else terms.at(uri, position, declaration)
        return [terms.location(span) for span in found if declared is None or not _is_same(span, declared)]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = terms.at(params.text_document.uri, params.position, places_in_open_file)
        return [types.DocumentHighlight(terms.location(span).range) for span in found or []]


def _is_same(span: Span, other: Span) -> bool:
    return (span.source.path, span.start) == (other.source.path, other.start)


def answer_renaming(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms, joint: JointChanges) -> None:
    """Registers renaming, in all files and languages."""

    def refuse_unreadable_rules(uri: str) -> None:
        """Says why nothing is known of a word where that is the game's fault."""
        path = path_of_uri(uri)
        rules = workspace.rules(path)
        if rules is not None and (rules.root is None or not rules.is_whole):
            raise RefusedRequest(f"nothing can be renamed while the game cannot be read: {rules.game}")
        if rules is None and is_rule_file(path):
            raise RefusedRequest("nothing can be renamed in a file whose game is not found")

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.Range | None:
        text = terms.places(path_of_uri(params.text_document.uri))

        def place_of_name(rules: OpenRules, target: Target) -> types.Range:
            if reason := why_not_renamed(rules, target):
                raise RefusedRequest(reason)
            return range_of(text, target.start, target.end)

        found = terms.at(params.text_document.uri, params.position, place_of_name)
        if found is None:
            refuse_unreadable_rules(params.text_document.uri)
        return found

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
        if found is None:
            refuse_unreadable_rules(params.text_document.uri)
        joint.expect(found or {})
        changes = {
            workspace.uri_of(real_path(path)): [
                types.TextEdit(terms.location(edit.span).range, edit.text) for edit in edits
            ]
            for path, edits in (found or {}).items()
        }
        return types.WorkspaceEdit(changes=changes) if changes else None


__all__ = ["answer_renaming", "answer_word_requests"]
