"""The reference engine of an earlier commit, measured beside those of today.

In: a commit, rules by name. Out: decisions per second, from a process of its own that runs the files of that commit.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.yardstick_config import PlayedTable, YardstickError

ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 600
BASELINE_PREFIX: Final = "baseline-"  # of what the engine of a commit is called
PROGRAM: Final = """
import sys, time
import rulewright
Engine = rulewright.ReferenceEngine if "ReferenceEngine" in rulewright.__all__ else rulewright.Engine
game, players, seed, games, variants, tokenwise = sys.argv[1:]
listed = [name for name in variants.split(",") if name]
rules = rulewright.load_rules(game, players=int(players), variants=listed)
engine = Engine(rules, tokenwise=[address for address in tokenwise.split(",") if address])
count, number, began = 0, int(seed), time.process_time()
for own_seed in range(int(seed), int(seed) + int(games)):
    state = engine.start(seed=own_seed)
    while not state.over:
        legal = engine.legal(state)
        number = (number * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        state, count = engine.apply_legal(state, legal[(number >> 32) * len(legal) >> 32]), count + 1
print(count / (time.process_time() - began))
"""  # it asks for nothing but public names of the package, which earlier commits have, too, if not all of the same


class Baseline:
    """The files of a commit in a folder of their own."""

    def __init__(self, commit: str, folder: Path) -> None:
        self.name = f"{BASELINE_PREFIX}{commit[:12]}"
        self._folder = folder

    def rate(self, table: PlayedTable, players: int, seeds: range) -> float:
        """Decisions per second of processor time; raises `YardstickError` where that commit cannot be measured."""
        words = [table.game, players, seeds.start, len(seeds), ",".join(table.variants), ",".join(table.tokenwise)]
        try:
            result = subprocess.run(
                [sys.executable, "-c", PROGRAM, *map(str, words)],
                cwd=self._folder, env={"PYTHONPATH": str(self._folder / "interpreter"), "PATH": ""},
                capture_output=True, text=True, timeout=SECONDS, check=False,
            )  # fmt: skip
            return float(result.stdout)
        except ValueError:
            lines = result.stderr.strip().splitlines() or ["it printed nothing"]
            raise YardstickError(f"it cannot be measured: {lines[-1]}") from None
        except subprocess.TimeoutExpired:
            raise YardstickError(f"it took more than {SECONDS} seconds") from None


@contextmanager
def check_out(commit: str) -> Generator[Baseline]:
    """The files of a commit, for as long as they are needed. Raises `YardstickError`."""
    with TemporaryDirectory(prefix="rulewright-") as parent:
        folder = Path(parent) / "files"
        _git("worktree", "add", "--detach", str(folder), commit)
        try:
            yield Baseline(commit, folder)
        finally:
            _git("worktree", "remove", "--force", str(folder))


def _git(*words: str) -> None:
    try:
        result = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    except OSError:
        raise YardstickError("git is not installed") from None
    if result.returncode:
        raise YardstickError(f"git: {result.stderr.strip().splitlines()[-1]}")


__all__ = ["BASELINE_PREFIX", "Baseline", "check_out"]
