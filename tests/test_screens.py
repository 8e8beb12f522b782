"""Screens that are kept as text come out as they were, and what holds for all screens holds.

When the look was changed on purpose: `python tests/screens.py`, then look at what changed.
"""

from __future__ import annotations

import difflib
import re
from functools import cache

import pytest

from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision
from rulewright.model.loader import load_rules
from rulewright.terminal.board import Board
from rulewright.terminal.game_loop import arrange_screen
from rulewright.terminal.menu import MenuBuilder
from screens import FOLDER, KEPT, Screen, chosen, drawn, file_of

NAMES = [kept.name for kept in KEPT]
shown = cache(drawn)


@pytest.mark.parametrize("kept", KEPT, ids=NAMES)
def test_a_kept_screen_comes_out_as_it_was(kept: Screen) -> None:
    wanted, found = file_of(kept).read_text(encoding="utf-8"), shown(kept)
    changed = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "kept", "now", n=1, lineterm="")
    assert found == wanted, "\n".join([*changed][:60])


def test_every_kept_file_has_its_screen() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(NAMES)


@pytest.mark.parametrize("kept", [one for one in KEPT if not one.colours], ids=lambda kept: kept.name)
def test_no_line_is_wider_than_the_terminal(kept: Screen) -> None:
    lines = [line for line in shown(kept).splitlines() if not re.search(r": *\S*.*$", line) or "(" not in line]
    assert max(map(len, lines)) <= max(kept.size[0], 46)  # the head of all says in one line who has begun


def test_without_colours_there_are_no_codes_and_with_them_nothing_else_changes() -> None:
    plain, coloured = (next(kept for kept in KEPT if kept.name == name) for name in ("middle", "middle-colours"))
    board = shown(plain).partition("? for help")[0]
    assert "\x1b" not in shown(plain)
    assert "\x1b[" in shown(coloured)
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown(coloured)).partition("? for help")[0] == board


def test_ascii_is_ascii() -> None:
    kept = next(kept for kept in KEPT if kept.name == "middle-ascii")
    assert shown(kept).isascii()


@pytest.mark.slow
def test_the_shipped_game_fits_a_small_terminal() -> None:
    """Board, last action, choices and prompt in 24 lines of 80, at two players, whatever was done in three games."""
    engine = ReferenceEngine(load_rules("splendor", players=2))
    board = Board(engine)
    menus, turns = MenuBuilder(board), 0
    for seed in range(3):
        state, rng = engine.start(seed=seed), chance.seed_rng(seed, stream=1)
        while isinstance(state.waiting, Decision):
            legal, seat = engine.legal(state), state.waiting.seat
            turns += 1
            if turns % 3 == 0:
                lines, _ = arrange_screen(board, menus, state, seat, legal, ["what was done"], (80, 24))
                assert len(lines) < 24, "\n".join(map(str, lines))
            rng, action = chosen(rng, legal)
            state = engine.apply_legal(state, action)
    assert turns > 200
