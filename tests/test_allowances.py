"""Accepted warnings: what an allowance hides, what it cannot hide, and that it is no part of the rules.

The cases of `diagnostics/check/allowances/` show each of them on its line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from explanation_examples import GAME
from rulewright import limits
from rulewright.checker.checker import check
from rulewright.diagnostics import Diagnostics
from rulewright.document.document_reader import load_document
from rulewright.model.digests import rules_digest, text_digest

UNUSED = "parameters:\n  spare: {value: 1, type: 1 to 9}"
ALLOWED = f"{UNUSED}   # rulewright: allow unused because it will be"


def found(path: Path, text: str, **options: int) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return [one.code.name for one in check([path], **options)]


def test_only_the_warning_that_is_named_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    assert found(path, GAME) == []
    assert found(path, GAME.replace("parameters:", UNUSED)) == ["unused"]
    assert found(path, GAME.replace("parameters:", ALLOWED)) == []
    assert found(path, GAME.replace("zones:", "zones:   # rulewright: allow unused because")) == [
        "allowance-without-reason"
    ]


def test_what_errors_may_hide_is_not_called_unused(tmp_path: Path) -> None:
    path, idle = (
        tmp_path / "chips.yaml",
        GAME.replace("  goal:", "  # rulewright: allow unused because of it\n  goal:"),
    )
    assert found(path, idle) == ["unused-allowance"]
    assert found(path, idle.replace("holds: colour", "holds: color", 1)) == ["unknown-reference"]


def test_what_is_not_checked_at_every_number_of_players_is_not_called_unused(tmp_path: Path) -> None:
    idle = GAME.replace("  goal:", "  # rulewright: allow unused because of it\n  goal:")
    assert found(tmp_path / "chips.yaml", idle, players=2) == []


@pytest.mark.parametrize("name", ["chips.yaml", "game.yaml"])
def test_a_game_allows_a_warning_in_all_its_files(name: str, tmp_path: Path) -> None:
    allowing = GAME.replace("kinds:", "allow: {unused: It will be used.}\nkinds:")
    assert found(tmp_path / name, allowing.replace("parameters:", UNUSED)) == []
    assert found(tmp_path / name, allowing) == ["unused-allowance"]


def test_of_very_many_only_the_first_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(limits, "MAX_ALLOWANCES", 2)
    path, spare = tmp_path / "chips.yaml", GAME.replace("parameters:", UNUSED)
    for count in (1, 2, 9):
        more = spare.replace("zones:", "# rulewright: allow unused because of it\n" * count + "zones:", 1)
        assert found(path, more.replace(UNUSED, ALLOWED)).count("out-of-range") == (count > 1)


def test_a_variant_allows_its_own_warnings(tmp_path: Path) -> None:
    (tmp_path / "chips.yaml").write_text(GAME, encoding="utf-8")
    variant = "variant: short\nfor: chips\nadd:\n  parameters.spare: {value: 2, type: 1 to 9}"
    assert found(tmp_path / "short.yaml", f"{variant}\n") == ["unused"]
    assert found(tmp_path / "short.yaml", f"{variant}   # rulewright: allow unused because of later\n") == []


def test_an_allowance_is_no_part_of_the_rules(tmp_path: Path) -> None:
    digests = set()
    for text in (GAME, GAME.replace("kinds:", "allow: {unused: It will be used.}\nkinds:")):
        path = tmp_path / "chips.yaml"
        path.write_text(text, encoding="utf-8")
        document = load_document(path, Diagnostics())
        assert document is not None
        digests.add((rules_digest(document, 2), text_digest(document, 2)))
    assert len(digests) == 1
