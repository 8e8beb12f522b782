"""`rulewright bench`: how fast the engine is beside programs that were written for one game only.

In: parsed arguments. Out: decisions a second and their ratios, all from one run, and how soon commands answer; status 1
when something is slower than it should be.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import rulewright
from rulewright.cli import yardsticks
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.random_play import count_random_decisions
from rulewright.cli.yardsticks import BenchmarkConfig, StartupCommand, Yardstick, YardstickError
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.errors import UsageError
from rulewright.session import load_game
from rulewright.suggestions import did_you_mean
from rulewright.terminal.reasons import rules_headline, wrap

STARTUP_RUNS: Final = 5  # of a command that has to answer soon
WARMUP_GAMES: Final = 2  # games before the first round


@dataclass(frozen=True, slots=True)
class Measurement:
    """A yardstick in every round: its decisions a second, and those of the engine for each one of them."""

    program: Yardstick
    rates: tuple[float, ...]
    ratios: tuple[float, ...]

    @property
    def is_too_slow(self) -> bool:
        """Whether the engine falls short of what is aimed at."""
        return self.program.at_least is not None and median(self.ratios) < self.program.at_least


def main(args: Namespace) -> int:
    """Measures and prints what came of it."""
    known = yardsticks.load_config(yardsticks.shipped() if args.yardsticks is None else Path(args.yardsticks))
    players = known.players[0] if args.players is None else args.players
    if players not in known.players:
        raise UsageError(f"the yardsticks know {', '.join(map(str, known.players))} players, not {players}")
    chosen = _chosen(known, args.only)
    engine = load_game.load_engine(known.game, players, known.variants, known.tokenwise)
    if not args.json:
        pieces = f", piece by piece at {', '.join(known.tokenwise)}" if known.tokenwise else ""
        print("\n".join(wrap(rules_headline(engine.rules) + pieces)), flush=True)
    ours, found = _measured(engine, known, chosen, players, args.rounds)
    starts = [(one, startup_ms(one)) for one in ([] if args.only else known.starts)]
    if args.json:
        print(json.dumps(_data(engine, players, ours, found, starts), ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(_lines(ours, found, starts)))
    late = any(taken > one.within for one, taken in starts)
    return ExitStatus.FINDINGS if late or any(one.is_too_slow for one in found) else 0


def _chosen(known: BenchmarkConfig, names: Sequence[str]) -> list[Yardstick]:
    there = {one.name: one for one in known.programs}
    for name in names:
        if name not in there:
            hint = did_you_mean(name, there)
            raise UsageError(
                f"no yardstick is called {name!r}; there are: {', '.join(there)}" + (f" ({hint})" if hint else "")
            )
    return [there[name] for name in names] if names else list(known.programs)


def _measured(
    engine: ReferenceEngine, known: BenchmarkConfig, programs: Iterable[Yardstick], players: int, rounds: int
) -> tuple[list[float], list[Measurement]]:
    """Decisions a second of the engine in each round, and of the programs, in turns: what slows the machine down for a
    while slows all of them.
    """
    with TemporaryDirectory(prefix="rulewright-") as folder:
        usable: dict[Yardstick, list[float]] = {}
        for one in programs:
            try:
                yardsticks.build_program(one, Path(folder) / one.name)
                usable[one] = []
            except YardstickError as reason:
                _told(one, reason)
        count_random_decisions(engine, range(WARMUP_GAMES))
        ours = []
        for number in range(1, rounds + 1):
            ours.append(_rate(engine, range(number * known.games, (number + 1) * known.games)))
            for one in list(usable):
                try:
                    usable[one].append(
                        yardsticks.measure_rate(one, Path(folder) / one.name, players=players, seed=number)
                    )
                except YardstickError as reason:
                    del usable[one]
                    _told(one, reason)
    return ours, [
        Measurement(one, tuple(rates), tuple(a / b for a, b in zip(ours, rates, strict=True)))
        for one, rates in usable.items()
    ]


def _rate(engine: ReferenceEngine, seeds: Iterable[int]) -> float:
    began = time.process_time()
    count = count_random_decisions(engine, seeds)
    return count / max(time.process_time() - began, 1e-9)


def _told(program: Yardstick, reason: YardstickError) -> None:
    print(f"rulewright: without {program.name}: {reason}", file=sys.stderr, flush=True)


def startup_ms(start: StartupCommand) -> float:
    """Milliseconds from the start of a command to the first line with a certain text in it; median of some tries."""
    with TemporaryDirectory() as kept:  # what is played here is nobody's game
        package = str(Path(rulewright.__file__).parent.parent)
        return median(_taken(start, {**os.environ, "PYTHONPATH": package, "XDG_DATA_HOME": kept}))


def _taken(start: StartupCommand, environment: Mapping[str, str]) -> list[float]:
    taken = []
    for _ in range(STARTUP_RUNS):
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "rulewright", *start.words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, text=True, env=environment,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            found = any(start.until in line for line in process.stdout)
            taken.append(1000 * (time.perf_counter() - began))
            process.kill()
        if not found:
            raise UsageError(f"`rulewright {' '.join(start.words)}` did not print {start.until!r}")
    return taken


def _lines(
    ours: Sequence[float], found: Sequence[Measurement], starts: Sequence[tuple[StartupCommand, float]]
) -> list[str]:
    width = max(len(name) for name in ("engine", *(one.program.name for one in found)))
    rounds = f"{len(ours)} {'round' if len(ours) == 1 else 'rounds'}"
    lines = [f"decisions a second of processor time, median of {rounds} in turns", ""]
    lines.append(f"{'engine':<{width}}  {median(ours):>12,.0f}")
    for one in found:
        ratio, aim = median(one.ratios), one.program.at_least
        aimed = "" if aim is None else f" (should be {aim:g} or more{', and is not' if one.is_too_slow else ''})"
        lines.append(
            f"{one.program.name:<{width}}  {median(one.rates):>12,.0f}  engine/{one.program.name} {ratio:.3g}{aimed}"
        )
    lines += [""] if starts else []
    for start, taken in starts:
        late = ", and is not" if taken > start.within else ""
        lines.append(f"{start.name.replace('_', ' ')} after {taken:.0f} ms (should be within {start.within}{late})")
    return lines


def _data(
    engine: ReferenceEngine,
    players: int,
    ours: Sequence[float],
    found: Sequence[Measurement],
    starts: Sequence[tuple[StartupCommand, float]],
) -> dict[str, object]:
    return {
        "rulewright": rulewright.__version__,
        "game": engine.rules.game,
        "rules": engine.rules.digest,
        "players": players,
        "rounds": len(ours),
        "engine": {"decisions_per_second": median(ours), "by_round": list(ours)},
        "yardsticks": {
            one.program.name: {
                "text": one.program.text,
                "decisions_per_second": median(one.rates),
                "by_round": list(one.rates),
                "ratio": median(one.ratios),
                "at_least": one.program.at_least,
            }
            for one in found
        },
        "starts": {one.name: {"milliseconds": taken, "within": one.within} for one, taken in starts},
    }


__all__ = ["main", "startup_ms"]
