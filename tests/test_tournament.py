"""Tournaments: fair by their plan, exact in their figures, the same however the work is shared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from math import factorial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import limits
from rulewright.bots.aimless import RandomBot
from rulewright.cli.main import main
from rulewright.simulation import simulations
from rulewright.simulation.simulations import GameStats, SimulationConfig, run_tasks
from rulewright.simulation.standings import TextTable, table_markdown, table_text, tournament_tables
from rulewright.simulation.statistics import Summary
from rulewright.simulation.tournaments import (
    Tournament,
    TournamentBuilder,
    TournamentPlan,
    make_lineups,
    plan_tournament,
)

pytestmark = pytest.mark.slow

NIM = "nim"


def played(order: Sequence[str], *winners: str, finished: bool = True) -> GameStats:
    """A game in which these bots won."""
    won = tuple(seat for seat, bot in enumerate(order) if bot in winners) if finished else ()
    return GameStats(
        seed=1,
        is_finished=finished,
        winners=won,
        places=tuple(1 if seat in won else 1 + len(won) for seat in range(len(order))) if finished else (),
        decisions=1,
        turns=1,
        option_counts=((1, 1),),
        forced_decisions=0,
        measures=(("rank", tuple(len(bot) for bot in order)), ("length", 7)),
    )


def mean(found: Summary | None) -> float:
    assert found is not None
    return found.mean


def scored(planned: TournamentPlan, winners: Sequence[str], *, unfinished: Sequence[int] = ()) -> Tournament:
    scores = TournamentBuilder(planned)
    for at, (order, _) in enumerate(planned.tasks()):
        scores.add(played(order, *winners, finished=at not in unfinished))
    return scores.build()


# ---- the plan -----------------------------------------------------------------------------------------------------


def test_two_seats_make_pairs() -> None:
    assert make_lineups(["a", "b", "c"], 2) == (
        (("a", "b"), ("b", "a")),
        (("a", "c"), ("c", "a")),
        (("b", "c"), ("c", "b")),
    )


def test_fewer_bots_than_seats_fill_them_in_every_way() -> None:
    assert make_lineups(["a", "b"], 3) == (
        (("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")),
        (("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")),
    )
    assert [len(one) for one in make_lineups(["a", "b"], 4)] == [4, 6, 4]


@given(st.integers(2, 6), st.integers(2, 6))
def test_every_bot_sits_in_every_seat_as_often(bots: int, players: int) -> None:
    names = "abcdef"[:bots]
    found = make_lineups(names, players)
    assert len(set(found)) == len(found)
    for lineup in found:
        assert len(set(lineup)) == len(lineup)
        assert len({tuple(sorted(order)) for order in lineup}) == 1
        for seat in range(players):
            sits = Counter(order[seat] for order in lineup)
            share = Counter(lineup[0])
            assert all(sits[bot] * players == share[bot] * len(lineup) for bot in share)
        if players <= limits.MAX_PERMUTED_SEATS and bots >= players:
            assert len(lineup) == factorial(players)
    seats = Counter(bot for lineup in found for order in lineup for bot in order)
    assert len(set(seats.values())) == 1
    assert set(seats) == set(names)


def test_deals_are_whole() -> None:
    assert (plan_tournament(["a", "b"], 2, 5).deals, plan_tournament(["a", "b"], 2, 5).total_games) == (3, 6)
    assert (plan_tournament(["a", "b"], 2, 1).deals, plan_tournament(["a", "b", "c"], 2, 4).total_games) == (1, 12)
    tasks = list(plan_tournament(["a", "b"], 2, 4).tasks())
    assert tasks == [(("a", "b"), 1), (("b", "a"), 1), (("a", "b"), 2), (("b", "a"), 2)]


# ---- the figures --------------------------------------------------------------------------------------------------


def test_who_wins_all_has_won_all() -> None:
    found = scored(plan_tournament(["a", "bb", "ccc"], 2, 20), ["a"])
    assert [mean(one.wins) for one in found.standings] == [1, 0, 0]  # no winner sits between bb and ccc
    assert [one.games for one in found.standings] == [40, 40, 40]
    assert mean(found.head_to_head["a", "bb"]) == 1
    assert mean(found.head_to_head["bb", "a"]) == 0
    assert mean(found.head_to_head["bb", "ccc"]) == 0.5
    assert [mean(one.measures["rank"]) for one in found.standings] == [1, 2, 3]
    assert [mean(one.measures["length"]) for one in found.standings] == [7, 7, 7]


def test_a_shared_win_is_shared_and_a_seat_that_always_wins_helps_nobody() -> None:
    found = scored(plan_tournament(["a", "b"], 2, 8), ["a", "b"])
    assert [mean(one.wins) for one in found.standings] == [0.5, 0.5]
    scores = TournamentBuilder(plan_tournament(["a", "b"], 2, 8))
    for order, _ in scores.plan.tasks():
        scores.add(played(order, order[0]))
    (a, b) = scores.build().standings
    assert a.wins == b.wins
    assert mean(a.wins) == 0.5


def test_a_deal_is_the_unit() -> None:
    found = scored(plan_tournament(["a", "b"], 2, 40), ["a"])
    wins = found.standings[0].wins
    assert wins is not None
    assert (wins.count, found.deals, found.games) == (20, 20, 40)


def test_with_more_seats_wins_are_those_of_a_seat() -> None:
    found = scored(plan_tournament(["a", "b"], 3, 3), ["a"])  # two seats of a share a win
    assert [mean(one.wins) for one in found.standings] == [(0.5 * 6 + 3) / 9, 0]
    assert mean(found.head_to_head["a", "b"]) == 1


def test_a_deal_with_an_unfinished_game_is_left_out_for_those_who_played_it() -> None:
    found = scored(plan_tournament(["a", "b", "c"], 2, 4), ["a"], unfinished=[0])
    assert (found.unfinished_games, found.excluded_deals, found.deals) == (1, 1, 2)
    counts = {pair: one.count for pair, one in found.head_to_head.items() if one is not None}
    assert counts == {("a", "b"): 1, ("b", "a"): 1, ("a", "c"): 2, ("c", "a"): 2, ("b", "c"): 2, ("c", "b"): 2}
    assert [one.wins.count for one in found.standings if one.wins] == [1, 1, 2]


def test_nothing_played_and_nothing_finished_are_no_fault() -> None:
    planned = plan_tournament(["a", "b", "c"], 2, 2)
    for found in (TournamentBuilder(planned).build(), scored(planned, [], unfinished=range(6))):
        assert all(one.wins is None for one in found.standings)
        json.dumps(found.to_data(), allow_nan=False)
        assert all(table_text(grid) and table_markdown(grid) for grid in tournament_tables(found, 80))


def test_tables_leave_intervals_out_before_they_get_too_wide() -> None:
    found = scored(plan_tournament(["a", "bb", "ccc", "dddd", "eeeee"], 2, 4), ["a"])
    for width in (60, 80, 200):
        assert all(max(map(len, table_text(grid))) <= width for grid in tournament_tables(found, width))
    assert "±" in "".join(table_text(list(tournament_tables(found, None))[-1]))


def test_markdown_keeps_its_columns() -> None:
    lines = table_markdown(TextTable(("a", "b|c"), (("1", "2"),)))
    assert lines == ["| a | b\\|c |", "| --- | --- |", "| 1 | 2 |"]


def test_a_bot_is_as_good_as_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bot under two names: every deal is split, since its two games are the same."""
    monkeypatch.setattr(simulations, "make_bot", lambda name, rules, seed, seat: RandomBot(seed, seat))
    planned = plan_tournament(["a", "b"], 2, 12)
    scores = TournamentBuilder(planned)
    setting = SimulationConfig(NIM, 2, (), planned.bots, seed=3)
    for one in run_tasks(setting, planned.tasks(), planned.total_games):
        scores.add(one)
    (a, b) = scores.build().standings
    assert a.wins == b.wins
    assert a.wins is not None
    assert (a.wins.mean, a.wins.deviation, a.wins.count) == (0.5, 0, 6)


