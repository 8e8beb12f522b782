"""What else has to be quick or small: compiling, starting, two processes, memory, bots, single steps, batches; and how
the rate falls as rules grow.

In: `MeasureSettings`. Out: a `MeasureTable` for each measure. What is compared takes turns, round by round, each engine
in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from benchmarks.engine_process import EngineProcess, EngineProcessError, EngineTask
from benchmarks.engine_tasks import BATCH_GAMES, BY_INDEX, BY_NUMBER, FIRST_CODE, FULL_CODE, MASKS
from benchmarks.growing_rules import GAME, grown_tables
from benchmarks.measure_table import MeasuredRow, MeasureTable, ratio_row
from benchmarks.startup import STARTUP_RUNS, command_environment, startup_ms
from benchmarks.yardstick_config import ConfigError, StartupCommand
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE
from rulewright.private_cache import CACHE_VARIABLE

MEASURED_ENGINES: Final = (REFERENCE_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE)
BOTS: Final = {"greedy": 8.0, "heuristic": 4.0, "search:50": 4.0}  # times as many decisions as in the reference engine
GAMES_IN_A_SECOND: Final = {REFERENCE_ENGINE: 60, COMPILED_ENGINE: 1200, NATIVE_ENGINE: 10_000}  # simulated, about
SHARED_SECONDS: Final = 12  # so long that what is done once, before the first game, counts little
ONE_PROCESS, TWO_PROCESSES, TWO_COMMANDS = "simulate --jobs 1", "simulate --jobs 2", "simulate --jobs 1, twice at once"

Rounds: TypeAlias = dict[str, list[dict[str, float]]]  # by engine the numbers of each round


@dataclass(frozen=True, slots=True)
class MeasureSettings:
    """What is measured, and how long. `seconds`: of processor time of an engine in one round; `games`: of which the
    memory is measured.
    """

    engines: tuple[str, ...] = MEASURED_ENGINES
    rounds: int = 5
    seconds: float = 1.0
    games: int = 100_000
    game: str = GAME
    players: int = 2

    @property
    def compiled(self) -> tuple[str, ...]:
        """The engines that carry out programs."""
        return tuple(name for name in self.engines if name != REFERENCE_ENGINE)

    def task(self, kind: str, engine: str, *, way: str = "", bot: str = "") -> EngineTask:
        """What a process of an engine measures."""
        return EngineTask(kind, engine, self.game, self.players, seconds=self.seconds, way=way, bot=bot)


Measure: TypeAlias = Callable[[MeasureSettings], MeasureTable]


def in_turns(tasks: Mapping[str, EngineTask], rounds: int, missing: dict[str, str]) -> Rounds:
    """The rounds of each engine; one that cannot be measured is written down as missing."""
    found: Rounds = {}
    with ExitStack() as stack:
        processes = {}
        for name, task in tasks.items():
            try:
                processes[name] = stack.enter_context(EngineProcess(task))
                found[name] = []
            except EngineProcessError as error:
                missing[name] = str(error)
        for number in range(1, rounds + 1):
            for name in list(found):
                try:
                    found[name].append(processes[name].round(number))
                except EngineProcessError as error:
                    del found[name]
                    missing[name] = str(error)
    return found


def numbers_of(found: Rounds, name: str = "rate") -> dict[str, list[float]]:
    """One number of each round."""
    return {engine: [numbers[name] for numbers in rounds] for engine, rounds in found.items()}


def measure_compile(settings: MeasureSettings) -> MeasureTable:
    """Each round in a process that has compiled nothing before."""
    missing: dict[str, str] = {}
    rules: dict[str, list[float]] = {}
    rows = []
    native = (NATIVE_ENGINE,)
    with TemporaryDirectory(prefix="rulewright-") as folder:
        for text, way, cache, engines, most in (
            ("first code, cold, ms", FIRST_CODE, "", settings.compiled, 150),
            ("full optimisation, cold, ms", FULL_CODE, "", native, 400),
            ("full optimisation, cached, ms", FULL_CODE, folder, native, 50),
        ):
            values: dict[str, list[float]] = {}
            measured = [name for name in engines if name in settings.engines]
            for number in range(settings.rounds + bool(cache)):
                for name in measured:
                    try:
                        numbers = _fresh_round(settings.task("compile", name, way=way), cache)
                    except EngineProcessError as error:
                        missing[name] = str(error)
                        continue
                    if number or not cache:  # the first one fills the cache
                        values.setdefault(name, []).append(numbers["code"])
                        rules.setdefault(name, []).append(numbers["rules"])
            rows.append(MeasuredRow(text, values, at_most={NATIVE_ENGINE: most}))
    rows.insert(0, MeasuredRow("reading the rules, ms", rules))
    return MeasureTable("compile", f"{settings.game}: from rules to code that can play", rows, missing)


def _fresh_round(task: EngineTask, cache: str) -> dict[str, float]:
    with EngineProcess(task, {CACHE_VARIABLE: cache}) as process:
        return process.round(1)


def measure_start(settings: MeasureSettings) -> MeasureTable:
    """The whole process, by the clock; what is kept from one time to the next is there."""
    missing: dict[str, str] = {}
    values: dict[str, list[float]] = {}
    commands = {
        name: StartupCommand(name, ("simulate", settings.game, "--games", "1", "--engine", name), "wins of player 1", 0)
        for name in settings.engines
    }
    for number in range(1 + settings.rounds):
        for name, command in commands.items():
            try:
                milliseconds = startup_ms(command, 1)
            except ConfigError as error:
                missing[name] = str(error)
                continue
            if number:  # the first time there may be nothing that was kept
                values.setdefault(name, []).append(milliseconds)
    row = MeasuredRow("simulate, to its first game, ms", values, at_most=dict.fromkeys(settings.compiled, 300))
    return MeasureTable("start", f"rulewright simulate {settings.game} --games 1", [row], missing)


def measure_processes(settings: MeasureSettings) -> MeasureTable:
    """By the clock, since that is what sharing is for. Two commands at once show what the machine itself gives, and the
    processor time, how it would be if nothing else ran.
    """
    missing: dict[str, str] = {}
    work: dict[str, dict[str, list[float]]] = {}
    rates: dict[str, dict[str, list[float]]] = {}
    with TemporaryDirectory(prefix="rulewright-") as folder:
        environment = command_environment(Path(folder))
        for _ in range(settings.rounds):
            for name in settings.engines:
                games = max(2, round(settings.seconds * SHARED_SECONDS * GAMES_IN_A_SECOND[name]))
                words = ("simulate", settings.game, "--engine", name, "--games", str(games), "--jobs")
                for text, jobs, commands in ((ONE_PROCESS, 1, 1), (TWO_PROCESSES, 2, 1), (TWO_COMMANDS, 1, 2)):
                    try:
                        seconds, processor = _seconds_of([*words, str(jobs)], commands, environment)
                    except EngineProcessError as error:
                        missing[name] = str(error)
                        break
                    rates.setdefault(text, {}).setdefault(name, []).append(commands * games / seconds)
                    work.setdefault(text, {}).setdefault(name, []).append(processor / jobs)
    one = rates.get(ONE_PROCESS, {})
    rows = [MeasuredRow(f"{text}, games/s", values) for text, values in rates.items()]
    rows += [
        ratio_row(f"{text} / {ONE_PROCESS}", values, one, dict.fromkeys(settings.engines, 1.8))
        for text, values in rates.items()
        if text == TWO_PROCESSES
    ]
    rows += [ratio_row("twice at once / once", values, one) for text, values in rates.items() if text == TWO_COMMANDS]
    if TWO_PROCESSES in work:
        rows.append(ratio_row(f"{TWO_PROCESSES} / 1, by processor time", work[ONE_PROCESS], work[TWO_PROCESSES]))
    return MeasureTable("processes", f"{settings.game}: two processes beside one, random bots", rows, missing)


def _seconds_of(words: list[str], commands: int, environment: Mapping[str, str]) -> tuple[float, float]:
    """How long some equal commands take that begin at the same time, by the clock and by the processors' time. Raises
    `EngineProcessError`.
    """
    began, before = time.perf_counter(), os.times()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "rulewright", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=environment,
        )
        for _ in range(commands)
    ]  # fmt: skip
    errors = [process.communicate()[1] for process in running]
    seconds, after = time.perf_counter() - began, os.times()
    if any(process.returncode for process in running):
        raise EngineProcessError((errors[0].strip().splitlines() or ["the command failed"])[-1])
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, processor


def measure_memory(settings: MeasureSettings) -> MeasureTable:
    """After some games, and after ten times as many."""
    missing: dict[str, str] = {}
    few: dict[str, list[float]] = {}
    many: dict[str, list[float]] = {}
    counts = {}
    for name in settings.engines:
        most = settings.games * GAMES_IN_A_SECOND[name] // GAMES_IN_A_SECOND[NATIVE_ENGINE]
        counts[name] = max(10, most)
        try:
            with EngineProcess(settings.task("memory", name)) as process:
                few[name] = [process.round(counts[name] // 10)["megabytes"]]
                many[name] = [process.round(counts[name])["megabytes"]]
        except EngineProcessError as error:
            missing[name] = str(error)
    rows = [
        MeasuredRow("games", {name: [float(counts[name])] for name in many}),
        MeasuredRow("after a tenth of them, MB", few),
        MeasuredRow("after all of them, MB", many, at_most=dict.fromkeys(settings.engines, 200)),
        ratio_row("all of them / a tenth", many, few),
    ]
    return MeasureTable("memory", f"{settings.game}: the most memory of a simulation", rows, missing)


def measure_bots(settings: MeasureSettings) -> MeasureTable:
    """Games of the reference engine, whose bots think in programs, or in the reference engine as well."""
    missing: dict[str, str] = {}
    rows = []
    for bot, least in BOTS.items():
        tasks = {name: settings.task("bot", name, bot=bot) for name in settings.engines}
        rates = numbers_of(in_turns(tasks, settings.rounds, missing))
        rows.append(MeasuredRow(f"{bot}, decisions/s", rates))
        if REFERENCE_ENGINE in rates:
            beside = dict.fromkeys(rates, rates[REFERENCE_ENGINE])
            others = {name: own for name, own in rates.items() if name != REFERENCE_ENGINE}
            rows.append(ratio_row(f"{bot} / {REFERENCE_ENGINE}", others, beside, {NATIVE_ENGINE: least}))
    return MeasureTable("bots", f"{settings.game}: a bot on all seats, the same games", rows, missing)


def measure_step(settings: MeasureSettings) -> MeasureTable:
    """One game, one decision after another."""
    missing: dict[str, str] = {}
    rows = []
    for way, text in ((BY_INDEX, "by index"), (BY_NUMBER, "by number, from a list in memory")):
        tasks = {name: settings.task("step", name, way=way) for name in settings.compiled}
        rates = numbers_of(in_turns(tasks, settings.rounds, missing))
        least = {NATIVE_ENGINE: 1e6} if way == BY_NUMBER else {}
        rows.append(MeasuredRow(f"{text}, decisions/s", rates, at_least=least))
    return MeasureTable("step", f"{settings.game}: single steps from Python", rows, missing)


def measure_batch(settings: MeasureSettings) -> MeasureTable:
    """Numbers of actions always; masks on demand."""
    missing: dict[str, str] = {}
    rows = []
    found: Rounds = {}
    for way in MASKS:
        tasks = {name: settings.task("batch", name, way=way) for name in settings.compiled}
        found = in_turns(tasks, settings.rounds, missing)
        what = "a list of numbers" if way == "list" else f"a mask of {way}"
        least = {} if way == "bytes" else {NATIVE_ENGINE: 8e6}
        rows.append(MeasuredRow(f"observation, {what}, steps/s", numbers_of(found), at_least=least))
    rows.append(MeasuredRow("bytes of an observation", numbers_of(found, "bytes")))
    return MeasureTable("batch", f"{settings.game}: {BATCH_GAMES:,} games side by side", rows, missing)


def measure_growth(settings: MeasureSettings) -> MeasureTable:
    """Each row beside the first of its group."""
    missing: dict[str, str] = {}
    rows = []
    first: dict[str, dict[str, list[float]]] = {}
    with TemporaryDirectory(prefix="rulewright-") as folder:
        for table in grown_tables(Path(folder)):
            tasks = {
                name: EngineTask("play", name, GAME, table.players, table.variants, seconds=settings.seconds)
                for name in settings.engines
            }
            rates = numbers_of(in_turns(tasks, settings.rounds, missing))
            smallest = first.setdefault(table.dimension, rates)
            text = f"{table.dimension} {table.size}"
            rows.append(MeasuredRow(f"{text}, decisions/s", rates, group=table.dimension, size=table.size))
            if rates is not smallest:
                rows.append(ratio_row(f"{text}, of the first rate", rates, smallest))
    return MeasureTable("growth", f"{GAME}: how the rate falls as rules grow", rows, missing)


MEASURES: Final[Mapping[str, Measure]] = {
    "compile": measure_compile,
    "start": measure_start,
    "processes": measure_processes,
    "memory": measure_memory,
    "bots": measure_bots,
    "step": measure_step,
    "batch": measure_batch,
    "growth": measure_growth,
}

__all__ = ["MEASURED_ENGINES", "MEASURES", "STARTUP_RUNS", "Measure", "MeasureSettings", "in_turns", "numbers_of"]
