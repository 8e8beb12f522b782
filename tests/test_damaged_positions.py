"""A damaged position is refused, or a game goes on from it without a fault, in a program as in the reference engine;
what that game saves is taken again.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.playing import fewer_samples
from positions import Begin, Table, all_tables, engine_of, spot
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.faults import RuleFault
from rulewright.engine.playout import Playout, RandomChoices, play_out
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.position_json import state_from_data, state_to_data
from rulewright.engine.state import State
from test_loaded_cells import compilable_choices, is_compiled, position_of, seen

pytestmark = pytest.mark.slow

DAMAGED = 60 * int(os.environ.get("PROPERTIES", "1"))  # positions of each of two tables
DAMAGES_OF_ONE = 30  # of one position
DECISIONS = 50  # that are made from each
PROGRAM_DECISIONS = 20  # of these in a program, too
SAVED_DECISIONS = (1, 4, 7, 10)  # after which the position is saved and taken again
ODD_VALUES = (None, True, False, 0, 1, -1, 2, 5, 99, 1.5, "", "x", "0", [], {}, [[]], [0])
GAMES = sorted({table.game for table in all_tables()})

Path = tuple[str | int, ...]


def paths(node: Any, before: Path = ()) -> Iterator[Path]:
    """Where values are in JSON data; all but what says which rules these are."""
    keys = range(len(node)) if isinstance(node, list) else node if isinstance(node, dict) else ()
    for key in keys:
        if before or key not in ("rules", "format", "version"):
            yield (*before, key)
            yield from paths(node[key], (*before, key))


def value_at(node: Any, path: Path) -> Any:
    for key in path:
        node = node[key]
    return node


def damage(position: Any, rng: random.Random) -> str:
    """Changes one value, or exchanges two; says what it did."""
    every = list(paths(position))
    section = rng.choice(sorted({path[0] for path in every}))
    path = rng.choice([path for path in every if path[0] == section])
    owner, key = value_at(position, path[:-1]), path[-1]
    value, way = owner[key], rng.choice(("odd", "near", "near", "drop", "exchange", "exchange"))
    alike = [
        other
        for other in every
        if type(value_at(position, other)) is type(value) and other[: len(path)] != path and path[: len(other)] != other
    ]
    if way == "near" and type(value) is int:
        owner[key] = value + rng.choice((-1, 1, 2))
    elif way == "near" and value and isinstance(value, list | dict):
        del value[rng.choice(range(len(value)) if isinstance(value, list) else list(value))]
    elif way == "exchange" and alike:
        other = rng.choice([one for one in alike if one[0] == path[0]] or alike)
        owner[key] = value_at(position, other)
        value_at(position, other[:-1])[other[-1]] = value
    elif way == "drop":
        del owner[key]
    else:
        owner[key] = rng.choice(ODD_VALUES)
    return f"{way} {path}"


def taken(table: Table, rng: random.Random, damaged: int) -> Iterator[tuple[str, Any]]:
    """Damaged positions that are taken, with what was damaged; of about so many damaged ones."""
    engine = engine_of(table)
    for _ in range(max(1, damaged // DAMAGES_OF_ONE)):
        begin = Begin(table, rng.randrange(table.players), rng.randrange(1000), rng.randrange(1000), rng.randrange(5))
        data = json.dumps(state_to_data(engine, spot(begin, rng.choice((0, 2, 5, 12, 30, 60))).state))
        for _ in range(DAMAGES_OF_ONE):
            position = json.loads(data)
            what = damage(position, rng)
            try:
                state = state_from_data(engine, position)
            except InvalidPosition:
                continue
            yield f"{what} of {data}", state


def program_of(table: Table) -> PythonGame | None:
    """A program that plays a table as the engine does; None where there is none."""
    tokenwise = compilable_choices(table)
    if not is_compiled(engine_of(table).rules) or {*tokenwise} != {*engine_of(table).tokenwise}:
        return None
    return PythonGame(PythonProgram(compile_program(engine_of(table).rules, tokenwise=tokenwise)))


def play_in_program(table: Table, game: PythonGame, state: State, rng: random.Random) -> None:
    """The program refuses a position, or plays it as the engine does. Raises `RuleFault` where the rules fail."""
    engine = engine_of(table)
    try:
        game.load(state)
    except NotCompiled:
        return
    for _ in range(PROGRAM_DECISIONS):
        assert position_of(game, engine) == seen(state)
        if state.over:
            return
        legal = engine.legal(state)
        assert game.legal() == legal
        index = rng.randrange(len(legal))
        state = engine.apply_legal(state, legal[index])
        game.act(index)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", GAMES)
def test_a_damaged_position_is_refused_or_played_on(game: str) -> None:
    rng = random.Random(game)
    tables = [table for table in all_tables() if table.game == game and not table.variants]
    for table in rng.sample(tables, min(fewer_samples(game, 2), len(tables))):
        engine, program = engine_of(table), program_of(table)
        for what, state in taken(table, rng, fewer_samples(game, DAMAGED)):
            playout, choices = Playout(engine, state), RandomChoices(chance.seed_rng(rng.randrange(1000)))
            try:
                decisions = 0
                for step in play_out(playout, choices.choose, draw=choices.draw):
                    decisions += step.action is not None
                    if decisions in SAVED_DECISIONS:
                        data = json.loads(json.dumps(state_to_data(engine, playout.state)))
                        assert state_from_data(engine, data) == playout.state, what
                    if decisions == DECISIONS:
                        break
                if program is not None:
                    play_in_program(table, program, state, rng)
            except (InvalidPosition, RuleFault) as error:
                raise AssertionError(f"{what}: {error}") from error
