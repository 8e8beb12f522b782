"""Playing at the terminal: what is shown, what can be typed, and what nobody gets to see."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from command_line import BURYING, ROLLING, SACK, SIGNS, CommandLine, play_typing
from rulewright.terminal.width import DEFAULT_WIDTH as WIDTH


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


@pytest.mark.slow
def test_bots_play_through_without_a_terminal(run_cli: CommandLine) -> None:
    assert run_cli("play", "--seed", "5", "--seat", "random", "--seat", "random") == 0
    assert "again with --seed 5" in run_cli.out
    assert "the game is over.\n\nRanking\n  1. player" in run_cli.out
    numbers = [int(found) for found in re.findall(r"^ *(\d+)  player \d  \S", run_cli.out, re.MULTILINE)]
    assert numbers[: max(numbers)] == list(range(1, max(numbers) + 1))
    again = run_cli.out
    assert run_cli("play", "--seed", "5", "--seat", "random", "--seat", "random") == 0
    assert run_cli.out == again


ALONE = """
game: alone
version: 1.0.0
language: 2
text: {en: Alone, fr: Seul}
players: 1
kinds: {colour: [red, blue]}
zones:
  bank: {holds: colour, seen_by: all, start: 2 of red}
  mine: {holds: colour, per: player, seen_by: all}
state:
  left: {type: 0 to 9, start: 3}
actions:
  take: {text: {en: Take one., fr: Prendre.}, do: [take: {move: up to 1 of red, from: bank, to: mine(me)}]}
turn:
  - act: {must: [take]}
  - empty:
      when: bank is empty
      end_game: after_round
      text: {en: "The bank of {left} rounds is empty.", fr: "La banque de {left} tours est vide."}
round:
  - turns: {for_each: player, turn: player}
  - lost: {when: WHEN, end_game: now, winners: nobody, text: {en: Time has run out., fr: Le temps est écoulé.}}
"""


def test_a_lost_game_is_reported_as_one_with_what_ended_it(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "alone.yaml"
    path.write_text(ALONE.replace("WHEN", "round_number is 2"), encoding="utf-8")
    record = tmp_path / "alone.jsonl"
    assert run_cli("play", str(path), "--seat", "random", "--record", str(record)) == 0
    lost = "\nTime has run out.\n\nNobody won.\n     player 1\n"
    assert lost in run_cli.out
    assert "Ranking" not in run_cli.out
    assert run_cli("replay", str(record)) == 0
    assert lost in run_cli.out
    assert run_cli("replay", str(record), "--lang", "fr", "--player", "1") == 0
    assert "\nLe temps est écoulé.\n\nPersonne n'a gagné.\n     joueur 1\n" in run_cli.out


def test_what_ends_the_round_is_reported_of_a_game_that_is_won(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "alone.yaml"
    path.write_text(ALONE.replace("WHEN", "round_number is 9"), encoding="utf-8")
    assert run_cli("play", str(path), "--seat", "random") == 0
    assert "\nThe bank of 3 rounds is empty.\n\nRanking\n  1. player 1: won\n" in run_cli.out


BIDS = """
game: bids
version: 1.0.0
language: 2
text: Bids
players: 3
kinds: {number: 0 to 9}
state:
  bid: {type: 0 to 9, per: player, start: 0}
  coins: {type: 0 to 9, per: player, start: 5}
actions:
  offer:
    choose: {points: {one_of: number}, cost: {one_of: number}}
    do: [note: {set: bid(me), to: points}, pay: {set: coins(me), to: cost}]
round:
  - turns: {for_each: player, turn: player}
  - end: {end_game: now}
turn:
  - act: {must: [offer]}
ranking:
  - bid: {most: bid(player)}
  - coins_spent: {fewest: coins(player)}
measures:
  offered: {per: player, is: bid(player) - players, text: Offered beyond three}
  idle: {per: player, is: 9 - bid(player), text: Idle}
