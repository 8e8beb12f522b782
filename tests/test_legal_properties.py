"""What holds for legal actions, for what people write, and at the end, in every position of every game."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.playing import evaluate
from positions import (
    GAMES,
    SEEDS,
    Begin,
    Spot,
    Table,
    all_tables,
    census,
    engine_of,
    settle,
    spot,
    spots,
    tables,
    tried,
)
from rulewright.engine import position_json
from rulewright.engine.determinize import determinize
from rulewright.engine.interface import IllegalAction
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.value_notation import NotationError
from rulewright.engine.views import Views
from sentences import is_one_sentence
from wished_actions import attempts

pytestmark = pytest.mark.slow


# ---- the legal list -------------------------------------------------------------------------------------------------


@tried(100)
@given(spots())
def test_every_listed_action_applies(here: Spot):
    engine, state = here.engine, here.state
    before = position_json.state_to_json(engine, state)
    for action in engine.legal(state):
        after = engine.apply(state, action)
        assert after != state
        assert engine.apply(state, action) == after
        assert engine.apply_legal(state, action) == after
    assert position_json.state_to_json(engine, state) == before


@tried(100)
@given(spots())
def test_no_two_listed_actions_are_the_same(here: Spot):
    actions = here.engine.legal(here.state)
    assert len(set(actions)) == len(actions)
    texts = [here.notation.format_action(action) for action in actions]
    assert len(set(texts)) == len(actions)
    lines = [json.dumps(here.notation.action_to_data(action), sort_keys=True) for action in actions]
    assert len(set(lines)) == len(actions)


@tried(100)
@given(spots())
def test_what_is_written_is_read_again(here: Spot):
    notation, actions = here.notation, here.engine.legal(here.state)
    for action in actions:
        text, data = notation.format_action(action), json.loads(json.dumps(notation.action_to_data(action)))
        for attempt in (
            notation.parse_action(text),
            notation.action_from_data(text),
            notation.action_from_data(data),
            notation.parse_action(f"  {text}\n"),
        ):
            assert notation.match_action(attempt, actions) == action
            assert notation.format_action(attempt) == text or sorted(notation.format_action(attempt)) == sorted(text)
        assert notation.match_action(action, actions) == action


@tried(60)
@given(spots())
def test_nothing_speaks_against_what_is_legal(here: Spot):
    explainer, decision = Explainer(here.engine), here.state.waiting
    if isinstance(decision, Decision):
        for action in here.engine.legal(here.state):
            assert explainer.why_not(here.state, decision.seat, action) == ()
            for made in range(len(action.values)):
                begun = Action(action.number, action.values[:made])
                if decision.partial_action is None or made >= len(decision.partial_action.values):
                    assert explainer.why_not(here.state, decision.seat, begun) == (), begun


@tried(250)
@given(spots(), SEEDS)
def test_whatever_is_not_listed_is_refused_with_a_reason(here: Spot, seed: int):
    engine, state, decision = here.engine, here.state, here.state.waiting
    if not isinstance(decision, Decision):
        return
    legal, explainer = engine.legal(state), Explainer(engine)
    before = position_json.state_to_json(engine, state)
    for attempt in attempts(here, seed, 12):
        if attempt in legal or (here.begin.table.piecewise and whole_answer(here, decision, attempt)):
            continue
        with pytest.raises(IllegalAction):
            engine.apply(state, attempt)
        reasons = explainer.why_not(state, decision.seat, attempt)
        if here.notation.match_action(attempt, legal) is None and not open_to_a_legal_one(attempt, legal):
            assert reasons, here.notation.format_action(attempt)
        else:
            assert not reasons, here.notation.format_action(attempt)
        for reason in reasons:
            assert reason.address in here.rules.provenance
            assert reason.sentence
            json.dumps(reason.to_data())
        assert len({reason.address for reason in reasons}) == len(reasons)
    assert position_json.state_to_json(engine, state) == before


@tried(60)
@given(spots("piecewise"))
def test_a_whole_answer_where_pieces_are_asked_is_refused_with_a_reason(here: Spot):
    engine, state, decision = here.engine, here.state, here.state.waiting
    if not isinstance(decision, Decision):
        return
    legal = engine.legal(state)
    for attempt in whole_engine(here).legal(unbegun(state))[:20]:
        if attempt not in legal:
            with pytest.raises(IllegalAction):
                engine.apply(state, attempt)
            reasons = Explainer(engine).why_not(state, decision.seat, attempt)
            assert reasons, here.notation.format_action(attempt)
            assert all(reason.address in here.rules.provenance for reason in reasons)


def whole_engine(here: Spot) -> ReferenceEngine:
    table = here.begin.table
    return engine_of(Table(table.game, table.players, table.variants))


def unbegun(state: State) -> State:
    """The position without the answer that is being put together."""
    assert isinstance(state.waiting, Decision)
    return replace(state, waiting=state.waiting._replace(partial_action=None, partial_bag=()))


def whole_answer(here: Spot, decision: Decision, attempt: Action) -> bool:
    """Whether an attempt would be legal where answers are given whole, or is one being given piece by piece."""
    whole = whole_engine(here)
    listed = whole.legal(unbegun(here.state))
    return attempt.token is None and (
        here.notation.match_action(attempt, listed) is not None
        or (decision.partial_action is not None and open_to_a_legal_one(attempt, listed))
    )


def open_to_a_legal_one(attempt: Action, legal: tuple[Action, ...]) -> bool:
    """Whether an attempt whose last choices are open can be completed to a legal action."""
    return attempt.token is None and any(
        action.number == attempt.number
        and len(action.values) + (action.token is not None) > len(attempt.values)
        and action.values[: len(attempt.values)] == attempt.values
        for action in legal
    )


@tried(60)
@given(spots(), SEEDS)
def test_nobody_else_may_choose(here: Spot, seed: int):
    decision, explainer = here.state.waiting, Explainer(here.engine)
    for seat in range(here.rules.players):
        if not isinstance(decision, Decision) or seat != decision.seat:
            for attempt in (*here.engine.legal(here.state)[:3], *attempts(here, seed, 3)):
                [reason] = explainer.why_not(here.state, seat, attempt)
                assert reason.kind == "moment"
                assert reason.sentence


@tried(60)
@given(spots("piecewise"))
def test_piece_by_piece_leads_where_whole_answers_lead(here: Spot):
    """The whole answers of a position, and what comes of putting every answer together piece by piece, are the same."""
    table = here.begin.table
    whole = engine_of(Table(table.game, table.players, table.variants))
    state = here.state
    if (
        not isinstance(state.waiting, Decision)
        or state.waiting.partial_action is not None
        or len(whole.legal(state)) > 400
    ):
        return
    wanted = {whole.apply(state, action) for action in whole.legal(state)}
    found, seen, todo = set(), {state}, [state]
    while todo:
        at = todo.pop()
        for action in here.engine.legal(at):
            reached = here.engine.apply(at, action)
            partial = isinstance(reached.waiting, Decision) and reached.waiting.partial_action is not None
            if not partial:
                found.add(reached)
            elif reached not in seen:
                seen.add(reached)
                todo.append(reached)
    assert found == wanted


@pytest.mark.parametrize("address", ["actions.take_pair.choose.colour", "actions.take_pair", "x"])
def test_only_bags_and_sets_are_given_piece_by_piece(address: str):
    with pytest.raises(ValueError, match=address):
        ReferenceEngine(engine_of(Table("splendor", 2)).rules, tokenwise=[address])


# ---- reading what people write --------------------------------------------------------------------------------------

CHARACTERS = st.sampled_from([*"()=,+ 0123456789_-?é\n\"'{}[]", "pass", "take", "nothing", "+stop", "decline", "seat"])


@tried(150)
@given(tables("whole"), st.lists(CHARACTERS, max_size=12), SEEDS)
def test_any_text_is_an_action_or_refused(table: Table, pieces: list[str], seed: int):
    engine, rng = engine_of(table), random.Random(seed)
    here = spot(Begin(table, 0, 1, 1, 0), 0)
    texts = ["".join(pieces)]
    for attempt in (*engine.legal(here.state)[:2], *attempts(here, seed, 2)):
        text = here.notation.format_action(attempt)
        at = rng.randrange(len(text) + 1)
        texts += [text[:at] + "".join(pieces) + text[at:], text[:at] + text[at + 1 :]]
    for text in texts:
        try:
            action = here.notation.parse_action(text)
        except NotationError as refused:
            is_one_sentence(refused)
        else:
            Explainer(engine).why_not(here.state, 0, action)
            assert here.notation.parse_action(here.notation.format_action(action)) == action


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**6) | st.floats(allow_nan=False) | CHARACTERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(CHARACTERS, inner, max_size=3),
    max_leaves=6,
)


@tried(150)
@given(tables("whole"), JSON, SEEDS)
def test_any_data_is_an_action_or_refused(table: Table, data: Any, seed: int):
    here = spot(Begin(table, 0, 1, 1, 0), 0)
    rng = random.Random(seed)
    tries = [data, {"action": data}, {"action": here.rules.actions[0].name, "choose": data}]
    for action in here.rules.actions:
        given_ = {choice.name: data for choice in action.choices[: rng.randint(1, 2)]}
        tries.append({"action": action.name, "choose": given_})
    for one in tries:
        try:
            action = here.notation.action_from_data(one)
        except NotationError as refused:
            is_one_sentence(refused)
        else:
            Explainer(here.engine).why_not(here.state, 0, action)
            # a last choice that nothing is chosen in is left out, and is open when it is read again
            with_ = json.loads(json.dumps(here.notation.action_to_data(action)))
            assert here.notation.action_to_data(here.notation.action_from_data(with_)) == with_


# ---- the end --------------------------------------------------------------------------------------------------------


@tried(80)
@given(spots())
def test_places_are_a_ranking(here: Spot):
    result = here.engine.result(here.state)
    assert len(result.ranks) == here.rules.players
    for place in result.ranks:
        assert place == 1 + sum(other < place for other in result.ranks)
    if here.state.winners is None:
        assert result.winners == tuple(seat for seat, place in enumerate(result.ranks) if place == 1)
    else:
        assert result.winners == here.state.winners
    measures = here.engine.measures(here.state)
    assert set(measures) == {one.name for one in here.rules.measures}
    for seat in range(here.rules.players):
        assert isinstance(evaluate(here.engine, here.state, seat), int)


# ---- imagined worlds ------------------------------------------------------------------------------------------------


@tried(60)
@given(spots(), SEEDS)
def test_an_imagined_world_looks_the_same_and_can_be_played(here: Spot, seed: int):
    engine, state, views = here.engine, here.state, Views(here.engine)
    for viewer in (*range(here.rules.players), None):
        world = determinize(engine, state, viewer, seed)
        assert world == determinize(engine, state, viewer, seed)
        assert views.view(world, viewer) == views.view(state, viewer)
        assert census(engine, world) == census(engine, state)
        assert position_json.state_from_json(engine, position_json.state_to_json(engine, world)) == world
        if isinstance(state.waiting, Decision) and state.waiting.seat == viewer:
            assert engine.legal(world) == engine.legal(state)
        rng = random.Random(seed)
        for _ in range(6):
            world = settle(engine, world, rng)
            if world.over:
                break
            world = engine.apply(world, rng.choice(engine.legal(world)))


FAIR, FOREHEADS = (os.path.relpath(GAMES / name) for name in ("fair.yaml", "foreheads/foreheads.yaml"))
ONCE_WRONG = [  # where imagined worlds once contradicted what others know, what chance may bring, what is half chosen
    (Begin(Table(FAIR, 4), 0, 0, 0, 2), 19),
    (Begin(Table(FAIR, 4), 0, None, 6, 0), 26),
    (Begin(Table(FAIR, 2, (), True), 0, 0, 0, 0), 6),
    (Begin(Table(FAIR, 2), 0, 931, 0, 0), 0),
    (Begin(Table(FOREHEADS, 3), 0, 0, 0, 27), 5),
]


@pytest.mark.parametrize(("begin", "after"), ONCE_WRONG)
def test_an_imagined_world_can_be_saved(begin: Begin, after: int):
    here = spot(begin, after)
    for viewer in (*range(here.rules.players), None):
        for seed in range(20):
            world = determinize(here.engine, here.state, viewer, seed)
            assert Views(here.engine).view(world, viewer) == Views(here.engine).view(here.state, viewer)
            assert position_json.state_from_json(here.engine, position_json.state_to_json(here.engine, world)) == world


@tried(60)
@given(spots(), SEEDS)
def test_what_is_imagined_does_not_depend_on_what_is_so(here: Spot, seed: int):
    """Of two positions that a viewer cannot tell apart, the same imagined worlds come out."""
    for viewer in (*range(here.rules.players), None):
        other = determinize(here.engine, here.state, viewer, seed)
        one, two = (determinize(here.engine, state, viewer, seed + 1) for state in (here.state, other))
        assert one.contents == two.contents


def test_the_tables_are_many():
    assert len(all_tables()) > 40
    assert {table.players for table in all_tables()} >= {2, 3, 4}
    assert Path(__file__).with_name("games").is_dir()
