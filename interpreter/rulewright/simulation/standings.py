"""A tournament as tables: who won how much, who came out ahead of whom, and what each bot's games were like.

In: a `Tournament`. Out: lines of text, or of Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.frozen import frozen
from rulewright.simulation.statistics import Summary
from rulewright.simulation.summary_table import format_percent
from rulewright.simulation.tournaments import Tournament


@frozen
class TextTable:
    """A table: the titles of its columns, and rows, the first cell of each being its name."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tournament_tables(tournament: Tournament, width: int | None = None) -> Iterator[TextTable]:
    """The tables of a tournament; `width`: intervals are left out of a table that is wider with them."""
    bots = tournament.plan.bots
    yield TextTable(
        ("bot", "games", f"wins (95 %; even: {100 / tournament.plan.players:.1f})"),
        tuple((standing.bot, str(standing.games), format_percent(standing.wins)) for standing in tournament.standings),
    )
    if len(bots) > 2:
        yield _widest_fitting(
            tuple(
                TextTable(
                    ("ahead of", *bots),
                    tuple((a, *("-" if a == b else cell(tournament.head_to_head[a, b]) for b in bots)) for a in bots),
                )
                for cell in (format_percent, _percent_alone)
            ),
            width,
        )
    if tournament.standings[0].measures:
        yield _widest_fitting(
            tuple(
                TextTable(
                    ("mean", *bots),
                    tuple(
                        (name.replace("_", " "), *(cell(standing.measures[name]) for standing in tournament.standings))
                        for name in tournament.standings[0].measures
                    ),
                )
                for cell in (_mean, _mean_alone)
            ),
            width,
        )


def _percent_alone(summary: Summary | None) -> str:
    return "-" if summary is None else f"{100 * summary.mean:.1f} %"


def _mean(summary: Summary | None) -> str:
    if summary is None or summary.interval is None:
        return _mean_alone(summary)
    return f"{summary.mean:.2f} ± {(summary.interval[1] - summary.interval[0]) / 2:.2f}"


def _mean_alone(summary: Summary | None) -> str:
    return "-" if summary is None else f"{summary.mean:.2f}"


def _widest_fitting(tables: Sequence[TextTable], width: int | None) -> TextTable:
    fitting = (table for table in tables if width is None or max(map(len, table_text(table))) <= width)
    return next(fitting, tables[-1])


def table_text(table: TextTable) -> list[str]:
    """The table in columns."""
    widths = [max(map(len, column)) for column in zip(table.header, *table.rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (table.header, *table.rows)
    ]


def table_markdown(table: TextTable) -> list[str]:
    """The table in Markdown."""
    rows = [table.header, ("---",) * len(table.header), *table.rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]


__all__ = ["TextTable", "table_markdown", "table_text", "tournament_tables"]
