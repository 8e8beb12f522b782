"""`check` leaves no file wrong in silence: variants that stand with a game, and every name in scenarios."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from case_files import case_files, codes_in, compare, compare_folder, covered
from rulewright.bundle import bundle_folder
from rulewright.checker.checker import check, check_paths
from rulewright.cli.test import write_results
from rulewright.diagnostics import Diagnostic, Diagnostics, render_full
from rulewright.model.locate import NotFound
from rulewright.scenarios import codes
from rulewright.scenarios.runner import ScenarioRunner, run_scenario_files
from rulewright.scenarios.scenario_file import parse_scenario_file

DIAGNOSTICS = Path(__file__).parent / "diagnostics"
FOLDER = DIAGNOSTICS / "check"
SCENARIOS = DIAGNOSTICS / "scenarios"


def checked(path: Path) -> list[Diagnostic]:
    return list(check([path]))


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_folder(folder: Path) -> None:
    game = folder / "game"  # what stands beside it is found from there
    found = checked(game if game.is_dir() else folder)
    assert compare_folder(folder, found) == []
    assert all(render_full(one) and not one.message.endswith(".") for one in found)


@pytest.mark.slow
def test_every_name_in_scenarios_is_looked_up_without_playing() -> None:
    assert compare(SCENARIOS / "writing.yaml", checked(SCENARIOS / "writing.yaml")) == []


def test_what_a_case_gives_must_be_there() -> None:
    given = (codes.PIECES_NOT_KEPT, codes.NO_ROOM, codes.IN_TWO_PLACES, codes.LEFT_OVER)
    path = SCENARIOS / "position.yaml"
    said = {(one.code.name, one.span.line) for one in checked(path) if one.code in given}
    lines = path.read_text(encoding="utf-8").splitlines()
    names = [(name, number) for number, line in enumerate(lines, 1) for name in re.findall(r"#! ([a-z-]+)", line)]
    expected = {(name, number) for name, number in names if name in ("pieces-not-kept", "no-room")}
    assert expected
    assert expected <= said


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [*case_files(SCENARIOS), FOLDER / "scenarios" / "cases.yaml"], ids=lambda path: path.stem
)
def test_what_is_checked_is_what_a_run_tells_before_it_plays(path: Path) -> None:
    run, runner = Diagnostics(), ScenarioRunner()
    file = parse_scenario_file(path, run)
    for case in file.cases if file is not None else ():
        run.extend(runner.run(case).diagnostics)

    def places_of(diagnostics: list[Diagnostic]) -> list[tuple[str, int, str]]:
        return [(one.code.name, one.span.start, one.message) for one in diagnostics]

    assert set(places_of(checked(path))) <= set(places_of(list(run)))


def test_all_of_the_writing_is_covered() -> None:
    written = {code.name for code in codes_in(codes) if code.number.startswith("P1")}
    assert written - covered(FOLDER) - {"no-scenarios"} == set()  # such a file is one of another kind to `check`


@pytest.mark.parametrize(
    ("file", "line", "hint"),
    [
        ("own-variants/variants/few.yaml", 5, "`set: {parameters.token_limit: 3}`"),
        ("own-variants/variants/two.yaml", 5, "`set: {components.tile: …}`"),
        ("own-variants/variants/two.yaml", 7, "did you mean `conflicts`?"),
        ("own-variants/variants/long.yaml", 2, "`variant: long`, or the file `longer.yaml`"),
        ("scenarios/cases.yaml", 8, "did you mean `take`?"),
    ],
)
def test_hints(file: str, line: int, hint: str) -> None:
    found = [one for one in checked(FOLDER / file) if one.span.line == line]
    assert any(hint in one.help or hint in one.message for one in found), [render_full(one) for one in found]


OF_MAY = """# yaml-language-server: $schema=../../schemas/scenarios.schema.json
scenarios: of a step that nobody must take
for: chips
language: 2
cases:
  one: {when: [wait, decline], then: {over: false}}
