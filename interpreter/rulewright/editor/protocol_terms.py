"""What is known of open files in the terms of the Language Server Protocol: places, ranges, diagnostics.

In: a server and what is open. Out: values of the protocol, with places counted as the editor counts them. Needs the
extra `lsp`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.diagnostics import Diagnostic, SourceFile, Span
from rulewright.editor.file_addresses import path_of_uri
from rulewright.editor.kept_answers import change_between
from rulewright.editor.meanings import Target, target_at
from rulewright.editor.open_rules import OpenRules
from rulewright.editor.text_places import UTF_16, TextPlaces
from rulewright.editor.workspace import Workspace, path_of
from rulewright.source.reader import peek_text

NAME: Final = "rulewright"
T = TypeVar("T")


class ProtocolTerms:
    """Translates for one editor."""

    def __init__(self, server: LanguageServer, workspace: Workspace) -> None:
        self._server = server
        self._workspace = workspace

    def places_of(self, source: SourceFile) -> TextPlaces:
        """The places of a text."""
        chosen = self._server.workspace.position_encoding
        return TextPlaces(source, types.PositionEncodingKind(chosen).value if chosen else UTF_16)

    def places(self, path: Path) -> TextPlaces:
        """The places of a file, as it is in the editor."""
        return self.places_of(SourceFile(str(path), peek_text(path)))

    def location(self, span: Span) -> types.Location:
        """Where a span is: in a text that has changed since it was read, where its words stand now."""
        path, source, start, end = path_of(span), span.source, span.start, span.end
        if (text := peek_text(path)) != source.text:
            change, source = change_between(source.text, text), SourceFile(source.path, text)
            moved = change.moved(start)
            start, end = (start, end) if moved is None else (moved, moved + end - start)
        return types.Location(self._workspace.uri_of(path), range_of(self.places_of(source), start, end))

    def at(self, uri: str, position: types.Position, answer: Callable[[OpenRules, Target], T | None]) -> T | None:
        """The answer about what stands at a place; None where nothing does that means something."""
        path = path_of_uri(uri)
        text = self.places(path)
        rules = self._workspace.rules_while_typing(path, text.text, position.line)
        if rules is None:
            return None
        target = target_at(rules, text.text, text.offset(position.line, position.character))
        return None if target is None else answer(rules, target)

    def to_diagnostic(self, diagnostic: Diagnostic) -> types.Diagnostic:
        """A diagnostic with its hint, and with what belongs to it elsewhere."""
        span, text = diagnostic.span, self.places_of(diagnostic.span.source)
        related = [
            types.DiagnosticRelatedInformation(self.location(each.span), each.note) for each in diagnostic.related
        ]
        severities = types.DiagnosticSeverity
        return types.Diagnostic(
            range=range_of(text, span.start, max(span.end, span.start + 1)),
            message="\n".join(filter(None, (diagnostic.message, diagnostic.help, diagnostic.replay))),
            severity=severities.Error if diagnostic.severity == "error" else severities.Warning,
            code=diagnostic.code.name,
            source=NAME,
            related_information=related or None,
        )


def range_of(text: TextPlaces, start: int, end: int) -> types.Range:
    """From one offset of a text to another."""
    return types.Range(types.Position(*text.place(start)), types.Position(*text.place(end)))


__all__ = ["NAME", "ProtocolTerms", "range_of"]
