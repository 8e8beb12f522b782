"""The program's own words: the same in every language, all of them used, and a game may say them in its own way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine, play_typing
from rulewright import bundle
from rulewright.model.loader import load_rules
from rulewright.model.locale import BUILTIN_MESSAGES, ENGLISH, ENGLISH_MESSAGES
from rulewright.wording.messages import Messages, available_locales, load_messages

PACKAGE = Path(bundle.__file__).parent
HOLE = re.compile(r"\{[a-z]+\}")
GAME = """
game: lots
version: 1.0.0
language: 2
text: {en: Lots, de: Lose}
players: 1
actions:
  draw: {text: {en: Draw., de: Ziehen.}}
turn:
  - act: {must: [draw], text: {en: Draw., de: Ziehen.}}
round:
  - turns: {for_each: player, turn: player}
"""


@pytest.mark.parametrize("code", available_locales("terminal"))
def test_every_language_has_the_same_words_with_the_same_holes(code: str) -> None:
    english, other = load_messages(ENGLISH, "terminal"), load_messages(code, "terminal")
    assert list(other) == list(english)
    assert {key: set(HOLE.findall(text)) for key, text in other.items()} == {
        key: set(HOLE.findall(text)) for key, text in english.items()
    }
    assert all(text.strip("\n") == text.strip("\n").rstrip("\n") and text for text in other.values())


def test_two_languages_are_spoken() -> None:
    assert set(available_locales("terminal")) >= {"en", "fr"}
    same = {
        key for key, text in load_messages("fr", "terminal").items() if text == load_messages("en", "terminal")[key]
    }
    assert same <= {"source", "decline", "use_help"}


def test_every_word_is_used() -> None:
    """As a key in quotes; or, of those that differ in their last part only, by their first part and a hole."""
    said = "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted([*(PACKAGE / "terminal").glob("*.py"), *(PACKAGE / "cli").glob("*.py")])
    )
    for key in load_messages(ENGLISH, "terminal"):
        head, _, last = key.partition("_")
        family = f'f"{head}_{{' in said and (f'"{last}"' in said or head == "undo")
        tail = re.search(rf'f"{re.escape(head)}_\{{[a-z]+\}}_does"', said) if key.endswith("_does") else None
        assert f'"{key}"' in said or f"'{key}'" in said or family or tail, key


@pytest.mark.parametrize("code", BUILTIN_MESSAGES)
def test_words_of_the_rules_are_the_same_here(code: str) -> None:
    assert list(BUILTIN_MESSAGES[code]) == list(ENGLISH_MESSAGES)
    for key in set(ENGLISH_MESSAGES) & set(load_messages(code, "terminal")):
        assert load_messages(code, "terminal")[key] == BUILTIN_MESSAGES[code][key]
    for key, text in BUILTIN_MESSAGES[code].items():
        assert set(HOLE.findall(text)) == set(HOLE.findall(ENGLISH_MESSAGES[key]))


def test_a_game_without_words_of_its_own_speaks_those_of_the_program() -> None:
    french = load_rules("tic-tac-toe").languages["fr"]
    assert french.messages == BUILTIN_MESSAGES["fr"]
    assert len(french.plural_rules) == 1


def test_a_game_says_them_in_its_own_way() -> None:
    rules = load_rules("splendor")
    assert Messages(rules, "fr", "terminal")("round", round=3) == "manche 3"
    rules.languages["fr"].messages["round"] = "tour de table {round}"
    assert Messages(rules, "fr", "terminal")("round", round=3) == "tour de table 3"


def test_a_language_that_only_one_of_them_speaks(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, heaps: str
) -> None:
    out = play_typing(run_cli, monkeypatch, ["quitter"], heaps, "--seat", "human", "--lang", "fr")
    assert "au tour du joueur 1" in out  # the game speaks English only
    path = tmp_path / "lots.yaml"
    path.write_text(GAME, encoding="utf-8")
    out = play_typing(run_cli, monkeypatch, ["quit"], str(path), "--seat", "human", "--lang", "de")
    assert "Ziehen." in out  # the program speaks no German
    assert "Goodbye." in out
    assert run_cli("play", heaps, "--lang", "de") == 2
