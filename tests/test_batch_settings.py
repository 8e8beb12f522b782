"""What a caller of batches can set, load, read and get wrong."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from array import array
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rulewright
from batch_contents import ENGINES, compiled, contents_of, numbers_of
from positions import Table, engine_of, rules
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.values import Pile, content_things

needs_llvm = pytest.mark.skipif(not can_make_machine_code(), reason="llvmlite is not installed")
ROOT = Path(__file__).parent.parent


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
