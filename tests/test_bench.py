"""The benchmark: yardsticks are data, all are run, what cannot be run is told. No test asks how fast anything is."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from benchmarks.bench import CONFIG_PATH, main, startup_ms
from benchmarks.yardstick_config import StartupCommand, YardstickError, build_program, load_config, measure_rate
from games.playing import game_file

pytestmark = pytest.mark.slow

NIM = game_file("nim")
HEAD = f"""
engine: {{game: {NIM}, players: [2], games: 1}}
yardsticks:
"""
SLOW = """
  slow: {text: slow, folder: ., runs: ["{python}", -c, "print('warm rate=1K'); print('rate=0.000001K')"], games: 1,
         reads: "rate=([0-9.]+)K", unit: 1000, at_least: 0.5}
"""
FAST = """
  fast: {text: fast, folder: ., runs: ["{python}", -c, "print('rate=1e18')"], games: 1, reads: "rate=(.+)", at_least: 2}
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
    for players in known.players:
        assert measure_rate(program, tmp_path / "program", players=players, seed=1) > 0


def measured(capsys: pytest.CaptureFixture[str], path: Path, text: str, *words: str) -> tuple[int, str, str]:
    path.write_text(text, encoding="utf-8")
    status = main(["--rounds", "2", "--yardsticks", str(path), *words])
    return status, *capsys.readouterr()


def test_the_engine_is_measured_beside_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "yardsticks.yaml"
    status, out, err = measured(capsys, path, HEAD + SLOW)
    assert (status, err) == (0, "")
    assert "engine/slow" in out
    status, out, _ = measured(capsys, path, HEAD + SLOW + FAST, "--json")
    assert status == 1
    found = json.loads(out)
    assert found["yardsticks"]["slow"]["decisions_per_second"] == 0.001  # the last that its output says
    assert len(found["engine"]["by_round"]) == found["rounds"] == 2
    status, out, _ = measured(capsys, path, HEAD + SLOW + FAST, "--only", "fast")
    assert status == 1
    assert "should be 2 or more, and is not" in out
    assert "slow" not in out


def test_what_cannot_be_run_is_reported_and_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = measured(capsys, tmp_path / "yardsticks.yaml", HEAD + SLOW + UNUSABLE)
    assert status == 0, err
    assert "engine/slow" in out
    lines = err.splitlines()
    assert [line.split(":")[1].split()[-1] for line in lines] == ["none", "unbuilt", "failing", "silent", "missing"]
    assert "no-such-compiler is not installed" in lines[0]
    assert "cannot be built" in lines[1]
    assert "status 3" in lines[2]


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
        ("a: [", ""), ("a: 1", ""), (HEAD, ""), (HEAD + "  x: {text: x}\n", ""),
        (HEAD + SLOW, "--players 3"), (HEAD + SLOW, "--only slw"),
    ],
)  # fmt: skip
def test_wrong_use_is_reported_in_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    status, out, err = measured(capsys, tmp_path / "y.yaml", text, *words.split())
    assert (status, out, len(err.splitlines())) == (2, "", 1)


def test_a_command_is_timed_until_it_says_something() -> None:
    assert startup_ms(StartupCommand("version", ("--version",), "rulewright", 1)) > 0
