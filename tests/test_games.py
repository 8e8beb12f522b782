"""What is known about the small games of the tests by reckoning comes out of playing them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.playing import (
    FOLDER,
    HERE,
    ODD,
    begin,
    build_file,
    engine,
    games_by_chance,
    settle,
)
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.engine import position_json
from rulewright.engine.game_tree import perft
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.engine.views import Views
from rulewright.scenarios.runner import ScenarioRunner
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.session.match import Match

pytestmark = pytest.mark.slow

RUNNER = ScenarioRunner()


def scenarios() -> Iterator[Any]:
    """Every case of every game; each has some."""
    for game in HERE:
        path = FOLDER / game / f"{game}.scenarios.yaml"
        diagnostics = Diagnostics()
        file = parse_scenario_file(path, diagnostics)
        assert file is not None, [render_full(one) for one in diagnostics]
        yield from (pytest.param(case, id=f"{game}-{case.name}") for case in file.cases)


@pytest.mark.parametrize("case", list(scenarios()))
def test_scenario(case: Case) -> None:
    assert [render_full(one) for one in RUNNER.run(case).diagnostics] == []


# ---- odd, but valid -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ODD, ids=[path.stem for path in ODD])
def test_odd(path: Path) -> None:
    rules, diagnostics = build_file(path)
    assert diagnostics == []
    assert rules is not None
    assert all(state.over for state, _ in games_by_chance(ReferenceEngine(rules), 3, close=True))


def test_what_was_chosen_in_secret_is_done_by_who_leaves_meanwhile() -> None:
    """The first sends the second away; that one's own choice was made before, and is carried out all the same."""
    rules, _ = build_file(FOLDER / "odd" / "leaving.yaml")
    assert rules is not None
    match = Match(ReferenceEngine(rules), ReferenceEngine(rules).start(seed=1))
    assert match.engine.eliminated(match.state) == ()
    for action in ("send(seat=1)", "stay", "stay"):
        match.act(match.notation.parse_action(action))
    engine, state = match.engine, match.state
    assert engine.eliminated(state) == (1,)
    asked = rules.states["asked"]
    assert state.variables[asked.first_index : asked.first_index + asked.size] == (0, 1, 1)
    assert position_json.state_from_json(engine, position_json.state_to_json(engine, state)) == state
    assert [seat for seat, place in enumerate(engine.result(state).ranks) if place == 3] == [1]


def test_a_name_holds_the_word_of_its_kind() -> None:
    rules, _ = build_file(FOLDER / "odd" / "own_name.yaml")
    assert rules is not None
    assert rules.languages["en"].member_names == {"low": ("low tide", "low tides"), "high": ("high tide",)}
    assert rules.languages["fr"].member_names["low"] == ("marée basse", "marées basses")


# ---- others ---------------------------------------------------------------------------------------------------


def test_lowest_counts_its_first_round() -> None:
    """With n players, n + 1 numbers in two houses, all at once: (2n + 2) to the n-th ways."""
    for players in (2, 3):
        of = engine("lowest", players)
        assert perft(of, begin(of, 0), players) == (2 * players + 2) ** players


def test_a_secret_choice_stays_secret() -> None:
    of = engine("lowest", 3)
    views, start = Views(of), begin(of, 0)
    after: list[Any] = [of.apply_legal(start, action) for action in of.legal(start)]
    assert len({str(views.view(state, 1)) for state in after}) == 1
    assert len(set(after)) == 8


def test_a_weighted_die() -> None:
    """The one has two chances of seven."""
    of = engine("race", 1)
    thrown = of.apply_legal(settle(of, of.start()), of.legal(settle(of, of.start()))[0])
    assert thrown.waiting is not None
    assert dict(thrown.waiting.outcomes) == {1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}


def test_tokenwise_answers_are_the_whole_answers() -> None:
    """Piece by piece the same answers are reached as whole."""
    address = "actions.build.choose.cells"
    whole, piecewise = engine("island", 1), engine("island", 1, (), (address,))
    start = begin(whole, 0)
    number = whole.legal(start)[0].number
    reached: set[State] = set()
    open_ = [begin(piecewise, 0)]
    while open_:
        state = open_.pop()
        for action in piecewise.legal(state):
            if action.number == number:
                after = piecewise.apply_legal(state, action)
                partial = isinstance(after.waiting, Decision) and after.waiting.partial_action is not None
                (open_.append if partial else reached.add)(after)
    assert reached == {whole.apply_legal(start, action) for action in whole.legal(start) if action.number == number}
    assert len(reached) == 1 + 6 + 15 + 20
