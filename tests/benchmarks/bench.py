"""How fast the engines are beside programs written for one game only: python tests/benchmarks/bench.py

In: arguments. Out: decisions per second and their ratios, all from one run, and how soon commands answer; status 1 when
something is slower than it should be, 2 for wrong use. Only ratios from one run mean anything. Needs a C compiler for
the yardsticks that are written in C, and llvmlite for machine code.
"""

from __future__ import annotations

# ruff: noqa: E402  (as a command it has to find the package first)
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias, TypeVar

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "interpreter")]

import rulewright
from benchmarks.baseline import Baseline, check_out
from benchmarks.engine_process import EngineProcess, EngineProcessError, EngineTask
from benchmarks.engine_rates import ENGINES
from benchmarks.measure_table import MeasureTable, draw_growth, measure_data, measure_lines
from benchmarks.other_measures import MEASURED_ENGINES, MEASURES, MeasureSettings
from benchmarks.rate_table import Measured, draw_rates, table_data, table_lines
from benchmarks.startup import startup_ms
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
from rulewright.model.loader import load_rules
from rulewright.model.locate import NotFound

CONFIG_PATH: Final = TESTS / "benchmarks" / "yardsticks.yaml"
MeasureRound: TypeAlias = Callable[[int], float]  # the number of the round, from 1 → decisions per second
T = TypeVar("T")


def main(words: Sequence[str] | None = None) -> int:
    """Measures, prints the results, and returns the exit status. `words`: arguments; default: the command line's."""
    parser = ArgumentParser(prog="bench", description="Measure the engines beside programs written for one game.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5; the median counts")
    parser.add_argument("--players", type=int, nargs="+", metavar="N", help="default: those of each table")
    parser.add_argument("--table", action="append", default=[], metavar="NAME", help="only this table; repeatable")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME", help="only this engine; repeatable")
    parser.add_argument(
        "--measure", type=lambda text: text.split(","), default=[], metavar="NAMES",
        help=f"instead of tables, unless one is named, some of {', '.join(MEASURES)}, with commas between them",
    )  # fmt: skip
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="of a round of a measure; default: 1")
    parser.add_argument("--games", type=int, default=100_000, metavar="N", help="of the measure memory")
    parser.add_argument("--baseline", metavar="COMMIT", help="also the reference engine of this commit")
    parser.add_argument("--yardsticks", type=Path, default=CONFIG_PATH, metavar="FILE", help="default: the project's")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rates, or how they fall (needs matplotlib)")
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
    measures = _select("measure", MEASURES, args.measure) if args.measure else []
    if measures and not args.table:
        tables = []
    found = list(_measure_tables(config, tables, engines, args))
    settings = MeasureSettings(
        tuple(name for name in MEASURED_ENGINES if name in engines), args.rounds, args.seconds, args.games
    )
    others = []
    for measure in measures:
        others.append(measure(settings))
        if not args.json:
            print("\n".join([*measure_lines(others[-1]), ""]), flush=True)
    starts = [(command, startup_ms(command)) for command in ([] if args.table or measures else config.starts)]
    if args.json:
        print(json.dumps(_to_data(found, others, starts, args.rounds), ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(_start_lines(starts)), end="\n" if starts else "")
    if args.plot:
        _draw(found, others, args.plot)
    is_late = any(milliseconds > command.within for command, milliseconds in starts)
    return int(is_late or any(measured.missed() for measured in (*found, *others)))


def _measure_tables(
    config: BenchmarkConfig, tables: Sequence[PlayedTable], engines: Sequence[str], args: Namespace
) -> Iterator[Measured]:
    """What is played, at each number of players, printed as soon as it is done."""
    with ExitStack() as stack:
        baseline = stack.enter_context(check_out(args.baseline)) if args.baseline else None
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="rulewright-")))
        needed = {name for table in tables for name in table.beside}
        programs, unusable = _build([program for program in config.programs if program.name in needed], folder)
        for table in tables:
            for players in args.players or table.players:
                with ExitStack() as processes:
                    sides, missing = _engine_sides(config, table, players, engines, processes)
                    sides |= _other_sides(config, table, players, baseline, programs, folder)
                    missing |= {name: reason for name, reason in unusable.items() if name in table.beside}
                    measured = _measure(table, players, sides, missing, args.rounds)
                if not args.json:
                    print("\n".join([*table_lines(measured), ""]), flush=True)
                yield measured


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
    config: BenchmarkConfig, table: PlayedTable, players: int, engines: Sequence[str], processes: ExitStack
) -> tuple[dict[str, MeasureRound], dict[str, str]]:
    """How the engines are measured, each in a process of its own, and why others are not."""
    load_rules(table.game, players=players, variants=table.variants)  # what is wrong with them is wrong for all
    sides: dict[str, MeasureRound] = {}
    missing: dict[str, str] = {}
    for name in engines:
        task = EngineTask(
            "play", name, table.game, players, table.variants, table.tokenwise, games=config.engines[name]
        )
        try:
            process = processes.enter_context(EngineProcess(task))
        except EngineProcessError as refusal:
            missing[name] = str(refusal)
            continue
        sides[name] = partial(_engine_round, process)
    return sides, missing


def _engine_round(process: EngineProcess, number: int) -> float:
    return process.round(number)["rate"]


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
            except (EngineProcessError, YardstickError) as error:
                del rates[name]
                absent[name] = str(error)
    programs = [name for name in table.beside if name in rates]
    return Measured(table, players, rates, programs, absent)


def _start_lines(starts: Sequence[tuple[StartupCommand, float]]) -> list[str]:
    lines = []
    for command, milliseconds in starts:
        verdict = ", and is not" if milliseconds > command.within else ""
        name = command.name.replace("_", " ")
        lines.append(f"{name} after {milliseconds:.0f} ms (should be within {command.within}{verdict})")
    return lines


def _draw(found: Sequence[Measured], others: Sequence[MeasureTable], path: Path) -> None:
    grown = next((table for table in others if any(row.group for row in table.rows)), None)
    try:
        if found:
            draw_rates(found, path)
        elif grown is not None:
            draw_growth(grown, path)
        else:
            raise ConfigError("there is nothing to draw: a plot shows tables, or the measure growth")
    except ImportError:
        raise ConfigError("a plot needs matplotlib: pip install 'rulewright[plot]'") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be written: {error}") from None


def _to_data(
    found: Sequence[Measured],
    others: Sequence[MeasureTable],
    starts: Sequence[tuple[StartupCommand, float]],
    rounds: int,
) -> dict[str, object]:
    return {
        "rulewright": rulewright.__version__,
        "rounds": rounds,
        "tables": [table_data(measured) for measured in found],
        "measures": [measure_data(table) for table in others],
        "starts": {
            command.name: {"milliseconds": milliseconds, "within": command.within} for command, milliseconds in starts
        },
    }


if __name__ == "__main__":
    sys.exit(main())
