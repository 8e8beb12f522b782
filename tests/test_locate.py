"""What a name means: a shipped game or variant, or a path; and whose variants a game given by path has."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from rulewright import bundle, check, load_rules
from rulewright.cli.main import main
from rulewright.model.locate import NotFound, find_game, find_variant, heads_read_once, joint_files, joint_files_beside
from rulewright.scenarios.nearby_files import known_variants

RULES, VARIANTS = bundle.bundle_folder("rules"), bundle.bundle_folder("variants")


@pytest.fixture
def working_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the nim that is shipped, with its variants, as in a checkout; the current folder."""
    shutil.copytree(RULES / "nim", tmp_path / "rules" / "nim")
    shutil.copytree(VARIANTS / "nim", tmp_path / "variants" / "nim")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_bare_word_is_a_shipped_game_even_beside_a_folder_of_that_name(working_copy: Path):
    (working_copy / "splendor").mkdir()
    assert find_game("splendor") == RULES / "splendor"
    with pytest.raises(NotFound, match=r"for the folder, write `\./rules`"):
        find_game("rules")


@pytest.mark.parametrize("name", ["./nim", "rules/nim/", "nim.yaml", "x" * 300 + ".yaml", "./" + "x/" * 2500])
def test_a_path_that_is_not_there_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound, match="there is no file or folder"):
        find_game(name)


def test_a_folder_without_a_manifest_says_which_of_its_files_are_games(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"^there is no `game\.yaml` in .*$"):
        find_game(str(tmp_path))
    (tmp_path / "pile.yaml").write_text("# a game\ngame: pile\n")
    (tmp_path / "other.yaml").write_text("variant: other\nfor: pile\n")
    with pytest.raises(NotFound, match=r"by their paths: [^,]*pile\.yaml\)$"):
        find_game(str(tmp_path))


def test_the_nearest_name_is_told(working_copy: Path):
    with pytest.raises(NotFound, match="did you mean `nim`"):
        find_game("rules/nimm")
    with pytest.raises(NotFound, match="did you mean `nim`"):
        find_game("nimm")
    with pytest.raises(NotFound, match="did you mean `misere`"):
        find_variant("nim", "misre")


def test_a_copy_has_no_faults_and_its_own_variants(working_copy: Path, capsys: pytest.CaptureFixture[str]):
    assert not len(check(["rules", "variants"]))
    assert not len(check(["rules/nim"]))
    manifest = working_copy / "variants" / "nim" / "misere.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("en: ", "en: Mine. "), encoding="utf-8")
    changed = load_rules("./rules/nim", variants=["misere"])
    assert changed.text_digest != load_rules("nim", variants=["misere"]).text_digest
    assert main(["show", "parameters", "./rules/nim", "--variant", "misere"]) == 0
    note = "variants of nim are those in variants/nim, then the shipped ones"
    assert note in capsys.readouterr().err
    assert main(["show", "parameters", "nim"]) == 0
    assert not capsys.readouterr().err


def test_a_shipped_variant_is_still_there(working_copy: Path):
    (working_copy / "variants" / "nim" / "misere.yaml").unlink()
    assert find_variant("nim", "misere", working_copy / "rules" / "nim" / "game.yaml").is_relative_to(VARIANTS)


@pytest.mark.parametrize(
    "folder", ["rules/nim/variants", "rules/variants", "rules/nim/variants/nim", "rules/variants/nim", "variants/nim"]
)
def test_the_variants_of_a_game_are_in_its_folder_or_beside_it(folder: str, working_copy: Path):
    text = (working_copy / "variants" / "nim" / "misere.yaml").read_text(encoding="utf-8")
    shutil.rmtree(working_copy / "variants")
    mine = working_copy / folder / "mine.yaml"
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text(text.replace("variant: misere", "variant: mine"), encoding="utf-8")
    assert find_variant("nim", "mine", working_copy / "rules" / "nim" / "game.yaml") == mine
    assert load_rules("./rules/nim", variants=["mine"]).variants == ("mine",)
    assert not len(check(["rules/nim"]))
    mine.write_text(mine.read_text(encoding="utf-8").replace("for: nim", "for: nim\nafter: nobody"), encoding="utf-8")
    assert [one.code.name for one in check(["rules/nim"])] == ["unknown-variant"], "it is found and checked"


@pytest.mark.parametrize("folder", ["variants", "variants/nim"])
def test_the_variants_of_a_game_in_one_file_are_beside_it(folder: str, working_copy: Path):
    text = (working_copy / "variants" / "nim" / "misere.yaml").read_text(encoding="utf-8")
    game = shutil.copy(working_copy / "rules" / "nim" / "game.yaml", working_copy / "nim.yaml")
    shutil.rmtree(working_copy / "variants")
    mine = working_copy / folder / "mine.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text(text.replace("variant: misere", "variant: mine"), encoding="utf-8")
    assert find_variant("nim", "mine", game) == mine


