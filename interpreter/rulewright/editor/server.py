"""The language server: requests of an editor in, answers out, over standard input and output.

In: the Language Server Protocol. Out: the same. Needs pygls (the extra `lsp`). Texts that are not saved are held while
they are open; each change is checked when nothing more is typed for a moment.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import unquote, urlsplit

from rulewright import __version__
from rulewright.checker.checker import check_open_file
from rulewright.diagnostics import Diagnostic, Diagnostics, SourceFile, Span
from rulewright.document.document import Document
from rulewright.editor.completions import completions_at
from rulewright.editor.descriptions import describe_target
from rulewright.editor.meanings import Target, declaration, target_at, uses, uses_in_open_file
from rulewright.editor.open_rules import OpenRules, open_rules
from rulewright.editor.outlines import OutlineEntry, foldings, outline
from rulewright.editor.renaming import rename, why_not_renamed
from rulewright.editor.scenario_descriptions import describe_in_scenarios
from rulewright.editor.text_places import UTF_16, TextPlaces
from rulewright.editor.tokens import TOKEN_KINDS, tokens
from rulewright.errors import RulewrightError
from rulewright.model.locate import NotFound
from rulewright.source.reader import parse_file, peek_text
from rulewright.source.unsaved import hold_text, release_text

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

QUIET: Final = 0.05  # seconds without a change before a text is checked
NAME: Final = "rulewright"
# the picture beside a word that can follow, by the first word of what it is
SYMBOLS: Final = {
    "key": "Property", "changes": "Property", "rule": "Reference", "game": "Module", "kind": "Class",
    "component": "Class", "member": "EnumMember", "field": "Field", "parameter": "Constant", "zone": "Field",
    "value": "Function", "function": "Function", "action": "Method", "procedure": "Method", "word": "Keyword",
}  # fmt: skip
T = TypeVar("T")


class NoLanguageServer(RulewrightError):
    """pygls is missing."""


def require_language_server() -> None:
    """Raises `NoLanguageServer` where the extra is not installed."""
    if find_spec("pygls") is None:
        raise NoLanguageServer("the language server needs pygls: pip install 'rulewright[lsp]'")


class Workspace:
    """What is open: files, the rules they belong to, what was last reported of which file."""

    def __init__(self) -> None:
        self.open: set[Path] = set()
        self.uris: dict[Path, str] = {}  # of what was opened, as the editor calls it: links are not followed there
        self.folders: tuple[Path, ...] = ()  # that the editor has open
        self.versions: dict[Path, int] = {}
        self.judged_games: dict[Path, Document | None] = {}
        self.found: dict[Path, dict[Path, list[Diagnostic]]] = {}  # by the file that was checked
        self._rules: dict[Path, OpenRules | None] = {}
        self._readable: dict[Path, OpenRules] = {}  # as they were when a file could last be read

    def uri_of(self, path: Path) -> str:
        """What the editor calls a file."""
        return self.uris.get(path) or path.as_uri()

    def take(self, path: Path, uri: str, text: str) -> int:
        """A file says this now. Returns the number of the change."""
        self.open.add(path)
        self.uris[path] = uri
        self.versions[path] = self.versions.get(path, 0) + 1
        hold_text(path, text)
        rules = open_rules(path, self.folders)
        self._rules = {path: rules}
        if rules is None or not rules.is_variant:
            self.judged_games.clear()  # a file of the game: all that was judged may be different now
        return self.versions[path]

    def close(self, path: Path) -> set[Path]:
        """The file is what is on the disk again. Returns the files of which its check has spoken."""
        self.open.discard(path)
        self.versions.pop(path, None)
        release_text(path)
        self.forget()
        self._readable.pop(path, None)
        return {*self.found.pop(path, {})}

    def forget(self) -> None:
        """Files may have changed on the disk."""
        self._rules.clear()
        self.judged_games.clear()

    def rules(self, path: Path) -> OpenRules | None:
        """The rules that a file belongs to."""
        if path not in self._rules:
            self._rules[path] = open_rules(path, self.folders)
        return self._rules[path]

    def rules_while_typing(self, path: Path, text: str, line: int) -> OpenRules | None:
        """The rules that a file belongs to; while it cannot be read, those without the line that is typed, or of the
        file on the disk, or of before.
        """
        rules = self.rules(path)
        if not _is_readable(path):
            lines = text.split("\n")
            try:
                hold_text(path, "\n".join([*lines[:line], "", *lines[line + 1 :]]))
                if not _is_readable(path):
                    release_text(path)
                rules = open_rules(path, self.folders) if _is_readable(path) else self._readable.get(path, rules)
                if rules is not None:
                    rules.read_now()  # while the text is held
            finally:
                hold_text(path, text)
        if rules is not None and rules.root is not None:
            self._readable[path] = rules
        return rules

    def others_of_the_game(self, path: Path) -> list[Path]:
        """The open files that say something else now that a file of their game has changed."""
        rules = self.rules(path)
        if rules is None or rules.is_variant:
            return []
        known = [(other, self.rules(other)) for other in sorted(self.open - {path})]
        return [other for other, its in known if its is not None and its.game.resolve() == rules.game.resolve()]

    def check(self, path: Path) -> dict[Path, list[Diagnostic]]:
        """Checks a file. Returns what is wrong by the file it is found in, also for those of which nothing is said any
        more; what the checks of other files have found there stays.
        """
        try:
            diagnostics = check_open_file(path, self.judged_games)
        except NotFound:
            diagnostics = Diagnostics()
        found: dict[Path, list[Diagnostic]] = {path: []}
        for diagnostic in diagnostics:
            found.setdefault(_path_of(diagnostic.span), []).append(diagnostic)
        touched = {**found, **self.found.get(path, {})}
        self.found[path] = found
        return {file: self.diagnostics_of(file) for file in touched}

    def diagnostics_of(self, path: Path) -> list[Diagnostic]:
        """What is wrong with a file, each once, whichever file was checked."""
        reported = [diagnostic for found in self.found.values() for diagnostic in found.get(path, ())]
        return list(
            {(each.span.start, each.span.end, each.code.name, each.message): each for each in reported}.values()
        )


def make_server() -> LanguageServer:
    """A server that waits for nothing yet. Raises `NoLanguageServer`."""
    require_language_server()
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    from rulewright.editor.refused_requests import RefusedRequest, keep_refusals_out_of_the_log

    keep_refusals_out_of_the_log()
    server, workspace = LanguageServer(NAME, __version__), Workspace()

    def places_of(source: SourceFile) -> TextPlaces:
        chosen = server.workspace.position_encoding
        return TextPlaces(source, types.PositionEncodingKind(chosen).value if chosen else UTF_16)

    def places(path: Path) -> TextPlaces:
        return places_of(SourceFile(str(path), peek_text(path)))

    def range_of(text: TextPlaces, start: int, end: int) -> types.Range:
        return types.Range(types.Position(*text.place(start)), types.Position(*text.place(end)))

    def location(span: Span) -> types.Location:
        path = _path_of(span)
        return types.Location(workspace.uri_of(path), range_of(places_of(span.source), span.start, span.end))

    def at(uri: str, position: types.Position, answer: Callable[[OpenRules, Target], T | None]) -> T | None:
        path = path_of_uri(uri)
        text = places(path)
        rules = workspace.rules_while_typing(path, text.text, position.line)
        if rules is None:
            return None
        target = target_at(rules, text.text, text.offset(position.line, position.character))
        return None if target is None else answer(rules, target)

    def publish(path: Path) -> None:
        tell(workspace.check(path))

    def tell(found: dict[Path, list[Diagnostic]]) -> None:
        for file, diagnostics in found.items():
            message = types.PublishDiagnosticsParams(
                workspace.uri_of(file), [to_diagnostic(each) for each in diagnostics]
            )
            server.text_document_publish_diagnostics(message)

    def to_diagnostic(diagnostic: Diagnostic) -> types.Diagnostic:
        span, text = diagnostic.span, places_of(diagnostic.span.source)
        related = [types.DiagnosticRelatedInformation(location(each.span), each.note) for each in diagnostic.related]
        return types.Diagnostic(
            range=range_of(text, span.start, max(span.end, span.start + 1)),
            message=diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else ""),
            severity=types.DiagnosticSeverity.Error
            if diagnostic.severity == "error"
            else types.DiagnosticSeverity.Warning,
            code=diagnostic.code.name,
            source=NAME,
            related_information=related or None,
        )

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

    def described_key(params: types.HoverParams) -> str | None:
        path = path_of_uri(params.text_document.uri)
        text, rules = places(path), workspace.rules(path)
        offset = text.offset(params.position.line, params.position.character)
        return None if rules is None else describe_in_scenarios(rules, text.text, offset)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = at(params.text_document.uri, params.position, describe_target) or described_key(params)
        return None if text is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        span = at(params.text_document.uri, params.position, declaration)
        return None if span is None else location(span)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        return [location(use.span) for use in at(params.text_document.uri, params.position, uses) or []]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = at(params.text_document.uri, params.position, uses_in_open_file)
        return [types.DocumentHighlight(location(use.span).range) for use in found or []]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.Range | None:
        text = places(path_of_uri(params.text_document.uri))

        def place_of_name(rules: OpenRules, target: Target) -> types.Range:
            if reason := why_not_renamed(rules, target):
                raise RefusedRequest(reason)
            return range_of(text, target.start, target.end)

        return at(params.text_document.uri, params.position, place_of_name)

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def do_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            found = at(
                params.text_document.uri,
                params.position,
                lambda rules, target: rename(rules, target, params.new_name),
            )
        except ValueError as error:
            raise RefusedRequest(str(error)) from error
        changes = {
            workspace.uri_of(path.resolve()): [types.TextEdit(location(edit.span).range, edit.text) for edit in edits]
            for path, edits in (found or {}).items()
        }
        return types.WorkspaceEdit(changes=changes) if changes else None

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "(", "{"]))
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        path = path_of_uri(params.text_document.uri)
        text = places(path)
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
            marked = location(diagnostic.span).range
            if marked.end < params.range.start or params.range.end < marked.start:
                continue
            if (fix := diagnostic.fix) is not None:
                text_edit = types.TextEdit(location(fix.span).range, fix.text)
                edit = types.WorkspaceEdit(changes={params.text_document.uri: [text_edit]})
                kind = types.CodeActionKind.QuickFix
                actions.append(types.CodeAction(fix.title, kind, [to_diagnostic(diagnostic)], edit=edit))
        return actions

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        node = parse_file(path_of_uri(params.text_document.uri), Diagnostics())

        def symbol(entry: OutlineEntry) -> types.DocumentSymbol:
            text = places_of(entry.key.source)
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
        rules, text = workspace.rules(path), places(path)
        data: list[int] = []
        line = column = 0
        for token in tokens(rules) if rules is not None else ():
            place = text.place(token.start)
            if place.line != line:
                column = 0
            data += [place.line - line, place.column - column, token.length, TOKEN_KINDS.index(token.kind), 0]
            line, column = place
        return types.SemanticTokens(data)

    return server


def path_of_uri(uri: str) -> Path:
    """The path of a `file:` address."""
    return Path(unquote(urlsplit(uri).path)).resolve()


def _is_readable(path: Path) -> bool:
    diagnostics = Diagnostics()
    return parse_file(path, diagnostics) is not None and not diagnostics.error_count


def _path_of(span: Span) -> Path:
    return Path(span.source.path).resolve()


def run_server() -> None:
    """Answers until the editor says goodbye. Raises `NoLanguageServer`."""
    server = make_server()
    with os.fdopen(
        os.dup(sys.stdout.fileno()), "wb"
    ) as output:  # it is closed at the end, and the command's own is not
        server.start_io(stdout=output)


__all__ = ["NoLanguageServer", "Workspace", "make_server", "path_of_uri", "require_language_server", "run_server"]
