"""Every action has one number, the same in every position, and every number an action."""

from __future__ import annotations

import pytest

from rulewright.engine import chance
from rulewright.engine.numbering import Numbering
from rulewright.engine.reference.reference_engine import Engine
from rulewright.model.loader import load_rules

PIECEMEAL = ("actions.give_back.choose.tokens", "actions.take_different.choose.colours")
GAMES = [
    "splendor",
    "tests/games/tricks/tricks.yaml",
    "tests/games/auction/auction.yaml",
    "tests/games/workers/workers.yaml",
    "tests/games/fair.yaml",
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("piecemeal", [False, True])
def test_numbers_name_actions(game: str, piecemeal: bool) -> None:
    rules = load_rules(game)
    chosen = PIECEMEAL if game == "splendor" else [c.address for a in rules.actions for c in a.choices if _open(c.type)]
    engine = Engine(rules, tokenwise=chosen if piecemeal else ())
    numbering = Numbering(engine)
    for seed in range(3):
        state, dice = engine.start(seed=seed), chance.seeded(seed, stream=9)
        for _ in range(120):
            if state.over:
                break
            actions = engine.legal(state)
            numbers = [numbering.number(action) for action in actions]
            assert len(set(numbers)) == len(actions)
            assert all(0 <= number < numbering.count for number in numbers)
            assert [numbering.action(number) for number in numbers] == list(actions)
            dice, at = chance.below(dice, len(actions))
            state = engine.apply(state, actions[at])


def _open(type_: object) -> bool:
    return type(type_).__name__ in ("Bag", "SetOf")


def test_a_number_that_no_action_has() -> None:
    numbering = Numbering(Engine(load_rules("splendor")))
    for number in (-1, numbering.count):
        with pytest.raises(ValueError, match="numbered 0 to"):
            numbering.action(number)
