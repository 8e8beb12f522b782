"""Whatever people type or read at the terminal counts players from 1; JSON, records, protocol and Python count seats
from 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import CommandLine, play_typing
from rulewright import new_session
from rulewright.engine.value_notation import NotationError

INVITING = """
game: inviting
version: 1.0.0
language: 2
text: Inviting
players: 3
kinds: {who: [no_one, every player]}
zones:
  hall: {holds: player, seen_by: all, start: 2 of player}
  urn: {holds: who, seen_by: all, start: 1 of no_one + 1 of player}
state:
  host: {type: who, start: no_one}
  met: {type: 0 to 9, per: who}
  die: {type: 1 to 6, per: player, start: 1}
actions:
  invite: {choose: {guests: {some_of: others, total: 1 to 2}}, do: []}
  send: {choose: {crew: {some_of: hall, total: 1 to 2}}, do: []}
  name: {choose: {one: {one_of: urn}}, do: [set: {set: host, to: one}, met: {set: met(one), to: 1}]}
  greet: {choose: {whom: {one_of: others}}, do: []}
  throw: {do: [throw: {roll: die(me)}]}
turn:
  - act: {must: [invite, send, name, greet, throw]}
round:
  - turns: {for_each: player, turn: player}
"""
Typing = Callable[..., str]


@pytest.fixture
def inviting(tmp_path: Path) -> str:
    path = tmp_path / "inviting.yaml"
    path.write_text(INVITING, encoding="utf-8")
    return str(path)


@pytest.fixture
def typing(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, inviting: str) -> Typing:
    """What is answered to player 1, who types such lines."""

    def type_lines(*lines: str, language: str = "en") -> str:
        seats = [word for who in ("human", "greedy", "greedy") for word in ("--seat", who)]
        words = [inviting, "--seed", "1", "--lang", language, "--no-record", *seats]
        out = play_typing(run_cli, monkeypatch, [*lines, "quit"], *words)
        return " ".join(re.split(r"\(\? [^)]*\) ?: ", out, maxsplit=1)[1].split())

    return type_lines


@pytest.mark.parametrize(
    ("line", "done"),
    [
        ("greet(whom=2)", "greet(whom=player 2)"),
        ("greet(whom=3)", "greet(whom=player 3)"),
        ("greet(whom=player 3)", "greet(whom=player 3)"),
        ("greet player 2", "greet(whom=player 2)"),
        ("invite(guests=2 + 3)", "invite(guests=player 2 + player 3)"),
        ("invite(guests=player 3)", "invite(guests=player 3)"),
        ("send(crew=2 3)", "send(crew=2 player 3)"),
        ("send(crew=1 you + 1 player 3)", "send(crew=1 player 1 + 1 player 3)"),
        ("name(one=1)", "name(one=player 1)"),
        ("name one=3", "name(one=player 3)"),
        ("name(one=no_one)", "name(one=no_one)"),
    ],
)
def test_notation_at_the_prompt_counts_players_from_1(typing: Typing, line: str, done: str) -> None:
    assert f"1 player 1 {done}" in typing(line)
    assert f"1 player 1 {done}" in typing(done)  # what is shown can be typed
    assert f"{done} is legal for player 1." in typing(f"why {line}")
    assert f"1 player 1 {done}" in typing(line, "log").rpartition("player 1's turn")[2]


def test_a_wrong_number_of_a_player_is_answered_in_players(typing: Typing) -> None:
    for line in ("greet(whom=0)", "greet(whom=4)"):
        assert "whom can be player 2, player 3." in typing(line)
    assert "whom can be: player 2, player 3." in typing("greet(whom=1)")


def test_a_piece_that_is_a_player_is_named_and_typed_so(typing: Typing) -> None:
    for line in ("+ 3", "+ player 3"):
        assert "invite 1 player 2, player 3 2 player 3 send 3 1 player 1 + 1 player 3" in typing(line)
    assert "joueur 1 send(crew=1 joueur 2)" in typing("send(crew=joueur 2)", language="fr")


def test_the_screen_calls_players_so_in_kinds_that_include_them(typing: Typing) -> None:
    out = typing("name(one=2)")
    assert "host: no one → player 2; met of player 2: 0 → 1" in out
    assert "met no_one: 0 player 1: 0 player 2: 1 player 3: " in out


def test_commands_count_players_from_1_and_json_seats_from_0(run_cli: CommandLine, inviting: str) -> None:
    assert run_cli("why", inviting, "greet(whom=1)", "--player", "2") == 1
    assert "greet(whom=player 1) is not legal for player 2:\nIt is player 1's turn." in run_cli.out
    assert run_cli("why", inviting, "greet(whom=2)", "--json") == 0
    assert (run_cli.json()["seat"], run_cli.json()["action"]["choose"]) == (0, {"whom": 1})
    for words in ("greet player 2", "greet(whom=player 2)", "greet 2"):
        assert run_cli("why", inviting, words) == 0
        assert "greet(whom=player 2) is legal for player 1." in run_cli.out
    assert run_cli("why", inviting, "greet 0") == 2
    assert run_cli("perft", inviting, "--depth", "1", "--divide") == 0
    assert "greet(whom=2): 1" in run_cli.out
    assert "greet(whom=1): 1" not in run_cli.out
    assert run_cli("play", inviting, "--first-player", "3", "--cap", "1") == 0
    assert "player 3 begins" in run_cli.out


def test_records_and_sessions_count_seats_from_0(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, inviting: str, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    words = (inviting, "--seed", "1", *["--seat", "human"] * 3, "--record", str(record))
    play_typing(run_cli, monkeypatch, ["greet(whom=2)", "throw", "send(crew=2 3)", "quit"], *words)
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    acts = [line for line in lines if line.get("do") == "act"]
    assert [line["seat"] for line in acts] == [0, 1, 2]
    assert [line["choose"] for line in acts] == [{"whom": 1}, {}, {"crew": {"2": 2}}]
    assert run_cli("replay", str(record)) == 0
    assert "player 1  greet(whom=player 2)" in run_cli.out
    session = new_session(inviting, seed=1)
    assert session.act("greet(whom=1)").action_data[0]["choose"] == {"whom": 1}
    assert str(session.legal()[0]).startswith("invite(guests=0")
    with pytest.raises(NotationError):
        session.act("greet(whom=3)")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            (
                "greet: {choose: {whom: {one_of: others}}",
                "greet: {when: {late: {is: round_number > 5, why: No.}}, choose: {whom: {one_of: others}}",
            ),
            "greet(whom=2)",
        ),
        (("per: player, start: 1", "per: player, start: 2"), ""),
        (("throw: {roll: die(me)}", "throw: {set: die(me), to: 1}"), "die(player 2)"),
    ],
)
def test_where_rules_part_from_a_record_players_are_counted_from_1(
    run_cli: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    inviting: str,
    tmp_path: Path,
    change: tuple[str, str],
    message: str,
) -> None:
    record, other = tmp_path / "game.jsonl", tmp_path / "other.yaml"
    words = (inviting, "--seed", "1", *["--seat", "human"] * 3, "--record", str(record))
    play_typing(run_cli, monkeypatch, ["greet(whom=2)", "throw", "quit"], *words)
    assert change[0] in INVITING
    other.write_text(INVITING.replace(*change), encoding="utf-8")
    assert run_cli("replay", str(record), "--game", str(other), "--verify") == int(bool(message))
    assert message in run_cli.out
    assert "die(1)" not in run_cli.out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("replay game.jsonl --seat 0", "replay: argument --seat: players are counted from 1 now: write `--player 1`"),
        ("why nim take --seat 1", "why: argument --seat: players are counted from 1 now: write `--player 2`"),
        ("why nim take --seat x", "why: argument --seat: players are counted from 1 now: write `--player N`"),
        ("play nim --first 0", "play: argument --first: players are counted from 1 now: write `--first-player 1`"),
        (
            "simulate nim --first=1",
            "--first: players are counted from 1 now: write `--first-player 2`",
        ),
        (
            "why nim take --player 0",
            "`0` is not a player: expected a whole number from 1 to 99",
        ),
        ("why nim take --player 3", "rulewright: there is no player 3 (1 to 2)"),
        ("play nim --first-player 3", "rulewright: there is no player 3 (1 to 2)"),
        ("why nim take --bot 3", "why: unknown option `--bot`"),
    ],
)
def test_the_old_options_that_counted_from_0_say_what_to_write(run_cli: CommandLine, words: str, hint: str) -> None:
    assert run_cli(*words.split()) == 2
    assert hint in run_cli.err
    assert "--seat`" not in run_cli.err
