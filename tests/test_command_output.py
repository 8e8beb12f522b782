"""What `perft`, `simulate`, `why` and `show` print; streams that break; wrong use, with a better message."""

from __future__ import annotations

import dataclasses
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import ENVIRONMENT, CommandLine, process, shell
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.progress import PIPE_DELAY
from rulewright.engine.reference.explainer import Reason
from rulewright.model.loader import load_rules
from rulewright.session import load_game
from rulewright.terminal.reasons import join_parts, reasons_lines, verdict
from rulewright.terminal.width import DEFAULT_WIDTH as WIDTH

# ---- perft, simulate ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_perft_says_what_it_counts(run_cli: CommandLine) -> None:
    assert run_cli("perft", "--depth", "2") == 0
    assert "order of their rows" in run_cli.out
    assert "answers: whole" in run_cli.out
    counts = re.findall(r"^depth \d: (\d+)", run_cli.out, re.MULTILINE)
    assert counts == ["30", "865"]
    assert run_cli("perft", "--depth", "2", "--divide") == 0
    divided = re.findall(r"^  \S.*: (\d+)$", run_cli.out, re.MULTILINE)
    assert len(divided) == 30
    assert sum(map(int, divided)) == 865
    address = "actions.take_different.choose.colours"
    assert run_cli("perft", "--depth", "1", "--tokenwise", address, "--seed", "3") == 0
    assert f"piece by piece at {address}" in run_cli.out
    assert "shuffled by seed 3" in run_cli.out
    assert "depth 1: 25 " in run_cli.out


@pytest.mark.slow
def test_simulations_are_tables_or_json(run_cli: CommandLine) -> None:
    assert run_cli("simulate", "-n", "3", "--seed", "4") == 0
    assert "wins of player 2 (random)" in run_cli.out
    assert all(len(line) <= WIDTH for line in run_cli.out.splitlines())
    assert run_cli("simulate", "-n", "3", "--seed", "4", "--json", "--bot", "random", "--bot", "random") == 0
    found = run_cli.json()
    assert (found["games"], found["seed"], found["bots"]) == (3, 4, ["random", "random"])
    assert {"mean", "deviation", "min", "max", "quantiles", "interval95", "count"} == set(found["turns"])


# ---- why, show ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_why(run_cli: CommandLine) -> None:
    assert run_cli("why", "take_pair(colour=gold)") == 1
    for piece in ("gold comes with a reservation", "actions.take_pair.choose.colour", "actions.yaml:", "official"):
        assert piece in run_cli.out
    assert run_cli("why", "take_pair(colour=gold)", "--json") == 1
    assert run_cli.json()["reasons"][0]["kind"] == "choice"
    assert run_cli("why", "splendor", "take_pair(colour=ruby)") == 0
    assert run_cli("why", "pass", "--player", "2") == 1
    assert run_cli("why", "take_pair(colour=gold)", "--lang", "fr") == 1
    assert "réservation" in run_cli.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wish", "given", "named"),
    [
        ("take_pair(colour=ruby)", ["--set", "pair_minimum=5"], ["pair_minimum=5"]),  # a number that the clause reads
        ("take_different(colours=ruby)", ["--set", "token_limit=5", "--variant", "no-giving-back"], []),
        ("take_pair(colour=gold)", ["--variant", "play-to-12"], []),
        ("take_different(colours=ruby)", ["--set", "different_colours=2"], ["different_colours=2"]),  # of the choice
        ("reserve_face_up(card=l1_ruby_3)", ["--variant", "no-reserving"], ["no-reserving"]),
        ("take_gold", ["--set", "gold_total=0", "--variant", "gold-alone"], ["gold-alone"]),  # a clause of its own
        ("buy(card=l1_ruby_3)", ["--variant", "help-for-the-last"], ["help-for-the-last"]),  # through a derived value
    ],
)  # fmt: skip
def test_why_names_the_variants_that_have_a_hand_in_a_reason(
    run_cli: CommandLine, wish: str, given: list[str], named: list[str]
) -> None:
    assert run_cli("why", wish, *given) == 1
    assert [line.split()[1] for line in run_cli.out.splitlines() if line.startswith("  variant ")] == named
    assert run_cli("why", wish, *given, "--json") == 1
    assert [one for reason in run_cli.json()["reasons"] for one in reason["variants"]] == named


