"""Batches say of each game what the reference engine says of it, and machine code says it as Python does."""

from __future__ import annotations

import random
from array import array
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import rulewright
from batch_contents import ENGINES, compiled, contents_of, numbers_of
from games.playing import fewer_samples
from positions import Table, all_tables, chosen, engine_of, rules
from rulewright.engine.compiled.kernel.kernel_statements import CellLoop
from rulewright.engine.compiled.kernel.optimisations import BATCH_OPTIMISATIONS, AnyOptimisation
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.engine.compiled.llvm.full_rows import find_full_row
from rulewright.engine.compiled.llvm.llvm_printer import LlvmModule
from rulewright.engine.compiled.playing.compiled_rules import CompiledRules
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.playing.native_batch import FEW_GAMES
from rulewright.engine.compiled.translation import number_words
from rulewright.engine.compiled.translation.action_ranks import MAX_NUMBERS
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.determinize import determinize
from rulewright.engine.engine_names import EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.numbered_actions import NumberedActions
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games

needs_llvm = pytest.mark.skipif(not can_make_machine_code(), reason="llvmlite is not installed")
TABLES = all_tables()
QUICK = [table for table in TABLES if table.game in available_games() and not table.variants and not table.piecewise]
SAMPLE = 23  # of all tables every twenty-third: odd, so that every second plays piece by piece
ROOT = Path(__file__).parent.parent
ODD_RULES = ROOT / "tests" / "odd_rules"
NUMBERED = Table(str(ODD_RULES / "numbered-things.yaml"), 2)


def name_of(table: Table) -> str:
    return "-".join([table.game.rpartition("/")[2], str(table.players), *table.variants, *["pieces"] * table.piecewise])


# ---- machine code and Python ----------------------------------------------------------------------------------------


def compare_engines(table: Table) -> None:
    try:
        native, python = compiled(table, "native"), compiled(table, "python")
    except NotCompiled:
        return
    settings: dict[str, Any] = {"seed": 3, "first": table.players - 1, "max_decisions": fewer_samples(table.game, 60)}
    if native.action_count <= MAX_NUMBERS:
        settings["masks"] = "bits"
    require_equal(native, python, settings, fewer_samples(table.game, 65))


def require_equal(
    one: rulewright.CompiledRules, other: rulewright.CompiledRules, settings: Mapping[str, Any], steps: int
) -> None:
    """Both write the same in each of so many steps of a few games."""
    batches = [program.batch(5, **settings) for program in (one, other)]
    for _ in range(steps):
        first, second = map(contents_of, batches)
        assert first == second
        for batch in batches:
            batch.sample()
            batch.step()


@needs_llvm
@pytest.mark.parametrize("table", QUICK, ids=name_of)
def test_machine_code_writes_what_python_writes(table: Table) -> None:
    compare_engines(table)


@needs_llvm
def test_things_that_are_numbered_by_themselves_are_not_counted() -> None:
    compare_engines(next(table for table in TABLES if table.game.endswith("peeking.yaml")))


@needs_llvm
@pytest.mark.parametrize("name", ["wild-first", "wild-between"])
def test_payments_are_listed_in_order_wherever_the_wild_member_comes(name: str) -> None:
    compare_engines(Table(str(ODD_RULES / f"{name}.yaml"), 2))


@needs_llvm
def test_members_that_can_never_be_chosen_have_no_number() -> None:
    compare_engines(Table(str(ODD_RULES / "middle-left-out.yaml"), 3))


@pytest.mark.sampled(2)
@needs_llvm
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("path", sorted(ODD_RULES.glob("*.yaml")), ids=lambda path: path.stem)
def test_machine_code_writes_what_python_writes_of_odd_rules(path: Path) -> None:
    with suppress(RuleFault):  # some are wrong on purpose: up to there
        compare_engines(Table(str(path), load_rules(str(path)).players))


@pytest.mark.sampled(2)
@needs_llvm
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", TABLES[::SAMPLE], ids=name_of)
def test_machine_code_writes_what_python_writes_at_all_tables(table: Table) -> None:
    compare_engines(table)


@needs_llvm
def test_where_numbers_cannot_be_turned_back_words_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("splendor", 2)
    assert compiled(table, "native").lists_numbers
    monkeypatch.setattr(number_words, "LARGEST_WORDS", 10)
    words = rulewright.compile(rules(table.game, table.players))
    assert not words.lists_numbers
    batches = [program.batch(4, seed=5, masks="bytes") for program in (compiled(table, "native"), words)]
    for _ in range(80):
        first, second = map(contents_of, batches)
        assert first == second
        assert [batches[0].legal(game) for game in range(4)] == [batches[1].legal(game) for game in range(4)]
        for batch in batches:
            batch.sample()
            batch.step()


