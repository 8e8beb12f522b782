"""Games of random bots are the same games whichever engine plays them, and the command says which one does."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from command_line import CommandLine, process
from positions import counts_of
from rulewright.engine.compiled import compiler
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.playing.reserved_memory import reserved_memory
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games
from rulewright.private_cache import CACHE_VARIABLE
from rulewright.simulation import simulations
from rulewright.simulation.compiled_games import CompiledTable
from rulewright.simulation.simulations import SimulationConfig, play_tasks, playing_engine

PLAYED: list[EngineName] = [
    REFERENCE_ENGINE, COMPILED_ENGINE, *([NATIVE_ENGINE] if can_make_machine_code() else []),
]  # fmt: skip
FOR_THINKING: EngineName = PLAYED[-1]  # what `auto` takes where bots think


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def config_of(game: str, players: int, **settings: object) -> SimulationConfig:
    config = SimulationConfig(game, players, (), ("random",) * players, 11)
    return replace(config, **settings)  # type: ignore[arg-type]


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"), [(game, players) for game in available_games() for players in counts_of(game)]
)
def test_both_engines_play_the_same_games(game: str, players: int) -> None:
    config = config_of(game, players, first=players - 1)
    tasks = [(config.bots, number) for number in (1, 2)]
    results = [play_tasks(replace(config, engine=name), tasks) for name in PLAYED]
    assert results == [results[0]] * len(PLAYED)


@pytest.mark.parametrize("cap", [1, 5])
def test_a_game_is_given_up_after_as_many_turns(cap: int) -> None:
    config = config_of("splendor", 2, cap=cap)
    results = [play_tasks(replace(config, engine=name), [(config.bots, 1)]) for name in PLAYED]
    assert results == [results[0]] * len(PLAYED)
    assert not results[0][0].is_finished


@pytest.mark.parametrize("engine", PLAYED)
def test_processes_that_share_games_have_positions_of_their_own(engine: EngineName) -> None:
    game, games = ("splendor", "2000") if engine == NATIVE_ENGINE else ("nim", "60")  # long enough to be at it together
    words = ("simulate", game, "--engine", engine, "--games", games, "--json")
    alone, shared = (process(*words, "--jobs", jobs) for jobs in ("1", "2"))
    assert (shared.returncode, shared.stderr) == (0, "")
    assert shared.stdout == alone.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies")
def test_a_copy_of_a_process_has_rooms_of_its_own() -> None:
    room = reserved_memory(8)
    if not (copy := os.fork()):
        room[0] = 1
        os._exit(0)
    os.waitpid(copy, 0)
    assert room[0] == 0


def refuse(*_: object, **__: object) -> NoReturn:
    raise NotCompiled("actions.take.choose.number", "something")


def test_the_text_of_a_program_is_written_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kept"))
    model = load_rules("nim")
    games = [CompiledTable(compiler.compile_program(model)).play(["random"] * 2, 1)]
    monkeypatch.setattr(CompiledProgram, "to_python", refuse)
    games.append(CompiledTable(compiler.compile_program(model)).play(["random"] * 2, 1))
    assert games[0] == games[1]
    with pytest.raises(NotCompiled):
        CompiledTable(compiler.compile_program(model, checks_invariants=False, takes_orders=True))


def test_which_engine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of("nim", 2)
    rules = load_rules("nim")
    assert playing_engine(config, rules) == (COMPILED_ENGINE, "")
    assert playing_engine(replace(config, engine=REFERENCE_ENGINE), rules) == (REFERENCE_ENGINE, "")
    seeing = replace(config, bots=("random", "greedy"))
    assert playing_engine(seeing, rules) == (FOR_THINKING, "")
    assert playing_engine(replace(seeing, engine=FOR_THINKING), rules) == (FOR_THINKING, "")
    assert playing_engine(replace(seeing, engine=COMPILED_ENGINE), rules) == (COMPILED_ENGINE, "")
    simulations._PLAYED.clear()
    monkeypatch.setattr(compiler, "compile_program", refuse)
    engine, reason = playing_engine(config, rules)
    assert engine == REFERENCE_ENGINE
    assert "actions.take.choose.number cannot be compiled yet" in reason
    assert config.engine == AUTO_ENGINE


def test_the_command_says_which_engine_plays(cli: CommandLine) -> None:
    assert cli("simulate", "nim", "--games", "2") == 0
    assert cli.out.splitlines()[1].endswith("engine: python")
    assert cli("simulate", "nim", "--games", "2", "--engine", "reference") == 0
    assert cli.out.splitlines()[1].endswith("engine: reference")
    assert cli("simulate", "nim", "--games", "2", "--bot", "greedy") == 0
    assert cli.out.splitlines()[1].endswith(f"engine: {FOR_THINKING}")
    assert cli("tournament", "random", "greedy", "--game", "nim", "--games", "2") == 0
    compiled = cli.out
    assert f"engine: {FOR_THINKING}" in compiled.splitlines()
    assert cli("tournament", "random", "greedy", "--game", "nim", "--games", "2", "--engine", "reference") == 0
    assert cli.out == compiled.replace(f"engine: {FOR_THINKING}", "engine: reference")


def test_an_engine_that_cannot_play_is_refused(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    simulations._PLAYED.clear()
    monkeypatch.setattr(compiler, "compile_program", refuse)
    assert cli("simulate", "nim", "--games", "1", "--engine", "python") == 2
    assert "actions.take.choose.number cannot be compiled yet" in cli.err
    assert cli("simulate", "nim", "--games", "1") == 0
    assert "engine: reference (actions.take.choose.number" in cli.out


@pytest.mark.skipif(not can_make_machine_code(), reason="machine code needs llvmlite")
def test_bots_that_cannot_think_in_machine_code_think_in_python(cli: CommandLine) -> None:
    words = "simulate", "--games", "12", "--cap", "2", "--bot", "greedy"
    tokenwise = "--tokenwise", "actions.give_back.choose.tokens"
    assert cli(*words, *tokenwise, "--engine", "native") == 0
    reason = "answers piece by piece, for bots that think in machine code"
    assert f"engine: python (actions.give_back.choose.tokens cannot be compiled yet: {reason})" in cli.out
    native = cli.out.splitlines()[2:]
    assert cli(*words, *tokenwise) == 0
    assert cli.out.splitlines()[1].endswith("engine: python")
    assert cli.out.splitlines()[2:] == native
    assert cli("play", "draughts", "--seat", "greedy", "--seat", "greedy", "--cap", "2", "--engine", "native") == 0
    reason = "actions.jump.do cannot be compiled yet: steps within themselves, for bots that think in machine code"
    assert reason in " ".join(cli.out.split())
