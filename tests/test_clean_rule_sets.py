"""A rule set that was found without a problem is not judged again; every change of what it depends on is seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rulewright
from rulewright import program_signature as signature_module
from rulewright.bundle import bundle_folder
from rulewright.checker import clean_rule_sets, rule_set_checks
from rulewright.checker.checker import CheckResult, check_paths
from rulewright.checker.clean_rule_sets import CleanRuleSets
from rulewright.checker.rule_set_checks import check_rule_set
from rulewright.checker.rule_sets import RuleSet
from rulewright.diagnostics import Diagnostics
from rulewright.private_cache import CACHE_VARIABLE
from rulewright.program_signature import program_signature

GAME = "nim"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a game with its variants, and nothing known of it."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr(clean_rule_sets, "CLOCK_STEP", 0)  # what is written here is done before the check begins
    copy = tmp_path / "copy"
    for kind in ("rules", "variants"):
        shutil.copytree(bundle_folder(kind) / GAME, copy / kind / GAME)
    return copy


class Judged:
    """The variants of all rule sets that are judged, in their order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        monkeypatch.setattr(rule_set_checks, "check_rule_set", self.check_rule_set)
        self.on_judgement: Callable[[], object] = lambda: None

    def check_rule_set(self, rules: RuleSet) -> Diagnostics:
        self.names.append("+".join(sorted(path.stem for path in rules.variants)))
        self.on_judgement()
        return check_rule_set(rules)

    def taken(self) -> list[str]:
        names, self.names = sorted(self.names), []
        return names


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Judged:
    return Judged(monkeypatch)


def check(*paths: Path, play: int = 0) -> CheckResult:
    return check_paths(paths, play=play, clean=CleanRuleSets())


ALL = ["", "misere", "misere+misere-one-pass+one-pass", "one-pass"]


def edit(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n# one more line\n", encoding="utf-8")


def test_what_is_clean_is_judged_once(folder: Path, judged: Judged) -> None:
    first = check(folder)
    assert judged.taken() == ALL
    second = check(folder)
    assert judged.taken() == []
    assert (second.games, second.variants, second.files) == (first.games, first.variants, first.files)
    check(folder / "variants" / GAME / "misere.yaml")
    assert judged.taken() == []


def test_only_what_a_changed_variant_is_part_of_is_judged(folder: Path, judged: Judged) -> None:
    check(folder)
    judged.taken()
    edit(folder / "variants" / GAME / "misere.yaml")
    check(folder)
    assert judged.taken() == ["misere", "misere+misere-one-pass+one-pass"]


@pytest.mark.parametrize("change", ["game", "part", "joint", "name", "play", "program"])
def test_a_change_of_what_all_depend_on_is_judged(
    folder: Path, change: str, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(folder)
    judged.taken()
    variants = folder / "variants" / GAME
    match change:
        case "game":
            edit(folder / "rules" / GAME / "game.yaml")
        case "part":
            edit(folder / "rules" / GAME / "sources.yaml")
        case "joint":
            edit(variants / "misere-one-pass.yaml")
        case "name":
            (variants / "misere.yaml").rename(variants / "unhappy.yaml")
        case "program":
            monkeypatch.setattr(clean_rule_sets, "program_signature", lambda: "another")
    check(folder, play=20 if change == "play" else 0)
    assert len(judged.taken()) == len(ALL)


def test_what_has_a_problem_is_judged_each_time(folder: Path, judged: Judged) -> None:
    variant = folder / "variants" / GAME / "misere.yaml"
    variant.write_text("variant: misere\nfor: nim\ntext: Other.\nset: {parameters.base: 9}\n", encoding="utf-8")
    first, second = check(variant), check(variant)
    assert judged.taken() == ["", "misere", "misere"]
    assert repr(first.diagnostics) == repr(second.diagnostics) != repr(Diagnostics())


def test_what_changes_while_it_is_judged_is_not_kept(folder: Path, judged: Judged) -> None:
    variant = folder / "variants" / GAME / "misere.yaml"
    judged.on_judgement = lambda: edit(variant)
    check(variant)
    judged.on_judgement = lambda: None
    judged.taken()
    check(variant)
    assert judged.taken() == ["", "misere"]


def test_what_is_changed_just_before_is_not_believed(
    folder: Path, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of files may go in steps: a file could have changed again within one of them."""
    monkeypatch.setattr(clean_rule_sets, "CLOCK_STEP", 10**12)
    for _ in range(2):
        check(folder / "rules" / GAME)
    assert judged.taken() == sorted(ALL * 2)


def test_nothing_is_kept_where_nothing_is_to_be_kept(
    folder: Path, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "")
    for _ in range(2):
        check(folder / "rules" / GAME)
    assert judged.taken() == sorted(ALL * 2)


def test_the_signature_changes_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "module.py"
    module.write_text("A = 1\n")
    monkeypatch.setattr(signature_module, "bundle_folder", lambda _: tmp_path)
    signature = program_signature.__wrapped__
    first = signature()
    assert signature() == first
    os.utime(module, ns=(0, 0))
    second = signature()
    module.write_text("A = 10\n")
    assert len({first, second, signature()}) == 3


@pytest.mark.parametrize("is_known", [True, False])
def test_what_is_known_needs_neither_analyses_nor_an_engine(folder: Path, *, is_known: bool) -> None:
    """Importing them would take a quarter of the time of a check that finds nothing to judge."""
    variant = folder / "variants" / GAME / "misere.yaml"
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from rulewright.checker import clean_rule_sets\n"
        "from rulewright.checker.checker import check_paths\n"
        "clean_rule_sets.CLOCK_STEP = 0\n"
        "check_paths([Path(sys.argv[1])], clean=clean_rule_sets.CleanRuleSets())\n"
        "print(*sys.modules)"
    )
    if is_known:
        check(variant)
    command = [sys.executable, "-c", program, str(variant)]
    run = subprocess.run(command, cwd=Path(rulewright.__file__).parents[1], capture_output=True, text=True, check=True)
    judges = {"rulewright.checker.game_checks", "rulewright.engine.interface", "rulewright.model.rules"}
    judges &= set(run.stdout.split())
    assert bool(judges) is not is_known
