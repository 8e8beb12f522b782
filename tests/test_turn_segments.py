"""What happens in a turn is told under the seat whose turn it is, and nothing hidden is told by that."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import CommandLine
from positions import Spot, engine_of, spots, tried
from rulewright.engine.determinize import determinize
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision
from rulewright.engine.views import Views
from rulewright.session.match import ChanceOutcome, Match, PlayedAction
from rulewright.session.turn_segments import turn_segments
from rulewright.terminal.board import Board
from rulewright.terminal.transcript import Transcript

LOSING = """
game: losing
version: 1.0.0
language: 2
text: Losing
players: 2
state:
  die: {type: 1 to 6, start: 1}
  pot: {type: 0 to 300}
  rounds: {type: 0 to 99}
actions:
  hold: {text: Keep what is there., do: [empty: {set: pot, to: 0}]}
turn:
  - roll: {roll: die}
  - lost: {when: die < 4, set: pot, to: 0}
  - won: {when: die > 3, set: pot, to: pot + die}
  - act: {when: die > 3, must: [hold]}
round:
  - turns: {for_each: player, turn: player}
  - count: {set: rounds, to: rounds + 1}
  - end: {when: rounds is 9, end_game: now}
"""


def test_each_seat_is_shown_what_happened_in_its_own_turn(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "losing.yaml"
    path.write_text(LOSING, encoding="utf-8")
    assert run_cli("play", str(path), "--seed", "1") == 0
    told = re.findall(r"^ +\d+  player (\d)  hold\n((?: {16}.*\n)*)", run_cli.out, re.MULTILINE)
    lost = 0
    for player, lines in told:
        _, own, *others = [line.strip() for line in lines.splitlines()]
        assert re.match(r"pot: \d+ → 0", own)  # what the action did is not netted with what the next turn does
        players = [int(found) for line in others for found in re.findall(r"^player (\d): die: \d", line)]
        turns = [(int(player) + at) % 2 + 1 for at in range(len(players))]
        assert players == turns, lines
        for line in others:
            rolled = re.match(r"player \d: die: (\d)(?: \(.*?\))?(.*)", line)
            if rolled:
                assert ("pot: 0 → " in rolled[2]) == (int(rolled[1]) > 3), line
                lost += int(rolled[1]) < 4
            else:
                assert re.match(r"round \d: rounds: \d → \d", line), line
    assert len(told) > 4
    assert lost > 2


@pytest.mark.slow
@tried(60)
@given(spots("all"), st.integers(0, 1 << 32))
def test_stretches_join_up(here: Spot, seed: int) -> None:
    """They lead from the position before to the one after, with all that chance said, each in order."""
    if not isinstance(here.state.waiting, Decision):
        return
    match = Match(here.engine, here.state)
    done = match.act(random.Random(seed).choice(match.legal()))
    found = list(turn_segments(here.engine, here.state, done, match.state))
    assert found[0].before is here.state
    assert found[-1].after is match.state
    assert all(one.after is other.before for one, other in pairwise(found))
    assert sum((one.chance_outcomes for one in found), ()) == done.chance_outcomes
    assert found[0].is_own_turn
    assert [one.is_own_turn for one in found] == sorted((one.is_own_turn for one in found), reverse=True)


@pytest.mark.slow
@tried(40)
@given(spots("secret"), st.integers(0, 1 << 32))
def test_no_line_tells_a_position_from_an_imagined_one(here: Spot, seed: int) -> None:
    """Where the action is told alike and the same is seen after it, so is all that happened."""
    waiting = here.state.waiting
    if not isinstance(waiting, Decision):
        return
    rng, engine, views = random.Random(seed), engine_of(here.begin.table), Views(here.engine)
    for seat in (*range(engine.rules.players), None):
        world = determinize(engine, here.state, seat, rng.randrange(1 << 63))
        one, other = Match(engine, here.state), Match(engine, world)
        both = [action for action in one.legal() if action in other.legal()]
        if not both:
            continue
        action = rng.choice(both)
        done = [match.act(action) for match in (one, other)]
        row = views.viewer_index(seat)
        looks_alike = done[0].action_data[row] == done[1].action_data[row]
        looks_alike = looks_alike and _rolled(done[0]) == _rolled(done[1])
        if looks_alike and views.view(one.state, seat) == views.view(other.state, seat):
            assert _lines(engine, row, done[0], here.state, one) == _lines(engine, row, done[1], world, other)


def _rolled(done: PlayedAction) -> list[ChanceOutcome]:
    """What everybody saw chance bring after an action, which its later outcomes may have hidden again."""
    return [(event, outcome) for event, outcome in done.chance_outcomes if event.kind != "draw"]


def _lines(engine: ReferenceEngine, row: int, done: PlayedAction, before, match: Match) -> list[str]:
    return Transcript(Board(engine, "en"), row).action_lines(1, done, before, match.state)
