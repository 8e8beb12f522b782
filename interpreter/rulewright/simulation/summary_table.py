"""The figures of many games as a table.

In: a `Simulation`. Out: lines of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright import limits
from rulewright.simulation.aggregate import Figure, Simulation
from rulewright.simulation.statistics import LEVELS, Summary

NAMES: Final = {
    "turns": "turns",
    "decisions": "decisions",
    "legal_per_decision": "legal actions per decision",
    "forced": "forced decisions",
}
FIRST: Final = 27  # characters of the first column


def table(found: Simulation, bots: Sequence[str], cap: int) -> Iterator[str]:
    """The simulation as lines of a table: mean, half its 95 % interval, standard deviation, quantiles."""
    levels = "".join(f"{level:>5}%" for level in LEVELS)
    yield f"{'':<{FIRST}}{'mean':>8}{'±':>7}{'spread':>7}{levels}"
    for name, figure in found.numbers.items():
        yield _row(NAMES[name], figure)
    for name, measure in found.measures.items():
        words = name.replace("_", " ")
        if isinstance(measure, tuple):
            for seat, figure in enumerate(measure):
                yield _row(f"{words}, seat {seat}", figure)
        else:
            yield _row(words, measure)
    for seat, figure in enumerate(found.wins):
        yield f"wins of seat {seat} ({bots[seat]}): {per_cent(figure.summary)}"
    if found.shared:
        yield f"shared wins: {found.shared}"
    if found.forced_games:
        yield f"games with a forced decision: {found.forced_games}"
    if found.unfinished:
        seeds = ", ".join(map(str, found.unfinished[: limits.MAX_LISTED_SEEDS]))
        more = ", …" if len(found.unfinished) > limits.MAX_LISTED_SEEDS else ""
        yield f"unfinished after {cap} turns, left out above: {len(found.unfinished)} (seeds {seeds}{more})"


def per_cent(found: Summary | None) -> str:
    """A share with its interval."""
    if found is None:
        return "-"
    between = "" if found.interval is None else f" ({100 * found.interval[0]:.1f} to {100 * found.interval[1]:.1f})"
    return f"{100 * found.mean:.1f} %{between}"


def _row(name: str, figure: Figure) -> str:
    found = figure.summary
    first = f"{name[: FIRST - 1]:<{FIRST}}"
    if found is None:
        return f"{first}{'-':>8}"
    reach = None if found.interval is None else (found.interval[1] - found.interval[0]) / 2
    middle = "".join(f"{short(value, 5, 1):>6}" for value in found.quantiles)
    return f"{first}{short(found.mean, 7):>8}{short(reach, 6):>7}{short(found.deviation, 6):>7}{middle}"


def short(number: float | None, width: int, places: int = 2) -> str:
    """A number in so many characters; a dash for none."""
    if number is None:
        return "-"
    whole = f"{number:.0f}"
    said = f"{number:.{places}f}" if number % 1 or places > 1 else whole
    return next((one for one in (said, whole) if len(one) <= width), f"{number:.1g}")


__all__ = ["per_cent", "short", "table"]
