"""What holds at every position of every game: nothing is lost, saving keeps all, chance is what it says.

Random games of the shipped rules and of the games in tests/games are stopped at random; see `positions`.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from positions import (
    SEEDS,
    Begin,
    Spot,
    Table,
    all_tables,
    begins,
    census,
    engine_of,
    piecewise_choices,
    settle,
    spots,
    tables,
    tried,
    walk,
)
from rulewright.engine import chance, position_json
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import NotWaitingError
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.views import Views
from rulewright.model.loader import load_rules
from sentences import is_one_sentence

pytestmark = pytest.mark.slow


# ---- nothing is lost ------------------------------------------------------------------------------------------------


@tried(40)
@given(begins())
def test_nothing_is_won_or_lost(begin: Begin):
    engine = engine_of(begin.table)
    whole = None
    for state in walk(begin):
        here = census(engine, state)
        whole = whole or here
        assert here == whole
    assert whole is not None
    assert all(count == 1 for (what, _), count in whole.items() if not what.startswith("kind "))


# ---- saving ---------------------------------------------------------------------------------------------------------


@tried(120)
@given(spots())
def test_a_saved_position_loads_equal(here: Spot):
    line = position_json.state_to_json(here.engine, here.state)
    assert "\n" not in line
    again = position_json.state_from_json(here.engine, line)
    assert again == here.state
    assert hash(again) == hash(here.state)
    assert position_json.state_to_json(here.engine, again) == line
    assert here.engine.legal(again) == here.engine.legal(here.state)


@tried(30)
@given(spots("piecewise"))
def test_a_position_saved_within_a_bag_loads_equal(here: Spot):
    """From here on every position of the game until a bag has been put together piece by piece."""
    engine, state, rng = here.engine, here.state, random.Random(1)
    for _ in range(12):
        state = settle(engine, state, rng)
        if state.over:
            break
        pieces = [action for action in engine.legal(state) if action.token is not None]
        state = engine.apply(state, rng.choice(pieces or engine.legal(state)))
        assert position_json.state_from_json(engine, position_json.state_to_json(engine, state)) == state


def damaged(data: Any, rng: random.Random) -> Any:
    """JSON data with one spot changed: something dropped, doubled, exchanged or replaced."""
    data = json.loads(json.dumps(data))
    spots_: list[tuple[Any, Any]] = []

    def collect(node: Any) -> None:
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            spots_.append((node, key))
            if isinstance(node[key], dict | list):
                collect(node[key])

    collect(data)
    node, key = rng.choice(spots_)
    other, place = rng.choice(spots_)
    match rng.randrange(5):
        case 0:
            del node[key]
        case 1:
            node[key] = rng.choice((None, -1, 0, 1, 7, 10**6, True, "", "x", [], {}, [0], {"x": 1}, 0.5))
        case 2:
            node[key], other[place] = other[place], node[key]
        case 3 if isinstance(node[key], int) and not isinstance(node[key], bool):
            node[key] += rng.choice((-1, 1))
        case _:
            if isinstance(node, list):
                node.append(node[key])
            else:
                node["more"] = node[key]
    try:
        json.dumps(data)
    except ValueError:  # something was put into itself
        return None
    return data


def play_on(engine: ReferenceEngine, state: State, rng: random.Random) -> str:
    """Up to 50 decisions and what chance does between them; returns how the rules failed, if they did."""
    try:
        for _ in range(50):
            state = settle(engine, state, rng)
            if state.over:
                engine.result(state)
                break
            state = engine.apply_legal(state, rng.choice(engine.legal(state)))
    except RuleFault as fault:
        return fault.message
    return ""


@tried(50)
@given(spots(), SEEDS)
def test_a_damaged_save_is_refused_or_can_be_played(here: Spot, seed: int):
    rng = random.Random(seed)
    data = position_json.state_to_data(here.engine, here.state)
    for _ in range(8):
        try:
            state = position_json.state_from_data(here.engine, damaged(data, rng))
        except position_json.InvalidPosition as refused:
            is_one_sentence(refused)
            continue
        assert census(here.engine, state) == census(here.engine, here.state)
        Views(here.engine).view(state, 0)
        # state variables may contradict one another: no rule says which of them go together
        assert re.match("sets |$", play_on(here.engine, state, rng))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "7", '"x"', "[" * 100_000, "{}", "NaN"])
def test_what_is_no_position_is_refused(text: str):
    with pytest.raises(position_json.InvalidPosition):
        position_json.state_from_json(engine_of(all_tables()[0]), text)


@tried(20)
@given(st.data())
def test_a_position_of_other_rules_is_refused(data: st.DataObject):
    one = data.draw(spots("whole"))
    other = data.draw(tables("whole").filter(lambda table: table != one.begin.table))
    with pytest.raises(position_json.InvalidPosition):
        position_json.state_from_json(engine_of(other), position_json.state_to_json(one.engine, one.state))


# ---- chance ---------------------------------------------------------------------------------------------------------


@tried(15)
@given(begins(chance=False))
def test_the_same_seed_gives_the_same_game(begin: Begin):
    table = begin.table
    fresh = load_rules(table.game, players=table.players, variants=table.variants)
    engine = ReferenceEngine(fresh, tokenwise=piecewise_choices(fresh) if table.piecewise else ())
    assert fresh.digest == engine_of(table).rules.digest
    state = engine.start(first=begin.first, seed=begin.seed)
    rng = random.Random(5)
    other = engine_of(table).start(first=begin.first, seed=begin.seed)
    for _ in range(60):
        assert state == other
        if state.over:
            break
        at = rng.randrange(len(engine.legal(state)))
        state, other = (one.apply(s, one.legal(s)[at]) for one, s in ((engine, state), (engine_of(table), other)))


PROGRAM = """
import hashlib
from positions import Begin, all_tables, engine_of, walk
from rulewright.engine.position_json import state_to_json
from rulewright.engine.determinize import determinize
from rulewright.engine.faults import RuleFault
seen = hashlib.sha256()
for number, table in enumerate(all_tables()[::7]):
    for state in walk(Begin(table, 0, number, number, number), 40):
        pass
    seen.update(state_to_json(engine_of(table), state).encode())
    seen.update(state_to_json(engine_of(table), determinize(engine_of(table), state, 0, number)).encode())
