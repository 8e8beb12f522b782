"""The command: what it prints, how it ends, and that whatever is wrong is said in a sentence."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import rulewright
from command_line import ENVIRONMENT, NAMELESS, CommandLine, process
from rulewright import __version__, bundle
from rulewright.checker.common.diagnostic_json import PHASE_BY_CODE
from rulewright.cli.subcommands import SUBCOMMANDS
from rulewright.diagnostics import Code

BROKEN = NAMELESS.replace("heaps is empty", "heeps is empty")


@pytest.fixture
def broken(tmp_path: Path) -> str:
    path = tmp_path / "heaps.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    return str(path)


# ---- the whole ----------------------------------------------------------------------------------------------------


def test_the_version_needs_nothing_heavy() -> None:
    assert process("--version").stdout == f"rulewright {__version__}\n"
    asked = "import sys, rulewright.cli.main as c; c.main(['--version']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert not {"argparse", "json", "dataclasses", "yaml", "inspect"} & set(done.stdout.split())


def test_who_measures_a_command_or_waits_for_its_end_is_not_forgotten(tmp_path: Path) -> None:
    told = "import atexit, sys, rulewright.cli.main as c; atexit.register(print, 'told'); sys.argv[1:] = ['--version']"
    done = subprocess.run([sys.executable, "-c", f"{told}; c.run()"], capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.stdout, done.returncode) == (f"rulewright {__version__}\ntold\n", 0)
    profile = tmp_path / "profile"
    command = [sys.executable, "-m", "cProfile", "-o", str(profile), "-m", "rulewright", "--version"]
    subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=True)
    assert profile.stat().st_size > 0


def test_help_teaches(run_cli: CommandLine) -> None:
    assert run_cli("--help") == 0
    assert all(f"  {one.name}" in run_cli.out for one in SUBCOMMANDS)
    for one in SUBCOMMANDS:
        assert run_cli(one.name, "--help") == 0
        assert f"rulewright {one.examples[0]}" in run_cli.out
    assert run_cli() == 2
    assert run_cli.err.startswith("usage")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "ply",
        "play chess",
        "play --players 9",
        "play --players x",
        "play --seed -1",
        "play --first-player 6",
        "play --lang de",
        "play --variant colour-first",
        "play --variant no/such.yaml",
        "play --tokenwise zones",
        "play --seat dragon",
        "play --seat search:0",
        "play --seat search:1h",
        "play --seat heuristic:no_such_strategy",
        "play --seat random --seat random --seat random",
        "play --resume no-such-file.json",
        "play --resume README.md",
        "simulate --bot human",
        "simulate --bot greedy:5",
        "tournament greedy serch",
        "simulate -n 0",
        "simulate --players 4 --bot random --bot random",
        "check no-such-file",
        "test no-such-file",
        "perft",
        "perft --depth x",
        "perft --depth 1 --orders rows --seed 1",
        "why",
        "why (",
        "why fly(to=moon)",
        "why buy(card=no_such)",
        "why pass --player 8",
        "why pass --position no-such-file",
        "show",
        "show parameters.token_limt",
        "show nowhere.at.all",
        "show turn --lang de",
        "engine --what",
    ],
)
def test_wrong_use_is_reported_in_a_sentence(run_cli: CommandLine, words: str) -> None:
    assert run_cli(*words.split()) == 2
    assert run_cli.out == ""
    assert run_cli.err.startswith("rulewright")
    assert len(run_cli.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "expected a value at line 1, column 1"),
        (b'{"game": "nim",\n "players" 2}', "expected a colon at line 2, column 12"),
        (b'{"game": "nim"', "expected a comma at line 1, column 15"),
        (b'{"game: 1}', "a text without closing quotes at line 1, column 2"),
        (b"{} {}", "unexpected text after the end at line 1, column 4"),
        (b"\xff", "it is not UTF-8"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"9" * 5000, "a number has too many digits"),
    ],
)
def test_why_a_file_is_not_json_is_said_in_words(
    run_cli: CommandLine, tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "position.json"
    path.write_bytes(content)
    assert run_cli("why", "pass", "--position", str(path)) == 2
    assert run_cli.err == f"rulewright: {path} is not valid JSON: {reason}\n"


@pytest.mark.parametrize("words", ["play {}", "simulate {}", "perft {} --depth 1", "why {} take", "show turn {}"])
def test_broken_rules_are_shown(run_cli: CommandLine, broken: str, words: str) -> None:
    assert run_cli(*words.format(broken).split()) == 1
    assert "heeps" in run_cli.err
    assert "^^^^^" in run_cli.err
    assert run_cli.err.splitlines()[-1] == "rulewright: these rules cannot be used: 1 error"


def test_a_fault_of_ours_says_how_to_report_it(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.cli import perft

    def fails(args: object) -> int:
        raise ZeroDivisionError("so it goes")

    monkeypatch.setattr(perft, "run", fails)
    assert run_cli("perft", "--depth", "1") == 3
    assert "not your fault: ZeroDivisionError: so it goes at test_command.py" in run_cli.err
    assert __version__ in run_cli.err


def test_interrupted(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.cli import perft

    def stopped(wish: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(perft, "run", stopped)
    assert run_cli("perft", "--depth", "1") == 130
    assert run_cli.err == "\nStopped.\n"


@pytest.mark.slow
def test_a_closed_pipe_is_no_fault() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "rulewright", "play", "--seed", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=ENVIRONMENT,
    ) as done:  # fmt: skip
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.readline()
        done.stdout.close()
        assert done.stderr.read() == b""
        assert done.wait(timeout=30) == 0


# ---- check, test --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_shipped_rules_have_no_faults(run_cli: CommandLine) -> None:
    assert run_cli("check", "--fail-on", "warning") == 0, run_cli.out
    assert re.fullmatch(r"checked \d games, \d+ variants: no problems found\n", run_cli.out)


def test_faults_are_printed_in_three_ways(run_cli: CommandLine, broken: str) -> None:
    assert run_cli("check", broken) == 1
    assert "^^^^^" in run_cli.out
    assert run_cli.out.splitlines()[-1] == "checked 1 game: 1 error and 0 warnings in 1 file"
    assert run_cli("check", broken, "--format", "short") == 1
    (line,) = run_cli.out.splitlines()
    assert line.startswith(f"{broken}:20:") or ":20:" in line
    assert run_cli("check", broken, "--format", "json") == 1
    (one,) = run_cli.json()["diagnostics"]
    start, end = one["range"]["start"], one["range"]["end"]
    assert (one["severity"], start["line"]) == ("error", end["line"])
    assert end["column"] - start["column"] == len("heeps")
    text = Path(broken).read_text(encoding="utf-8")
    assert text[start["offset"] : end["offset"]] == "heeps"
    assert (one["phase"], one["name"], one["address"]) == ("expr", "unknown-name", "turn.last")
    assert one["file"].endswith("heaps.yaml")
    assert "heaps" in one["help"]
    assert run_cli.json()["summary"] == {"games": 1, "variants": 0, "errors": 1, "warnings": 0}


def test_a_variant_is_checked_over_its_game(run_cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "heaps.yaml").write_text(NAMELESS, encoding="utf-8")
    variant = tmp_path / "variants" / "more.yaml"
    variant.parent.mkdir()
    variant.write_text(
        "variant: more\nfor: heaps\ntext: More\nset:\n  zones.heaps.start: 9 of mtch\n", encoding="utf-8"
    )
    assert run_cli("check", str(variant)) == 1
    assert "mtch" in run_cli.out
    variant.write_text(
        "variant: more\nfor: heaps\ntext: More\nset:\n  zones.heaps.start: 9 of match\n", encoding="utf-8"
    )
    assert run_cli("check", str(variant)) == 0, run_cli.out
    assert run_cli.out == "checked 1 game, 1 variant: no problems found\n"
    variant.write_text(
        "variant: more\nfor: hips\ntext: More\nset:\n  zones.heaps.start: 9 of match\n", encoding="utf-8"
    )
    assert run_cli("check", str(variant), "--format", "json") == 1
    (one,) = run_cli.json()["diagnostics"]
    assert (one["name"], one["range"]["start"]["line"], one["address"]) == ("unknown-game", 2, "for")
    assert "--game" in one["help"]
    assert run_cli("check", str(variant), "--game", "no-such-game") == 2


def test_a_fingerprint_outlives_other_lines(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "heaps.yaml"

    def found(text: str) -> list[str]:
        path.write_text(text, encoding="utf-8")
        assert run_cli("check", str(path), "--format", "json") == 1
        return [one["fingerprint"] for one in run_cli.json()["diagnostics"]]

    (first,) = found(BROKEN)
    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert found(BROKEN.replace("zones:", "# a line more\nzones:")) == [first]
    twice = found(BROKEN.replace("is empty", "is emty"))
    assert len(set(twice)) == len(twice) == 2
    assert first not in twice


def test_every_diagnostic_has_a_phase() -> None:
    modules = [one.name for one in walk_packages(rulewright.__path__, "rulewright.") if one.name.endswith("codes")]
    codes = [code for name in modules for code in vars(import_module(name)).values() if isinstance(code, Code)]
    assert {code.number for code in codes} == set(PHASE_BY_CODE)


class Corner:
    """A folder with the game of heaps and variants of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("heaps", NAMELESS)

    def write(self, name: str, text: str) -> str:
        path = self.folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def variant(self, name: str, change: str, head: str = "") -> str:
        return self.write(name, f"variant: {name}\nfor: heaps\ntext: A variant\n{head}{change}\n")


