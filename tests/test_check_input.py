"""What `check` reads and when: standard input in the place of a file, files that change, lines that GitHub reads."""

from __future__ import annotations

import io
import json
import re
import shutil
from pathlib import Path

import pytest

from command_line import CommandLine
from explanation_examples import GAME
from rulewright.bundle import bundle_folder
from rulewright.checker.checker import check
from rulewright.checker.output.problem_matcher import problem_matcher
from rulewright.cli.check_again import check_again
from rulewright.cli.main import main
from rulewright.diagnostics import render_concise
from rulewright.source.unsaved import held_text, hold_text, release_text

VARIANT = "variant: short\nfor: chips\nset: {parameters.%s: 3}\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A folder with a game in one file, and no variant."""
    (tmp_path / "chips.yaml").write_text(GAME, encoding="utf-8")
    return tmp_path


def type_in(monkeypatch: pytest.MonkeyPatch, content: str | bytes) -> None:
    data = content.encode() if isinstance(content, str) else content
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_standard_input_is_checked_in_the_place_of_its_file(
    game: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = game / "short.yaml"  # which does not exist
    type_in(monkeypatch, VARIANT % "gaol")
    assert run_cli("check", "-", "--stdin-filename", str(file), "--format", "short") == 1
    assert run_cli.out.startswith(f"{file}:3:18: error[no-such-address] no `gaol` in `parameters`")
    type_in(monkeypatch, VARIANT % "goal")
    assert run_cli("check", "-", "--stdin-filename", str(file)) == 0
    assert run_cli.out == "checked 1 game, 1 variant: no problems found\n"


def test_standard_input_counts_and_not_what_was_saved(
    game: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = game / "short.yaml"
    file.write_text(VARIANT % "gaol", encoding="utf-8")
    type_in(monkeypatch, VARIANT % "goal")
    assert run_cli("check", "-", "--stdin-filename", str(file)) == 0
    assert run_cli("check", str(file)) == 1
    assert file.read_text(encoding="utf-8") == VARIANT % "gaol"


def test_what_would_be_corrected_in_standard_input_is_shown(
    game: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = game / "short.yaml"
    file.write_text(VARIANT % "goal", encoding="utf-8")
    type_in(monkeypatch, VARIANT % "gaol")
    assert run_cli("check", "-", "--stdin-filename", str(file), "--fix", "--diff") == 1
    assert run_cli.out.splitlines()[:2] == [f"--- {file}", f"+++ {file}"]
    assert "-set: {parameters.gaol: 3}\n+set: {parameters.goal: 3}\n" in run_cli.out
    assert file.read_text(encoding="utf-8") == VARIANT % "goal"
    assert held_text(file) is None
    type_in(monkeypatch, VARIANT % "goal")
    assert run_cli("check", "-", "--stdin-filename", str(file), "--fix", "--diff") == 0
    assert not run_cli.out
    monkeypatch.chdir(game)
    type_in(monkeypatch, VARIANT % "gaol")
    assert run_cli("check", "-", "--fix", "--diff") == 1
    assert run_cli.out.startswith("--- <stdin>.yaml\n+++ <stdin>.yaml\n")


def test_standard_input_is_not_written(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, VARIANT % "gaol")
    assert run_cli("check", "-", "--fix") == 2
    assert "give --diff as well" in run_cli.err


def test_a_shipped_file_is_judged_anew_when_it_is_typed_in(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = bundle_folder("rules") / "tic-tac-toe" / "game.yaml"
    type_in(monkeypatch, file.read_text(encoding="utf-8").replace("language: 2", "language: 3"))
    assert run_cli("check", "-", "--stdin-filename", str(file), "--format", "short") == 1
    assert "error[newer-language]" in run_cli.out


def test_without_a_name_it_is_a_file_of_the_current_folder(
    game: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(game)
    type_in(monkeypatch, VARIANT % "gaol")
    assert run_cli("check", "-", "--format", "short") == 1
    assert run_cli.out.splitlines()[0].startswith("<stdin>.yaml:3:18: error[no-such-address]")
    type_in(monkeypatch, b"game: \xff")
    assert run_cli("check", "-", "--format", "short") == 2
    assert "standard input is not UTF-8 text" in run_cli.err


def test_where_no_game_is_found_only_the_shape_is_right(
    tmp_path: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "part_of: lonely\nzones: {tray: {holds: nothing_known, seen_by: all}}\n"
    type_in(monkeypatch, text)
    assert run_cli("check", "-", "--stdin-filename", str(tmp_path / "part.yaml")) == 0
    said = "checked 1 file by its shape alone, since no game is around: no problems found\n"
    assert run_cli.out == said
    (tmp_path / "part.yaml").write_text(text, encoding="utf-8")
    assert run_cli("check", str(tmp_path / "part.yaml")) == 0
    assert run_cli.out == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-", "-"], "standard input can be checked only once"),
        (["-", "--watch"], "standard input cannot be watched"),
        (["--stdin-filename", "a.yaml"], "give - as a path"),
        (["-", "--stdin-filename", "a.txt"], "--stdin-filename ends in .yaml or .yml, as rule files do, not `a.txt`"),
    ],
)
def test_wrong_use_is_reported(words: list[str], said: str, run_cli: CommandLine) -> None:
    assert run_cli("check", *words) == 2
    assert said in run_cli.err


def test_unsaved_content_counts_only_while_it_is_held(game: Path) -> None:
    file = game / "chips.yaml"
    hold_text(file, GAME.replace("holds: colour", "holds: color"))
    assert check([file]).error_count
    release_text(file)
    assert not check([file]).error_count


# ---- watching -------------------------------------------------------------------------------------------------------


def test_files_are_checked_again_when_one_changes_comes_or_goes(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, variant = game / "chips.yaml", game / "short.yaml"
    changes = [
        lambda: None,  # nothing happens
        lambda: file.write_text(GAME.replace("goal: {value: 5", "goal: {value: 50"), encoding="utf-8"),
        lambda: variant.write_text(VARIANT % "goal", encoding="utf-8"),
        lambda: (game / "notes.txt").write_text("no rules", encoding="utf-8"),
        variant.unlink,
    ]
    counts: list[int] = []

    def count_errors() -> int:
        counts.append(check([game]).error_count)
        return min(counts[-1], 1)

    def wait() -> bool:
        if not changes:
            return False
        changes.pop(0)()
        return True

    assert check_again(count_errors, [file], wait) == 1
    assert [bool(count) for count in counts] == [False, True, True, True]
    assert capsys.readouterr().err.count(" changed:") == 3


def test_watching_goes_on_where_what_is_watched_is_gone_for_a_while(
    game: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = game, game.with_name("elsewhere")
    moves = [(folder, elsewhere), (elsewhere, folder)]

    def change(_: float) -> None:
        if not moves:
            raise KeyboardInterrupt
        old, new = moves.pop(0)
        old.rename(new)

    monkeypatch.setattr("rulewright.cli.check_again.time.sleep", change)
    assert run_cli("check", str(game), "--watch") == 130
    _, gone, back = run_cli.err.split(" changed:")
    assert "rulewright: " in gone
    assert "rulewright: " not in back
    assert run_cli.out.count("no problems found") == 2  # before and after


def test_what_is_printed_for_programs_is_nothing_else(
    game: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [lambda: game.joinpath("note.yaml").write_text("", encoding="utf-8")]

    def change(_: float) -> None:
        if not changes:
            raise KeyboardInterrupt
        changes.pop()()

    monkeypatch.setattr("rulewright.cli.check_again.time.sleep", change)
    assert run_cli("check", str(game), "--watch", "--format", "json") == 130
    read, decoder, found = run_cli.out.strip(), json.JSONDecoder(), []
    while read:
        one, end = decoder.raw_decode(read)
        found.append(one["summary"]["errors"])
        read = read[end:].strip()
    assert len(found) == 2


def test_the_command_watches_until_it_is_stopped(
    game: Path, run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.cli.check_again.time.sleep", stop)
    assert run_cli("check", str(game / "chips.yaml"), "--watch") == 130
    assert "no problems found" in run_cli.out


# ---- GitHub ---------------------------------------------------------------------------------------------------------


def test_the_problem_matcher_reads_every_short_line(run_cli: CommandLine, tmp_path: Path) -> None:
    assert run_cli("check", "--problem-matcher") == 0
    (matcher,) = json.loads(run_cli.out)["problemMatcher"]
    assert run_cli.out.strip() == problem_matcher()
    (pattern,) = matcher["pattern"]
    folder = tmp_path / "allowances"
    shutil.copytree(Path(__file__).parent / "diagnostics" / "check" / "allowances", folder)
    diagnostics = list(check([folder]))
    assert {one.severity for one in diagnostics} == {"warning"}
    for one in diagnostics:
        match = re.match(pattern["regexp"], render_concise(one))
        assert match is not None
        read = {key: match[group] for key, group in pattern.items() if key != "regexp"}
        assert read == {
            "file": one.span.source.path,
            "line": str(one.span.line),
            "column": str(one.span.column),
            "severity": one.severity,
            "code": one.code.name,
            "message": one.message,
        }
    assert re.match(pattern["regexp"], "checked 1 game: no problems found") is None


class ClosedPipe(io.StringIO):
    """An output that nobody reads any more, as behind `| head -1`."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(text)

    def flush(self) -> None:
        raise BrokenPipeError


@pytest.mark.parametrize(("text", "status"), [("game: odd\n", 1), ("scenarios: odd\n", 1)])
def test_who_has_seen_enough_still_gets_the_exit_status(
    text: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("sys.stdout", ClosedPipe())
    command = ["check", "--play", "0"] if text.startswith("game") else ["test"]
    assert main([*command, str(tmp_path / "odd.yaml")]) == status
