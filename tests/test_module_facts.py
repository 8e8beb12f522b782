"""The tiles and cards of the modules are the printed ones: the rows of the variants against tables and known sums."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).parent
VARIANTS = TESTS.parent / "variants" / "splendor"
GEMS = ("diamond", "sapphire", "emerald", "ruby", "onyx")


def table(name: str) -> list[dict[str, str]]:
    with (TESTS / "facts" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def variant(name: str) -> dict[str, Any]:
    rules: dict[str, Any] = yaml.safe_load((VARIANTS / f"{name}.yaml").read_text(encoding="utf-8"))
    return rules


def bag(row: dict[str, str], columns: dict[str, str]) -> dict[str, int]:
    """Members and counts above 0; `columns`: the column of each member."""
    return {member: int(row[column]) for member, column in columns.items() if int(row[column])}


# ---- the Cities


def cities() -> list[dict[str, Any]]:
    return list(variant("cities")["add"]["components.city"]["rows"])


def test_each_side_of_a_city_is_the_printed_one() -> None:
    columns = {gem: gem for gem in GEMS} | {"alike": "any_one_colour"}
    printed = [
        {
            "id": row["id"].lower(),
            "tile": int(row["tile"]),
            "prestige": int(row["min_points"]),
            "requires": bag(row, columns),
        }
        for row in table("cities.csv")
    ]
    assert [{key: row[key] for key in printed[0]} for row in cities()] == printed


def test_seven_cities_with_two_sides() -> None:
    assert Counter(row["tile"] for row in cities()) == dict.fromkeys(range(1, 8), 2)
    assert {row["prestige"] for row in cities()} == set(range(11, 18))
    assert sum(row["prestige"] for row in cities()) == 188
    assert sum(sum(row["requires"].values()) for row in cities()) == 101


# ---- the Trading Posts


def test_each_trading_post_asks_for_what_is_printed() -> None:
    posts = variant("trading-posts")["add"]["components.post"]["rows"]
    columns = {gem: gem for gem in GEMS}
    printed = [(bag(row, columns), int(row["nobles"])) for row in table("trading_posts.csv")]
    assert [(row["requires"], row["nobles"]) for row in posts] == printed
    assert sum(sum(row["requires"].values()) for row in posts) == 18
    assert [row["trade"] for row in posts] == variant("trading-posts")["add"]["kinds.trade"]


# ---- the Orient

PRINTED = {"diamond": "white", "sapphire": "blue", "emerald": "green", "ruby": "red", "onyx": "black"}
POWERS = {
    "copy": ["copy"],
    "gold2": ["casket"],
    "copy+free1": ["copy", "free_one"],
    "reserve_noble": ["wants_noble"],
    "double": [],
    "free2": ["free_two"],
    "discard2": [],
}


def orient() -> list[dict[str, Any]]:
    return list(variant("orient")["extend"]["components.card.rows"])


def orient_card(row: dict[str, str]) -> dict[str, Any]:
    """A row of the table as the rules write it: levels 4 to 6 are the Orient's 1 to 3."""
    bonus = row["bonus"] if row["bonus"] in GEMS else "grey"
    card: dict[str, Any] = {
        "id": row["id"].lower().replace("-", "_"),
        "level": int(row["level"]) + 3,
        "bonus": bonus,
        "prestige": int(row["points"]),
        "cost": bag(row, {gem: f"cost_{colour}" for gem, colour in PRINTED.items()}),
    }
    if POWERS[row["power"]]:
        card["powers"] = POWERS[row["power"]]
    if int(row["bonus_count"]) == 2:
        card["extra"] = {bonus: 1}
    if row["discard_colour"]:
        card["tithe"] = {row["discard_colour"]: int(row["discard_count"])}
    return card


def test_each_card_of_the_orient_is_the_printed_one() -> None:
    assert orient() == [orient_card(row) for row in table("orient_cards.csv")]


def test_ten_cards_of_the_orient_a_level_with_their_powers() -> None:
    assert Counter(card["level"] for card in orient()) == {4: 10, 5: 10, 6: 10}
    powers = Counter(power for card in orient() for power in card.get("powers", ()))
    assert powers == {"copy": 7, "casket": 5, "free_one": 2, "free_two": 5, "wants_noble": 3}
    assert sum("extra" in card for card in orient()) == sum("tithe" in card for card in orient()) == 5
    assert sum(card["prestige"] for card in orient()) == 18
    assert sum(sum(card["cost"].values()) for card in orient()) == 40 + 75 + 50
