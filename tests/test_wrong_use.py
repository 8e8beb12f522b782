"""What is said of a command line that is wrong: which word, what was expected, what was probably meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine

ONE_PLAYER_GAME = Path(__file__).parent / "games" / "odd" / "alone.yaml"
PYTHON_FILE = "import shutil,os\nx: 3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file that holds no rules."""
    (tmp_path / "gen.py").write_text(PYTHON_FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("chek", "rulewright: unknown command `chek` (did you mean `check`?); see `rulewright --help`"),
        (
            "new varient x",
            "rulewright new: expected `variant` or `game`, found `varient` (did you mean `variant`?); "
            "see `rulewright new --help`",
        ),
        ("xyzzy", "rulewright: unknown command `xyzzy`; see `rulewright --help`"),
        ("--versio", "rulewright: unknown option `--versio` (did you mean `--version`?); see `rulewright --help`"),
        (
            "play nim --bot greedy",
            "rulewright play: unknown option `--bot` (did you mean `--seat`?); see `rulewright play --help`",
        ),
        (
            "simulate nim --seat=greedy",
            "rulewright simulate: unknown option `--seat` (did you mean `--bot`?); see `rulewright simulate --help`",
        ),
        ("play --xyzzy", "rulewright play: unknown option `--xyzzy`; see `rulewright play --help`"),
        ("play nim chess", "rulewright play: unexpected `chess`; see `rulewright play --help`"),
        (
            "new",
            "rulewright new: the following arguments are required: variant|game, NAME; see `rulewright new --help`",
        ),
        (
            "simulate nim --only 0",
            "rulewright simulate: argument --only: `0` is not a game number: expected a whole number from 1 to "
            "10000000; see `rulewright simulate --help`",
        ),
        (
            "play nim --seat humna",
            "rulewright: this game has no bot `humna` (did you mean `human`?); available: human, random, avoid, "
            "greedy, heuristic, search",
        ),
        (
            "play nim --seat Search",
            "rulewright play: argument --seat: there is no bot `Search` (did you mean `search`?); available: human, "
            "random, avoid, greedy, heuristic, search; see `rulewright play --help`",
        ),
        (
            "play nim --tokenwise actions.take.choose.nmber",
            "rulewright: nim has no choice that is answered piece by piece",
        ),
        ("combine nim --write", "rulewright: --write needs --refused FILE"),
        (
            "combine nim --refused gen.py",
            "rulewright: the file of refusals cannot be read: gen.py, line 1: missing colon after `import shutil,os`",
        ),
        ("simulate nim --variant ./", "rulewright: ./ is a folder, expected the file of a variant"),
        (
            f"play {ONE_PLAYER_GAME} --seat human --seat random",
            "rulewright: --seat is given 2 times for 1 player",
        ),
        (
            f"simulate {ONE_PLAYER_GAME} --bot random --bot random",
            "rulewright: --bot is given 2 times for 1 player: give it once, or once for each",
        ),
        ("check gen.py", "rulewright: gen.py is not a YAML rule file: its name does not end in .yaml"),
        ("test gen.py", "rulewright: gen.py is not a YAML rule file: its name does not end in .yaml"),
        (
            "simulate nim --resume gen.py",
            "rulewright: gen.py was not written by `simulate --csv`: no `#` header in line 1",
        ),
        (
            "graph nim -o x.gif",
            "rulewright: x.gif: no format has the suffix .gif, expected .svg, .pdf, .png, .mmd, .md or .txt",
        ),
        (
            "rulebook nim -o noext",
            "rulewright: noext has no suffix that says its format, expected .md, .txt, .html, .htm or .pdf",
        ),
        (
            "graph nim -o noext",
            "rulewright: noext has no suffix that says its format, expected .svg, .pdf, .png, .mmd, .md or .txt",
        ),
        (
            "rulebook nim -o x.docx",
            "rulewright: x.docx: no format has the suffix .docx, expected .md, .txt, .html, .htm or .pdf",
        ),
    ],
)
def test_what_is_wrong_is_named(run_cli: CommandLine, folder: Path, words: str, message: str) -> None:
    assert run_cli(*words.split()) == 2
    assert run_cli.out == ""
    assert run_cli.err == f"{message}\n"
    assert [path.name for path in folder.iterdir()] == ["gen.py"]


@pytest.mark.parametrize(
    "words",
    [
        "play {}",
        "play --resume {}",
        "play nim --resume {}",
        "play nim --variant {}",
        "replay {}",
        "simulate nim --resume {}",
        "tournament random greedy --game nim --resume {}",
        "combine nim --resume {}",
        "combine nim --refused {}",
        "why nim take --position {}",
        "check {}",
        "test {}",
        "new game mine --folder {}",
    ],
)
def test_a_missing_file_is_named_in_the_same_words(run_cli: CommandLine, folder: Path, words: str) -> None:
    assert run_cli(*words.format("./nope.yaml").split()) == 2
    assert run_cli.err.startswith("rulewright: there is no file or folder ")
    assert "nope.yaml" in run_cli.err
    assert len(run_cli.err.splitlines()) == 1


@pytest.mark.parametrize("words", ["graph nim -o x.md", "graph nim -o x.mmd", "rulebook nim -o x.md"])
def test_no_file_is_overwritten_unless_asked_to(run_cli: CommandLine, folder: Path, words: str) -> None:
    assert run_cli(*words.split()) == 0
    path = folder / words.split()[-1]
    text = path.read_text(encoding="utf-8")
    path.write_text("mine", encoding="utf-8")
    assert run_cli(*words.split()) == 2
    assert run_cli.err == (
        f"rulewright: {path.name} already exists; choose another name, or overwrite it with --force\n"
    )
    assert path.read_text(encoding="utf-8") == "mine"
    assert run_cli(*words.split(), "--force") == 0
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "words",
    [
        "why nim --player 2 take",
        "why --player 2 nim take",
        "why nim take --player 2",
        "why --lang en nim --player 2 -- take",
    ],
)
def test_options_stand_anywhere(run_cli: CommandLine, words: str) -> None:
    assert run_cli(*words.split()) == 1
    assert run_cli.out.splitlines()[:2] == ["take is not legal for player 2:", "It is player 1's turn."]


def test_a_record_is_replayed_under_its_own_game_only(run_cli: CommandLine) -> None:
    record = Path(__file__).parent / "records" / "two-colours.jsonl"
    assert run_cli("replay", str(record), "--game", "nim") == 2
    assert run_cli.err == "rulewright: the record is of splendor, not nim\n"


def test_a_python_without_what_rulewright_needs_is_named(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_: object) -> int:
        raise ModuleNotFoundError("No module named 'lark'", name="lark")

    monkeypatch.setattr("rulewright.cli.check.run", run)
    assert run_cli("check") == 2
    assert re.fullmatch(r"rulewright: \S+ has no `lark`, which rulewright needs: install rulewright .*\n", run_cli.err)
