"""Playing at the terminal: what is shown, what can be typed, and what nobody gets to see."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulewright.front.columns import USUAL as WIDTH
from said import BURYING, ROLLING, SACK, SIGNS, Said, typed


@pytest.fixture
def rolling(tmp_path: Path) -> str:
    path = tmp_path / "rolling.yaml"
    path.write_text(ROLLING, encoding="utf-8")
    return str(path)


@pytest.fixture
def signs(tmp_path: Path) -> str:
    path = tmp_path / "signs.yaml"
    path.write_text(SIGNS, encoding="utf-8")
    return str(path)


def test_bots_play_through_without_a_terminal(say: Said) -> None:
    assert say("play", "--seed", "5", "--seat", "random", "--seat", "random") == 0
    assert "again with --seed 5" in say.out
    assert "Ranking\n  1. seat" in say.out
    numbers = [int(found) for found in re.findall(r"^ *(\d+)  seat \d  \S", say.out, re.MULTILINE)]
    assert numbers[: max(numbers)] == list(range(1, max(numbers) + 1))
    again = say.out
    assert say("play", "--seed", "5", "--seat", "random", "--seat", "random") == 0
    assert say.out == again


def test_hidden_things_are_not_printed_before_the_end(say: Said, tmp_path: Path) -> None:
    path = tmp_path / "burying.yaml"
    path.write_text(BURYING, encoding="utf-8")
    assert say("play", str(path), "--seed", "1") == 0
    game, _, end = say.out.partition("The end, with everything open")
    assert game.count("bury(tile=?)") == 2
    assert "bury(tile=t" not in game
    assert not re.search(r"t[1-4]\b", game)
    first, second = re.findall(r"seat \d  bury\(tile=(t\d)\)", end.partition("What was hidden")[2])
    assert first != second


def test_a_person_plays_by_numbers_and_by_notation(say: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed(
        say, monkeypatch,
        ["?", "11", "take_pair(colour=gold)", "why take_pair(colour=gold)", "log", "buy", "zzz", "99", "", "quit"],
        "--seat", "human", "--seed", "3",
    )  # fmt: skip
    assert re.search("a number +that line of the list", out)
    assert "Gold" in out or "gold" in out
    assert "   1  seat 0  take_pair(colour=diamond)" in out
    assert "actions.take_pair.choose.colour" in out
    assert "no action is called 'zzz'" in out
    assert "The list goes from 1 to" in out
    assert out.endswith("Goodbye.\n")
    assert all(len(line) <= WIDTH + 40 for line in out.splitlines())  # prompts stand before answers here


def test_the_end_of_input_is_polite(say: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed(say, monkeypatch, [], "--seat", "human", "--seed", "3")
    assert out.endswith("The input has ended; the game stops here.\n")


def test_a_game_is_saved_and_resumed(say: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = str(tmp_path / "saved.json")
    save = ["reserve_from_deck(level=1)", f"save {file}", f"save {file}", "quit"]
    out = typed(say, monkeypatch, save, "--seat", "human", "--seed", "3", "--variant", "open-hands")
    assert f"in {file}." in out
    assert f"{file} is there already" in out
    out = typed(say, monkeypatch, ["quit"], "--seat", "human", "--resume", file)
    assert "variants: open-hands" in out
    assert "round 2" in out
    assert say("why", "pass", "--position", file) == 1


def test_hands_are_hidden_from_others_at_the_keyboard(say: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["", "reserve_from_deck(level=1)", "", "take_pair(colour=ruby)", "", "quit"]
    out = typed(say, monkeypatch, lines, "--seat", "human", "--seat", "human", "--seed", "3")
    assert out.count("press Enter when nobody else looks") == 3
    first, second, third = out.split("press Enter when nobody else looks")[1:]
    (card,) = re.findall(r"0 Reserved  (l1_\w+)", third)
    assert card not in first
    assert card not in second
    assert "seat 0  reserve_from_deck(level=1)" in second


def test_games_without_a_table_are_played_too(say: Said, monkeypatch: pytest.MonkeyPatch, heaps: str) -> None:
    out = typed(say, monkeypatch, ["4", "log", "quit"], heaps, "--seat", "human", "--seed", "1")
    assert "heaps  1 3 match   2 5 match   3 7 match" in out
    assert "   1  seat 0  take(heap=2, number=1)" in out
    assert say("play", heaps, "--seed", "1") == 0
    assert "Ranking" in say.out
    assert "won" in say.out


def test_the_other_language(say: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed(say, monkeypatch, ["?", "quitter"], "--seat", "human", "--seed", "3", "--lang", "fr")
    assert "Cartes face visible" in out
    assert "Prendre deux jetons" in out


def test_the_cap_is_told_as_it_was_given(say: Said) -> None:
    assert say("play", "--cap", "4", "--seed", "1") == 0
    assert "Given up after 4 turns" in say.out
    assert "turn 5" in say.out  # it was about to begin


def test_a_position_of_another_game(say: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, heaps: str) -> None:
    file = str(tmp_path / "saved.json")
    typed(say, monkeypatch, [f"save {file}", "Q"], heaps, "--seat", "human", "--seed", "3")
    assert json.loads(Path(file).read_text(encoding="utf-8"))["game"] == "heaps"
    assert say("play", "splendor", "--resume", file) == 2
    assert say.err == f"rulewright: {file} is a position of 'heaps', not of splendor\n"


def test_a_position_is_written_whole_or_not_at_all(say: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = [f"save {tmp_path}/a\0b", f"save {tmp_path}/none/x", f"save {tmp_path}", f"save {tmp_path}/{'x' * 300}"]
    out = typed(say, monkeypatch, [*lines, "save", "EXIT"], "--seat", "human", "--seed", "3")
    assert out.count("cannot be written") == 3
    assert out.count("is there already") == 1
    assert out.endswith("Goodbye.\n")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    out = typed(say, monkeypatch, [f"save {tmp_path}/saved.json", "quit"], "--seat", "human", "--seed", "3")
    assert "cannot be written: no space left on device." in out
    assert list(tmp_path.iterdir()) == []


# ---- what play tells ----------------------------------------------------------------------------------------------


def test_what_was_rolled_and_what_changed_is_told(say: Said, rolling: str) -> None:
    assert say("play", rolling, "--seed", "1") == 0
    told = [" ".join(line.split()) for line in re.findall(r"^ +die: .*(?:\n {14}.*)*", say.out, re.MULTILINE)]
    assert len(told) == 6
    places = [0, 0]
    for number, line in enumerate(told):
        match = re.fullmatch(r"die: (\d); place of seat (\d): (\d+) → (\d+)(?: \((.*)\))?", line)
        assert match, line
        die, seat, old, new = map(int, match.groups()[:4])
        assert (seat, old, new) == (number % 2, places[seat], places[seat] + die)
        assert match[5] == ("How far a seat has come" if number == 0 else None)
        places[seat] = new
    assert {1, 2, 3, 4, 5, 6} >= {int(line[5]) for line in told}


def test_the_others_last_moves_stand_below_the_board(say: Said, monkeypatch: pytest.MonkeyPatch, rolling: str) -> None:
    out = typed(say, monkeypatch, ["roll", "?", "q"], rolling, "--seat", "human", "--seed", "1")
    first, _, second = out.partition("rolling  round 2")
    assert "   1  seat 0  roll\n              die: " in first  # one's own, with its number
    board, _, below = second.partition("\n  1\n")
    assert "   2  seat 1  roll" in below.partition("for help)")[0]
    assert "seat 1  roll" not in first + board


def test_what_has_not_changed_since_the_start_is_not_drawn(say: Said, rolling: str, signs: str) -> None:
    assert say("play", rolling, "--seed", "1") == 0
    begin, _, end = say.out.partition("The end, with everything open")
    assert "State" not in begin
    assert re.search(r"^State .*place 0: \d+ 1: \d+", end, re.MULTILINE)
    assert say("play", signs, "--seed", "1") == 0
    assert "signs  round 1\n" in say.out  # no turn has begun


def test_a_menu_explains_actions_where_there_is_room(say: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Take two gem tokens" not in typed(say, monkeypatch, ["q"], "--seat", "human", "--seed", "3")
    monkeypatch.setenv("LINES", "50")
    assert "Take two gem tokens" in typed(say, monkeypatch, ["q"], "--seat", "human", "--seed", "3")


def test_an_illegal_wish_is_refused_in_few_words(say: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    out = typed(say, monkeypatch, ["take_pair(colour=gold)", "q"], "--seat", "human", "--seed", "3")
    assert "actions.take_pair.choose.colour" in out
    assert "actions.yaml" not in out
    assert "rulebook" not in out
    out = typed(say, monkeypatch, ["WHY take_pair(colour=gold)", "q"], "--seat", "human", "--seed", "3")
    assert "actions.yaml" in out
    assert "rulebook" in out


def test_secret_choices_that_all_were_told_are_no_secret_in_the_end(say: Said, signs: str) -> None:
    assert say("play", signs, "--seed", "1", "--seat", "random", "--seat", "random") == 0
    assert say.out.count("chooses in secret") == 4
    assert say.out.count("had chosen show(sign=") == 4
    assert "?" not in say.out
    assert "What was hidden" not in say.out


def test_secret_choices_are_hidden_from_others_at_the_keyboard(
    say: Said, monkeypatch: pytest.MonkeyPatch, signs: str
) -> None:
    lines = ["", "show(sign=paper)", "", "log", "show(sign=rock)", "", "q"]
    out = typed(say, monkeypatch, lines, signs, "--seat", "human", "--seat", "human", "--seed", "3")
    first, second, third = out.split("press Enter when nobody else looks: ")[1:]
    assert "seat 0  show(sign=paper)" not in first + second
    assert "   1  seat 0  show(sign=paper)" in third
    assert "   1  seat 0  chooses in secret" in second.partition("had chosen")[0]
    assert second.partition("had chosen")[0].count("paper") == 1  # in the menu of the one who sits there now
    assert "seat 1 had chosen show(sign=rock)" in third


def test_pieces_that_chance_drew_are_told_to_those_who_see_them(
    say: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "sacks.yaml"
    path.write_text(SACK, encoding="utf-8")
    assert say("play", str(path), "--seed", "1") == 0
    assert len(re.findall(r"^ {14}row \+ 1 (?:red|blue)$", say.out, re.MULTILINE)) == 2
    out = typed(say, monkeypatch, ["draw"], str(path), "--seat", "human", "--seed", "1")
    own, others = re.findall(r"^ {14}(.*\+.*)$", out, re.MULTILINE)
    assert re.fullmatch(r"mine\.0 \+ 1 (red|blue); row \+ 1 (red|blue)", own)
    assert re.fullmatch(r"row \+ 1 (red|blue)", others)
