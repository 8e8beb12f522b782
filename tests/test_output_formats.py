"""Diagnostics for other programs: GitHub, SARIF, GitLab, JUnit; several forms at once, into files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from command_line import CommandLine
from rulewright.checker.output.output_formats import render
from rulewright.diagnostics import Code, Diagnostic, Related, SourceFile, Span
from rulewright.explanations.explanation import EXAMPLE_GAME
from rulewright.model.locate import find_game

TEXT = "game: x\nkinds: {hue: [red, red]}\n"
SOURCE = SourceFile("rules/my game.yaml", TEXT)
TWICE = Code("N401", "duplicate-name", "two definitions have the same name")
IDLE = Code("N418", "no-effect", "a key has no effect", "warning")
FOUND = [
    Diagnostic(
        TWICE,
        Span(SOURCE, 27, 30),
        "100 % the same, as\x01 before",
        help="say: blue",
        address="kinds.hue",
        related=(Related(Span(SOURCE, 22, 25), "first here"),),
    ),
    Diagnostic(IDLE, Span(SOURCE, 0, 8), "no effect"),
]
COUNTS = {"games": 1, "variants": 0, "errors": 1, "warnings": 1}
SUMMARY = "checked 1 game"


def rendered(form: Any) -> str:
    return render(form, FOUND, COUNTS, SUMMARY)


def test_github_gets_a_line_for_each_with_the_errors_first() -> None:
    error, warning, summary = rendered("github").split("\n")
    place = "file=rules/my game.yaml,line=2,endLine=2,col=20,endColumn=22,title=N401 duplicate-name"
    assert error == f"::error {place}::100 %25 the same, as\x01 before%0Ahelp: say: blue"
    assert warning.startswith("::warning file=rules/my game.yaml,line=1,endLine=1,")
    assert summary == SUMMARY


def test_github_is_told_of_no_more_than_it_shows() -> None:
    lines = render("github", [*FOUND[1:], *FOUND[:1] * 60], COUNTS, SUMMARY).split("\n")
    assert [line.split()[0] for line in lines[:50]] == ["::error"] * 50
    assert lines[50:] == ["::notice::11 more, see the other output of the check", SUMMARY]
    counted = render("github", FOUND[:1] * 60, {**COUNTS, "errors": 900}, SUMMARY).split("\n")
    assert counted[50] == "::notice::851 more, see the other output of the check"


def test_sarif_names_places_rules_and_fingerprints() -> None:
    """The whole was validated by hand against the schema of the standard; this is what it says of one result."""
    log = json.loads(rendered("sarif"))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    result, other = run["results"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "N401"
    assert rules[other["ruleIndex"]]["id"] == "N418"
    assert (result["level"], other["level"]) == ("error", "warning")
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "rules/my%20game.yaml"},
                "region": {"startLine": 2, "startColumn": 20, "endLine": 2, "endColumn": 23},
            },
            "logicalLocations": [{"fullyQualifiedName": "kinds.hue"}],
        }
    ]
    assert result["relatedLocations"][0]["message"] == {"text": "first here"}
    assert run["columnKind"] == "unicodeCodePoints"
    assert len(result["partialFingerprints"]["rulewright/v1"]) == 16
    assert len({rule["id"] for rule in rules}) == len(rules)


def test_gitlab_gets_a_report_of_code_quality() -> None:
    error, warning = json.loads(rendered("gitlab"))
    assert error["location"] == {"path": "rules/my game.yaml", "lines": {"begin": 2, "end": 2}}
    assert (error["severity"], warning["severity"]) == ("major", "minor")
    assert warning["location"]["lines"] == {"begin": 1, "end": 1}
    assert error["fingerprint"] != warning["fingerprint"]


def test_of_the_same_mistake_in_equal_lines_each_has_a_fingerprint() -> None:
    """GitLab shows one of those that are equal. The first keeps its own, however many there are."""
    for form in ("gitlab", "json"):
        twice = json.loads(render(form, [*FOUND, FOUND[0]], COUNTS, SUMMARY))  # type: ignore[arg-type]
        once = json.loads(rendered(form))
        prints = [one["fingerprint"] for one in (twice if form == "gitlab" else twice["diagnostics"])]
        assert len(set(prints)) == 3
        assert prints[:2] == [one["fingerprint"] for one in (once if form == "gitlab" else once["diagnostics"])]


def test_junit_has_no_letter_that_xml_lacks() -> None:
    odd = Diagnostic(TWICE, Span(SOURCE, 27, 30), "odd: \x00 \ud800 \uffff \r")
    suite = ElementTree.fromstring(render("junit", [odd], COUNTS, SUMMARY))[0]
    failure = suite[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "odd: \ufffd \ufffd \ufffd \ufffd"


def test_junit_has_a_case_for_each_file_and_can_be_read() -> None:
    suite = ElementTree.fromstring(rendered("junit"))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failure = suite[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "100 % the same, as\ufffd before"
    passed = ElementTree.fromstring(render("junit", FOUND[1:], COUNTS, SUMMARY))[0]
    assert (passed.get("failures"), passed[-1].get("name")) == ("0", SUMMARY)


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def test_several_forms_are_written_at_once(cli: CommandLine, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("variant: v\ngaem: splendor\n", encoding="utf-8")
    sarif, junit = tmp_path / "report.sarif", tmp_path / "report.xml"
    files = ["--format", f"sarif={sarif}", "--format", f"junit={junit}"]
    assert cli("check", str(broken), *files) == 1
    assert cli.out.startswith("checked 1 variant: ")
    assert json.loads(sarif.read_text(encoding="utf-8"))["runs"][0]["results"]
    ElementTree.parse(junit)
    assert cli("check", str(broken), *files, "--format", "github") == 1  # the files are written anew
    assert cli.out.startswith("::error file=")


def test_programs_get_paths_from_the_current_folder(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the file was named: they look for it in the project that they know."""
    path = tmp_path / "my rules" / "broken.yaml"
    path.parent.mkdir()
    path.write_text("variant: v\ngaem: splendor\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for form, said in (
        ("gitlab", '"path": "my rules/broken.yaml"'),
        ("sarif", '"uri": "my%20rules/broken.yaml"'),
        ("github", "file=my rules/broken.yaml,"),
    ):
        assert cli("check", str(path), "--format", form) == 1
        assert said in cli.out


