"""The figures of many games as a table.

In: a `Simulation`. Out: lines of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright import limits
from rulewright.model.locale import player_name
from rulewright.simulation.aggregate import Distribution, Simulation
from rulewright.simulation.statistics import QUANTILE_LEVELS, Summary

FIGURE_LABELS: Final = {
    "turns": "turns",
    "decisions": "decisions",
    "legal_per_decision": "legal actions per decision",
    "forced": "forced decisions",
}
LABEL_COLUMN_WIDTH: Final = 27  # characters of the first column


def summary_table(found: Simulation, bots: Sequence[str], cap: int) -> Iterator[str]:
    """The simulation as lines of a table: mean, half its 95 % interval, standard deviation, quantiles."""
    levels = "".join(f"{level:>5}%" for level in QUANTILE_LEVELS)
    yield f"{'':<{LABEL_COLUMN_WIDTH}}{'mean':>8}{'±':>7}{'spread':>7}{levels}"
    for name, figure in found.distributions.items():
        yield _row(FIGURE_LABELS[name], figure)
    for name, measure in found.measures.items():
        words = name.replace("_", " ")
        if isinstance(measure, tuple):
            for seat, figure in enumerate(measure):
                yield _row(f"{words}, {player_name(seat)}", figure)
        else:
            yield _row(words, measure)
    for seat, figure in enumerate(found.wins):
        yield f"wins of {player_name(seat)} ({bots[seat]}): {format_percent(figure.summary)}"
    if found.shared_wins:
        yield f"shared wins: {found.shared_wins}"
    if found.games_with_forced:
        yield f"games with a forced decision: {found.games_with_forced}"
    if found.unfinished_seeds:
        seeds = ", ".join(map(str, found.unfinished_seeds[: limits.MAX_LISTED_SEEDS]))
        more = ", …" if len(found.unfinished_seeds) > limits.MAX_LISTED_SEEDS else ""
        yield f"unfinished after {cap} turns, left out above: {len(found.unfinished_seeds)} (seeds {seeds}{more})"


def format_percent(found: Summary | None) -> str:
    """A share with its interval."""
    if found is None:
        return "-"
    between = "" if found.interval is None else f" ({100 * found.interval[0]:.1f} to {100 * found.interval[1]:.1f})"
    return f"{100 * found.mean:.1f} %{between}"


def _row(name: str, figure: Distribution) -> str:
    found = figure.summary
    first = f"{name[: LABEL_COLUMN_WIDTH - 1]:<{LABEL_COLUMN_WIDTH}}"
    if found is None:
        return f"{first}{'-':>8}"
    reach = None if found.interval is None else (found.interval[1] - found.interval[0]) / 2
    middle = "".join(f"{format_number(value, 5, 1):>6}" for value in found.quantiles)
    mean, deviation = format_number(found.mean, 7), format_number(found.deviation, 6)
    return f"{first}{mean:>8}{format_number(reach, 6):>7}{deviation:>7}{middle}"


def format_number(number: float | None, width: int, places: int = 2) -> str:
    """A number in so many characters; a dash for none."""
    if number is None:
        return "-"
    whole = f"{number:.0f}"
    said = f"{number:.{places}f}" if number % 1 or places > 1 else whole
    return next((one for one in (said, whole) if len(one) <= width), f"{number:.1g}")


__all__ = ["format_number", "format_percent", "summary_table"]
