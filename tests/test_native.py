"""Machine code: kept and made again, refused in a sentence where llvmlite is missing, limits of its memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import CommandLine
from positions import rules
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.llvm import llvm_facts, llvm_item_tests, machine_code
from rulewright.engine.compiled.llvm.llvm_item_tests import SUM_OF_BYTES, table_or_none
from rulewright.engine.compiled.llvm.llvm_printer import LlvmModule
from rulewright.engine.compiled.playing import machine_support, native_program
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.compiled.translation.action_words import ActionWords
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE
from rulewright.lockstep.lockstep_games import compare_engines
from rulewright.lockstep.lockstep_player import PLAYERS
from rulewright.lockstep.table_programs import FollowedBeginning, TablePrograms
from rulewright.model.loader import load_rules
from rulewright.private_cache import CACHE_VARIABLE
from rulewright.simulation.simulations import MANY_GAMES, SimulationConfig, playing_engine

PACKAGES = Path(__file__).parent.parent / "interpreter"
needs_llvm = pytest.mark.skipif(not machine_support.can_make_machine_code(), reason="llvmlite is not installed")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


@pytest.fixture
def without_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "llvmlite"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "llvmlite", None)


def first_game(game: str, seed: int = 1) -> list[int]:
    from rulewright.engine.compiled.playing.native_game import NativeGame

    made = NativeGame(native_program.NativeProgram(compile_program(load_rules(game))))
    made.start(seed=seed)
    chosen = []
    while not made.is_over:
        chosen.append(made.options[-1])
        made.act(len(made.options) - 1)
    return chosen


@needs_llvm
def test_code_is_kept_and_damaged_code_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kept"))
    made: list[bytes] = []
    keep = machine_code.keep
    monkeypatch.setattr(machine_code, "keep", lambda key, code: (made.append(code), keep(key, code)))
    games = [first_game("nim"), first_game("nim")]
    assert len(made) == 1
    (path,) = (tmp_path / "kept").iterdir()
    path.write_bytes(path.read_bytes()[:-10])
    games.append(first_game("nim"))
    assert made == [made[0]] * 2
    assert games == [games[0]] * 3


@needs_llvm
def test_an_action_that_is_not_listed_is_refused() -> None:
    from rulewright.engine.compiled.playing.native_game import NativeGame

    game = NativeGame(native_program.NativeProgram(compile_program(load_rules("nim"))))
    game.start(seed=1)
    for index in (-1, game.option_count):
        with pytest.raises(IndexError):
            game.act(index)


def test_words_are_as_wide_as_actions_need() -> None:
    narrow, wide = (compile_program(rules(game, 3)) for game in ("splendor", "wrack-line"))
    assert narrow.words.bits < MACHINE_BITS < wide.words.bits
    assert isinstance(wide.words, ActionWords)
    widths = LlvmModule(wide).facts.widths
    assert widths.bits % MACHINE_BITS == 0
    assert widths.bits >= wide.words.bits
    assert "word" in widths.wide["act"]
    assert not any(LlvmModule(narrow).facts.widths.wide.values())


def test_the_same_rules_are_the_same_text() -> None:
    program = compile_program(rules("splendor", 2))
    assert LlvmModule(program).text() == LlvmModule(compile_program(rules("splendor", 2))).text()


@needs_llvm
def test_kept_code_is_found_by_every_process() -> None:
    script = (
        "from rulewright.engine.compiled.compiler import compile_program\n"
        "from rulewright.engine.compiled.llvm.machine_code import code_origin\n"
        "from rulewright.model.loader import load_rules\n"
        "print(code_origin(compile_program(load_rules('kuhn-poker'))))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(PACKAGES)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert " at 0x" not in texts.pop()


def test_kept_code_is_found_also_after_the_program_was_made_fast() -> None:
    program = compile_program(rules("splendor", 2))
    tables, origin = dict(program.row_tables), machine_code.code_origin(program)
    assert program.code.finished
    assert program.row_tables != tables
    assert machine_code.code_origin(program) == origin


def test_no_code_is_made_for_what_nobody_asks_for() -> None:
    model, tokenwise = rules("splendor", 2, ("colours-first",)), ["actions.give_back.choose.tokens"]
    played = LlvmModule(compile_program(model, tokenwise=tokenwise)).text()
    assert "@games(" in played
    assert "@list(" not in played  # whole answers, where pieces are asked for
    assert "options_2_first" not in played  # whether there is one, where pieces say it
    imagined = LlvmModule(compile_program(model, is_imagined=True)).text()
    assert "@list(" in imagined
    assert "@games(" not in imagined


@needs_llvm
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_items_tested_at_once_are_the_same_on_every_processor(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm_facts.platform, "machine", lambda: machine)
    monkeypatch.setenv(CACHE_VARIABLE, "")  # what is kept is of this machine
    model = rules("splendor", 2, ("colours-first",))
    text = LlvmModule(compile_program(model)).text()
    assert (SUM_OF_BYTES in text) == (machine == "x86_64")
    assert (table_or_none("card_cost_lanes_marked") in text) == (machine == "x86_64")
    engines = [(name, PLAYERS[name]) for name in (REFERENCE_ENGINE, NATIVE_ENGINE)]
    assert compare_engines(model, engines, seed=3, decisions=200).finding is None


@needs_llvm
def test_a_fault_in_the_tests_of_several_items_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm_item_tests, "HIGHEST_BIT", 127)
    monkeypatch.setenv(CACHE_VARIABLE, "")  # what is kept has no fault
    engines = [(name, PLAYERS[name]) for name in (REFERENCE_ENGINE, NATIVE_ENGINE)]
    assert compare_engines(rules("splendor", 2), engines, seed=3, decisions=200).finding is not None


@pytest.mark.usefixtures("without_llvm")
def test_without_llvmlite_it_is_refused_in_a_sentence(cli: CommandLine) -> None:
    assert cli("simulate", "nim", "--games", "2", "--engine", "native") == 2
    assert cli.err.strip().endswith(
        "machine code needs llvmlite: pip install 'rulewright[native]', or use --engine python"
    )


@pytest.mark.usefixtures("without_llvm")
def test_without_llvmlite_many_games_are_played_by_generated_python() -> None:
    config = SimulationConfig("nim", 2, (), ("random",) * 2, 1)
    assert playing_engine(config, load_rules("nim"), MANY_GAMES) == ("python", "")


@needs_llvm
def test_many_games_are_played_by_machine_code() -> None:
    config = SimulationConfig("nim", 2, (), ("random",) * 2, 1)
    assert playing_engine(config, load_rules("nim"), MANY_GAMES - 1) == ("python", "")
    assert playing_engine(config, load_rules("nim"), MANY_GAMES) == ("native", "")


@needs_llvm
def test_where_bots_think_any_game_is_played_with_machine_code() -> None:
    config = SimulationConfig("nim", 2, (), ("random", "search:2"), 1)
    assert playing_engine(config, load_rules("nim"), 1) == ("native", "")


@needs_llvm
def test_a_tournament_is_played_with_machine_code(cli: CommandLine) -> None:
    assert cli("tournament", "random", "search:2", "--game", "nim", "--games", "2") == 0
    assert "\nengine: native\n" in cli.out


@needs_llvm
def test_cells_of_packed_programs_are_read_as_those_of_others() -> None:
    programs, games = TablePrograms(rules("splendor", 2), (), ()), list[CompiledGame]()
    for engine in (COMPILED_ENGINE, NATIVE_ENGINE):
        program = programs.played(takes_orders=False, is_native=engine == NATIVE_ENGINE)
        games.append(make_compiled_game(program, engine))
        games[-1].start(seed=1)
    assert games[0].program.cells.size > games[1].program.cells.size
    reading = programs.reading(takes_orders=False)
    knowledge = programs.knowledge(takes_orders=False).after(FollowedBeginning(1, 0), [])
    first, second = (reading.state(game, knowledge) for game in games)
    assert first is second
    assert games[1].state(knowledge) == first
