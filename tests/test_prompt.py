"""What is typed at the prompt, and what is answered to it: letters, seats, words that are no answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine, play_typing

ACCUSING = """
game: accusing
version: 1.0.0
language: 2
text: Accusing
players: 3
files: [display.yaml]
kinds:
  rank:
    members: [guard, dean, duke]
    names: {dean: dean, duke: duke}
actions:
  accuse:
    choose:
      target: {one_of: others}
      guess: {one_of: each rank where rank is not guard, why: A guard cannot be named.}
    do: []
  greet: {choose: {whom: {one_of: everyone}}, do: []}
  rest: {when: {never: {is: round_number is 9, why: It is no time to rest.}}, choose: {until: {one_of: rank}}, do: []}
turn:
  - act: {must: [accuse, greet, rest]}
round:
  - turns: {for_each: player, turn: player}
"""
LOOKS = """
display: accusing
members:
  rank.guard: {letter: G, shape: square}
  rank.dean: {letter: U, shape: circle}
  rank.duke: {letter: D, shape: star}
"""


@pytest.fixture
def accusing(tmp_path: Path) -> str:
    (tmp_path / "game.yaml").write_text(ACCUSING, encoding="utf-8")
    (tmp_path / "display.yaml").write_text(LOOKS, encoding="utf-8")
    return str(tmp_path)


@pytest.fixture
def answered(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, accusing: str):
    seats = [word for who in ("human", "greedy", "greedy") for word in ("--seat", who)]

    def answer(*lines: str, language: str = "en") -> str:
        out = play_typing(run_cli, monkeypatch, [*lines, "quit"], accusing, "--seed", "1", "--lang", language, *seats)
        return " ".join(re.split(r"\(\? [^)]*\) ?: ", out, maxsplit=1)[1].split())

    return answer


def test_help_says_what_the_letters_stand_for(answered) -> None:
    assert "What the letters mean G■ guard U● dean D★ duke What you can type" in answered("?")


def test_a_letter_as_it_is_drawn_is_not_the_beginning_of_a_name(answered) -> None:
    assert "player 1 accuse(target=player 2, guess=duke)" in answered("accuse 2 D")
    assert "1 target=player 2, guess=D★ 2 target=player 2, guess=U●" in answered("accuse 2 d")  # a small one: either


@pytest.mark.parametrize(
    ("line", "done"),
    [
        ("greet you", "greet(whom=player 1)"),
        ("greet player 3", "greet(whom=player 3)"),
        ("greet whom=player 3", "greet(whom=player 3)"),
        ("greet 7", "greet(whom=player 3)"),
        ("greet(whom=2)", "greet(whom=player 2)"),
        ("greet(whom=you)", "greet(whom=player 1)"),
        ("greet(whom=player 3)", "greet(whom=player 3)"),
        ("accuse player 2 dean", "accuse(target=player 2, guess=dean)"),
    ],
)
def test_seats_are_called_so_in_menus_and_can_be_typed_so(answered, line: str, done: str) -> None:
    assert "greet 5 you 6 player 2 7 player 3" in answered("")
    assert f"player 1 {done}" in answered(line)


def test_seats_in_another_language(answered) -> None:
    assert "greet 5 vous 6 joueur 2 7 joueur 3" in answered("", language="fr")
    assert "joueur 1 greet(whom=joueur 1)" in answered("greet vous", language="fr")
    assert "joueur 1 greet(whom=joueur 3)" in answered("greet joueur 3", language="fr")


@pytest.mark.parametrize("line", ["accuse 2 zebra", "why accuse 2 zebra"])
def test_a_word_that_is_not_an_answer_is_reported_with_those_that_are(answered, line: str) -> None:
    written = answered(line)
    assert written.startswith("There is no rank “zebra”: guess can be dean, duke. A guard cannot be named.")
    assert answered("accuse zebra").startswith("There is no player “zebra”: target can be player 2, player 3. Player 1")


def test_a_wrong_answer_alone_is_explained_as_one_to_what_is_asked(answered) -> None:
    assert "There is no player “zzz”" in answered("accuse", "zzz")
    assert "“zzz” is not an action" in answered("zzz")
    assert "Did you mean greet?" in answered("accuse", "greeet 2")


def test_an_action_that_is_not_possible_is_refused_whatever_is_answered(answered) -> None:
    assert answered("rest zebra").startswith("It is no time to rest.")


ROWS = """
game: rows
version: 1.0.0
language: 2
text: Rows
players: 2
components:
  card:
    fields: {}
    start: row
    rows:
      - {id: c_1, text: {en: The old heron, fr: Le vieux héron}}
      - {id: young_heron, text: {en: Young heron, fr: Le jeune}}
zones:
  row: {holds: card, seen_by: all}
  mine: {holds: card, per: player, seen_by: all}
actions:
  take: {choose: {card: {one_of: row}}, do: [take: {move: card, to: mine(me)}]}
turn: [take: {must: [take]}]
round:
  - turns: {for_each: player, turn: player}
  - end: {end_game: now}
"""


@pytest.mark.parametrize(
    ("code", "menu", "lines"),
    [
        ("en", "1 c_1 (The old heron) 2 young_heron", ["take c_1", "take the old heron", "take old"]),
        ("fr", "1 c_1 (Le vieux héron) 2 young_heron (Le jeune)", ["take c_1", "take vieux heron", "take old heron"]),
    ],
)
def test_things_are_listed_and_typed_as_they_are_called(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, menu: str, lines: list[str]
) -> None:
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS, encoding="utf-8")
    for line in lines:
        out = " ".join(
            play_typing(run_cli, monkeypatch, [line, "q"], str(path), "--lang", code, "--seat", "human").split()
        )
        assert menu in out
        assert f"{'joueur' if code == 'fr' else 'player'} 1 take(card=c_1)" in out
