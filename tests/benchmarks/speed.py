"""How fast the reference engine is beside a program written by hand for the one game, and how soon a command answers.

    python tests/benchmarks/speed.py [--games 40] [--rounds 5]

Both play uniformly random games of two players under the same rules (coloured tokens first, tokens given back one at a
time, the full legal list at every decision), in turns in one run, since times of different runs do not compare. Status
1 when the engine is slower than a twentieth of the other, or a command starts later than it should.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "interpreter"
sys.path[:0] = [str(PACKAGE), str(HERE.parent / "yardsticks")]

import splendor  # noqa: E402  # the yardstick, found by the path above

from rulewright.engine.reference import Engine  # noqa: E402
from rulewright.model.load import load_rules  # noqa: E402

LEAST_RATIO = 0.05
VERSION_MS, BOARD_MS = 60, 500


def yardstick(games: int, seed: int) -> tuple[int, float]:
    """Decisions and seconds of the program written by hand."""
    rng = random.Random(seed)
    began = time.process_time()
    decisions = sum(splendor.playout(2, rng)[0] for _ in range(games))
    return decisions, time.process_time() - began


def reference(engine: Engine, games: int, seed: int) -> tuple[int, float]:
    """Decisions and seconds of the engine."""
    rng = random.Random(seed)
    began, decisions = time.process_time(), 0
    for number in range(games):
        state = engine.start(seed=seed * games + number)
        while not state.over:
            actions = engine.legal(state)
            decisions += 1
            state = engine.apply_legal(state, rng.choice(actions))
    return decisions, time.process_time() - began


def start_ms(words: list[str], until: str, tries: int = 5) -> float:
    """Milliseconds from the start of a command to the first line with a certain text in it; median of some tries."""
    kept = tempfile.mkdtemp()  # what is played here is nobody's game
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "XDG_DATA_HOME": kept}
    taken = []
    for _ in range(tries):
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "rulewright", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, text=True, env=environment,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            found = any(until in line for line in process.stdout)
            taken.append(1000 * (time.perf_counter() - began))
            process.kill()
        assert found, f"{words}: {until!r} was not printed"
    shutil.rmtree(kept)
    return median(taken)


def main() -> int:
    """Prints the rates, their ratio and the times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="in each round")
    parser.add_argument("--rounds", type=int, default=5)
    wish = parser.parse_args()
    engine = Engine(
        load_rules("splendor", players=2, variants=["colours-first"]), tokenwise=["actions.give_back.choose.tokens"]
    )
    yardstick(5, 0), reference(engine, 2, 0)
    by_hand, by_rules = [], []
    for number in range(1, wish.rounds + 1):
        decisions, seconds = yardstick(wish.games * 10, number)
        by_hand.append(decisions / seconds)
        decisions, seconds = reference(engine, wish.games, number)
        by_rules.append(decisions / seconds)
        print(f"round {number}: by hand {by_hand[-1]:>9,.0f}/s   by rules {by_rules[-1]:>9,.0f}/s", flush=True)
    ratio = median(a / b for a, b in zip(by_rules, by_hand, strict=True))
    print(f"by hand  {median(by_hand):>9,.0f} decisions a second")
    print(f"by rules {median(by_rules):>9,.0f} decisions a second")
    print(f"ratio    {ratio:>9.3f}   (target: {LEAST_RATIO} or more)")
    version = start_ms(["--version"], "rulewright")
    board = start_ms(["play", "--seat", "human", "--seed", "1"], "> 0 you")
    print(f"--version after {version:.0f} ms   (target: {VERSION_MS})")
    print(f"first board after {board:.0f} ms   (target: {BOARD_MS})")
    return 0 if ratio >= LEAST_RATIO and version <= VERSION_MS and board <= BOARD_MS else 1


if __name__ == "__main__":
    sys.exit(main())
