"""What takes long says how far it is, on a terminal and in a pipe."""

from __future__ import annotations

import sys

import pytest

from games.playing import game_file
from rulewright.cli.main import main
from rulewright.cli.progress import format_duration, show_progress
from rulewright.cli.stoppable_work import run_batch


def test_times_are_given_in_words() -> None:
    assert [format_duration(seconds) for seconds in (0, 59.4, 59.6, 150, 3600, 7530)] == [
        "0 s", "59 s", "1 min", "2 min", "1 h", "2 h 5 min",
    ]  # fmt: skip


def test_progress_stays_in_one_line_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with show_progress("games", 30, already_done=10) as count:
        for _ in range(20):
            now += 0.6
            count()
    text = capsys.readouterr().err
    assert "\n" not in text
    *lines, end = text.split("\r")
    assert lines[0].startswith("12 of 30 games, 11 s to go")
    assert len(set(map(len, lines))) == 1  # each covers the one before
    assert lines[-1].strip() == end == ""  # and the last is erased


def test_results_of_several_games_count_as_many(capsys: pytest.CaptureFixture[str]) -> None:
    numbers: list[int] = []
    results = (games for games in (("a",), ("b", "c"), ("d",)))
    ending = run_batch(results, 4, lambda number, _: numbers.append(number), size=len)
    assert (ending.status, numbers) == (0, [1, 3, 4])
    assert run_batch((game for game in "ab"), 2, lambda number, _: numbers.append(number)).status == 0
    assert numbers == [1, 3, 4, 1, 2]


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize(("total", "shown"), [(None, "2 files"), (9, "2 of 9 files, 4 s to go")])
def test_a_number_is_shown_on_a_terminal_and_erased(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    is_terminal: bool,
    total: int | None,
    shown: str,
) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    with show_progress("files", total) as count:
        for _ in range(2):
            now += 0.6
            count()
    lines = capsys.readouterr().err.split("\r")
    assert [line.strip() for line in lines] == ([shown, "", ""] if is_terminal else [""])


@pytest.mark.parametrize("words", [["check", str(game_file("nim"))], ["variants", "nim"]])
def test_what_takes_long_counts_what_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr("rulewright.cli.progress.PROGRESS_DELAY", -1.0)
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")  # what is known from the first time takes no time
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(words) == 0
    shown = capsys.readouterr()
    assert shown.out == out
    assert shown.err.startswith("1 ")
