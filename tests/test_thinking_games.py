"""Games of bots that think are the same games whichever engine plays them, also where something is hidden."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import NoReturn

import pytest

from positions import Table, all_tables, piecewise_choices, rules
from rulewright.bots.followed_view import FollowedView
from rulewright.bots.player_view import PlayerView
from rulewright.engine.compiled.playing.followed_game import FollowedGame
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.simulation import simulations
from rulewright.simulation.game_stats import GameStats
from rulewright.simulation.played_rules import PlayedRules
from rulewright.simulation.simulation_error import SimulationError
from rulewright.simulation.simulations import SimulationConfig, play_tasks

BOTS = ("greedy", "heuristic", "search:3", "random")
SAMPLE = 17  # of all tables every seventeenth: odd, so that every second plays piece by piece
HIDING = [
    Table("splendor", 2, ("hidden-hands",)), Table("splendor", 3), Table("splendor", 2, (), piecewise=True),
    Table("kuhn-poker", 2), Table("whist", 4), Table("tests/games/sack/sack.yaml", 2),
    Table("tests/games/peeking.yaml", 2), Table("tests/games/island/island.yaml", 1, (), piecewise=True),
]  # fmt: skip
SECRET = [Table("wrack-line", 2), Table("tests/games/lowest/lowest.yaml", 3)]


def name_of(table: Table) -> str:
    text = "-".join([table.game.rpartition("/")[2], str(table.players), *table.variants])
    return f"{text}-piecewise" if table.piecewise else text


def play(table: Table, cap: int, engine: EngineName, bots: tuple[str, ...] = BOTS) -> list[GameStats]:
    """A game by bots of all sorts. Raises `NotCompiled` where the engine cannot play it."""
    model = rules(table.game, table.players, table.variants)
    tokenwise = tuple(piecewise_choices(model)) if table.piecewise else ()
    names = tuple(islice(cycle(bots), table.players))
    config = SimulationConfig(
        table.game, table.players, table.variants, names, 3,
        first=table.players - 1, cap=cap, tokenwise=tokenwise, engine=engine,
    )  # fmt: skip
    simulations._PLAYED.clear()
    simulations._PLAYED[simulations._settings(config)] = PlayedRules(model, tokenwise)
    return play_tasks(config, [(names, 1)])


def check_same(table: Table, cap: int) -> None:
    played, names = play(table, cap, REFERENCE_ENGINE), [COMPILED_ENGINE]
    model = rules(table.game, table.players, table.variants)
    tokenwise = tuple(piecewise_choices(model)) if table.piecewise else ()
    try:
        PlayedRules(model, tokenwise).thinking(COMPILED_ENGINE)
    except NotCompiled:
        return
    names += [NATIVE_ENGINE] if can_make_machine_code() else []
    for name in names:
        assert play(table, cap, name) == played, name


@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", [*HIDING, *SECRET], ids=name_of)
def test_every_engine_plays_the_same_game_where_something_is_hidden(table: Table) -> None:
    check_same(table, 4)


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", all_tables()[::SAMPLE], ids=name_of)
def test_every_engine_plays_the_same_game_at_a_sample_of_all_tables(table: Table) -> None:
    check_same(table, 6)


@pytest.mark.slow
def test_every_engine_plays_the_same_whole_game() -> None:
    check_same(Table("splendor", 4), 2000)


# ---- which way is taken ---------------------------------------------------------------------------------------------


def reference_views(monkeypatch: pytest.MonkeyPatch, table: Table) -> tuple[int, int]:
    """How many decisions of bots that think there are, and at how many the reference engine is asked."""
    asked: list[str] = []

    def noted(cls: type, name: str) -> None:
        method = getattr(cls, name)

        def wrapped(self: object) -> object:
            asked.append(cls.__name__)
            return method(self)

        monkeypatch.setattr(cls, name, wrapped)

    noted(PlayerView, "positions")
    noted(FollowedView, "positions")
    play(table, 40, COMPILED_ENGINE, ("greedy",))
    return asked.count("FollowedView"), asked.count("PlayerView")


def test_the_reference_engine_is_seldom_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, in_reference = reference_views(monkeypatch, Table("splendor", 2))
    assert decisions > 30
    assert in_reference < decisions / 10


def test_what_others_choose_in_secret_is_asked_of_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, in_reference = reference_views(monkeypatch, Table("tests/games/lowest/lowest.yaml", 3))
    assert in_reference == decisions > 0


def test_what_a_program_has_no_room_for_is_played_by_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise NotCompiled("round", "more than the program has room for")

    table = Table("nim", 2)
    expected = play(table, 2000, REFERENCE_ENGINE)
    monkeypatch.setattr(FollowedGame, "act", refuse)
    assert play(table, 2000, COMPILED_ENGINE) == expected


# ---- faults ---------------------------------------------------------------------------------------------------------

FAILING = """game: failing
version: 1.0.0
language: 2
text: Failing
players: 2
kinds: {colour: [red, blue]}
parameters: {most: 2}
evaluation: {mine: {weight: 1, is: count(bowl(player))}}
zones:
  bank: {holds: colour, seen_by: all, start: 9 of colour}
  bowl: {holds: colour, seen_by: all, per: player}
actions:
  take:
    choose: {number: {one_of: 1 to 3}}
    do: [take: {move: number of red, from: bank, to: bowl(me)}]
turn: [take: {must: [take]}]
round: [turns: {for_each: player, turn: player}]
invariants:
  limit: {after: step, is: count(bowl(first_player)) <= most}
"""


def test_a_fault_of_the_rules_is_told_alike(tmp_path: Path) -> None:
    path = tmp_path / "failing.yaml"
    path.write_text(FAILING, encoding="utf-8")
    said = set()
    for name in (REFERENCE_ENGINE, COMPILED_ENGINE, *([NATIVE_ENGINE] if can_make_machine_code() else [])):
        config = SimulationConfig(str(path), 2, (), ("greedy", "greedy"), 3)
        simulations._PLAYED.clear()
        with pytest.raises(SimulationError) as fault:
            play_tasks(replace(config, engine=name), [(config.bots, 1)])
        said.add(str(fault.value))
    assert len(said) == 1
    assert "invariants.limit" in said.pop()
