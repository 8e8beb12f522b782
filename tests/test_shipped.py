"""What is said of the shipped games is so: which construct stands where, and that commands work for each of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from command_line import CommandLine
from construct_matrix import with_matrix
from games.playing import fewer_samples
from rulewright.diagnostics import Diagnostics
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import compose_game, load_rules
from rulewright.model.locate import available_games, available_variants, default_game, find_game
from rulewright.terminal.board import Board
from rulewright.terminal.game_loop import arrange_screen
from rulewright.terminal.menu import MenuBuilder
from screens import chosen

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "rules" / "reference" / "games.md").read_text(encoding="utf-8")
OTHERS = [game for game in available_games() if game != default_game()]
SECTIONS = ("text", "why", "source", "status")  # what has no effect on play


def rows_after(mark: str, page: str = PAGE) -> list[list[str]]:
    lines = page.partition(mark)[2].strip().splitlines()
    table = lines[: next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def unquoted(cell: str) -> str:
    return re.sub(r"^`(.*)`$", r"\1", cell)


def written(node: Any) -> Iterator[str]:
    """The lines `key: value` of rules, without sentences and sources."""
    match node:
        case dict():
            for key, value in node.items():
                if key not in SECTIONS:
                    yield f"{key}: {value}" if not isinstance(value, dict | list) else f"{key}:"
                    yield from written(value)
        case list():
            for one in node:
                yield from written(one)


@cache
def rules_of(game: str) -> dict[str, Any]:
    """All sections of a game, from whatever files."""
    path = find_game(game)
    found: dict[str, Any] = {}
    for file in sorted(path.rglob("*.yaml")):
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
        if "game" in data or "part_of" in data:
            found |= data
    return found


def node_at(rules: Any, address: str) -> Any:
    for part in address.split("."):
        if part == "do" and isinstance(rules, list):  # a procedure that is its steps alone
            continue
        whose = next(item for item in rules if part in item) if isinstance(rules, list) else rules
        rules = whose[part]
    return rules


def test_every_shipped_game_is_on_the_list() -> None:
    listed = {unquoted(row[0]): row[1] for row in rows_after("them.\n")}
    assert list(listed) == [default_game(), *[game for game in listed if game != default_game()]]
    assert set(listed) == set(available_games())
    for game, players in listed.items():
        assert str(rules_of(game)["players"]) == players


CONSTRUCTS = rows_after("<!-- constructs -->")


@pytest.mark.parametrize(("said", "code", "game", "address"), CONSTRUCTS, ids=[" ".join(row[2:]) for row in CONSTRUCTS])
def test_a_construct_is_where_the_table_says_and_not_in_the_default_game(
    said: str, code: str, game: str, address: str
) -> None:
    assert any(unquoted(code) in line for line in written(node_at(rules_of(game), unquoted(address)))), said
    assert not any(unquoted(code) in line for line in written(rules_of(default_game()))), said


def test_the_matrix_of_constructs_is_what_the_rule_files_have() -> None:
    assert with_matrix(PAGE) == PAGE, "outdated table: run `python tests/construct_matrix.py`"


def test_every_verb_and_every_form_of_a_choice_has_a_row_of_the_matrix() -> None:
    language = json.loads((ROOT / "schemas" / "language.schema.json").read_text(encoding="utf-8"))["$defs"]
    words = {node["x-verb"] for node in language.values() if "x-verb" in node}
    written = set(re.findall(r"(\w+):", " ".join(row[1] for row in rows_after("<!-- matrix -->"))))
    assert words - written == {"is", "most"}  # which nearly any game has


def test_every_variant_of_the_other_games_is_on_the_list() -> None:
    page = (ROOT / "variants" / "README.md").read_text(encoding="utf-8")
    listed = [(unquoted(row[0]), unquoted(row[1])) for row in rows_after("<!-- variants of other games -->", page)]
    there = [
        (game, name)
        for game in OTHERS
        for name, path in available_variants(game).items()
        if "\njoins: " not in path.read_text(encoding="utf-8")
    ]
    assert sorted(listed) == sorted(there)


def test_every_other_game_has_a_construct() -> None:
    assert {row[2] for row in CONSTRUCTS} == set(OTHERS)


def test_no_game_needs_a_line_of_python() -> None:
    kinds = {path.suffix for folder in ("rules", "variants") for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert kinds <= {".yaml", ".md", ""}
    assert (ROOT / "rules" / "default").read_text(encoding="utf-8").strip() in available_games()


# ---- the booklet of the game that was made here ------------------------------------------------------------------


BOOKLET = ROOT / "rules" / "wrack-line" / "booklet.md"


def test_the_booklet_has_the_sections_that_rules_cite() -> None:
    headings = set(re.findall(r"^## (.*)$", BOOKLET.read_text(encoding="utf-8"), re.MULTILINE)) | {"Wrack Line"}
    for players in counts("wrack-line"):
        cited = {
            section
            for note in load_rules("wrack-line", players=players).provenance.values()
            for work, section in note.source
            if work == "booklet"
        }
        assert cited <= headings


def test_the_booklet_has_the_numbers_of_the_rules() -> None:
    parameters = rules_of("wrack-line")["parameters"]
    rows = [[unquoted(cell) for cell in row] for row in rows_after("## All numbers\n", BOOKLET.read_text("utf-8"))]
    told = {name: value.split(", ") for name, value, _ in rows}
    assert told == {
        name: [str(one) for one in (node["value"] if isinstance(node["value"], list) else [node["value"]])]
        for name, node in parameters.items()
    }


# ---- and all commands know them ---------------------------------------------------------------------------------


def counts(game: str) -> range:
    resolved = compose_game(game, None, (), Diagnostics())
    assert resolved is not None
    fewest, most = player_counts(resolved.document)
    return range(fewest, most + 1)


TALLER = {"splendor-duel": 80}  # lines where 24 are too few: twelve cards, a board of five rows, all that was bought


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("game", "players"), [(game, players) for game in OTHERS for players in counts(game)])
def test_it_fits_a_small_terminal(game: str, players: int) -> None:
    """Board, last action, choices and prompt in 24 lines of 80, in both languages, whatever is done in a game."""
    height = TALLER.get(game, 24)
    engine = ReferenceEngine(load_rules(game, players=players))
    for seed, code in enumerate(("en", "fr")):
        board = Board(engine, code)
        menus = MenuBuilder(board)
        state, rng = engine.start(seed=seed), chance.seed_rng(seed, stream=1)
        while isinstance(state.waiting, Decision):
            legal, seat = engine.legal(state), state.waiting.seat
            lines, _ = arrange_screen(board, menus, state, seat, legal, ["what was done"], (80, height))
            assert len(lines) < height, "\n".join(map(str, lines))
            rng, action = chosen(rng, legal)
            state = engine.apply_legal(state, action)


@pytest.mark.parametrize("game", OTHERS)
def test_every_command_works_for_it(game: str, run_cli: CommandLine, tmp_path: Path) -> None:
    record = str(tmp_path / "game.jsonl")
    assert run_cli("play", game, "--seed", "1", "--record", record, "--lang", "fr") == 0
    assert "Classement" in run_cli.out or "Match nul." in run_cli.out
    assert run_cli("replay", record, "--verify") == 0
    assert "the same rules" in run_cli.out
    number = str(fewer_samples(game, 2))
    assert run_cli("simulate", game, "-n", number, "--bot", "greedy") == 0
    assert run_cli("tournament", "--game", game, "greedy", "random", "-n", number) == 0
    assert run_cli("perft", game, "--depth", "1", "--seed", "1") == 0
    assert run_cli("show", "turn", game) == 0
    assert run_cli("check", str(find_game(game)), "--fail-on", "warning", "--play", "0") == 0
    variants = available_variants(game)
    assert run_cli("variants", game) == (0 if variants else 2)
    listed = {line.split()[0] for line in run_cli.out.splitlines() if line[:1].strip()}
    assert {name for name, path in variants.items() if "applies:" not in path.read_text("utf-8")} <= listed
