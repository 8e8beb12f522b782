"""`--set name=value` plays with another value of a parameter, without a file, and a saved game knows of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import main
from rulewright.diagnostics import RulesError
from rulewright.engine.position_json import state_to_json
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.games import restore
from rulewright.model.loader import load_rules

GAME = """game: chips
version: 1.0.0
language: 2
text: Chips
players: 2
kinds: {colour: [red, blue], level: 1 to 2}
parameters:
  goal: {value: 3, type: 1 to 9}
  fast: {value: false}
  best: {value: red, type: colour}
  bonus: {value: [0, 1], per: level, type: 0 to 9}
zones: {bank: {holds: colour, seen_by: all, start: 9 of colour}, purse: {holds: colour, per: player, seen_by: all}}
actions: {take: {choose: {colour: {one_of: bank}}, do: [take: {move: 1 of colour, from: bank, to: purse(me)}]}}
turn:
  - take: {must: [take]}
  - end: {when: "fast or purse(me, best) + bonus(1) + bonus(2) > goal", end_game: now}
round: [turns: {for_each: player, turn: player}]
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "chips.yaml"
    path.write_text(GAME)
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "long.yaml").write_text("variant: long\nfor: chips\nset: {parameters.goal: 7}\n")
    return str(path)


@pytest.mark.parametrize(
    ("variants", "goal"),
    [(["goal=5"], 5), (["long", "goal=5"], 5), (["goal=5", "long"], 5), (["goal=7", "long"], 7), (["goal=3"], 3),
     (["goal=1 + players"], 3), (["goal = 5"], 5), (["goal=min(5, 1 + 8)"], 5)],
)  # fmt: skip
def test_it_stands_above_all_variants(game: str, variants: list[str], goal: int) -> None:
    rules = load_rules(game, variants=variants)
    assert rules.parameters["goal"].value == goal
    assert set(rules.variants) == set(variants)


def test_every_sort_of_value(game: str) -> None:
    rules = load_rules(game, variants=["fast=true", "best=blue", "bonus=2,3"])
    assert rules.parameters["fast"].value is True
    assert rules.parameters["best"].value == 1
    assert dict(rules.parameters["bonus"].values_by_key or {}) == {1: 2, 2: 3}


@pytest.mark.parametrize(
    ("given", "code", "column"),
    [
        (["gaol=5"], "no-such-address", 1),
        (["goal=50"], "out-of-bounds", 6),
        (["goal=red"], "out-of-bounds", 6),
        (["goal=round_number"], "not-constant", 6),
        (["goal=rad"], "unknown-name", 6),
        (["goal=(2"], "early-end", 8),
        (["best=1"], "wrong-value", 6),
        (["bonus=1"], "missing-case", 7),
        (["bonus=1,2,3"], "missing-case", 7),
        (["goal.typo=5"], "no-such-address", 6),
        (["goal=4", "goal=5"], "two-writers", 1),
    ],
)
def test_what_cannot_be_is_reported_at_the_word(game: str, given: list[str], code: str, column: int) -> None:
    with pytest.raises(RulesError) as refused:
        load_rules(game, variants=given)
    [one] = [one for one in refused.value.diagnostics if one.severity == "error"]
    assert (one.code.name, one.span.column) == (code, column)
    assert one.span.source.path == f"--set {given[-1]}"


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("gaol=5", "did you mean `goal`? parameters: goal, fast, best, bonus"),
        ("parameters.goal=5", "write `--set goal=…`"),
        ("goal.value=5", "write `--set goal=…`"),
        ("bank=5", "`zones.bank` is not a parameter"),
        ("zones.bank.seen_by=nobody", "`zones.bank.seen_by` is not a parameter"),
        ("a,goal=5", "did you mean `goal`?"),
    ],
)
def test_what_is_no_parameter(game: str, given: str, hint: str) -> None:
    with pytest.raises(RulesError) as refused:
        load_rules(game, variants=[given])
    [one] = refused.value.diagnostics
    assert one.message == f"no parameter `{given.partition('=')[0]}`"
    assert hint in one.help


def test_what_it_breaks_elsewhere_is_reported_at_the_word(game: str) -> None:
    path = Path(game)
    path.write_text(GAME.replace("level: 1 to 2", "level: 1 to depth").replace("goal: {", "depth: 2\n  goal: {", 1))
    assert load_rules(game).parameters["depth"].value == 2
    message = "with `--set depth=3`: expected 3 values, one per `level`, found 2"
    with pytest.raises(RulesError, match=message) as refused:
        load_rules(game, variants=["depth=3", "long"])
    (one,) = refused.value.diagnostics
    assert (one.code.name, one.span.source.path) == ("breaks-rules", "--set depth=3")
    assert [other.span.source.path for other in one.related] == [path.as_posix()] * 2


def test_what_a_variant_has_removed(game: str) -> None:
    Path(game).with_name("variants").joinpath("endless.yaml").write_text(
        "variant: endless\nfor: chips\nset: {turn.end.when: fast}\nremove: [parameters.goal]\n"
    )
    with pytest.raises(RulesError, match=r"`parameters\.goal` was removed by `endless`") as refused:
        load_rules(game, variants=["endless", "goal=5"])
    assert len(list(refused.value.diagnostics)) == 1


def test_it_stands_in_the_chain_of_what_wrote_a_value(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Also when it says what a variant says."""
    for value in ("5", "7", "3"):
        assert main(["show", "parameters.goal.value", game, "--variant", "long", "--set", f"goal={value}"]) == 0
        written = capsys.readouterr().out.partition("written by\n")[2].splitlines()
        assert [line.split("   ")[-1].strip() for line in written][1:] == [
            "set: {parameters.goal: 7}",
            f"goal={value}",
        ]


def test_on_the_command_line(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "parameters.goal", game, "--set", "goal=5"]) == 0
    assert "value     5" in capsys.readouterr().out
    assert main(["simulate", game, "-n", "2", "--set", "fast=true", "--variant", "long", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["variants"] == ["fast=true", "long"]
    assert main(["simulate", game, "--set", "goal"]) == 2
    assert "`goal` is invalid, expected NAME=VALUE" in capsys.readouterr().err


def test_a_saved_game_goes_on_with_it(game: str) -> None:
    engine = ReferenceEngine(load_rules(game, variants=["long", "goal=5"]))
    session = restore(state_to_json(engine, engine.start(seed=1)), game=game)
    assert session.rules.variants == ("goal=5", "long")
    assert session.rules.digest == engine.rules.digest != load_rules(game, variants=["long"]).digest
