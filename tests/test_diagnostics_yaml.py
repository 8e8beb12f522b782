"""Every slip of YAML is found on its line, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from case_files import case_files, codes_in, compare, covered
from rulewright.diagnostics import Diagnostics, render_concise, render_full
from rulewright.source import codes, composer
from rulewright.source.reader import parse_file

FOLDER = Path(__file__).parent / "diagnostics" / "yaml"

# these would need a file of megabytes, or none at all: tests/test_reader.py writes it
WRITTEN_BY_TESTS = {"file-too-large", "too-many-nodes", "unreadable-file", "more-complaints"}


@pytest.mark.parametrize("path", case_files(FOLDER), ids=lambda path: path.stem)
def test_diagnostics(path: Path) -> None:
    diagnostics = Diagnostics()
    parse_file(path, diagnostics)
    assert compare(path, diagnostics) == []


@pytest.mark.parametrize("path", case_files(FOLDER), ids=lambda path: path.stem)
def test_both_parsers_give_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, slow = Diagnostics(), Diagnostics()
    node = parse_file(path, fast)
    monkeypatch.setattr(composer, "YAML_PARSER", yaml.SafeLoader)
    other = parse_file(path, slow)
    assert [(str(one.span), one.code.name) for one in slow] == [(str(one.span), one.code.name) for one in fast]
    if not fast:
        assert repr(other) == repr(node)


@pytest.mark.parametrize("path", case_files(FOLDER), ids=lambda path: path.stem)
def test_diagnostics_can_be_drawn(path: Path) -> None:
    diagnostics = Diagnostics()
    parse_file(path, diagnostics)
    for one in diagnostics:
        assert one.message
        assert one.message == one.message.strip()
        assert 0 <= one.span.start <= one.span.end <= max(len(one.span.source.text), one.span.start)
        assert render_concise(one) in f"{render_concise(one)}\n{render_full(one)}"
        render_full(one).encode("utf-8")


def test_every_code_has_a_case() -> None:
    assert {code.name for code in codes_in(codes)} - covered(FOLDER) - WRITTEN_BY_TESTS == set()


def test_codes_are_distinct() -> None:
    known = list(codes_in(codes))
    assert len({code.name for code in known}) == len({code.number for code in known}) == len(known)
    assert all(code.number.startswith("Y") for code in known)
