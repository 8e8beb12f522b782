"""What all tests share: how property tests are tried, a command line to run, and a table that answers requests.

By default every run tries the same examples, so that a run in CI is the same everywhere. `PROPERTIES=20 pytest` tries
twenty times as many, and others each time; it also tries all parameters of tests that are marked as `sampled`.
"""

from __future__ import annotations

import io
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from command_line import NAMELESS, CommandLine
from protocol_line import Line
from rulewright.engine.compiled.playing import native_program
from rulewright.terminal.width import DEFAULT_WIDTH

TIMES = int(os.environ.get("PROPERTIES", "1"))

settings.register_profile(
    "fixed",
    derandomize=TIMES == 1,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("fixed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test that is `sampled(n)` one of `n` parameters is tried: the same ones in every run."""
    if TIMES > 1:
        return
    number: Counter[str] = Counter()  # of parameters, by test
    kept, left_out = [], []
    for item in items:
        sampled = item.get_closest_marker("sampled")
        name = item.nodeid.partition("[")[0]
        out = sampled is not None and number[name] % sampled.args[0]
        number[name] += 1
        (left_out if out else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


@pytest.fixture(scope="session", autouse=True)
def cache_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Machine code is kept for this run alone, by all its processes."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["RULEWRIGHT_CACHE"] = str(shared / "cache")


@pytest.fixture(autouse=True)
def no_progress_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command prints does not depend on how busy the machine is."""
    monkeypatch.setattr("rulewright.cli.progress.PIPE_DELAY", 3600.0)


@pytest.fixture
def plain_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code as it is printed, without LLVM's optimisations, which take ten times as long as all else: for wide
    samples of what is printed. The shipped games without variants are played with them, in the fast tests.
    """
    monkeypatch.setattr(native_program, "OPTIMISATION", 0)


@pytest.fixture
def run_cli(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> CommandLine:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setenv("COLUMNS", str(DEFAULT_WIDTH))
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    return CommandLine(capsys)


@pytest.fixture
def heaps(tmp_path: Path) -> str:
    path = tmp_path / "heaps.yaml"
    path.write_text(NAMELESS, encoding="utf-8")
    return str(path)


@pytest.fixture
def ask() -> Line:
    line = Line()
    line("new", seed=7)
    return line
