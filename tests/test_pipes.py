"""Pipes in the place of records and saved positions: another program may write to one, but nobody is waited for."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from command_line import CommandLine
from rulewright import new_session
from rulewright.source import file_text

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay", "{}"], "nobody writes to this pipe"),
        (["why", "nim", "take(row=1)", "--position", "{}"], "nobody writes to this pipe"),
        (["play", "--resume", "{}"], "is a pipe or a device, not a file"),
    ],
)
def test_a_pipe_without_a_writer_is_refused(
    pipe: Path,
    words: list[str],
    said: str,
    run_cli: CommandLine,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(file_text, "PIPE_PAUSES", 1)
    status = run_cli(*(word.format(pipe) for word in words))
    assert status == 2
    assert said in run_cli.err


def test_what_is_written_to_a_pipe_is_read(pipe: Path, tmp_path: Path, run_cli: CommandLine) -> None:
    record = tmp_path / "game.jsonl"
    game = new_session("nim", players=2, seed=3, record=str(record))
    while not game.over:
        game.act(game.legal()[0])
    writer = threading.Thread(target=lambda: pipe.write_bytes(record.read_bytes()))
    writer.start()
    status = run_cli("replay", str(pipe))
    writer.join()
    assert (status, run_cli.err) == (0, "")


@pytest.mark.parametrize("word", ["NaN", "-Infinity"])
def test_a_saved_position_has_no_such_numbers(word: str, tmp_path: Path, run_cli: CommandLine) -> None:
    path = tmp_path / "saved.json"
    path.write_text(new_session("nim", players=2, seed=3).saved().replace('"round":1', f'"round":{word}'))
    assert run_cli("why", "nim", "take(row=1)", "--position", str(path)) == 2
    assert f"saved.json is not valid JSON: {word} is not a number" in run_cli.err