def test_a_file_for_a_number_of_players_may_have_any_name(tmp_path: Path):
    folder = tmp_path / "rules" / "splendor"
    shutil.copytree(RULES / "splendor", folder)
    (folder / "players-2.yaml").rename(folder / "for-two.yaml")
    head = (folder / "game.yaml").read_text(encoding="utf-8")
    (folder / "game.yaml").write_text(head.replace("players-2.yaml", "for-two.yaml"), encoding="utf-8")
    rules = load_rules(str(folder), players=2)
    assert rules.digest == load_rules("splendor", players=2).digest


def test_a_link_that_leads_back_is_no_folder_of_variants(working_copy: Path):
    (working_copy / "rules" / "nim" / "variants").symlink_to(".")
    assert not len(check(["rules/nim"]))
    assert main(["variants", "./rules/nim"]) == 0


def test_check_and_test_take_paths_only(working_copy: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "splendor"]) == 2
    assert "there is no file or folder splendor" in capsys.readouterr().err
    assert main(["test", "splendor"]) == 2
    assert "there is no file or folder splendor" in capsys.readouterr().err


def test_a_folder_without_scenarios_is_a_failure(working_copy: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["test", "rules"]) == 2
    assert "there are no scenarios in rules" in capsys.readouterr().err


@pytest.mark.slow
def test_variants_beside_a_game_are_read_once(working_copy: Path, monkeypatch: pytest.MonkeyPatch):
    source = (working_copy / "variants" / "nim" / "misere.yaml").read_text(encoding="utf-8")
    for number in range(30):
        path = working_copy / "variants" / "nim" / f"v{number}.yaml"
        path.write_text(source.replace("variant: misere", f"variant: v{number}"), encoding="utf-8")
    opened: list[str] = []
    open_path = Path.open

    def count(self: Path, *args: Any, **options: Any) -> Any:
        opened.append(self.name)
        return open_path(self, *args, **options)

    monkeypatch.setattr(Path, "open", count)
    check(["rules", "variants"])
    assert 1 <= opened.count("v7.yaml") <= 10, "opened where it is looked at, not once for every other variant"


def test_heads_are_read_once_only_while_that_is_asked_for(tmp_path: Path) -> None:
    game, variant = tmp_path / "mine.yaml", tmp_path / "variants" / "other.yaml"
    game.write_text("game: mine\n", encoding="utf-8")
    variant.parent.mkdir()
    variant.write_text("joins: [a, b]\nfor: mine\n", encoding="utf-8")
    with heads_read_once():
        assert joint_files("mine", game) == [variant]
        variant.write_text("variant: other\nfor: mine\n", encoding="utf-8")
        assert joint_files("mine", game) == [variant]
    assert joint_files("mine", game) == []


def test_files_that_join_variants_not_played_are_left_alone(tmp_path: Path) -> None:
    assert [file.stem for file in joint_files("splendor", played=("cities", "orient"))] == ["cities-orient"]
    assert joint_files("splendor", played=("cities",)) == []
    assert len(joint_files("splendor")) > 10
    (tmp_path / "seen.yaml").write_text("# both\njoins: [a, b]  # and no more\nfor: pile\n")
    (tmp_path / "unseen.yaml").write_text("joins:\n  - a\n  - b\nfor: pile\n")  # which only reading it tells
    for played, names in ((None, ["seen", "unseen"]), (("a", "b"), ["seen", "unseen"]), (("a",), ["unseen"])):
        found = joint_files_beside("pile", [tmp_path / "a.yaml"], played=played)
        assert [file.stem for file in found] == names


def test_variants_in_the_folder_of_a_game_are_known_to_its_scenarios(tmp_path: Path) -> None:
    folder = tmp_path / "rules" / "mine"
    (folder / "variants").mkdir(parents=True)
    (folder / "game.yaml").write_text("game: mine\n", encoding="utf-8")
    (folder / "variants" / "other.yaml").write_text("variant: other\nfor: mine\n", encoding="utf-8")
    assert known_variants(tmp_path / "far" / "a.yaml", "mine", str(folder)) == ["other"]


def test_a_link_that_leads_nowhere_and_a_name_with_orders_to_the_terminal(tmp_path: Path) -> None:
    link = tmp_path / "loop.yaml"
    link.symlink_to("loop.yaml")
    with pytest.raises(NotFound, match=r"is a link that leads nowhere$"):
        find_game(str(link))
    with pytest.raises(NotFound, match=r"there is no file or folder \./red\\x1b\[31m\\n\.yaml$"):
        find_game("./red\x1b[31m\n.yaml")
