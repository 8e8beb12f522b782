"""Every request is answered: one that cannot be read, that comes too early or too late, with an error that says so; and
a text that changes before it is opened is open from then on.

In: messages. Out: the same, or answers to the editor, which else would wait for ever. Needs pygls.
"""

from __future__ import annotations

from typing import Any, Final

from lsprotocol.types import (
    EXIT,
    INITIALIZE,
    DidChangeTextDocumentNotification,
    DidChangeTextDocumentParams,
    DidOpenTextDocumentNotification,
    DidOpenTextDocumentParams,
    ErrorCodes,
    TextDocumentItem,
)
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol

LANGUAGE: Final = "yaml"


class NotInitialized(JsonRpcException):
    """The editor has not said what it can do."""

    CODE = ErrorCodes.ServerNotInitialized.value


class AnsweringProtocol(LanguageServerProtocol):
    """As pygls has it, without requests that are only logged."""

    is_left_early = False  # the editor is gone without having said so, which the exit status tells

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message, or a part of one, as an object. Raises `JsonRpcException` for what has another shape."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        """Does what a message says."""
        error: JsonRpcException | None = None
        if getattr(message, "method", "") == EXIT:
            self.is_left_early = not self._shutdown
        elif self._shutdown:
            error = JsonRpcInvalidRequest("the server is shutting down")
        elif self._workspace is None and getattr(message, "method", "") != INITIALIZE:
            error = NotInitialized("the first request is `initialize`")
        if error is None and isinstance(message, DidChangeTextDocumentNotification):
            self._open_first(message.params)
        if error is None and isinstance(message, DidOpenTextDocumentNotification) and self._is_older(message.params):
            return
        if error is not None and hasattr(message, "id") and hasattr(message, "method"):
            self._send_response(message.id, None, error.to_response_error())
        else:
            super().handle_message(message)

    def _open_first(self, params: DidChangeTextDocumentParams) -> None:
        """Helix may say that a text has changed, by renaming for instance, before it says that it is open."""
        document = params.text_document
        if document.uri not in self.workspace.text_documents and params.content_changes:
            text = params.content_changes[-1].text  # texts are sent whole
            self.workspace.put_text_document(TextDocumentItem(document.uri, LANGUAGE, document.version, text))

    def _is_older(self, params: DidOpenTextDocumentParams) -> bool:
        """Whether a text is opened of which a later version is known."""
        known = self.workspace.text_documents.get(params.text_document.uri)
        return known is not None and known.version is not None and params.text_document.version < known.version


__all__ = ["AnsweringProtocol"]
