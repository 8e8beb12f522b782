"""The cards and nobles of the base game, read from the tables in tests/facts.

In: base_cards.csv and base_nobles.csv. Out: `CARDS` and `NOBLES`, by id, in the order of the rows.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

GEMS = ("diamond", "sapphire", "emerald", "ruby", "onyx")
TOKENS = (*GEMS, "gold")
GOLD = 5  # the place of gold in a bag of six counts
LEVELS = (1, 2, 3)

FACTS = Path(__file__).parent.parent / "facts"
PRINTED_COLOURS = ("white", "blue", "green", "red", "black")  # the columns of base_cards.csv, in the order of GEMS


@dataclass(frozen=True, slots=True)
class Card:
    """A development card; `bonus` is a place in GEMS, `cost` five counts in the order of GEMS."""

    id: str
    level: int
    bonus: int
    prestige: int
    cost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Noble:
    """A noble tile; `requires` are five counts of bonuses in the order of GEMS."""

    id: str
    prestige: int
    requires: tuple[int, ...]


def identifier(printed: str) -> str:
    """`L1-diamond-1` as the rule files write it: `l1_diamond_1`."""
    return printed.lower().replace("-", "_")


def read_cards(path: Path = FACTS / "base_cards.csv") -> dict[str, Card]:
    with path.open(newline="") as file:
        cards = [
            Card(
                id=identifier(row["id"]),
                level=int(row["level"]),
                bonus=GEMS.index(row["bonus"]),
                prestige=int(row["points"]),
                cost=tuple(int(row[colour]) for colour in PRINTED_COLOURS),
            )
            for row in csv.DictReader(file)
        ]
    return {card.id: card for card in cards}


def read_nobles(path: Path = FACTS / "base_nobles.csv") -> dict[str, Noble]:
    with path.open(newline="") as file:
        nobles = [
            Noble(id=identifier(row["id"]), prestige=int(row["points"]), requires=tuple(int(row[gem]) for gem in GEMS))
            for row in csv.DictReader(file)
        ]
    return {noble.id: noble for noble in nobles}


CARDS = read_cards()
NOBLES = read_nobles()
