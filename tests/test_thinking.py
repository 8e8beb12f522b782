"""Bots choose the same whether they think in positions of the reference engine or in cells of compiled programs."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest

from command_line import CommandLine
from games.playing import fewer_samples
from positions import Table, all_tables, engine_of, rules
from rulewright.bots import deferred_thinking
from rulewright.bots.bot_specs import make_bot
from rulewright.bots.compiled_positions import CompiledPositions, ThinkingProgram
from rulewright.bots.imagined_positions import EnginePositions
from rulewright.bots.native_positions import NativeThinking
from rulewright.bots.player_view import PlayerView
from rulewright.engine.compiled.playing import native_program
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.state import Decision, State
from rulewright.games import simulate
from rulewright.model.locate import available_games
from rulewright.model.rules import Rules

TABLES = [table for table in all_tables() if not table.piecewise]
SAMPLE = 29  # of all tables every twenty-ninth
QUICK = [table for table in TABLES if table.game in available_games() and not table.variants]


def name_of(table: Table) -> str:
    return "-".join([table.game.rpartition("/")[2], str(table.players), *table.variants])


def thinking_of(table: Table) -> list[ThinkingProgram]:
    """The programs in which bots can think at a table."""
    return _thinking_of(table, native_program.OPTIMISATION)


@cache
def _thinking_of(table: Table, optimisation: int) -> list[ThinkingProgram]:
    found: list[ThinkingProgram] = []
    for make in (ThinkingProgram, *([NativeThinking] if can_make_machine_code() else [])):
        with suppress(NotCompiled):
            found.append(make(rules(table.game, table.players, table.variants)))
    return found


def think(table: Table, decisions: int, playouts: int) -> None:
    """Plays a game; at each decision all bots choose in all sorts of positions."""
    engine, programs = engine_of(table), thinking_of(table)
    if not programs:
        return
    names = ["greedy", "heuristic", f"search:{playouts}", *(strategy.name for strategy in engine.rules.strategies)]
    state = engine.start(seed=5)
    for number in range(decisions):
        if not isinstance(state.waiting, Decision):
            return
        seat, legal = state.waiting.seat, engine.legal(state)
        chosen = []
        for name in names:
            choices = [
                make_bot(name, engine.rules, number, seat).choose(PlayerView(engine, state, seat, legal, program))
                for program in (None, *programs)
            ]
            assert len(set(choices)) == 1, (name, number)
            chosen.append(choices[0])
        state = engine.apply_legal(state, chosen[number % len(chosen)])


@pytest.mark.parametrize("table", QUICK, ids=name_of)
def test_bots_choose_the_same_in_shipped_games(table: Table) -> None:
    think(table, fewer_samples(table.game, 6), 4)


@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", TABLES[::SAMPLE], ids=name_of)
def test_bots_choose_the_same_at_tables_with_variants_too(table: Table) -> None:
    think(table, 12, 6)


def view_of(state: State, thinking: ThinkingProgram | None) -> PlayerView:
    engine = engine_of(Table("splendor", 2))
    return PlayerView(engine, state, 0, engine.legal(state), thinking)


def test_a_bot_thinks_in_cells_only_where_these_can_hold_the_position() -> None:
    table = Table("splendor", 2)
    engine, thinking = engine_of(table), thinking_of(table)[0]
    state = engine.start(seed=1)
    assert isinstance(view_of(state, thinking).positions(), CompiledPositions)
    assert isinstance(view_of(state, None).positions(), EnginePositions)
    pile = engine.place_index("deck", (1,))
    ordered = engine.start(seed=1, orders={pile: sorted(engine.layout.contents[pile].things)})  # type: ignore[union-attr]
    assert isinstance(view_of(ordered, thinking).positions(), EnginePositions)


def test_the_engine_of_a_simulation_can_be_chosen() -> None:
    compiled, reference = (simulate("nim", 3, bots=["greedy"], engine=name) for name in ("python", "reference"))
    assert compiled.to_data() == reference.to_data()
    with pytest.raises(ValueError, match="no engine `pyton`"):
        simulate("nim", 1, engine="pyton")  # type: ignore[arg-type]


# ---- play -----------------------------------------------------------------------------------------------------------


def test_play_has_the_same_bots_whatever_they_think_in(run_cli: CommandLine) -> None:
    words = ("play", "kuhn-poker", "--seed", "3", "--seat", "search:20", "--seat", "heuristic")
    assert run_cli(*words) == 0
    by_default = run_cli.out.splitlines()
    fastest = "native" if can_make_machine_code() else "python"
    for asked, taken in (("reference", "reference"), ("python", "python"), ("auto", fastest)):
        assert run_cli(*words, "--engine", asked) == 0
        line = f"bots think with the engine {taken}"
        assert line in run_cli.out.splitlines()
        assert [other for other in run_cli.out.splitlines() if other != line] == by_default


def test_rules_without_a_program_are_thought_of_in_the_reference_engine(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> ThinkingProgram:
        raise NotCompiled("turn.take", "whatever it is")

    monkeypatch.setattr(deferred_thinking, "make_thinking", refuse)
    words = ("play", "nim", "--seed", "3", "--seat", "greedy", "--seat", "greedy")
    assert run_cli(*words, "--engine", "auto") == 0
    assert "bots think with the engine reference" in run_cli.out
    assert run_cli(*words, "--engine", "python") == 2
    assert run_cli.err == "rulewright: --engine python: turn.take cannot be compiled yet: whatever it is\n"


def test_a_program_is_made_when_a_bot_first_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random bots need none, and a hint takes what is there."""
    made: list[str] = []

    def note(model: Rules, **_: object) -> ThinkingProgram:
        made.append(model.game)
        return thinking_of(Table("nim", 2))[0]

    monkeypatch.setattr(deferred_thinking, "make_thinking", note)
    engine = engine_of(Table("nim", 2))
    state, thinking = engine.start(seed=1), deferred_thinking.DeferredThinking(engine.rules)
    for name, count in (("random", 0), ("greedy", 1), ("greedy", 1)):
        make_bot(name, engine.rules, 1, 0).choose(PlayerView(engine, state, 0, engine.legal(state), thinking))
        assert len(made) == count
        assert (thinking.made is None) == (not count)
