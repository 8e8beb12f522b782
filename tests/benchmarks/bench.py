"""How fast the engine is beside programs that were written for one game only: python tests/benchmarks/bench.py

In: arguments. Out: decisions per second and their ratios, all from one run, and how soon commands answer; status 1 when
something is slower than it should be, 2 for wrong use. Only ratios from one run mean anything. Needs a C compiler for
the yardsticks that are written in C.
"""

from __future__ import annotations

# ruff: noqa: E402  (as a command it has to find the package first)
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "interpreter")]

import rulewright
from benchmarks.random_games import count_random_decisions
from benchmarks.yardstick_config import (
    BenchmarkConfig,
    ConfigError,
    StartupCommand,
    Yardstick,
    YardstickError,
    build_program,
    load_config,
    measure_rate,
)
from rulewright.diagnostics import RulesError
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
from rulewright.model.locate import NotFound

CONFIG_PATH: Final = TESTS / "benchmarks" / "yardsticks.yaml"
STARTUP_RUNS: Final = 5  # of a command that has to answer soon
WARMUP_GAMES: Final = 2  # games before the first round


@dataclass(frozen=True, slots=True)
class Measurement:
    """A yardstick in every round: its decisions per second, and those of the engine for each one of them."""

    program: Yardstick
    rates: tuple[float, ...]
    ratios: tuple[float, ...]

    @property
    def is_too_slow(self) -> bool:
        """Whether the engine misses its target ratio."""
        return self.program.at_least is not None and median(self.ratios) < self.program.at_least


