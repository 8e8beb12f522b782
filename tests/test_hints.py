"""What a diagnostic advises where the obvious advice would be wrong; in which order diagnostics come."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine

GAME = """
game: holes
version: 1.0.0
language: 2
text: Holes
players: 2
texts: [fr.yaml]
kinds:
  cell: {{grid: 2 by 2}}
{kinds}
zones:
  stones: {{holds: stone, per: cell, seen_by: all}}
actions:
  place:
    choose: {{cell: {{one_of: cell}}}}
    when: {{free: {{is: stones(cell) is empty, why: "{{cell}} is taken."}}}}
    do: []
turn: [place: {{must: [place]}}]
round:
  - turns: {{for_each: player, turn: player}}
  - end: {{end_game: now}}
"""
FRENCH = """
texts: fr
for: holes
sentences:
  game: Trous
  actions.place.when.free.why: "{case} est prise."
"""


@pytest.fixture
def holes(tmp_path: Path):
    def written(kinds: str, french: str = FRENCH) -> str:
        (tmp_path / "game.yaml").write_text(GAME.format(kinds=kinds), encoding="utf-8")
        (tmp_path / "fr.yaml").write_text(french, encoding="utf-8")
        return str(tmp_path)

    return written


def test_a_hole_that_was_translated_is_reported_with_those_of_the_english_sentence(run_cli: CommandLine, holes) -> None:
    assert run_cli("check", holes("  stone: [pebble]")) == 1
    assert re.search(r"no name `case`(.*\n)+? *= help: .*; the English sentence has \{cell\}\n", run_cli.out)


def test_of_many_diagnostics_the_errors_come_first(run_cli: CommandLine, holes) -> None:
    french = FRENCH.replace("{case}", "{cell}")
    for many in (5, 12):
        kinds = "\n".join(f"  # rulewright: allow no-such-{number} because of nothing" for number in range(many))
        game = holes(f"{kinds}\n  stone: [pebble]\nparameters:\n  high: {{value: 10, type: 1 to 9}}", french)
        assert run_cli("check", game) == 1
        found = re.findall(r"^(error|warning)\[", run_cli.out, re.MULTILINE)
        assert found.count("error") == 1
        assert found.count("warning") >= many
        assert (found[0] == "error") == (many > 10)
        assert run_cli("play", game) == 1
        assert "these rules cannot be used: 1 error\n" in run_cli.err  # only `check` warns


def test_a_name_that_an_action_has_already(run_cli: CommandLine, holes) -> None:
    run_cli("check", holes("  stone: [pebble]\n  place: [here]", FRENCH.replace("{case}", "{cell}")))
    assert re.search(r"N401: (.*\n)+? *= help: .*state and action its own name", run_cli.out)


def test_a_game_among_the_bots_of_a_tournament(run_cli: CommandLine) -> None:
    assert run_cli("tournament", "some-game", "greedy", "random") == 2
    assert "give a game with --game" in run_cli.err


def test_scenarios_in_the_folder_of_a_game_are_reported_where_they_belong(
    run_cli: CommandLine, holes, tmp_path: Path
) -> None:
    game = holes("  stone: [pebble]", FRENCH.replace("{case}", "{cell}"))
    (tmp_path / "holes.scenarios.yaml").write_text(
        "scenarios: some\nfor: holes\nlanguage: 2\ncases: {}\n", encoding="utf-8"
    )
    assert run_cli("check", game) == 1
    assert "help: move scenarios next to the game's folder, not into it" in run_cli.out


SLIPS = Path(__file__).parent / "diagnostics" / "model" / "slips.yaml"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("row_cont", "did you mean `row_count`?"),
        ("two", "write 2"),
        ("one", "write 1"),
        ("me", "write `player`, the key of this zone"),
        ("stick", "did you mean the zone `sticks`?"),
    ],
)
def test_what_was_most_likely_meant(name: str, hint: str, run_cli: CommandLine) -> None:
    assert run_cli("check", str(SLIPS)) == 1
    assert re.search(rf"`{name}`.*\n(.*\n)+? *= help: {re.escape(hint)}", run_cli.out)


@pytest.mark.parametrize(
    ("kinds", "sentence", "said", "hint"),
    [
        ("  stone: [a]\n  pile: {members: 1 to 3, names: {4: four}}", "", "there is no member `4`", "members: 1, 2, 3"),
        ("  stone: [a]", "{count(stones): {cell} | more}", "a hole inside a plural", "write `{cell}` before or after"),
    ],
)
def test_what_numbers_and_plurals_have_not(
    kinds: str, sentence: str, said: str, hint: str, run_cli: CommandLine, holes
) -> None:
    french = FRENCH.replace("{case}", sentence or "{cell}")
    assert run_cli("check", holes(kinds, french)) == 1
    assert re.search(rf"{re.escape(said)}\n(.*\n)+? *= help: .*{re.escape(hint)}", run_cli.out)


@pytest.mark.parametrize(
    ("keys", "hint"),
    [
        ("[cell, cell]", "write `{name: cell}` to name the key"),
        ("{stone: cell}", "choose another name"),
        ("{here: 1 to 3}", "name the numbers as a kind: `kinds: {step: 1 to 3}`"),
    ],
)
def test_how_the_key_of_a_zone_is_named(keys: str, hint: str, run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "holes.yaml"
    text = GAME.format(kinds="  stone: [pebble]").replace("texts: [fr.yaml]\n", "")
    path.write_text(text.replace("per: cell", f"per: {keys}"), encoding="utf-8")
    assert run_cli("check", str(path)) == 1
    assert f"= help: {hint}\n" in run_cli.out


VARIANT = "variant: mine\nfor: nim\ntext: Mine\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (VARIANT + "change: {parameters.base: 3}\n", "keys: set, adjust, add, remove, "),
        (VARIANT + "set: {turn.latest: {}}\n", "a step needs one of `move`, `set`, `roll`, "),
        (VARIANT + "set: {turn.take.must: take}\n", "`must`: expected a list, found text"),
        (VARIANT + "set: {turn.take.must: take}\n", "write `[take]`"),
        (
            VARIANT + "add: {parameters.odd: {value: {a: 1, b: 2}, per: player}}\n",
            "write the values alone, in order: `[1",
        ),
        (VARIANT + "set: {players: some}\n", "a number, or the fewest and the most; for example: `2`"),
        (VARIANT.replace("for: nim\n", "") + "set: {parameters.base: 3}\n", "add `for: GAME`"),
        (VARIANT.replace("mine", "My Own") + "set: {parameters.base: 3}\n", "help: write `my_own`\n"),
        (VARIANT.replace("mine", "My__-Own") + "set: {parameters.base: 3}\n", "help: write `my_own`\n"),
        (VARIANT + "after: My-Own\nset: {parameters.base: 3}\n", "help: write `my-own`\n"),
    ],
)
def test_a_slip_of_shape(text: str, said: str, run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    assert run_cli("check", str(path)) == 1
    assert said in run_cli.out
