"""Answers when files are opened, changed, saved and closed: what is wrong with them, once nothing more is typed.

In: a server and what is open. Out: nothing; diagnostics are sent to the editor. Needs the extra `lsp`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.diagnostics import Diagnostic
from rulewright.editor.protocol_terms import ProtocolTerms
from rulewright.editor.workspace import Workspace, path_of_uri

QUIET: Final = 0.05  # seconds without a change before a text is checked


def answer_file_requests(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers them."""

    def publish(path: Path) -> None:
        tell(workspace.check(path))

    def tell(found: dict[Path, list[Diagnostic]]) -> None:
        for file, diagnostics in found.items():
            message = types.PublishDiagnosticsParams(
                workspace.uri_of(file), [terms.to_diagnostic(each) for each in diagnostics]
            )
            server.text_document_publish_diagnostics(message)

    async def changed(uri: str) -> None:
        path = path_of_uri(uri)
        number = workspace.take(path, uri, server.workspace.get_text_document(uri).source)
        await asyncio.sleep(QUIET)
        for file in (path, *workspace.others_of_the_game(path)):
            if workspace.versions.get(path) == number and file in workspace.open:
                publish(file)
            await asyncio.sleep(0)  # what is typed meanwhile comes first

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        uris = [*server.workspace.folders] or [server.workspace.root_uri]
        workspace.folders = tuple(path_of_uri(uri) for uri in uris if uri)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: types.DidOpenTextDocumentParams) -> None:
        await changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        await changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        workspace.forget()
        for path in list(workspace.open):
            publish(path)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        path = path_of_uri(params.text_document.uri)
        others = workspace.others_of_the_game(path)
        files = workspace.close(path)
        for other in others:
            files |= workspace.check(other).keys()
        tell({file: workspace.diagnostics_of(file) for file in sorted(files)})

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
        workspace.forget()
        for path in list(workspace.open):
            publish(path)


__all__ = ["answer_file_requests"]
