"""Sequences of decisions are as many whichever engine counts them, and the command says which one did."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, TypeAlias

import pytest

from command_line import CommandLine
from games.playing import read
from positions import Table, all_tables, piecewise_choices, rules
from rulewright import limits
from rulewright.cli import perft
from rulewright.cli.perft import row_orders
from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.playing.compiled_tree import CompiledTree
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.native_tree import NativeTree
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.game_tree import GameTree, TooManyPositions
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.rules import Rules

MOST_IN_PYTHON = 4  # decisions
Beginning: TypeAlias = Literal["seed", "rows", "outside"]
HERE = Path(__file__).parent
COUNTS = [
    (game, entry["players"], entry["counts"])
    for game, found in read(HERE / "perft_counts.yaml").items()
    for entry in found
]
TABLES = all_tables()
needs_llvm = pytest.mark.skipif(not can_make_machine_code(), reason="llvmlite is not installed")
PLAIN = [table for table in TABLES if not table.variants and not table.piecewise]


def trees(table: Table, beginning: Beginning) -> tuple[CompiledTree, GameTree]:
    """The same tree of both engines. Raises `TooManyPositions` where chance branches too much."""
    model = rules(table.game, table.players, table.variants)
    engine = ReferenceEngine(model, tokenwise=piecewise_choices(model) if table.piecewise else ())
    seed = 1 if beginning == "seed" else None
    orders = row_orders(engine) if beginning == "rows" else {}
    program = compile_program(model, tokenwise=engine.tokenwise, takes_orders=bool(orders))
    compiled = CompiledTree(PythonProgram(program), seed=seed, orders=orders)
    return compiled, GameTree(engine, engine.start(seed=seed, orders=orders))


def require_equal(table: Table, beginning: Beginning, depth: int) -> None:
    try:
        compiled, reference = trees(table, beginning)
        counts = [compiled.count(number) for number in range(depth)]
    except TooManyPositions as refusal:
        pytest.skip(str(refusal))
    assert counts == [reference.count(number) for number in range(depth)]
    assert compiled.beginnings == reference.beginnings
    assert compiled.divide(1) == reference.divide(1)
    assert compiled.divide(depth) == reference.divide(depth)


def name_of(table: Table) -> str:
    return "-".join([table.game.rpartition("/")[2], str(table.players), *table.variants, *["pieces"] * table.piecewise])


def require_native(table: Table, depth: int) -> None:
    """Machine code counts a drawn game as Python does, also its last decisions alone."""
    compiled, _ = trees(table, "seed")
    native = NativeTree(compiled.program, NativeProgram(compiled.program.program), seed=1)
    for number in range(1, depth + 1):
        divided = compiled.divide(number)
        assert native.divide(number) == divided
        assert native.count(number) == sum(count for _, count in divided)


@pytest.mark.sampled(3)
@needs_llvm
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", TABLES[::7], ids=name_of)
def test_machine_code_counts_as_many_sequences(table: Table) -> None:
    require_native(table, 3)


@needs_llvm
@pytest.mark.parametrize("name", ["nim", "kuhn-poker", "reversi", "tic-tac-toe"])
def test_machine_code_counts_as_many_sequences_of_small_games(name: str) -> None:
    require_native(Table(name, 2), 5)


@pytest.mark.parametrize("table", PLAIN, ids=name_of)
def test_a_drawn_game_has_as_many_sequences(table: Table) -> None:
    require_equal(table, "seed", 2)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "beginning"),
    [*((table, "rows") for table in PLAIN), *((table, "outside") for table in PLAIN[::3])],
    ids=lambda value: value if isinstance(value, str) else name_of(value),
)
def test_every_outcome_of_chance_is_followed(table: Table, beginning: Beginning) -> None:
    require_equal(table, beginning, 2)


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("table", [table for table in TABLES[2::5] if table not in PLAIN], ids=name_of)
def test_variants_and_pieces_have_as_many_sequences(table: Table) -> None:
    require_equal(table, "seed", 2)


def test_whoever_can_be_dealt_each_card_is() -> None:
    compiled, reference = trees(Table("kuhn-poker", 2), "outside")
    assert compiled.beginnings == reference.beginnings == 6
    assert compiled.divide(3) == reference.divide(3)
    assert compiled.count(0) == 1


@pytest.mark.parametrize(
    ("game", "players", "counts", "depth"),
    [
        pytest.param(game, players, counts, depth, marks=[pytest.mark.slow] * (depth > 4))
        for game, players, counts in COUNTS
        for depth in range(1, 7 if players == 2 else 6)  # the sixth of more takes machine code ten seconds
    ],
)
def test_as_many_as_are_written_down(game: str, players: int, counts: list[int], depth: int) -> None:
    engine = ReferenceEngine(rules(game, players))
    compiled, orders = compile_program(engine.rules, takes_orders=True), row_orders(engine)
    program = PythonProgram(compiled)
    if can_make_machine_code():
        assert NativeTree(program, NativeProgram(compiled), orders=orders).count(depth) == counts[depth - 1]
    elif depth > MOST_IN_PYTHON:
        pytest.skip("it takes too long in Python")
    if depth <= MOST_IN_PYTHON:
        assert CompiledTree(program, orders=orders).count(depth) == counts[depth - 1]
    if depth < 4:
        assert GameTree(engine, engine.start(orders=row_orders(engine))).count(depth) == counts[depth - 1]


def test_as_many_turns_as_published() -> None:
    """So early each turn of reversi is one decision."""
    counts = read(HERE / "published_perft.yaml")["reversi"]["counts"]
    tree = CompiledTree(PythonProgram(compile_program(rules("reversi", 2))))
    assert [tree.count(depth) for depth in range(1, len(counts) + 1)] == counts


def test_chance_that_branches_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_CHANCE_POSITIONS", 5)
    with pytest.raises(TooManyPositions, match="more than 5 positions follow from chance"):
        trees(Table("kuhn-poker", 2), "outside")


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def counted(cli: CommandLine, *words: str) -> tuple[list[str], str]:
    assert cli("perft", *words) == 0
    lines = [re.sub(r" \(\d+\.\d\d s\)$", "", line) for line in cli.out.splitlines()]
    return lines[:-1], lines[-1]


@pytest.mark.parametrize("words", [("splendor", "--depth", "2", "--divide"), ("nim", "--depth", "3", "--seed", "4")])
def test_the_command_says_which_engine_counted(cli: CommandLine, words: tuple[str, ...]) -> None:
    by_default, engine = counted(cli, *words)
    assert engine == "engine: python"
    assert counted(cli, *words, "--engine", "python") == (by_default, "engine: python")
    assert counted(cli, *words, "--engine", "reference") == (by_default, "engine: reference")


@needs_llvm
def test_machine_code_counts_what_is_deep(cli: CommandLine) -> None:
    words = ("splendor", "--depth", "4", "--divide")
    by_default, engine = counted(cli, *words)
    assert engine == "engine: native"
    assert counted(cli, *words, "--engine", "native") == (by_default, "engine: native")
    assert counted(cli, *words, "--engine", "python") == (by_default, "engine: python")


@needs_llvm
def test_chance_is_followed_by_generated_python(cli: CommandLine) -> None:
    words = ("tests/games/race/race.yaml", "--depth", "4")
    assert cli("perft", *words, "--engine", "native") == 2
    assert cli.err == (
        "rulewright: --engine native: machine code follows no outcomes of chance; with a seed they are drawn\n"
    )
    expected = counted(cli, *words, "--engine", "python")[0]
    by_default, engine = counted(cli, *words)
    assert by_default == expected
    assert engine == "engine: python (machine code follows no outcomes of chance; with a seed they are drawn)"
    assert counted(cli, *words, "--seed", "3")[1] == "engine: native"


@pytest.mark.skipif(can_make_machine_code(), reason="llvmlite is installed")
def test_without_machine_code_python_counts(cli: CommandLine) -> None:
    assert counted(cli, "nim", "--depth", "4")[1] == "engine: python"
    assert cli("perft", "nim", "--depth", "4", "--engine", "native") == 2
    assert "machine code needs llvmlite" in cli.err


def test_what_cannot_be_compiled_is_counted_by_the_reference_engine(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(rules: Rules, **_: object) -> CompiledProgram:
        raise NotCompiled("turn.take", "whatever it is")

    monkeypatch.setattr(perft, "compile_program", refuse)
    refusal = "turn.take cannot be compiled yet: whatever it is"
    assert counted(cli, "nim", "--depth", "2")[1] == f"engine: reference ({refusal})"
    assert counted(cli, "nim", "--depth", "2", "--engine", "reference")[1] == "engine: reference"
    assert cli("perft", "nim", "--depth", "2", "--engine", "python") == 2
    assert f"--engine python: {refusal}" in cli.err


def test_what_branches_too_much_for_a_program_is_counted_by_the_reference_engine(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CHANCE_POSITIONS", 2500)
    words = ("tests/games/fair.yaml", "--players", "3", "--depth", "1")
    lines, engine = counted(cli, *words)
    assert engine == "engine: reference (more than 2,500 positions follow from chance; a seed draws one of them)"
    assert cli("perft", *words, "--engine", "python") == 2
    assert "--engine python: more than 2,500 positions follow from chance" in cli.err
    monkeypatch.undo()
    assert counted(cli, *words) == (lines, "engine: python")
