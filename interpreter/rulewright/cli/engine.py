"""`rulewright engine`: programs play by lines, a JSON object each, an answer for every request.

In: requests on stdin. Out: answers on stdout. A line that cannot be read or carried out gets an error line, and the
game goes on unchanged. The end of input ends the command.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from rulewright import __version__, limits
from rulewright.protocol.requests import ProtocolError, addressee, check_request, parse_request
from rulewright.protocol.server import GameServer

OVERLONG_LINE: Final = b""  # stands for a line above the limit, which is passed over


def run(wish: Namespace) -> int:
    """Serves requests until the input ends; status 3 when one of them met a fault of the program."""
    return serve(sys.stdin.buffer, sys.stdout.buffer, GameServer(wish.lang))


def serve(input: BinaryIO, output: BinaryIO, server: GameServer) -> int:
    """Answers every line of `requests` with one line."""
    status = 0
    for line in read_lines(input):
        if line is not OVERLONG_LINE and not line.strip():
            continue
        answer = answer_line(line, server)
        if answer.get("error", {}).get("code") == "internal":
            status = 3
        output.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n")
        output.flush()
        if answer.get("do") == "quit" and "error" not in answer:
            break
    return status


def read_lines(requests: BinaryIO) -> Iterator[bytes]:
    """The lines of the input; `TOO_LONG` for one above the limit."""
    while True:
        line = requests.readline(limits.MAX_REQUEST_BYTES + 1)
        if not line:
            return
        if len(line) <= limits.MAX_REQUEST_BYTES or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = requests.readline(limits.MAX_REQUEST_BYTES)
        yield OVERLONG_LINE


def answer_line(line: bytes, table: GameServer) -> dict[str, Any]:
    """The answer to a line, whatever it is."""
    request: dict[str, Any] = {}
    try:
        if line is OVERLONG_LINE:
            raise ProtocolError("too-long", f"a line has at most {limits.MAX_REQUEST_BYTES} bytes")
        request = parse_request(line)
        check_request(request)
        return _marked(request, table.answer(request))
    except ProtocolError as refused:
        error = {"code": refused.code, "message": refused.message[: limits.MAX_MESSAGE_LENGTH], **refused.details}
        return _marked(request, {"to": table.resolve_addressee(refused.to), "error": error})
    except RecursionError:
        error = {"code": "malformed", "message": "the request is nested too deeply"}
        return _marked(request, {"to": "referee", "error": error})
    except Exception as fault:
        message = f"a fault of the program, please report it with the request: {type(fault).__name__}: {fault}"
        error = {"code": "internal", "message": f"{message[:500]} (rulewright {__version__})"}
        return _marked(request, {"to": "referee", "error": error})


def _marked(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """The answer with what tells which request it belongs to."""
    marks: dict[str, Any] = {"to": answer["to"]}
    if isinstance(request.get("do"), str):
        marks["do"] = request["do"][:40]
    if isinstance(request.get("id"), int | str) and not isinstance(request["id"], bool):
        marks["id"] = request["id"][:200] if isinstance(request["id"], str) else request["id"]
    return {**marks, **answer}


__all__ = ["addressee", "run", "serve"]
