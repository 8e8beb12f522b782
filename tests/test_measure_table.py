"""What the benchmark says of numbers that were measured: medians, ratios, what is not as it should be, a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.measure_table import (
    MeasuredRow,
    MeasureTable,
    draw_growth,
    measure_data,
    measure_lines,
    ratio_row,
)

SLOW, FAST = {"one": [1.0, 2.0, 9.0]}, {"one": [4.0, 4.0, 9.0], "two": [1.0, 1.0, 1.0]}


def test_ratios_are_those_of_the_same_round() -> None:
    row = ratio_row("fast / slow", FAST, SLOW, {"one": 3.0})
    assert row.values == {"one": [4.0, 2.0, 1.0]}
    assert row.missed() == ["fast / slow: one 2, and should be 3 or more"]
    assert ratio_row("fast / slow", FAST, SLOW, {"one": 2.0}).missed() == []


def test_medians_are_held_against_both_bounds() -> None:
    assert MeasuredRow("ms", SLOW, at_most={"one": 2.0, "none": 0.0}).missed() == []
    assert MeasuredRow("ms", SLOW, at_most={"one": 1.5}).missed() == ["ms: one 2, and should be 1.5 or less"]
    assert MeasuredRow("ms", SLOW, at_least={"one": 2.0}).missed() == []


def test_a_table_has_a_row_for_each_thing_and_a_column_for_each_engine() -> None:
    rows = [MeasuredRow("slow", SLOW, at_most={"one": 1.0}), MeasuredRow("fast", {"two": [1234.5]})]
    table = MeasureTable("step", "steps", rows, {"three": "it is gone"})
    lines = list(measure_lines(table))
    assert [line.split() for line in lines[1:4]] == [["one", "two"], ["slow", "2", "-"], ["fast", "-", "1,234"]]
    assert lines[4:] == ["  without three: it is gone", "  missed: slow: one 2, and should be 1 or less"]
    data = measure_data(table)
    assert data["rows"] == [
        {"text": "slow", "values": {"one": {"median": 2.0, "by_round": [1.0, 2.0, 9.0]}}},
        {"text": "fast", "values": {"two": {"median": 1234.5, "by_round": [1234.5]}}},
    ]
    assert data["missed"] == table.missed()


def test_growth_is_drawn_with_and_without_an_engine(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = [
        MeasuredRow("cards 10", FAST, group="cards", size=10),
        MeasuredRow("cards 20", SLOW, group="cards", size=20),
        MeasuredRow("cards 20, of the first", SLOW),
        MeasuredRow("hand 1", FAST, group="hand", size=1),
    ]
    draw_growth(MeasureTable("growth", "rules grow", rows, {}), tmp_path / "growth.svg")
    assert "<svg" in (tmp_path / "growth.svg").read_text(encoding="utf-8")
