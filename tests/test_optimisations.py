"""Programs mean the same without each of the optimisations; faults planted in the compiler are found by lockstep."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from positions import Table, all_tables, rules
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, binary
from rulewright.engine.compiled.kernel.kernel_statements import Function
from rulewright.engine.compiled.kernel.optimisations import OPTIMISATIONS, Optimisation
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.engine.compiled.llvm.llvm_printer import LlvmModule
from rulewright.engine.compiled.llvm.own_calls import FIRST_VERSION
from rulewright.engine.compiled.python import hardest_counts, least_totals
from rulewright.engine.compiled.translation import answers, evaluation_functions, packed_lanes, payment_answers
from rulewright.engine.compiled.translation.chance_sites import ChanceSites
from rulewright.engine.compiled.translation.game_points import GamePoints
from rulewright.engine.compiled.translation.legal_lists import LegalListWriter
from rulewright.engine.compiled.translation.place_changes import PlaceChanges
from rulewright.engine.compiled.translation.refills import Refills
from rulewright.engine.compiled.translation.step_effects import EffectWriter
from rulewright.engine.engine_names import COMPILED_ENGINE, REFERENCE_ENGINE
from rulewright.lockstep.lockstep_games import compare_engines
from rulewright.lockstep.lockstep_player import PLAYERS, player_without
from rulewright.model.loader import load_rules

SAMPLE = 71  # of all tables every seventy-first: odd, so that some play piece by piece
TABLES = all_tables()[::SAMPLE]
PLAYED = [("splendor", 2, ()), ("wrack-line", 3, ()), ("whist", 4, ())]
WISHES = (str(Path(__file__).parent / "odd_rules" / "wishes.yaml"), 2, ())  # of things that ask for little, and gaps
PRINTED = [("splendor", 2, ("colours-first",)), *PLAYED[1:]]  # with a bound on how many actions can be legal


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


@pytest.mark.parametrize("optimisation", OPTIMISATIONS)
def test_without_an_optimisation_a_program_is_another(optimisation: Optimisation) -> None:
    assert texts_without(optimisation) != texts_without()


@cache
def texts_without(*without: Optimisation) -> list[str]:
    programs = [compile_program(rules(*table), is_native=True, without=without) for table in PRINTED]
    generated_python = compile_program(rules(*PLAYED[0]), without=without).to_python()
    return [*(LlvmModule(program).text_for(FIRST_VERSION) for program in programs), generated_python]


@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("optimisation", OPTIMISATIONS)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join([table.game, str(table.players), *table.variants]))
def test_without_an_optimisation_games_are_the_same(table: Table, optimisation: Optimisation) -> None:
    model = rules(table.game, table.players, table.variants)
    engines = [(name, player_without(name, [optimisation])) for name in PLAYERS]
    result = compare_engines(model, engines, seed=11, decisions=80)
    assert result.finding is None
    assert not result.refusal or "cannot be compiled" in result.refusal


def test_the_command_leaves_optimisations_out(cli: CommandLine) -> None:
    assert cli("lockstep", "nim", "--players", "2", "--games", "1", "--without", OPTIMISATIONS[0]) == 0
    assert cli("lockstep", "nim", "--without", "speed") == 2
    assert OPTIMISATIONS[-1] in cli.err


# ---- faults in the compiler ---------------------------------------------------------------------------------------
def do_nothing(*_: Any, **__: Any) -> None:
    pass


def only(sign: str) -> Callable[[Any], Any]:
    """A method that carries out only what its last argument says."""

    def make(right: Any) -> Any:
        def method(self: Any, *arguments: Any) -> None:
            if arguments[-1] == sign:
                right(self, *arguments)

        return method

    return make


# what is wrong, where, and what stands there instead of what is right
FAULTS: list[tuple[str, object, str, Callable[[Any], Any]]] = [
    ("sums never get less", PlaceChanges, "_tally", only("+")),
    ("pieces leave and do not arrive", PlaceChanges, "change_bag", only("-")),
    ("a thing stays where it was, too", PlaceChanges, "take_out", lambda right: do_nothing),
    ("places are not filled again", Refills, "_refill_place", lambda right: do_nothing),
    ("turns are not counted", GamePoints, "_begin_turn", lambda right: do_nothing),
    ("states are not set back", EffectWriter, "reset", lambda right: do_nothing),
    ("more than enough counts against a price", payment_answers, "subtract_to_zero", lambda right: without_limit),
    ("one of the lanes is not compared", packed_lanes, "_signs", lambda right: lambda lanes: right([*lanes][:-1])),
    ("fewer of an earlier member come first", CodeBuilder, "count_loop", lambda right: rising(right)),
    ("subsets come in another order", answers, "_subset_masks", lambda right: lambda *some: right(*some)[::-1]),
    ("the last clause is not asked", LegalListWriter, "_require", lambda right: but_for_the_last(right)),
    ("the last of a pile is never drawn", ChanceSites, "below", lambda right: of_fewer(right)),
    ("weights are forgotten", evaluation_functions, "product", lambda right: lambda number, weight: number),
    ("states keep their values", EffectWriter, "_set", lambda right: do_nothing),
    ("things are taken to ask for more than they do", least_totals, "_counts", lambda right: one_more_each(right)),
    ("no thing is taken for one that costs nothing", hardest_counts, "OUT_OF_REACH", lambda right: 0),
]


def without_limit(code: CodeBuilder, left: Node, right: Node) -> Node:
    return binary("-", left, right)


def rising(right: Any) -> Any:
    return lambda self, low, high, hint, *, is_falling=False: right(self, low, high, hint)


def but_for_the_last(right: Any) -> Any:
    return lambda self, code, stack, clauses, around: right(self, code, stack, clauses[:-1], around)


def one_more_each(right: Any) -> Any:
    return lambda row, signs: (number + 1 for number in right(row, signs))


def of_fewer(right: Any) -> Any:
    return lambda self, count, site, offset: right(self, binary("-", count, ONE), site, offset)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "where", "name", "plant"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_in_the_compiler_is_found(
    text: str, where: object, name: str, plant: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")  # where there is Python without the fault
    monkeypatch.setattr(where, name, plant(getattr(where, name)))
    engines = [(engine, PLAYERS[engine]) for engine in (REFERENCE_ENGINE, COMPILED_ENGINE)]
    results = (compare_engines(rules(*table), engines, seed=3, games=6) for table in [*PLAYED, WISHES])
    assert any(result.finding is not None or result.refusal for result in results), text


@pytest.mark.parametrize("game", ["splendor", "splendor-duel"])
def test_only_points_that_are_entered_are_joined(game: str) -> None:
    """A game begins once, and goes on from within other points only where it was loaded."""
    program = compile_program(load_rules(game))

    def sizes(functions: Iterable[Function]) -> dict[str, int]:
        return {function.name: sum(1 for _ in all_statements(function.body)) for function in functions}

    written, finished = sizes(program.code.written), sizes(program.functions)
    start = program.points[program.start_point]
    assert finished[start] <= written[start]
    assert any(finished[name] > written[name] for name in (program.points[point] for point in program.resume_points))
