"""House rules that others wrote from the documentation alone: whatever changes in the language, they stay sound.

Each file in `house_rules/` is a variant of the shipped game with a wish of its own: memory, dice, an event deck, five
players, teams, drafts, auctions, strongholds, secret goals, other ends. Nothing may be found in it, its scenarios pass,
and a game by chance comes to its end.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from random_play import random_positions
from rulewright.checker.checker import check
from rulewright.cli.test import write_results
from rulewright.diagnostics import render_concise
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import State
from rulewright.model.loader import load_rules
from rulewright.scenarios.runner import run_scenario_files

FOLDER = Path(__file__).parent / "house_rules"
SCENARIOS = sorted(FOLDER.glob("*.scenarios.yaml"))
VARIANTS = [path for path in sorted(FOLDER.glob("*.yaml")) if path not in SCENARIOS]
MOST_STEPS = 3_000  # decisions of a game


def played(path: Path) -> list[str]:
    """A variant with those that it requires: files beside it by path, shipped ones by name."""
    found = re.search(r"^(?:requires|joins): \[(.*)\]$", path.read_text(encoding="utf-8"), re.MULTILINE)
    needed = found[1].split(", ") if found else []
    beside = [FOLDER / f"{name}.yaml" for name in needed]
    below = [
        one for file, name in zip(beside, needed, strict=True) for one in (played(file) if file.exists() else [name])
    ]
    return list(dict.fromkeys([*below, str(path)]))


def end(engine: ReferenceEngine, seed: int) -> State:
    *_, state = random_positions(engine, engine.start(seed=seed), random.Random(seed), MOST_STEPS)
    return state


@pytest.mark.slow
@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_it_is_sound_and_comes_to_an_end(path: Path) -> None:
    # whether the book is complete and still true beside them is not what these authors were asked
    found = [one for one in check([path]) if one.code.name not in ("stale-sentence", "no-sentence")]
    assert [render_concise(one) for one in found] == []
    rules = load_rules("splendor", variants=played(path))
    assert end(ReferenceEngine(rules), 1).over


def test_their_scenarios_hold() -> None:
    written: list[str] = []
    assert not write_results(run_scenario_files(SCENARIOS), written.append), "\n".join(written)
