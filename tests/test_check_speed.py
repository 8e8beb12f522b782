"""The benchmark of `check` runs, and the games that it makes up have no problems that would change what it measures."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks import check_speed
from benchmarks.check_speed import FIRST_SHIPPED, GROWTHS, Seconds, copy_first_shipped, growth_lines, process_lines
from benchmarks.keystrokes import TYPED, KeySeconds, TypingClient, keystroke_lines
from rulewright.bundle import bundle_folder
from rulewright.checker.checker import check_paths
from rulewright.private_cache import CACHE_VARIABLE

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("what", GROWTHS)
@pytest.mark.parametrize("size", [1, 30])
def test_made_up_games_are_right(what: str, size: int, tmp_path: Path) -> None:
    GROWTHS[what](tmp_path, size)
    result = check_paths([tmp_path])
    assert repr(result.diagnostics) == "no problems found"
    assert result.games == (size if what == "games" else 1)
    assert result.variants == (size if what == "variants" else 0)


def test_tables() -> None:
    rows = [("all that is shipped, cold", Seconds(2.5, 1.25))]
    assert [line.split() for line in process_lines(rows)] == [
        ["processor", "clock"],
        ["all", "that", "is", "shipped,", "cold", "2.50", "s", "1.25", "s"],
    ]
    assert [line.split() for line in growth_lines((1, 4), 10, [("cards", [0.5, 2.0])])] == [
        ["10", "40", "growth", "(4)"],
        ["cards", "0.50", "s", "2.00", "s", "4.0"],
    ]


def test_table_of_keys() -> None:
    lines = keystroke_lines([("a large variant", KeySeconds(0.0504, 0.2))])
    assert [line.split()[-4:] for line in lines] == [
        ["first", "told", "all", "told"],
        ["50", "ms", "200", "ms"],
    ]


@pytest.mark.parametrize("what", TYPED)
def test_what_is_typed_is_in_its_file(what: str) -> None:
    name, before, after = TYPED[what]
    assert after.format(13) != after.format("x13")
    folder, _, inside = name.partition("/")
    assert (bundle_folder(folder) / inside).read_text(encoding="utf-8").count(before) == 1


@pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
def test_each_key_is_answered(tmp_path: Path) -> None:
    text = "variant: odd\nfor: nim\ntext: Odd.\nset: {parameters.base: 2}\n"
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    client = TypingClient(tmp_path / "odd.yaml", ROOT / "interpreter")
    try:
        seconds = client.type(text.replace("base", "basex"))
        assert 0 < seconds.first <= seconds.last
    finally:
        client.close()
    assert client.process.returncode == 0


@pytest.mark.slow
def test_what_shipped_at_first_is_checked_alone(tmp_path: Path) -> None:
    package = copy_first_shipped(tmp_path)
    command = [sys.executable, "-m", "rulewright", "check", "--play", "0"]
    environment = {**os.environ, "PYTHONPATH": str(package), CACHE_VARIABLE: ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    variants = sum(len(names.split()) for names in FIRST_SHIPPED.values())
    assert done.stdout == f"checked {len(FIRST_SHIPPED)} games, {variants} variants: no problems found\n"


@pytest.mark.slow
def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_speed.main(["--runs", "1", "--size", "1", "--factors", "1", "2", "--only", "growth"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert all(line.startswith(what) for line, what in zip(lines, GROWTHS, strict=True))
