"""The results of many games as a table.

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


def summary_table(simulation: Simulation, bots: Sequence[str], cap: int) -> Iterator[str]:
    """The simulation as lines of a table: mean, half its 95 % interval, standard deviation, quantiles."""
    levels = "".join(f"{level:>5}%" for level in QUANTILE_LEVELS)
    yield f"{'':<{LABEL_COLUMN_WIDTH}}{'mean':>8}{'±':>7}{'spread':>7}{levels}"
    for name, distribution in simulation.distributions.items():
        yield _row(FIGURE_LABELS[name], distribution)
    for name, measure in simulation.measures.items():
        label = name.replace("_", " ")
        if isinstance(measure, tuple):
            for seat, distribution in enumerate(measure):
                yield _row(f"{label}, {player_name(seat)}", distribution)
        else:
            yield _row(label, measure)
    for seat, distribution in enumerate(simulation.wins):
        yield f"wins of {player_name(seat)} ({bots[seat]}): {format_percent(distribution.summary)}"
    if simulation.draws:
        yield f"draws: {simulation.draws}"
    if simulation.shared_wins > simulation.draws:
        yield f"shared wins: {simulation.shared_wins - simulation.draws}"
    for address, distribution in simulation.endings.items():
        cause = f"ended by {address}" if address else "ended with nobody left in the game"
        yield f"{cause}: {format_percent(distribution.summary)}"
    if simulation.games_with_forced:
        yield f"games with a forced decision: {simulation.games_with_forced}"
    if simulation.unfinished_seeds:
        seeds = ", ".join(map(str, simulation.unfinished_seeds[: limits.MAX_LISTED_SEEDS]))
        more = ", …" if len(simulation.unfinished_seeds) > limits.MAX_LISTED_SEEDS else ""
        yield f"unfinished after {cap} turns, left out above: {len(simulation.unfinished_seeds)} (seeds {seeds}{more})"


def format_percent(summary: Summary | None) -> str:
    """A share in per cent, with its interval."""
    if summary is None:
        return "-"
    low, high = summary.interval or (None, None)
    between = "" if low is None or high is None else f" ({100 * low:.1f} to {100 * high:.1f})"
    return f"{100 * summary.mean:.1f} %{between}"


def _row(name: str, distribution: Distribution) -> str:
    summary = distribution.summary
    label = f"{name[: LABEL_COLUMN_WIDTH - 1]:<{LABEL_COLUMN_WIDTH}}"
    if summary is None:
        return f"{label}{'-':>8}"
    half_width = None if summary.interval is None else (summary.interval[1] - summary.interval[0]) / 2
    quantiles = "".join(f"{format_number(value, 5, 1):>6}" for value in summary.quantiles)
    mean, deviation = format_number(summary.mean, 7), format_number(summary.deviation, 6)
    return f"{label}{mean:>8}{format_number(half_width, 6):>7}{deviation:>7}{quantiles}"


def format_number(number: float | None, width: int, places: int = 2) -> str:
    """A number in at most `width` characters; a dash for None."""
    if number is None:
        return "-"
    whole = f"{number:.0f}"
    exact = f"{number:.{places}f}" if number % 1 or places > 1 else whole
    return next((text for text in (exact, whole) if len(text) <= width), f"{number:.1g}")


__all__ = ["format_number", "format_percent", "summary_table"]