@pytest.fixture
def corner(tmp_path: Path) -> Corner:
    return Corner(tmp_path)


def reported(run_cli: CommandLine) -> list[tuple[str, str, int]]:
    """Of each diagnostic its name, the name of its file and its line."""
    return [
        (one["name"], Path(one["file"]).name, one["range"]["start"]["line"]) for one in run_cli.json()["diagnostics"]
    ]


def test_a_game_for_no_number_of_players(run_cli: CommandLine, corner: Corner) -> None:
    game = corner.write("heaps", NAMELESS.replace("players: 2", "players: 3 to 2"))
    assert run_cli("check", game, "--format", "json") == 1
    assert reported(run_cli) == [("players", "heaps.yaml", 6)]
    assert "`2 to 3`" in run_cli.out


def test_a_variant_for_numbers_of_players_that_its_game_has_not(run_cli: CommandLine, corner: Corner) -> None:
    variant = corner.variant("five", "set: {zones.heaps.start: 9 of match}", "players: 5\n")
    assert run_cli("check", variant, "--format", "json") == 1
    assert reported(run_cli) == [("players-do-not-fit", "five.yaml", 4)]


def test_a_variant_that_opens_the_game_is_checked_there(run_cli: CommandLine, corner: Corner) -> None:
    open_ = "set: {players: 2 to 3, zones.heaps.start: (4 less players) of match, ROOM}"
    corner.write("heaps", NAMELESS.replace("seen_by: all, start: (", "seen_by: all, at_most: 7, start: ("))
    variant = corner.variant("three", open_.replace(", ROOM", ""), "players: 3\n")
    assert run_cli("check", variant) == 0, run_cli.out
    variant = corner.variant("three", open_.replace("ROOM", "zones.heaps.at_most: 4 less players * 2"), "players: 3\n")
    assert run_cli("check", variant, "--format", "json") == 1
    assert reported(run_cli) == [("set-up-impossible", "three.yaml", 5)]
    assert "with variant `three`: " in run_cli.out


