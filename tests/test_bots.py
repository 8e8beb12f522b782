"""Bots choose by what their seat knows, each from its own stream of the seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.engine.reference import Engine
from rulewright.engine.worlds import imagine
from rulewright.model.load import load_rules
from rulewright.play.bots import BOTS, GreedyBot, RandomBot, Seated
from rulewright.play.match import Match
from rulewright.play.simulate import play_game

LINE = """
game: noughts
version: 1.0.0
language: 1
text: Noughts
players: 2
kinds:
  cell: {grid: 3 by 3}
  row: {lines_of: cell, length: 3}
zones:
  marks: {holds: seat, per: seat, seen_by: all, starts: 5 of seat}
  board: {holds: seat, per: cell, seen_by: all, at_most: 1}
actions:
  mark:
    choose: {cell: {one_of: cell}}
    when: {free: board(cell) is empty}
    do: [mark: {move: 1 of me, from: marks(me), to: board(cell)}]
turn:
  - mark: {must: [mark]}
  - three: {when: "some row has board(row, me) is 3", finish: game, winners: me}
  - full: {when: no cell has board(cell) is empty, finish: game}
round:
  - turns: {for_each: seat, turn: seat}
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(load_rules(players=2))


@pytest.mark.parametrize("name", BOTS)
def test_a_seed_gives_the_same_game(engine: Engine, name: str) -> None:
    def game(seed: int) -> object:
        return play_game(engine, [BOTS[name](seed, seat) for seat in (0, 1)], seed, cap=12)

    assert game(3) == game(3)
    assert game(3) != game(4)


def test_a_bot_does_the_same_wherever_it_cannot_tell_the_difference(engine: Engine) -> None:
    match = Match(engine, engine.start(seed=2))
    for text in ("reserve_from_deck(level=1)", "reserve_from_deck(level=2)", "reserve_from_deck(level=3)"):
        match.act(match.notation.parse(text))
    seat = match.seat
    assert seat is not None
    chosen = set()
    for world in (match.state, *(imagine(engine, match.state, seat, number) for number in range(4))):
        chosen.add(GreedyBot(5, seat).choose(Seated(engine, world, seat, engine.legal(world))))
    assert len(chosen) == 1


def test_a_bot_is_not_given_the_position() -> None:
    assert {name for name in dir(Seated) if not name.startswith("_")} == {"engine", "imagined", "legal", "seat"}


def test_careful_bots_beat_careless_ones(engine: Engine) -> None:
    wins = 0
    for seed in range(3):
        result = play_game(engine, [GreedyBot(seed, 0), RandomBot(seed, 1)], seed)
        wins += result.winners == (0,)
    assert wins == 3


def test_a_careful_bot_completes_its_line(tmp_path: Path) -> None:
    path = tmp_path / "noughts.yaml"
    path.write_text(LINE, encoding="utf-8")
    engine = Engine(load_rules(str(path)))
    match = Match(engine, engine.start(seed=1))
    for cell in ("a1", "a2", "b1", "b2"):
        match.act(match.notation.parse(f"mark(cell={cell})"))
    action = GreedyBot(1, 0).choose(Seated(engine, match.state, 0, match.legal()))
    assert match.notation.write(action) == "mark(cell=c1)"


def test_bots_do_not_share_a_stream(engine: Engine) -> None:
    state = engine.start(seed=1)
    actions = engine.legal(state)
    choices = [
        [RandomBot(9, seat).choose(Seated(engine, state, seat, actions)) for seat in range(6)],
        [RandomBot(seed, 0).choose(Seated(engine, state, 0, actions)) for seed in range(6)],
    ]
    assert all(len(set(row)) > 1 for row in choices)