@needs_llvm
def test_rows_are_listed_also_where_something_is_missing() -> None:
    table = Table(str(ODD_RULES / "row-with-gaps.yaml"), 2)
    functions = compiled(table, "native").batch(1).program.functions
    loops = [loop for function in functions for loop in all_statements(function.body) if isinstance(loop, CellLoop)]
    assert any(map(find_full_row, loops))
    compare_engines(table)


@needs_llvm
@pytest.mark.parametrize("optimisation", [*BATCH_OPTIMISATIONS, "packed-piles", "packed-places", "full-rows"])
def test_without_an_optimisation_batches_are_the_same(optimisation: AnyOptimisation) -> None:
    model = rules("splendor", 3)
    whole, without = (CompiledRules(model, engine="native", without=left_out) for left_out in ((), [optimisation]))
    codes = [LlvmModule(each.batch(1).program).text() for each in (whole, without)]
    assert codes[0] != codes[1]
    require_equal(whole, without, {"seed": 7, "masks": "bits"}, 60)


@needs_llvm
@pytest.mark.usefixtures("plain_machine_code")
def test_a_batch_of_few_games_has_room_for_long_lists(tmp_path: Path) -> None:
    path = tmp_path / "safe.yaml"
    path.write_text(
        "{game: safe, version: 1.0.0, language: 2, text: Safe, players: 1, state: {at: 0 to 99}, "
        "actions: {dial: {choose: {left: {one_of: 0 to 99}, right: {one_of: 0 to 29}}, do: [a: {set: at, to: left}]}}, "
        "turn: [a: {must: [dial]}], round: [t: {for_each: player, turn: player}]}"
    )
    compare_engines(Table(str(path), 1))


@needs_llvm
def test_numbers_are_acted_on_without_words_unless_these_are_kept() -> None:
    assert compiled(Table("splendor", 2), "native").batch(1).program.acts_by_number
    assert (
        not compiled(Table(str(ROOT / "tests" / "games" / "adding.yaml"), 2), "native").batch(1).program.acts_by_number
    )


@needs_llvm
def test_a_game_is_the_same_among_few_that_keep_the_lock_and_among_many() -> None:
    program = compiled(Table("nim", 2), "native")
    few, many = (program.batch(games, seed=3) for games in (FEW_GAMES, FEW_GAMES + 1))
    for _ in range(20):
        assert [numbers_of(few, game) for game in range(FEW_GAMES)] == [
            numbers_of(many, game) for game in range(FEW_GAMES)
        ]
        few.step(many.sample()[:FEW_GAMES])
        many.step()
    for batch in (few, many):
        with pytest.raises(ValueError, match="game 1: -1 is not the number of a legal action"):
            batch.step([numbers_of(batch, 0)[0], *[-1] * (batch.games - 1)])


# ---- beside the reference engine ------------------------------------------------------------------------------------


