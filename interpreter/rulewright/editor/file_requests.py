"""Answers when files are opened, changed, saved and closed: what is wrong with them, once nothing more is typed.

In: a server and what is open. Out: nothing; diagnostics are sent to the editor. Needs the extra `lsp`.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.diagnostics import Diagnostic
from rulewright.editor.client_capabilities import can_watch_files
from rulewright.editor.file_addresses import is_written_text, path_of_uri
from rulewright.editor.joint_changes import JointChanges
from rulewright.editor.protocol_terms import ProtocolTerms
from rulewright.editor.workspace import Workspace
from rulewright.source.reader import peek_text

QUIET: Final = 0.003  # seconds without a change before a text is checked: an editor may tell of many at once
SMALL_CHARACTERS: Final = 65_536  # of a text that is checked at once
CHARACTERS_A_SECOND: Final = 2_000_000  # of a larger one it is waited longer: many keys in a row cost one check
YOUNG: Final = 1  # generation up to which cycles are looked for: what the last checks left
PAUSE: Final = 0.001  # seconds in which what was typed meanwhile can be read
LONG_PAUSE: Final = 0.005  # seconds until it is asked again whether all changes have come
WATCHED_FILES: Final = types.Registration(
    "rule-files",
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*.{yaml,yml}")]),
)


def answer_file_requests(
    server: LanguageServer, workspace: Workspace, terms: ProtocolTerms, joint: JointChanges
) -> None:
    """Registers them."""
    newest: dict[str, int] = {}  # version of each open text; Helix may send an older one after it
    paths: dict[str, Path] = {}  # of each open text; by links a file can be open under several names
    times_asked = 0  # that all are to be checked
    waiting: list[Path] = []  # files to be checked, in this order
    is_checking = False

    def tell(found: dict[Path, list[Diagnostic]]) -> None:
        for file, diagnostics in found.items():
            listed = [terms.to_diagnostic(each) for each in diagnostics]
            for uri in names_of(file):
                message = types.PublishDiagnosticsParams(uri, listed, newest.get(uri))
                server.text_document_publish_diagnostics(message)

    def names_of(file: Path) -> list[str]:
        """What the editor calls a file; not a name under which it shows another text than under the last one."""
        last = workspace.uri_of(file)
        others = [uri for uri, path in paths.items() if path == file and uri != last]
        return [last, *(uri for uri in others if text_of(uri) == peek_text(file))]

    def text_of(uri: str) -> str:
        return str(server.workspace.get_text_document(uri).source)

    async def changed(uri: str, text: str) -> None:
        if is_written_text(uri):
            with suppress(asyncio.CancelledError):  # the editor is gone
                await check_text(uri, text)

    async def check_text(uri: str, text: str) -> None:
        path = path_of_uri(uri)
        number = workspace.take(path, uri, text)
        joint.note(path, time.monotonic())
        await asyncio.sleep(QUIET + max(0, len(text) - SMALL_CHARACTERS) / CHARACTERS_A_SECOND)
        await all_have_come()
        if workspace.versions.get(path) == number:
            await check_files(path, workspace.others_to_check(path))

    async def all_have_come() -> None:
        """Waits for changes that belong to those before."""
        while joint.wait_time(time.monotonic()):
            await asyncio.sleep(LONG_PAUSE)

    async def check_all() -> None:
        nonlocal times_asked
        times_asked += 1
        number = times_asked
        workspace.forget()
        with suppress(asyncio.CancelledError):  # as above
            await asyncio.sleep(QUIET)  # of many files it may be told one by one
            if number == times_asked:
                await check_files(None, sorted(workspace.open))

    async def check_files(changed: Path | None, others: Iterable[Path]) -> None:
        """Checks a file that has changed, then others, those first of which something is said: each once, however
        many changes ask for it.
        """
        nonlocal is_checking
        known = {*others, *waiting} - {changed}
        ordered = sorted(known, key=lambda each: (not workspace.diagnostics_of(each), each))
        waiting[:] = [*([changed] if changed is not None else []), *ordered]
        if is_checking:
            return  # whoever checks goes on with these
        is_checking = True
        try:
            while waiting:
                await check_file(waiting.pop(0))
                await all_have_come()
        finally:
            is_checking = False

    async def check_file(path: Path) -> None:
        """Checks a file, as long as nothing else is asked for meanwhile: then it waits again. Unused cycles of objects
        are looked for when all is told, so that nobody waits for that.
        """
        asked = list(waiting)
        gc.disable()
        try:
            for found in workspace.check_in_parts(path) if path in workspace.open else ():
                is_more_to_come = joint.wait_time(time.monotonic()) > 0
                if not is_more_to_come:
                    tell(found)
                    await asyncio.sleep(PAUSE)
                if waiting != asked or is_more_to_come:
                    if path not in waiting:
                        waiting.append(path)
                    return
        finally:
            gc.enable()
        gc.collect(YOUNG)
        if path in workspace.answered_as_before:
            workspace.answered_as_before.clear()
            server.workspace_semantic_tokens_refresh(None)

    def take_folders() -> None:
        uris = [*server.workspace.folders] or [server.workspace.root_uri]
        workspace.folders = tuple(path_of_uri(uri) for uri in uris if uri)
        workspace.forget()

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        take_folders()
        if can_watch_files(server.client_capabilities):
            with suppress(asyncio.CancelledError):  # the editor is gone before it answers
                await server.client_register_capability_async(types.RegistrationParams([WATCHED_FILES]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        take_folders()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: types.DidOpenTextDocumentParams) -> None:
        newest[params.text_document.uri] = params.text_document.version
        paths[params.text_document.uri] = path_of_uri(params.text_document.uri)
        await changed(params.text_document.uri, params.text_document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        if params.content_changes and document.version >= newest.get(document.uri, document.version):
            newest[document.uri] = document.version
            paths.setdefault(document.uri, path_of_uri(document.uri))
            await changed(document.uri, params.content_changes[-1].text)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: types.DidSaveTextDocumentParams) -> None:
        await check_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        newest.pop(uri, None)
        paths.pop(uri, None)
        if not is_written_text(uri):
            return
        path = path_of_uri(uri)
        if (same := next((each for each in paths if paths[each] == path), None)) is not None:
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
            await changed(same, text_of(same))  # what it says under the name that is still open
            return
        others = workspace.others_to_check(path)
        tell({file: workspace.diagnostics_of(file) for file in sorted(workspace.close(path))})
        with suppress(asyncio.CancelledError):  # as above
            await check_files(None, others)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
        if {path_of_uri(each.uri) for each in params.changes} - workspace.open:
            await check_all()  # what is open says what the editor has told


__all__ = ["answer_file_requests"]
