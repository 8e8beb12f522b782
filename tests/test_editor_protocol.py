"""The language server as a program: every request is answered, whenever it comes, and nothing is left behind."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types

    from editor_client import Editor, at, with_editor

VARIANT = "variant: odd\nfor: nim\ntext: Odd.\nset: {parameters.bse: 2}\n"
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


def request(method: str, number: int, **params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "id": number, "params": params}


def exchange(folder: Path, *messages: dict[str, Any]) -> tuple[dict[int, int | None], str]:
    """What the server answers until the editor is gone: by the request the number of the error, None for a result; and
    what it writes as a log.
    """
    answers, log = answers_to(folder, *messages)
    return {number: each.get("error", {}).get("code") for number, each in answers.items()}, log


def answers_to(folder: Path, *messages: dict[str, Any]) -> tuple[dict[int, dict[str, Any]], str]:
    """The same with whole answers."""
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in map(encoded, messages))
    command = [sys.executable, "-m", "rulewright", "lsp"]
    done = subprocess.run(command, input=sent, capture_output=True, cwd=folder, timeout=60, check=True)
    bodies = re.split(rb"Content-Length: [^{]*\r\n\r\n", done.stdout)
    answers = [json.loads(body) for body in bodies if body]
    return {each["id"]: each for each in answers if "method" not in each}, done.stderr.decode()


def encoded(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()


def test_requests_that_come_too_early_too_late_or_in_another_shape(tmp_path: Path) -> None:
    place = {"textDocument": {"uri": (tmp_path / "odd.yaml").as_uri()}, "position": {"line": 0, "character": 0}}
    nowhere = {**place, "position": {"line": -1, "character": 0}}
    answers, _ = exchange(
        tmp_path,
        request("textDocument/hover", 1, **place),
        request("initialize", 2, **INITIALIZE),
        request("textDocument/hover", 3, **nowhere),
        request("textDocument/hover", 4, **place),
        request("shutdown", 5),
        request("textDocument/hover", 6, **place),
        {"jsonrpc": "2.0", "method": "exit"},
    )
    codes = types.ErrorCodes
    invalid, late = codes.InvalidParams.value, codes.InvalidRequest.value
    assert answers == {1: codes.ServerNotInitialized.value, 2: None, 3: invalid, 4: None, 5: None, 6: late}


@pytest.mark.parametrize("can_do_all", [True, False])
def test_an_editor_is_answered_in_the_form_that_it_can_show(tmp_path: Path, *, can_do_all: bool) -> None:
    formats = ["plaintext", "markdown"] if can_do_all else ["plaintext"]
    abilities = {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True} if can_do_all else {},
        "hover": {"contentFormat": formats},
    }
    hello = request("initialize", 1, **{**INITIALIZE, "capabilities": {"textDocument": abilities}})
    document = {"uri": (tmp_path / "odd.yaml").as_uri()}
    item = {**document, "languageId": "yaml", "version": 1, "text": VARIANT.replace("bse", "base")}
    opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
    outline = request("textDocument/documentSymbol", 2, textDocument=document)
    place = {"line": 3, "character": 18}
    hover = request("textDocument/hover", 3, textDocument=document, position=place)
    answers, _ = answers_to(tmp_path, hello, opened, outline, hover)
    entries = answers[2]["result"]
    assert [each["name"] for each in entries][-1] == ("set" if can_do_all else "parameters.base")
    assert entries[-1].get("containerName") == (None if can_do_all else "set")
    assert answers[3]["result"]["contents"]["kind"] == formats[-1]


def test_an_editor_that_is_gone_while_a_text_is_checked(tmp_path: Path) -> None:
    item = {"uri": (tmp_path / "odd.yaml").as_uri(), "languageId": "yaml", "version": 1, "text": VARIANT}
    opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
    assert exchange(tmp_path, request("initialize", 1, **INITIALIZE), opened) == ({1: None}, "")


@pytest.mark.parametrize("is_shut_down", [True, False])
def test_the_exit_status_says_whether_the_editor_shut_the_server_down(tmp_path: Path, *, is_shut_down: bool) -> None:
    """Whatever it says between the two."""
    ended = [request("shutdown", 2), {"jsonrpc": "2.0", "method": "initialized", "params": {}}]
    last = {"jsonrpc": "2.0", "method": "exit"}
    messages = [request("initialize", 1, **INITIALIZE), *(ended if is_shut_down else ()), last]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in map(encoded, messages))
    command = [sys.executable, "-m", "rulewright", "lsp"]
    done = subprocess.run(command, input=sent, capture_output=True, cwd=tmp_path, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0 if is_shut_down else 1, b"")


def test_an_editor_that_is_gone_before_it_says_that_it_watches_files(tmp_path: Path) -> None:
    watching = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    hello = request("initialize", 1, **{**INITIALIZE, "capabilities": watching})
    begun = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
    assert exchange(tmp_path, hello, begun)[1] == ""


def test_a_request_that_is_taken_back_too_late_is_not_worth_a_line(tmp_path: Path) -> None:
    place = {"textDocument": {"uri": (tmp_path / "odd.yaml").as_uri()}, "position": {"line": 0, "character": 0}}
    hover = request("textDocument/hover", 2, **place)
    taken_back = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 2}}
    answers = exchange(tmp_path, request("initialize", 1, **INITIALIZE), hover, taken_back)
    assert answers == ({1: None, 2: None}, "")


def test_texts_that_have_no_file(tmp_path: Path) -> None:
    """A new text has no name that could be wrong; an older revision is not taken for the file; a folder is no text."""
    path = tmp_path / "odd.yaml"
    right = VARIANT.replace("bse", "base")
    path.write_text(right, encoding="utf-8")

    async def use(editor: Editor) -> None:
        def open_text(uri: str) -> None:
            item = types.TextDocumentItem(uri, "yaml", 1, VARIANT)
            editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

        for uri in ("untitled:Untitled-1", "file://", f"{path.as_uri()}%00"):
            open_text(uri)
            editor.published.pop(uri, None)
            while uri not in editor.published:
                editor.news.clear()
                await editor.news.wait()
            assert [each.code for each in editor.published.pop(uri)] == ["no-such-address"], uri
        await editor.open("odd.yaml")
        older = f"git:{path}?revision"
        open_text(older)
        symbols = types.DocumentSymbolParams(types.TextDocumentIdentifier(older))
        assert await editor.client.text_document_document_symbol_async(symbols) == []
        document = types.TextDocumentIdentifier(older)
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        hover = types.HoverParams(editor.document("odd.yaml"), at(right, "base"))
        assert await editor.client.text_document_hover_async(hover) is not None
        open_text(tmp_path.as_uri())
        assert {each.code for each in await editor.news_of(".")} == {"other-file-name", "no-such-address"}
        assert older not in editor.published

    with_editor(tmp_path, use)
