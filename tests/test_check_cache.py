"""What was checked without a problem is not judged again, unless anything that it depends on has changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.bundle import bundle_folder
from rulewright.checker import check_cache, checker
from rulewright.checker.check_cache import check_paths_again
from rulewright.checker.checker import CheckResult, check_paths
from rulewright.private_cache import CACHE_VARIABLE

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
        monkeypatch.setattr(checker, "check_paths", self.check_paths)

    def check_paths(self, *args: object, **options: object) -> CheckResult:
        self.times += 1
        return check_paths(*args, **options)  # type: ignore[arg-type]


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


def test_what_is_not_shipped_is_judged_each_time(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = Judged(monkeypatch)
    shutil.copytree(shipped / "rules" / GAME, tmp_path / "mine" / GAME)
    for _ in range(2):
        check_paths_again([tmp_path / "mine"])
    assert judged.times == 2


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
