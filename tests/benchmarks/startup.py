"""How soon a command answers.

In: the words of a command, and the text that ends the wait. Out: milliseconds of the whole process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import rulewright
from benchmarks.yardstick_config import ConfigError, StartupCommand

STARTUP_RUNS: Final = 5  # of a command that has to answer soon


def startup_ms(command: StartupCommand, runs: int = STARTUP_RUNS) -> float:
    """Milliseconds from the start of a command to the first line with a certain text in it; median of some runs.
    Raises `ConfigError` where it does not come.
    """
    with TemporaryDirectory() as data_folder:  # games that are started here are kept nowhere else
        environment = command_environment(Path(data_folder))
        return median(_startup_time(command, environment) for _ in range(runs))


def command_environment(data_folder: Path) -> dict[str, str]:
    """The environment of a command of this package that keeps its games in a folder."""
    package = str(Path(rulewright.__file__).parent.parent)
    return {**os.environ, "PYTHONPATH": package, "XDG_DATA_HOME": str(data_folder)}


def _startup_time(command: StartupCommand, environment: Mapping[str, str]) -> float:
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "rulewright", *command.words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL, text=True, env=environment,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        is_printed = any(command.until in line for line in process.stdout)
        passed = 1000 * (time.perf_counter() - began)
        process.kill()
    if not is_printed:
        raise ConfigError(f"`rulewright {' '.join(command.words)}` did not print {command.until!r}")
    return passed


__all__ = ["STARTUP_RUNS", "command_environment", "startup_ms"]
