"""The commands that let bots play many games: what they print and write, alone and shared, whole and interrupted."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from command_line import ROLLING
from games.playing import GAMES, ODD, game_file
from rulewright.bots.aimless import RandomBot
from rulewright.bots.greedy import GreedyBot
from rulewright.bots.player_view import PlayerView
from rulewright.cli.main import main
from rulewright.engine.state import Action
from rulewright.model.loader import load_rules
from rulewright.simulation import game_rows, row_file
from rulewright.simulation.simulations import SimulationConfig, simulate_games

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent
NIM = str(game_file("nim"))
FAIR = str(FOLDER / "games" / "fair.yaml")
EVERY = [*(str(game_file(name)) for name in GAMES), FAIR, *map(str, ODD)]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(FOLDER.parent / "interpreter")}
LONG = 10_000_000


class Simulate:
    """The command, with what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: object, status: int = 0) -> str:
        self._capsys.readouterr()
        found = main(["simulate", *map(str, words)])
        self.out, self.err = self._capsys.readouterr()
        assert found == status, self.err
        assert "Traceback" not in self.out + self.err
        return self.out

    def wrong(self, *words: object) -> str:
        assert self(*words, status=2) == ""
        assert len(self.err.splitlines()) == 1
        return self.err


@pytest.fixture
def simulate(capsys: pytest.CaptureFixture[str]) -> Simulate:
    return Simulate(capsys)


def table_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        assert next(file).startswith("# {")
        return list(csv.DictReader(file))


# ---- all games of the language ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY, ids=lambda path: Path(path).stem)
def test_every_game_can_be_summed_up(simulate: Simulate, tmp_path: Path, game: str) -> None:
    path = tmp_path / "games.csv"
    simulate(game, "-n", 3, "--cap", 40, "--csv", path)
    assert simulate.out == simulate(game, "-n", 3, "--cap", 40)
    found = json.loads(simulate(game, "-n", 3, "--cap", 40, "--json"), parse_constant=pytest.fail)
    lines = table_of(path)
    assert found["games"] == len(lines) == 3
    assert [int(one["game"]) for one in lines] == [1, 2, 3]
    assert found["finished"] == sum(one["finished"] == "1" for one in lines)
    for line in lines:
        assert None not in line
        pairs = [list(map(int, pair.split(":"))) for pair in line["options"].split()]
        assert sum(decisions for _, decisions in pairs) == int(line["decisions"])
        assert sum(legal * decisions for legal, decisions in pairs) == int(line["legal"])


@pytest.mark.parametrize("game", EVERY, ids=lambda path: Path(path).stem)
def test_rows_give_back_their_games(game: str) -> None:
    rules = load_rules(game)
    setting = SimulationConfig(game, rules.players, (), ("random",) * rules.players, seed=3, cap=40)
    played = [
        game_rows.GameRow(number, setting.bots, one)
        for number, one in enumerate(simulate_games(setting, range(1, 4)), start=1)
    ]
    text = game_rows.format_header({"seed": 3}, rules) + "".join(map(game_rows.format_row, played))
    tasks = [(setting.bots, number) for number in range(1, 9)]
    assert list(game_rows.read_rows(text.splitlines(keepends=True), {"seed": 3}, rules, tasks)) == played


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("game", [NIM, FAIR, str(game_file("lowest")), None], ids=["nim", "fair", "lowest", "shipped"])
def test_a_game_is_the_same_move_by_move(
    simulate: Simulate, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, bot: str, game: str | None
) -> None:
    """What bots choose in a simulation is what they choose in the game that `play` shows."""
    chosen: list[tuple[int, Action]] = []

    def heard(choose: Callable[[Any, PlayerView], Action]) -> Callable[[Any, PlayerView], Action]:
        def wrapped(self: Any, seated: PlayerView) -> Action:
            action = choose(self, seated)
            chosen.append((seated.seat, action))
            return action

        return wrapped

    for kind in (RandomBot, GreedyBot):
        monkeypatch.setattr(kind, "choose", heard(kind.choose))
    # a compiled program asks no bot
    words = [*([game] if game else []), "--bot", bot, "--cap", 30, "--seed", 9]
    found = json.loads(simulate(*words, "--engine", "reference", "--only", 5, "--json"))
    alone = list(chosen)
    assert len(alone) == found["only"]["decisions"] > 0
    chosen.clear()
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    words = shlex.split(found["replay"])
    assert words[:2] == ["rulewright", "play"]
    assert main(words[1:]) == 0
    assert chosen == alone
    shown = capsys.readouterr().out
    winners = [seat for seat in range(5) if f"player {seat + 1}: won" in shown]
    assert winners == ([] if "A draw." in shown else found["only"]["winners"])


