"""How long it takes from a key until an editor is told what is wrong, through the language server as an editor has it.

In: files that ship, with a place in each that is written wrong and right again, key by key, each time as it never was
before. Out: seconds of the clock until the first and until the last that is told of each key, the median of all. The
first is what an author waits for; the last says the same in most cases, after all numbers of players were judged. Needs
the extra `lsp`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from queue import Empty, Queue
from statistics import median
from threading import Thread
from typing import IO, Any, Final, NamedTuple

from rulewright.bundle import bundle_folder

SILENCE: Final = 0.5  # seconds after which nothing more is told of a key
MAX_WAIT: Final = 60.0  # seconds for the first
TYPED: Final[Mapping[str, tuple[str, str, str]]] = {
    "a number of a variant": ("variants/splendor/play-to-12.yaml", "target_prestige: 12", "target_prestige: {}"),
    "a large variant": (
        "variants/splendor/orient.yaml",
        "caskets_held: {per: player, is: count(",
        "caskets_held: {{per: player, is: {0} // {0} * count(",
    ),
    "a comment of it": ("variants/splendor/orient.yaml", "variant: orient", "variant: orient  # {}"),
    "a file of the game": (
        "rules/splendor/actions.yaml",
        "(colour) >= pair_minimum",
        "(colour) * {0} >= {0} * pair_minimum",
    ),
}  # a file, what is changed there, and into what: any number in the place of the braces is right, a name is not
LEAST_NUMBER: Final = 13


class KeySeconds(NamedTuple):
    """From a key to the first and to the last that is told."""

    first: float
    last: float


class TypingClient:
    """An editor with one file open."""

    def __init__(self, path: Path, package: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(package)}
        command = [sys.executable, "-m", "rulewright", "lsp"]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input, self._output, self._told = self.process.stdin, self.process.stdout, Queue[float]()
        self._uri, self._version = path.as_uri(), 1
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        folder = {"processId": None, "rootUri": path.parent.as_uri(), "capabilities": {}}
        self._send("initialize", folder, number=1)
        self._send("initialized", {})
        text = path.read_text(encoding="utf-8")
        item = {"uri": self._uri, "languageId": "yaml", "version": 1, "text": text}
        self._send("textDocument/didOpen", {"textDocument": item})
        self._times_told(time.perf_counter())

    def type(self, text: str) -> KeySeconds:
        """The file says this now; returns when the editor is told what is wrong with it."""
        self._version += 1
        start = time.perf_counter()
        document = {"uri": self._uri, "version": self._version}
        self._send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self._times_told(start)

    def close(self) -> None:
        """Ends the server as an editor does that is closed."""
        self._input.close()
        self.process.wait(MAX_WAIT)
        self._listener.join()
        self._output.close()

    def _times_told(self, start: float) -> KeySeconds:
        first = last = self._told.get(timeout=MAX_WAIT)
        try:
            while True:
                last = self._told.get(timeout=SILENCE)
        except Empty:
            return KeySeconds(first - start, last - start)

    def _send(self, method: str, params: Mapping[str, object], number: int | None = None) -> None:
        request = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(request if number is None else {**request, "id": number}).encode()
        self._input.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._input.flush()

    def _listen(self) -> None:
        for message in _messages(self._output):
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == self._uri:
                self._told.put(time.perf_counter())


def _messages(output: IO[bytes]) -> Iterator[dict[str, Any]]:
    length = 0
    while line := output.readline():
        if line.lower().startswith(b"content-length"):
            length = int(line.split(b":")[1])
        elif not line.strip():
            yield json.loads(output.read(length))


def keystroke_rows(keys: int, package: Path) -> Iterator[tuple[str, KeySeconds]]:
    """For each file the medians of so many keys. `package`: where the program is."""
    for what, (name, before, after) in TYPED.items():
        folder, _, inside = name.partition("/")
        path = bundle_folder(folder) / inside
        text = path.read_text(encoding="utf-8")
        numbers = range(LEAST_NUMBER, LEAST_NUMBER + keys)
        words = [str(number) if number % 2 else f"x{number}" for number in numbers]
        client = TypingClient(path, package)
        try:
            typed = [client.type(text.replace(before, after.format(word), 1)) for word in words]
        finally:
            client.close()
        yield what, KeySeconds(median(each.first for each in typed), median(each.last for each in typed))


def keystroke_lines(rows: Iterable[tuple[str, KeySeconds]]) -> Iterator[str]:
    """The table of keys."""
    yield f"{'from a key, until':<30}{'first told':>12}{'all told':>12}"
    for what, seconds in rows:
        yield f"{what:<30}{seconds.first * 1000:>9.0f} ms{seconds.last * 1000:>9.0f} ms"


__all__ = ["TYPED", "KeySeconds", "TypingClient", "keystroke_lines", "keystroke_rows"]