def test_why_says_all_that_forbids_it_and_nothing_twice(run_cli: CommandLine) -> None:
    assert run_cli("why", "receive_noble(noble=n01)") == 1
    numbers = re.findall(r"^(\d)\. ", run_cli.out, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(numbers) > 1
    assert run_cli.out.count(" turn.act\n") == 1
    assert "     values  noble.requires = 4 diamonds and 4 sapphires\n             bonuses(me) = nothing" in run_cli.out
    assert run_cli("why", "receive_noble(noble=n01)", "--json") == 1
    assert len(run_cli.json()["reasons"]) == len(numbers)
    assert all(len(line) <= WIDTH for line in run_cli.out.splitlines() if not line.startswith("{"))


def test_reasons_use_the_words_of_the_rules() -> None:
    rules = load_rules("splendor")
    words = {
        **rules.languages["fr"].messages,
        "not_legal": "{action} : interdit au joueur {seat} :",
        "source": "référence",
        "values": "chiffres",
    }
    french = dataclasses.replace(rules.languages["fr"], messages=words)
    rules = dataclasses.replace(rules, languages={**rules.languages, "fr": french})
    assert verdict(rules, "fr", "fly", 1, legal=False) == "fly : interdit au joueur 2 :"
    assert verdict(rules, "en", "fly", 1, legal=False) == "fly is not legal for player 2:"
    source = (("rulebook", "Game rules"),)
    first = Reason(
        "step", "turn.act", "Rien ne va plus, pour personne et jamais plus aujourd'hui dans cette salle ; non."
    )
    first = dataclasses.replace(first, source=source)
    second = Reason("clause", "actions.buy.when.x", "Non.", (("a", "1"), ("b", "2")), source)
    lines = list(reasons_lines((first, second, first), rules, "fr"))
    assert [line for line in lines if line[:1].isdigit()] == [
        "1. Rien ne va plus, pour personne et jamais plus aujourd'hui dans cette salle ;",
        "2. Non.",
    ]
    assert [line.split()[0] for line in lines if "référence" in line] == ["référence"]
    assert "     chiffres  a = 1" in lines
    assert "               b = 2" in lines


def test_show_tells_the_whole_chain(run_cli: CommandLine) -> None:
    assert run_cli("show", "parameters.gems_each") == 0
    assert re.search(r"^value +4$", run_cli.out, re.MULTILINE)
    assert "says fr" in run_cli.out
    first, second = [line.split()[0] for line in run_cli.out.splitlines() if re.match(r" +\S*\.yaml:\d+:\d+", line)][
        -2:
    ]
    assert "parameters.yaml" in first
    assert "players-2.yaml" in second
    assert run_cli("show", "parameters.gems_each", "--players", "4") == 0
    assert re.search(r"^value +7$", run_cli.out, re.MULTILINE)
    assert "players-2" not in run_cli.out


@pytest.mark.slow
def test_show_lists_what_stands_below(run_cli: CommandLine) -> None:
    assert run_cli("show", "turn") == 0
    assert "turn.give_back" in run_cli.out
    assert run_cli("show", "actions.buy") == 0
    assert re.search(r"^parts +choose, do$", run_cli.out, re.MULTILINE)
    assert run_cli("show", ".") == 0
    assert "parameters" in run_cli.out
    assert run_cli("show", "actions.bye") == 2
    assert "did you mean `actions.buy`" in run_cli.err
    assert run_cli("show", "actions.buy.when.colours_first", "--variant", "colours-first") == 0
    assert "colours-first.yaml" in run_cli.out


@pytest.mark.slow
@pytest.mark.parametrize("address", ["components.card.rows.l1_ruby_3", "values.price", "ranking.cards", "measures"])
def test_show_shows_every_sort_of_rule(run_cli: CommandLine, address: str) -> None:
    assert run_cli("show", address) == 0
    assert "written by" in run_cli.out


def test_what_is_wrong_has_a_status_of_its_own() -> None:
    assert [int(status) for status in ExitStatus] == [0, 1, 2, 3, 130]


# ---- streams ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "words", ["--version", "--help", "play --help", "play --seed 1", "show turn", "perft --depth 1"]
)
def test_an_output_that_takes_no_more(words: str) -> None:
    done = shell(f"rulewright {words} > /dev/full")
    assert done.returncode == 2
    assert re.fullmatch(r"rulewright: .*no space left on device\n", done.stderr)


@pytest.mark.parametrize("words", ["--version", "--help", "play --seed 1", "engine < /dev/null"])
def test_a_closed_output(words: str) -> None:
    done = shell(f"rulewright {words} >&-")
    assert (done.returncode, done.stderr) == (2, "rulewright: the output is closed\n")


