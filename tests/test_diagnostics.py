"""Complaints can be drawn however long a line is, and however many there are; hints are found among many names."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rulewright import limits
from rulewright.checker.checker import check
from rulewright.diagnostics import (
    MORE_DIAGNOSTICS,
    Code,
    Diagnostics,
    RulesError,
    SourceFile,
    Span,
    render_full,
)
from rulewright.document import codes as document_codes
from rulewright.document.document_reader import load_document
from rulewright.model.loader import load_rules
from rulewright.model.locate import find_game
from rulewright.source import codes
from rulewright.source.reader import parse_file
from rulewright.suggestions import did_you_mean
from rulewright.variants.overlay import apply_variants, load_variant
from work import count_calls

LOOKUP_CALLS = 50_000  # for a hint among 5,000 names: a few for each
CHANGE_CALLS = 700  # for each change of a variant

WRONG = Code("X001", "wrong", "something is wrong")
ODD = Code("X002", "odd", "something is odd", "warning")


def drawn(text: str, start: int, end: int) -> list[str]:
    diagnostics = Diagnostics()
    diagnostics.add(Span(SourceFile("a.yaml", text), start, end), WRONG, "this is wrong", label="here")
    (one,) = diagnostics
    return render_full(one).splitlines()[3:5]


# ---- long lines
@pytest.mark.parametrize("at", [0, 5, 80, 159, 160, 161, 400, 990, 999])
def test_a_long_line_is_cut_around_the_spot(at: int) -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(1000))
    line, carets = drawn(text, at, at + 1)
    assert len(line) < 180
    assert line[carets.index("^")] == text[at]
    assert carets.endswith("^ here")
    assert line.startswith("1 | …") == (at > 60)
    assert line.endswith("…") == (at < 900)


def test_what_is_marked_ends_with_what_is_shown() -> None:
    line, carets = drawn("x" * 1000, 500, 1000)
    assert len(carets.removesuffix(" here")) == len(line.removesuffix("…"))


def test_a_line_of_common_length_is_whole() -> None:
    line, carets = drawn("x" * 160, 150, 160)
    assert line == "1 | " + "x" * 160
    assert carets == "  | " + " " * 150 + "^" * 10 + " here"


# ---- many diagnostics
def filled(errors: int, warnings: int) -> Diagnostics:
    source, diagnostics = SourceFile("a.yaml", "x" * (errors + warnings)), Diagnostics()
    for at in range(warnings):
        diagnostics.add(Span(source, at, at + 1), ODD, "this is odd")
    for at in range(warnings, warnings + errors):
        diagnostics.add(Span(source, at, at + 1), WRONG, "this is wrong")
    return diagnostics


def test_as_many_as_are_shown() -> None:
    diagnostics = filled(300, limits.MAX_DIAGNOSTICS - 300)
    assert len(list(diagnostics)) == len(diagnostics) == limits.MAX_DIAGNOSTICS
    assert diagnostics.error_count == 300


def test_the_rest_is_counted() -> None:
    diagnostics = filled(limits.MAX_DIAGNOSTICS + 20, 40)
    *shown, last = diagnostics
    assert len(shown) == limits.MAX_DIAGNOSTICS
    assert {one.code for one in shown} == {WRONG}
    assert (last.code, last.message) == (MORE_DIAGNOSTICS, "60 more problems not shown")
    assert (len(diagnostics), diagnostics.error_count) == (limits.MAX_DIAGNOSTICS + 60, limits.MAX_DIAGNOSTICS + 20)


def test_an_error_is_not_hidden_by_warnings() -> None:
    diagnostics = filled(1, limits.MAX_DIAGNOSTICS + 1)
    assert [one.code for one in diagnostics].count(WRONG) == diagnostics.error_count == 1


def test_the_same_is_counted_once() -> None:
    diagnostics = filled(limits.MAX_DIAGNOSTICS + 20, 0)
    diagnostics.extend(filled(limits.MAX_DIAGNOSTICS + 20, 0))
    diagnostics.extend(list(diagnostics))
    assert len(diagnostics) == diagnostics.error_count == limits.MAX_DIAGNOSTICS + 20


def test_what_is_taken_over_is_counted_too() -> None:
    diagnostics = Diagnostics()
    diagnostics.extend(filled(limits.MAX_DIAGNOSTICS + 20, 3))
    assert (len(diagnostics), diagnostics.error_count) == (limits.MAX_DIAGNOSTICS + 23, limits.MAX_DIAGNOSTICS + 20)


def test_what_is_changed_on_the_way_is_counted_too() -> None:
    diagnostics = Diagnostics()
    diagnostics.merge(filled(limits.MAX_DIAGNOSTICS + 20, 3), lambda one: replace(one, message="this is wrong too"))
    assert (len(diagnostics), diagnostics.error_count) == (limits.MAX_DIAGNOSTICS + 23, limits.MAX_DIAGNOSTICS + 20)
    assert [one.message for one in diagnostics][-2:] == ["this is wrong too", "23 more problems not shown"]


def variant_with_faults(count: int, path: Path) -> Path:
    """A variant of `nim` that gives it so many measures and values with a fault in each."""
    sections = ("measures", "values")
    lines = [f"  {sections[number % 2]}.m_{number}: heps_{number} + 1\n" for number in range(count)]
    path.write_text("variant: many\nfor: nim\nadd:\n" + "".join(lines), encoding="utf-8")
    return path


@pytest.mark.slow
def test_what_is_not_shown_is_reported_once_of_a_game_with_a_variant(tmp_path: Path) -> None:
    path = variant_with_faults(limits.MAX_DIAGNOSTICS + 20, tmp_path / "many.yaml")
    with pytest.raises(RulesError) as raised:
        load_rules("nim", variants=[str(path)])
    *_, last = shown = list(raised.value.diagnostics)
    assert [one.code for one in shown].count(MORE_DIAGNOSTICS) == 1
    assert (last.code, last.message) == (MORE_DIAGNOSTICS, "20 more problems not shown")
    assert [one.message for one in check([path], game="nim") if one.code is MORE_DIAGNOSTICS] == [last.message]


# ---- hints
def test_hints_are_looked_for_only_where_they_are_shown() -> None:
    source, diagnostics = SourceFile("a.yaml", "x" * 3000), Diagnostics()
    looked: list[int] = []

    def hint(at: int) -> str:
        looked.append(at)
        return f"hint {at}"

    for at in range(3000):
        diagnostics.add(Span(source, at, at + 1), WRONG, "this is wrong", help=partial(hint, at))
        diagnostics.add(Span(source, at, at + 1), WRONG, "this is wrong", help=partial(hint, at))
    assert looked == list(range(limits.MAX_SEARCHED_HINTS))
    assert [one.help for one in diagnostics][: limits.MAX_SEARCHED_HINTS] == [f"hint {at}" for at in looked]


def test_hints_among_many_names() -> None:
    names = [f"tile_{number}_of_{number % 7}" for number in range(5000)]
    assert did_you_mean("tile_123_fo_4", names) == "did you mean `tile_123_of_4`?"
    assert did_you_mean("itle_123_of_4", names) == "did you mean `tile_123_of_4`?"
    assert did_you_mean("weather", names) == ""
    assert did_you_mean("15", ["1", "5", "14"]) == ""  # one number is no slip for another
    assert did_you_mean("trea", ["true", "tree"]) == "did you mean `tree`?"  # fewer letters differ


def test_hints_among_many_names_are_found_fast() -> None:
    names = [f"{chr(97 + number % 26)}{number * 7919 % 100000}_tile" for number in range(5000)]
    assert count_calls(lambda: [did_you_mean(f"q{number}_tile_x", names) for number in range(10)]) < 10 * LOOKUP_CALLS


# ---- files and variants out of all measure
@pytest.mark.parametrize("sort", ["directory", "pipe"])
def test_what_is_no_file_is_not_read(tmp_path: Path, sort: str) -> None:
    path = tmp_path / "odd.yaml"
    if sort == "directory":
        path.mkdir()
    elif hasattr(os, "mkfifo"):
        os.mkfifo(path)
    else:
        pytest.skip("there are no pipes in folders here")
    diagnostics = Diagnostics()
    assert parse_file(path, diagnostics) is None
    assert [one.code for one in diagnostics] == [codes.UNREADABLE_FILE]


def variant_of(count: int, path: Path) -> Path:
    sections = ("parameters", "measures", "values")
    lines = [f"  {sections[number % 3]}.p_{number}: {number}\n" for number in range(count)]
    path.write_text("variant: many\nfor: nim\nadd:\n" + "".join(lines), encoding="utf-8")
    return path


@pytest.mark.slow
def test_many_changes_are_applied_fast(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    document = load_document(find_game("nim"), diagnostics)
    variant = load_variant(variant_of(3 * limits.MAX_SECTION_ENTRIES - 100, tmp_path / "many.yaml"), diagnostics)
    assert document is not None
    assert variant is not None
    assert count_calls(lambda: apply_variants(document, [variant], diagnostics)) < len(variant.changes) * CHANGE_CALLS
    assert not len(diagnostics)


def test_more_changes_are_refused(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert load_variant(variant_of(limits.MAX_VARIANT_CHANGES + 1, tmp_path / "many.yaml"), diagnostics) is None
    (one,) = diagnostics
    assert (one.code, one.span.line) == (document_codes.OUT_OF_RANGE, limits.MAX_VARIANT_CHANGES + 4)
