"""Answers with the colours of expressions: of a whole text, of a part of it, or of what has changed since the last.

In: a server and what is open. Out: nothing; the server answers from then on. A large text that has just changed keeps
the colours that it had, moved to where the words stand now; when it has been checked the editor is asked to ask again.
Needs the extra `lsp`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright.editor.client_capabilities import can_refresh_colours
from rulewright.editor.file_addresses import path_of_uri
from rulewright.editor.kept_answers import NO_CHANGE, KeptAnswers, TextChange, length_in_common
from rulewright.editor.protocol_terms import ProtocolTerms
from rulewright.editor.text_places import TextPlaces
from rulewright.editor.tokens import TOKEN_KINDS, Token, tokens, tokens_within
from rulewright.editor.workspace import Workspace


def answer_colours(server: LanguageServer, workspace: Workspace, terms: ProtocolTerms) -> None:
    """Registers colours."""
    coloured = KeptAnswers[list[Token]](workspace)
    sent: dict[str, tuple[str, list[int]]] = {}  # by the text's name: what was sent last, and the number that it has
    numbers = count(1)
    legend = types.SemanticTokensLegend(list(TOKEN_KINDS), [])

    def latest(path: Path, text: str) -> tuple[list[Token], TextChange]:
        rules, found = workspace.rules(path), None
        is_kept = coloured.knows(path) and can_refresh_colours(server.client_capabilities)
        if is_kept and workspace.is_large_and_unchecked(path, text):
            workspace.answered_as_before.add(path)
        elif rules is not None:
            found = tokens(rules)
        return coloured.latest(path, text, found) or ([], NO_CHANGE)

    def whole(uri: str) -> types.SemanticTokens:
        path = path_of_uri(uri)
        text = terms.places(path)
        data = _numbers_of(*latest(path, text.text), text)
        for other in sent.keys() - set(server.workspace.text_documents):
            del sent[other]
        number = str(next(numbers))
        sent[uri] = number, data
        return types.SemanticTokens(data, number)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        return whole(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA)
    def changed_tokens(params: types.SemanticTokensDeltaParams) -> types.SemanticTokens | types.SemanticTokensDelta:
        number, before = sent.get(params.text_document.uri, ("", []))
        now = whole(params.text_document.uri)
        if number != params.previous_result_id:
            return now
        first = length_in_common(before, now.data)
        rest = length_in_common(before[first:][::-1], now.data[first:][::-1])
        inserted = now.data[first : len(now.data) - rest]
        removed = len(before) - rest - first
        edits = [types.SemanticTokensEdit(first, removed, inserted)] if removed or inserted else []
        return types.SemanticTokensDelta(edits, now.result_id)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)
    def tokens_of_part(params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        path = path_of_uri(params.text_document.uri)
        text, rules = terms.places(path), workspace.rules(path)
        start, end = (text.offset(each.line, each.character) for each in (params.range.start, params.range.end))
        found, change = None, NO_CHANGE
        if rules is not None and not (coloured.knows(path) and workspace.is_large_and_unchecked(path, text.text)):
            found = tokens_within(rules, start, end)
        if found is None:
            found, change = latest(path, text.text)
        parts = (each for each in found if start <= (change.moved(each.start) or 0) <= end)
        return types.SemanticTokens(_numbers_of(parts, change, text))


def _numbers_of(found: Iterable[Token], change: TextChange, text: TextPlaces) -> list[int]:
    """Tokens as the protocol has them: five numbers each, and places counted from the one before."""
    data: list[int] = []
    line = column = 0
    for token in found:
        start, end = change.moved(token.start), change.moved_end(token.start + token.length)
        if start is None or end - start != token.length:
            continue
        place, behind = text.place(start), text.place(end)
        if place.line != behind.line:
            continue  # the end of a line is escaped in the middle of a word
        if place.line != line:
            column = 0
        length = behind.column - place.column
        data += [place.line - line, place.column - column, length, TOKEN_KINDS.index(token.kind), 0]
        line, column = place
    return data


__all__ = ["answer_colours"]
