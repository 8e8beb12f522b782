"""What `rulewright new` writes is sound: the first check finds nothing, the scenario passes, the game can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.main import main

GAMES = Path(__file__).parent / "games"
WITH_A_NUMBER = ("fair.yaml", "lowest/lowest.yaml", "race/race.yaml")


def run(*words: str | Path) -> int:
    return main([str(word) for word in words])


@pytest.mark.slow
def test_a_variant_of_the_shipped_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "variant", "my-rule") == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  rulewright check my-rule.yaml",
        "  rulewright test my-rule.scenarios.yaml",
        "  rulewright play --variant my-rule.yaml",
    ]
    assert run("check", "--fail-on", "warning", "my-rule.yaml") == 0
    assert run("test", "my-rule.scenarios.yaml") == 0
    assert run("simulate", "-n", "1", "--variant", "my-rule.yaml") == 0
    before = Path("my-rule.yaml").read_text(encoding="utf-8")
    assert run("new", "variant", "my-rule") == 2
    assert "already exists" in capsys.readouterr().err
    assert Path("my-rule.yaml").read_text(encoding="utf-8") == before


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_A_NUMBER)
def test_a_variant_of_another_game(game: str, tmp_path: Path) -> None:
    path = tmp_path / Path(game).name
    path.write_bytes((GAMES / game).read_bytes())
    (tmp_path / "variants").mkdir()
    assert run("new", "variant", "my-rule", "--game", path, "--folder", tmp_path / "variants") == 0
    assert run("check", tmp_path / "variants" / "my-rule.yaml") == 0
    assert run("simulate", path, "-n", "1", "--cap", "30", "--variant", tmp_path / "variants" / "my-rule.yaml") == 0


@pytest.mark.parametrize(
    ("game", "texts"),
    [
        ("kuhn-poker", ['  en: "How often cards are dealt: {hands}"', '  fr: "Nombre de donnes : {hands}"']),
        ("heaps.yaml", ['  en: "at once: {at_once}"']),
    ],
)
def test_each_language_has_its_own_words_or_none(game: str, texts: list[str], tmp_path: Path) -> None:
    """In French nothing is written in English; what the game says of its parameter in a language is written in it."""
    bare = """
game: heaps
version: 1.0.0
language: 2
text: {en: Heaps, fr: Tas}
players: 2
parameters: {at_once: {value: 3, type: 1 to 9}}
kinds: {stone: [pebble]}
zones: {heap: {holds: stone, seen_by: all, start: at_once of pebble}}
actions: {rest: {do: [none: {move: up to 1 of pebble, from: heap, to: heap}]}}
turn: [act: {must: [rest]}]
round: [turns: {for_each: player, turn: player}, end: {end_game: now}]
"""
    if game.endswith(".yaml"):
        game = str(tmp_path / game)
        Path(game).write_text(bare, encoding="utf-8")
    assert run("new", "variant", "my-rule", "--game", game, "--folder", tmp_path) == 0
    lines = (tmp_path / "my-rule.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[lines.index("status: own") - len(texts) : lines.index("status: own")] == texts
    assert lines[lines.index("status: own") - len(texts) - 1].startswith("text:")


def test_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "game", "my-game") == 0
    assert run("check", "--fail-on", "warning", "my-game.yaml") == 0
    assert run("test", "my-game.scenarios.yaml") == 0
    assert run("simulate", "my-game.yaml", "-n", "2", "--bot", "greedy") == 0


@pytest.mark.parametrize("name", ["My-Game", "../out", "", "a" * 61, "9lives"])
def test_a_name_is_a_name(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "game", name, "--folder", tmp_path) == 2
    assert "is not a name" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
