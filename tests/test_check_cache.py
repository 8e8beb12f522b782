"""What was checked without a problem is not judged again, unless anything that it depends on has changed."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from rulewright.bundle import bundle_folder
from rulewright.checker import check_cache, checker
from rulewright.checker.check_cache import check_paths_again
from rulewright.checker.checker import CheckResult, check_paths
from rulewright.private_cache import CACHE_VARIABLE
from rulewright.source import file_looks
from rulewright.source.file_looks import looks_noted, still_hold
from rulewright.source.unsaved import hold_text, release_text

GAME = "tic-tac-toe"
VARIANT = """variant: taller
for: tic-tac-toe
text: {en: The board is for {players}., fr: Le plateau.}
"""


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a shipped game and its variants in place of all that is shipped, and nothing kept yet."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kept"))
    folder = tmp_path / "shipped"
    for kind in ("rules", "variants"):
        shutil.copytree(bundle_folder(kind) / GAME, folder / kind / GAME)
    monkeypatch.setattr(check_cache, "bundle_folder", lambda kind: folder / kind)
    return folder


class Judged:
    """Counts how often files are judged."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        self.after: Callable[[], object] = lambda: None
        monkeypatch.setattr(checker, "check_paths", self.check_paths)

    def check_paths(self, *args: object, **options: object) -> CheckResult:
        self.times += 1
        result = check_paths(*args, **options)  # type: ignore[arg-type]
        self.after()
        return result


def counts(result: CheckResult) -> tuple[int, ...]:
    return len(result.diagnostics), result.games, result.variants, result.scenario_files, result.files


