"""No line of the protocol tells a reader what it may not know: positions and shuffles that look the same to it are
answered the same, byte for byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from positions import SEEDS, Spot, Table, engine_of, rules, spots, tables, tried
from readers import Viewer, names, never_known, played, random_orders, reshuffled, viewers
from rulewright.engine import position_json
from rulewright.engine.determinize import determinize
from rulewright.engine.notation import Notation
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.views import Views
from rulewright.protocol.request_handler import RequestHandler as Served
from rulewright.protocol.transport import answer_line
from rulewright.session import load_game
from wished_actions import attempts

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def _rules_are_read_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            load_game,
            "load_kept_rules",
            lambda game=None, *, players=None, variants=(): rules(game, players, tuple(variants)),
        )
        yield


def ask(served: Served, **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = answer_line(json.dumps(request).encode(), served)
    assert answer.get("error", {}).get("code") != "internal", answer
    return answer


def for_viewer(answer: dict[str, Any], viewer: Viewer) -> str | None:
    """The line, when it is for a viewer's eyes."""
    return json.dumps(answer, ensure_ascii=False) if answer["to"] in ("all", viewer) else None


def deciding(state: State) -> Viewer:
    """The seat that has to choose."""
    return state.waiting.seat if isinstance(state.waiting, Decision) else None


def questions(
    engine: ReferenceEngine, viewer: Viewer, asked: list[Action], rng: random.Random
) -> Iterator[dict[str, Any]]:
    """Requests that a viewer can make, good ones and bad ones."""
    notation = Notation(engine.rules)
    yield {"do": "state", "id": 7}
    yield {"do": "result"}
    yield {"do": "view", "seat": None}
    yield {"do": "view"}
    yield {"do": "save"}
    yield {"do": "measures"}
    yield {"do": "chance"}
    if viewer is None:
        return
    yield {"do": "view", "seat": viewer}
    yield {"do": "legal", "seat": viewer}
    yield {"do": "legal", "seat": viewer, "form": "data"}
    yield {"do": "legal", "seat": viewer, "form": "x"}
    for attempt in asked:
        text = notation.format_action(attempt)
        yield {"do": "why_not", "seat": viewer, "action": text, "lang": rng.choice([*engine.rules.languages, "xx"])}
        yield {"do": "why_not", "seat": viewer, "action": notation.action_to_data(attempt)}
        cut = rng.randrange(len(text))
        yield {"do": "apply", "seat": viewer, "action": text[:cut]}
        yield {"do": "why_not", "seat": viewer, "action": text[:cut] + "x" + text[cut:]}


@tried(30)
@given(spots("secret"), SEEDS)
def test_no_line_to_a_reader_tells_the_position_from_an_imagined_one(here: Spot, seed: int):
    engine, rng, table = here.engine, random.Random(seed), here.begin.table
    viewer = rng.choice(viewers(engine))
    lines = []
    for state in (here.state, determinize(engine, here.state, viewer, seed)):
        served, asking = Served(), random.Random(seed)
        loaded = ask(
            served,
            do="load",
            game=table.game,
            variants=list(table.variants),
            tokenwise=sorted(engine.tokenwise),
            position=position_json.state_to_data(engine, state),
        )
        assert "error" not in loaded, loaded
        if viewer is not None and viewer != deciding(state):  # only who has to choose gets the legal list
            assert "error" in ask(served, do="legal", seat=viewer)
        lines.append(
            [
                for_viewer(ask(served, **question), viewer)
                for question in questions(engine, viewer, [*attempts(here, seed, 4), *names(engine, asking)], asking)
            ]
        )
    assert lines[0] == lines[1]
    assert any(lines[0])


@tried(10)
@given(tables("shuffled"), SEEDS, st.integers(1, 60))
def test_no_line_to_a_reader_tells_a_shuffle_from_another(table: Table, seed: int, most: int):
    """Two games over the protocol from their first line on, every line to one reader and to all compared."""
    engine, rng = engine_of(table), random.Random(seed)
    notation = Notation(engine.rules)
    orders = random_orders(engine, rng)
    moves, states = played(engine, engine.start(orders=orders), rng, most)
    viewer = rng.choice(viewers(engine))
    others = reshuffled(engine, never_known(engine, states, viewer), orders, rng)
    one, other = Served(), Served()
    opened = []
    for served, order in ((one, orders), (other, others)):
        opened.append(
            ask(
                served,
                do="new",
                game=table.game,
                players=table.players,
                variants=list(table.variants),
                tokenwise=sorted(engine.tokenwise),
                orders=as_ids(engine, order),
                seed=seed,
            )
        )
        assert "error" not in opened[-1], opened[-1]
    assert opened[0] == opened[1]
    for at, (state, move) in enumerate(zip(states, moves, strict=False)):
        for question in questions(engine, viewer, [move] if at % 5 == 0 else [], rng):
            first, second = ask(one, **question), ask(other, **question)
            assert for_viewer(first, viewer) == for_viewer(second, viewer)
        assert isinstance(state.waiting, Decision)
        request = {"do": "apply", "seat": state.waiting.seat, "action": notation.format_action(move)}
        first, second = ask(one, **request), ask(other, **request)
        if "error" in second:
            assert viewer != state.waiting.seat
            break  # a choice that the seat has only where its hidden cards are these
        if first["over"] != second["over"]:
            break
        assert for_viewer(first, viewer) == for_viewer(second, viewer)


def as_ids(engine: ReferenceEngine, orders: dict[int, list[int]]) -> dict[str, Any]:
    """Orders as the protocol writes them."""
    found: dict[str, Any] = {}
    for name, zone in engine.rules.zones.items():
        if not zone.is_shuffled:
            continue
        ids = engine.rules.components[zone.content_type.component].ids
        lists = [[ids[thing] for thing in orders[zone.first_index + at]] for at in range(zone.size)]
        found[name] = dict(zip(map(str, zone.key_values[0]), lists, strict=True)) if zone.key_types else lists[0]
    return found


def test_a_position_that_waits_for_chance_tells_no_more():
    """While chance is awaited, a reader learns nothing but that it is."""
    table = Table("splendor", 2)
    engine = engine_of(table)
    state = engine.start()
    assert isinstance(state.waiting, ChanceEvent)
    assert Views(engine).view(state, 0)["waiting"] == {"for": "chance"}
