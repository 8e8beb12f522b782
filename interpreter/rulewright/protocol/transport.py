"""Lines of JSON in, lines of JSON out: an answer for every request, whatever the line holds.

In: streams of bytes and a `RequestHandler`. Out: a line for each request. A line that cannot be read or carried out
gets an error line, and the game goes on unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from rulewright import __version__, limits
from rulewright.json_values import is_integer
from rulewright.protocol.request_handler import Answer, RequestHandler
from rulewright.protocol.request_parser import ProtocolError, parse_line, parse_request

OVERLONG_LINE: Final = b""  # in place of a line above the limit, which is skipped


def serve(requests: BinaryIO, answers: BinaryIO, handler: RequestHandler) -> bool:
    """Answers every line with one line until the input ends or a request says `quit`.

    Returns whether one of them met an internal error.
    """
    had_internal_error = False
    for line in read_lines(requests):
        if line is not OVERLONG_LINE and not line.strip():
            continue
        answer = answer_line(line, handler)
        try:
            text = _to_json(answer)
        except Exception as fault:  # the last resort: no answer that cannot be written ends the process
            answer = {"to": "referee", "error": _internal_error(fault)}
            text = _to_json(answer)
        error = answer.get("error")
        if isinstance(error, dict) and error["code"] == "internal":
            had_internal_error = True
        # half of a pair of surrogates, as a request may have escaped it, is escaped again: the answer is still JSON
        answers.write(text.encode("utf-8", "backslashreplace") + b"\n")
        answers.flush()
        if answer.get("do") == "quit" and error is None:
            break
    return had_internal_error


def read_lines(requests: BinaryIO) -> Iterator[bytes]:
    """The lines of the input; `OVERLONG_LINE` for one above the limit."""
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


def answer_line(line: bytes, handler: RequestHandler) -> Answer:
    """The answer to a line, whatever it is."""
    data: dict[str, object] = {}
    try:
        if line is OVERLONG_LINE:
            raise ProtocolError("too-long", f"a line is over the limit of {limits.MAX_REQUEST_BYTES} bytes")
        data = parse_line(line)
        return _with_envelope(data, handler.answer(parse_request(data)))
    except ProtocolError as error:
        message = error.message[: limits.MAX_MESSAGE_LENGTH]
        details = {"code": error.code, "message": message, **error.details}
        return _with_envelope(data, {"to": handler.resolve_addressee(error.to), "error": details})
    except RecursionError:
        details = {"code": "malformed", "message": "the request is nested too deeply"}
        return _with_envelope(data, {"to": "referee", "error": details})
    except Exception as error:  # the last resort: no line of a stranger ends the process
        return _with_envelope(data, {"to": "referee", "error": _internal_error(error)})


def _to_json(answer: Answer) -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def _internal_error(error: Exception) -> Answer:
    """What is said of a bug. Where it happened is said by line; the message of the error could hold paths."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    code = None if trace is None else trace.tb_frame.f_code
    place = "" if trace is None or code is None else f" at {Path(code.co_filename).name}:{trace.tb_lineno}"
    message = f"internal error, please report it with the request: {type(error).__name__}{place}"
    return {"code": "internal", "message": f"{message} (rulewright {__version__})"}


def _with_envelope(request: Mapping[str, object], answer: Answer) -> Answer:
    """The answer behind what tells which request it belongs to: its `do` and `id`."""
    envelope: Answer = {"to": answer["to"]}
    do, identifier = request.get("do"), request.get("id")
    if isinstance(do, str):
        envelope["do"] = do[:40]
    if isinstance(identifier, str):
        envelope["id"] = identifier[:200]
    elif is_integer(identifier):
        envelope["id"] = identifier
    return {**envelope, **answer}


__all__ = ["answer_line", "read_lines", "serve"]
