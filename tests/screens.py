"""Screens of games as text, kept beside the tests: a change in what players see shows as changed lines.

    python tests/screens.py          writes tests/screens/*.txt anew; then look at them

In: a game, a seed, so many actions chosen by the package's generator; a size of the terminal; lines typed. Out: all
that the terminal shows, with what was typed behind its prompts.
"""

from __future__ import annotations

# ruff: noqa: E402  (as a command it has to find the package first)
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

FOLDER = Path(__file__).with_name("screens")
GAMES = Path(__file__).with_name("games")

if __name__ == "__main__":  # the tests find the package by pytest's settings
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "interpreter"))

from rulewright.cli.main import main
from rulewright.engine import chance
from rulewright.engine.position_json import state_to_json
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, Decision, State
from rulewright.model.loader import load_rules


@dataclass(frozen=True)
class Screen:
    """What is kept. `moves`: actions done before; `until`: then on, to a decision at a step of that address."""

    name: str
    game: str = "splendor"
    players: int = 2
    moves: int = 0
    seed: int = 3
    until: str = ""
    size: tuple[int, int] = (80, 24)
    words: tuple[str, ...] = ()
    typed: tuple[str, ...] = ("quit",)
    colours: bool = False
    hot: bool = False  # people sit at all seats


KEPT = (
    Screen("begin", typed=("12x", "reserve", "take W U G", "quit")),
    Screen("begin-roomy", size=(120, 40)),
    Screen("help", typed=("?", "quit")),
    Screen("help-fr", words=("--lang", "fr"), typed=("?", "pourquoi pair or", "quitter")),
    Screen("middle", moves=60, typed=("log", "why buy l3_onyx_4", "undo", "quit")),
    Screen("middle-fr", moves=60, words=("--lang", "fr"), typed=("zzz", "annuler", "refaire", "quitter")),
    Screen("middle-roomy-fr", moves=60, size=(120, 40), words=("--lang", "fr")),
    Screen("middle-ascii", moves=60, words=("--ascii", "--lang", "fr")),
    Screen("middle-colours", moves=60, colours=True),
    Screen("middle-narrow", moves=60, size=(40, 24)),
    Screen("middle-low", moves=60, size=(100, 12)),
    Screen("four", players=4, moves=90),
    Screen("four-roomy", players=4, moves=90, size=(120, 40)),
    Screen("pieces", moves=20, until="turn.give_back", typed=("+W", "1", "1", "quit")),
    Screen("handed-over", moves=40, hot=True, typed=("", "1", "", "quit")),
    Screen("workers", "workers", moves=9, typed=("?", "quit")),
    Screen("workers-roomy", "workers", moves=9, size=(120, 40)),
    Screen("island", "island", players=1, moves=3, typed=("drain a1", "quit")),
    Screen("island-fr", "island", players=1, moves=3, words=("--lang", "fr"), typed=("?", "quitter")),
    Screen("foreheads", "foreheads", players=3, moves=4, seed=5),
    Screen("tricks", "tricks", moves=2, typed=("exchange", "quit")),
    Screen("tic-tac-toe", "tic-tac-toe", moves=3, typed=("mark a1", "mark b2", "quit")),
    Screen("nim", "nim", moves=2, seed=4, typed=("take 4 9", "hint", "quit")),
    Screen("kuhn-poker-fr", "kuhn-poker", moves=1, words=("--lang", "fr"), typed=("?", "miser")),
    Screen("wrack-line", "wrack-line", moves=13, typed=("why cling", "log", "quit")),
    Screen("wrack-line-four-fr", "wrack-line", players=4, moves=31, words=("--lang", "fr"), typed=("quitter",)),
    Screen("wrack-line-flood", "wrack-line", players=3, moves=5, until="procedures.surge.do.caught", size=(120, 40)),
    Screen("tricks-end", "tricks", moves=7, typed=("1", "1", "1", "1")),
)


def rules_file(game: str) -> str:
    """A game by its name, or one of the tests' own by its path."""
    path = GAMES / game / f"{game}.yaml"
    return str(path) if path.exists() else game


def played(kept: Screen) -> tuple[ReferenceEngine, State]:
    """The position that is shown: the seat that decides there is the first one that is human."""
    engine = ReferenceEngine(load_rules(rules_file(kept.game), players=kept.players))
    state, rng = engine.start(seed=kept.seed), chance.seed_rng(kept.seed, stream=1)
    for number in range(500):
        decision = state.waiting
        here = not kept.until or (
            isinstance(decision, Decision)
            and engine.rules.blocks[decision.block].steps[decision.step].address == kept.until
        )
        if state.over or (number >= kept.moves and here):
            break
        rng, action = chosen(rng, engine.legal(state))
        state = engine.apply_legal(state, action)
    return engine, state


def chosen(rng: int, legal: tuple[Action, ...]) -> tuple[int, Action]:
    """Any action, its sort first, so that rare ones are not drowned by many of another."""
    sorts = list(dict.fromkeys(action.number for action in legal))
    rng, at = chance.rand_below(rng, len(sorts))
    some = [action for action in legal if action.number == sorts[at]]
    rng, at = chance.rand_below(rng, len(some))
    return rng, some[at]


class Typing(io.StringIO):
    """Lines that are typed: they are seen on the screen, as on a terminal."""

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline()
        print(line, end="")
        return line


@contextmanager
def terminal(kept: Screen) -> Iterator[io.StringIO]:
    """A terminal of the wanted size; what it shows."""
    shown = io.StringIO()
    columns, lines = kept.size
    environment = {"COLUMNS": str(columns), "LINES": str(lines), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    if kept.colours:
        environment |= {"FORCE_COLOR": "1", "COLORTERM": ""}
    dropped = ("NO_COLOR", "LC_ALL", "LC_CTYPE", *(() if kept.colours else ("FORCE_COLOR",)))
    with (
        mock.patch.dict(os.environ, environment),
        mock.patch.object(sys, "stdin", Typing("".join(f"{line}\n" for line in kept.typed))),
        redirect_stdout(shown),
    ):
        for name in dropped:
            os.environ.pop(name, None)
        yield shown


def drawn(kept: Screen) -> str:
    """What the terminal shows."""
    engine, state = played(kept)
    seat = state.waiting.seat if isinstance(state.waiting, Decision) else 0
    with TemporaryDirectory() as folder:
        file = Path(folder) / "position.json"
        file.write_text(state_to_json(engine, state), encoding="utf-8")
        who = ["human" if at == seat or kept.hot else "random" for at in range(kept.players)]
        seats = [word for one in who for word in ("--seat", one)]
        words = ["play", rules_file(kept.game), "--resume", str(file), "--no-record", "--seed", "1", *seats]
        with terminal(kept) as shown:
            status = main([*words, *kept.words])
    assert status == 0, status
    return "\n".join(line.rstrip() for line in shown.getvalue().split("\n"))


def file_of(kept: Screen) -> Path:
    """Where it is kept."""
    return FOLDER / f"{kept.name}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for one in KEPT:
        file_of(one).write_text(drawn(one), encoding="utf-8")
        print(file_of(one))
