"""`rulewright simulate`: many games by bots, summed up.

In: parsed arguments. Out: a table on stdout, or one JSON object; progress on stderr when it takes long.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Final

from rulewright.front import opening
from rulewright.front.told import headline
from rulewright.front.wrong import Wrong
from rulewright.model.load import default_game
from rulewright.play.simulate import Setting, Simulation
from rulewright.play.simulate import run as simulated
from rulewright.play.statistics import Summary

PATIENCE: Final = 1.0  # seconds before progress is told, and between two tellings on a terminal
RARELY: Final = 10.0  # seconds before and between, where nobody looks on
NAMES: Final = {
    "turns": "turns",
    "decisions": "decisions",
    "legal_per_decision": "legal actions per decision",
    "forced": "forced decisions",
}
MOST_SEEDS: Final = 5


def run(wish: Namespace) -> int:
    """Simulates and prints what came of it."""
    engine = opening.opened(wish)
    rules = engine.rules
    bots = [opening.bot(rules, name) for name in wish.bot or ["random"]]
    if len(bots) not in (1, rules.players):
        raise Wrong(f"--bot is given {len(bots)} times, and {rules.players} play: give it once, or once for each seat")
    setting = Setting(
        game=wish.game or default_game(),
        players=rules.players,
        variants=tuple(wish.variant),
        bots=tuple(bots * rules.players if len(bots) == 1 else bots),
        seed=wish.seed,
        cap=wish.cap,
        first=opening.seat(rules, wish.first),
        tokenwise=tuple(wish.tokenwise),
    )
    found, _ = simulated(setting, wish.games, jobs=wish.jobs, told=_progress(wish.games))
    if wish.json:
        head = {
            "game": rules.game,
            "version": rules.version,
            "rules": rules.digest,
            "players": rules.players,
            "variants": list(rules.variants),
            "bots": list(setting.bots),
            "seed": setting.seed,
            "first_seat": setting.first,
            "cap": setting.cap,
            "tokenwise": sorted(setting.tokenwise),
        }
        print(json.dumps({**head, **found.data()}, ensure_ascii=False))
        return 0
    print(headline(rules))
    print(f"{wish.games} games, bots: {', '.join(setting.bots)}, seed {setting.seed}, seat {setting.first} begins")
    print("\n".join(table(found, setting)))
    return 0


def _progress(count: int) -> Callable[[int], None]:
    began = last = time.monotonic()
    terminal = sys.stderr.isatty()
    patience = PATIENCE if terminal else RARELY

    def told(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > patience or (terminal and done == count and now - began > patience):
            last = now
            left = (now - began) / done * (count - done)
            end = "\n" if done == count or not terminal else "\r"
            print(f"{done} of {count} games, {left:.0f} s to go   ", end=end, file=sys.stderr, flush=True)

    return told


def table(found: Simulation, setting: Setting) -> Iterator[str]:
    """The simulation as lines of a table."""
    yield f"{'':<28}{'mean':>9}{'deviation':>10}{'min':>7}{'max':>7}  95 % of the mean"
    for name, value in found.numbers.items():
        yield _row(NAMES[name], value)
    for seat, value in enumerate(found.wins):
        yield _row(f"wins of seat {seat} ({setting.bots[seat]})", value)
    for name, measure in found.measures.items():
        words = name.replace("_", " ")
        if isinstance(measure, tuple):
            for seat, value in enumerate(measure):
                yield _row(f"{words}, seat {seat}", value)
        else:
            yield _row(words, measure)
    if found.shared:
        yield f"shared wins: {found.shared}"
    if found.forced_games:
        yield f"games with a forced decision: {found.forced_games}"
    if found.unfinished:
        seeds = ", ".join(map(str, found.unfinished[:MOST_SEEDS])) + (
            ", …" if len(found.unfinished) > MOST_SEEDS else ""
        )
        yield f"unfinished after {setting.cap} turns, left out above: {len(found.unfinished)} (seeds {seeds})"


def _row(name: str, value: Summary | None) -> str:
    if value is None:
        return f"{name:<28}{'-':>9}"
    low, high = value.interval
    return (
        f"{name[:27]:<28}{value.mean:>9.3f}{value.deviation:>10.3f}{value.least:>7.4g}{value.most:>7.4g}"
        f"  {low:.2f} to {high:.2f}"
    )


__all__ = ["run", "table"]
