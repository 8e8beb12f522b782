"""Programs from outside that play the same game, to be measured beside the engine.

In: a file that says how each is built and run (schemas/yardsticks.schema.json). Out: how many decisions per second a
program made.
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

TIMEOUT_SECONDS: Final = 600  # of one run


class YardstickError(Exception):
    """A program that cannot be built or run; the text says why."""


class ConfigError(Exception):
    """A file of yardsticks, or arguments, that cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One yardstick. `unit`: how many decisions per second 1 in its output means."""

    name: str
    text: str
    folder: Path
    builds: tuple[str, ...]
    runs: tuple[str, ...]
    games: int
    reads: str
    unit: float


@dataclass(frozen=True, slots=True)
class StartupCommand:
    """A command that has to print a line with a certain text `within` so many milliseconds."""

    name: str
    words: tuple[str, ...]
    until: str
    within: int


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """Rules that are played. `beside`: the programs that play by the same; `targets`: ratios by two names with a slash
    between them.
    """

    name: str
    text: str
    game: str
    players: tuple[int, ...]
    variants: tuple[str, ...]
    tokenwise: tuple[str, ...]
    beside: tuple[str, ...]
    targets: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class BenchmarkConfig:
    """The content of one file. `engines`: by name how many games each plays in a round."""

    programs: tuple[Yardstick, ...]
    engines: Mapping[str, int]
    tables: tuple[PlayedTable, ...]
    starts: tuple[StartupCommand, ...]


def load_config(path: Path) -> BenchmarkConfig:
    """The yardsticks in a file. Raises `ConfigError`."""
    import yaml
    from jsonschema import Draft202012Validator

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} cannot be read: {' '.join(str(error).split())}") from None
    schema = json.loads((bundle_folder("schemas") / "yardsticks.schema.json").read_text(encoding="utf-8"))
    for mistake in Draft202012Validator(schema).iter_errors(data):
        address = ".".join(map(str, mistake.absolute_path)) or "the file"
        raise ConfigError(f"{path} is not a file of yardsticks: {address}: {mistake.message}")
    config = BenchmarkConfig(
        programs=tuple(_program(path.parent, name, entry) for name, entry in data.get("yardsticks", {}).items()),
        engines=data["engines"],
        tables=tuple(_table(name, entry) for name, entry in data["tables"].items()),
        starts=tuple(
            StartupCommand(name, tuple(entry["words"]), entry["until"], entry["within"])
            for name, entry in data.get("starts", {}).items()
        ),
    )
    known = {program.name for program in config.programs}
    for table in config.tables:
        for name in table.beside:
            if name not in known:
                raise ConfigError(
                    f"{path} is not a file of yardsticks: tables.{table.name}: no program is called {name}"
                )
    return config


def _table(name: str, data: Mapping[str, Any]) -> PlayedTable:
    return PlayedTable(
        name=name,
        text=data["text"],
        game=data["game"],
        players=tuple(data["players"]),
        variants=tuple(data.get("variants", ())),
        tokenwise=tuple(data.get("tokenwise", ())),
        beside=tuple(data.get("beside", ())),
        targets=data.get("targets", {}),
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
    )


def build_program(program: Yardstick, target: Path) -> None:
    """Builds a program into a file, if it has to be built; raises `YardstickError`."""
    if not program.builds:
        return
    words = _fill_in(program.builds, {"program": target})
    if which(words[0]) is None:
        raise YardstickError(f"{words[0]} is not installed, which builds it")
    result = _run(program, words)
    if result.returncode:
        raise YardstickError(f"it cannot be built: {_first_line(result.stderr)}")


def measure_rate(program: Yardstick, target: Path, *, players: int, seed: int) -> float:
    """Decisions per second of one run; raises `YardstickError`."""
    numbers = {"players": players, "games": program.games, "seed": seed}
    result = _run(program, _fill_in(program.runs, {"program": target, **numbers}))
    if result.returncode:
        raise YardstickError(f"it ended with status {result.returncode}: {_first_line(result.stderr)}")
    try:
        rate = float(re.findall(program.reads, result.stdout)[-1]) * program.unit
    except (IndexError, TypeError, ValueError, re.error):
        rate = 0.0
    if not 0 < rate < inf:
        raise YardstickError(f"its output does not say how fast it was: {_first_line(result.stdout)}")
    return rate


def _fill_in(words: Sequence[str], values: Mapping[str, object]) -> list[str]:
    filled = list(words)
    for name, value in {"python": sys.executable, **values}.items():
        filled = [word.replace(f"{{{name}}}", str(value)) for word in filled]
    return filled


def _run(program: Yardstick, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words, cwd=program.folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise YardstickError(f"it cannot be run: {' '.join(str(error).split())}") from None


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "no output")[:120]


__all__ = [
    "BenchmarkConfig",
    "ConfigError",
    "PlayedTable",
    "StartupCommand",
    "Yardstick",
    "YardstickError",
    "build_program",
    "load_config",
    "measure_rate",
]
