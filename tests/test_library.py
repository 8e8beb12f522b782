"""The package for programs: few names, each documented and typed, and every example in Python does what it says."""

from __future__ import annotations

import html
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright import (
    CannotUndo,
    Diagnostics,
    IllegalAction,
    InvalidPosition,
    InvalidRecord,
    NotFound,
    RulesError,
    check,
    load_rules,
    new_session,
    replay,
    restore,
    resume,
    simulate,
)
from rulewright.atomic_write import atomic_write
from rulewright.checker.common.diagnostic_json import diagnostic_to_json
from rulewright.checker.game_passes import GAME_PASSES
from rulewright.checker.passes import VARIANT_PASSES
from rulewright.checker.rules_passes import RULES_PASSES
from rulewright.cli.main import main
from rulewright.model.locate import find_game
from rulewright.session.session import RefusedAction
from rulewright.simulation.aggregate import aggregate
from rulewright.simulation.simulations import SimulationConfig, simulate_games

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def test_every_public_name_is_there_and_explained():
    assert len(rulewright.__all__) < 36
    assert list(rulewright.__all__) == sorted(rulewright.__all__)
    for name in rulewright.__all__:
        thing = getattr(rulewright, name)
        if name != "__version__":
            assert inspect.getdoc(thing), name
    assert (Path(rulewright.__file__).parent / "py.typed").is_file()
    with pytest.raises(AttributeError):
        _ = rulewright.no_such_name


def test_nothing_is_loaded_that_is_not_used():
    asked = "import sys, rulewright; print([one for one in sys.modules if one.startswith('rulewright.')])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, cwd=ROOT / "interpreter")
    assert done.stdout == "[]\n"


def blocks() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def run_example(code: str, folder: Path) -> list[str]:
    """The lines that an example of the README prints."""
    assert len(code.strip().splitlines()) <= 8
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "interpreter"), "PATH": ""},
        cwd=folder,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_example_of_a_game_in_the_readme_runs(tmp_path: Path):
    game, _ = blocks()
    for _ in range(2):  # nothing is left behind that a second run would meet
        first, *_, last = run_example(game, tmp_path)
        assert first.startswith("Only a gem colour can be taken in a pair")
        assert last.startswith("GameResult(")


def test_the_example_of_a_check_in_the_readme_runs(tmp_path: Path):
    _, checked = blocks()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    variant = re.search(r"```yaml\n(variant: worth-it\n.*?)```", text, re.DOTALL)
    assert variant
    (tmp_path / "worth-it.yaml").write_text(variant[1], encoding="utf-8")
    assert run_example(checked, tmp_path)[:2] == [
        "worth-it.yaml:6:14 error unknown-field",
        "a card has no field `prestge`: did you mean `prestige`? fields: level, bonus, prestige, cost",
    ]


BROKEN_VARIANT = "variant: far\nfor: nim\nafter: [nowhere]\nset:\n  heaps: 3\n"


