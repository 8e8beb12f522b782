"""`check` proves what options give away by two positions, and says nothing of looks at what is known."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from case_files import compare
from command_line import CommandLine
from rulewright.checker.checker import check
from rulewright.checker.secrets.hidden_looks import find_hidden_looks
from rulewright.checker.secrets.secrets_search import search_secrets
from rulewright.checker.secrets.twin_games import TwinGame, play_recorded_game
from rulewright.diagnostics import Diagnostic
from rulewright.engine.default_engine import make_engine
from rulewright.engine.views import Views
from rulewright.model.loader import load_rules

FOLDER = Path(__file__).parent / "diagnostics" / "secrets"
GAME = FOLDER / "vault.yaml"
VARIANTS = sorted((FOLDER / "variants").glob("*.yaml"))
DECISIONS = 100


def found_in(path: Path, play: int = DECISIONS) -> list[Diagnostic]:
    return list(check([path], play=play))


@pytest.mark.parametrize("name", ["vault", "whispers", "smugglers", "orchard", "embassy", "halves"])
def test_of_the_game_itself_nothing_is_said(name: str) -> None:
    assert found_in(FOLDER / f"{name}.yaml") == []


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_what_gives_something_away_is_proved_at_its_place(path: Path) -> None:
    assert compare(path, found_in(path)) == []


def test_without_play_a_look_is_only_suspected() -> None:
    leaking = FOLDER / "variants" / "rich-hand.yaml"
    assert [found.code.name for found in found_in(leaking, play=0)] == ["looks-at-hidden"]
    shown = FOLDER / "variants" / "looked-at.yaml"
    assert [found.code.name for found in found_in(shown, play=0)] == ["looks-at-hidden"]
    assert found_in(leaking) == found_in(leaking)


def test_the_proof_names_what_differs_and_the_game(run_cli: CommandLine) -> None:
    (found,) = found_in(FOLDER / "variants" / "rich-hand.yaml")
    proof = (
        r"two positions look the same to player (\d), but where `hand\((\d)\)` holds `\w+`, not `\w+`, `take\(.*\)` is "
    )
    shown = re.search(proof, found.help)
    assert shown is not None
    assert {shown[1], shown[2]} == {"1", "2"}
    words = shlex.split(found.replay.removeprefix("rulewright "))
    assert run_cli(*words) == 0
    assert "rich-hand" in words[words.index("--variant") + 1]


@pytest.mark.parametrize("name", ["vault", "kuhn-poker", "whist", "wrack-line"])
def test_twin_games_look_the_same_and_are_not(name: str) -> None:
    players = 4 if name == "whist" else 2
    engine = make_engine(load_rules(str(GAME) if name == "vault" else name, players=players))
    views, pairs = Views(engine), 0
    for seed in range(3):
        game = play_recorded_game(engine, "random", seed, 30)
        for seat in range(players):
            for pair in TwinGame(engine, game, seat, 20, seed).pairs():
                pairs += 1
                assert views.view(pair.one, seat) == views.view(pair.other, seat)
                assert (pair.one.contents, pair.one.stack) != (pair.other.contents, pair.other.stack)
                assert engine.legal(pair.one) == engine.legal(pair.other)
    assert pairs


def test_the_proof_names_the_reason_that_differs() -> None:
    (found,) = found_in(FOLDER / "variants" / "reason-alone.yaml")
    assert found.help.endswith("`pass` is refused in both, in one of them because of `actions.pass.when.poor`")


def test_a_look_that_is_accepted_is_accepted_with_its_proof() -> None:
    allowed = FOLDER / "variants" / "held-and-noted-allowed.yaml"
    assert [found_in(allowed, play=play) for play in (0, DECISIONS)] == [[], []]


@pytest.mark.parametrize("name", ["hole-offer", "hole-asked", "hole-at-the-end"])
def test_what_is_said_has_a_way_out_that_fits(name: str) -> None:
    (found,) = found_in(FOLDER / "variants" / f"{name}.yaml", play=0)
    endings = {
        "hole-offer": "leave it out of the reason",
        "hole-asked": "leave it out of the sentence",
        "hole-at-the-end": "reveal it before the game ends",
    }
    assert found.help.endswith(endings[name])


def test_a_move_is_proved_by_how_much_lies_there() -> None:
    (found,) = found_in(FOLDER / "variants" / "toll-by-load.yaml")
    assert re.search(r"where `cart\((\d)\)` holds .*, `\w+(\(\d\))?` holds (\d+), else (?!\3;)\d+;", found.help)


def test_where_no_rule_looks_there_is_nothing_to_search() -> None:
    rules = load_rules(str(GAME), players=2)
    assert find_hidden_looks(rules) == ()
    search = search_secrets(rules, (), 40)
    assert (search.leaks, search.known) == ({}, frozenset())


def test_a_step_is_proved_by_where_two_games_part() -> None:
    (found,) = found_in(FOLDER / "variants" / "asked-by-hand.yaml")
    proof = (
        r"after \d+ decisions? player (\d) can tell two positions apart: where `hand\((\d)\)` holds `\w+`, not `\w+`"
    )
    shown = re.search(proof, found.help)
    assert shown is not None
    assert {shown[1], shown[2]} == {"1", "2"}
    assert "`turn.more` asks, else not" in found.help or "`turn.more` does not ask, else it does" in found.help
    (found,) = found_in(FOLDER / "variants" / "asked-by-hand.yaml", play=0)
    assert found.code.name == "looks-at-hidden"
