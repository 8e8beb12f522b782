"""Games that are kept as text come out as they were.

When the rules or the notation were changed on purpose: `python tests/golden.py`, then read what changed.
"""

from __future__ import annotations

import difflib
import re

import pytest

from golden import FOLDER, KEPT, Golden, file_of, transcript
from rulewright.model.loader import load_rules

MOST = {"take_different(", "take_pair(", "reserve_face_up(", "reserve_from_deck(", "buy(", "give_back(", "pass "}


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name)
def test_a_kept_game_comes_out_as_it_was(kept: Golden):
    wanted, found = file_of(kept).read_text(encoding="utf-8"), transcript(kept)
    changed = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "kept", "now", n=1, lineterm="")
    assert found == wanted, "\n".join([*changed][:40])


def test_every_kept_file_has_its_game():
    assert {path.stem for path in FOLDER.iterdir()} == {kept.name for kept in KEPT}


@pytest.mark.parametrize("kept", KEPT[:3], ids=lambda kept: kept.name)
def test_the_kept_games_meet_most_rules(kept: Golden):
    text = file_of(kept).read_text(encoding="utf-8")
    met = {action for action in MOST if f"  {action}" in text}
    assert met == MOST
    assert "-> visited(" in text


@pytest.mark.parametrize("kept", [kept for kept in KEPT if kept.game != "splendor"], ids=lambda kept: kept.name)
def test_kept_games_of_others_meet_every_action(kept: Golden):
    text = file_of(kept).read_text(encoding="utf-8")
    met = set(re.findall(r"^  [0-9]  (\w+)", text, re.MULTILINE))
    assert {one.name for one in load_rules(kept.game).actions} <= met