def test_variants_given_together_are_applied_together(run_cli: CommandLine, corner: Corner) -> None:
    a = corner.variant("a", "set: {zones.heaps.start: 9 of match}")
    b = corner.variant("b", "set: {zones.heaps.start: 8 of match}")
    c = corner.variant("c", "insert: {turn.c: {after: take, end_game: after_round}}")
    d = corner.variant("d", "insert: {turn.d: {after: take, end_game: after_round}}")
    assert run_cli("check", a, b, "--format", "json") == 1
    assert reported(run_cli) == [("two-writers", "b.yaml", 4)]
    assert run_cli("check", c, d, "--format", "json") == 1
    assert reported(run_cli) == [("one-anchor", "d.yaml", 4)]
    assert run_cli("check", a, c) == 0, run_cli.out
    assert run_cli("check", str(corner.folder), "--fail-on", "warning") == 0, run_cli.out
    for line in ("group: starts\n", "conflicts: [a]\n"):
        corner.variant("a", "set: {zones.heaps.start: 9 of match}", "group: starts\n")
        corner.variant("b", "set: {zones.heaps.start: 8 of match}", line)
        assert run_cli("check", a, b) == 0, run_cli.out
    corner.variant("b", "set: {zones.heaps.start: 8 of match}", "after: [a]\n")
    assert run_cli("check", a, b) == 0, run_cli.out