print(seen.hexdigest())
"""


def test_the_same_seed_gives_the_same_game_in_another_process():
    """Nothing may hang on the order in which a process happens to keep its sets."""
    found = set()
    for hashing in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        found.add(run.stdout)
    assert len(found) == 1


@tried(30)
@given(begins(chance=False))
def test_chance_from_outside_gives_the_same_game_as_the_seed(begin: Begin):
    """Outcomes drawn from the documented generator and fed one by one lead where the seed leads."""
    assert begin.seed is not None
    engine, state, moves = engine_of(begin.table), None, random.Random(begin.moves)
    rng = chance.seed_rng(begin.seed)
    fed = engine.start(first=begin.first)
    state = engine.start(first=begin.first, seed=begin.seed)
    for _ in range(80):
        while isinstance(fed.waiting, ChanceEvent):
            rng, outcome = chance.pick_weighted(rng, fed.waiting.outcomes)
            fed = engine.resolve_chance(fed, outcome)
        assert unseeded(fed) == unseeded(state)
        assert state.rng == rng
        if state.over:
            break
        action = moves.choice(engine.legal(state))
        state, fed = engine.apply(state, action), engine.apply(fed, action)


def unseeded(state: State) -> tuple[Any, ...]:
    return tuple(getattr(state, name) for name in State.__slots__ if name != "rng")


@tried(25)
@given(tables("shipped"), SEEDS)
def test_a_given_order_is_the_order_of_drawing(table: Table, seed: int):
    """A game whose piles lie in a given order is the game in which chance brings out that order.

    What no order says stays open in both: rolls, and piles that are shuffled again.
    """
    engine, rng = engine_of(table), random.Random(seed)
    orders = {}
    for zone in engine.rules.zones.values():
        for place in range(zone.first_index, zone.first_index + zone.size) if zone.is_shuffled else ():
            things = engine.layout.contents[place].things
            orders[place] = rng.sample(things, len(things))
    ordered, fed = engine.start(orders=orders), engine.start()
    views, drawn = Views(engine), {place: iter(order) for place, order in orders.items()}
    for _ in range(25):
        while isinstance(fed.waiting, ChanceEvent):
            if ordered.waiting == fed.waiting:
                _, outcome = chance.pick_weighted(rng.randrange(1 << 32), fed.waiting.outcomes)
                ordered = engine.resolve_chance(ordered, outcome)
            else:
                outcome = next(drawn[fed.waiting.target])
            fed = engine.resolve_chance(fed, outcome)
        for viewer in (*range(table.players), None):
            assert views.view(ordered, viewer) == views.view(fed, viewer)
        if fed.over:
            break
        action = rng.choice(engine.legal(fed))
        assert engine.legal(ordered) == engine.legal(fed)
        ordered, fed = engine.apply(ordered, action), engine.apply(fed, action)


@tried(40)
@given(spots())
def test_only_what_is_waited_for_can_be_done(here: Spot):
    engine, state = here.engine, here.state
    if isinstance(state.waiting, ChanceEvent):
        assert engine.legal(state) == ()
        outcomes = [value for value, _ in state.waiting.outcomes]
        assert len(set(outcomes)) == len(outcomes) > 0
        assert all(weight > 0 for _, weight in state.waiting.outcomes)
        for outcome in outcomes:
            assert engine.resolve_chance(state, outcome) != state
        with pytest.raises(ValueError, match="outcome"):
            engine.resolve_chance(state, max(outcomes) + 1)
    else:
        with pytest.raises(NotWaitingError):
            engine.resolve_chance(state, 0)
    if not isinstance(state.waiting, Decision):
        assert engine.legal(state) == ()
        with pytest.raises(NotWaitingError):
            engine.apply(state, Action(0, ()))
    else:
        assert engine.legal(state)
