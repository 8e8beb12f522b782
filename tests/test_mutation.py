"""Which changes of rules scenarios notice: all sorts of changes, each tried by the cases that come by; a sample."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from command_line import CommandLine
from rulewright.coverage.case_traces import ObservedScenarios
from rulewright.coverage.equivalence import EquivalenceProver
from rulewright.coverage.game_differences import GamePair
from rulewright.coverage.mutation_report import mutation_summary
from rulewright.coverage.mutation_run import (
    MutationTask,
    draw_sample,
    mutants_of,
    plan_mutations,
    run_mutation,
    run_mutations,
)
from rulewright.coverage.rule_mutants import rule_mutants
from rulewright.coverage.survivors import examine_mutation
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.engine.default_engine import make_engine
from rulewright.model.loader import load_rules
from rulewright.model.rules import Rules
from rulewright.scenarios.runner import find_scenario_files
from rulewright.scenarios.scenario_file import parse_scenario_file

HERE = Path(__file__).parent
HEAP = HERE / "coverage" / "heap.scenarios.yaml"
HOARD = HERE / "coverage" / "hoard.yaml"
SHIPPED = HERE / "scenarios"
HOUSE_RULE = HERE / "house_rules" / "bank-exchange.scenarios.yaml"
LEAST_NOTICED = 95  # of a hundred changes of the official rules
SAMPLE = 25


def planned(path: Path, only: str = "") -> tuple[MutationTask, ...]:
    scenarios, traces = ObservedScenarios(), []
    for file in find_scenario_files([path]):
        parsed = parse_scenario_file(file, Diagnostics())
        assert parsed is not None
        traces += scenarios.run_all(parsed.cases)
    return plan_mutations(traces, scenarios.rules, only)


@cache
def official() -> tuple[MutationTask, ...]:
    return planned(SHIPPED, "splendor")


def unsettable(setting: str) -> Rules:
    raise RulesError(Diagnostics())


def test_the_mutants_of_a_small_game(run_cli: CommandLine) -> None:
    """Rewritten by `rulewright test tests/coverage/heap.scenarios.yaml --mutate`, without the lines about files."""
    assert run_cli("test", str(HEAP), "--mutate") == 0
    _, _, report = run_cli.out.partition("failed\n\n")
    assert report == (HEAP.parent / "heap.mutants.txt").read_text(encoding="utf-8")


def test_the_mutants_of_a_set_up_by_chance(run_cli: CommandLine, tmp_path: Path) -> None:
    """What differs before anybody decides is told, also where the rules fail there, and written as a case."""
    for name in ("deal.yaml", "deal.scenarios.yaml"):
        (tmp_path / name).write_bytes((HEAP.parent / name).read_bytes())
    assert run_cli("test", str(tmp_path), "--mutate", "--write-cases", str(tmp_path / "more")) == 0
    _, _, report = run_cli.out.partition("failed\n\n")
    expected = (HEAP.parent / "deal.mutants.txt").read_text(encoding="utf-8")
    assert report == f"{expected}4 cases that would notice written to {tmp_path / 'more'}\n"
    gift = (tmp_path / "more" / "001-setup.gift.scenarios.yaml").read_text(encoding="utf-8")
    assert "zones: {bank: {chip: 2}, purse: {1: {chip: 1}}}" in gift
    assert run_cli("test", str(tmp_path), "--mutate") == 0
    assert run_cli.out.endswith("11 of 15 noticed (73.3 %), 4 unnoticed (26.6 %)\n")


def test_a_written_case_says_what_stays_as_it_was(run_cli: CommandLine, tmp_path: Path) -> None:
    """A fault that makes an action change too much is noticed by what the action should not change."""
    for name in ("bonus.yaml", "bonus.scenarios.yaml"):
        (tmp_path / name).write_bytes((HEAP.parent / name).read_bytes())
    assert run_cli("test", str(tmp_path), "--mutate", "--write-cases", str(tmp_path / "more")) == 0
    assert run_cli("test", str(tmp_path), "--mutate") == 0
    assert "actions.take.do.bonus" not in run_cli.out.partition("no scenario notices")[2]


def test_each_clause_is_negated_left_out_and_off_by_one() -> None:
    rules = load_rules(str(HEAP.parent / "heap.yaml"))
    mutants = rule_mutants(rules, unsettable)
    words = [mutant.words for mutant in mutants if mutant.address == "actions.rest.when.late"]
    assert words == [
        "`count(heap) <= 3` becomes `not (count(heap) <= 3)`",
        "`count(heap) <= 3` is left out",
        "`count(heap) <= 3` becomes `count(heap) <= 4`",
        "`count(heap) <= 3` becomes `count(heap) <= 2`",
    ]
    steps = {step.address for block in rules.blocks for step in block.steps}
    assert steps == {mutant.address for mutant in mutants if mutant.words == "does not happen"}
    assert "`take` is not offered" in [mutant.words for mutant in mutants if mutant.address == "turn.act"]


def test_of_several_conditions_by_name_each_is_changed_alone() -> None:
    mutants = rule_mutants(load_rules(str(HEAP.parent / "bonus.yaml")), unsettable)
    assert [mutant.words for mutant in mutants if mutant.address == "turn.end.when"] == [
        "`bank is empty` becomes `not (bank is empty)`",
        "`bank is empty` is left out",
        "`round_number > 2` becomes `not (round_number > 2)`",
        "`round_number > 2` is left out",
        "`round_number > 2` becomes `round_number > 3`",
        "`round_number > 2` becomes `round_number > 1`",
    ]


def test_a_key_that_is_in_no_kind_makes_no_rules() -> None:
    """Of a deck for each level from 1 on, that of level 2 is another rule, and that of level 0 none."""
    tasks = planned(HERE / "house_rules" / "passing-draft.scenarios.yaml")
    verdicts = {task.words: run_mutation(task).verdict for task in tasks if task.address == "setup.packs"}
    assert verdicts["`deck(1)` becomes `deck(2)`"] == "noticed"
    assert verdicts["`deck(1)` becomes `deck(0)`"] == "not rules"


def test_a_mutant_has_one_fault_and_the_rules_stay_as_they_were() -> None:
    rules = load_rules("nim")
    before = repr(rules)
    for mutant in rule_mutants(rules, unsettable):
        if not mutant.address.startswith("parameters."):
            assert repr(mutant.change()) != before, mutant.name
    assert repr(rules) == before


@pytest.mark.parametrize("game", ["splendor", "splendor-duel", "wrack-line", "whist", "reversi"])
def test_no_two_mutants_have_one_name(game: str) -> None:
    names = [mutant.name for mutant in mutants_of((game, None, ()), load_rules(game))]
    assert len(set(names)) == len(names) > 40


def test_only_cases_that_come_by_are_played() -> None:
    tasks = {(task.address, task.words): task for task in planned(HEAP)}
    unreached = tasks["turn.end", "does not happen"]
    assert unreached.attempts == ()
    assert run_mutation(unreached).verdict == "never reached"
    note = tasks["actions.rest.do.note", "does not happen"]
    assert [name for _, (_, name) in note.attempts] == ["rests"]


def test_of_a_game_that_is_only_played_with_a_variant_the_variant_is_changed() -> None:
    assert {task.origin for task in planned(HOUSE_RULE)} == {"bank-exchange"}
    asked = {task.origin for task in planned(HOUSE_RULE, "turn.goal")}
    assert asked == {"splendor"}


def test_a_case_that_fails_anyhow_notices_nothing(tmp_path: Path) -> None:
    text = HEAP.read_text(encoding="utf-8")
    (tmp_path / "heap.yaml").write_bytes((HEAP.parent / "heap.yaml").read_bytes())
    path = tmp_path / "heap.scenarios.yaml"
    path.write_text(text.replace("heap: 5 stick", "heap: 4 stick"), encoding="utf-8")
    take = next(task for task in planned(path) if task.address == "actions.take.do.take")
    assert "takes_two" not in [name for _, (_, name) in take.attempts]


def test_wrong_use(run_cli: CommandLine) -> None:
    for words in (
        ["--sample", "3"],
        ["--jobs", "2"],
        ["--mutate", "--seed", "4"],
        ["--mutate", "--only", "nothing"],
        ["--write-cases", "x"],
    ):
        assert run_cli("test", str(HEAP), *words) == 2, words
        assert "Traceback" not in run_cli.err


def test_what_is_proved_is_so_in_every_game() -> None:
    """The proofs of a game that has something for each of them; all of its positions are looked at besides."""
    proofs = [f"{address}: {words}: {proof}" for (address, words), proof in proved(str(HOARD)).items()]
    assert proofs == (HOARD.parent / "hoard.proofs.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("game", [str(HEAP.parent / "heap.yaml"), "nim", "kuhn-poker"])
def test_nothing_is_proved_that_some_game_shows_to_be_wrong(game: str) -> None:
    assert len(proved(game)) < 10


def proved(game: str) -> dict[tuple[str, str], str]:
    """The mutants of which it is proved that they change no game, after a look at all positions of both."""
    rules = load_rules(game)
    prover, engine = EquivalenceProver(rules), make_engine(rules)
    found = {}
    for mutant in rule_mutants(rules, unsettable):
        if not mutant.address.startswith("parameters."):
            changed = mutant.change()
            proof = prover.prove(changed)
            if proof:
                assert GamePair(engine, make_engine(changed)).count_alike(2000), mutant.name
                found[mutant.name] = proof
    return found


def test_games_that_are_alike_have_as_many_positions_as_one() -> None:
    rules = load_rules(str(HOARD))
    one, other = (make_engine(rules) for _ in range(2))
    assert GamePair(one, other).count_alike(2000) == 304
    assert GamePair(one, other).count_alike(100) is None


def test_a_case_is_written_that_notices(run_cli: CommandLine, tmp_path: Path) -> None:
    """Then nothing is left that a game shows: only what is proved to change none."""
    for name in ("heap.yaml", "heap.scenarios.yaml"):
        (tmp_path / name).write_bytes((HEAP.parent / name).read_bytes())
    written = ["--mutate", "--write-cases", str(tmp_path / "more")]
    assert run_cli("test", str(tmp_path / "heap.scenarios.yaml"), *written) == 0
    assert "13 cases that would notice" in run_cli.out
    assert run_cli("test", str(tmp_path), "--mutate") == 0
    assert "38 of 40 noticed (95.0 %), 2 proved to change no game (5.0 %)\n" in run_cli.out


def test_a_hint_says_where_games_first_differ() -> None:
    tasks = {(task.address, task.words): task for task in planned(HEAP)}
    result = examine_mutation(tasks["turn.bonus", "does not happen"])
    assert result.verdict == "never reached"
    assert result.hint.words.endswith("after `take(number=1)`: the game is over, with the fault player 2 decides")


def test_a_sample_follows_from_its_seed() -> None:
    tasks = planned(HEAP)
    assert draw_sample(tasks, 9, 3) == draw_sample(tasks, 9, 3)
    assert draw_sample(tasks, 9, 3) != draw_sample(tasks, 9, 4)
    assert set(draw_sample(tasks, len(tasks) + 1, 3)) == set(tasks)


@pytest.mark.slow
def test_processes_change_nothing() -> None:
    tasks = planned(HEAP)
    assert list(run_mutations(tasks, jobs=2)) == list(run_mutations(tasks))


@pytest.mark.slow
def test_the_scenarios_notice_changes_of_the_official_rules() -> None:
    """A sample; `rulewright test tests/scenarios --mutate --only splendor --jobs 2` tries them all."""
    results = list(run_mutations(draw_sample(official(), SAMPLE, 1), jobs=2))
    rules = [result for result in results if result.verdict != "not rules"]
    noticed = sum(result.verdict == "noticed" for result in rules)
    assert 100 * noticed >= LEAST_NOTICED * len(rules), mutation_summary(results)