def test_a_game_alone_is_the_one_among_many(simulate: Simulate, tmp_path: Path) -> None:
    many, one = tmp_path / "many.csv", tmp_path / "one.csv"
    words = ["--players", 3, "--seed", 4, "--variant", "open-hands", "--first-player", 3]
    simulate(*words, "-n", 4, "--csv", many)
    simulate(*words, "-n", 4, "--only", 3, "--csv", one)
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (many, one)]
    assert lines[1] == [*lines[0][:2], lines[0][4]]
    assert "move by move: rulewright play --players 3 --variant open-hands" in simulate.out


def test_what_ended_games_is_said_and_a_draw_is_no_shared_win(simulate: Simulate, tmp_path: Path) -> None:
    path, game = tmp_path / "games.csv", tmp_path / "rolling.yaml"
    game.write_text(ROLLING.replace("  - end:", "  - far: {when: some player has place(player) >= 9, end_game: now, "
        "winners: player}\n  - end:"), encoding="utf-8")  # fmt: skip
    found = json.loads(simulate(game, "-n", 40, "--csv", path, "--json"))
    games = table_of(path)
    far = sum(one["ending"] == "round.far" for one in games)
    assert 0 < far < 40
    assert {one["ending"]: one["draw"] for one in games} == {"round.far": "0", "round.end": "1"}
    assert found["endings"]["round.far"]["mean"] == far / 40
    assert (found["draws"], found["shared_wins"]) == (40 - far, 40)
    shown = simulate(game, "-n", 40).splitlines()
    assert f"draws: {40 - far}" in shown
    assert f"shared wins: {far}" in shown
    assert any(line.startswith(f"ended by round.far: {100 * far / 40:.1f} % (") for line in shown)
    for one in (next(one for one in games if one["draw"] == draw) for draw in "01"):
        label = "a draw" if one["draw"] == "1" else "player 1, player 2"
        assert f"  winners                     {label}\n" in simulate(game, "--only", one["game"])
        assert json.loads(simulate(game, "--only", one["game"], "--json"))["only"]["ending"] == one["ending"]


def test_figures_are_those_of_the_rows(simulate: Simulate, tmp_path: Path) -> None:
    """What is printed can be worked out again from the file, by other means."""
    path = tmp_path / "games.csv"
    found = json.loads(simulate("-n", 15, "--seed", 2, "--json", "--csv", path))
    lines = table_of(path)
    columns = {name: [line[name] for line in lines] for name in lines[0]}
    for name in ("turns", "decisions", "forced"):
        assert found[name]["mean"] == pytest.approx(fmean(map(int, columns[name])))
        assert found[name]["deviation"] == pytest.approx(stdev(map(int, columns[name])))
    for seat in (0, 1):
        assert found["wins"][seat]["mean"] == pytest.approx(
            fmean(1 / len(won.split()) if str(seat) in won.split() else 0 for won in columns["winners"])
        )
        points = sorted(map(int, columns[f"measures.prestige.{seat}"]))
        assert found["measures"]["prestige"][seat]["quantiles"] == {
            "5": points[0], "25": points[3], "50": points[7], "75": points[11], "95": points[14],
        }  # fmt: skip
    pairs = [tuple(map(int, pair.split(":"))) for line in columns["options"] for pair in line.split()]
    every = [legal for legal, decisions in pairs for _ in range(decisions)]
    assert len(every) == sum(map(int, columns["decisions"])) == sum(n for _, n in found["legal_distribution"])
    legal = found["legal_per_decision"]
    assert (legal["min"], legal["max"], legal["count"]) == (min(every), max(every), 15)
    assert legal["mean"] == pytest.approx(fmean(every))
    assert legal["deviation"] == pytest.approx(stdev(every))


