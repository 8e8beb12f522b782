"""A fault of the rules in play says where it is, for whom, and with which values; of hidden places nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules

GAME = """game: chips
version: 1.0.0
language: 2
text: Chips
players: 2
kinds: {{colour: [red, blue]}}
parameters: {{most: 2}}
zones:
  bank: {{holds: colour, seen_by: all, start: 9 of colour}}
  bowl: {{holds: colour, seen_by: all, per: player}}
  sack: {{holds: colour, seen_by: owner, per: player}}
setup:
  - deal: {{for_each: player where player is not first_player, move: 3 of red, from: bank, to: bowl(player)}}
  - hide: {{for_each: player, move: 1 of blue, from: bank, to: sack(player)}}
actions:
  take:
    choose: {{number: {{one_of: 4 to count(bowl(me))}}}}
    do: [take: {{move: number of red, from: bank, to: bowl(me)}}]
turn:
  - take: {{must: [take]}}
  - end:  {{end_game: now}}
round: [turns: {{for_each: player, turn: player}}]
invariants:
  limit: {{after: step, is: "{holds}"}}
"""


@pytest.mark.parametrize(
    ("holds", "said"),
    [
        (
            "every player has count(bowl(player)) <= most",
            "after a step for player 2: count(bowl(player)) is 3, most is 2",
        ),
        (
            "players is 2 and (every player has every colour has bowl(player, colour) < 3)",
            "after a step for player 2 and red: bowl(player, colour) is 3",
        ),
        ("count(bank) > 15", "after a step: count(bank) is 15"),
        ("every player has sack(player, blue) is 0", "after a step"),
    ],
)
def test_what_an_invariant_fails_for_is_reported(tmp_path: Path, holds: str, said: str) -> None:
    path = tmp_path / "chips.yaml"
    path.write_text(GAME.format(holds=holds), encoding="utf-8")
    with pytest.raises(RuleFault) as fault:
        ReferenceEngine(load_rules(str(path))).start(seed=1)
    assert fault.value.address == "invariants.limit"
    assert fault.value.message == f"does not hold {said}"


def test_a_decision_without_an_option_says_what_helps(tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    path.write_text(GAME.format(holds="count(bank) < 99"), encoding="utf-8")
    with pytest.raises(RuleFault, match="no action is legal; add `if_unable:` with an action or `nothing`"):
        ReferenceEngine(load_rules(str(path))).start(seed=1)
