"""A request that is refused is answered with the reason: editors show it where the request was made.

In: the reason, a sentence. Out: an exception with which a request ends. What is refused is no fault of the server, so
its log has nothing of it; nor of requests that an editor takes back when they are answered already, as all do while
somebody types, nor of what it says while the server ends. Needs pygls.
"""

from __future__ import annotations

import logging
from typing import Final

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException

LOG_OF_ANSWERS: Final = "pygls.protocol.json_rpc"
NOTHING_WRONG: Final = ("Cancel notification for unknown message", "Server shutting down")


class RefusedRequest(JsonRpcException):
    """The answer to a request that cannot be carried out, with a sentence that says why."""

    CODE = LSPErrorCodes.RequestFailed.value


def keep_refusals_out_of_the_log() -> None:
    """From now on only what else goes wrong is logged, with its traceback."""
    logging.getLogger(LOG_OF_ANSWERS).addFilter(_is_no_refusal)


def _is_no_refusal(record: logging.LogRecord) -> bool:
    is_refusal = record.exc_info and isinstance(record.exc_info[1], RefusedRequest)
    return not is_refusal and not str(record.msg).startswith(NOTHING_WRONG)


__all__ = ["RefusedRequest", "keep_refusals_out_of_the_log"]
