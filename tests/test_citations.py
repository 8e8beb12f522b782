"""No citation is lost: what rules once cited one by one, statements, works and the heads of files cite for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

import pytest

from rulewright.model.explanations import with_passages
from rulewright.model.loader import load_rules

pytestmark = pytest.mark.slow


class Row(TypedDict):
    """What one rule cited."""

    status: str
    source: Mapping[str, list[str]]


# by game and number of players, then by address: as rules said it when every rule had a `source` of its own
TABLE: Mapping[str, Mapping[str, Row]] = json.loads(
    (Path(__file__).parent / "citations.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("table", TABLE)
def test_every_rule_still_has_what_it_cited(table: str) -> None:
    game, players = table.split()
    notes = with_passages(load_rules(game, players=int(players))).provenance
    lost = [
        (address, work, section)
        for address, row in TABLE[table].items()
        for work, sections in row["source"].items()
        for section in sections
        if (work, section) not in notes[address].source
    ]
    assert lost == []
    assert [address for address, row in TABLE[table].items() if notes[address].status != row["status"]] == []


def test_the_table_is_whole() -> None:
    assert {table: len(rows) for table, rows in TABLE.items()}["splendor 4"] > 90
