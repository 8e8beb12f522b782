"""Many numbers in a few: their mean, how far they spread, and how sure the mean is.

In: numbers. Out: a `Summary`. The interval is the usual one for a mean of many: 1.96 standard errors to either side.
For shares it is Wilson's, which lies between 0 and 1 as they do, and has a width also when all are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final

NORMAL_95: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Summary:
    """Of `count` numbers: mean, standard deviation, least, most, and the ends of the 95 % interval of the mean."""

    count: int
    mean: float
    deviation: float
    least: float
    most: float
    interval: tuple[float, float]

    def data(self) -> dict[str, Any]:
        """The summary as JSON data."""
        return {
            "count": self.count,
            "mean": self.mean,
            "deviation": self.deviation,
            "min": self.least,
            "max": self.most,
            "interval95": list(self.interval),
        }


def summary(numbers: Sequence[float]) -> Summary | None:
    """The summary of some numbers; None of none."""
    count = len(numbers)
    if count == 0:
        return None
    mean = sum(numbers) / count
    deviation = sqrt(sum((x - mean) ** 2 for x in numbers) / (count - 1)) if count > 1 else 0.0
    reach = NORMAL_95 * deviation / sqrt(count)
    return Summary(count, mean, deviation, min(numbers), max(numbers), (mean - reach, mean + reach))


def share(numbers: Sequence[float]) -> Summary | None:
    """The summary of numbers from 0 to 1, such as what each game gave of a win; None of none.

    Wilson's interval is meant for numbers that are 0 or 1; of those between it makes too much, never too little.
    """
    found = summary(numbers)
    if found is None:
        return None
    square = NORMAL_95**2 / found.count
    centre = found.mean + square / 2
    reach = sqrt(square * (found.mean * (1 - found.mean) + square / 4))
    low, high = (centre - reach) / (1 + square), (centre + reach) / (1 + square)
    return replace(found, interval=(max(0.0, min(low, found.mean)), min(1.0, max(high, found.mean))))


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Summary | None:
    """So many of one thing for each of another, all games together: its interval counts games, which are independent.

    The deviation, least and most are those of the games' own ratios.
    """
    pairs = [(part, whole) for part, whole in zip(parts, wholes, strict=True) if whole]
    if not pairs:
        return None
    count = len(pairs)
    whole = sum(w for _, w in pairs)
    mean = sum(p for p, _ in pairs) / whole
    spread = summary([p / w for p, w in pairs])
    assert spread is not None
    residual = sqrt(sum((p - mean * w) ** 2 for p, w in pairs) / (count - 1)) if count > 1 else 0.0
    reach = NORMAL_95 * residual / (whole / count) / sqrt(count)
    return Summary(count, mean, spread.deviation, spread.least, spread.most, (mean - reach, mean + reach))


__all__ = ["Summary", "ratio", "share", "summary"]
