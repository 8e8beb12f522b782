"""Batches say of each game what the reference engine says of it, and machine code says it as Python does."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from array import array
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulewright
from games.playing import fewer_samples
from positions import Table, all_tables, chosen, engine_of, piecewise_choices, rules
from rulewright.engine.compiled import native_program, number_words
from rulewright.engine.compiled.action_ranks import MAX_NUMBERS
from rulewright.engine.compiled.compiled_rules import CompiledRules
from rulewright.engine.compiled.full_rows import find_full_row
from rulewright.engine.compiled.kernel_statements import CellLoop
from rulewright.engine.compiled.llvm_printer import LlvmModule
from rulewright.engine.compiled.machine_support import can_make_machine_code
from rulewright.engine.compiled.native_batch import FEW_GAMES
from rulewright.engine.compiled.optimisations import BATCH_OPTIMISATIONS, AnyOptimisation
from rulewright.engine.compiled.refusal import NotCompiled
from rulewright.engine.compiled.word_widths import all_statements
from rulewright.engine.determinize import determinize
from rulewright.engine.engine_names import EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.numbered_actions import NumberedActions
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.engine.values import Pile, content_things
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games

ENGINES: tuple[EngineName, ...] = ("python", *(("native",) if can_make_machine_code() else ()))  # type: ignore[assignment]
needs_llvm = pytest.mark.skipif(not can_make_machine_code(), reason="llvmlite is not installed")
TABLES = all_tables()
QUICK = [table for table in TABLES if table.game in available_games() and not table.variants and not table.piecewise]
SAMPLE = 23  # of all tables every twenty-third: odd, so that every second plays piece by piece
ARRAYS = (
    "actions", "action_counts", "action_starts", "seats", "rewards", "terminated", "truncated", "seeds", "observations",
    "action_masks",
)  # fmt: skip
ROOT = Path(__file__).parent.parent
ODD_RULES = ROOT / "tests" / "odd_rules"
NUMBERED = Table(str(ODD_RULES / "numbered-things.yaml"), 2)


def name_of(table: Table) -> str:
    return "-".join([table.game.rpartition("/")[2], str(table.players), *table.variants, *["pieces"] * table.piecewise])


def compiled(table: Table, engine: EngineName) -> rulewright.CompiledRules:
    return _compiled(table, engine, native_program.OPTIMISATION)


@cache
def _compiled(table: Table, engine: EngineName, optimisation: int) -> rulewright.CompiledRules:
    model = rules(table.game, table.players, table.variants)
    tokenwise = piecewise_choices(model) if table.piecewise else ()
    return rulewright.compile(model, engine=engine, tokenwise=tokenwise)


def contents_of(batch: rulewright.GameBatch) -> dict[str, Any]:
    """All that a batch has written."""
    found = {name: getattr(batch, name).tolist() for name in ARRAYS if getattr(batch, name) is not None}
    return {**found, "action_numbers": batch.action_numbers[: sum(batch.action_counts)].tolist()}


def numbers_of(batch: rulewright.GameBatch, game: int) -> list[int]:
    start = batch.action_starts[game]
    return batch.action_numbers[start : start + batch.action_counts[game]].tolist()


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


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("table", [*QUICK, NUMBERED], ids=name_of)
def test_every_game_is_the_reference_engines(table: Table, engine: EngineName) -> None:
    """Legal actions and their numbers, masks, who decides, rewards, positions; each game by its own seed."""
    program, reference = compiled(table, engine), engine_of(table)
    batch, rng = program.batch(3, seed=11, masks="bytes", max_decisions=2000), random.Random(5)
    numbered = NumberedActions(reference, program._numbering.whole)
    states = [reference.start(seed=seed) for seed in batch.seeds]
    for _ in range(fewer_samples(table.game, 70)):
        actions = []
        for game, state in enumerate(states):
            assert batch.legal(game) == reference.legal(state)
            numbers = numbers_of(batch, game)
            assert numbers == [numbered.number(state, action) for action in reference.legal(state)]
            assert [number for number, flag in enumerate(batch.action_masks.tolist()[game]) if flag] == sorted(numbers)
            assert isinstance(state.waiting, Decision)
            assert batch.seats[game] == state.waiting.seat
            actions.append(rng.randrange(len(numbers)))
        before = list(batch.seeds)
        batch.step([numbers_of(batch, game)[index] for game, index in enumerate(actions)])
        for game, index in enumerate(actions):
            states[game] = reference.apply_legal(states[game], reference.legal(states[game])[index])
            assert batch.terminated[game] == states[game].over
            rewards = rewards_of(reference, states[game])
            own = batch.rewards.tolist()[game]
            assert own == pytest.approx(rewards)
            assert sum(own) == pytest.approx(0, abs=1e-6)
            if states[game].over:
                assert batch.seeds[game] == before[game] + batch.games
                states[game] = reference.start(seed=batch.seeds[game])
    assert [batch.state(game) for game in range(3)] == states


def rewards_of(reference: ReferenceEngine, state: State) -> list[float]:
    """Who wins alone gets 1, and all rewards together are 0."""
    players = reference.rules.players
    if not state.over:
        return [0.0] * players
    winners = reference.result(state).winners
    losers = players - len(winners)
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


# ---- settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_games_that_are_over_wait_unless_they_begin_again(engine: EngineName) -> None:
    program = compiled(Table("tic-tac-toe", 2), engine)
    waiting = program.batch(4, seed=1, auto_reset=False)
    ends = 0
    for _ in range(12):
        waiting.sample()
        waiting.step()
        ends += sum(waiting.terminated)
    assert ends == 4
    assert list(waiting.seats) == [-1] * 4
    assert not any(waiting.action_counts)
    assert waiting.legal(0) == ()
    assert waiting.state(2).over
    waiting.reset(games=[1, 3], seed=50)
    assert list(waiting.seats) == [-1, 0, -1, 0]
    assert list(waiting.seeds) == [1, 51, 3, 53]
    assert list(waiting.action_counts) == [0, 9, 0, 9]
    waiting.reset([9, 8, 7, 6])
    assert list(waiting.seeds) == [9, 8, 7, 6]


@pytest.mark.parametrize("engine", ENGINES)
def test_long_games_are_cut_short(engine: EngineName) -> None:
    batch = compiled(Table("nim", 2), engine).batch(3, max_decisions=2)
    batch.step([numbers_of(batch, game)[0] for game in range(3)])
    assert not any(batch.truncated)
    batch.sample()
    batch.step()
    assert list(batch.truncated) == [True] * 3
    assert list(batch.terminated) == [False] * 3
    assert batch.rewards.tolist() == [[0, 0]] * 3
    assert list(batch.seeds) == [3, 4, 5]
    assert all(batch.action_counts)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize("most", [4, 9])
def test_positions_are_known_however_long_a_batch_is_played(engine: EngineName, most: int, auto_reset: bool) -> None:
    """Actions are kept in as many rows as a game has decisions, which are used again and again."""
    table = Table("tic-tac-toe", 2)
    batch = compiled(table, engine).batch(5, seed=1, max_decisions=most, auto_reset=auto_reset, actions="indexes")
    reference, rng = engine_of(table), random.Random(2)
    states = [reference.start(seed=seed) for seed in batch.seeds]
    for number in range(1, 60):
        if number % 6 == 0:
            batch.reset(games=[number % 5], seed=100 + number)
            states[number % 5] = reference.start(seed=batch.seeds[number % 5])
        indexes = [rng.randrange(max(count, 1)) for count in batch.action_counts]
        if number % 7 == 0 and batch.action_counts[4]:
            with pytest.raises(ValueError, match="not the index of a legal action"):
                batch.step([*indexes[:4], 9])
        waiting = [count > 0 for count in batch.action_counts]
        batch.step(indexes)
        for game, index in enumerate(indexes):
            if waiting[game]:
                states[game] = reference.apply_legal(states[game], reference.legal(states[game])[index])
                if auto_reset and (batch.terminated[game] or batch.truncated[game]):
                    states[game] = reference.start(seed=batch.seeds[game])
        assert [batch.state(game) for game in range(5)] == states


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["numbers", "indexes"])
def test_an_illegal_action_changes_nothing(engine: EngineName, kind: Any) -> None:
    batch = compiled(Table("nim", 2), engine).batch(3, actions=kind, masks="bits")
    actions = batch.sample().tolist()
    before = contents_of(batch)
    for wrong in (-1, 10**6):
        with pytest.raises(
            ValueError, match=re.escape(f"game 1: {wrong} is not the {kind[:-2] if kind == 'indexes' else 'number'}")
        ):
            batch.step([actions[0], wrong, actions[2]])
        assert {**contents_of(batch), "actions": actions} == before
    batch.step(actions)
    assert contents_of(batch) != before


def test_where_there_are_too_many_actions_they_are_taken_by_their_index() -> None:
    table = Table("tests/games/wilds.yaml", 2)
    for engine in ENGINES:
        program = rulewright.compile(rules(str(ROOT / table.game), 2), engine=engine)
        with pytest.raises(ValueError, match="more than the 65,536 that are numbered; use actions='indexes'"):
            program.batch(2, masks="bits")
        with pytest.raises(ValueError, match="there are no numbers of actions"):
            program.batch(2, actions="numbers")
        batch = program.batch(2)
        assert numbers_of(batch, 0) == list(range(batch.action_counts[0]))
        batch.sample()
        batch.step()


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"games": 0}, "a batch has 1 to 65,536 games, not 0"),
        ({"games": 2, "masks": "words"}, "masks are bits or bytes, not 'words'"),
        ({"games": 2, "actions": "names"}, "actions are numbers or indexes, not 'names'"),
        ({"games": 2, "first": 2}, "there is no seat 2"),
        ({"games": 2, "max_decisions": 0}, "max_decisions is a number from 1"),
        ({"games": 2, "seed": -1}, "seed is a whole number"),
        ({"games": 2, "buffers": {"mask": bytearray(2)}}, "there is no buffer 'mask', only actions, action_counts"),
        ({"games": 2, "buffers": {"actions": array("i", [0, 0])}}, r"actions must be int64 of shape \(2,\), not 'i'"),
        (
            {"games": 2, "buffers": {"seats": array("b", [0])}},
            r"seats must be int8 of shape \(2,\), not 'b' of shape \(1,\)",
        ),
        (
            {"games": 2, "buffers": {"seats": memoryview(bytes(2)).cast("b")}},
            "seats must be an array that can be written",
        ),
    ],
)
def test_what_cannot_be_is_refused(wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compiled(Table("nim", 2), "python").batch(**wanted)


def test_other_wrong_use_is_refused() -> None:
    batch = compiled(Table("nim", 2), "python").batch(2)
    for wrong in (lambda: batch.legal(2), lambda: batch.state(-1), lambda: batch.reset(games=[5])):
        with pytest.raises(IndexError, match=r"there is no game -?\d \(0 to 1\)"):
            wrong()
    with pytest.raises(ValueError, match="actions must be int64"):
        batch.step([0])
    with pytest.raises(ValueError, match="there is no seat 7"):
        batch.observe(7, bytearray(2))
    with pytest.raises(ValueError, match="observations must be uint8"):
        batch.observe(0, bytearray(2))
    with pytest.raises(ValueError, match="there is no program for the engine 'reference'"):
        rulewright.compile(rules("nim", 2), engine="reference")


# ---- positions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_a_position_is_taken_over_and_given_back(engine: EngineName) -> None:
    """The middle of a game goes on in a batch as in the reference engine, and the other games stay as they are."""
    table = Table("splendor", 2)
    program, reference, rng = compiled(table, engine), engine_of(table), random.Random(3)
    state = reference.start(seed=8)
    for _ in range(20):
        state = reference.apply_legal(state, rng.choice(reference.legal(state)))
    batch = program.batch(3, seed=1, masks="bits")
    others = [batch.legal(0), batch.legal(2)]
    batch.load(1, state)
    assert batch.state(1) == state
    assert batch.legal(1) == reference.legal(state)
    assert [batch.legal(0), batch.legal(2)] == others
    for _ in range(5):
        index = rng.randrange(batch.action_counts[1])
        state = reference.apply_legal(state, reference.legal(state)[index])
        batch.step([numbers_of(batch, game)[index if game == 1 else 0] for game in range(3)])
        assert batch.state(1) == state
    batch.reset(games=[1])
    assert batch.state(1) == reference.start(seed=2)


@needs_llvm
def test_a_pile_that_has_grown_is_refused() -> None:
    """Machine code has no more room for a pile that no rule puts anything into than what it begins with."""
    table = Table("splendor", 2)
    state, zone = engine_of(table).start(seed=1), rules(table.game, table.players).zones["deck"]
    decks = range(zone.first_index, zone.first_index + zone.size)
    every = tuple(sorted(card for deck in decks for card in content_things(state.contents[deck])))
    piles = [Pile((), every, ()), *[Pile((), (), ())] * (zone.size - 1)]
    contents = (*state.contents[: decks.start], *piles, *state.contents[decks.stop :])
    with pytest.raises(NotCompiled, match="more things than a game begins with"):
        compiled(table, "native").batch(1).load(0, replace(state, contents=contents))


BROKEN = """game: numbering
version: 1.0.0
language: 2
text: Counting
players: 2
state: {number: {type: 0 to 9, start: 0}}
actions:
  add: {do: [add: {set: number, to: number + 1}]}
