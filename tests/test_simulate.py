"""Simulations: the same numbers however the work is shared, and the numbers are right."""

from __future__ import annotations

import dataclasses
import gc
import operator
import signal
from functools import partial
from math import isclose
from multiprocessing import active_children
from pathlib import Path

import pytest

from rulewright.bots.aimless import RandomBot
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision
from rulewright.model.loader import load_rules
from rulewright.simulation import parallel
from rulewright.simulation.aggregate import Simulation, SimulationBuilder, aggregate
from rulewright.simulation.parallel import WorkerError, parallel_map
from rulewright.simulation.shared_sums import simulate_sums
from rulewright.simulation.simulations import (
    GameStats,
    SimulationConfig,
    game_seed,
    is_forced,
    play_game,
    simulate_games,
)
from rulewright.simulation.summary_table import summary_table

pytestmark = pytest.mark.slow

SETTING = SimulationConfig("splendor", 2, (), ("random", "random"), seed=1)

WAITING = """
game: waiting
version: 1.0.0
language: 2
text: Waiting
players: 2
state:
  asked: {type: 0 to 1, start: 0}
actions:
  ask: {when: {never: asked > 0}, do: [note: {set: asked, to: 1}]}
  wait: {do: [note: {set: asked, to: 0}]}
turn:
  - act: {must: [ask], if_unable: wait}
round:
  - turns: {for_each: player, turn: player}
measures:
  asked: asked
  seats: {per: player, is: if player is first_player then 1 else 0}
"""


def run(setting: SimulationConfig, count: int, *, jobs: int = 1) -> tuple[Simulation, list[GameStats]]:
    played = list(simulate_games(setting, range(1, count + 1), jobs=jobs))
    return aggregate(played, len(setting.bots)), played


def test_every_game_has_its_own_seed() -> None:
    assert len({game_seed(base, number) for base in range(3) for number in range(1000)}) == 3000


def test_jobs_change_nothing() -> None:
    alone = run(SETTING, 20)
    assert run(SETTING, 20, jobs=2) == alone
    assert run(SETTING, 20, jobs=3) == alone


@pytest.mark.parametrize("cap", [2000, 40])  # none, and most of the games are given up
def test_sums_of_shared_games_are_those_of_the_games(cap: int) -> None:
    setting = dataclasses.replace(SETTING, cap=cap)
    alone, _ = run(setting, 30)
    for jobs in (1, 2):
        builder = SimulationBuilder(2)
        chunks = list(simulate_sums(setting, range(1, 31), jobs=jobs))
        for chunk in chunks:
            builder.merge(chunk)
        assert builder.build() == alone
        assert sum(chunk.games for chunk in chunks) == 30


def test_sums_grow_in_any_portions() -> None:
    found, played = run(SETTING, 9)
    for size in (1, 4, 9):
        builder = SimulationBuilder(2)
        for first in range(0, 9, size):
            portion = SimulationBuilder(2)
            for game in played[first : first + size]:
                portion.add(game)
            builder.merge(portion)
        assert builder.build() == found
    builder.merge(SimulationBuilder(2))
    assert builder.build() == found


def test_changed_rules_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "waiting.yaml"
    path.write_text(WAITING, encoding="utf-8")
    setting = SimulationConfig(str(path), 2, (), ("random", "random"), seed=1, cap=2)
    first = run(setting, 1)[1][0].measures
    path.write_text(WAITING.replace("asked: asked", "asked: asked + 5"), encoding="utf-8")
    second = run(setting, 1)[1][0].measures
    assert (dict(first)["asked"], dict(second)["asked"]) == (0, 5)


def test_processes_look_for_cycles_as_seldom_as_their_parent() -> None:
    before = gc.get_threshold()
    gc.set_threshold(54_321, 9, 9)
    try:
        assert list(parallel_map(operator.call, [gc.get_threshold] * 3, jobs=2)) == [(54_321, 9, 9)] * 3
    finally:
        gc.set_threshold(*before)


def test_processes_that_are_writing_are_ended() -> None:
    before = set(active_children())
    for taken in (1, 3):
        results = parallel_map(bytes, [2_000_000] * 40, jobs=2)  # more than a pipe holds
        assert [len(next(results)) for _ in range(taken)] == [2_000_000] * taken
        results.close()
    assert set(active_children()) <= before