@pytest.mark.slow
def test_a_closed_input_is_one_that_has_ended() -> None:
    done = shell("rulewright engine <&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = shell("rulewright play --seat human --seed 1 <&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("End of input; the game stops here.\n")


@pytest.mark.slow
def test_nobody_to_complain_to() -> None:
    for words, status in (("", 2), ("ply", 2), ("play chess", 2)):
        assert shell(f"rulewright {words} 2>&-").returncode == status
        if Path("/dev/full").exists():
            assert shell(f"rulewright {words} 2> /dev/full").returncode == status


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_with_a_name_that_is_no_text(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.yaml")
    path.write_text("game: x\n", encoding="utf-8")
    assert run_cli("check", str(path)) == 1
    assert "\\udcff.yaml:1:1" in run_cli.out
    for form in ("json", "sarif", "junit", "gitlab", "github", "short"):
        report = tmp_path / form
        assert run_cli("check", str(path), "--format", f"{form}={report}", "--format", form) == 1
        assert "missing" in report.read_text(encoding="utf-8")


@pytest.mark.slow
def test_input_that_is_no_text() -> None:
    done = shell("printf '\\377\\376\\nq\\n' | rulewright play --seat human --seed 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Goodbye.\n")


@pytest.mark.slow
def test_lines_are_as_wide_as_the_terminal() -> None:
    done = shell(
        "printf '1\\n?\\nwhy take_pair(colour=gold)\\nq\\n' | rulewright play --seat human --seed 1 --no-record",
        COLUMNS="48",
    )
    # in a pipe what is typed ends no line, so that answers stand behind the prompt
    lines = [re.split(r"\((?:\? for help|Enter for the whole list)\): ", line)[-1] for line in done.stdout.splitlines()]
    assert max(map(len, lines)) <= 48
    assert "comes with a reservation" in " ".join(done.stdout.split())  # broken between words only
    assert max(len(line) for line in shell("rulewright show turn.act", COLUMNS="10").stdout.splitlines()[1:5]) <= 40
    assert shell("rulewright play nim --seed 1", COLUMNS="9" * 30, LINES="9" * 5000).returncode == 0
    wide = shell("rulewright show actions.take_pair", COLUMNS="300").stdout
    assert max(map(len, wide.splitlines())) > WIDTH


def test_parts_longer_than_a_line_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = join_parts(["a b", "a name that has more words in it than a line has room for", "c d"], "  say: ", "; ")
    assert all(len(line) <= 40 for line in lines)
    words = " ".join(lines).replace(";", "").split()
    expected = "say: a b a name that has more words in it than a line has room for c d"
    assert " ".join(words) == expected


@pytest.mark.slow
def test_an_interrupt_stops_all_processes(tmp_path: Path) -> None:
    rows = tmp_path / "games.csv"
    words = ["simulate", "-n", "5000", "--bot", "greedy", "--jobs", "2", "--csv", str(rows)]
    with subprocess.Popen(
        [sys.executable, "-m", "rulewright", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, start_new_session=True,
    ) as done:  # fmt: skip
        while done.poll() is None and not (rows.exists() and rows.read_bytes().count(b"\n") > 3):
            time.sleep(0.02)  # until games are written down
        os.killpg(done.pid, signal.SIGINT)
        out, err = done.communicate()
    assert done.returncode == 130
    assert b"wins of player 2 (greedy)" in out
    assert re.search(rb"\nrulewright: stopped after \d+ of 5000 games", err)
    assert "130 stopped" in process("--help").stdout


# ---- wrong use, with a better message -----------------------------------------------------------------------------


def test_an_empty_name_is_wrong_use(run_cli: CommandLine) -> None:
    for words in (["play", ""], ["simulate", ""], ["check", ""], ["play", "--variant", ""], ["play", "--resume", ""]):
        assert run_cli(*words) == 2
        assert "empty" in run_cli.err
        assert len(run_cli.err.splitlines()) == 1


def test_a_game_without_an_action(run_cli: CommandLine, heaps: str) -> None:
    for game in ("splendor", heaps):
        assert run_cli("why", game) == 2
        assert run_cli.err.startswith(f"rulewright: missing ACTION after the game {game}")


def test_progress_is_for_who_looks_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.cli.progress import show_progress

    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr("rulewright.cli.progress.PIPE_DELAY", PIPE_DELAY)
    with show_progress("games", 100) as count:
        for _ in range(100):
            now += 0.5
            count()
    lines = capsys.readouterr().err.splitlines()  # of fifty seconds, more and more seldom
    assert lines == ["21 of 100 games, 40 s to go", "52 of 100 games, 24 s to go", "98 of 100 games, 1 s to go"]


@pytest.mark.parametrize(
    ("game", "known"), [(None, True), ("splendor", True), ("./splendor.yaml", False), ("no-such", False)]
)
def test_games_by_name_are_shipped(game: str | None, known: bool) -> None:
    assert load_game.is_shipped(game, []) == known
    assert not load_game.is_shipped(game, ["./mine.yaml"])


def test_a_seed_that_nobody_chose_cannot_be_tried_out() -> None:
    seeds = {load_game.random_seed() for _ in range(64)}
    assert len(seeds) == 64
    assert 1 << 56 < max(seeds) < 1 << 63


@pytest.mark.slow
def test_show_knows_members_and_offers(run_cli: CommandLine) -> None:
    assert run_cli("show", "kinds.gem.ruby") == 0
    assert "kinds.gem.ruby is a member of kinds.gem" in run_cli.out
    assert re.search(r"^says fr +rubis", run_cli.out, re.MULTILINE)
    assert run_cli("show", "turn.act.must.buy") == 0
    assert run_cli.out.startswith("turn.act.must.buy offers actions.buy:\nactions.buy ")
    assert "choose" in run_cli.out
    for address in ("kinds.gem.rubby", "kinds.gm.ruby", "turn.act.must.pass", "turn.act.must.fly"):
        assert run_cli("show", address) == 2, address
