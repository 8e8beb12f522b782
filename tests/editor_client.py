"""A client of the language server, as an editor is one: over standard input and output of a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient


@dataclass
class Editor:
    """An editor with some files of a folder open."""

    client: LanguageClient
    folder: Path
    published: dict[str, list[types.Diagnostic]]
    messages: list[str]  # why renaming was refused
    news: asyncio.Event
    columns: str  # the encoding whose units columns count
    watched: list[str]  # the files of which the server wants to be told when others change them
    versions: dict[str, int]  # of the texts that were sent
    told: list[int | None]  # versions of the texts of which something was reported
    refreshed: asyncio.Event  # the colours are to be asked for again

    def uri(self, name: str) -> str:
        return (self.folder / name).resolve().as_uri()

    async def open(self, name: str, text: str | None = None) -> list[types.Diagnostic]:
        text = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        self.versions[self.uri(name)] = 1
        item = types.TextDocumentItem(self.uri(name), "yaml", 1, text)
        return await self._told(name, lambda: self.client.text_document_did_open(types.DidOpenTextDocumentParams(item)))

    async def change(self, name: str, text: str) -> list[types.Diagnostic]:
        return await self._told(name, lambda: self._send(name, text, self.versions[self.uri(name)] + 1))

    async def type(self, name: str, text: str, version: int | None = None) -> None:
        """Changes a text without waiting for what is wrong with it."""
        self._send(name, text, version or self.versions[self.uri(name)] + 1)

    def _send(self, name: str, text: str, version: int) -> None:
        self.versions[self.uri(name)] = max(version, self.versions[self.uri(name)])
        document = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def news_of(self, name: str) -> list[types.Diagnostic]:
        """What is reported next of a file."""
        while self.uri(name) not in self.published:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 60)
        return self.published.pop(self.uri(name))

    async def _told(self, name: str, act: Callable[[], None]) -> list[types.Diagnostic]:
        self.published.pop(self.uri(name), None)
        act()
        return await self.news_of(name)

    def at(self, text: str, words: str, inside: int = 1) -> types.Position:
        """The place of a character of some words in a text, in the units of this editor."""
        return at(text, words, inside, self.columns)

    async def rename(self, name: str, place: types.Position, new_name: str) -> bool:
        """Renames what is at a place in all files; False where it is refused."""
        params = types.RenameParams(self.document(name), place, new_name)
        try:
            edit = await self.client.text_document_rename_async(params)
        except JsonRpcException as refusal:
            self.messages.append(refusal.message)
            return False
        for uri, edits in ((edit and edit.changes) or {}).items():
            path = Path(uri_path(uri))
            path.write_text(edited(path.read_text(encoding="utf-8"), edits, self.columns), encoding="utf-8")
        return edit is not None

    async def words(self, name: str, place: types.Position) -> list[str]:
        """What can follow at a place."""
        params = types.CompletionParams(self.document(name), place)
        found = await self.client.text_document_completion_async(params)
        assert isinstance(found, list)
        return [each.label for each in found]

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))


BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}  # of one unit


def at(text: str, words: str, inside: int = 1, columns: str = "utf-16") -> types.Position:
    """The place of a character of some words in a text."""
    offset = text.index(words) + inside
    line = text.count("\n", 0, offset)
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    encoding, size = BYTES[columns]
    return types.Position(line, len(before.encode(encoding)) // size)


def edited(text: str, edits: Sequence[types.TextEdit], columns: str = "utf-16") -> str:
    """A text after edits, which may not overlap."""
    encoding, size = BYTES[columns]
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        assert start.line == end.line
        line = lines[start.line].encode(encoding)
        changed = line[: start.character * size] + edit.new_text.encode(encoding) + line[end.character * size :]
        lines[start.line] = changed.decode(encoding)
    return "\n".join(lines)


def uri_path(uri: str) -> str:
    """The path of a `file:` address."""
    return unquote(urlsplit(uri).path)


def with_editor(folder: Path, use: Callable[[Editor], Awaitable[None]], *, columns: str = "") -> None:
    """Starts the server as an editor does, uses it, and says goodbye. `columns`: the encoding that it asks for."""

    async def run() -> None:
        client, published, news = LanguageClient("test", "1"), dict[str, list[types.Diagnostic]](), asyncio.Event()
        messages, watched, versions, told = list[str](), list[str](), dict[str, int](), list[int | None]()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def take(params: types.PublishDiagnosticsParams) -> None:
            told.append(params.version)
            if params.version is not None and params.version < versions.get(params.uri, 0):
                return  # about a text that has changed since
            published[params.uri] = list(params.diagnostics)
            news.set()

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            for each in params.registrations:
                assert each.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
                watched.extend(watcher["globPattern"] for watcher in each.register_options["watchers"])

        refreshed = asyncio.Event()

        @client.feature(types.WORKSPACE_SEMANTIC_TOKENS_REFRESH)
        def refresh(_: None) -> None:
            refreshed.set()

        await client.start_io(sys.executable, "-m", "rulewright", "lsp", cwd=folder)
        asked = [types.PositionEncodingKind(columns), types.PositionEncodingKind.Utf16] if columns else None
        general = types.GeneralClientCapabilities(position_encodings=asked)
        files = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        colours = types.SemanticTokensWorkspaceClientCapabilities(refresh_support=True)
        folders = types.WorkspaceClientCapabilities(did_change_watched_files=files, semantic_tokens=colours)
        outline = types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True)
        shown = types.TextDocumentClientCapabilities(document_symbol=outline)
        capabilities = types.ClientCapabilities(general=general, workspace=folders, text_document=shown)
        await client.initialize_async(types.InitializeParams(capabilities=capabilities, root_uri=folder.as_uri()))
        client.initialized(types.InitializedParams())
        columns_used = columns or "utf-16"
        await use(Editor(client, folder, published, messages, news, columns_used, watched, versions, told, refreshed))
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()

    asyncio.run(asyncio.wait_for(run(), 120))