@pytest.mark.parametrize(("variable", "form"), [("GITHUB_WORKSPACE", "github"), ("CI_PROJECT_DIR", "gitlab")])
def test_runners_get_paths_from_the_folder_of_the_project(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, form: str
) -> None:
    """A job may work in a folder below it; what lies elsewhere is called as before."""
    (tmp_path / "project" / "game").mkdir(parents=True)
    for folder in ("project/game", "."):
        (tmp_path / folder / "wrong.yaml").write_text("game: wrong\n", encoding="utf-8")
    monkeypatch.setenv(variable, str(tmp_path / "project"))
    monkeypatch.chdir(tmp_path / "project" / "game")
    for name, shown in (("wrong.yaml", "game/wrong.yaml"), ("../../wrong.yaml", "../../wrong.yaml")):
        assert cli("check", name, "--format", form) == 1
        assert (f"file={shown}," in cli.out) or (f'"path": "{shown}"' in cli.out)


def test_json_says_what_could_be_there(cli: CommandLine, tmp_path: Path) -> None:
    """With how many there are, of which only the first are listed: in the help, and in the data."""
    game = EXAMPLE_GAME.read_text(encoding="utf-8")
    path = tmp_path / "chips.yaml"
    wrong = game.replace("count(bank)", "count(nothing_of_the_sort)").replace(
        "bank(colour) > 0", "nothing_of_the_sort > 0"
    )
    path.write_text(wrong, encoding="utf-8")
    assert cli("check", str(path), "--format", "json", "--play", "0") == 1
    few = next(one for one in json.loads(cli.out)["diagnostics"] if one["name"] == "unknown-name")
    assert few["expected_count"] == len(few["expected"]) > 4
    parameters = "".join(f"  number_{number}: {{value: 1, type: 1 to 9}}\n" for number in range(150))
    path.write_text(wrong.replace("parameters:\n", f"parameters:\n{parameters}"), encoding="utf-8")
    assert cli("check", str(path), "--format", "json", "--play", "0") == 1
    many = next(one for one in json.loads(cli.out)["diagnostics"] if one["name"] == "unknown-name")
    assert len(many["expected"]) == 100 < many["expected_count"]
    assert f"({many['expected_count']} in all)" in many["help"]


@pytest.mark.parametrize(
    ("forms", "said"),
    [
        (["json", "sarif"], "only one --format can be printed"),
        (["sarf"], "invalid choice: `sarf` (choose from full, short, json, github, sarif, gitlab, junit)"),
        (["sarif="], "no file is named after `sarif=`"),
        (["json=report", "gitlab=report"], "only one --format can be written to report"),
        (["short", "json=rules.yaml"], "rules.yaml is named like a rule file, which a report would replace"),
        (["sarif=no/such/folder/x"], "cannot write no/such/folder/x"),
    ],
)
def test_wrong_use_is_reported(cli: CommandLine, forms: list[str], said: str) -> None:
    assert cli("check", str(find_game("nim")), *[word for form in forms for word in ("--format", form)]) == 2
    assert said in cli.err
