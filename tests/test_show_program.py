"""`rulewright show --layout` and `--program`: every cell and bit has its line, the program is the one that plays."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from command_line import CommandLine
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.llvm.llvm_printer import LlvmModule
from rulewright.model.loader import load_rules

ODD_RULES = Path(__file__).parent / "odd_rules"


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


def functions_of(text: str) -> dict[str, str]:
    """The functions of a generated module, by name."""
    parts = text.split("\ndef ")[1:]
    return {part[: part.index("(")]: part for part in parts}


@pytest.mark.parametrize("game", ["splendor", "nim", "whist", "kuhn-poker"])
def test_generated_python_says_nothing_twice(game: str) -> None:
    bodies = [re.sub(r"\A.*\n.*\n", "", text).strip() for text in functions_of(python_of(game)).values()]
    long = [body for body in bodies if body.count("\n") >= 8]
    assert len(set(long)) == len(long)
    lines = Counter(line for body in long for line in set(body.splitlines()) if line.lstrip().startswith("# turn"))
    assert lines.total()
    assert set(lines.values()) == {1}


def test_points_are_functions_that_call_the_next_one() -> None:
    functions = functions_of(python_of("splendor"))
    assert "return after_turn_noble(s, out)" in functions["after_turn_act"]
    assert "return next_round_turns(s, out)" in functions["after_turn_give_back"]
    # a round leads to the next: not called, but its number returned
    assert "return 3  # begin_round\n" in functions["next_round_turns"]
    assert "# setup.nobles" in functions["begin_setup"]


def test_actions_that_hang_on_a_few_counts_are_listed_from_tables() -> None:
    text = python_of("splendor", "colours-first")
    words = re.search(r"^WORDS_TURN_ACT_2 = (\{.*?^\})$", text, re.MULTILINE | re.DOTALL)
    assert words is not None
    rows = eval(words[1])  # a dictionary of numbers
    assert len(rows) == 2**5
    assert rows[0] == ()
    assert {len(row) for row in rows.values()} == {0, 1, 2, 3, 4, 5}
    assert "out += WORDS_TURN_ACT_1[supply + 0x7f7f7f7f7f & 0x8080808080]\n" in text  # which there are at all
    assert "out += WORDS_TURN_ACT_2[supply + 0x7c7c7c7c7c & 0x8080808080]\n" in text  # of which there are four
    assert "present" not in text


def test_what_no_thing_could_pass_is_not_asked_of_each() -> None:
    functions = functions_of(python_of(str(ODD_RULES / "wishes.yaml")))
    assert "    if store_good % 255 >= 3:\n" in functions["options_turn_guests"]  # the least that a guest wants
    assert " % 255" not in functions["options_turn_idlers"]  # there is one who wants nothing
    assert "    for crate in s[29:33]:  # row\n        if CRATE_COST_MOST[crate] <= " in functions["options_turn_act"]


def test_variables_have_numbers_only_beside_others_of_the_same_name() -> None:
    for text in functions_of(python_of("splendor")).values():
        names = set(re.findall(r"^ *(\w+) = ", text, re.MULTILINE)) | set(re.findall(r"\bfor (\w+) in", text))
        for name in names:
            base = name.rstrip("0123456789")
            assert name == base or re.search(rf"\b{base}\b", text)


def test_what_numbers_mean_is_said_where_the_code_does_not() -> None:
    text = python_of("splendor")
    functions = functions_of(text)
    assert all(re.match(r'.*:\n    """.+\."""\n', function) for function in functions.values())
    assert "s[me + 419] += pieces  # purse" in functions["do_take_pair"]
    assert "s[111] = supply - pieces\n" in functions["do_take_pair"]  # `supply` says it
    assert "fail(1)  # turn.give_back" not in functions["after_turn_noble"]  # the comment above says it
    assert "fail(0)  # turn.act\n" not in functions["next_round_turns"]
    assert "place = s[card + 11]  # where card\n" in functions["do_buy"]
    assert "if not s[5]:  # ending\n" in functions["after_turn_give_back"]
    assert "for card in s[385:397]:  # market\n" in functions["options_turn_act"]
    assert "hand_count = s[me + 421]\n" in functions["options_turn_act"]  # its name says it


@pytest.mark.parametrize("game", ["splendor", "whist", "kuhn-poker", "reversi"])
def test_generated_python_reads_as_if_written_by_hand(game: str) -> None:
    text = python_of(game)
    assert max(map(len, text.splitlines())) <= 120
    assert re.search(r"\bif found\w*:\n *break\n", text) is None  # a search ends where it finds
    assert (
        re.search(r"\b(?:if|and|or) -?\d+ (?:[<>]=?|[!=]=) [^<>]*(?: and | or |:)", text) is None
    )  # not `0 > balance`
    assert not {"True", "False"} & set(re.findall(r"\w+", text))  # positions and tables hold numbers


def test_steps_go_no_detours() -> None:
    poker, whist = functions_of(python_of("kuhn-poker")), functions_of(python_of("whist"))
    assert "held = s[22]  # stake\n        s[22] = 0  # stake\n" in poker["after_turn_act"]
    assert "found = 1\n                break\n" in whist["options_turn_play"]
    assert "won_count = s[177] + s[178]\n" in whist["after_turn_play"]


def test_one_name_serves_several_variables_in_turn() -> None:
    functions = functions_of(python_of("splendor"))
    assert functions["options_turn_act"].count("for card in ") == 2
    assert re.findall(r"deck_count\w* = s\[(\d+)\]", functions["options_turn_act"]) == ["112", "113", "114"]
    assert "deck_count2" not in functions["options_turn_act"]
    assert "deck_count2" in functions["after_turn_give_back"]  # there all three are needed at once


def test_no_step_is_written_that_does_nothing() -> None:
    nim, splendor, whist = map(python_of, ("nim", "splendor", "whist"))
    assert "refill" not in nim
    take = functions_of(nim)["do_take"]
    assert "row = word >> 4 & 3\n    number = (word >> 6 & 31) + 1\n" in take  # rows are counted from 1, cells from 0
    assert "held = s[row + 11]  # sticks\n" in take
    assert "left = s[level + 112]  # deck count\n" in functions_of(splendor)["do_reserve_from_deck"]
    play = functions_of(whist)["options_turn_play"]
    assert "    card = s[leader + 173]  # trick\n" in play  # of a place for one card no loop is made
    assert "card != 52 and CARD_SUIT[card] == it" in play  # its suit is compared, not counted among all


def python_of(game: str, *variants: str) -> str:
    return compile_program(load_rules(game, variants=variants)).to_python()


@pytest.mark.parametrize("words", [("turn", "--layout"), (".", "--layout", "--facts"), ("turn", "--program", "llvm")])
def test_only_the_whole_game_is_compiled(cli: CommandLine, words: tuple[str, ...]) -> None:
    assert cli("show", *words) == 2
    assert "give them the address `.`" in cli.err
