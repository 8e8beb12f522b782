"""The loop that plays what plays itself: where it stops, and that a session and a bare position go the same way."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from positions import Table, engine_of
from random_play import play_randomly
from rulewright import limits
from rulewright.engine.faults import NoLegalAction
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Playout, RandomChoices, play_out
from rulewright.engine.state import Action, ChanceEvent, State
from rulewright.session.session import Session


def first_action(state: State, legal: tuple[Action, ...]) -> Action:
    return legal[0]


@pytest.fixture
def engine() -> Engine:
    return engine_of(Table("splendor", 2))


def test_each_step_says_what_was_done_and_where(engine: Engine) -> None:
    playout = Playout(engine, engine.start(seed=1))
    for step in islice(play_out(playout, RandomChoices(1).choose), 30):
        assert step.legal == engine.legal(step.before)
        assert step.action in step.legal
        assert step.outcome is None
        assert playout.state == engine.apply(step.before, step.action)


def test_who_reads_no_further_stops_the_game(engine: Engine) -> None:
    playout = Playout(engine, engine.start(seed=1))
    assert len(list(islice(play_out(playout, first_action), 3))) == 3
    assert playout.state.turn_count == 4


def test_a_session_goes_the_same_way(engine: Engine) -> None:
    playout, session = Playout(engine, engine.start(seed=4)), Session.new(engine, seed=4)
    alone = list(play_randomly(playout, random.Random(2), 40))
    assert alone == list(play_randomly(session, random.Random(2), 40))
    assert playout.state == session.state


def test_without_somebody_who_draws_it_waits_for_chance(engine: Engine) -> None:
    playout = Playout(engine, engine.start())
    assert isinstance(playout.state.waiting, ChanceEvent)
    assert list(play_out(playout, first_action)) == []
    outcomes = [step.outcome for step in islice(play_out(playout, first_action, draw=RandomChoices(1).draw), 5)]
    assert None not in outcomes


def test_it_is_given_up_after_turns(engine: Engine) -> None:
    playout = Playout(engine, engine.start(seed=1))
    steps = list(play_out(playout, RandomChoices(1).choose, max_turns=5))
    assert playout.state.turn_count == 6  # the turn that is one too many has begun
    assert max(step.before.turn_count for step in steps) == 5


def test_it_is_given_up_after_too_many_decisions_for_its_turns(engine: Engine) -> None:
    playout, most = Playout(engine, engine.start(seed=1)), 50 * limits.MAX_DECISIONS_PER_TURN
    assert len(list(play_out(playout, first_action, max_turns=50, decisions=most - 2))) == 2


class Stuck(Playout):
    """A game in which nothing can be done."""

    def legal(self) -> tuple[Action, ...]:
        return ()


def test_a_decision_without_an_option_is_a_fault_of_the_rules(engine: Engine) -> None:
    with pytest.raises(NoLegalAction) as fault:
        next(play_out(Stuck(engine, engine.start(seed=1)), first_action))
    assert fault.value.address.startswith("turn.")