"""


@pytest.mark.parametrize(
    ("offers", "ending", "lines"),
    [
        (
            "9 1, 8 1, 8 2",
            "",
            ["  1. player 1: won, offered beyond three 6",
             "  2. player 2: offered beyond three 5, coins spent 1",
             "  3. player 3: offered beyond three 5, coins spent 2"],
        ),
        (
            "9 1, 8 1, 7 1",
            "",
            ["  1. player 1: won, offered beyond three 6",
             "  2. player 2: offered beyond three 5",
             "  3. player 3: offered beyond three 4"],
        ),
        (
            "4 1, 4 1, 2 1",
            "",
            ["  1. player 1: won, offered beyond three 1, coins spent 1",
             "  1. player 2: won, offered beyond three 1, coins spent 1",
             "  3. player 3: offered beyond three -1"],
        ),
        (
            "4 1, 5 1, 9 1",
            ", winners: first_player",
            ["  1. player 1: won",
             "  2. player 3: offered beyond three 6",
             "  3. player 2: offered beyond three 2"],
        ),
        ("4 1, 5 1, 9 1", ", winners: nobody", ["     player 1", "     player 2", "     player 3"]),
    ],
)  # fmt: skip
def test_the_ranking_names_what_decided_and_nothing_else(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, offers: str, ending: str, lines: list[str]
) -> None:
    path = tmp_path / "bids.yaml"
    path.write_text(BIDS.replace("end_game: now", f"end_game: now{ending}"), encoding="utf-8")
    typed = [f"offer(points={points}, cost={cost})" for points, cost in (offer.split() for offer in offers.split(", "))]
    humans = ["--seat", "human"] * 3
    out = play_typing(run_cli, monkeypatch, typed, str(path), *humans, "--first-player", "1", "--no-record")
    assert out.rstrip("\n").split("\n")[-3:] == lines


FULL = """
game: full
version: 1.0.0
language: 2
text: Full
players: 1
components:
  tile: {fields: {}, rows: [{id: t1}, {id: t2}, {id: t3}], start: pile}
zones:
  pile: {holds: tile, order: shuffled, seen_by: nobody}
  open: {holds: tile, at_most: 2, seen_by: all}
actions:
  turn_up: {do: [wait: {set: waited, to: waited + 1}]}
  burn: {do: [burn: {move: top, from: pile, to: open}]}
state: {waited: {type: 0 to 9, start: 0}}
turn:
  - act: {must: [turn_up, burn]}
round:
  - turns: {for_each: player, turn: player}
  - show: {times: 2, move: top, from: pile, to: open}
  - end: {when: waited > 5, end_game: now}
