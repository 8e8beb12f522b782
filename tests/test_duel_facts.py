"""The cards of Splendor Duel are the printed ones: its rows against tables and known sums."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).parent
RULES = TESTS.parent / "rules" / "splendor-duel"
TOKENS = {
    "diamond": "white",
    "sapphire": "blue",
    "emerald": "green",
    "ruby": "red",
    "onyx": "black",
    "pearl": "pearl",
}
ABILITIES = {"again": "again", "take_matching": "matching", "privilege": "favour", "steal": "theft"}


def table(name: str) -> list[dict[str, str]]:
    with (TESTS / "facts" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rows(name: str) -> list[dict[str, Any]]:
    things: list[dict[str, Any]] = yaml.safe_load((RULES / name).read_text(encoding="utf-8"))["things"]
    return things


def printed_card(row: dict[str, str]) -> dict[str, Any]:
    """A row of the table in the form of a row of the rules, defaults filled in."""
    has_colour = row["bonus"] in TOKENS
    copies = ["copy"] if row["bonus"] == "copy" else []
    return {
        "id": row["id"].lower().replace("-", "_"),
        "level": int(row["level"]),
        "colour": row["bonus"] if has_colour else "colourless",
        "bonus": int(row["bonus_count"]),
        "prestige": int(row["points"]),
        "crowns": int(row["crowns"]),
        "cost": {token: int(row[column]) for token, column in TOKENS.items() if int(row[column])},
        "abilities": copies + ([ABILITIES[row["ability"]]] if row["ability"] else []),
    }


def test_each_card_is_the_printed_one() -> None:
    defaults = {"colour": "colourless", "abilities": []}
    assert [defaults | row for row in rows("cards.yaml")] == [printed_card(row) for row in table("duel_cards.csv")]


def test_each_royal_card_is_the_printed_one() -> None:
    printed = [
        {
            "id": row["id"].lower(),
            "prestige": int(row["points"]),
            "abilities": [ABILITIES[row["ability"]]] if row["ability"] else [],
        }
        for row in table("duel_royals.csv")
    ]
    assert [{"abilities": []} | row for row in rows("royals.yaml")] == printed


def test_counts_and_sums_of_the_cards() -> None:
    cards = [printed_card(row) for row in table("duel_cards.csv")]
    assert Counter(card["level"] for card in cards) == {1: 30, 2: 24, 3: 13}
    assert Counter(card["colour"] for card in cards) == {**dict.fromkeys(list(TOKENS)[:5], 11), "colourless": 12}
    powers = {"copy": 9, "again": 6, "matching": 5, "favour": 5, "theft": 5}
    assert Counter(ability for card in cards for ability in card["abilities"]) == powers
    totals = {"prestige": 92, "crowns": 28, "bonus": 69}
    assert {field: sum(card[field] for card in cards) for field in totals} == totals
    tokens = dict.fromkeys(list(TOKENS)[:5], 81) | {"pearl": 29}
    assert {token: sum(card["cost"].get(token, 0) for card in cards) for token in TOKENS} == tokens
