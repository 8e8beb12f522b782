"""Rules that are larger in one way, as variant files of a game, to see how cost grows.

In: a folder. Out: for each way to grow, tables of one game, each a little larger than the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PLAYERS: Final = (2, 3, 4)
HAND_LIMITS: Final = (1, 3, 5, 9)
MARKET_WIDTHS: Final = (2, 4, 6, 8)
MORE_COLOURS: Final = (0, 1, 2, 3)
MORE_CARDS: Final = (0, 30, 90, 180)
MORE_CLAUSES: Final = (0, 4, 12)
MORE_THAN_HELD: Final = 11  # pieces that nobody has at the beginning of a turn, which no analysis of ranges can tell
LEVELS: Final = 3
COLOURS: Final = ("diamond", "sapphire", "emerald", "ruby", "onyx")
SHIPPED: Final = {"hand_limit": 3, "market_width": 4}  # a change that changes nothing is refused
GAME: Final = "splendor"
HEADING: Final = f"variant: {{name}}\nfor: {GAME}\ntext: Rules that grow.\n"


@dataclass(frozen=True, slots=True)
class GrownTable:
    """A table whose rules are of a certain size. `dimension`: in which way; `size`: how far."""

    dimension: str
    size: int
    players: int = 2
    variants: tuple[str, ...] = ()


def grown_tables(folder: Path) -> Iterator[GrownTable]:
    """The tables; their variants are written to the folder."""
    for players in PLAYERS:
        yield GrownTable("players", players, players)
    for dimension, parameter, sizes in (
        ("hand", "hand_limit", HAND_LIMITS),
        ("market", "market_width", MARKET_WIDTHS),
    ):
        for size in sizes:
            is_changed = size != SHIPPED[parameter]
            yield _write(folder, dimension, size, f"set: {{parameters.{parameter}: {size}}}\n" if is_changed else "")
    for more in MORE_COLOURS:
        names = [f"{{colour_{number}: colour {number} | colour {number}}}" for number in range(1, more + 1)]
        colours = f"extend: {{kinds.gem: [{', '.join(names)}]}}\n" if more else ""
        yield _write(folder, "colours", len(COLOURS) + more, colours)
    for more in MORE_CARDS:
        rows = "".join(f"    - {_card(number)}\n" for number in range(more))
        yield _write(folder, "more cards", more, f"extend:\n  components.card.rows:\n{rows}" if more else "")
    for more in MORE_CLAUSES:
        clauses = "".join(
            f"  actions.buy.when.grown_{number}: count(purse(me)) is not {MORE_THAN_HELD + number}\n"
            for number in range(more)
        )
        yield _write(folder, "more clauses", more, f"add:\n{clauses}" if more else "")


def _card(number: int) -> str:
    level, bonus = 1 + number % LEVELS, COLOURS[number % len(COLOURS)]
    other = COLOURS[(number + 1 + number // len(COLOURS) % 4) % len(COLOURS)]
    worth = f"prestige: {level - 1}, cost: {{{other}: {2 * level}}}"
    return f"{{id: grown_{number}, level: {level}, bonus: {bonus}, {worth}}}"


def _write(folder: Path, dimension: str, size: int, changes: str) -> GrownTable:
    if not changes:
        return GrownTable(dimension, size)
    name = f"grown-{dimension.replace(' ', '-')}-{size}"
    path = folder / f"{name}.yaml"
    path.write_text(HEADING.format(name=name) + changes, encoding="utf-8")
    return GrownTable(dimension, size, variants=(str(path),))


__all__ = ["GAME", "GrownTable", "grown_tables"]
