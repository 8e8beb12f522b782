"""A check that several processes share reports what one process reports, and a helper that is lost costs nothing."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from rulewright.checker.checker import check_paths
from rulewright.checker.shared_checks import check_items
from rulewright.diagnostics import Diagnostics, SourceFile, Span, render_full
from rulewright.expr.codes import UNKNOWN_NAME

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies")

ITEMS = list(range(40))
PARENT = os.getpid()


def check_number(number: int) -> Diagnostics:
    """Every seventh number is wrong."""
    diagnostics = Diagnostics()
    if number % 7 == 0:
        diagnostics.add(Span(SourceFile("numbers", "x" * 50), number, number + 1), UNKNOWN_NAME, f"{number} is wrong")
    return diagnostics


def messages(results: list[Diagnostics]) -> list[list[str]]:
    return [[one.message for one in result] for result in results]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_all_items_are_checked_in_their_order(jobs: int) -> None:
    expected = [[f"{number} is wrong"] if number % 7 == 0 else [] for number in ITEMS]
    assert messages(check_items(check_number, ITEMS, jobs=jobs)) == expected


def test_what_a_lost_helper_had_taken_is_checked_again() -> None:
    def check(number: int) -> Diagnostics:
        if os.getpid() != PARENT:
            os._exit(9)
        return check_number(number)

    assert messages(check_items(check, ITEMS, jobs=3)) == messages([*map(check_number, ITEMS)])


def test_an_exception_is_raised_here() -> None:
    def check(number: int) -> Diagnostics:
        if number == 20:
            raise ZeroDivisionError
        return check_number(number)

    with pytest.raises(ZeroDivisionError):
        check_items(check, ITEMS, jobs=2)


def test_nothing_is_copied_beside_other_threads() -> None:
    processes = set[int]()

    def check(number: int) -> Diagnostics:
        processes.add(os.getpid())
        return Diagnostics()

    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        assert len(check_items(check, ITEMS, jobs=4)) == len(ITEMS)
    finally:
        ended.set()
        thread.join()
    assert processes == {PARENT}


GAME = """game: count
version: 1.0.0
language: 2
players: 1 to 2
text: A game.
parameters: {goal: 3}
state: {points: {per: player, type: 0 to 9}}
actions: {add: {text: You add one., do: [{add: {set: points(me), to: points(me) + 1}}]}}
round: [turns: {for_each: player, turn: player}]
turn: [{act: {must: [add]}}, {end: {when: points(me) >= goal, end_game: now}}]
ranking: [{points: {most: points(player)}}]
"""


def test_a_folder_has_the_same_diagnostics(tmp_path: Path) -> None:
    (tmp_path / "count.yaml").write_text(GAME)
    for index in range(9):
        goal = "gaol" if index % 3 == 0 else str(index)
        text = f"variant: v{index}\nfor: count\ntext: Other.\nset: {{turn.end.when: points(me) >= {goal}}}\n"
        (tmp_path / f"v{index}.yaml").write_text(text)
    alone, shared = (check_paths([tmp_path], jobs=jobs) for jobs in (1, 2))
    assert [render_full(one) for one in shared.diagnostics] == [render_full(one) for one in alone.diagnostics]
    assert len(alone.diagnostics) >= 3
    assert (shared.games, shared.variants, shared.files) == (alone.games, alone.variants, alone.files) == (1, 9, 10)


@pytest.mark.parametrize("end", ["points(me) >= goal", "points(opponent) >= goal", "points(me) >= gaol"])
def test_numbers_of_players_that_are_checked_apart_have_the_same_diagnostics(end: str, tmp_path: Path) -> None:
    (tmp_path / "count.yaml").write_text(GAME.replace("points(me) >= goal", end))
    variant = tmp_path / "other.yaml"
    variant.write_text("variant: other\nfor: count\ntext: Other.\nset: {parameters.goal: 4}\n")
    alone, shared = (check_paths([tmp_path], jobs=jobs) for jobs in (1, 2))
    assert [render_full(one) for one in shared.diagnostics] == [render_full(one) for one in alone.diagnostics]
    assert bool(alone.diagnostics) == (end != "points(me) >= goal")
