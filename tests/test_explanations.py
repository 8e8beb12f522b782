"""Files that only explain the rules are read by those who ask for what is in them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from command_line import CommandLine
from rulewright import check
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.document.document_reader import load_document
from rulewright.document.unread_files import read_explanations
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
from rulewright.model.rules import Rules
from rulewright.records.rules_snapshot import load_rules_with_snapshot

pytestmark = pytest.mark.slow

RULES = Path(__file__).parent.parent / "rules"
EXPLAINING = {"sources": "sources.yaml", "statements": "statements.yaml", "book": "book.yaml"}
BROKEN = "{this is: [no yaml"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of a shipped game that has a file of each kind."""
    return Path(shutil.copytree(RULES / "splendor", tmp_path / "splendor"))


def break_file(game: Path, name: str) -> None:
    """Leaves the file's first lines, by which its kind is known, and makes the rest unreadable."""
    path = game / name
    head = [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]
    path.write_text("\n".join([*head[:-1], head[-1].partition(":")[0] + ": " + BROKEN]), encoding="utf-8")


def passages(rules: Rules) -> set[str]:
    return {passage.name for passage in rules.explanations.book().passages}


def test_who_only_plays_reads_none_of_them(game: Path) -> None:
    for name in EXPLAINING.values():
        break_file(game, name)
    engine = ReferenceEngine(load_rules(str(game), players=2))
    state = engine.start(seed=1)
    assert engine.legal(state)
    assert any(note.source for note in engine.rules.provenance.values())


@pytest.mark.parametrize("kind", EXPLAINING)
def test_the_checker_reads_all_of_them(game: Path, kind: str) -> None:
    break_file(game, EXPLAINING[kind])
    assert {diagnostic.span.source.path.rpartition("/")[2] for diagnostic in check([game])} == {EXPLAINING[kind]}


def test_who_asks_for_one_is_told_what_is_wrong_with_it(game: Path) -> None:
    whole = load_rules("splendor", players=2).explanations
    break_file(game, "book.yaml")
    rules = load_rules(str(game), players=2)
    assert rules.explanations.works() == whole.works()
    for ask in (rules.explanations.book, rules.explanations.text_digest):
        with pytest.raises(RulesError, match=r"book\.yaml"):
            ask()
    break_file(game, "sources.yaml")
    with pytest.raises(RulesError, match=r"sources\.yaml"):
        load_rules(str(game), players=2).explanations.works()


def test_a_record_holds_what_was_not_read_for_the_rules(game: Path) -> None:
    rules, snapshot = load_rules_with_snapshot(str(game), players=2)
    assert isinstance(snapshot["root"], dict)
    assert list(snapshot["root"]["book"]) == [passage.name for passage in rules.explanations.book().passages]
    assert isinstance(snapshot["sources"], dict)
    break_file(game, "book.yaml")
    with pytest.raises(RulesError, match=r"book\.yaml"):
        load_rules_with_snapshot(str(game), players=2)


def test_a_variant_may_change_a_passage_of_a_file_that_play_does_not_read(game: Path) -> None:
    name = sorted(passages(load_rules(str(game), players=2)))[0]
    variant = game.parent / "brief.yaml"
    variant.write_text(f"variant: brief\nfor: splendor\ntext: Brief\nremove: [book.{name}]\n", encoding="utf-8")
    plain, brief = load_rules(str(game), players=2), load_rules(str(game), players=2, variants=[str(variant)])
    assert passages(plain) - passages(brief) == {name}
    assert plain.text_digest != brief.text_digest
    assert plain.digest == brief.digest


def test_what_a_look_does_not_recognise_is_read_with_the_rules(game: Path) -> None:
    """A file of sources under a quoted key, a book beside another section: nothing is lost, nothing counts twice."""
    whole = load_rules("splendor", players=2)
    sources, book, bots = game / "sources.yaml", game / "book.yaml", game / "bots.yaml"
    sources.write_text(sources.read_text(encoding="utf-8").replace("sources:", '"sources":', 1), encoding="utf-8")
    sections = book.read_text(encoding="utf-8").partition("\nbook:")[2]
    bots.write_text(f"{bots.read_text(encoding='utf-8')}\nbook:{sections}", encoding="utf-8")
    book.unlink()
    manifest = game / "game.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("  - book.yaml\n", "", 1), encoding="utf-8")
    rules = load_rules(str(game), players=2)
    assert rules.digest == whole.digest
    assert passages(rules) == passages(whole)
    assert rules.explanations.works() == whole.explanations.works()
    assert not len(check([game]))


def test_a_passage_in_two_files_is_reported(game: Path) -> None:
    bots = game / "bots.yaml"
    again = "book: {merchants: {at: idea, text: Again.}}"
    bots.write_text(f"{bots.read_text(encoding='utf-8')}\n{again}\n", encoding="utf-8")
    assert "duplicate `merchants` in `book`" in {diagnostic.message for diagnostic in check([game])}


def test_what_is_read_later_comes_where_the_manifest_lists_it(game: Path) -> None:
    diagnostics = Diagnostics()
    document = load_document(game, diagnostics)
    assert document is not None
    assert "book" not in document.root
    whole = read_explanations(document, diagnostics)
    assert whole is not None
    keys = list(whole.root.keys())
    assert keys.index("book") == keys.index(document.unread[0].after) + 1
    assert [file.kind for file in whole.unread] == ["statements"]
    assert not len(diagnostics)


def test_a_reason_stands_when_the_list_of_works_is_broken(game: Path, run_cli: CommandLine) -> None:
    question = ("why", str(game), "take W W", "--players", "4", "--player", "2")
    assert run_cli(*question) == 1
    assert "Splendor, rulebook" in run_cli.out
    break_file(game, "sources.yaml")
    assert run_cli(*question) == 1
    assert "rulebook: " in run_cli.out
    assert "Splendor, rulebook" not in run_cli.out


def test_a_passage_is_shown_and_what_a_variant_does_to_it(run_cli: CommandLine) -> None:
    assert run_cli("show", "book.esteem", "--lang", "en") == 0
    assert "Esteem is counted in prestige points." in run_cli.out
    assert run_cli("variants", "--variant", "solo", "--json") == 0
    (solo,) = run_cli.json()["variants"]
    assert any(change["before"] and change["address"] == "book.esteem.text" for change in solo["changes"])
