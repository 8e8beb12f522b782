"""Every fault in the shape of a file, or in how a game's files fit together, is found on its line, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_files import case_files, codes_in, compare, compare_folder, covered
from rulewright.diagnostics import Report, draw
from rulewright.document import codes as document_codes
from rulewright.document.document import load_game
from rulewright.document.schema_check import check_shape
from rulewright.source import codes
from rulewright.source.reader import load

FOLDER = Path(__file__).parent / "complaints" / "shape"
GAMES = sorted(path for path in FOLDER.iterdir() if path.is_dir())


@pytest.mark.parametrize("path", case_files(FOLDER), ids=lambda path: path.stem)
def test_one_file(path: Path) -> None:
    report = Report()
    node = load(path, report)
    assert node is not None
    if check_shape(node, report) == "game" and not report.errors:
        load_game(path, report)
    assert compare(path, report) == []
    for one in report:
        assert draw(one)
        assert not one.message.endswith(".")


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_files_of_a_game(folder: Path) -> None:
    report = Report()
    load_game(folder, report)
    assert compare_folder(folder, report) == []


def test_every_code_has_a_case() -> None:
    here = {code.name for code in codes_in(document_codes) if code.number[0] in "SN"}
    assert here - covered(FOLDER) == set()


def test_codes_are_distinct() -> None:
    known = [*codes_in(codes), *codes_in(document_codes)]
    assert len({code.name for code in known}) == len({code.number for code in known}) == len(known)
    assert {code.number[0] for code in codes_in(document_codes)} == {"S", "N", "O"}
