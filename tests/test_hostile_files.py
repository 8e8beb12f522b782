"""Whatever stands in a rule file, the checker ends soon and says something clear: a sample of damaged and odd files.

`python tests/fuzzing.py --count 5000 --jobs 2` checks more, and says which files trouble it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import fuzzing
from hostile_files import files_of
from rulewright.editor.completions import completions_at
from rulewright.editor.open_rules import open_rules
from rulewright.editor.workspace import Workspace

SAMPLE = 150
SEED = 7


def test_the_same_seed_makes_the_same_files() -> None:
    assert files_of(SEED, 3) == files_of(SEED, 3)
    assert len({str(files_of(SEED, number)) for number in range(40)}) > 35


def test_troubles_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An exception of the checker, and one that takes too long, are told with the number of the files."""
    (tmp_path / "a.yaml").write_text("game: a\n", encoding="utf-8")
    assert fuzzing.check_folder(str(tmp_path)) == ""

    def fail(paths: object) -> None:
        raise KeyError(str(paths))

    monkeypatch.setattr(fuzzing, "check_paths", fail)
    assert "KeyError" in fuzzing.check_folder(str(tmp_path))
    trouble = fuzzing.check_number(SEED, 5)
    assert trouble is not None
    assert (trouble.number, trouble.files) == (5, files_of(SEED, 5))


ODD_NAMES = ['""', ".", "..", "/abs", '"**"', '"[a"', '"a\\0b"', "x" * 400, "n" + "- " * 3000 + "m"]
NAMING = {
    "variant": "variant: v\nfor: {0}\ntext: T\nset: {{parameters.x: 1}}\n",
    "neighbours": "variant: v\nfor: nim\ntext: T\nrequires: [{0}]\nafter: [{0}]\nset: {{parameters.base: 2}}\n",
    "files": "game: g\nversion: 1.0.0\nlanguage: 2\ntext: T\nplayers: 2\nfiles: [{0}]\ntexts: [{0}]\n",
    "scenarios": "scenarios: s\nfor: {0}\nlanguage: 2\nvariants: [{0}]\ncases: {{a: {{then: {{over: false}}}}}}\n",
}


@pytest.mark.parametrize("what", NAMING)
@pytest.mark.parametrize("name", ODD_NAMES, ids=range(len(ODD_NAMES)))
def test_names_that_no_file_can_have(what: str, name: str, tmp_path: Path) -> None:
    """A game, a variant or a file of such a name is reported as one that is not there, or as no name at all."""
    (tmp_path / "odd.yaml").write_text(NAMING[what].format(name), encoding="utf-8")
    assert fuzzing.check_folder(str(tmp_path), 60) == ""
    assert fuzzing.check_paths([str(tmp_path)]).diagnostics.error_count > 0


def test_a_link_to_itself_beside_a_variant_is_no_hindrance(tmp_path: Path) -> None:
    """Other files are looked at where a name is missing, since another variant may bring it."""
    variant = tmp_path / "odd.yaml"
    variant.write_text("variant: odd\nfor: nim\ntext: T\nset: {parameters.missing: 1}\n", encoding="utf-8")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    assert [one.code.name for one in fuzzing.check_paths([variant]).diagnostics] == ["no-such-address"]
    workspace = Workspace()
    workspace.take(tmp_path / "loop.yaml", "file:///loop.yaml", variant.read_text(encoding="utf-8"))
    found = workspace.check(tmp_path / "loop.yaml")
    assert {one.code.name for its in found.values() for one in its} >= {"no-such-address"}
    workspace.close(tmp_path / "loop.yaml")


@pytest.mark.parametrize("text", ["- - - x", "? ? x", "- variants", "[[x", "&a x", ": x", "\t- x"])
def test_what_can_follow_where_no_key_stands(text: str, tmp_path: Path) -> None:
    for begin in ("", "scenarios: s\nfor: nim\n"):
        path = tmp_path / "odd.yaml"
        path.write_text(f"{begin}{text}", encoding="utf-8")
        found = completions_at(path, open_rules(path), f"{begin}{text}", len(begin) + len(text))
        assert all(each.word for each in found)


@pytest.mark.slow
def test_a_sample_of_hostile_files() -> None:
    """Time is not looked at here: other tests run beside this one."""
    troubles = fuzzing.check_share(SEED, 0, SAMPLE, max_seconds=60)
    assert [(trouble.number, trouble.what) for trouble in troubles] == []
