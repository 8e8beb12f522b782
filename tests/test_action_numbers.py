"""Every legal action has a number of its own, from which it can be found again, in random games of all tables."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from positions import Table, engine_of, ranges_of, rules, share_of_rules
from random_play import play_randomly
from rulewright import new_session
from rulewright.engine.numbered_actions import NumberedActions
from rulewright.engine.playout import Playout
from rulewright.engine.state import DECLINE, Action
from rulewright.engine.values import as_tuple
from rulewright.expr.types import SetOf
from rulewright.model.facts.action_numbers import (
    NUMBERING_VERSION,
    ActionNumbering,
    ByCounts,
    BySubset,
    find_action_numbering,
)
from rulewright.model.rules import Rules

TABLES = share_of_rules(1)
DECISIONS = 60


def numbers_of(table: Table) -> ActionNumbering:
    model = rules(table.game, table.players, table.variants)
    return find_action_numbering(model, ranges_of(table.game, table.players, table.variants))


def comparable(model: Rules, action: Action) -> tuple[object, ...]:
    """An action in which the order of a set does not count."""
    if action == DECLINE:
        return (DECLINE,)
    types = [choice.type for choice in model.actions[action.number].choices]
    answers = [
        frozenset(as_tuple(value)) if isinstance(type_, SetOf) else value
        for value, type_ in zip(action.values, types, strict=True)
    ]
    return action.number, *answers


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_numbers_and_actions_belong_together(table: Table) -> None:
    engine = engine_of(table)
    numbered, rng = NumberedActions(engine, numbers_of(table)), random.Random(str(table))
    for first in (0, table.players - 1):
        start = engine.start(seed=rng.randrange(2**32), first=first)
        for state, legal, *_ in play_randomly(Playout(engine, start), rng, DECISIONS):
            numbers = [numbered.number(state, action) for action in legal]
            assert len(set(numbers)) == len(legal)
            assert all(0 <= number < numbered.count for number in numbers)
            for action, number in zip(legal, numbers, strict=True):
                found = numbered.action(state, number)
                assert found is not None
                assert comparable(engine.rules, found) == comparable(engine.rules, action)


@pytest.mark.parametrize(("players", "most"), [(2, 4_000), (3, 10_000), (4, 10_000)])
def test_the_official_rules_need_few_numbers(players: int, most: int) -> None:
    assert numbers_of(Table("splendor", players)).count <= most


def test_numbers_mean_the_same_in_every_position() -> None:
    table = Table("nim", 2)
    engine, numbered = engine_of(table), NumberedActions(engine_of(table), numbers_of(table))
    state = engine.start(seed=1)
    meanings = [numbered.action(state, number) for number in range(numbered.count)]
    assert meanings[0] == DECLINE
    assert len(set(meanings)) == numbered.count
    later = engine.apply_legal(state, engine.legal(state)[-1])
    assert [numbered.action(later, number) for number in range(numbered.count)] == meanings
    with pytest.raises(ValueError, match="there is no action number"):
        numbered.action(state, numbered.count)


@pytest.mark.parametrize(
    "numbering",
    [
        ByCounts((2, 0, 3), 0, 5),
        ByCounts((4, 4, 4, 4, 4, 5), 0, 3),
        ByCounts((1, 1), 1, 1),
        ByCounts((), 0, 0),
    ],
)
def test_bags_are_ranked_by_their_size(numbering: ByCounts) -> None:
    bags = [numbering.counts(rank) for rank in range(numbering.count)]
    assert [numbering.rank(bag) for bag in bags] == list(range(numbering.count))
    assert list(map(sum, bags)) == sorted(map(sum, bags))
    assert len(set(bags)) == numbering.count


@pytest.mark.parametrize("numbering", [BySubset((3, 5, 8, 9), 0, 4), BySubset((1, 2, 3), 2, 2), BySubset((7,), 0, 1)])
def test_sets_are_ranked_by_their_size(numbering: BySubset) -> None:
    sets = [numbering.elements(rank) for rank in range(numbering.count)]
    assert [numbering.rank(each) for each in sets] == list(range(numbering.count))
    assert list(map(len, sets)) == sorted(map(len, sets))
    assert len(set(sets)) == numbering.count


def described(table: Table) -> dict[str, object]:
    """The numbering of a game in a few words: how many numbers there are, and how each choice is numbered."""
    numbering, model = numbers_of(table), rules(table.game, table.players, table.variants)
    choices = {
        action.name: [f"{type(choice).__name__} {choice.count}" for choice in numbered.choices]
        for action, numbered in zip(model.actions, numbering.actions, strict=True)
    }
    return {"count": numbering.count, "actions": choices}


def test_numbers_stay_the_same() -> None:
    """Whoever changes these numbers raises `NUMBERING_VERSION`: tables and networks are kept for a long time."""
    expected = json.loads((Path(__file__).parent / "action_numbers.json").read_text())
    assert expected.pop("version") == NUMBERING_VERSION
    tables = {f"{table.game} {table.players}": table for table in TABLES if not table.variants}
    assert expected == {name: described(table) for name, table in tables.items() if name in expected}


def test_numbers_do_not_depend_on_hashes() -> None:
    """They are the same in every process, in whatever order Python keeps its sets."""
    program = (
        "from rulewright import load_rules; from rulewright.model.facts.facts import Facts;"
        "print(Facts(load_rules('wrack-line', players=3)).action_numbering)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_session_knows_its_numbers() -> None:
    game = new_session("nim", seed=1)
    numbers = [game.action_numbers.number(game.state, action) for action in game.legal()]
    assert [game.action_numbers.action(game.state, number) for number in numbers] == list(game.legal())
