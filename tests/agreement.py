"""Random games of the engine and of a program that somebody wrote by hand, compared: do they play the same game?

    python tests/agreement.py                          10,000 games each at 2, 3 and 4 players, both in one run
    python tests/agreement.py --games 500 --jobs 2     fewer, in two processes

Both choose uniformly among all legal actions. The engine plays as tests/yardsticks/splendor.py does: coloured tokens
before gold, tokens given back one at a time. Means of decisions and turns a game and of legal actions a decision are
compared; a difference above 4 of its standard errors ends the command with status 1.

Two differences stay, as yardsticks/README.md says: the yardstick lets the noble come after tokens were given back,
which changes nothing that is counted here, and ends a game as soon as as many seats as there are players have passed
in a row, even in mid-round. That happens in 0.1 to 0.4 % of the games, and makes them shorter by less than a round.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, variance

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "interpreter"), str(HERE / "yardsticks")]

Game = tuple[int, int, int]  # decisions, turns, legal actions over all decisions

MOST = 4.0  # standard errors
CHUNK = 250  # games to one piece of work
GIVE_BACK = "actions.give_back.choose.tokens"


def engine_games(players: int, seeds: Iterable[int]) -> list[Game]:
    """Games of the engine, one for each seed."""
    from random_play import play_randomly
    from rulewright.engine.playout import Playout
    from rulewright.engine.reference.reference_engine import ReferenceEngine
    from rulewright.model.loader import load_rules

    engine = ReferenceEngine(load_rules("splendor", players=players, variants=["colours-first"]), tokenwise=[GIVE_BACK])
    found = []
    for seed in seeds:
        rng, playout = random.Random(f"engine {seed}"), Playout(engine, engine.start(seed=seed))
        counts = [len(step.legal) for step in play_randomly(playout, rng)]
        found.append((len(counts), playout.state.turn_count, sum(counts)))
    return found


def yardstick_games(players: int, seeds: Iterable[int]) -> list[Game]:
    """Games of the yardstick, one for each seed."""
    from splendor import playout

    return [playout(players, random.Random(f"yardstick {seed}")) for seed in seeds]


@dataclass(frozen=True)
class Estimate:
    """A mean with the variance of that mean."""

    mean: float
    variance: float


def mean_of(values: list[int]) -> Estimate:
    return Estimate(fmean(values), variance(values) / len(values))


def ratio_of(above: list[int], below: list[int]) -> Estimate:
    """The ratio of two totals over the same games; its variance by the delta method, as both vary from game to game."""
    ratio = sum(above) / sum(below)
    residues = [one - ratio * other for one, other in zip(above, below, strict=True)]
    return Estimate(ratio, variance(residues) / (len(residues) * fmean(below) ** 2))


def estimates(games: list[Game]) -> dict[str, Estimate]:
    decisions, turns, legal = (list(column) for column in zip(*games, strict=True))
    return {
        "decisions a game": mean_of(decisions),
        "turns a game": mean_of(turns),
        "legal a decision": ratio_of(legal, decisions),
    }


def difference(one: Estimate, other: Estimate) -> float:
    """How many standard errors lie between two independent estimates."""
    error = sqrt(one.variance + other.variance)
    return (one.mean - other.mean) / error if error else 0.0


def gathered(play: object, players: int, games: int, seed: int, pool: ProcessPoolExecutor | None) -> list[Game]:
    """So many games, in pieces over the processes; the same games whatever the number of processes."""
    assert callable(play)
    pieces = [range(seed + at, seed + min(at + CHUNK, games)) for at in range(0, games, CHUNK)]
    lists = pool.map(play, [players] * len(pieces), pieces) if pool else map(play, [players] * len(pieces), pieces)
    return [game for piece in lists for game in piece]


def compare(players: int, games: int, seed: int, pool: ProcessPoolExecutor | None = None) -> list[str]:
    """Prints the table for a number of players; what differs too much."""
    ours = estimates(gathered(engine_games, players, games, seed, pool))
    theirs = estimates(gathered(yardstick_games, players, games, seed, pool))
    wrong = []
    for name, one in ours.items():
        errors = difference(one, theirs[name])
        print(f"{players} players  {name:17} {one.mean:9.3f}  {theirs[name].mean:9.3f}  {errors:+6.2f} standard errors")
        if abs(errors) > MOST:
            wrong.append(f"{players} players: {name} differ by {errors:+.2f} standard errors")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000, help="for each number of players and each program")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    args = parser.parse_args()
    if args.games < 2:
        parser.error("--games must be 2 or more")
    began = time.perf_counter()
    print(f"{args.games:,} games each           {'engine':>16}  {'yardstick':>9}")
    wrong = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for players in args.players:
            wrong += compare(players, args.games, args.seed, pool if args.jobs > 1 else None)
    print(f"{time.perf_counter() - began:.0f} s")
    for line in wrong:
        print(line)
    print("they differ" if wrong else f"no difference above {MOST:g} standard errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
