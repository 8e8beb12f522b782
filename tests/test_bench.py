"""The benchmark: yardsticks are data, all are run, what cannot be run is told. No test asks how fast anything is."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from benchmarks import other_measures
from benchmarks.baseline import ROOT
from benchmarks.bench import CONFIG_PATH, main
from benchmarks.engine_process import EngineTask
from benchmarks.engine_rates import ENGINES
from benchmarks.engine_tasks import TASKS
from benchmarks.growing_rules import GAME, grown_tables
from benchmarks.other_measures import MEASURES, MeasureSettings
from benchmarks.rate_table import Measured, table_lines
from benchmarks.startup import startup_ms
from benchmarks.yardstick_config import (
    PlayedTable,
    StartupCommand,
    YardstickError,
    build_program,
    load_config,
    measure_rate,
)
from games.playing import game_file
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.model.loader import load_rules

pytestmark = pytest.mark.slow

NIM = game_file("nim")
HEAD = f"""
engines: {{reference: 1, python: 1}}
tables: {{nim: {{text: the rules, game: {NIM}, players: [2], beside: [slow], targets: {{reference/fast: 2}}}}}}
yardsticks:
"""
SLOW = """
  slow: {text: slow, folder: ., runs: ["{python}", -c, "print('warm rate=1K'); print('rate=0.000001K')"], games: 1,
         reads: "rate=([0-9.]+)K", unit: 1000}
"""
FAST = """
  fast: {text: fast, folder: ., runs: ["{python}", -c, "print('rate=1e18')"], games: 1, reads: "rate=(.+)"}
"""
UNUSABLE = """
  none: {text: none, folder: ., builds: [no-such-compiler], runs: ["{program}"], games: 1, reads: "(.)"}
  unbuilt: {text: bad, folder: ., builds: ["{python}", -c, "oh no"], runs: ["{program}"], games: 1, reads: "(.)"}
  failing: {text: bad, folder: ., runs: ["{python}", -c, "exit(3)"], games: 1, reads: "(.)"}
  silent: {text: bad, folder: ., runs: ["{python}", -c, pass], games: 1, reads: "(.)"}
  missing: {text: bad, folder: ., runs: [./no-such-program], games: 1, reads: "(.)"}
