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
PROGRAM: Final = """
import sys, time
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
game, players, seed, games, variants, tokenwise = sys.argv[1:]
listed = [name for name in variants.split(",") if name]
rules = load_rules(game, players=int(players), variants=listed)
engine = ReferenceEngine(rules, tokenwise=[address for address in tokenwise.split(",") if address])
count, began = 0, time.process_time()
for number in range(int(seed), int(seed) + int(games)):
    state, stream = engine.start(seed=number), chance.seed_rng(number, stream=1)
    while not state.over:
        legal = engine.legal(state)
        stream, index = chance.rand_below(stream, len(legal))
        state, count = engine.apply_legal(state, legal[index]), count + 1
print(count / (time.process_time() - began))
"""


class Baseline:
    """The files of a commit in a folder of their own."""

    def __init__(self, commit: str, folder: Path) -> None:
        self.name = f"baseline-{commit[:12]}"
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


__all__ = ["Baseline", "check_out"]
