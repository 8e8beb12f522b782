"""Playing at the terminal: leaving and going on, short forms, hints, pieces."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from command_line import CommandLine, play_typing, shell

# ---- leaving, and going on ------------------------------------------------------------------------------------------

BEGUN = ("--seat", "human", "--seed", "3")

pytestmark = pytest.mark.slow  # each begins a game, ends it and resumes it


def command_in(out: str) -> list[str]:
    """The command that a game says one can go on with, without the name of the program."""
    line = next(line for line in out.splitlines() if line.startswith("  rulewright play "))
    return shlex.split(line)[1:]


def records() -> list[Path]:
    return sorted(Path(os.environ["XDG_DATA_HOME"]).rglob("*.jsonl"))


def test_the_command_that_is_shown_resumes_the_game(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, ["take_pair(colour=ruby)", "quit"], *BEGUN)
    (file,) = records()
    assert f"The game is saved in {file}" in out
    assert "round 2" in out
    again = play_typing(run_cli, monkeypatch, ["log", "q"], *command_in(out)[1:])
    assert "round 2  turn 3" in again
    assert "round 1" not in again
    assert "   1  player 1  take_pair(colour=ruby)" in again
    assert command_in(again) == command_in(out)
    assert records() == [file]


def test_the_end_of_input_says_how_to_go_on(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, ["take_pair(colour=ruby)"], *BEGUN, "--lang", "fr")
    assert "L'entrée est finie" in out
    assert command_in(out)[-2:] == ["--lang", "fr"]
    assert "manche 2" in play_typing(run_cli, monkeypatch, [], *command_in(out)[1:])


def test_an_interrupt_says_how_to_go_on(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr(sys, "stdin", Interrupted("take_pair(colour=ruby)\n"))
    assert run_cli("play", *BEGUN) == 130
    assert "\nStopped.\n" in run_cli.out
    assert "round 2" in play_typing(run_cli, monkeypatch, ["q"], *command_in(run_cli.out)[1:])


def test_a_game_in_which_nothing_was_done_leaves_nothing(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert play_typing(run_cli, monkeypatch, ["q"], *BEGUN).endswith(": Goodbye.\n")
    assert records() == []


def test_a_game_without_a_record(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, ["take_pair(colour=ruby)", "q"], *BEGUN, "--no-record")
    assert "The game is not saved." in out
    assert records() == []


def test_a_record_where_it_was_wanted(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "my game.jsonl"
    out = play_typing(run_cli, monkeypatch, ["take_pair(colour=ruby)", "q"], *BEGUN, "--record", str(file))
    assert command_in(out)[-1] == str(file)
    assert records() == []
    assert run_cli("play", *BEGUN, "--record", str(file)) == 2
    assert f"{file} already exists" in run_cli.err
    assert run_cli("play", "--resume", str(file), "--players", "3") == 2
    assert run_cli("play", *BEGUN, "--record", str(tmp_path / "none" / "x")) == 2
    file.write_text(file.read_text(encoding="utf-8").replace('"ruby"', '"rubby"'), encoding="utf-8")
    assert run_cli("play", "--resume", str(file)) == 2
    assert len(run_cli.err.splitlines()) == 1


def test_a_folder_that_cannot_be_written_stops_nobody(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert "This game is not recorded: " in play_typing(run_cli, monkeypatch, ["q"], *BEGUN)


def test_bots_alone_write_only_when_told(run_cli: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "bots.jsonl"
    bots = ("--seat", "random", "--seat", "random", "--seed", "5")
    assert run_cli("play", *bots) == 0
    assert records() == []
    assert run_cli("play", *bots, "--record", str(file)) == 0
    whole = run_cli.out
    assert run_cli("play", "--resume", str(file), "--no-record") == 0  # it is over
    assert whole.partition("Ranking")[2] == run_cli.out.partition("Ranking")[2]


def test_a_draw_has_no_winners(run_cli: CommandLine) -> None:
    assert run_cli("play", "tic-tac-toe", "--seat", "greedy", "--seat", "greedy", "--seed", "1") == 0
    _, _, ending = run_cli.out.partition("A full board without a line is a draw.")
    assert "A draw." in ending
    assert "won" not in ending


def test_what_was_done_is_taken_back_and_done_again(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["undo", "take_pair(colour=ruby)", "undo", "log", "redo", "log", "redo", "q"]
    out = play_typing(run_cli, monkeypatch, lines, *BEGUN, "--seat", "random", "--undo", "free")
    first, _, rest = out.partition("2 actions undone.")
    assert "There is nothing to undo." in first
    back, _, again = rest.partition("2 actions redone.")
    assert "round 1  turn 1" in back
    assert "Nothing has been done yet." in back
    assert "   1  player 1  take_pair(colour=ruby)" in again
    assert "round 2  turn 3" in again
    assert "There is nothing to redo." in again


def test_what_was_seen_is_not_taken_back(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, ["reserve_face_up(card=l1_ruby_6)", "undo", "q"], *BEGUN)
    assert "cannot be undone: chance decided something" in out
    assert "--undo free" in " ".join(out.split())
    out = play_typing(run_cli, monkeypatch, ["reserve_face_up(card=l1_ruby_6)", "undo", "q"], *BEGUN, "--undo", "free")
    assert "2 actions undone." in out


def test_taking_back_shows_nobody_another_hand(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    both = ("--seat", "human", *BEGUN, "--undo", "free")
    lines = ["", "reserve_from_deck(level=1)", "", "undo", "", "q"]
    out = play_typing(run_cli, monkeypatch, lines, *both)
    _, second, third = out.split("press Enter when nobody else is looking")[1:]
    assert "0 Reserved" not in second
    assert "1 action undone." in second
    assert "round 1  turn 1" in third


# ---- short forms, hints, pieces -------------------------------------------------------------------------------------


def test_short_forms_and_letters(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in ("pair ruby", "pair R", "take_p r"):
        assert "   1  player 1  take_pair(colour=ruby)" in play_typing(run_cli, monkeypatch, [line, "q"], *BEGUN)
    for line in ("take W U G", "different emerald diamond sapphire"):
        out = play_typing(run_cli, monkeypatch, [line, "q"], *BEGUN)
        assert "   1  player 1  take_different(colours=diamond + sapphire + emerald)" in out


def test_what_can_mean_several_things_is_answered_with_them(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = play_typing(run_cli, monkeypatch, ["reserve", "13", "q"], *BEGUN)
    assert re.search(r"1 l1_ruby_6 +2 l1_emerald_8", out.partition("for help)")[2])
    assert "   1  player 1  reserve_from_deck(level=1)" in out


def test_several_are_chosen_piece_by_piece(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_typing(run_cli, monkeypatch, ["+W", "+gold", "+sapph", "+K", "q"], *BEGUN)
    assert "No option in this list includes gold as well." in out
    assert "   1  player 1  take_different(colours=diamond + sapphire + onyx)" in out


def test_a_hint_is_a_legal_choice_with_its_number(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    out = " ".join(play_typing(run_cli, monkeypatch, ["hint", "q"], *BEGUN).split())
    found = re.search(r"bot would choose (\w+\(.*?\)), number (\d+)", out)
    assert found is not None
    again = " ".join(play_typing(run_cli, monkeypatch, [found[2], "log", "q"], *BEGUN).split())
    assert f"1 player 1 {found[1]}" in again


@pytest.mark.parametrize(
    ("language", "answer"),
    [("en", "was removed while you played: the game is not saved."), ("fr", "a été effacé pendant la partie")],
)
def test_a_record_that_was_removed_meanwhile_is_not_called_saved(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, answer: str
) -> None:
    record = tmp_path / "game.jsonl"

    class Input(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            line = super().readline() if size is None else super().readline(size)
            if line.startswith("quit"):
                record.unlink()
            return line

    monkeypatch.setattr(sys, "stdin", Input("take pair R\nquit\n"))
    words = ["--seat", "human", "--seat", "random", "--record", str(record), "--seed", "5", "--lang", language]
    assert run_cli("play", *words) == 0
    assert f"{record} {answer}" in run_cli.out
    assert "--resume" not in run_cli.out


def test_everything_is_in_french(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "?",
        "pourquoi pair or",
        "zzz",
        "99",
        "conseil",
        "prendre paire rubis",
        "reprendre",
        "journal",
        "garder",
        "quitter",
    ]
    out = play_typing(run_cli, monkeypatch, [*lines, "quitter"], *BEGUN, "--lang", "fr")
    for said in (
        "au tour du joueur 1", "Ce qu'on peut faire maintenant", "Ce qu'on peut taper", "ni une action, ni un nombre",
        "Choisissez un nombre de 1 à 30", "Un robot", "take_pair(colour=ruby)", "La partie est gardée",
        "Pour la reprendre",
    ):  # fmt: skip
        assert said in " ".join(out.split()), said
    english = {"the", "and", "seat", "what", "that", "round", "you", "nothing", "game", "with", "is"}
    prose = re.sub(r"\S*[/_]\S*", "", out.replace("(why, hint, log …)", ""))
    sources = re.sub(r"(?s)  source .*?  statut", "", prose)
    assert not english & set(re.findall(r"[a-zé]+", sources.lower()))


@pytest.mark.parametrize(
    "environment",
    [{"LANG": "C", "LC_ALL": ""}, {"PYTHONIOENCODING": "ascii"}, {"TERM": "dumb"}, {"NO_COLOR": "1"}, {"LC_ALL": "C"}],
)
def test_terminals_that_can_do_little(environment: dict[str, str]) -> None:
    done = shell("printf '?\\n+W\\nhint\\nq\\n' | rulewright play --seat human --seed 1 --lang fr", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    plain = "NO_COLOR" not in environment and "TERM" not in environment
    assert done.stdout.isascii() == plain
    assert ("reservation" if plain else "réservation") not in done.stdout  # not asked for here
    assert ("+ l3_" if plain else "╭ l3_") in done.stdout


@pytest.mark.parametrize(("columns", "lines"), [("1", "1"), ("20", "5"), ("40", "100"), ("500", "200"), ("0", "0")])
def test_odd_sizes(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, columns: str, lines: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", lines)
    for words in ((), ("--players", "4", "--lang", "fr")):
        assert "take_pair(colour=ruby)" in play_typing(
            run_cli, monkeypatch, ["?", "pair ruby", "why x", "q"], *BEGUN, *words
        )


def test_the_answers_tell_which_action_a_word_begins(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """`prendre` begins two actions; what stands behind it fits one, both, or neither."""
    lines = ["prendre W W", "prendre", "prendre W G R", "q"]
    out = " ".join(play_typing(run_cli, monkeypatch, lines, *BEGUN, "--lang", "fr").split())
    refused, _, rest = out.partition("l'or n'en est pas une")
    assert refused, "two of a colour are no three colours"
    assert "prendre une paire" in rest.partition("take_different(colours=diamond + emerald + ruby)")[0]
    assert "1 joueur 1 take_different(colours=diamond + emerald + ruby)" in rest


def test_what_is_shown_is_not_told_as_moved(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    foreheads = str(Path(__file__).parent / "games" / "foreheads" / "foreheads.yaml")
    out = play_typing(
        run_cli, monkeypatch, ["peek", "quit"], foreheads, "--players", "3", "--seat", "human", "--seed", "1"
    )
    assert re.search(r"player 1  peek\n +forehead of player 1 shows [a-z]+_\d\n", out)
    assert "left of player" not in out  # the display says that it is never shown
    assert not re.search(r"-> forehead\.0", out)


def test_files_that_join_variants_are_reported_when_they_are_named(run_cli: CommandLine) -> None:
    names = ("gold-alone", "free-passing")
    variants = [word for one in names for word in ("--variant", one)]
    assert run_cli("simulate", "-n", "1", *variants) == 0
    assert run_cli.out.startswith("splendor 1.0.0, 2 players, variants: free-passing, gold-alone\n")
    assert run_cli("simulate", "-n", "1", *variants, "--variant", "gold-alone-free-passing") == 0
    assert run_cli.out.startswith(
        "splendor 1.0.0, 2 players, variants: free-passing, gold-alone, gold-alone-free-passing\n"
    )
