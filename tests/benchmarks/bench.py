"""How fast the engines are beside programs written for one game only: python tests/benchmarks/bench.py

In: arguments. Out: decisions per second and their ratios, all from one run, and how soon commands answer; status 1 when
something is slower than it should be, 2 for wrong use. Only ratios from one run mean anything. Needs a C compiler for
the yardsticks that are written in C, and llvmlite for machine code.
"""

from __future__ import annotations

# ruff: noqa: E402  (as a command it has to find the package first)
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias, TypeVar

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "interpreter")]

import rulewright
from benchmarks.baseline import Baseline, check_out
from benchmarks.engine_rates import ENGINES, PlayGames, rate_of
from benchmarks.rate_table import Measured, draw_rates, table_data, table_lines
from benchmarks.yardstick_config import (
    BenchmarkConfig,
    ConfigError,
    PlayedTable,
    StartupCommand,
    Yardstick,
    YardstickError,
    build_program,
    load_config,
    measure_rate,
)
from rulewright.diagnostics import RulesError
from rulewright.engine.compiled.native_program import NoMachineCode
from rulewright.engine.compiled.refusal import NotCompiled
from rulewright.model.loader import load_rules
from rulewright.model.locate import NotFound

CONFIG_PATH: Final = TESTS / "benchmarks" / "yardsticks.yaml"
STARTUP_RUNS: Final = 5  # of a command that has to answer soon
MeasureRound: TypeAlias = Callable[[int], float]  # the number of the round, from 1 → decisions per second
T = TypeVar("T")