def main(words: Sequence[str] | None = None) -> int:
    """Measures, prints the results, and returns the exit status. `words`: arguments; default: the command line's."""
    parser = ArgumentParser(prog="bench", description="Measure the engine beside programs written for one game.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5; the median counts")
    parser.add_argument("--players", type=int, metavar="N", help="default: the first number that the yardsticks know")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME",
        help="only this yardstick, and no starting times; may be given several times",
    )  # fmt: skip
    parser.add_argument("--yardsticks", type=Path, default=CONFIG_PATH, metavar="FILE", help="default: the project's")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(words)
    try:
        return run(load_config(args.yardsticks), args.rounds, args.players, args.only, as_json=args.json)
    except (ConfigError, NotFound, RulesError) as error:
        print(f"bench: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def run(
    config: BenchmarkConfig, rounds: int, players: int | None = None, only: Sequence[str] = (), *, as_json: bool = False
) -> int:
    """Measures and prints; returns 1 when something is slower than it should be. Raises `ConfigError`."""
    players = config.players[0] if players is None else players
    if rounds < 1:
        raise ConfigError(f"{rounds} rounds, expected at least 1")
    if players not in config.players:
        raise ConfigError(f"the yardsticks know {', '.join(map(str, config.players))} players, not {players}")
    programs = _select(config, only)
    rules = load_rules(config.game, players=players, variants=config.variants)
    engine = ReferenceEngine(rules, tokenwise=config.tokenwise)
    if not as_json:
        tokenwise = f", piece by piece at {', '.join(config.tokenwise)}" if config.tokenwise else ""
        variants = f" with {', '.join(rules.variants)}" if rules.variants else ""
        print(f"{rules.game} {rules.version}{variants}, {players} players{tokenwise}", flush=True)
    engine_rates, measurements = _measure(engine, config, programs, players, rounds)
    starts = [(command, startup_ms(command)) for command in ([] if only else config.starts)]
    if as_json:
        data = _to_data(engine, players, engine_rates, measurements, starts)
        print(json.dumps(data, ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(_table(engine_rates, measurements, starts)))
    is_late = any(milliseconds > command.within for command, milliseconds in starts)
    return int(is_late or any(measurement.is_too_slow for measurement in measurements))


def _select(config: BenchmarkConfig, names: Sequence[str]) -> list[Yardstick]:
    programs = {program.name: program for program in config.programs}
    for name in names:
        if name not in programs:
            raise ConfigError(f"no yardstick is called {name!r}; available: {', '.join(programs)}")
    return [programs[name] for name in names] if names else list(config.programs)


def _measure(
    engine: ReferenceEngine, config: BenchmarkConfig, programs: Iterable[Yardstick], players: int, rounds: int
) -> tuple[list[float], list[Measurement]]:
    """Decisions per second of the engine in each round, and of the programs, in turns: what slows the machine down for
    a while slows all of them.
    """
    with TemporaryDirectory(prefix="rulewright-") as folder:
        rates: dict[Yardstick, list[float]] = {}  # of the programs that can be built and run
        for program in programs:
            try:
                build_program(program, Path(folder) / program.name)
                rates[program] = []
            except YardstickError as error:
                _report_unusable(program, error)
        count_random_decisions(engine, range(WARMUP_GAMES))
        engine_rates = []
        for number in range(1, rounds + 1):
            engine_rates.append(_engine_rate(engine, range(number * config.games, (number + 1) * config.games)))
            for program in list(rates):
                try:
                    rate = measure_rate(program, Path(folder) / program.name, players=players, seed=number)
                    rates[program].append(rate)
                except YardstickError as error:
                    del rates[program]
                    _report_unusable(program, error)
    return engine_rates, [
        Measurement(program, tuple(by_round), tuple(a / b for a, b in zip(engine_rates, by_round, strict=True)))
        for program, by_round in rates.items()
    ]


def _engine_rate(engine: ReferenceEngine, seeds: Iterable[int]) -> float:
    began = time.process_time()
    count = count_random_decisions(engine, seeds)
    return count / max(time.process_time() - began, 1e-9)


def _report_unusable(program: Yardstick, reason: YardstickError) -> None:
    print(f"bench: without {program.name}: {reason}", file=sys.stderr, flush=True)


def startup_ms(command: StartupCommand) -> float:
    """Milliseconds from the start of a command to the first line with a certain text in it; median of some runs."""
    with TemporaryDirectory() as data_folder:  # games that are started here are kept nowhere else
        package = str(Path(rulewright.__file__).parent.parent)
        return median(_startup_times(command, {**os.environ, "PYTHONPATH": package, "XDG_DATA_HOME": data_folder}))


def _startup_times(command: StartupCommand, environment: Mapping[str, str]) -> list[float]:
    times = []
    for _ in range(STARTUP_RUNS):
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "rulewright", *command.words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, text=True, env=environment,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            is_printed = any(command.until in line for line in process.stdout)
            times.append(1000 * (time.perf_counter() - began))
            process.kill()
        if not is_printed:
            raise ConfigError(f"`rulewright {' '.join(command.words)}` did not print {command.until!r}")
    return times


def _table(
    engine_rates: Sequence[float],
    measurements: Sequence[Measurement],
    starts: Sequence[tuple[StartupCommand, float]],
) -> list[str]:
    width = max(len(name) for name in ("engine", *(measurement.program.name for measurement in measurements)))
    rounds = f"{len(engine_rates)} {'round' if len(engine_rates) == 1 else 'rounds'}"
    lines = [f"decisions per second of processor time, median of {rounds} in turns", ""]
    lines.append(f"{'engine':<{width}}  {median(engine_rates):>12,.0f}")
    for measurement in measurements:
        name, ratio, target = measurement.program.name, median(measurement.ratios), measurement.program.at_least
        verdict = ", and is not" if measurement.is_too_slow else ""
        expected = "" if target is None else f" (should be {target:g} or more{verdict})"
        lines.append(f"{name:<{width}}  {median(measurement.rates):>12,.0f}  engine/{name} {ratio:.3g}{expected}")
    lines += [""] if starts else []
    for command, milliseconds in starts:
        verdict = ", and is not" if milliseconds > command.within else ""
        name = command.name.replace("_", " ")
        lines.append(f"{name} after {milliseconds:.0f} ms (should be within {command.within}{verdict})")
    return lines


def _to_data(
    engine: ReferenceEngine,
    players: int,
    engine_rates: Sequence[float],
    measurements: Sequence[Measurement],
    starts: Sequence[tuple[StartupCommand, float]],
) -> dict[str, object]:
    return {
        "rulewright": rulewright.__version__,
        "game": engine.rules.game,
        "rules": engine.rules.digest,
        "players": players,
        "rounds": len(engine_rates),
        "engine": {"decisions_per_second": median(engine_rates), "by_round": list(engine_rates)},
        "yardsticks": {
            measurement.program.name: {
                "text": measurement.program.text,
                "decisions_per_second": median(measurement.rates),
                "by_round": list(measurement.rates),
                "ratio": median(measurement.ratios),
                "at_least": measurement.program.at_least,
            }
            for measurement in measurements
        },
        "starts": {
            command.name: {"milliseconds": milliseconds, "within": command.within} for command, milliseconds in starts
        },
    }


if __name__ == "__main__":
    sys.exit(main())
