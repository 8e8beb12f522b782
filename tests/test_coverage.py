"""What scenarios have seen of rules: a table and a page, and nothing changes for who does not ask."""

from __future__ import annotations

import re
from pathlib import Path

from command_line import CommandLine
from rulewright.coverage.case_traces import CaseTrace, ObservedScenarios
from rulewright.coverage.scenario_coverage import measure_coverage
from rulewright.diagnostics import Diagnostics
from rulewright.scenarios.runner import ScenarioRunner
from rulewright.scenarios.scenario_file import Case, parse_scenario_file

HERE = Path(__file__).parent
HEAP = HERE / "coverage" / "heap.scenarios.yaml"
SHIPPED = HERE / "scenarios"


def cases(path: Path) -> tuple[Case, ...]:
    file = parse_scenario_file(path, Diagnostics())
    assert file is not None
    return file.cases


def traces(scenarios: ObservedScenarios, path: Path) -> list[CaseTrace]:
    return list(scenarios.run_all(cases(path)))


def test_the_table_of_a_small_game(run_cli: CommandLine) -> None:
    """Rewritten by `rulewright test tests/coverage/heap.scenarios.yaml --coverage`, without the lines about files."""
    assert run_cli("test", str(HEAP), "--coverage") == 0
    _, _, table = run_cli.out.partition("failed\n\n")
    assert table == (HEAP.parent / "heap.coverage.txt").read_text(encoding="utf-8")


def test_only_part_of_it(run_cli: CommandLine) -> None:
    assert run_cli("test", str(HEAP), "--coverage", "--only", "actions.rest") == 0
    addresses = re.findall(r"^(\w+\.[\w.]+) ", run_cli.out, re.MULTILINE)
    assert addresses == ["actions.rest.when.once", "actions.rest.when.late", "actions.rest.do.note"]
    assert run_cli("test", str(HEAP), "--coverage", "--only", "actions.restt") == 2
    assert "`actions.restt`" in run_cli.err
    assert run_cli("test", str(HEAP), "--only", "heap") == 2
    assert "--coverage" in run_cli.err


def test_the_page_shows_the_files_line_by_line(run_cli: CommandLine, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run_cli("test", str(HEAP), "--coverage-html", str(page)) == 0
    text = page.read_text(encoding="utf-8")
    rows = re.findall(r'<tr class="(\w+)"><td class="number">(\d+)</td>', text)
    lines = (HEAP.parent / "heap.yaml").read_text(encoding="utf-8").splitlines()
    state_of = {lines[int(number) - 1].split(":")[0].strip(): state for state, number in rows}
    assert state_of["there"] == "seen"
    assert state_of["once"] == "half"
    assert state_of["- bonus"] == "unseen"
    assert "<script" not in text
    assert "http" not in text.replace("https://", "").split("</style>")[0]
    assert run_cli("test", str(HEAP), "--coverage-html", str(page)) == 2  # it is not overwritten by mistake
    assert run_cli("test", str(HEAP), "--coverage-html", str(page), "--force") == 0


def test_a_rule_that_a_variant_rewrites_is_another_one() -> None:
    scenarios = ObservedScenarios()
    found = measure_coverage(traces(scenarios, SHIPPED / "cities.yaml"), scenarios.rules)
    goals = [covered.site for covered in found.games["splendor"] if covered.site.address == "turn.goal.when"]
    assert "cities" in {site.origin for site in goals}
    assert len({site.source_text for site in goals}) == len(goals)


def test_each_case_has_a_trace_of_its_own() -> None:
    """Whatever was played before, also of values that no position changes."""
    path = SHIPPED / "reversi.yaml"
    together = traces(ObservedScenarios(), path)
    assert [trace.events for trace in together] == [ObservedScenarios().run(case).events for case in cases(path)]
    assert len({trace.events for trace in together}) > 1


def test_to_be_observed_changes_no_result() -> None:
    runner, scenarios = ScenarioRunner(), ObservedScenarios()
    for name in ("whist.yaml", "nim.yaml", "secrecy.yaml"):
        for case in cases(SHIPPED / name):
            assert scenarios.run(case).result == runner.run(case)


def test_conditions_of_loops_and_repetitions_are_rules_too() -> None:
    scenarios = ObservedScenarios()
    found = measure_coverage(traces(scenarios, SHIPPED / "wrack_line.yaml"), scenarios.rules)
    addresses = {covered.site.address for covered in found.games["wrack-line"] if covered.site.kind == "condition"}
    assert any(address.endswith(".for_each") for address in addresses)