def check_beside_reference(table: Table, engine: EngineName, steps: int) -> None:
    """Legal actions and their numbers, masks, who decides, rewards, positions; each game by its own seed."""
    program, reference = compiled(table, engine), engine_of(table)
    has_numbers = program.action_count <= MAX_NUMBERS and not table.piecewise
    settings: dict[str, Any] = {"masks": "bytes"} if has_numbers else {"masks": None, "actions": "indexes"}
    batch, rng = program.batch(3, seed=11, max_decisions=2000, **settings), random.Random(5)
    numbered = NumberedActions(reference, program._numbering.whole) if has_numbers else None
    states = [reference.start(seed=seed) for seed in batch.seeds]
    for _ in range(steps):
        actions = []
        for game, state in enumerate(states):
            legal = reference.legal(state)
            assert batch.legal(game) == legal
            if numbered is not None:
                numbers = numbers_of(batch, game)
                assert numbers == [numbered.number(state, action) for action in legal]
                flags = enumerate(batch.action_masks.tolist()[game])
                assert [number for number, flag in flags if flag] == sorted(numbers)
            assert isinstance(state.waiting, Decision)
            assert batch.seats[game] == state.waiting.seat
            actions.append(rng.randrange(len(legal)))
        before = list(batch.seeds)
        chosen = enumerate(actions)
        batch.step([numbers_of(batch, game)[index] if has_numbers else index for game, index in chosen])
        for game, index in enumerate(actions):
            states[game] = reference.apply_legal(states[game], reference.legal(states[game])[index])
            assert batch.terminated[game] == states[game].over
            rewards = rewards_of(reference, states[game])
            own = batch.rewards.tolist()[game]
            assert own == pytest.approx(rewards)
            assert sum(own) == pytest.approx(0, abs=1e-6) or table.players == 1
            if states[game].over:
                assert batch.seeds[game] == before[game] + batch.games
                states[game] = reference.start(seed=batch.seeds[game])
    assert [batch.state(game) for game in range(3)] == states


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("table", [*QUICK, NUMBERED], ids=name_of)
def test_every_game_is_the_reference_engines(table: Table, engine: EngineName) -> None:
    check_beside_reference(table, engine, fewer_samples(table.game, 70))


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", [table for table in TABLES if table.game not in available_games()], ids=name_of)
def test_every_game_is_the_reference_engines_at_other_tables(table: Table) -> None:
    for engine in ENGINES:
        with suppress(NotCompiled):
            check_beside_reference(table, engine, fewer_samples(table.game, 60))


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("path", sorted(ODD_RULES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_game_is_the_reference_engines_by_odd_rules(path: Path) -> None:
    players = load_rules(str(path)).players
    for engine in ENGINES:
        for piecewise in (False, True):
            with suppress(NotCompiled, RuleFault):  # some are wrong on purpose: up to there
                check_beside_reference(Table(str(path), players, (), piecewise), engine, 60)


def rewards_of(reference: ReferenceEngine, state: State) -> list[float]:
    """Who wins alone gets 1, and all rewards together are 0, unless one plays alone."""
    players = reference.rules.players
    if not state.over:
        return [0.0] * players
    winners = reference.result(state).winners
    losers = players - len(winners)
    if players == 1:
        return [1.0 if winners else -1.0]
    if not winners:
        return [0.0] * players
    return [
        losers / len(winners) / (players - 1) if seat in winners else -1 / (players - 1) * bool(losers)
        for seat in range(players)
    ]


# ---- what is not seen -----------------------------------------------------------------------------------------------


SECRET = [table for table in chosen("secret") if not table.variants]


def watch(table: Table, engine: EngineName, decisions: int) -> int:
    """What a seat sees does not tell a position from others that agree with all it knows; how often they differed."""
    try:
        program = compiled(table, engine)
    except NotCompiled:
        return 0
    batch, reference, differing = program.batch(2, masks=None), engine_of(table), 0
    size = program.observation_size
    code = {"uint8": "B", "int16": "h", "int32": "i", "int64": "q"}[program.observation_dtype]
    seen = memoryview(bytearray(2 * size * array(code).itemsize)).cast(code, (2, size))  # type: ignore[call-overload]
    rng = random.Random(str(table))
    state = reference.start(seed=4, first=table.players - 1)
    for number in range(decisions):
        if state.over:
            break
        for viewer in range(table.players):
            world = determinize(reference, state, viewer, number)
            differing += world.contents != state.contents
            try:
                batch.load(0, state)
                batch.load(1, world)
            except NotCompiled:
                continue
            batch.observe(viewer, seen)
            first, second = seen.tolist()
            assert first == second, (viewer, number)
            if batch.seats[0] == viewer:
                assert batch.observations.tolist()[0] == batch.observations.tolist()[1] == first
        legal = reference.legal(state)
        state = reference.apply_legal(state, rng.choice(legal))
    return differing


@pytest.mark.parametrize("engine", ENGINES)
def test_a_seat_sees_nothing_of_what_is_hidden(engine: EngineName) -> None:
    assert watch(Table("kuhn-poker", 2), engine, 10)
    assert watch(Table("splendor", 3), engine, 40)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", SECRET, ids=name_of)
def test_a_seat_sees_nothing_of_what_is_hidden_at_any_table(table: Table) -> None:
    watch(table, ENGINES[-1], 40)


def test_a_seat_sees_its_own_first() -> None:
    """What a seat has is in the same place of the row for every seat, and its own cards are only in its own row."""
    program = compiled(Table("kuhn-poker", 2), "python")
    batch = program.batch(1, seed=6)
    (hand,) = (field for field in program.observation_fields if field.name == "hand")
    own = []
    for seat in (0, 1):
        row = memoryview(bytearray(program.observation_size)).cast("B", (1, program.observation_size))
        batch.observe(seat, row)
        own.append(row.tolist()[0][hand.first])
    zone = batch.program.rules.zones["hand"]
    assert own == [batch.state(0).contents[zone.first_index + seat][0] for seat in (0, 1)]
    assert own[0] != own[1]
