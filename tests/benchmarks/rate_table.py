"""What a benchmark found: decisions per second by round, ratios, and whether they are what they should be.

In: rates of engines and programs that took turns. Out: lines, data for JSON, a picture. A ratio is the median of the
ratios of the rounds, so that what slows the machine down for a while slows both sides of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.baseline import BASELINE_PREFIX
from benchmarks.yardstick_config import PlayedTable

NAME_WIDTH: Final = 17
RATIO_WIDTH: Final = 12


@dataclass(frozen=True, slots=True)
class Measured:
    """One table at one number of players. `rates`: by engine or program, a rate for each round; `missing`: what could
    not be measured, and why; `programs`: which of the names are programs from outside.
    """

    table: PlayedTable
    players: int
    rates: Mapping[str, Sequence[float]]
    programs: Sequence[str]
    missing: Mapping[str, str]

    def ratio(self, name: str, other: str) -> float:
        """How many decisions one makes for each one of the other."""
        return median(a / b for a, b in zip(self.rates[name], self.rates[other], strict=True))

    def missed(self) -> list[str]:
        """The targets that were measured and are missed, each in words."""
        found = []
        for pair, target in self.table.targets.items():
            name, _, other = pair.partition("/")
            if name in self.rates and other in self.rates and self.ratio(name, other) < target:
                found.append(f"{pair} is {self.ratio(name, other):.3g}, and should be {target:g} or more")
        return found


def table_lines(measured: Measured) -> Iterator[str]:
    """The rates, and their ratios to the programs, to the first engine and to that of an earlier commit."""
    table, names = measured.table, list(measured.rates)
    engines = [name for name in names if name not in measured.programs]
    earlier = [name for name in engines[1:] if name.startswith(BASELINE_PREFIX)]
    beside = {name: max(RATIO_WIDTH, len(name) + 4) for name in (*measured.programs, *engines[:1], *earlier)}
    yield f"{table.name}: {table.text}: {_rules(table)}, {measured.players} players"
    yield f"  {'':<{NAME_WIDTH}}{'decisions/s':>14}" + "".join(
        f"{'/ ' + name:>{width}}" for name, width in beside.items()
    )
    for name in names:
        ratios = "".join(f"{measured.ratio(name, other):>{width}.3g}" for other, width in beside.items())
        yield f"  {name:<{NAME_WIDTH}}{median(measured.rates[name]):>14,.0f}{ratios}"
    yield from (f"  without {name}: {reason}" for name, reason in measured.missing.items())
    yield from (f"  too slow: {text}" for text in measured.missed())


def _rules(table: PlayedTable) -> str:
    variants = f" with {', '.join(table.variants)}" if table.variants else ""
    pieces = f", piece by piece at {', '.join(table.tokenwise)}" if table.tokenwise else ""
    return f"{table.game}{variants}{pieces}"


def table_data(measured: Measured) -> dict[str, object]:
    """The same for JSON."""
    return {
        "table": measured.table.name,
        "game": measured.table.game,
        "variants": list(measured.table.variants),
        "tokenwise": list(measured.table.tokenwise),
        "players": measured.players,
        "rates": {
            name: {"decisions_per_second": median(rates), "by_round": list(rates)}
            for name, rates in measured.rates.items()
        },
        "ratios": {
            f"{name}/{other}": measured.ratio(name, other)
            for name in measured.rates
            for other in measured.rates
            if name != other
        },
        "missing": dict(measured.missing),
        "too_slow": measured.missed(),
    }


def draw_rates(found: Sequence[Measured], path: Path) -> None:
    """Rates as bars, a group for each table and number of players, by powers of ten."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for measured in found for name in measured.rates))
    figure = Figure(figsize=(max(8.0, 1.3 * len(found)), 5.0), layout="constrained")
    axes = figure.subplots()
    width = 0.85 / len(names)
    for number, name in enumerate(names):
        places = [at for at, measured in enumerate(found) if name in measured.rates]
        heights = [median(found[at].rates[name]) for at in places]
        axes.bar([at + number * width for at in places], heights, width, label=name)
    axes.set_yscale("log")
    axes.set_ylabel("decisions per second of processor time")
    axes.set_xticks(
        [at + 0.4 for at in range(len(found))],
        [f"{measured.table.name}\n{measured.players} players" for measured in found],
    )
    axes.legend()
    figure.savefig(path)


__all__ = ["Measured", "draw_rates", "table_data", "table_lines"]