def main(words: Sequence[str] | None = None) -> int:
    """Measures, prints the results, and returns the exit status. `words`: arguments; default: the command line's."""
    parser = ArgumentParser(prog="bench", description="Measure the engines beside programs written for one game.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5; the median counts")
    parser.add_argument("--players", type=int, nargs="+", metavar="N", help="default: those of each table")
    parser.add_argument("--table", action="append", default=[], metavar="NAME", help="only this table; repeatable")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME", help="only this engine; repeatable")
    parser.add_argument("--baseline", metavar="COMMIT", help="also the reference engine of this commit")
    parser.add_argument("--yardsticks", type=Path, default=CONFIG_PATH, metavar="FILE", help="default: the project's")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rates into a file (needs matplotlib)")
    args = parser.parse_args(words)
    try:
        return run(load_config(args.yardsticks), args)
    except (ConfigError, NotFound, RulesError, YardstickError) as error:
        print(f"bench: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def run(config: BenchmarkConfig, args: Namespace) -> int:
    """Measures and prints; returns 1 when something is slower than it should be. Raises `ConfigError`."""
    if args.rounds < 1:
        raise ConfigError(f"{args.rounds} rounds, expected at least 1")
    tables = _select("table", {table.name: table for table in config.tables}, args.table)
    engines = _select("engine", {name: name for name in config.engines}, args.engine)
    for name in engines:
        if name not in ENGINES:
            raise ConfigError(f"no engine is called {name!r}; available: {', '.join(ENGINES)}")
    found: list[Measured] = []
    with ExitStack() as stack:
        baseline = stack.enter_context(check_out(args.baseline)) if args.baseline else None
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="rulewright-")))
        programs, unusable = _build(config.programs, folder)
        for table in tables:
            for players in args.players or table.players:
                sides, missing = _engine_sides(config, table, players, engines)
                sides |= _other_sides(config, table, players, baseline, programs, folder)
                missing |= {name: reason for name, reason in unusable.items() if name in table.beside}
                found.append(_measure(table, players, sides, missing, args.rounds))
                if not args.json:
                    print("\n".join([*table_lines(found[-1]), ""]), flush=True)
    starts = [(command, startup_ms(command)) for command in ([] if args.table else config.starts)]
    if args.json:
        print(json.dumps(_to_data(found, starts, args.rounds), ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(_start_lines(starts)), end="\n" if starts else "")
    if args.plot:
        _draw(found, args.plot)
    is_late = any(milliseconds > command.within for command, milliseconds in starts)
    return int(is_late or any(measured.missed() for measured in found))


def _select(what: str, known: Mapping[str, T], names: Sequence[str]) -> list[T]:
    for name in names:
        if name not in known:
            raise ConfigError(f"no {what} is called {name!r}; available: {', '.join(known)}")
    return [known[name] for name in names] if names else list(known.values())


def _build(programs: Sequence[Yardstick], folder: Path) -> tuple[list[Yardstick], dict[str, str]]:
    """The programs that are built, and why others are not."""
    built, unusable = [], {}
    for program in programs:
        try:
            build_program(program, folder / program.name)
            built.append(program)
        except YardstickError as error:
            unusable[program.name] = str(error)
    return built, unusable


def _engine_sides(
    config: BenchmarkConfig, table: PlayedTable, players: int, engines: Sequence[str]
) -> tuple[dict[str, MeasureRound], dict[str, str]]:
    """How the engines are measured, and why others are not."""
    rules = load_rules(table.game, players=players, variants=table.variants)
    sides: dict[str, MeasureRound] = {}
    missing: dict[str, str] = {}
    for name in engines:
        try:
            play = ENGINES[name](rules, table.tokenwise)
        except (NotCompiled, NoMachineCode) as refusal:
            missing[name] = str(refusal)
            continue
        play(range(1))  # what is made at the first use is made before it is measured
        sides[name] = partial(_engine_round, play, config.engines[name])
    return sides, missing


def _engine_round(play: PlayGames, games: int, number: int) -> float:
    return rate_of(play, range(number * games, (number + 1) * games))


def _other_sides(
    config: BenchmarkConfig,
    table: PlayedTable,
    players: int,
    baseline: Baseline | None,
    programs: Sequence[Yardstick],
    folder: Path,
) -> dict[str, MeasureRound]:
    """How an earlier commit and programs from outside are measured."""
    sides: dict[str, MeasureRound] = {}
    if baseline is not None:
        games = min(config.engines.values())
        sides[baseline.name] = lambda number: baseline.rate(table, players, range(number * games, (number + 1) * games))
    for program in programs:
        if program.name in table.beside:
            sides[program.name] = partial(_program_round, program, folder / program.name, players)
    return sides


def _program_round(program: Yardstick, target: Path, players: int, number: int) -> float:
    return measure_rate(program, target, players=players, seed=number)


def _measure(
    table: PlayedTable, players: int, sides: Mapping[str, MeasureRound], missing: Mapping[str, str], rounds: int
) -> Measured:
    """All of them in turns: what slows the machine down for a while slows all of them."""
    rates: dict[str, list[float]] = {name: [] for name in sides}
    absent = dict(missing)
    for number in range(1, rounds + 1):
        for name in list(rates):
            try:
                rates[name].append(sides[name](number))
            except YardstickError as error:
                del rates[name]
                absent[name] = str(error)
    programs = [name for name in table.beside if name in rates]
    return Measured(table, players, rates, programs, absent)


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


def _start_lines(starts: Sequence[tuple[StartupCommand, float]]) -> list[str]:
    lines = []
    for command, milliseconds in starts:
        verdict = ", and is not" if milliseconds > command.within else ""
        name = command.name.replace("_", " ")
        lines.append(f"{name} after {milliseconds:.0f} ms (should be within {command.within}{verdict})")
    return lines


def _draw(found: Sequence[Measured], path: Path) -> None:
    try:
        draw_rates(found, path)
    except ImportError:
        raise ConfigError("a plot needs matplotlib: pip install 'rulewright[plot]'") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be written: {error}") from None


def _to_data(
    found: Sequence[Measured], starts: Sequence[tuple[StartupCommand, float]], rounds: int
) -> dict[str, object]:
    return {
        "rulewright": rulewright.__version__,
        "rounds": rounds,
        "tables": [table_data(measured) for measured in found],
        "starts": {
            command.name: {"milliseconds": milliseconds, "within": command.within} for command, milliseconds in starts
        },
    }


if __name__ == "__main__":
    sys.exit(main())
