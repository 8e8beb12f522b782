"""The cards and nobles are the printed ones: the tables and the rule files satisfy every checksum known of them.

Transcriptions that circulate are often wrong in a few rows. These are the rows on which thirteen public tables agree
exactly, and a table with a mistake in any row fails the last checksum.
"""

import csv
import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

TESTS = Path(__file__).parent
RULES = TESTS.parent / "rules" / "splendor"
GEMS = ("diamond", "sapphire", "emerald", "ruby", "onyx")
LETTERS = dict(zip(GEMS, "WUGRK", strict=True))
PRINTED_COLOURS = ("white", "blue", "green", "red", "black")
LEVELS = (1, 2, 3)
SHA_256 = "bdebf32e6aa5008c5a65d0e178f3573cba1dfddc070942abdd6d97e0ad0ea36a"


@dataclass(frozen=True)
class Card:
    id: str
    level: int
    bonus: str
    prestige: int
    cost: tuple[int, ...]


@dataclass(frozen=True)
class Noble:
    id: str
    prestige: int
    requires: tuple[int, ...]


def table(name):
    with (TESTS / "facts" / name).open(newline="") as file:
        return list(csv.DictReader(file))


def lower(printed):
    return printed.lower().replace("-", "_")


def cards_of_table():
    return [
        Card(
            lower(row["id"]),
            int(row["level"]),
            row["bonus"],
            int(row["points"]),
            tuple(int(row[c]) for c in PRINTED_COLOURS),
        )
        for row in table("base_cards.csv")
    ]


def nobles_of_table():
    return [
        Noble(lower(row["id"]), int(row["points"]), tuple(int(row[g]) for g in GEMS))
        for row in table("base_nobles.csv")
    ]


def rows_of(name, component):
    path = RULES / name
    if not path.exists():
        pytest.skip(f"{path.relative_to(TESTS.parent)} is not there")
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert document["rows"] == component
    assert document["for"] == "splendor"
    return document["things"]


def counts(bag):
    assert set(bag) <= set(GEMS)
    assert all(n > 0 for n in bag.values()), "a colour that is not asked for is left out"
    return tuple(bag.get(gem, 0) for gem in GEMS)


def cards_of_rules():
    return [
        Card(row["id"], row["level"], row["bonus"], row["prestige"], counts(row["cost"]))
        for row in rows_of("cards.yaml", "card")
    ]


def nobles_of_rules():
    return [Noble(row["id"], row["prestige"], counts(row["requires"])) for row in rows_of("nobles.yaml", "noble")]


@pytest.fixture(params=[cards_of_table, cards_of_rules], ids=["table", "rules"])
def cards(request):
    return request.param()


@pytest.fixture(params=[nobles_of_table, nobles_of_rules], ids=["table", "rules"])
def nobles(request):
    return request.param()


def rotations(costs):
    """Cost shapes as seen from the bonus colour: (0, 2, …) asks for two of the colour after it on the cycle."""
    return {
        gem: sorted(card.cost[i:] + card.cost[:i] for card in costs if card.bonus == gem) for i, gem in enumerate(GEMS)
    }


def test_every_card_has_an_id_of_its_own_that_tells_level_and_colour(cards):
    assert len({card.id for card in cards}) == len(cards) == 90
    numbers = Counter()
    for card in cards:
        numbers[card.level, card.bonus] += 1
        assert card.id == f"l{card.level}_{card.bonus}_{numbers[card.level, card.bonus]}"


def test_forty_thirty_and_twenty_cards_a_level(cards):
    assert Counter(card.level for card in cards) == {1: 40, 2: 30, 3: 20}


def test_eight_six_and_four_cards_a_colour_at_each_level_and_eighteen_in_all(cards):
    expected = {(level, gem): n for level, n in zip(LEVELS, (8, 6, 4), strict=True) for gem in GEMS}
    assert Counter((card.level, card.bonus) for card in cards) == expected
    assert Counter(card.bonus for card in cards) == dict.fromkeys(GEMS, 18)


def test_prestige_of_the_levels(cards):
    per_level = [sum(card.prestige for card in cards if card.level == level) for level in LEVELS]
    assert per_level == [5, 55, 80]
    assert sum(per_level) == 140


def test_thirty_five_cards_without_prestige_all_of_level_one(cards):
    assert [card.level for card in cards if card.prestige == 0] == [1] * 35


def test_every_colour_is_asked_for_equally_often_at_each_level(cards):
    for level, each in zip(LEVELS, (33, 41, 43), strict=True):
        costs = [card.cost for card in cards if card.level == level]
        assert [sum(column) for column in zip(*costs, strict=True)] == [each] * 5
    assert [sum(column) for column in zip(*(card.cost for card in cards), strict=True)] == [117] * 5
    assert sum(sum(card.cost) for card in cards) == 585


@pytest.mark.parametrize("level", [1, 2])
def test_the_colours_are_no_rotations_of_one_another(cards, level):
    """A table made by rotating one colour's costs would be wrong."""
    shapes = rotations([card for card in cards if card.level == level])
    assert any(shapes[gem] != shapes["diamond"] for gem in GEMS)


def test_the_digest_of_all_cards(cards):
    rows = sorted((card.level, LETTERS[card.bonus], card.prestige, *card.cost) for card in cards)
    lines = "\n".join(",".join(map(str, row)) for row in rows)
    assert hashlib.sha256(lines.encode("ascii")).hexdigest() == SHA_256


def test_the_cards_printed_in_the_rulebooks(cards):
    """Splendor, rulebook, The development cards: one in the English edition, one in the French and English."""
    assert [(c.level, c.bonus, c.prestige) for c in cards if c.cost == (1, 4, 2, 0, 0)] == [(2, "ruby", 2)]
    assert [(c.level, c.bonus, c.prestige) for c in cards if c.cost == (6, 3, 0, 0, 3)] == [(3, "sapphire", 4)]


def test_ten_nobles_numbered_with_three_prestige_each(nobles):
    assert [noble.id for noble in nobles] == [f"n{n:02}" for n in range(1, 11)]
    assert {noble.prestige for noble in nobles} == {3}


def test_nobles_ask_for_neighbours_on_the_cycle_of_colours(nobles):
    def neighbours(how_many, of_each):
        return {tuple(of_each if (i - first) % 5 < how_many else 0 for i in range(5)) for first in range(5)}

    wishes = [noble.requires for noble in nobles]
    assert len(wishes) == 10
    assert set(wishes) == neighbours(2, 4) | neighbours(3, 3)


def test_the_noble_printed_in_the_rulebook(nobles):
    """Splendor, rulebook, The noble tiles: three green, three blue and three white bonuses."""
    assert (3, 3, 3, 0, 0) in [noble.requires for noble in nobles]


def test_the_rule_files_hold_the_rows_of_the_tables_in_their_order():
    assert cards_of_rules() == cards_of_table()
    assert nobles_of_rules() == nobles_of_table()
