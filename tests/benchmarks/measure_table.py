"""What a measure found, other than rates beside yardsticks: a row for each thing, a column for each engine.

In: numbers by round. Out: lines, data for JSON, a picture. Of several rounds the median counts; a ratio is the median
of the ratios of the rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Final

TEXT_WIDTH: Final = 44
COLUMN_WIDTH: Final = 14
PANELS_IN_ROW: Final = 3


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One thing. `values`: by engine the number of each round; `at_least`, `at_most`: what they should be, by engine;
    `group`, `size`: of rows that show how something grows, what grows, and how far.
    """

    text: str
    values: Mapping[str, Sequence[float]]
    at_least: Mapping[str, float] = field(default_factory=dict)
    at_most: Mapping[str, float] = field(default_factory=dict)
    group: str = ""
    size: int = 0

    def missed(self) -> list[str]:
        """What is not as it should be, each in words."""
        found = []
        for name, values in self.values.items():
            number = median(values)
            if number < self.at_least.get(name, number):
                found.append(f"{self.text}: {name} {_format(number)}, and should be {self.at_least[name]:g} or more")
            if number > self.at_most.get(name, number):
                found.append(f"{self.text}: {name} {_format(number)}, and should be {self.at_most[name]:g} or less")
        return found


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """One measure. `missing`: what could not be measured, and why."""

    name: str
    text: str
    rows: Sequence[MeasuredRow]
    missing: Mapping[str, str]

    def missed(self) -> list[str]:
        """What is not as it should be, each in words."""
        return [text for row in self.rows for text in row.missed()]


def ratio_row(
    text: str,
    above: Mapping[str, Sequence[float]],
    below: Mapping[str, Sequence[float]],
    at_least: Mapping[str, float] | None = None,
) -> MeasuredRow:
    """The row of ratios, round by round, of those that both have."""
    ratios = {
        name: [a / b for a, b in zip(values, below[name], strict=True)]
        for name, values in above.items()
        if name in below
    }
    return MeasuredRow(text, ratios, at_least or {})


def measure_lines(table: MeasureTable) -> Iterator[str]:
    """The table as it is printed."""
    names = list(dict.fromkeys(name for row in table.rows for name in row.values))
    yield f"{table.name}: {table.text}"
    yield f"  {'':<{TEXT_WIDTH}}" + "".join(f"{name:>{COLUMN_WIDTH}}" for name in names)
    for row in table.rows:
        cells = (
            f"{_format(median(row.values[name])) if name in row.values else '-':>{COLUMN_WIDTH}}" for name in names
        )
        yield f"  {row.text:<{TEXT_WIDTH}}" + "".join(cells)
    yield from (f"  without {name}: {reason}" for name, reason in table.missing.items())
    yield from (f"  missed: {text}" for text in table.missed())


def _format(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def measure_data(table: MeasureTable) -> dict[str, object]:
    """The same for JSON."""
    return {
        "measure": table.name,
        "rows": [
            {
                "text": row.text,
                **({"group": row.group, "size": row.size} if row.group else {}),
                "values": {name: {"median": median(own), "by_round": list(own)} for name, own in row.values.items()},
            }
            for row in table.rows
        ],
        "missing": dict(table.missing),
        "missed": table.missed(),
    }


def draw_growth(table: MeasureTable, path: Path) -> None:
    """A panel for each thing that grows, a line for each engine: what is left of its rate at the smallest size."""
    from matplotlib.figure import Figure

    grown = [row for row in table.rows if row.group]
    groups = [(group, list(rows)) for group, rows in groupby(grown, key=lambda row: row.group)]
    across = min(PANELS_IN_ROW, max(1, len(groups)))
    down = -(-max(1, len(groups)) // across)
    figure = Figure(figsize=(4 * across, 3 * down), layout="constrained")
    for place, (group, rows) in enumerate(groups, start=1):
        axes = figure.add_subplot(down, across, place)
        for name in dict.fromkeys(name for row in rows for name in row.values):
            points = [(row.size, median(row.values[name])) for row in rows if name in row.values]
            axes.plot([size for size, _ in points], [rate / points[0][1] for _, rate in points], "o-", label=name)
        axes.set_title(group)
        axes.set_xticks(list(dict.fromkeys(row.size for row in rows)))
        axes.set_ylim(0, 1.2)
        axes.set_ylabel("of the first rate")
        axes.legend(loc="lower left")
    figure.savefig(path)


__all__ = ["MeasureTable", "MeasuredRow", "draw_growth", "measure_data", "measure_lines", "ratio_row"]
