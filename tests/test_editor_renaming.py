"""Every id of a game gets another name in an editor: the rules are right under it, and have the same bytes when it is
taken back.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

import pytest

from editor_ids import PREFIX, Key, copy_game, ids_of, meant_after, opened, rename_all, rename_one, texts_in
from rulewright import check
from rulewright.editor.known_names import label_of
from rulewright.editor.meanings import target_at
from rulewright.editor.renaming import rename

SLOW = pytest.mark.slow
# what an author gives a name to; all of it is in two of the games
NAMED = {
    "kind", "member", "parameter", "component", "field", "thing", "zone", "state", "value", "term", "action", "choice",
    "condition", "step", "procedure", "argument", "key", "loop variable", "measure", "criterion", "invariant",
    "strategy", "passage", "source", "case",
}  # fmt: skip
HOUSE_RULE = """\
variant: my-rule
for: splendor
text: Own
add:
  parameters.rich: {value: 8, type: 1 to 99, text: Many}
  actions.take_pair.when.poor: {is: count(purse(me)) < rich, why: No., text: Yes.}
"""


def diagnostics_of(folder: Path, players: int | None = None) -> list[str]:
    return [f"{each.span} {each.message}" for each in check([folder], players=players)]


@pytest.mark.parametrize("game", ["tic-tac-toe", *(pytest.param(name, marks=SLOW) for name in ("nim", "kuhn-poker"))])
def test_every_id_of_a_small_game_is_renamed_and_renamed_back(tmp_path: Path, game: str) -> None:
    manifest = copy_game(game, tmp_path)
    before, number = texts_in(tmp_path), count()
    for key, (path, target, _) in ids_of(manifest, tmp_path).items():
        name = f"{PREFIX}{next(number)}"
        edits = rename_one(path, tmp_path, target, name)
        changed, renamed = meant_after(edits, tmp_path, target, name)
        assert diagnostics_of(tmp_path) == [], key
        rename_one(changed, tmp_path, renamed, target.word)
        assert texts_in(tmp_path) == before, key


@pytest.mark.parametrize(
    ("game", "players", "and_back"),
    [("whist", 4, True), pytest.param("splendor", 2, False, marks=SLOW)],  # of which the way back takes long
)
def test_all_ids_of_a_large_game_are_renamed(tmp_path: Path, game: str, players: int, and_back: bool) -> None:
    manifest = copy_game(game, tmp_path)
    before, number = texts_in(tmp_path), count()
    old: dict[str, tuple[Key, str]] = {}

    def other(key: Key, word: str) -> str | None:
        if word.startswith(PREFIX):
            return None
        name = f"{PREFIX}{next(number)}"
        old[name] = (key, word)
        return name

    renamed = rename_all(manifest, tmp_path, other)
    assert [
        each.address for _, each, _ in ids_of(manifest, tmp_path).values() if not each.word.startswith(PREFIX)
    ] == []
    assert diagnostics_of(tmp_path, players) == []
    if and_back:
        assert rename_all(manifest, tmp_path, lambda _, word: old[word][1] if word in old else None) >= renamed
        assert texts_in(tmp_path) == before


def test_all_that_has_a_name_is_among_the_ids(tmp_path: Path) -> None:
    found = set()
    for game in ("kuhn-poker", "wrack-line", "draughts", "splendor-duel"):
        for _, target, _ in ids_of(copy_game(game, tmp_path / game), tmp_path / game).values():
            found.add(label_of(target.address) if target.local is None else target.local.label)
    assert found >= NAMED


def test_a_house_rule_renames_what_it_declares_and_nothing_of_the_game_that_ships(tmp_path: Path) -> None:
    path = tmp_path / "my-rule.yaml"
    path.write_text(HOUSE_RULE, encoding="utf-8")
    rules = opened(path, tmp_path)
    own = target_at(rules, HOUSE_RULE, HOUSE_RULE.index("poor:"))
    assert own is not None
    assert [edit.text for edits in rename(rules, own, "not_rich").values() for edit in edits] == ["not_rich"]
    others = target_at(rules, HOUSE_RULE, HOUSE_RULE.index("purse("))
    assert others is not None
    with pytest.raises(ValueError, match="a file of a game that ships with rulewright"):
        rename(rules, others, "pocket")


def test_a_file_that_cannot_be_written_is_not_renamed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = copy_game("nim", tmp_path)
    text = manifest.read_text(encoding="utf-8")
    rules = opened(manifest, tmp_path)
    target = target_at(rules, text, text.index("sticks:"))
    assert target is not None
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "misere-one-pass.yaml")
    with pytest.raises(ValueError, match=r"that cannot be written would have to change: .*misere-one-pass\.yaml"):
        rename(rules, target, "piles")