"""
BROKEN = """# yaml-language-server: $schema=../../schemas/variant.schema.json
variant: brokn
for: chips
text: The bank cannot be understood.
set: {parameters.token_limit: limt}
"""
OF_BROKEN = """# yaml-language-server: $schema=../../schemas/scenarios.schema.json
scenarios: of a variant that is wrong
for: chips
language: 2
variants: [brokn]
cases:
  one:   {then: {over: false}}
  two:   {then: {over: false}}
  three: {variants: [broken], then: {over: false}}
"""


def test_what_is_wrong_with_a_variant_is_reported_once_and_not_of_its_scenarios(tmp_path: Path) -> None:
    game = (FOLDER / "scenarios" / "chips.yaml").read_text(encoding="utf-8")
    (tmp_path / "chips.yaml").write_text(game, encoding="utf-8")
    (tmp_path / "brokn.yaml").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "brokn.scenarios.yaml").write_text(OF_BROKEN, encoding="utf-8")
    found = [one for one in checked(tmp_path) if one.severity == "error"]
    assert [one.code.name for one in found] == ["cannot-be-played", "unknown-name"], [render_full(one) for one in found]
    assert found[0].message == "chips has no variant `broken`"
    assert "did you mean `brokn`?" in found[0].help
    assert "beside this file" in found[0].help
    written: list[str] = []
    assert write_results(run_scenario_files([tmp_path / "brokn.scenarios.yaml"]), written.append) == 3
    output = "".join(written)
    assert output.count("no name `limt`\n") == 2  # where it stands, and of the first case that cannot be played
    assert output.count("has no variant `broken`") == 1
    assert "1 more case cannot be played for the same reason" in output


def test_an_option_that_can_be_left_out_is_reported_with_it(tmp_path: Path) -> None:
    text = (FOLDER / "scenarios" / "chips.yaml").read_text(encoding="utf-8")
    (tmp_path / "chips.yaml").write_text(
        text.replace("must: [take], if_unable: nothing", "may: [take]").replace(
            "actions:", "actions:\n  wait: {do: []}"
        ),
        encoding="utf-8",
    )
    (tmp_path / "some.scenarios.yaml").write_text(OF_MAY, encoding="utf-8")
    written: list[str] = []
    assert write_results(run_scenario_files([tmp_path / "some.scenarios.yaml"]), written.append) == 1
    assert "take, decline" in "".join(written), written


def test_a_variant_is_applied_to_the_games_that_have_it() -> None:
    assert not len(check(variants=["ten-hands"]))
    assert not len(check(variants=[str(FOLDER.parents[2] / "variants" / "nim" / "misere.yaml")]))
    with pytest.raises(NotFound, match="no shipped game has a variant `ten-hand`; did you mean `ten-hands`"):
        check(variants=["ten-hand"])
    with pytest.raises(NotFound, match="no shipped game has all of these variants: ten-hands, one-pass"):
        check(variants=["ten-hands", "one-pass"])


def test_a_shipped_game_is_judged_where_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("variant: mine\nfor: nim\ntext: Mine.\nset: {parameters.base: 3}\n", encoding="utf-8")
    result = check_paths([path])
    assert (result.games, [rules.variant for rules in result.rule_sets]) == (0, [path.resolve()])
    game = bundle_folder("rules") / "nim"
    for paths in ([path, game], [game, path]):
        result = check_paths(paths)
        assert (result.games, {rules.is_game for rules in result.rule_sets}) == (1, {False, True})


def test_a_folder_without_rules_inside_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "game.yaml").write_bytes((FOLDER / "scenarios" / "chips.yaml").read_bytes())
    (tmp_path / "variants").mkdir()
    assert checked(tmp_path) == []
    assert checked(FOLDER / "scenarios" / "chips.yaml") == []


def test_an_invariant_that_fails_at_once_is_reported_with_its_players(tmp_path: Path) -> None:
    text = (FOLDER / "scenarios" / "chips.yaml").read_text(encoding="utf-8")
    text += "\ninvariants: {more: {after: step, is: round_number > 5}}\n"
    (tmp_path / "chips.yaml").write_text(text, encoding="utf-8")
    (found,) = (one for one in checked(tmp_path) if one.severity == "error")
    assert found.message.startswith("the invariant `more` does not hold after a step: ")