"""


@pytest.mark.parametrize("name", [one.name for one in load_config(CONFIG_PATH).programs])
def test_the_shipped_yardsticks_run(name: str, tmp_path: Path) -> None:
    known = load_config(CONFIG_PATH)
    program = dataclasses.replace(next(one for one in known.programs if one.name == name), games=2)
    try:
        build_program(program, tmp_path / "program")
    except YardstickError as reason:
        pytest.skip(str(reason))
    for players in next(table.players for table in known.tables if name in table.beside):
        assert measure_rate(program, tmp_path / "program", players=players, seed=1) > 0


def measured(capsys: pytest.CaptureFixture[str], path: Path, text: str, *words: str) -> tuple[int, str, str]:
    path.write_text(text, encoding="utf-8")
    status = main(["--rounds", "2", "--yardsticks", str(path), *words])
    return status, *capsys.readouterr()


def test_engines_are_measured_beside_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "yardsticks.yaml"
    status, out, err = measured(capsys, path, HEAD + SLOW)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[1].split() == ["decisions/s", "/", "slow", "/", "reference"]
    assert [line.split()[0] for line in lines[2:5]] == ["reference", "python", "slow"]
    both = (HEAD + SLOW + FAST).replace("[slow]", "[slow, fast]")
    status, out, _ = measured(capsys, path, both, "--json")
    assert status == 1
    found = json.loads(out)
    (table,) = found["tables"]
    assert table["rates"]["slow"]["decisions_per_second"] == 0.001  # the last that its output says
    assert len(table["rates"]["python"]["by_round"]) == found["rounds"] == 2
    assert len(table["ratios"]) == 12
    status, out, _ = measured(capsys, path, both, "--table", "nim", "--engine", "reference")
    assert status == 1
    assert "too slow: reference/fast is" in out
    assert "python" not in out


def test_ratios_are_those_of_the_same_round() -> None:
    table = PlayedTable("nim", "the rules", "nim", (2,), (), (), ("c",), {"a/c": 3, "a/b": 3, "a/none": 9})
    found = Measured(table, 2, {"a": [10, 40, 60], "b": [5, 10, 10], "c": [2, 20, 20]}, ["c"], {"d": "it is gone"})
    assert found.ratio("a", "b") == 4
    assert found.ratio("a", "c") == 3
    assert found.ratio("c", "a") == 1 / 3
    assert found.missed() == []
    slower = dataclasses.replace(found, rates={**found.rates, "a": [1, 1, 1]})
    assert [text.split()[0] for text in slower.missed()] == ["a/c", "a/b"]
    assert "  without d: it is gone" in table_lines(found)
    beside = dataclasses.replace(found, rates={"a": [8, 8, 8], "baseline-abc": [2, 4, 8]}, programs=[])
    assert [line.split()[2:] for line in list(table_lines(beside))[2:4]] == [["1", "2"], ["0.5", "1"]]


def test_rates_are_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "rates.svg"
    assert measured(capsys, tmp_path / "y.yaml", HEAD + SLOW, "--plot", str(picture))[0] == 0
    assert "<svg" in picture.read_text(encoding="utf-8")
    status, _, err = measured(capsys, tmp_path / "y.yaml", HEAD + SLOW, "--plot", str(tmp_path / "no" / "rates.svg"))
    assert (status, len(err.splitlines())) == (2, 1)


def test_a_baseline_that_is_no_commit_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = measured(capsys, tmp_path / "y.yaml", HEAD + SLOW, "--baseline", "no-such-commit")
    assert (status, len(err.splitlines())) == (2, 1)
    assert "git" in err


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there are no commits here")
def test_the_engine_of_a_commit_plays_beside_those_of_today(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = measured(capsys, tmp_path / "y.yaml", HEAD + SLOW, "--baseline", "HEAD", "--rounds", "1", "--json")
    (table,) = json.loads(out)["tables"]
    assert [name for name in table["rates"] if name.startswith("baseline-")] == ["baseline-HEAD"]
    assert status == 0


def test_an_engine_that_cannot_play_is_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENGINES, "unknown", ENGINES["python"])  # the process of this engine does not know it
    text = (HEAD + SLOW).replace("python: 1}", "unknown: 1}")
    status, out, _ = measured(capsys, tmp_path / "y.yaml", text)
    assert status == 0
    assert "without unknown: KeyError: 'unknown'" in out


def test_what_cannot_be_run_is_reported_and_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (HEAD + SLOW + UNUSABLE).replace("[slow]", "[slow, none, unbuilt, failing, silent, missing]")
    status, out, err = measured(capsys, tmp_path / "yardsticks.yaml", text)
    assert (status, err) == (0, "")
    missing = dict(
        line.strip().removeprefix("without ").split(": ", 1) for line in out.splitlines() if "without" in line
    )
    assert set(missing) == {"none", "unbuilt", "failing", "silent", "missing"}
    assert "no-such-compiler is not installed" in missing["none"]
    assert "cannot be built" in missing["unbuilt"]
    assert "status 3" in missing["failing"]


def test_starting_times_are_bounded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    starts = "starts: {version: {words: [--version], until: rulewright, within: 1}}\n"
    status, out, _ = measured(capsys, tmp_path / "y.yaml", HEAD + SLOW + starts)
    assert (status, "should be within 1, and is not" in out) == (1, True)
    starts = "starts: {version: {words: [--version], until: no such text, within: 9999}}\n"
    status, out, err = measured(capsys, tmp_path / "y.yaml", HEAD + SLOW + starts)
    assert (status, len(err.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [", ""), ("a: 1", ""), (HEAD, ""), (HEAD + "  x: {text: x}\n", ""), (HEAD + FAST, ""),
        (HEAD + SLOW, "--players 3"), (HEAD + SLOW, "--table nmi"), (HEAD + SLOW, "--engine pyton"),
        (HEAD + SLOW, "--measure step,stepp"),
    ],
)  # fmt: skip
def test_wrong_use_is_reported_in_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    status, out, err = measured(capsys, tmp_path / "y.yaml", text, *words.split())
    assert (status, out, len(err.splitlines())) == (2, "", 1)


def test_a_command_is_timed_until_it_says_something() -> None:
    assert startup_ms(StartupCommand("version", ("--version",), "rulewright", 1)) > 0


SMALL = MeasureSettings(("reference", "python"), rounds=1, seconds=0.01, games=2000, game=str(NIM), players=2)


@pytest.mark.parametrize("name", sorted(set(MEASURES) - {"processes", "growth"}))
def test_each_measure_measures(name: str) -> None:
    table = MEASURES[name](SMALL)
    assert table.name == name
    assert not table.missing
    assert all(number > 0 for row in table.rows for own in row.values.values() for number in own)
    assert all("python" in row.values for row in table.rows if row.values)


def test_two_processes_are_measured_beside_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_measures, "GAMES_IN_A_SECOND", {"python": 10})
    table = MEASURES["processes"](dataclasses.replace(SMALL, engines=("python",)))
    assert [row.text for row in table.rows if "/s" not in row.text] == [
        "simulate --jobs 2 / simulate --jobs 1",
        "twice at once / once",
        "simulate --jobs 2 / 1, by processor time",
    ]


def test_growing_rules_are_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(other_measures, "grown_tables", lambda folder: list(grown_tables(folder))[3:5])
    words = ["--measure", "growth", "--seconds", "0.01", "--engine", "reference", "--json", "--plot"]
    path = tmp_path / "growth.svg"
    status, out, _ = measured(capsys, tmp_path / "y.yaml", HEAD + SLOW, *words, str(path))
    assert status == 0
    (table,) = json.loads(out)["measures"]
    assert [(row.get("group"), row.get("size")) for row in table["rows"]] == [("hand", 1), ("hand", 3), (None, None)]
    assert "<svg" in path.read_text(encoding="utf-8")


def test_grown_rules_have_no_mistakes(tmp_path: Path) -> None:
    tables = list(grown_tables(tmp_path))
    largest = {table.dimension: table for table in tables}
    for table in largest.values():
        assert load_rules(GAME, players=table.players, variants=table.variants).players == table.players
    assert len(largest) == len({table.dimension for table in tables if table.size}) == 6


def test_an_engine_plays_the_same_games_however_long() -> None:
    task = EngineTask("play", "python", str(NIM), 2, games=3)
    assert TASKS["play"](task)(1)["rate"] > 0
    assert TASKS["play"](dataclasses.replace(task, games=0, seconds=0.001))(1)["rate"] > 0


@pytest.mark.skipif(not can_make_machine_code(), reason="machine code needs llvmlite")
def test_machine_code_is_measured_by_each_kind_of_task() -> None:
    for kind in ("step", "batch", "compile"):
        task = EngineTask(kind, "native", str(NIM), 2, seconds=0.001, way="list" if kind == "batch" else "number")
        assert all(number > 0 for number in TASKS[kind](task)(1).values())
