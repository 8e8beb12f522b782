"""What is known about the small games by reckoning or by heart comes out of playing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.playing import (
    FOLDER,
    GAMES,
    ODD,
    begin,
    engine,
    games_by_chance,
    settle,
    understand_file,
)
from rulewright.diagnostics import Report, draw
from rulewright.engine import saved
from rulewright.engine.perft import perft, settled
from rulewright.engine.reference import Engine
from rulewright.engine.state import Decision, State
from rulewright.engine.views import Views
from rulewright.play.match import Match
from rulewright.play.scenario import Runner
from rulewright.play.scenario_file import Case, read_file

RUNNER = Runner()


def scenarios() -> Iterator[Any]:
    """Every case of every game; each has some."""
    for game in GAMES:
        path = FOLDER / game / f"{game}.scenarios.yaml"
        report = Report()
        file = read_file(path, report)
        assert file is not None, [draw(one) for one in report]
        yield from (pytest.param(case, id=f"{game}-{case.name}") for case in file.cases)


@pytest.mark.parametrize("case", scenarios())
def test_scenario(case: Case) -> None:
    assert [draw(one) for one in RUNNER.run(case).complaints] == []


# ---- odd, but valid -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ODD, ids=[path.stem for path in ODD])
def test_odd(path: Path) -> None:
    rules, complaints = understand_file(path)
    assert complaints == []
    assert rules is not None
    assert all(state.over for state, _ in games_by_chance(Engine(rules), 3, close=True))


def test_what_was_chosen_in_secret_is_done_by_who_leaves_meanwhile() -> None:
    """The first sends the second away; that one's own choice was made before, and is carried out all the same."""
    rules, _ = understand_file(FOLDER / "odd" / "leaving.yaml")
    assert rules is not None
    match = Match(Engine(rules), Engine(rules).start(seed=1))
    assert match.engine.gone(match.state) == ()
    for action in ("send(seat=1)", "stay", "stay"):
        match.act(match.notation.parse(action))
    engine, state = match.engine, match.state
    assert engine.gone(state) == (1,)
    asked = rules.states["asked"]
    assert state.variables[asked.first : asked.first + asked.size] == (0, 1, 1)
    assert saved.loads(engine, saved.dumps(engine, state)) == state
    assert [seat for seat, place in enumerate(engine.result(state).places) if place == 3] == [1]


def test_a_name_holds_the_word_of_its_kind() -> None:
    rules, _ = understand_file(FOLDER / "odd" / "own_name.yaml")
    assert rules is not None
    assert rules.languages["en"].names == {"low": ("low tide", "low tides"), "high": ("high tide",)}
    assert rules.languages["fr"].names["low"] == ("marée basse", "marées basses")


# ---- tic-tac-toe ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "count"), [(1, 9), (2, 72), (3, 504), (4, 3024), (5, 15120)])
def test_tic_tac_toe_beginnings(depth: int, count: int) -> None:
    of = engine("tic_tac_toe", 2)
    assert perft(of, begin(of, 0), depth) == count


def test_tic_tac_toe_games() -> None:
    """255,168 games: 131,184 won by the first, 77,904 by the second, 46,080 drawn."""
    of = engine("tic_tac_toe", 2)
    ends: Counter[tuple[int, ...]] = Counter()
    level = Counter([begin(of, 0)])
    positions = 0
    while level:
        following: Counter[State] = Counter()
        for state, ways in level.items():
            positions += 1
            if state.over:
                ends[of.result(state).winners] += ways
                continue
            for action in of.legal(state):
                following[of.apply_legal(state, action)] += ways
        level = following
    assert ends == {(0,): 131_184, (1,): 77_904, (0, 1): 46_080}
    assert ends.total() == 255_168
    assert positions >= 5_478  # the positions that differ on the board


# ---- nim ------------------------------------------------------------------------------------------------------


def heaps_of(of: Engine, state: State) -> tuple[int, ...]:
    zone = of.rules.zones["heaps"]
    return tuple(sum(content) for content in state.contents[zone.first : zone.first + zone.size])


@pytest.mark.parametrize(("variants", "last_wins"), [((), True), (("misere",), False)])
def test_nim_by_the_rule_of_xor(variants: tuple[str, ...], last_wins: bool) -> None:
    """Who moves wins unless the heaps' sizes cancel in binary; for the other end it differs when all are 1."""
    of = engine("nim", 2, variants)

    @cache
    def wins(state: State) -> bool:
        decision = state.waiting
        assert isinstance(decision, Decision)
        for action in of.legal(state):
            after = of.apply_legal(state, action)
            if of.result(after).winners == (decision.seat,) if after.over else not wins(after):
                return True
        return False

    seen: dict[tuple[int, ...], bool] = {}
    open_ = [begin(of, 0)]
    while open_:
        state = open_.pop()
        heaps = heaps_of(of, state)
        if state.over or heaps in seen:
            continue
        seen[heaps] = wins(state)
        xor = heaps[0] ^ heaps[1] ^ heaps[2]
        expected = xor != 0 if last_wins or max(heaps) > 1 else sum(heaps) % 2 == 0
        assert seen[heaps] == expected, heaps
        open_.extend(of.apply_legal(state, action) for action in of.legal(state))
    assert len(seen) == 2 * 3 * 4 - 1
    assert perft(of, begin(of, 0), 1) == 6


# ---- Kuhn poker -----------------------------------------------------------------------------------------------


def test_kuhn_has_twelve_views() -> None:
    """Each of three cards in four situations: at first, after a check, after a bet, after a check and a bet. 30 deals
    and endings: six deals, five ways to play each."""
    of = engine("kuhn", 2)
    views = Views(of)
    seen: set[str] = set()
    ends: Counter[int] = Counter()
    zone = of.rules.zones["purse"]

    def follow(state: State, said: str) -> None:
        if state.over:
            first, second = (sum(content) for content in state.contents[zone.first : zone.first + zone.size])
            assert first + second == 4
            assert of.result(state).winners == ((0,) if first > second else (1,))
            ends[first - 2] += 1
            return
        assert isinstance(state.waiting, Decision)
        seat = state.waiting.seat
        view = views.view(state, seat)
        assert view["zones"]["hand"][str(1 - seat)]["known"] == []
        seen.add(f"{view['zones']['hand'][str(seat)]} {said}")
        for number, action in enumerate(of.legal(state)):
            for after in settled(of, of.apply_legal(state, action)):
                follow(after, said + str(number))

    deals = settled(of, of.start())
    assert len(deals) == 6
    for deal in deals:
        follow(deal, "")
    assert len(seen) == 12
    # of each deal: checked twice, check-bet-fold, check-bet-call, bet-fold, bet-call
    assert ends == {1: 3 + 6, -1: 3 + 6, 2: 6, -2: 6}


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
    assert dict(thrown.waiting.outcomes) == {1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}  # type: ignore[union-attr]  # a chance


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
                partial = isinstance(after.waiting, Decision) and after.waiting.partial is not None
                (open_.append if partial else reached.add)(after)
    assert reached == {whole.apply_legal(start, action) for action in whole.legal(start) if action.number == number}
    assert len(reached) == 1 + 6 + 15 + 20