@pytest.mark.parametrize("is_copied", [True, False])
def test_results_come_in_the_order_of_the_items_until_one_fails(
    monkeypatch: pytest.MonkeyPatch, is_copied: bool
) -> None:
    if not is_copied:
        monkeypatch.setattr(parallel, "can_copy_process", lambda: False)
    numbers = [*range(1, 30), 0, *range(30, 60)]
    taken: list[tuple[int, int]] = []
    with pytest.raises(ZeroDivisionError) as error:
        taken.extend(parallel_map(partial(divmod, 1_000), numbers, jobs=3))
    assert "parallel.py" in "".join(error.value.__notes__)  # where it failed in the other process
    assert taken == [divmod(1_000, number) for number in numbers[:29]]


def test_a_process_that_is_killed_is_told_after_what_came_before() -> None:
    taken: list[None] = []
    with pytest.raises(WorkerError):
        taken.extend(parallel_map(signal.raise_signal, [0] * 20 + [signal.SIGKILL] + [0] * 20, jobs=2))
    assert 20 - 2 * parallel.MAX_PENDING_PER_JOB <= len(taken) <= 20


def test_an_interrupt_ends_the_processes() -> None:
    before = set(active_children())
    games_ = simulate_games(dataclasses.replace(SETTING, bots=("greedy", "greedy")), range(1, 1001), jobs=2)
    next(games_)
    assert len(set(active_children()) - before) == 2
    games_.close()
    assert set(active_children()) <= before


def test_more_games_begin_with_the_same() -> None:
    assert run(SETTING, 3)[1] == run(SETTING, 5)[1][:3]


def test_a_game_is_the_same_alone() -> None:
    assert run(SETTING, 5)[1][3:4] == list(simulate_games(SETTING, range(4, 5)))


def test_what_is_reported() -> None:
    found, played = run(SETTING, 4)
    data = found.to_data()
    assert (data["games"], data["finished"], data["unfinished_seeds"]) == (4, 4, [])
    assert isclose(sum(seat["mean"] for seat in data["wins"]), 1)
    assert data["turns"]["max"] == max(one.turns for one in played)
    assert all(0 <= low <= high <= 1 for low, high in (seat["interval95"] for seat in data["wins"]))
    assert len(data["measures"]["prestige"]) == 2
    assert isclose(
        data["legal_per_decision"]["mean"], sum(p.legal_count for p in played) / sum(p.decisions for p in played)
    )


def test_a_capped_game_is_unfinished_and_has_no_winner() -> None:
    found, played = run(dataclasses.replace(SETTING, cap=3), 2)
    assert found.unfinished_seeds == tuple(one.seed for one in played)
    assert played[0].winners == ()
    assert [one.summary for one in found.wins] == [None, None]
    assert found.measures == {}
    assert played[0].turns == 4


def test_a_game_that_nobody_is_left_to_play_says_so() -> None:
    rules = str(Path(__file__).parent / "games" / "odd" / "leaving.yaml")
    found, _ = run(SimulationConfig(rules, 3, (), ("random",) * 3, seed=1), 2)
    assert any(line.startswith("ended with nobody left in the game: 100") for line in summary_table(found, "abc", 9))


def test_a_shared_win_is_shared() -> None:
    _, (one, *_) = run(SETTING, 1)
    found = aggregate([dataclasses.replace(one, winners=(0, 1))], 2)
    assert [seat.summary.mean for seat in found.wins if seat.summary is not None] == [0.5, 0.5]
    assert found.shared_wins == 1


def test_forced_decisions_are_those_that_stand_in(tmp_path: Path) -> None:
    path = tmp_path / "waiting.yaml"
    path.write_text(WAITING, encoding="utf-8")
    engine = ReferenceEngine(load_rules(str(path)))
    state = engine.start(seed=1)
    assert isinstance(state.waiting, Decision)
    assert is_forced(engine, state, engine.legal(state))
    played = play_game(engine, [RandomBot(1, 0), RandomBot(1, 1)], 1, cap=5)
    assert not played.is_finished
    assert played.forced_decisions == played.decisions == played.legal_count


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_number_of_players(players: int) -> None:
    setting = SimulationConfig("splendor", players, ("open-hands",), ("random",) * players, seed=5, first=1)
    found, _ = run(setting, 2)
    assert len(found.wins) == players
    assert found.unfinished_seeds == ()
