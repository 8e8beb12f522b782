"""The statistics of many games as a picture.

In: a `Simulation`. Out: the bytes of a PNG or SVG file: who won, then the distribution of each count and measure.
Needs matplotlib, which the extra `rulewright[plot]` installs.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from rulewright import limits
from rulewright.errors import RulewrightError, quote
from rulewright.model.locale import player_name, player_number
from rulewright.simulation.aggregate import Counts, Distribution, Simulation
from rulewright.simulation.summary_table import FIGURE_LABELS

if TYPE_CHECKING:  # matplotlib is optional
    from matplotlib.axes import Axes

PLOT_FORMATS: Final = {".png": "png", ".svg": "svg"}
SUBPLOT_COLUMNS: Final = 3
SUBPLOT_SIZE: Final = (4.2, 2.8)  # of one subplot, in inches


class PlotError(RulewrightError):
    """No picture can be drawn; the text says why."""


def plot_format(suffix: str) -> str:
    """The kind of picture that a file with this suffix holds; raises `PlotError` also where nothing can be drawn."""
    if suffix.lower() not in PLOT_FORMATS:
        raise PlotError(f"a plot must be a file ending in {' or '.join(PLOT_FORMATS)}, not in {quote(suffix)}")
    try:
        import_module("matplotlib")
    except ImportError:
        raise PlotError("plots need matplotlib: pip install 'rulewright[plot]'") from None
    return PLOT_FORMATS[suffix.lower()]


def render_plot(simulation: Simulation, bots: Sequence[str], title: str, format: str) -> bytes:
    """The picture as the bytes of a file of that kind."""
    import matplotlib
    from matplotlib.figure import Figure

    subplots: list[tuple[str, tuple[Distribution, ...]]] = [
        (FIGURE_LABELS[name], (distribution,)) for name, distribution in simulation.distributions.items()
    ]
    for name, measure in simulation.measures.items():
        subplots.append((name.replace("_", " "), measure if isinstance(measure, tuple) else (measure,)))
    rows = -(-(1 + len(subplots)) // SUBPLOT_COLUMNS)
    # the same statistics give the same file
    with matplotlib.rc_context({"svg.hashsalt": "rulewright", "svg.fonttype": "path"}):
        figure = Figure(figsize=(SUBPLOT_SIZE[0] * SUBPLOT_COLUMNS, SUBPLOT_SIZE[1] * rows + 0.7), layout="constrained")
        figure.suptitle(title, fontsize="medium")
        all_axes = iter(figure.subplots(rows, SUBPLOT_COLUMNS, squeeze=False).flat)
        _draw_wins(next(all_axes), simulation, bots)
        for label, distributions in subplots:
            _draw_distributions(next(all_axes), label, distributions)
        for unused_axes in all_axes:
            unused_axes.set_visible(False)
        image = io.BytesIO()
        figure.savefig(image, format=format, metadata={"Date": None} if format == "svg" else {"Software": None})
    return image.getvalue()


def _draw_wins(axes: Axes, simulation: Simulation, bots: Sequence[str]) -> None:
    """The share of wins of each seat."""
    axes.set_title("wins, with 95 % intervals", fontsize="small")
    axes.set_ylim(0, 1)
    axes.set_xticks(
        range(len(bots)), [f"{player_number(seat)}: {bot}" for seat, bot in enumerate(bots)], fontsize="x-small"
    )
    axes.axhline(1 / len(bots), color="grey", linewidth=0.8, linestyle=":")
    for seat, wins in enumerate(simulation.wins):
        if wins.summary is not None:
            mean = wins.summary.mean
            low, high = wins.summary.interval or (mean, mean)
            axes.bar(seat, mean, color=f"C{seat % 10}", alpha=0.6)
            axes.errorbar(seat, mean, yerr=[[mean - low], [high - mean]], color="black", capsize=4)


def _draw_distributions(axes: Axes, title: str, distributions: Sequence[Distribution]) -> None:
    """How often each number occurred; a colour for each seat if there are several."""
    axes.set_title(title, fontsize="small")
    axes.locator_params(axis="x", integer=True)
    for seat, distribution in enumerate(distributions):
        if distribution.summary is None:
            continue
        total = sum(distribution.counts.values())
        centres, heights, width = _bars(distribution.counts)
        label = player_name(seat) if len(distributions) > 1 else None
        shares = [height / total for height in heights]
        axes.bar(centres, shares, width, color=f"C{seat % 10}", alpha=0.45, label=label)
        axes.axvline(distribution.summary.mean, color=f"C{seat % 10}", linewidth=1)
    if len(distributions) > 1:
        axes.legend(fontsize="x-small")


def _bars(counts: Counts) -> tuple[list[float], list[int], float]:
    """Centres, heights and width of bars: one for each whole number, or for several where there would be too many."""
    low, high = (int(end) for end in (min(counts), max(counts)))
    bin_size = 1 + (high - low) // limits.MAX_BARS
    heights = [0] * (1 + (high - low) // bin_size)
    for number, count in counts.items():
        heights[(int(number) - low) // bin_size] += count
    centres = [low + index * bin_size + (bin_size - 1) / 2 for index in range(len(heights))]
    return centres, heights, 0.9 * bin_size


__all__ = ["PlotError", "plot_format", "render_plot"]
