"""Recorded games for tests: rules by table, sessions written to a file, lines read and changed."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from positions import Begin, Table, piecewise_choices, recorded
from random_play import play_randomly
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.records.rules_snapshot import load_rules_with_snapshot
from rulewright.session.session import Session

NIM = "nim"
FAIR = "tests/games/fair.yaml"


@cache
def loaded(table: Table) -> tuple[ReferenceEngine, dict[str, Any]]:
    rules, data = load_rules_with_snapshot(table.game, players=table.players, variants=table.variants)
    return ReferenceEngine(rules, tokenwise=piecewise_choices(rules) if table.piecewise else ()), data


def written(
    path: Path, begin: Begin, most: int = 25, *, policy: str = "fair", start: bool = False, back: bool = True
) -> Session:
    """A random game with some taking back, written to a new file."""
    engine, data = loaded(begin.table)
    path.unlink(missing_ok=True)
    rng = random.Random(begin.moves)
    if start:
        state = Session.new(engine, first=begin.first, seed=begin.seed or 0).state
        session = recorded(Session.from_position(engine, state, policy=policy), path, data)
    else:
        seats = ["somebody"] * begin.table.players
        session = Session.new(engine, first=begin.first, seed=begin.seed, policy=policy, seats=seats)
        recorded(session, path, data)
    for step in play_randomly(session, rng):
        if back and step.action is not None and rng.random() < 0.2 and session.can_undo():
            session.undo()
            if rng.random() < 0.5:
                session.redo()
        if len(session.match.history) >= most:
            break
    session.close()
    return session


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