def test_the_second_answer_is_the_first(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    paths = [shipped / "rules", shipped / "variants"]
    first, second = check_paths_again(paths), check_paths_again(paths)
    assert counts(first) == counts(second) == counts(check_paths(paths))
    assert first.games == 1
    assert judged.times == 1


def test_another_question_is_judged(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    check_paths_again([shipped / "rules"])
    check_paths_again([shipped / "rules"], players=2)
    check_paths_again([shipped / "variants"])
    check_paths_again([shipped / "variants"], game=str(shipped / "rules" / GAME))
    check_paths_again([shipped / "variants"], game=str(shipped / "rules" / GAME))
    assert judged.times == 5


def test_a_change_of_the_game_is_judged_with_its_variants(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    manifest = shipped / "rules" / GAME / "game.yaml"
    check_paths_again([shipped / "variants"])
    manifest.write_text(manifest.read_text(encoding="utf-8") + "\n# one more line\n", encoding="utf-8")
    check_paths_again([shipped / "variants"])
    assert judged.times == 2


@pytest.mark.parametrize("change", ["edit", "add", "remove", "program"])
def test_a_change_is_judged(shipped: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    manifest = shipped / "rules" / GAME / "game.yaml"
    paths = [shipped / "rules"]  # which variants there are is part of the answer
    check_paths_again(paths)
    variant = min((shipped / "variants" / GAME).glob("*.yaml"))
    match change:
        case "edit":
            manifest.write_text(manifest.read_text(encoding="utf-8") + "\n# one more line\n", encoding="utf-8")
        case "add":
            (variant.parent / "another.yaml").write_text(VARIANT, encoding="utf-8")
        case "remove":
            variant.unlink()
        case "program":
            monkeypatch.setattr(check_cache, "program_signature", lambda: "another")
    check_paths_again(paths)
    assert judged.times == 2


def test_problems_are_found_again_each_time(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    (shipped / "variants" / GAME / "another.yaml").write_text("variant: another\nfro: nothing\n", encoding="utf-8")
    first, second = (check_paths_again([shipped / "variants"]) for _ in range(2))
    assert list(map(str, first.diagnostics)) == list(map(str, second.diagnostics)) != []
    assert judged.times == 2


# ---- what is not shipped -----------------------------------------------------------------------------------------

ELSEWHERE = "nim"  # a game with variants and a file that joins them
LINES = "\n# one more line\n"


@pytest.fixture
def variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A variant in a folder of somebody's own, with its game, and nothing kept yet."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kept"))
    for kind in ("rules", "variants"):
        shutil.copytree(bundle_folder(kind) / ELSEWHERE, tmp_path / "mine" / kind / ELSEWHERE)
    variants = tmp_path / "mine" / "variants" / ELSEWHERE
    (variants / "texts" / "fr").mkdir(parents=True)
    return variants / "one-pass.yaml"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def edit(path: Path) -> None:
    write(path, path.read_text(encoding="utf-8") + LINES)


def link(path: Path) -> None:
    path.rename(path.with_suffix(".real"))
    path.symlink_to(path.with_suffix(".real"))


CHANGES: dict[str, Callable[[Path], object]] = {
    "the variant": edit,
    "another variant": lambda variant: edit(variant.with_name("misere.yaml")),
    "a joint file": lambda variant: edit(variant.with_name("misere-one-pass.yaml")),
    "a new variant": lambda variant: write(variant.with_name("taller.yaml"), "variant: taller\nfor: nim\n"),
    "a variant that is gone": lambda variant: variant.with_name("misere.yaml").unlink(),
    "a translation": lambda variant: write(variant.parent / "texts" / "fr" / variant.name, "texts: one-pass\n"),
    "a file of the game": lambda variant: edit(variant.parents[2] / "rules" / ELSEWHERE / "sources.yaml"),
    "a file that the game does not list": lambda variant: write(
        variant.parents[2] / "rules" / ELSEWHERE / "more.yaml", "part_of: nim\n"
    ),
    "a nearer game": lambda variant: write(variant.parent / "game.yaml", "game: nim\n"),
    "a link": link,
}


def test_what_is_not_shipped_is_judged_once(variant: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    monkeypatch.chdir(variant.parent)
    first, second = check_paths_again([variant]), check_paths_again([variant.name])
    assert counts(first) == counts(second) == counts(check_paths([variant])) == (0, 1, 1, 0, 1)
    check_paths_again([variant], players=2)
    assert judged.times == 2


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_was_looked_at_is_judged(variant: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    check_paths_again([variant])
    CHANGES[change](variant)
    found = [check_paths_again([variant]) for _ in range(2)]
    assert judged.times == (3 if change == "a link" or len(found[0].diagnostics) else 2)
    assert repr(found[0].diagnostics) == repr(found[1].diagnostics) == repr(check_paths([variant]).diagnostics)


def test_a_folder_behind_a_link_is_known_while_it_leads_there(
    variant: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = Judged(monkeypatch)
    mine, far = variant.parents[2], tmp_path / "far"
    name = variant.relative_to(mine)
    shutil.copytree(mine, far / "mine")
    shutil.copytree(mine, far / "other")
    link = tmp_path / "link"
    link.symlink_to(mine, target_is_directory=True)
    for _ in range(2):
        check_paths_again([link / name])
    assert judged.times == 1
    link.unlink()
    link.symlink_to(far / "other", target_is_directory=True)
    check_paths_again([link / name])
    assert judged.times == 2
    check_paths_again([variant])
    assert judged.times == 3
    write(far / "mine" / name, "variant: one-pass\nfor: nim\n")
    assert len(
        check_paths_again([link / ".." / "mine" / name]).diagnostics
    )  # below `far`, whatever the path looks like
    edit(variant.with_name("misere.yaml"))
    for _ in range(2):
        check_paths_again([link / ".." / "other" / name])
    assert judged.times == 6


def test_what_changes_while_it_is_read_is_not_kept(variant: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    judged.after = lambda: edit(variant)
    check_paths_again([variant])
    judged.after = lambda: None
    check_paths_again([variant])
    check_paths_again([variant])
    assert judged.times == 2


def test_a_text_that_is_not_saved_is_judged_each_time(variant: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    check_paths_again([variant])
    hold_text(variant, "variant: one-pass\nfor: nim\n")
    try:
        assert len(check_paths_again([variant]).diagnostics)
    finally:
        release_text(variant)
    assert judged.times == 2


def test_a_path_that_no_file_can_have_is_never_known() -> None:
    for name in ("a\0b/c", "a" * 10_000, "a/../b\0c"):
        with looks_noted() as looks:
            for question in get_args(file_looks.Question):
                file_looks.note_look(name, question)
        assert not still_hold(looks)


@pytest.mark.parametrize("path", ["variants/nim/one-pass.yaml", "variants/nim/two-passes.yaml", "rules/nim", "."])
def test_every_look_at_the_disk_is_noted(path: str, variant: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked of the system below the folder is in what is kept, or in the names of a folder that is."""
    text = variant.read_text(encoding="utf-8").replace("one-pass", "two-passes")
    write(variant.with_name("two-passes.yaml"), f"{text}conflicts: [one-pass]\n")
    asked = dict[str, set[str]]()  # by function

    def note(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any = ".", *args: Any, **options: Any) -> Any:
            if isinstance(path, str | os.PathLike) and (shown := os.path.abspath(path)).startswith(root):
                asked.setdefault(name, set()).add(shown)
            return function(path, *args, **options)

        return call

    root = f"{variant.parents[2]}{os.sep}"
    for module, name in ((os, "stat"), (os, "lstat"), (os, "scandir"), (os, "listdir"), (io, "open")):
        monkeypatch.setattr(module, name, note(name, getattr(module, name)))
    monkeypatch.setattr(file_looks, "_ANSWERS", dict.fromkeys(file_looks._ANSWERS, lambda path: "not looked up"))
    with looks_noted() as looks:
        assert not len(check_paths([Path(root, path)]).diagnostics)
    noted = {path for known in looks.values() for path in known}
    around = {str(parent) for path in noted for parent in Path(path).parents}
    trees = tuple(f"{path}{os.sep}" for path in looks.get("tree", ()))
    listed = {*looks.get("entries", ()), *looks.get("tree", ())}
    known = {path for path in asked["stat"] | asked["lstat"] if os.path.dirname(path) in listed}
    assert not {path for path in asked["stat"] | asked["lstat"] if not path.startswith(trees)} - known - noted - around
    assert not asked["open"] - looks["bytes"].keys()
    listings = asked.get("scandir", set()) | asked.get("listdir", set())
    assert not {path for path in listings if not path.startswith(trees)} - listed


def test_with_a_link_everything_is_judged_each_time(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    (shipped / "rules" / "elsewhere").symlink_to(shipped.parent, target_is_directory=True)
    for _ in range(2):
        check_paths_again([shipped / "variants"])
    assert judged.times == 2


def test_without_a_folder_to_keep_things_in_everything_is_judged_each_time(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = Judged(monkeypatch)
    monkeypatch.setenv(CACHE_VARIABLE, "")
    for _ in range(2):
        check_paths_again([shipped / "rules"])
    assert judged.times == 2
