"""The benchmark: yardsticks are data, all are run, what cannot be run is told. No test asks how fast anything is."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from benchmarks.bench import CONFIG_PATH, main, startup_ms
from benchmarks.engine_rates import ENGINES, PlayGames
from benchmarks.rate_table import Measured, table_lines
from benchmarks.yardstick_config import (
    PlayedTable,
    StartupCommand,
    YardstickError,
    build_program,
    load_config,
    measure_rate,
)
from games.playing import game_file
from rulewright.engine.compiled.refusal import NotCompiled

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


def test_an_engine_that_cannot_play_is_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> PlayGames:
        raise NotCompiled("actions.take", "something new")

    monkeypatch.setitem(ENGINES, "python", refuse)
    status, out, _ = measured(capsys, tmp_path / "y.yaml", HEAD + SLOW)
    assert status == 0
    assert "without python: actions.take cannot be compiled yet: something new" in out


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
    ],
)  # fmt: skip
def test_wrong_use_is_reported_in_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    status, out, err = measured(capsys, tmp_path / "y.yaml", text, *words.split())
    assert (status, out, len(err.splitlines())) == (2, "", 1)


def test_a_command_is_timed_until_it_says_something() -> None:
    assert startup_ms(StartupCommand("version", ("--version",), "rulewright", 1)) > 0
