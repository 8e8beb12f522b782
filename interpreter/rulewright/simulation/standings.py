"""A tournament as tables: who won how much, who came out ahead of whom, and what each bot's games were like.

In: a `Tournament`. Out: lines of text, or of Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.simulation.statistics import Summary
from rulewright.simulation.summary_table import format_percent
from rulewright.simulation.tournaments import Tournament


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table: what its columns are, and rows, the first cell of each being its name."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tournament_tables(found: Tournament, width: int | None = None) -> Iterator[TextTable]:
    """The tables of a tournament; `width`: intervals are left out of a table that is wider with them."""
    bots = found.plan.bots
    yield TextTable(
        ("bot", "games", f"wins (95 %; even: {100 / found.plan.players:.1f})"),
        tuple((one.bot, str(one.games), format_percent(one.wins)) for one in found.standings),
    )
    if len(bots) > 2:
        yield _fitting(
            tuple(
                TextTable(
                    ("ahead of", *bots),
                    tuple((a, *("-" if a == b else cell(found.head_to_head[a, b]) for b in bots)) for a in bots),
                )
                for cell in (format_percent, lambda one: "-" if one is None else f"{100 * one.mean:.1f} %")
            ),
            width,
        )
    if found.standings[0].measures:
        yield _fitting(
            tuple(
                TextTable(
                    ("mean", *bots),
                    tuple(
                        (name.replace("_", " "), *(cell(one.measures[name]) for one in found.standings))
                        for name in found.standings[0].measures
                    ),
                )
                for cell in (_mean, _bare)
            ),
            width,
        )


def _mean(found: Summary | None) -> str:
    if found is None or found.interval is None:
        return _bare(found)
    return f"{found.mean:.2f} ± {(found.interval[1] - found.interval[0]) / 2:.2f}"


def _bare(found: Summary | None) -> str:
    return "-" if found is None else f"{found.mean:.2f}"


def _fitting(forms: Sequence[TextTable], width: int | None) -> TextTable:
    return next((one for one in forms if width is None or max(map(len, table_text(one))) <= width), forms[-1])


def table_text(grid: TextTable) -> list[str]:
    """The table in columns."""
    widths = [max(map(len, column)) for column in zip(grid.header, *grid.rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (grid.header, *grid.rows)
    ]


def table_markdown(grid: TextTable) -> list[str]:
    """The table in Markdown."""
    rows = [grid.header, ("---",) * len(grid.header), *grid.rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]


__all__ = ["TextTable", "table_markdown", "table_text", "tournament_tables"]
