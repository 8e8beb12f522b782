"""Programs from outside that play the same game, to be measured beside the engine.

In: a file that says how each is built and run. Out: how many decisions a second a program made.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from shutil import which
from typing import Any, Final

from rulewright.bundle import bundle_folder
from rulewright.errors import RulewrightError, UsageError

CONFIG_PATH: Final = ("tests", "benchmarks", "yardsticks.yaml")
TIMEOUT_SECONDS: Final = 600  # seconds for one run


class YardstickError(RulewrightError):
    """A program that cannot be built or run; the text says why."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One yardstick. `unit`: how many decisions a second 1 in its output means; `at_least`: the ratio aimed at."""

    name: str
    text: str
    folder: Path
    builds: tuple[str, ...]
    runs: tuple[str, ...]
    games: int
    reads: str
    unit: float
    at_least: float | None


@dataclass(frozen=True, slots=True)
class StartupCommand:
    """A command that has to print a line with a certain text `within` so many milliseconds."""

    name: str
    words: tuple[str, ...]
    until: str
    within: int


@dataclass(frozen=True, slots=True)
class BenchmarkConfig:
    """All that one file says. `players`: the numbers of players that all programs know."""

    programs: tuple[Yardstick, ...]
    game: str
    players: tuple[int, ...]
    variants: tuple[str, ...]
    tokenwise: tuple[str, ...]
    games: int
    starts: tuple[StartupCommand, ...]


def shipped() -> Path:
    """Where the yardsticks stand; they come with the source only."""
    path = bundle_folder("schemas").parent.joinpath(*CONFIG_PATH)
    if not path.is_file():
        raise UsageError("the yardsticks come with the source: run `rulewright bench` from a checkout of the project")
    return path


def load_config(path: Path) -> BenchmarkConfig:
    """The yardsticks in a file."""
    import yaml
    from jsonschema import Draft202012Validator

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(f"{path} cannot be read: {' '.join(str(error).split())}") from None
    schema = json.loads((bundle_folder("schemas") / "yardsticks.schema.json").read_text(encoding="utf-8"))
    for fault in Draft202012Validator(schema).iter_errors(data):
        where = ".".join(map(str, fault.absolute_path)) or "the file"
        raise UsageError(f"{path} does not say how to run yardsticks: {where}: {fault.message}")
    engine = data["engine"]
    return BenchmarkConfig(
        programs=tuple(_program(path.parent, name, one) for name, one in data["yardsticks"].items()),
        game=engine["game"],
        players=tuple(engine["players"]),
        variants=tuple(engine.get("variants", ())),
        tokenwise=tuple(engine.get("tokenwise", ())),
        games=engine["games"],
        starts=tuple(
            StartupCommand(name, tuple(one["words"]), one["until"], one["within"])
            for name, one in data.get("starts", {}).items()
        ),
    )


def _program(base: Path, name: str, data: Mapping[str, Any]) -> Yardstick:
    return Yardstick(
        name=name,
        text=data["text"],
        folder=base / data["folder"],
        builds=tuple(data.get("builds", ())),
        runs=tuple(data["runs"]),
        games=data["games"],
        reads=data["reads"],
        unit=data.get("unit", 1),
        at_least=data.get("at_least"),
    )


def build_program(program: Yardstick, target: Path) -> None:
    """Builds a program into a file, if it has to be built; raises `Unusable`."""
    if not program.builds:
        return
    words = _filled(program.builds, {"program": target})
    if which(words[0]) is None:
        raise YardstickError(f"there is no {words[0]} here to build it with")
    done = _done(program, words)
    if done.returncode:
        raise YardstickError(f"it cannot be built: {_first_line(done.stderr)}")


def measure_rate(program: Yardstick, target: Path, *, players: int, seed: int) -> float:
    """Decisions a second of one run; raises `Unusable`."""
    numbers = {"players": players, "games": program.games, "seed": seed}
    done = _done(program, _filled(program.runs, {"program": target, **numbers}))
    if done.returncode:
        raise YardstickError(f"it ended with status {done.returncode}: {_first_line(done.stderr)}")
    try:
        found = float(re.findall(program.reads, done.stdout)[-1]) * program.unit
    except (IndexError, TypeError, ValueError, re.error):
        found = 0.0
    if not 0 < found < inf:
        raise YardstickError(f"its output does not say how fast it was: {_first_line(done.stdout)}")
    return found


def _filled(words: Sequence[str], values: Mapping[str, object]) -> list[str]:
    filled = list(words)
    for name, value in {"python": sys.executable, **values}.items():
        filled = [word.replace(f"{{{name}}}", str(value)) for word in filled]
    return filled


def _done(program: Yardstick, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words, cwd=program.folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise YardstickError(f"it cannot be run: {' '.join(str(error).split())}") from None


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "it said nothing")[:120]


__all__ = [
    "BenchmarkConfig",
    "StartupCommand",
    "Yardstick",
    "YardstickError",
    "build_program",
    "load_config",
    "measure_rate",
    "shipped",
]
