"""Pictures of rules for tests: which games, their rules and their diagrams."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import positions
from positions import TOGETHER
from rulewright.diagram.diagram import Diagram
from rulewright.diagram.diagrams import DIAGRAMS
from rulewright.model.locate import available_games
from rulewright.model.rules import Rules

GAMES = Path(__file__).parent / "games"
FILES = [path for path in sorted(GAMES.rglob("*.yaml")) if "\ngame: " in path.read_text(encoding="utf-8")]
OTHERS = [name for name in available_games() if name != "splendor"]
SHIPPED = [(), ("solo",), ("moving-market",), ("no-giving-back",), ("six-colours",), *TOGETHER["splendor"]]
TABLES = [
    *((str(path), ()) for path in FILES),
    *((name, ()) for name in OTHERS),
    ("nim", ("one-pass", "misere")),
    *(("splendor", variants) for variants in SHIPPED),
]
LARGE = {("splendor", variants) for variants in SHIPPED if variants}
NAMES = [f"{Path(game).stem}{'-' if variants else ''}{'-'.join(variants)}"[:60] for game, variants in TABLES]
every_table = pytest.mark.parametrize(
    ("game", "variants"),
    [
        pytest.param(*table, id=name, marks=[pytest.mark.slow] if table in LARGE else [])
        for table, name in zip(TABLES, NAMES, strict=True)
    ],
)


@cache
def rules_of(game: str, variants: tuple[str, ...]) -> Rules:
    players = 1 if "solo" in variants else positions.load_rules(game).players
    return positions.rules(game, players, variants)


@cache
def picture(show: str, game: str, variants: tuple[str, ...], language: str = "en") -> Diagram:
    rules = rules_of(game, variants)
    before = load_of(game, max(rules.players, 2)) if variants else None
    return DIAGRAMS[show](rules, language, before)


def load_of(game: str, players: int) -> Rules:
    return positions.rules(game, players, ())
