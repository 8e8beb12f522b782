"""The README is true: its commands print what it shows, its rules are the shipped ones, its links lead somewhere."""

from __future__ import annotations

import io
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import yaml

from rulewright.cli.main import main
from rulewright.model.loader import load_rules

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = (ROOT / "rules" / "MANUAL.md").read_text(encoding="utf-8")
COMMANDS = [
    (line.removeprefix("$ rulewright "), output)
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for line, output in re.findall(r"^(\$ rulewright .*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    if "--seat human" not in line  # what is typed there stands in the manual
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with every variant of the README in a file of its name, where commands are typed."""
    for text in re.findall(r"```yaml\n(variant: .*?)```", README, re.DOTALL):
        (tmp_path / f"{text.splitlines()[0].removeprefix('variant: ')}.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_command_prints_what_is_shown(command: str, shown: str, folder: Path) -> None:
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        status = main(shlex.split(command))
    assert status == ("error[" in shown or "is not legal" in shown)
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", ".*")
        for line in shown.splitlines(keepends=True)
    )
    output = re.sub(r"(?<= )\S*(?=rules/\w+/\w+\.yaml)", "", printed.getvalue())
    assert re.match(pattern, output), output


def test_something_is_shown() -> None:
    assert len(COMMANDS) >= 3
    assert sum(bool(shown) for _, shown in COMMANDS) >= 2


def test_the_board_is_that_of_the_manual() -> None:
    board = re.search(r"```console\n(\$ rulewright play --seed.*?\n)…\n```", README, re.DOTALL)
    assert board is not None
    assert board[1] in MANUAL


def is_part_of(excerpt: object, whole: object) -> bool:
    """Whether an excerpt says nothing that the whole does not say; it may leave out keys."""
    if isinstance(excerpt, dict) and isinstance(whole, dict):
        return all(key in whole and is_part_of(value, whole[key]) for key, value in excerpt.items())
    if isinstance(excerpt, list) and isinstance(whole, list):
        return len(excerpt) == len(whole) and all(map(is_part_of, excerpt, whole))
    return excerpt == whole


def test_the_rule_is_an_excerpt_of_the_shipped_one() -> None:
    rule = re.search(r"```yaml\n(take_pair:.*?)```", README, re.DOTALL)
    assert rule is not None
    shipped = yaml.safe_load((ROOT / "rules" / "splendor" / "actions.yaml").read_text(encoding="utf-8"))["actions"]
    assert is_part_of(yaml.safe_load(rule[1]), shipped)


def test_the_variant_can_be_played(folder: Path) -> None:
    assert load_rules("splendor", variants=["short-game.yaml"]).parameters["target_prestige"].value == 12


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)]+)\)", README))
def test_a_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 180
