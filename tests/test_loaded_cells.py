"""A compiled program goes on from any position of the reference engine as that engine does, whatever is under way."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from positions import Table, all_tables, piecewise_choices, rules
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.kernel.packed_counts import (
    BYTES_OF_CELL,
    LANE_BITS,
    byte_in_cells,
    bytes_in_cells,
    put_byte,
)
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.faults import RuleFault
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import ChanceEvent, Decision, State
from rulewright.engine.values import Pile
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games
from rulewright.model.rules import Rules

TABLES = all_tables()
QUICK = [table for table in TABLES if table.game in available_games() and not table.variants and not table.piecewise]
PLAYED_ON = 12  # decisions after which a game is loaded that then goes on by itself
SAMPLE = 8  # of all tables every eighth
ODD_RULES = Path(__file__).parent / "odd_rules"


def name_of(table: Table) -> str:
    return "-".join([table.game.rpartition("/")[2], str(table.players), *table.variants, *["pieces"] * table.piecewise])


@cache
def compilable_choices(table: Table) -> tuple[str, ...]:
    """The choices of a table that a program can take piece by piece."""
    model = rules(table.game, table.players, table.variants)
    return tuple(address for address in piecewise_choices(model) if table.piecewise and is_compiled(model, address))


def is_compiled(model: Rules, *tokenwise: str) -> bool:
    try:
        compile_program(model, tokenwise=tokenwise)
    except NotCompiled:
        return False
    return True


def seen(state: State) -> State:
    """What a program holds of a position: not who knows what, nor the variables around a step."""
    waiting = state.waiting._replace(around=()) if isinstance(state.waiting, Decision) else state.waiting
    return replace(state, thing_pools=(), pools=(), known_pieces=(), stack=(), waiting=waiting)


def position_of(game: CompiledGame, engine: ReferenceEngine) -> State:
    layout = engine.layout
    return seen(game.state(Knowledge(layout.visibility, layout.thing_pools, layout.pools, layout.known_pieces)))


def follow(table: Table, seed: int, decisions: int) -> int:
    """Plays a random game, and at every decision loads the position; returns how many positions it has loaded."""
    model, tokenwise = rules(table.game, table.players, table.variants), compilable_choices(table)
    if not is_compiled(model):
        return 0
    engine = ReferenceEngine(model, tokenwise=tokenwise)
    program = PythonProgram(compile_program(model, tokenwise=tokenwise))
    loaded, carried = PythonGame(program), PythonGame(program)
    state, rng, count = engine.start(seed=seed, first=seed % table.players), chance.seed_rng(seed, 1), 0
    while count < decisions:
        if state.over:
            seed += 1
            state = engine.start(seed=seed, first=seed % table.players)
            continue
        legal = engine.legal(state)
        loaded.load(state)
        if count % PLAYED_ON == 0:
            carried.load(state)
        for game in (loaded, carried):
            assert game.legal() == legal
            assert position_of(game, engine) == seen(state)
        rng, index = chance.rand_below(rng, len(legal))
        state = engine.apply_legal(state, legal[index])
        for game in (loaded, carried):
            game.act(index)
            assert position_of(game, engine) == seen(state)
            assert game.is_over == state.over
            if state.over:
                assert game.result() == engine.result(state)
        count += 1
        if state.over:
            count += -count % PLAYED_ON
    return count


@pytest.mark.parametrize("table", QUICK, ids=name_of)
def test_every_position_of_a_shipped_game_can_be_loaded(table: Table) -> None:
    assert follow(table, 1, 36) >= 36


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES[::SAMPLE], ids=name_of)
def test_every_position_of_every_table_can_be_loaded(table: Table) -> None:
    follow(table, 5, 96)


def follow_odd_rules(path: Path, decisions: int) -> None:
    players = load_rules(str(path)).players
    for piecewise in (False, True):
        with suppress(RuleFault):  # some are wrong on purpose: up to there
            follow(Table(str(path), players, (), piecewise), 5, decisions)


def test_a_position_is_loaded_between_pieces_and_what_is_chosen_at_once() -> None:
    follow_odd_rules(ODD_RULES / "pieces-then-one.yaml", 60)


@pytest.mark.parametrize("name", ["turns-within-repeated-steps", "while-it-holds"])
def test_a_position_is_loaded_in_steps_that_are_repeated(name: str) -> None:
    follow_odd_rules(ODD_RULES / f"{name}.yaml", 60)


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(ODD_RULES.glob("*.yaml")), ids=lambda path: path.stem)
def test_positions_of_odd_rules_can_be_loaded(path: Path) -> None:
    follow_odd_rules(path, 60)


@pytest.mark.parametrize("change", ["order", "generator", "chance"])
def test_what_a_program_cannot_hold_is_refused(change: str) -> None:
    model = rules("splendor", 2)
    engine, game = ReferenceEngine(model), PythonGame(PythonProgram(compile_program(model)))
    state = engine.start(seed=1)
    if change == "order":
        pile = next(index for index, content in enumerate(state.contents) if isinstance(content, Pile))
        content = state.contents[pile]
        assert isinstance(content, Pile)
        contents = (*state.contents[:pile], content._replace(fixed=True), *state.contents[pile + 1 :])
        state = replace(state, contents=contents)
    elif change == "generator":
        state = replace(state, rng=None)
    else:
        state = replace(state, waiting=ChanceEvent("draw", 0, ((0, 1),)))
    with pytest.raises(NotCompiled, match="given from outside" if change == "order" else "chance from outside"):
        game.load(state)


def test_a_game_that_is_over_can_be_loaded() -> None:
    model = rules("nim", 2)
    engine, game = ReferenceEngine(model), PythonGame(PythonProgram(compile_program(model)))
    state = engine.start(seed=3)
    while not state.over:
        state = engine.apply_legal(state, engine.legal(state)[0])
    game.load(state)
    assert game.is_over
    assert game.legal() == ()
    assert game.result() == engine.result(state)
    assert game.ended_by


def test_numbers_that_have_a_byte_each_are_put_where_they_are_read() -> None:
    numbers, before = list(range(120, 141)), [7, 8]
    cells = [*before, *bytes_in_cells([255] * len(numbers), 3)]
    for at, number in enumerate(numbers):
        put_byte(cells, len(before), at, number)
    assert [byte_in_cells(cells, len(before), at) for at in range(len(numbers))] == numbers
    unsigned = [cell % (1 << LANE_BITS * BYTES_OF_CELL) for cell in bytes_in_cells(numbers, 3)]
    assert [cell % (1 << LANE_BITS * BYTES_OF_CELL) for cell in cells] == [*before, *unsigned]
