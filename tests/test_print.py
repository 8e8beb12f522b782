"""Rulebooks and diagrams as PDF and PNG: what is on the pages, and what is said where the library for it is missing."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from command_line import CommandLine
from rulewright.cli import pdf

pytestmark = pytest.mark.slow

MARGIN = 0.06  # of the width of a page, left and right
FOOT = 0.93  # of its height; the number of the page is below
LEAST_FILLED = 0.6  # of its height, on every page but the last
WHITE = 250


def pages(path: Path) -> list[Any]:
    """The pages of a PDF as grey pictures."""
    pytest.importorskip("weasyprint")
    pdfium = pytest.importorskip("pypdfium2")
    with pdfium.PdfDocument(path) as document:
        return [page.render(scale=0.5).to_pil().convert("L") for page in document]


def inked(picture: Any) -> tuple[float, float, float, float]:
    """The left, upper, right and lower end of what is on a page, as parts of its size."""
    width, height = picture.size
    body = picture.crop((0, 0, width, round(FOOT * height)))
    left, upper, right, lower = body.point(lambda grey: 255 if grey < WHITE else 0).getbbox()
    return left / width, upper / height, right / width, lower / height


@pytest.mark.parametrize(
    "words", [("splendor",), ("splendor", "--lang", "fr", "--appendix"), ("wrack-line",), ("tic-tac-toe",)]
)
def test_pages_of_a_book_are_full_and_nothing_is_cut_off(
    words: tuple[str, ...], run_cli: CommandLine, tmp_path: Path
) -> None:
    pytest.importorskip("weasyprint")
    path = tmp_path / "rules.pdf"
    assert run_cli("rulebook", *words, "-o", str(path)) == 0
    bounds = [inked(page) for page in pages(path)]
    assert len(bounds) > 3
    for number, (left, _, right, lower) in enumerate(bounds, start=1):
        assert left > MARGIN, number
        assert right < 1 - MARGIN, number
        assert lower > LEAST_FILLED or number == len(bounds), number


@pytest.mark.parametrize("show", ["turn", "moves"])
def test_a_diagram_is_one_page_of_its_size(show: str, run_cli: CommandLine, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint")
    path = tmp_path / "turn.pdf"
    assert run_cli("graph", "--show", show, "-o", str(path)) == 0
    (page,) = pages(path)
    left, upper, right, _ = inked(page)
    assert 0 < left < 0.1
    assert 0 < upper < 0.1
    assert 0.8 < right < 1


def test_a_diagram_as_png_is_sharp(run_cli: CommandLine, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint")
    from PIL import Image

    path = tmp_path / "turn.png"
    assert run_cli("graph", "nim", "-o", str(path)) == 0
    assert run_cli("graph", "nim", "--format", "svg") == 0
    width = int(pdf.SVG_SIZE.search(run_cli.out)[1])  # type: ignore[index]
    with Image.open(path) as image:
        assert image.format == "PNG"
        assert abs(image.width - 2 * width) <= 2
    assert run_cli("graph", "nim", "-o", str(path)) == 2
    assert "already exists" in run_cli.err
    assert run_cli("graph", "nim", "-o", str(path), "--force") == 0


@pytest.mark.parametrize("words", [("rulebook", "-o", "a.pdf"), ("graph", "-o", "a.pdf"), ("graph", "-o", "a.PNG")])
@pytest.mark.parametrize("missing", ["weasyprint", "pypdfium2"])
def test_without_the_library_the_message_says_how_to_get_it(
    words: tuple[str, ...], missing: str, run_cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "weasyprint", ModuleType("weasyprint"))
    monkeypatch.setitem(sys.modules, "pypdfium2", ModuleType("pypdfium2"))
    monkeypatch.setitem(sys.modules, missing, None)  # type: ignore[arg-type]
    assert run_cli(*words) == 2
    kind = "PNG" if "PNG" in words[-1] else "PDF"
    assert run_cli.err == f"rulewright: {kind} needs weasyprint and pypdfium2: pip install 'rulewright[print]'\n"
    assert list(tmp_path.iterdir()) == []


def test_without_pango_the_message_says_so(
    run_cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> ModuleType:
        print("WeasyPrint could not import some external libraries.")
        raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.setattr(pdf, "import_module", fail)
    assert run_cli("rulebook", "-o", str(tmp_path / "a.pdf")) == 2
    assert run_cli.out == ""
    assert run_cli.err.startswith("rulewright: PDF needs Pango")
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_is_not_sent_a_pdf(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("weasyprint")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert run_cli("graph", "nim", "--format", "pdf") == 2
    assert run_cli.err == "rulewright: a terminal cannot show this format: write a file with -o FILE\n"


def test_the_same_page_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("weasyprint")
    page = "<!DOCTYPE html><title>A</title><p>Some letters</p>"
    first = pdf.html_to_pdf(page)
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    assert pdf.html_to_pdf(page) == first