def test_check_returns_the_diagnostics_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """As many, the same and in the same order; the function prints nothing."""
    (tmp_path / "far.yaml").write_text(BROKEN_VARIANT, encoding="utf-8")
    diagnostics = check([tmp_path])
    assert capsys.readouterr() == ("", "")
    assert isinstance(diagnostics, Diagnostics)
    assert main(["check", str(tmp_path), "--format", "json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert [diagnostic_to_json(diagnostic) for diagnostic in diagnostics] == printed["diagnostics"]
    assert {"unknown-variant"} < {diagnostic.code.name for diagnostic in diagnostics}
    assert printed["summary"]["errors"] == diagnostics.error_count


def test_check_takes_names_of_games_and_the_options_of_the_command():
    assert not len(check([str(find_game("nim"))]))
    assert not len(check([ROOT / "rules" / "nim"], players=2))
    (diagnostic,) = check([ROOT / "rules" / "nim"], players=9)
    assert diagnostic.code.name == "players"


def test_check_finds_the_errors_for_which_rules_do_not_load(tmp_path: Path):
    path = tmp_path / "far.yaml"
    path.write_text(BROKEN_VARIANT, encoding="utf-8")
    with pytest.raises(RulesError) as raised:
        load_rules("nim", variants=[str(path)])
    errors = {(error.code.name, error.message) for error in raised.value.diagnostics}
    assert errors <= {(diagnostic.code.name, diagnostic.message) for diagnostic in check([path])}


def test_check_of_what_is_not_there(tmp_path: Path):
    with pytest.raises(NotFound, match="there is no file or folder nowhere"):
        check(["nowhere.yaml"])
    with pytest.raises(NotFound, match="there is no rule file in"):
        check([tmp_path])
    with pytest.raises(NotFound):
        check([str(find_game("nim"))], variants=["nowhere"])
    with pytest.raises(TypeError, match="paths is a list"):
        check("nim")


def test_the_passes_of_the_checker_can_be_read():
    assert all(inspect.getdoc(check_) for check_ in (*GAME_PASSES, *VARIANT_PASSES, *RULES_PASSES))


def test_a_whole_life(tmp_path: Path):
    """Begun, recorded, taken back, saved, restored, taken up again, replayed under other rules."""
    path = tmp_path / "game.jsonl"
    game = new_session("splendor", players=3, variants=["hidden-hands"], seed=5, first=1, record=path, seats=["a", "b"])
    assert game.seat == 1
    with pytest.raises(IllegalAction):
        game.act("pair gold")
    game.act("diff ruby onyx emerald")
    game.undo()
    with pytest.raises(CannotUndo):
        game.undo()
    game.redo()
    assert [one.text for one in game.log(0)] == ["take_different(colours=emerald + ruby + onyx)"]
    text = game.saved()
    game.close()
    again = restore(text, record=tmp_path / "second.jsonl")
    assert again.view(1) == game.view(1)
    again.act("pair sapphire")
    again.close()
    assert replay(tmp_path / "second.jsonl").session.state == again.state
    on = resume(path)
    on.act("pair sapphire")
    on.close()
    assert on.state == again.state
    other = replay(path, variants=["open-hands"])
    assert other.divergence is None
    assert other.session.rules.variants == ("open-hands",)
    assert replay(path, game="splendor").session.rules.variants == ()


def test_a_seed_that_nobody_chose_is_another_each_time():
    assert new_session().seed != new_session().seed


def test_simulate_is_the_simulation_of_the_command():
    ours = simulate("splendor", 6, players=2, seed=4)
    theirs = aggregate(simulate_games(SimulationConfig("splendor", 2, (), ("random", "random"), 4), range(1, 7)), 2)
    assert ours == theirs
    assert simulate(games=2, bots=["greedy", "random"]).games == 2


def test_what_is_wrong_raises_what_it_says(tmp_path: Path):
    with pytest.raises(NotFound):
        new_session("chess")
    with pytest.raises(NotFound):
        new_session(variants=["no-such"])
    with pytest.raises(ValueError, match="bots"):
        simulate(bots=["greedy"] * 3)
    with pytest.raises(ValueError, match="dragon"):
        simulate(bots=["dragon"])
    for text in ("", "[]", "{}", '{"game": "splendor", "players": 2, "variants": []}'):
        with pytest.raises(InvalidPosition):
            restore(text)
    with pytest.raises(InvalidRecord):
        resume(ROOT / "README.md")
    for read in (replay, resume):
        with pytest.raises(NotFound, match="there is no file or folder"):
            read(tmp_path / "no-such")


# ---- as Python shows it ---------------------------------------------------------------------------------------------


def test_a_session_is_its_board() -> None:
    game = rulewright.new_session("splendor", seed=1)
    assert "splendor  round 1  turn 1  player 1's turn" in repr(game)
    assert max(map(len, repr(game).splitlines())) <= 80
    assert game._repr_html_() == f"<pre>{html.escape(repr(game))}</pre>"
    assert repr(rulewright.restore(game.saved())) == repr(game)


def test_an_action_is_its_notation() -> None:
    game = rulewright.new_session("splendor", seed=1)
    first = game.legal()[0]
    assert str(first) == repr(first) == "take_different(colours=diamond + sapphire + emerald)"
    assert first == game.match.legal()[0]
    assert str(game.act(first)) == f"player 1: {first}"


def test_a_refused_action_carries_its_reasons() -> None:
    game = rulewright.new_session("splendor", seed=1)
    with pytest.raises(rulewright.IllegalAction, match=r"is not legal now: .* to be paid exactly") as refused:
        game.act("buy")
    assert isinstance(refused.value, RefusedAction)
    assert refused.value.reasons == game.why_not("buy")
    assert not game.match.history


def test_seats_are_numbers_where_they_are_keys() -> None:
    game = rulewright.new_session("splendor", seed=1)
    game.act("pair ruby")
    assert game.view(1)["zones"]["purse"] == {0: {"ruby": 2}, 1: {}}
    assert set(game.view()["zones"]["deck"]) == {"1", "2", "3"}


def test_letters_of_the_board_can_be_typed() -> None:
    game = rulewright.new_session("splendor", seed=1)
    assert {reason.kind for reason in game.why_not("take W W")} == {"choice"}
    assert game.why_not("take W G R") == ()
    assert str(game.act("take W G R")) == "player 1: take_different(colours=diamond + emerald + ruby)"
    assert main(["why", "take W G R"]) == 0
    assert main(["why", "take W W"]) == 1


def test_actions_print_as_notation_wherever_they_come_from():
    game = rulewright.new_session("splendor", seed=1)
    notation = "take_different(colours=diamond + emerald + ruby)"
    assert repr(game.read("take W G R")) == f"({notation},)"
    assert f"action={notation}," in repr(game.act("take W G R"))
    assert f"action={notation}," in repr(game.undo())


def numbered(number: Any) -> object:
    session = rulewright.new_session("nim")
    return session.action_numbers.action(session.state, number)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rulewright.new_session(5), "game is a text, not 5"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim", players="2"), "players is a whole number, not '2'"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim", seed="x"), "seed is a whole number, not 'x'"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim", record=5), "record is a path, not 5"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim", variants=5), "variants is a list of names, not 5"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim", variants=[3]), "variants is a list of names, not [3]"),  # type: ignore[list-item]
        (lambda: rulewright.new_session("nim", variants="ab"), "variants is a list of names: ['ab'], not 'ab'"),
        (lambda: rulewright.new_session("nim").act(5), "an action is a text or one of `legal()`, not 5"),  # type: ignore[arg-type]
        (lambda: numbered("1"), "number is a whole number, not '1'"),
        (lambda: rulewright.new_session("nim").why_not(5), "an action is a text or one of `legal()`, not 5"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim").view("0"), "viewer is a whole number, not '0'"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim").log("0"), "viewer is a whole number, not '0'"),  # type: ignore[arg-type]
        (lambda: rulewright.new_session("nim").undo("1"), "count is a whole number, not '1'"),  # type: ignore[arg-type]
        (lambda: rulewright.simulate("nim", games="2"), "games is a whole number, not '2'"),  # type: ignore[arg-type]
        (lambda: rulewright.simulate("nim", bots="random"), "bots is a list of names: ['random'], not 'random'"),
        (lambda: rulewright.check([5]), "paths is a list of paths, not [5]"),  # type: ignore[list-item]
        (lambda: rulewright.check(5), "paths is a list of paths, not 5"),  # type: ignore[arg-type]
        (lambda: rulewright.check(Path("x.yaml")), "paths is a list of paths: ['x.yaml'], not 'x.yaml'"),  # type: ignore[arg-type]
        (lambda: rulewright.replay(5), "path is a path, not 5"),  # type: ignore[arg-type]
        (lambda: rulewright.resume(5), "path is a path, not 5"),  # type: ignore[arg-type]
        (lambda: rulewright.restore(5), "text is a text, not 5"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_an_argument_of_a_wrong_type_is_named(call: Callable[[], object], message: str):
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rulewright.simulate("nim", games=-2), "games is at least 1, not -2"),
        (lambda: rulewright.simulate("nim", 1, jobs=0), "jobs is at least 1, not 0"),
        (lambda: rulewright.simulate("nim", 1, seed=-1), "seed is a whole number from 0 to 2^64 - 1, not -1"),
        (lambda: rulewright.new_session("nim", seed=-1), "seed is a whole number from 0 to 2^64 - 1, not -1"),
        (
            lambda: rulewright.new_session("nim", seed=1 << 64),
            "seed is a whole number from 0 to 2^64 - 1, not 18446744073709551616",
        ),
        (
            lambda: rulewright.ReferenceEngine(load_rules("nim")).start(seed=-1),
            "seed is a whole number from 0 to 2^64 - 1, not -1",
        ),
    ],
)
def test_a_number_out_of_range_is_refused(call: Callable[[], object], message: str):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize(("folder", "error"), [("nowhere", FileNotFoundError), ("file", NotADirectoryError)])
def test_a_file_that_cannot_be_written_is_named(folder: str, error: type[OSError], tmp_path: Path):
    (tmp_path / "file").touch()
    path = tmp_path / folder / "x.jsonl"
    with pytest.raises(error) as raised:
        new_session("nim", record=path)
    assert raised.value.filename == str(path)
    with pytest.raises(error) as raised:
        atomic_write(str(path), "text")
    assert raised.value.filename == str(path)


def test_a_link_and_a_pipe_are_written_into_not_replaced(tmp_path: Path):
    link, file, pipe = tmp_path / "link", tmp_path / "file", tmp_path / "pipe"
    link.symlink_to("file")
    atomic_write(str(link), "text", replace=True)
    assert (link.is_symlink(), file.read_text()) == (True, "text")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    atomic_write(str(pipe), "text", replace=True)
    assert (pipe.is_fifo(), os.read(reader, 10)) == (True, b"text")
    os.close(reader)


def test_what_a_public_function_raises_is_public():
    game = rulewright.new_session("nim", seed=1)
    with pytest.raises(rulewright.NotWaitingError):
        game.result()
    with pytest.raises(rulewright.RefusedAction) as refused:
        game.act("take(row=1, number=5)")
    assert refused.value.reasons
    with pytest.raises(rulewright.BotSpecError):
        rulewright.simulate("nim", 1, bots=["gredy"])
    with pytest.raises(rulewright.InvalidAnswer):
        game.read("take row=nine")