turn:
  - play: {must: [add]}
  - done: {when: number is 9, end_game: now}
round: [turns: {for_each: player, turn: player}]
invariants: {few: {after: step, is: number < 3}}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_rules_that_fail_are_reported_and_the_other_games_go_on(tmp_path: Path, engine: EngineName) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    model = rulewright.load_rules(str(path))
    batch = rulewright.compile(model, engine=engine).batch(2, actions="indexes")
    batch.step([0, 0])
    batch.reset(games=[1])
    batch.step([0, 0])
    with pytest.raises(RuleFault, match="does not hold after a step: number is 3"):
        batch.step([0, 0])
    assert list(batch.seats) == [-1, 0]
    assert list(batch.action_counts) == [0, 1]


# ---- memory of the caller's -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_arrays_of_numpy_are_written_in_place(engine: EngineName) -> None:
    numpy = pytest.importorskip("numpy")
    program = compiled(Table("splendor", 2), engine)
    games, count = 6, program.action_count
    buffers = {
        "observations": numpy.full((games, program.observation_size), 7, program.observation_dtype),
        "action_masks": numpy.ones((games, count), numpy.uint8),
        "rewards": numpy.ones((games, 2), numpy.float32),
        "terminated": numpy.ones(games, bool),
        "actions": numpy.zeros(games, numpy.int64),
    }
    batch = program.batch(games, seed=1, masks="bytes", buffers=buffers)
    packed = program.batch(games, seed=1, masks="bits")
    assert batch.observations is buffers["observations"]
    assert not buffers["terminated"].any()
    for _ in range(30):
        masks = numpy.unpackbits(numpy.asarray(packed.action_masks), axis=1, count=count, bitorder="little")
        assert (masks == buffers["action_masks"]).all()
        assert [row.nonzero()[0].tolist() for row in masks] == [
            sorted(numbers_of(batch, game)) for game in range(games)
        ]
        assert (numpy.asarray(packed.observations) == buffers["observations"]).all()
        actions = numpy.array([numpy.flatnonzero(row)[-1] for row in masks])
        batch.step(actions)
        packed.step(actions)
    buffers["actions"][:] = [numbers_of(batch, game)[0] for game in range(games)]
    batch.step()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_caller_does_with_its_arrays_changes_no_game(engine: EngineName) -> None:
    program = compiled(Table("splendor", 2), engine)
    batch, untouched = (program.batch(4, seed=2, actions="indexes") for _ in range(2))
    for number in (10**6, -5):
        for name in ("action_counts", "action_starts"):
            getattr(batch, name)[1] = number
        with pytest.raises(ValueError, match="is not the index of a legal action"):
            batch.step([0, 10**6 - 1, 0, 0])
        assert batch.legal(1) == untouched.legal(1)
        for each in (batch, untouched):
            each.sample()
            each.step()
        assert contents_of(batch) == contents_of(untouched)
    with pytest.raises(TypeError):
        batch.action_numbers[0] = 7


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (
            [1.0, 1.0],
            TypeError,
            "actions must be an array of int64, or whole numbers, one for each game, not [1.0, 1.0]",
        ),
        (3, TypeError, "actions must be an array of int64, or whole numbers, one for each game, not 3"),
        ([1, 10**30], TypeError, "one for each game, not [1, 1000"),
        (array("d", [0, 0]), ValueError, "actions must be int64 of shape (2,), not 'd' of (2,)"),
        (array("i", [0, 0]), ValueError, "actions must be int64 of shape (2,), not 'i' of (2,)"),
        (memoryview(array("q", [0, 0, 0, 0]))[::2], ValueError, "actions must be an array without gaps"),
        ([1], ValueError, "actions must be int64 of shape (2,), not 'q' of (1,)"),
    ],
)
def test_what_are_no_actions_is_refused(engine: EngineName, actions: Any, error: type[Exception], message: str) -> None:
    batch = compiled(Table("nim", 2), engine).batch(2)
    before = contents_of(batch)
    with pytest.raises(error, match=re.escape(message)):
        batch.step(actions)
    assert contents_of(batch) == before


