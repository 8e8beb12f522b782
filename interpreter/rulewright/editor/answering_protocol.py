"""Every request is answered: one that cannot be read, that comes too early or too late, with an error that says so.

In: messages. Out: the same, or answers to the editor, which else would wait for ever. Needs pygls.
"""

from __future__ import annotations

from typing import Any

from lsprotocol.types import EXIT, INITIALIZE, ErrorCodes
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol


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
        if error is not None and hasattr(message, "id") and hasattr(message, "method"):
            self._send_response(message.id, None, error.to_response_error())
        else:
            super().handle_message(message)


__all__ = ["AnsweringProtocol"]