def test_variants_can_be_applied_before_what_is_checked(run_cli: CommandLine, corner: Corner) -> None:
    a = corner.variant("a", "add: {parameters: {most: 3}}")
    b = corner.variant("b", "set: {actions.take.choose.number.one_of: 1 to most}", "requires: [a]\nafter: [a]\n")
    c = corner.variant("c", "set: {actions.take.choose.number.one_of: 1 to mst}", "after: [a]\n")
    heaps = str(corner.folder / "heaps.yaml")
    assert run_cli("check", heaps, "--variant", b, "--format", "json") == 1
    assert reported(run_cli)[0] == ("required-variant", "b.yaml", 4)
    unplayed = "--play", "0"  # more can be chosen than a heap may have left
    assert run_cli("check", heaps, "--variant", a, "--variant", b, *unplayed) == 0, run_cli.out
    assert run_cli("check", b, "--variant", a, *unplayed) == 0, run_cli.out
    assert run_cli("check", c, "--variant", a, "--format", "json") == 1
    assert "did you mean `most`?" in run_cli.out
    assert run_cli("check", c, "--variant", "no-such") == 2


def test_a_set_up_that_is_impossible_is_reported(run_cli: CommandLine, corner: Corner) -> None:
    heaps = str(corner.folder / "heaps.yaml")
    full = corner.variant("full", "add: {zones.heaps.at_most: 3}")
    assert run_cli("check", full, "--format", "json") == 1
    assert reported(run_cli) == [("set-up-impossible", "full.yaml", 4)]
    assert "with variant `full`: a place of heaps has room for 3, but starts with 5" in run_cli.out
    corner.write(
        "heaps",
        NAMELESS.replace("actions:\n", "setup: [deal: {move: 4 of match, from: heaps(1), to: gone}]\nactions:\n"),
    )
    assert run_cli("check", heaps, "--format", "json") == 1
    assert reported(run_cli) == [("set-up-impossible", "heaps.yaml", 13)]
    assert "match from heaps(1), which holds" in run_cli.out
    corner.write("heaps", NAMELESS.replace("gone: {", "gone: {at_most: 3, start: 4 of match, "))
    assert run_cli("check", heaps, "--format", "json") == 1
    assert reported(run_cli) == [("set-up-impossible", "heaps.yaml", 12)]
    assert run_cli("play", heaps) == 1
    assert "the rules fail here: zones.gone: a place of gone has room for 3, but starts with 4" in run_cli.err


def test_a_part_is_checked_with_its_game(run_cli: CommandLine) -> None:
    assert run_cli("check", str(bundle.bundle_folder("rules") / "splendor" / "turn.yaml")) == 0
    assert run_cli.out == "checked 1 game: no problems found\n"


def test_warnings_fail_when_they_should(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "heaps.yaml"
    path.write_text(NAMELESS.replace("zones:", "parameters:\n  unused: 3\nzones:"), encoding="utf-8")
    assert run_cli("check", str(path)) == 0
    assert "0 errors and 1 warning" in run_cli.out
    assert run_cli("check", str(path), "--fail-on", "warning") == 1


def test_scenarios_run(run_cli: CommandLine, tmp_path: Path) -> None:
    case = (
        "scenarios: taking\nfor: splendor\nlanguage: 2\nplayers: 2\ncases:\n"
        "  pair:\n    text: Legal at first.\n    when: {}\n    then: {{legal: true}}\n"
    )
    path = tmp_path / "taking.yaml"
    path.write_text(case.format("take_pair(colour=ruby)"), encoding="utf-8")
    assert run_cli("test", str(path)) == 0, run_cli.out
    path.write_text(case.format("take_pair(colour=gold)"), encoding="utf-8")
    assert run_cli("test", str(path)) == 1
    assert "1 failed" in run_cli.out


def test_a_step_without_which_the_round_never_ends_is_reported_where_it_is_removed(
    run_cli: CommandLine, corner: Corner
) -> None:
    endless = corner.variant("endless", "remove: [turn.take]")
    assert run_cli("check", endless, "--format", "json") == 1
    assert reported(run_cli)[0] == ("endless-steps", "endless.yaml", 4)
    assert "the round goes on for ever: more than 10,000 steps" in run_cli.out