@pytest.mark.parametrize(
    ("seed", "games", "error", "message"),
    [
        ([1, 2], None, ValueError, "2 seeds for 3 games"),
        ([1, -2, 3], None, ValueError, "seed is a whole number from 0 to 2^64 - 1, not -2"),
        ([1, 2.0, 3], None, TypeError, "seed is a whole number, not 2.0"),
        (1.5, None, TypeError, "seed is a whole number, not 1.5"),
        ("abc", None, TypeError, "seeds are a sequence of whole numbers, not 'abc'"),
        (None, 2, TypeError, "games are a sequence of whole numbers, not 2"),
        (None, ["a"], TypeError, "game is a whole number, not 'a'"),
    ],
)
def test_a_reset_that_is_refused_changes_nothing(seed: Any, games: Any, error: type[Exception], message: str) -> None:
    batch = compiled(Table("nim", 2), "python").batch(3)
    before = contents_of(batch)
    with pytest.raises(error, match=re.escape(message)):
        batch.reset(seed, games=games)
    assert contents_of(batch) == before


@pytest.mark.parametrize("engine", ENGINES)
def test_a_position_of_another_game_is_refused(engine: EngineName) -> None:
    batch = compiled(Table("splendor", 2), engine).batch(1)
    for other in (engine_of(Table("nim", 2)), engine_of(Table("splendor", 3))):
        with pytest.raises(ValueError, match="the position is not one of splendor with 2 players"):
            batch.load(0, other.start(seed=1))
    wrong: Any = None
    with pytest.raises(TypeError, match="a position is what `state` gives, not None"):
        batch.load(0, wrong)


def test_what_is_compiled_is_checked() -> None:
    wrong: Any = "nim"
    with pytest.raises(TypeError, match="rules are what `load_rules` returns, not 'nim'"):
        rulewright.compile(wrong)
    with pytest.raises(TypeError, match="tokenwise is a list of addresses"):
        rulewright.compile(rules("nim", 2), tokenwise="actions.take.choose.row")
    with pytest.raises(ValueError, match=r"there is no choice at 'actions\.take'"):
        rulewright.compile(rules("nim", 2), tokenwise=["actions.take"])


def test_without_llvmlite_batches_are_played_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    model = rules("nim", 2)
    assert rulewright.compile(model).engine == "python"
    with pytest.raises(rulewright.NoMachineCode, match="pip install"):
        rulewright.compile(model, engine="native")


def test_the_example_of_the_manual_runs() -> None:
    pytest.importorskip("numpy")
    text = (ROOT / "rules" / "MANUAL.md").read_text(encoding="utf-8")
    section = text.partition("## Many games at once")[2].partition("\n## ")[0]
    (code, printed) = re.findall(r"```(?:python|text)\n(.*?)```", section, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT / "interpreter")
    assert done.stderr == ""
    assert done.stdout == printed
