"""Rules of shipped games that were read before are the same in the next process, and read anew where they may differ.

Two rules are compared as texts, which show their classes too, and the texts of their files.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.bundle import bundle_folder
from rulewright.diagnostics import RulesError
from rulewright.model import kept_rules, locate
from rulewright.model.kept_rules import load_kept_rules, rules_key
from rulewright.model.loader import load_rules
from rulewright.model.locate import NotFound, available_games, available_variants, selectable_variants
from rulewright.model.rules import Rules
from rulewright.private_cache import CACHE_VARIABLE, keep
from rulewright.source.unsaved import hold_text, release_text

GAME = "nim"
VARIANTS = [(game, name) for game in available_games() for name in selectable_variants(available_variants(game))]


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of results."""
    folder = tmp_path / "kept"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a shipped game and its variants in place of all that is shipped."""
    folder = tmp_path / "shipped"
    for kind in ("rules", "variants"):
        shutil.copytree(bundle_folder(kind) / GAME, folder / kind / GAME)  # type: ignore[arg-type]
    for module in (kept_rules, locate):
        monkeypatch.setattr(module, "bundle_folder", lambda kind: folder / kind)
    return folder


def text_of(rules: Rules) -> str:
    """All of some rules, the members of sets in the order of their names: theirs is another in every process."""
    return re.sub(r"frozenset\(\{([^{}]*)\}\)", lambda found: str(sorted(found[1].split(", "))), repr(rules))


class Read:
    """Counts how often rules are read from their files."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        read = kept_rules._read_rules

        def count(*args: object) -> object:
            self.times += 1
            return read(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(kept_rules, "_read_rules", count)


@pytest.mark.parametrize("game", available_games())
def test_they_are_the_same_in_the_next_process(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_rules(game)
    assert text_of(load_kept_rules(game)) == text_of(first)
    read = Read(monkeypatch)
    again = load_kept_rules(game)
    assert text_of(again) == text_of(first)
    assert (again.digest, again.players, read.times) == (first.digest, first.players, 0)
    assert set(again.provenance) == set(first.provenance)
    assert again.text_digest == first.text_digest
    assert again.explanations.works() == first.explanations.works()
    assert again.explanations.book().passages == first.explanations.book().passages
    assert read.times == 1  # for what only explains them


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_they_are_the_same_with_a_variant(game: str, variant: str) -> None:
    load_kept_rules(game, variants=[variant])
    assert text_of(load_kept_rules(game, variants=[variant])) == text_of(load_rules(game, variants=[variant]))


def test_other_questions_have_other_answers() -> None:
    keys = [
        rules_key("splendor", None, []),
        rules_key("splendor", 2, []),
        rules_key("splendor", 3, []),
        rules_key("splendor", 3, ["colours-first"]),
        rules_key("splendor", 3, ["target_prestige=12"]),
        rules_key("nim", None, []),
    ]
    assert None not in keys
    assert len({*keys}) == len(keys)
    assert load_kept_rules("splendor", players=3).players == 3
    assert load_kept_rules("splendor").players == 2


def test_a_changed_file_is_read(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load_kept_rules(GAME)
    read = Read(monkeypatch)
    assert load_kept_rules(GAME).version == before.version
    assert read.times == 0
    manifest = shipped / "rules" / GAME / "game.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace(before.version, "9.9.9"), encoding="utf-8")
    assert load_kept_rules(GAME).version == "9.9.9"
    added = shipped / "variants" / GAME / "another.yaml"
    key = rules_key(GAME, None, [])
    added.write_text("variant: another\n", encoding="utf-8")
    assert rules_key(GAME, None, []) != key


def test_files_are_called_by_the_way_to_them(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [shipped, shipped / "rules", shipped / "rules" / GAME]
    names = []
    for _ in range(2):
        for place in places:
            monkeypatch.chdir(place)
            names.append(next(iter(load_kept_rules(GAME).zones.values())).span.source.path)
    assert names[:3] == names[3:]
    assert len({*names}) == 3


def test_a_link_leads_to_what_may_change(shipped: Path, tmp_path: Path) -> None:
    assert rules_key(GAME, None, []) is not None
    (shipped / "variants" / GAME / "linked.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert rules_key(GAME, None, []) is None


def test_what_is_given_by_path_is_read_each_time(shipped: Path, kept: Path) -> None:
    path = shipped / "rules" / GAME
    load_kept_rules(str(path))
    assert rules_key(GAME, None, [str(shipped / "variants" / GAME / "x.yaml")]) is None
    assert not kept.exists()


def test_what_is_not_saved_yet_is_read(shipped: Path) -> None:
    path = shipped / "rules" / GAME / "game.yaml"
    hold_text(path, path.read_text(encoding="utf-8"))
    try:
        assert rules_key(GAME, None, []) is None
    finally:
        release_text(path)
    assert rules_key(GAME, None, []) is not None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b'{"sorts":[],"leaves":[],"objects":[]}',
        b'{"sorts":["tuple"],"leaves":[1],"objects":[[0,7]]}',
        b'{"sorts":["Popen"],"leaves":["x"],"objects":[[0,0]]}',
        b'{"sorts":["Rules"],"leaves":["x"],"objects":[[0,0]]}',
        b"\xff\xfe",
    ],
)
def test_what_is_damaged_is_read_anew(content: bytes, kept: Path) -> None:
    key = rules_key(GAME, None, [])
    assert key is not None
    keep(key, content)
    assert text_of(load_kept_rules(GAME)) == text_of(load_rules(GAME))
    (kept / key).write_bytes(b"without its checksum")
    assert text_of(load_kept_rules(GAME)) == text_of(load_rules(GAME))


def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "")
    read = Read(monkeypatch)
    load_kept_rules(GAME)
    load_kept_rules(GAME)
    assert read.times == 2


def test_what_is_wrong_is_reported_each_time(shipped: Path, kept: Path) -> None:
    manifest = shipped / "rules" / GAME / "game.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + "\nnonsense: 1\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(RulesError):
            load_kept_rules(GAME)
        with pytest.raises(NotFound):
            load_kept_rules("no-such-game")
    assert not kept.exists()


def test_whoever_plays_kept_rules_needs_nothing_that_reads_them() -> None:
    words = ["-m", "rulewright", "simulate", GAME, "--games", "1", "--engine", "reference"]
    folder = Path(rulewright.__file__).parent.parent
    subprocess.run([sys.executable, *words], cwd=folder, check=True, capture_output=True)
    shown = subprocess.run(
        [sys.executable, "-X", "importtime", *words], cwd=folder, check=True, capture_output=True, text=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in shown.stderr.splitlines()}
    assert "rulewright.engine.reference.reference_engine" in loaded
    for needless in (
        "yaml",
        "lark",
        "rulewright.model.loader",
        "rulewright.document.document_reader",
        "rulewright.bots.greedy",
    ):
        assert needless not in loaded