# ---- shared and interrupted ---------------------------------------------------------------------------------------


def test_jobs_change_no_byte(simulate: Simulate, tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2, 3):
        path = tmp_path / f"{jobs}.csv"
        out = simulate(FAIR, "-n", 50, "--jobs", jobs, "--json", "--csv", path)
        found.append((out, path.read_bytes()))
    assert found[0] == found[1] == found[2]


def started(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rulewright", "simulate", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, start_new_session=True,
    )  # fmt: skip


def grown(path: Path, to: int) -> None:
    """Waits until a file has so many lines."""
    until = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < to:
        assert time.monotonic() < until, "nothing is written"
        time.sleep(0.02)


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process printed; it does not outlive the test."""
    try:
        return process.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("jobs", "stop"), [(1, signal.SIGINT), (2, signal.SIGINT), (1, signal.SIGTERM), (2, signal.SIGTERM)]
)
def test_what_was_played_is_kept(simulate: Simulate, tmp_path: Path, jobs: int, stop: signal.Signals) -> None:
    path = tmp_path / "games.csv"
    process = started(NIM, "-n", LONG, "--csv", path, "--jobs", jobs, "--json")
    grown(path, 6)
    os.killpg(process.pid, stop)  # the keyboard and most tools that stop things tell the whole group
    out, err = ended(process)
    assert process.returncode == 130
    found = json.loads(out)
    many = len(table_of(path))
    assert found["games"] == many >= 4
    assert found["games_wanted"] == LONG
    assert f"stopped after {many} of {LONG} games" in err
    assert f"--resume {path}" in err
    path.write_text(path.read_text(encoding="utf-8") + "17,4", encoding="utf-8")  # as if it had been killed in a line
    whole = tmp_path / "whole.csv"
    expected = simulate(NIM, "-n", many + 3, "--csv", whole)
    assert simulate(NIM, "-n", many + 3, "--resume", path) == expected
    assert path.read_bytes() == whole.read_bytes()
    assert simulate(NIM, "-n", many + 3, "--resume", path) == expected  # nothing left to play


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs to see processes")
def test_who_is_killed_leaves_rows_and_no_processes(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    process = started(NIM, "-n", LONG, "--csv", path, "--jobs", 2)
    grown(path, 6)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) >= 2
    process.kill()
    process.wait(timeout=60)
    assert len(path.read_bytes().splitlines()) >= 6

    def alive(child: str) -> bool:
        with contextlib.suppress(OSError):
            return any(word in Path(f"/proc/{child}/cmdline").read_text() for word in ("simulate", "spawn"))
        return False

    until = time.monotonic() + 60
    while any(map(alive, children)):
        assert time.monotonic() < until, "processes stay behind"
        time.sleep(0.05)
    ended(process)


def test_a_process_that_ends_stops_the_others(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    process = started(NIM, "-n", LONG, "--csv", path, "--jobs", 2)
    grown(path, 6)
    if not Path("/proc/self/task").exists():
        pytest.skip("needs to see processes")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    worker = next(one for one in children if "resource_tracker" not in Path(f"/proc/{one}/cmdline").read_text())
    os.kill(int(worker), signal.SIGKILL)
    out, err = ended(process)
    assert process.returncode == 130
    assert "a worker process was killed: stopped after" in err
    assert "turns" in out


def test_a_full_disk_loses_no_figures(simulate: Simulate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    add, count = row_file.RowFile.add, 0

    def full(self: row_file.RowFile, text: str) -> None:
        nonlocal count
        count += 1
        if count > 3:
            raise OSError(28, "No space left on device")
        add(self, text)

    monkeypatch.setattr(row_file.RowFile, "add", full)
    out = simulate(NIM, "-n", 9, "--csv", tmp_path / "games.csv", status=130)
    assert "2 games, bots" in out
    assert "(no space left on device): stopped after 2 of 9 games" in simulate.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_cannot_go_on_is_shown(simulate: Simulate, jobs: int) -> None:
    faulty = FOLDER / "diagnostics" / "scenarios" / "faulty" / "game.yaml"
    out = simulate(faulty, "-n", 9, "--jobs", jobs, status=1)
    assert out == ""  # of no games there is nothing to sum up
    _, told, shown = simulate.err.splitlines()
    assert "the rules fail here: actions.take.do.take" in told
    assert "stopped after 0 of 9 games" in told
    words = shlex.split(shown.removeprefix("move by move: "))
    assert main(words[1:]) == 1
    assert simulate(faulty, "--only", 1, status=1) == ""
    assert simulate.err.splitlines()[-1] == shown


def test_what_is_not_given_is_taken_from_the_resumed_file(simulate: Simulate, tmp_path: Path) -> None:
    path, whole = tmp_path / "games.csv", tmp_path / "whole.csv"
    settings = ("--players", 2, "--bot", "greedy", "--bot", "random", "--seed", 7, "--first-player", 2, "--cap", 5)
    simulate("nim", *settings, "-n", 4, "--csv", path)
    simulate("nim", *settings, "-n", 9, "--csv", whole)
    simulate("-n", 9, "--resume", path)
    assert path.read_bytes() == whole.read_bytes()
    assert "has games of nim, not of splendor" in simulate.wrong("splendor", "-n", 9, "--resume", path)
    message = f"--resume needs --games: {path} does not say how many games were wanted"
    assert message in simulate.wrong("nim", "--resume", path)


def test_only_the_same_games_are_resumed(simulate: Simulate, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    simulate(NIM, "-n", 4, "--csv", path)
    before = path.read_bytes()
    assert "seed 1, not 2" in simulate.wrong(NIM, "-n", 9, "--resume", path, "--seed", 2)
    assert 'bots ["random", "random"]' in simulate.wrong(NIM, "-n", 9, "--resume", path, "--bot", "greedy")
    assert "more games than --games" in simulate.wrong(NIM, "-n", 3, "--resume", path)
    changed = tmp_path / "nim" / "game.yaml"
    shutil.copytree(Path(NIM).parent, changed.parent)
    changed.write_text(Path(NIM).read_text(encoding="utf-8").replace("version: 1", "version: 2"), encoding="utf-8")
    assert "version" in simulate.wrong(changed, "-n", 9, "--resume", path)
    assert path.read_bytes() == before
    for broken in (
        b"",
        b"# {\n",
        b"\xff\xff\n",
        before.replace(b"\n3,", b"\n4,"),
        before.replace(b"\n2,", b"\nx,"),
        before + before.splitlines(True)[-1],
    ):
        path.write_bytes(broken)
        simulate.wrong(NIM, "-n", 9, "--resume", path)
        assert path.read_bytes() == broken


@pytest.mark.parametrize(
    "words",
    [
        "--csv {here}", "--csv {here}/none/games.csv", "--resume {here}/none.csv", "--resume {here}/a --csv {here}/b",
        "--only 3 -n 2", "--only 3 --resume a.csv", "--only 0",
        "--only 3 --plot a.png", "--plot {here}/a.jpg", "--plot {here}/none/a.png",
        "--plot {here}", "--bot dragon", "--games 0",
    ],
)  # fmt: skip
def test_wrong_use_is_reported_before_anything_is_played(simulate: Simulate, tmp_path: Path, words: str) -> None:
    simulate.wrong(*words.format(here=tmp_path).split())
    assert list(tmp_path.iterdir()) == []


# ---- pictures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml")])
def test_figures_are_drawn(simulate: Simulate, tmp_path: Path, name: str, begins: bytes) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / name
    simulate(FAIR, "-n", 5, "--plot", path)
    drawn = path.read_bytes()
    assert drawn.startswith(begins)
    path.unlink()
    simulate(FAIR, "-n", 5, "--plot", path)
    assert path.read_bytes() == drawn
    assert "already exists" in simulate.wrong(FAIR, "--plot", path)


@pytest.mark.parametrize("game", [*ODD, game_file("nim")], ids=lambda path: path.stem)
def test_unfinished_and_odd_games_are_drawn(simulate: Simulate, tmp_path: Path, game: Path) -> None:
    pytest.importorskip("matplotlib")
    simulate(game, "-n", 1, "--cap", 1, "--plot", tmp_path / "a.png")


def test_without_matplotlib_the_message_says_how_to_get_it(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'rulewright[plot]'" in simulate.wrong("--plot", "a.png")
