"""On a terminal what was completed and cannot be undone is asked for; what was typed in full is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from terminals import STACKS, Terminal

pytestmark = pytest.mark.slow


@pytest.fixture
def stacks(tmp_path: Path) -> str:
    path = tmp_path / "stacks.yaml"
    path.write_text(STACKS, encoding="utf-8")
    return str(path)


@pytest.fixture
def terminal(stacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(stacks, "--seed", "1", "--seat", "human", "--seat", "greedy")
    yield game
    game.close()


def test_an_abbreviation_that_is_final_is_confirmed(terminal: Terminal) -> None:
    terminal.wait_for("(? for help): ")
    terminal.type("to a_1")
    assert "toss(card=a_1): this cannot be undone." in terminal.wait_for("(yes or no) ")
    terminal.type("n")
    terminal.wait_for("Nothing was done.")
    terminal.wait_for("(? for help): ")
    terminal.type("toss a_1")  # in full
    assert "cannot be undone" not in terminal.wait_for("player 1  toss(card=a_1)")


def test_the_beginning_of_a_title_is_an_abbreviation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal("--seed", "3", "--seat", "human", "--seat", "random", "--lang", "fr")
    try:
        game.wait_for("(? pour l'aide) : ")
        for line in ("pioche level=2", "réserver level=2", "réserver en pioche lev=2", "visible l1_ruby_6"):
            game.type(line)
            game.wait_for("(oui ou non) ")
            game.type("non")
            game.wait_for("(? pour l'aide) : ")
        game.type("reserver en pioche level=2")  # in full
        assert "oui ou non" not in game.wait_for("joueur 1  reserve_from_deck(level=2)")
    finally:
        game.close()


def test_what_was_completed_is_shown_by_its_title_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal("wrack-line", "--players", "2", "--seed", "3", "--seat", "human", "--seat", "random")
    try:
        for line in ("keep 2", "wal reef"):
            game.wait_for("(? for help): ")
            game.type(line)
        game.wait_for("\r\nroam(beach=reef): this cannot be undone.")
    finally:
        game.close()


def test_an_abbreviation_is_confirmed_with_yes(terminal: Terminal) -> None:
    terminal.wait_for("(? for help): ")
    terminal.type("to a_2")
    terminal.wait_for("(yes or no) ")
    terminal.type("y")
    terminal.wait_for("player 1  toss(card=a_2)")


def test_what_can_be_undone_is_shown_in_words_only(
    stacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(stacks, "--seed", "1", "--seat", "human", "--seat", "human")  # the next one can undo it
    try:
        game.wait_for("(? for help): ")
        game.type("bu b_2 2 red")
        shown = game.wait_for("player 1  buy(card=b_2, payment=2 red)")
        assert "buy(card=b_2, payment=2 red)\r\n" in shown
        assert "yes or no" not in shown
    finally:
        game.close()


@pytest.mark.parametrize(
    ("words", "lines", "action"),
    [
        (["kuhn-poker", "--variant", "ten-hands"], ["b"], "bet"),  # the next hand is dealt after the answer
        (["kuhn-poker"], ["b"], "bet"),  # the game ends with the answer
        (["wrack-line", "--players", "2"], ["keep 2", "roam reef", "cl mir"], "cling(wrack=mirror)"),
    ],
)
def test_what_others_may_do_before_the_next_prompt_makes_an_abbreviation_final(
    words: list[str], lines: list[str], action: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(*words, "--seed", "3", "--seat", "human", "--seat", "random")
    try:
        for line in lines:
            game.wait_for("(? for help): ")
            game.type(line)
        assert f"{action}: this cannot be undone." in game.wait_for("(yes or no) ")
    finally:
        game.close()


def test_more_of_the_wild_member_than_needed_is_confirmed(terminal: Terminal) -> None:
    terminal.wait_for("(? for help): ")
    terminal.type("buy b_2 2 gold")
    assert "this pays with more gold than needed" in terminal.wait_for("(yes or no) ")
    terminal.type("")
    terminal.wait_for("Nothing was done.")
    terminal.wait_for("(? for help): ")
    terminal.type("buy b_2")
    lines = terminal.wait_for("(Enter for the whole list): ").splitlines()
    listed = next(line for line in lines if " 3 " in line)
    assert "gold" in listed or "2 g" in listed.lower()
    terminal.type("3")  # from a list of payments it is meant
    assert "yes or no" not in terminal.wait_for("player 1  buy(card=b_2, payment=2 gold)")


def test_one_sees_that_a_bot_thinks_and_what_is_typed_meanwhile_is_dropped(
    stacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(stacks, "--seed", "1", "--first-player", "2", "--seat", "human", "--seat", "search:1500ms")
    try:
        game.wait_for("Player 2 is thinking …")
        game.type("1")
        game.wait_for("(? for help): ")
        game.type("log")
        assert "player 1  " not in game.wait_for("(? for help): ")
    finally:
        game.close()