# ---- the command --------------------------------------------------------------------------------------------------


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["tournament", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_jobs_change_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    outs, files = [], []
    for jobs in ("1", "2", "3"):
        file = tmp_path / f"{jobs}.csv"
        words = ["random", "greedy", "--game", NIM, "-n", "20", "--jobs", jobs, "--csv", str(file), "--json"]
        outs.append(printed(capsys, *words))
        files.append(file.read_bytes())
    assert outs[0] == outs[1] == outs[2]
    assert files[0] == files[1] == files[2]
    data = json.loads(outs[0])
    assert (data["games"], data["deals"], data["bots"]) == (20, 10, ["random", "greedy"])
    lines = files[0].decode().splitlines()[2:]
    assert [line.split(",")[:2] for line in lines[:3]] == [["1", "1"], ["1", "2"], ["2", "3"]]
    assert len({line.split(",")[2] for line in lines}) == 10  # a seed for each deal


def test_it_goes_on_where_a_file_ends(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, whole = tmp_path / "games.csv", tmp_path / "whole.csv"
    words = ["random", "greedy", "--game", NIM, "--json"]
    printed(capsys, *words, "-n", "4", "--csv", str(path))
    with path.open("a", encoding="utf-8") as file:
        file.write("3,5,12")  # killed in the middle of a line
    expected = printed(capsys, *words, "-n", "9", "--csv", str(whole))
    assert printed(capsys, *words, "-n", "9", "--resume", str(path)) == expected
    assert path.read_bytes() == whole.read_bytes()
    assert main(["tournament", "greedy", "random", "--game", NIM, "-n", "9", "--resume", str(path)]) == 2
    assert "bots" in capsys.readouterr().err
    assert main(["tournament", "random", "greedy", "--game", NIM, "--resume", str(path)]) == 2
    assert "--resume needs --games" in capsys.readouterr().err
    assert main(["simulate", NIM, "--resume", str(path)]) == 2


def test_it_is_printed_for_readers_and_for_readmes(capsys: pytest.CaptureFixture[str]) -> None:
    assert "wins (95 %" in printed(capsys, "greedy", "random", "--game", NIM, "-n", "2")
    assert "| bot |" in printed(capsys, "greedy", "random", "--game", NIM, "-n", "2", "--markdown")


@pytest.mark.parametrize(
    "words",
    ["random", "random random", "random dragon", "random greedy --json --markdown", "random greedy --first-player 8"],
)
def test_wrong_use_is_reported_in_a_sentence(capsys: pytest.CaptureFixture[str], words: str) -> None:
    assert main(["tournament", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
