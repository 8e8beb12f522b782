"""Every fault in the shape of a file, or in how a game's files fit together, is found on its line, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_files import case_files, codes_in, compare, compare_folder, covered
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document import codes as document_codes
from rulewright.document.document_reader import load_document
from rulewright.document.schema_check import check_file_schema
from rulewright.source import codes
from rulewright.source.reader import parse_file
from rulewright.variants import codes as variant_codes

FOLDER = Path(__file__).parent / "diagnostics" / "shape"
GAMES = sorted(path for path in FOLDER.iterdir() if path.is_dir())


@pytest.mark.parametrize("path", case_files(FOLDER), ids=lambda path: path.stem)
def test_one_file(path: Path) -> None:
    diagnostics = Diagnostics()
    node = parse_file(path, diagnostics)
    assert node is not None
    if check_file_schema(node, diagnostics) == "game" and not diagnostics.error_count:
        load_document(path, diagnostics)
    assert compare(path, diagnostics) == []
    for one in diagnostics:
        assert render_full(one)
        assert not one.message.endswith(".")


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_files_of_a_game(folder: Path) -> None:
    diagnostics = Diagnostics()
    load_document(folder, diagnostics)
    assert compare_folder(folder, diagnostics) == []


def test_every_code_has_a_case() -> None:
    here = {code.name for code in codes_in(document_codes)}
    assert here - covered(FOLDER) == set()


def test_codes_are_distinct() -> None:
    known = [*codes_in(codes), *codes_in(document_codes), *codes_in(variant_codes)]
    assert len({code.name for code in known}) == len({code.number for code in known}) == len(known)
    assert {code.number[0] for code in codes_in(document_codes)} == {"S", "N"}
    assert {code.number[0] for code in codes_in(variant_codes)} == {"O"}
