"""No rule file leads out of its folder: what lies elsewhere is not opened, by whatever name or link; nor is anything
that is no file.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import pytest

from rulewright.checker.checker import check
from rulewright.cli.test import write_results
from rulewright.diagnostics import Diagnostic, Diagnostics
from rulewright.model.loader import compose_game
from rulewright.scenarios.runner import run_scenario_files
from rulewright.source.real_paths import links_followed_once, real_path

GAME = (Path(__file__).parent / "diagnostics" / "check" / "scenarios" / "chips.yaml").read_text(encoding="utf-8")
SECRET = "game: chips\nsecret: hush\n"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Every file that is opened, where it truly lies."""
    found: set[Path] = set()
    open_ = Path.open

    def spied(self: Path, *args: object, **kwargs: object) -> object:
        found.add(self.resolve())
        return open_(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", spied)
    return found


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game's folder; beside it, what it must not read."""
    folder = tmp_path / "games" / "chips"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "secret.yaml").write_text(SECRET, encoding="utf-8")
    return folder


def checked(path: Path) -> list[Diagnostic]:
    return list(check([path]))


def names(found: list[Diagnostic]) -> list[str]:
    return [one.code.name for one in found]


def listing(game: Path, file: str) -> None:
    text = GAME.replace("players: 2 to 3\n", f"players: 2 to 3\nfiles: [{file}]\n")
    assert text != GAME
    (game / "game.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("file", ["../../secret.yaml", "{root}/secret.yaml", "../chips/../../secret.yaml"])
def test_a_name_that_leads_out(game: Path, tmp_path: Path, opened: set[Path], file: str) -> None:
    listing(game, file.format(root=tmp_path))
    assert names(checked(game)) == ["wrong-form"]
    assert tmp_path / "secret.yaml" not in opened


def test_rows_that_lie_elsewhere(game: Path, tmp_path: Path, opened: set[Path]) -> None:
    inline = GAME[GAME.index("    rows:") : GAME.index("zones:")]
    (game / "game.yaml").write_text(GAME.replace(inline, "    rows: ../../secret.yaml\n"), encoding="utf-8")
    assert names(checked(game)) == ["wrong-form"]
    assert tmp_path / "secret.yaml" not in opened


@pytest.mark.parametrize("listed", [True, False])
def test_a_link_that_leads_out(game: Path, tmp_path: Path, opened: set[Path], listed: bool) -> None:
    (game / "part.yaml").symlink_to(tmp_path / "secret.yaml")
    if listed:
        listing(game, "part.yaml")
    (one,) = {(one.code.name, one.message) for one in checked(game)}
    assert one == ("unreadable-file", "cannot open this file: it is a link to a place outside its folder")
    assert tmp_path / "secret.yaml" not in opened


def test_links_among_variants_scenarios_and_games(game: Path, tmp_path: Path, opened: set[Path]) -> None:
    (game / "variants").mkdir()
    for place in (game / "variants" / "a.yaml", game.parent / "cases.yaml"):
        place.symlink_to(tmp_path / "secret.yaml")
    (game.parent / "other").mkdir()
    (game.parent / "other" / "game.yaml").symlink_to(tmp_path / "secret.yaml")
    assert names(checked(game.parent)) == ["unreadable-file"] * 3
    diagnostics = Diagnostics()
    assert compose_game(str(game), 2, (), diagnostics) is not None
    assert not list(diagnostics)
    assert write_results(run_scenario_files([game.parent]), lambda _: None) == 0
    assert tmp_path / "secret.yaml" not in opened


def test_a_link_inside_is_a_file_like_another(game: Path, tmp_path: Path) -> None:
    (game.parent / "again").symlink_to(game)
    assert checked(game.parent) == []
    link = tmp_path / "named.yaml"
    link.symlink_to(game / "game.yaml")
    assert checked(link) == []  # who names a link wants what it leads to


@pytest.mark.parametrize("where", ["part.yaml", "variants/a.yaml", "game.yaml"])
@pytest.mark.parametrize("what", ["pipe", "folder", "loop"])
def test_what_is_no_file(game: Path, where: str, what: str) -> None:
    (game / "variants").mkdir()
    path = game / where
    if where == "game.yaml":
        path.unlink()
    if where == "part.yaml":
        listing(game, where)
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    else:
        path.symlink_to(path)
    assert names(checked(game.parent)) == ["unreadable-file"]
    if where == "variants/a.yaml":
        diagnostics = Diagnostics()
        assert compose_game(str(game), 2, (), diagnostics) is not None


def test_links_that_are_followed_once_lead_where_each_by_itself_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders that are links, links to links, to nothing and to themselves, and paths that go up again."""
    (tmp_path / "a" / "inner").mkdir(parents=True)
    (tmp_path / "a" / "inner" / "file").touch()
    links = {"b": "a", "a/up": "..", "a/inner/other": "file", "c": "b/inner/other", "lost": "nowhere", "loop": "loop"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    monkeypatch.chdir(tmp_path)
    parts = ("a", "b", "up", "inner", "other", "file", "c", "lost", "loop", "..", ".", "x" * 300, "\0")
    names = ["", *parts, *("/".join(three) for three in product(parts, repeat=3))]
    paths = [base / name for name in names for base in (tmp_path, Path())]
    alone = [real_path(path) for path in paths]
    with links_followed_once():
        assert [real_path(path) for path in paths] == alone
        assert [real_path(path) for path in reversed(paths)] == alone[::-1]
