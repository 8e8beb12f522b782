"""Every diagnostic is explained: its wrong example gives exactly that diagnostic, its right one none."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from explanation_examples import reported, reported_as_yaml
from reference_extract import EXPLANATIONS, explanations_page
from rulewright.checker.common.diagnostic_json import CODES
from rulewright.diagnostics import Code
from rulewright.explanations.explanation import FAMILY_FILES, FOLDER, Example, explanation_of

# what only play finds
DECISIONS = dict.fromkeys(
    ("fails-in-play", "gives-away-hidden", "ends-at-once", "never-able", "never-held", "last-counts"), 200
)
UNCHECKED = {  # by a command, or longer than an example can be
    *("expression-too-long", "expression-too-deep", "players", "no-scenarios", "one-of-a-group", "variant-twice"),
    *("nothing-to-translate", "unreadable-file", "not-utf8", "file-too-large", "too-deep", "too-many-nodes"),
    "more-complaints",
}


def reported_of(code: Code, example: Example, folder: Path) -> list[str]:
    folder.mkdir()
    if code.number.startswith("Y"):
        return reported_as_yaml(example, folder)
    return reported(example, folder, play=DECISIONS.get(code.name, 0))


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_examples_are_wrong_and_right(code: Code, tmp_path: Path) -> None:
    explanation = explanation_of(code)
    if not explanation.unchecked:
        assert reported_of(code, explanation.wrong, tmp_path / "wrong") == [code.name]
        assert reported_of(code, explanation.right, tmp_path / "right") == []


def test_only_what_cannot_be_shown_is_unchecked() -> None:
    assert {code.name for code in CODES if explanation_of(code).unchecked} == UNCHECKED


def test_an_explanation_says_more_than_the_meaning() -> None:
    for code in CODES:
        explanation = explanation_of(code)
        assert len(explanation.why) > 40, code.name
        assert code.meaning.rstrip(".").lower() not in explanation.why.lower()
        assert explanation.why.endswith(".")
        assert explanation.wrong.shown != explanation.right.shown


def test_nothing_else_is_explained() -> None:
    import yaml

    names = {name for file in set(FAMILY_FILES.values()) for name in yaml.safe_load((FOLDER / file).read_text("utf-8"))}
    assert names == {code.name for code in CODES}


def test_the_page_of_the_reference_is_up_to_date() -> None:
    text = EXPLANATIONS.read_text(encoding="utf-8")
    assert text == explanations_page(), "outdated page: run `python tests/reference_extract.py`"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def test_a_code_is_explained_by_name_and_by_number(cli: CommandLine) -> None:
    assert cli("explain", "single-equals") == 0
    by_name = cli.out
    assert by_name.startswith("error[single-equals] E308: ")
    assert 'wrong:\n    is: "passes = 3"\nright:\n    is: "passes is 3"' in by_name
    assert cli("explain", "e308") == 0
    for pasted in ("error[single-equals]", "E308:"):  # as it stands in a diagnostic
        assert cli("explain", pasted) == 0
    assert cli.out == by_name


def test_without_a_code_all_are_listed(cli: CommandLine) -> None:
    assert cli("explain") == 0
    assert len(cli.out.splitlines()) == len(CODES)


def test_an_unknown_code_is_reported_with_the_nearest(cli: CommandLine) -> None:
    assert cli("explain", "unknown-nmae") == 2
    assert "no diagnostic `unknown-nmae`; did you mean `unknown-name`?" in cli.err
