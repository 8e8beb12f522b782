"""The lists in CONTRIBUTING are complete: what exists is found in every place that they name, and in no other."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from rulewright.expr.tree import Expr
from rulewright.model.effects import Effect
from rulewright.model.locale import BUILTIN_MESSAGES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "interpreter" / "rulewright"
GUIDE = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
READERS = ["model/state_steps.py", "model/moves.py"]  # which the list for a verb names beside `steps.py`
DOCUMENTS = ["interpreter/README.md", ".github/CONTRIBUTING.md", "tests/README.md"]


def places(title: str) -> list[str]:
    """The paths that the list under a heading begins its items with."""
    section = GUIDE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"^- `([^`]+)`", section, re.MULTILINE)


def modules_that_name_all(classes: tuple[type, ...]) -> set[str]:
    """The modules of the package in which each of these classes is named."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        names = set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
        if {one.__name__ for one in classes} <= names:
            found.add(str(path.relative_to(ROOT)))
    return found


@pytest.mark.parametrize("title", re.findall(r"^## (To add .*)$", GUIDE, re.MULTILINE))
def test_every_place_exists(title: str) -> None:
    listed = places(title)
    assert len(listed) >= 3
    assert [path for path in listed if not (ROOT / path).exists()] == []


def test_the_list_for_a_verb_is_complete() -> None:
    listed = {path for path in places("To add a verb") if path.endswith(".py")}
    assert modules_that_name_all(get_args(Effect)) <= listed
    beside = {"interpreter/rulewright/model/steps.py": READERS}  # it leaves some verbs to these
    for path in listed:
        text = "".join(map(read, [ROOT / path, *(PACKAGE / name for name in beside.get(path, []))]))
        names = re.findall(r"\w+", text)
        assert len({one.__name__ for one in get_args(Effect)} & set(names)) >= len(get_args(Effect)) - 1, path


def test_the_modules_that_ask_about_some_verbs_are_listed() -> None:
    section = GUIDE.partition("## To add a verb\n")[2].partition("\n## ")[0]
    groups = re.findall(r"^- [^`\n]+\(([^)]+)\): ((?:`[^`]+`,?\s+)+)", section, re.MULTILINE)
    listed = [
        (set(re.findall(r"\w+", classes)), set(re.findall(r"[\w/]+\.py", modules))) for classes, modules in groups
    ]
    asked = set.union(*(classes for classes, _ in listed))
    assert asked == {one.__name__ for one in get_args(Effect)} - {"Reveal"}  # which nothing asks about alone
    imported = {
        str(path.relative_to(PACKAGE)): set(re.findall(r"\w+", line[1]))
        for path in PACKAGE.rglob("*.py")
        if (line := re.search(r"^from rulewright\.model\.effects import (\([^)]*\)|.*)$", read(path), re.MULTILINE))
    }
    know_all = {path.removeprefix("interpreter/rulewright/") for path in places("To add a verb")} | {*READERS}
    for classes, modules in listed:
        assert modules == {name for name, names in imported.items() if names & classes} - know_all, classes


def test_the_list_for_an_operator_is_complete() -> None:
    listed = set(places("To add an operator"))
    named = modules_that_name_all(get_args(Expr))
    assert named <= listed
    assert len(named) >= 4


def test_the_list_for_a_diagnostic_is_complete() -> None:
    reference = (ROOT / "rules" / "reference" / "diagnostics.md").read_text(encoding="utf-8")
    codes = re.findall(r"Code\(\s*\"([A-Z]\d{3})\", \"([\w-]+)\"", "".join(map(read, PACKAGE.rglob("codes.py"))))
    assert len(codes) > 150
    assert [number for number, name in codes if f"| {number} | `{name}` |" not in reference] == []
    files = [*(ROOT / "tests").rglob("*.yaml"), *(ROOT / "tests").glob("*.py")]
    cases = "".join(f"{path.stem} {read(path)}" for path in files)
    assert [name for _, name in codes if name not in cases and name.upper().replace("-", "_") not in cases] == []


def test_the_list_for_a_language_is_complete() -> None:
    listed = [path for path in places("To add a language") if path.endswith(".json")]
    folders = {path.parent for path in PACKAGE.rglob("*.json") if path.parent.name == "locale"}
    assert {(ROOT / path).parent for path in listed} == folders
    for folder in folders:
        languages = {path.stem: list(json.loads(path.read_text(encoding="utf-8"))) for path in folder.glob("*.json")}
        assert set(languages) == set(BUILTIN_MESSAGES)
        assert len({tuple(keys) for keys in languages.values()}) == 1


def test_every_module_of_the_compiler_has_its_stage() -> None:
    section = read(ROOT / "interpreter" / "README.md").partition("## Through the compiler\n")[2].partition("\n## ")[0]
    named = re.findall(r"`(\w+)`", "".join(row.rpartition(" | ")[2] for row in section.splitlines()))
    assert sorted(named) == sorted(
        path.stem for path in (PACKAGE / "engine" / "compiled").rglob("*.py") if path.stem != "__init__"
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_module_that_is_named_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    for path in re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|lark|json|css))`", text):
        here = (ROOT, ROOT / "tests", PACKAGE, ROOT / "interpreter")
        assert any((folder / path).exists() for folder in here) or list(PACKAGE.rglob(path)), path


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
