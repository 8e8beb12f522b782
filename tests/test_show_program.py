"""`rulewright show --layout` and `--program`: every cell and bit has its line, the program is the one that plays."""

from __future__ import annotations

import pytest

from command_line import CommandLine
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.llvm_printer import LlvmModule
from rulewright.model.loader import load_rules


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def test_every_cell_has_a_line(cli: CommandLine) -> None:
    assert cli("show", ".", "--layout") == 0
    program = compile_program(load_rules("splendor"))
    cells, bits = cli.out.split("\n\n")
    assert cells.startswith(f"a position is {program.cells.size} whole numbers\n")
    covered: list[int] = []
    for line in cells.splitlines()[2:]:
        first, _, last = line[:10].strip().partition(" to ")
        covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(program.cells.size))
    assert f"one number of {program.words.bits} bits" in bits
    for action in program.rules.actions:
        assert all(f" {choice.address}" in bits for choice in action.choices)


def test_the_program_is_the_one_that_plays(cli: CommandLine) -> None:
    program = compile_program(load_rules("nim"))
    assert cli("show", ".", "nim", "--program", "python") == 0
    assert cli.out.strip() == program.to_python().strip()
    assert cli("show", ".", "nim", "--program", "llvm") == 0
    assert cli.out.strip() == LlvmModule(program).text().strip()


@pytest.mark.parametrize("words", [("turn", "--layout"), (".", "--layout", "--facts"), ("turn", "--program", "llvm")])
def test_only_the_whole_game_is_compiled(cli: CommandLine, words: tuple[str, ...]) -> None:
    assert cli("show", *words) == 2
    assert "give them the address `.`" in cli.err
