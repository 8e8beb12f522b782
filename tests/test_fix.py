"""`check --fix` corrects what is certain, byte for byte nothing else, and never makes rules worse."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from command_line import CommandLine
from rulewright.checker.checker import check_paths
from rulewright.checker.common.diagnostic_json import diagnostic_to_json
from rulewright.checker.fix_files import FixResult, fix_files
from rulewright.diagnostics import Fix
from rulewright.explanations.explanation import EXAMPLE_GAME
from rulewright.slips import is_certain_slip
from rulewright.source.tabs import spaces_for_tabs
from rulewright.source.unsaved import held_text

GAME = EXAMPLE_GAME.read_text(encoding="utf-8")
PLACE = '      left: {is: bank(colour) > 0, why: "No {colour} is left."}\n'
CASES: dict[str, dict[str, str]] = yaml.safe_load(
    (Path(__file__).parent / "fixes" / "certain.yaml").read_text(encoding="utf-8")
)


def fixed(path: Path) -> FixResult:
    return fix_files([path], lambda: check_paths([path]))


def game_with(line: str) -> str:
    assert PLACE in GAME
    return GAME.replace(PLACE, f"      left:\n        {line}\n        why: Not now.\n")


@pytest.mark.parametrize("name", CASES)
def test_a_line_becomes_what_is_certainly_meant(name: str, tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    text = game_with(CASES[name]["was"])
    path.write_text(text, encoding="utf-8")
    result = fixed(path)
    assert [one.after for one in result.texts] == ([game_with(CASES[name]["is"])] if "is" in CASES[name] else [])
    assert path.read_text(encoding="utf-8") == text  # the file itself is not touched
    assert held_text(path) is None
    if "is" in CASES[name]:
        assert not len(result.checked.diagnostics)


@pytest.mark.parametrize("slip", ["wax_limit", "lime", "level_2", "played", "collected", "planted", "won", "row_max"])
@pytest.mark.parametrize("meant", ["jar_limit", "line", "level_1", "player", "corrected", "plant", "own", "max_row"])
def test_what_may_be_another_word_is_not_certainly_meant(slip: str, meant: str) -> None:
    assert not is_certain_slip(slip, meant)
    assert not is_certain_slip(meant, slip)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("wax_limt", "wax_limit"),
        ("wax-limit", "wax_limit"),
        ("waxlimit", "wax_limit"),
        ("gaol", "goal"),
        ("necter", "nectar"),
        ("flower", "flowers"),
        ("prestge", "prestige"),
        ("diamnd", "diamond"),
    ],
)
def test_a_slip_of_the_hand_is_certain(slip: str, meant: str) -> None:
    assert is_certain_slip(slip, meant)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("players: 2 to 4\n", "palyers: 2 to 4\n"),
        ("players: 2 to 4\n", "players:2 to 4\n"),
        ("  goal: {value", "\tgoal: {value"),
        ('to: "min(99, passes + 1)"', "to: min(99, passes + 1)"),
        ("- draw: {move: card, from: row", "- draw: {mvoe: card, from: row"),
        ("text: Chips\n", "text: Chips\u200b\n"),
        ("must: [take, draw", "must: [tkae, draw"),
        ("must: [take, draw, pass]", 'must: "take, draw, pass"'),
        ("- points: {most: points(player)}", "- points: {most: ponits(player)}"),
        ("players: 2 to 4\n", "players: two to four\n"),
        ("players: 2 to 4\n", "players: 2-4\n"),
        ("  draw:\n", "  draw\n"),
        ("  - end: {when", "  -end: {when"),
        ("  - cards: {fewest", "  – cards: {fewest"),
        (
            "ranking:\n  - points: {most: points(player)}\n  - cards:",
            "ranking:\n  points: {most: points(player)}\n  cards:",
        ),
        ("players: 2 to 4\n", "players = 2 to 4\n"),
        ("passes > 50, end_game: after", "passes > 50, endGame: after"),
        ("seen_by: owner}", "seen_by: owne}"),
        ("most: points(player)", "most: Points(player)"),
        ("is: count(pouch(player)) +", "is: len(pouch(player)) +"),
        ("      left: {is: bank", "      - left: {is: bank"),
        ("  points: {per: player", "  - points: {per: player"),
    ],
    ids=[
        "key",
        "colon",
        "tab",
        "commas",
        "verb",
        "invisible",
        "action",
        "list",
        "value",
        "words",
        "dash_of_range",
        "missing_colon",
        "tight_dash",
        "dash_of_print",
        "mapping",
        "equals",
        "key_of_programs",
        "beginning_of_a_word",
        "capital",
        "function",
        "clause_in_a_list",
        "value_in_a_list",
    ],
)
def test_the_game_is_again_what_it_was(before: str, after: str, tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    assert GAME.count(before) == 1
    path.write_text(GAME.replace(before, after), encoding="utf-8")
    assert [one.after for one in fixed(path).texts] == [GAME]


def test_an_address_of_a_variant_keeps_the_names_before_the_wrong_one(tmp_path: Path) -> None:
    (tmp_path / "chips.yaml").write_text(GAME, encoding="utf-8")
    variant = tmp_path / "variants" / "far.yaml"
    variant.parent.mkdir()
    text = "variant: far\nfor: chips\nset:\n  parameters.gaol: 9\n  zones.bnak.start: 7 of colour\n"
    variant.write_text(text, encoding="utf-8")
    result = fixed(tmp_path)
    assert [one.after for one in result.texts] == [text.replace("gaol", "goal").replace("bnak", "bank")]
    assert not len(result.checked.diagnostics)


def test_only_files_that_were_given_are_corrected(tmp_path: Path) -> None:
    game, variant = tmp_path / "chips.yaml", tmp_path / "short.yaml"
    game.write_text(game_with("is: gaol > 2"), encoding="utf-8")
    variant.write_text("variant: short\nfor: chips\nset: {parameters.gaol: 4}\n", encoding="utf-8")
    result = fix_files([variant], lambda: check_paths([variant], game=str(game)))
    assert {one.path.name for one in result.texts} <= {"short.yaml"}


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        (["a:", "  pick:", "\ttext: T", "    when: x"], "    text: T"),
        (["a:", "  b:", "    c: 1", "\td: 2", "    e: 3"], "    d: 2"),
        (["a:", "  b:", "    c: 1", "\td:", "    e: 3"], "  d:"),
        (["a:", "  do:", "    - put: 1", "\t- take: 2", "    - put: 3"], "    - take: 2"),
        (["a:", "  do:", "    - put: 1", "\t  when: 2", "    - put: 3"], "      when: 2"),
        (["a:", "  b:", "    c: 1", "\td: 2"], "\td: 2"),  # below `a` or below `b`
        (["a:", "  b:", "       c: 2", "\t\td: 2"], "\t\td: 2"),  # nothing begins at any such place
    ],
)
def test_a_tab_is_as_deep_as_the_lines_beside_it(lines: list[str], meant: str) -> None:
    text = "\n".join(lines)
    tab = text.index("\t")
    correction = spaces_for_tabs(text, tab, tab + 1 + text[tab + 1 :].startswith("\t"))
    if correction is not None:
        text = text[: correction.start] + correction.text + text[correction.end :]
    assert text == "\n".join(meant if "\t" in line else line for line in lines)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("players: 2 to 4\n", "players: two or four\n"),  # which leaves out three
        ("goal: {value: 5, ", "goal: {value: 5%, "),
        ("  draw:\n    text: Take a card.\n", "  draw\n    Take a card.\n"),
        ("to: hand(me)}", "to: hand[player]}"),  # a key, or a field
    ],
    ids=["or", "unit", "text", "brackets"],
)
def test_what_may_mean_something_else_is_left_to_a_person(before: str, after: str, tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    assert GAME.count(before) == 1
    path.write_text(GAME.replace(before, after), encoding="utf-8")
    result = fixed(path)
    assert not result.texts
    assert result.checked.diagnostics.error_count


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def write_broken(tmp_path: Path) -> tuple[Path, bytes]:
    path = tmp_path / "chips.yaml"
    content = b"\xef\xbb\xbf" + game_with("is: gaol > 2   # gaol").replace("\n", "\r\n").rstrip().encode()
    path.write_bytes(content)
    path.chmod(0o640)
    return path, content


def test_bytes_beside_a_correction_stay(cli: CommandLine, tmp_path: Path) -> None:
    path, content = write_broken(tmp_path)
    assert cli("check", str(path), "--fix", "--play", "0") == 0
    assert path.read_bytes() == content.replace(b"is: gaol", b"is: goal")
    assert path.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["chips.yaml"]
    assert "corrected " in cli.err
    assert cli.out == "checked 1 game: no problems found\n"


def test_where_one_file_cannot_be_written_none_is(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, content = write_broken(tmp_path)
    other = tmp_path / "other.yaml"
    other.write_bytes(content.replace(b"game: chips", b"game: other"))
    monkeypatch.setattr("os.access", lambda file, mode: Path(file).name != "other.yaml")
    assert cli("check", str(path), str(other), "--fix", "--play", "0") == 2
    assert "cannot write " in cli.err
    assert "permission denied" in cli.err
    assert "corrected" not in cli.err
    assert path.read_bytes() == content


def test_a_diff_names_a_file_with_a_space_as_patch_reads_it(cli: CommandLine, tmp_path: Path) -> None:
    path, _ = write_broken(tmp_path)
    renamed = path.rename(tmp_path / "my chips.yaml")
    assert cli("check", str(renamed), "--fix", "--diff", "--play", "0") == 1
    assert cli.out.splitlines()[0].endswith("my chips.yaml\t")


def test_a_diff_changes_no_file(cli: CommandLine, tmp_path: Path) -> None:
    path, content = write_broken(tmp_path)
    assert cli("check", str(path), "--fix", "--diff", "--play", "0") == 1
    assert path.read_bytes() == content
    assert "-        is: gaol > 2   # gaol" in cli.out
    assert "+        is: goal > 2   # gaol" in cli.out
    assert cli("check", str(path), "--diff") == 2
    assert "--diff shows what --fix would change: give both" in cli.err


def test_programs_get_the_fix(cli: CommandLine, tmp_path: Path) -> None:
    path, content = write_broken(tmp_path)
    assert cli("check", str(path), "--format", "json", "--play", "0") == 1
    [diagnostic] = json.loads(cli.out)["diagnostics"]
    [edit] = diagnostic["fix"]["edits"]
    assert (diagnostic["fix"]["title"], edit["text"]) == ("replace `gaol` by `goal`", "goal")
    start, end = (edit["range"][end]["offset"] for end in ("start", "end"))
    text = content.decode("utf-8-sig")
    assert text[start:end] == "gaol"
    assert cli("check", str(path), "--format", "sarif", "--play", "0") == 1
    results: list[dict[str, Any]] = json.loads(cli.out)["runs"][0]["results"]
    [change] = results[0]["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "goal"}


def test_a_fix_is_data_of_its_diagnostic_whatever_the_help_says(tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    path.write_text(game_with("is: bank(colour)==6"), encoding="utf-8")
    [diagnostic] = check_paths([path]).diagnostics
    silent = replace(diagnostic, help="")
    assert silent.certain_fix == Fix(diagnostic.span, " is ")
    assert diagnostic_to_json(silent)["fix"] == diagnostic_to_json(diagnostic)["fix"] is not None
    guess = replace(diagnostic, fix=Fix(diagnostic.span, " is ", is_certain=False))
    assert diagnostic_to_json(guess)["fix"] is None


def test_what_is_not_certain_has_no_fix(cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    path.write_text(game_with("is: jail > 2"), encoding="utf-8")
    assert cli("check", str(path), "--format", "json", "--play", "0") == 1
    assert [one["fix"] for one in json.loads(cli.out)["diagnostics"]] == [None]