"""


def test_rules_that_fail_are_reported_with_the_step_and_how_to_resume(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, record = tmp_path / "full.yaml", tmp_path / "full.jsonl"
    path.write_text(FULL, encoding="utf-8")
    rules = (str(path), "--seat", "human", "--seed", "1", "--record", str(record))
    for choice, step in (("turn_up", "round.show"), ("burn", "actions.burn.do.burn")):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"turn_up\n{choice}\n"))
        assert run_cli("play", *rules) == 1
        told = " ".join(run_cli.out.split())
        assert re.search(rf"{step}: puts 3 into open, which has room for 2 \(\S+full\.yaml:\d+:\d+\)", told)
        assert f"The game is saved in {record}" in told
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        assert run_cli("play", "--resume", str(record)) == 0
        assert "round 2" in run_cli.out  # before the choice that the rules could not carry out
        record.unlink()
    assert run_cli("play", str(path), "--seat", "random", "--seed", "1") == 1
    assert "the rules fail here: " in run_cli.err


def test_hidden_things_are_not_printed_before_the_end(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "burying.yaml"
    path.write_text(BURYING, encoding="utf-8")
    assert run_cli("play", str(path), "--seed", "1") == 0
    game, _, end = run_cli.out.partition("The end, with everything revealed")
    assert game.count("bury(tile=?)") == 2
    assert "bury(tile=t" not in game
    assert not re.search(r"t[1-4]\b", game)
    first, second = re.findall(r"player \d  bury\(tile=(t\d)\)", end.partition("What was hidden")[2])
    assert first != second


def test_a_person_plays_by_numbers_and_by_notation(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(
        run_cli, monkeypatch,
        ["?", "11", "take_pair(colour=gold)", "why take_pair(colour=gold)", "log", "buy", "zzz", "99", "", "quit"],
        "--seat", "human", "--seed", "3",
    )  # fmt: skip
    assert re.search("a number +that option in the list", out)
    assert "Gold" in out or "gold" in out
    assert "   1  player 1  take_pair(colour=diamond)" in out
    assert "actions.take_pair.choose.colour" in out
    assert "“zzz” is not an action, number or command" in out
    assert "Choose a number from 1 to" in out
    assert "Goodbye.\n" in out
    written = [line for line in out.splitlines() if "/" not in line]  # the names of files are not broken
    assert all(len(line) <= WIDTH + 40 for line in written)  # prompts stand before answers here


def test_the_end_of_input_is_polite(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, [], "--seat", "human", "--seed", "3")
    assert out.endswith("End of input; the game stops here.\n")


@pytest.mark.slow
def test_a_game_is_saved_and_resumed(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = str(tmp_path / "saved.json")
    save = ["reserve_from_deck(level=1)", f"save {file}", f"save {file}", "quit"]
    out = play_typing(run_cli, monkeypatch, save, "--seat", "human", "--seed", "3", "--variant", "open-hands")
    assert f"Saved in {file}," in out
    assert f"{file} already exists" in out
    out = play_typing(run_cli, monkeypatch, ["quit"], "--seat", "human", "--resume", file)
    assert "variants: open-hands" in out
    assert "round 2" in out
    assert run_cli("why", "pass", "--position", file) == 1


def test_hands_are_hidden_from_others_at_the_keyboard(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["", "reserve_from_deck(level=1)", "", "take_pair(colour=ruby)", "", "quit"]
    out = play_typing(run_cli, monkeypatch, lines, "--seat", "human", "--seat", "human", "--seed", "3")
    assert out.count("press Enter when nobody else is looking") == 3
    first, second, third = out.split("press Enter when nobody else is looking")[1:]
    (card,) = re.findall(r"1 Reserved  (l1_\w+)", third)
    assert card not in first
    assert card not in second
    assert "player 1  reserve_from_deck(level=1)" in second


def test_games_without_a_table_are_played_too(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, heaps: str
) -> None:
    out = play_typing(run_cli, monkeypatch, ["4", "log", "quit"], heaps, "--seat", "human", "--seed", "1")
    assert "heaps  1 3 match   2 5 match   3 7 match" in out
    assert "   1  player 1  take(heap=2, number=1)" in out
    assert run_cli("play", heaps, "--seed", "1") == 0
    assert "Ranking" in run_cli.out
    assert "won" in run_cli.out


def test_the_other_language(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, ["?", "quitter"], "--seat", "human", "--seed", "3", "--lang", "fr")
    assert "Cartes face visible" in out
    assert "Prendre deux jetons" in out


def test_the_cap_is_reported_as_it_was_given(run_cli: CommandLine) -> None:
    assert run_cli("play", "--cap", "4", "--seed", "1") == 0
    assert "Stopped after 4 turns" in run_cli.out
    assert "turn 5" in run_cli.out  # it was about to begin


def test_a_position_of_another_game(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, heaps: str
) -> None:
    file = str(tmp_path / "saved.json")
    play_typing(run_cli, monkeypatch, [f"save {file}", "Q"], heaps, "--seat", "human", "--seed", "3")
    assert json.loads(Path(file).read_text(encoding="utf-8"))["game"] == "heaps"
    assert run_cli("play", "splendor", "--resume", file) == 2
    assert run_cli.err == f"rulewright: {file} is a position of `heaps`, not of splendor\n"


def test_a_position_is_written_whole_or_not_at_all(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = [f"save {tmp_path}/a\0b", f"save {tmp_path}/none/x", f"save {tmp_path}", f"save {tmp_path}/{'x' * 300}"]
    out = play_typing(run_cli, monkeypatch, [*lines, "save", "EXIT"], "--seat", "human", "--seed", "3")
    assert out.count("Cannot write") == 3
    assert out.count("already exists") == 1
    assert out.endswith("Goodbye.\n")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    out = play_typing(run_cli, monkeypatch, [f"save {tmp_path}/saved.json", "quit"], "--seat", "human", "--seed", "3")
    assert ": no space left on device." in out
    assert list(tmp_path.iterdir()) == []


# ---- what play tells ----------------------------------------------------------------------------------------------


def test_what_was_rolled_and_what_changed_is_reported(run_cli: CommandLine, rolling: str) -> None:
    assert run_cli("play", rolling, "--seed", "1") == 0
    told = [" ".join(line.split()) for line in re.findall(r"^ +die: .*(?:\n {16}.*)*", run_cli.out, re.MULTILINE)]
    assert len(told) == 6
    places = [0, 0]
    for number, line in enumerate(told):
        match = re.fullmatch(r"die: (\d); place of player (\d): (\d+) → (\d+)(?: \((.*)\))?", line)
        assert match, line
        die, player, old, new = map(int, match.groups()[:4])
        assert (player, old, new) == (number % 2 + 1, places[player - 1], places[player - 1] + die)
        assert match[5] == ("How far a seat has come" if number == 0 else None)
        places[player - 1] = new
    assert {1, 2, 3, 4, 5, 6} >= {int(line[5]) for line in told}


def test_the_others_last_moves_stand_below_the_board(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, rolling: str
) -> None:
    out = play_typing(run_cli, monkeypatch, ["roll", "?", "q"], rolling, "--seat", "human", "--seed", "1")
    first, _, second = out.partition("rolling  round 2")
    assert "   1  player 1  roll\n                die: " in first  # one's own, with its number
    board, _, below = second.partition("\n  2\n")
    assert "   2  player 2  roll" in below.partition("for help)")[0]
    assert "player 2  roll" not in first + board


def test_what_has_not_changed_since_the_start_is_not_drawn(run_cli: CommandLine, rolling: str, signs: str) -> None:
    assert run_cli("play", rolling, "--seed", "1") == 0
    begin, _, end = run_cli.out.partition("The end, with everything revealed")
    assert "State" not in begin
    assert re.search(r"^State .*place 1: \d+ 2: \d+", end, re.MULTILINE)
    assert run_cli("play", signs, "--seed", "1") == 0
    assert "signs  round 1\n" in run_cli.out  # no turn has begun


def test_a_menu_explains_actions_where_there_is_room(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Take two gem tokens" not in play_typing(run_cli, monkeypatch, ["q"], "--seat", "human", "--seed", "3")
    monkeypatch.setenv("LINES", "50")
    assert "Take two gem tokens" in play_typing(run_cli, monkeypatch, ["q"], "--seat", "human", "--seed", "3")


def test_an_illegal_attempt_is_refused_in_few_words(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, ["take_pair(colour=gold)", "q"], "--seat", "human", "--seed", "3")
    assert "actions.take_pair.choose.colour" in out
    assert "actions.yaml" not in out
    assert "rulebook" not in out
    out = play_typing(run_cli, monkeypatch, ["WHY take_pair(colour=gold)", "q"], "--seat", "human", "--seed", "3")
    assert "actions.yaml" in out
    assert "rulebook" in out


def test_secret_choices_that_all_were_told_are_no_secret_in_the_end(run_cli: CommandLine, signs: str) -> None:
    assert run_cli("play", signs, "--seed", "1", "--seat", "random", "--seat", "random") == 0
    assert run_cli.out.count("chooses in secret") == 4
    assert run_cli.out.count("had chosen show(sign=") == 4
    assert "?" not in run_cli.out
    assert "What was hidden" not in run_cli.out


def test_secret_choices_are_hidden_from_others_at_the_keyboard(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, signs: str
) -> None:
    lines = ["", "show(sign=paper)", "", "log", "show(sign=rock)", "", "q"]
    out = play_typing(run_cli, monkeypatch, lines, signs, "--seat", "human", "--seat", "human", "--seed", "3")
    first, second, third = out.split("press Enter when nobody else is looking: ")[1:]
    assert "player 1  show(sign=paper)" not in first + second
    assert "   1  player 1  show(sign=paper)" in third
    assert "   1  player 1  chooses in secret" in second.partition("had chosen")[0]
    assert (
        second.partition("had chosen")[0].count("paper") == 2
    )  # in the list of who sits there now, and again after the log
    assert "player 2 had chosen show(sign=rock)" in third


def test_pieces_that_chance_drew_are_shown_to_those_who_see_them(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "sacks.yaml"
    path.write_text(SACK, encoding="utf-8")
    assert run_cli("play", str(path), "--seed", "1") == 0
    assert len(re.findall(r"^ {16}row \+ 1 (?:red|blue)$", run_cli.out, re.MULTILINE)) == 2
    out = play_typing(run_cli, monkeypatch, ["draw"], str(path), "--seat", "human", "--seed", "1")
    own, others = re.findall(r"^ {16}(.*\+.*)$", out, re.MULTILINE)
    assert re.fullmatch(r"mine of player 1 \+ 1 (red|blue); row \+ 1 (red|blue)", own)
    assert re.fullmatch(r"row \+ 1 (red|blue)", others)
