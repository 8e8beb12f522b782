"""Every fault in the meaning of rules is found on its line, and nothing else is, for every number of players."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_files import case_files, codes_in, compare, compare_folder, covered
from rulewright.checker.common import lint_codes
from rulewright.checker.lint import build_and_lint
from rulewright.checker.texts.statement_references import check_statements
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document.document_reader import load_document
from rulewright.document.unread_files import read_explanations
from rulewright.model import codes
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import build_composition, compose_document, compose_game

FOLDER = Path(__file__).parent / "diagnostics" / "model"
GAMES = sorted(path for path in FOLDER.iterdir() if path.is_dir() and path.name != "sound")
ASKED_FOR = {
    "players",  # no file is wrong: somebody asks for a number of players that there is not
    "breaks-rules",  # two files, each right by itself
}


def diagnostics_of(path: Path) -> Diagnostics:
    """What is said of a game, with each number of players that it allows; what is said of several is said once."""
    diagnostics = Diagnostics()
    document = load_document(path, diagnostics)
    assert document is not None, "\n".join(map(render_full, diagnostics))
    document = read_explanations(document, diagnostics)
    assert document is not None
    check_statements(document, diagnostics)
    fewest, most = player_counts(document)
    for players in range(fewest, most + 1):
        resolved = compose_document(document, players, (), diagnostics)
        assert resolved is not None
        found = Diagnostics()
        rules = build_composition(resolved, found, build=build_and_lint)
        assert (rules is None) == bool(found.error_count)
        diagnostics.extend(found)
    return diagnostics


@pytest.mark.parametrize("path", case_files(FOLDER), ids=lambda path: path.stem)
def test_one_file(path: Path) -> None:
    diagnostics = diagnostics_of(path)
    assert compare(path, diagnostics) == []
    for one in diagnostics:
        assert render_full(one)
        assert not one.message.endswith(".")


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_files_of_a_game(folder: Path) -> None:
    assert compare_folder(folder, diagnostics_of(folder)) == []


def test_a_number_of_players_that_there_is_not() -> None:
    diagnostics = Diagnostics()
    assert compose_game(str(FOLDER / "unused.yaml"), 5, (), diagnostics) is None
    (one,) = diagnostics
    assert (one.code, one.span.line, one.message) == (codes.PLAYERS, 6, "chips is for 2 players, not for 5")


VARIANT = """# yaml-language-server: $schema=../../../schemas/variant.schema.json
variant: no-bank
for: chips
text: There is no purse.
remove:
  - zones.purse
"""


def test_a_variant_that_breaks_the_rules_is_reported_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "no-bank.yaml"
    path.write_text(VARIANT, encoding="utf-8")
    diagnostics = Diagnostics()
    document = load_document(FOLDER / "sound" / "chips.yaml", diagnostics)
    assert document is not None
    resolved = compose_document(document, 2, [str(path)], diagnostics)
    assert resolved is not None
    assert build_composition(resolved, diagnostics) is None
    (one,) = diagnostics
    assert (one.code, one.span.source.path, one.span.line) == (codes.REMOVED_BUT_USED, path.as_posix(), 6)
    assert any(other.span.source.path.endswith("chips.yaml") for other in one.related)


def test_what_needs_a_turn_is_shown_where_it_stands() -> None:
    text = (FOLDER / "needs-a-turn.yaml").read_text(encoding="utf-8").splitlines()
    for one in diagnostics_of(FOLDER / "needs-a-turn.yaml"):
        if "this speaks of" in one.message:
            (where,) = one.related
            assert text[where.span.line - 1][where.span.column - 1 :].startswith("me)"), render_full(one)
            assert where.note.startswith("`me`: the player in turn")


OTHER_BANK = """# yaml-language-server: $schema=../../../schemas/variant.schema.json
variant: bare-bank
for: chips
text: The bank is called otherwise.
remove: [zones.bank]
add:
  zones.bink: {holds: colour, seen_by: all, start: 5 of colour}
"""


def test_a_name_that_a_variant_removes_is_likened_to_no_other(tmp_path: Path) -> None:
    path = tmp_path / "bare-bank.yaml"
    path.write_text(OTHER_BANK, encoding="utf-8")
    diagnostics = Diagnostics()
    document = load_document(FOLDER / "sound" / "chips.yaml", diagnostics)
    assert document is not None
    resolved = compose_document(document, 2, [str(path)], diagnostics)
    assert resolved is not None
    assert build_composition(resolved, diagnostics) is None
    shown = [one for one in diagnostics if one.severity == "error"]
    assert [one.code.name for one in shown] == ["removed-but-used"]
    assert not any("bink" in render_full(one) for one in shown)


def test_every_code_has_a_case() -> None:
    here = {code.name for code in (*codes_in(codes), *codes_in(lint_codes))}
    folders = [FOLDER.parent / name for name in ("check", "play", "secrets")]  # `check` lays variants over, and plays
    checked = set[str]().union(*map(covered, folders))
    assert here - covered(FOLDER) - checked - ASKED_FOR == set()
