"""Many numbers in a few: their mean, how far they spread, and how sure the mean is.

In: numbers, or how often each occurs. Out: a `Summary`. Everything is added up exactly, so neither order nor the
number of processes changes a digit.

- deviation: of a sample (divided by one less than the count); none of a single number.
- quantiles: the smallest value such that at least that share of all are no greater (inverse of the distribution
  function), so each occurs among them.
- interval: 95 % for the mean, by Student's t. For shares it is Wilson's, which lies between 0 and 1 as they do, and has
  a width also when all are alike. None of a single number, of which nobody can say how far it may be off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import atan, cos, isqrt, pi, sin, sqrt
from typing import Final, TypedDict

from rulewright.frozen import frozen, mutable, replace

NORMAL_QUANTILE_95: Final = 1.959963985
QUANTILE_LEVELS: Final = (5, 25, 50, 75, 95)  # per cent
MIN_SERIES_DEGREES: Final = 200  # degrees of freedom from which a series is exact to nine digits

Numeric = int | float | Fraction
Interval = tuple[float, float]


class SummaryData(TypedDict):
    """A summary as JSON data. `quantiles`: by level, in per cent."""

    count: int
    mean: float
    deviation: float | None
    min: float
    max: float
    quantiles: dict[str, float]
    interval95: list[float] | None


@frozen
class Summary:
    """Of `count` numbers: mean, standard deviation, minimum, maximum, quantiles (at `QUANTILE_LEVELS`), and the ends of
    the 95 % interval of the mean.
    """

    count: int
    mean: float
    deviation: float | None
    minimum: float
    maximum: float
    quantiles: tuple[float, ...]
    interval: Interval | None

    def to_data(self) -> SummaryData:
        """The summary as JSON data."""
        return {
            "count": self.count,
            "mean": self.mean,
            "deviation": self.deviation,
            "min": self.minimum,
            "max": self.maximum,
            "quantiles": {str(level): value for level, value in zip(QUANTILE_LEVELS, self.quantiles, strict=True)},
            "interval95": None if self.interval is None else list(self.interval),
        }


def json_number(number: Numeric) -> float:
    """A number as JSON has it: a whole number stays whole."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else float(exact)


def exact_sqrt(square: Fraction) -> float:
    """The square root, also of what is too large for a float in between."""
    try:
        return sqrt(square)
    except OverflowError:
        return float(isqrt(int(square)))


def quantile(counts: Mapping[Numeric, int], level: int) -> Numeric:
    """The least number that at least `level` per cent of all do not exceed; of at least one number."""
    total, seen = sum(counts.values()), 0
    for number in sorted(counts):
        seen += counts[number]
        if 100 * seen >= level * total:
            return number
    raise AssertionError("all do not exceed the greatest")


def summarize(numbers: Iterable[Numeric] | Mapping[Numeric, int]) -> Summary | None:
    """The summary of some numbers, or of how often each occurs; None of none."""
    counts = numbers if isinstance(numbers, Mapping) else Counter(numbers)
    total = sum(counts.values())
    if total == 0:
        return None
    value_sum = sum((Fraction(value) * count for value, count in counts.items()), Fraction())
    square_sum = sum((Fraction(value) ** 2 * count for value, count in counts.items()), Fraction())
    mean, deviation, interval = value_sum / total, None, None
    if total > 1:
        deviation = exact_sqrt((square_sum - value_sum * mean) / (total - 1))
        interval = mean_interval(float(mean), deviation / sqrt(total), total - 1)
    return Summary(
        count=total,
        mean=json_number(mean),
        deviation=deviation,
        minimum=json_number(min(counts)),
        maximum=json_number(max(counts)),
        quantiles=tuple(json_number(quantile(counts, level)) for level in QUANTILE_LEVELS),
        interval=interval,
    )


def mean_interval(mean: float, error: float, freedom: int) -> Interval:
    """The 95 % interval of a mean with such a standard error."""
    half_width = student_quantile_95(freedom) * error
    return mean - half_width, mean + half_width


def wilson_interval(mean: float, count: float, reach: float = NORMAL_QUANTILE_95) -> Interval:
    """Wilson's interval of a share among `count`: all shares that are within `reach` of their own standard errors."""
    square = reach**2 / count
    centre = mean + square / 2
    width = sqrt(square * (mean * (1 - mean) + square / 4))
    low, high = (centre - width) / (1 + square), (centre + width) / (1 + square)
    return max(0.0, min(low, mean)), min(1.0, max(high, mean))


def summarize_shares(numbers: Iterable[Numeric] | Mapping[Numeric, int]) -> Summary | None:
    """The summary of numbers from 0 to 1, such as what each game gave of a win; None of none.

    Wilson's interval is meant for numbers that are 0 or 1; of those between it makes too much, never too little.
    """
    summary = summarize(numbers)
    return None if summary is None else replace(summary, interval=wilson_interval(summary.mean, summary.count))


def summarize_paired_shares(numbers: Iterable[Numeric] | Mapping[Numeric, int]) -> Summary | None:
    """The summary of shares of which each is a mean over games that belong together; None of none.

    Wilson's interval for as many independent games as would give the spread that is seen, which is less where the games
    of a pair balance one another. The spread is never taken to be less than if one pair had gone as far as it can, so
    that a few pairs that are all alike do not look like certainty; where all is won, or all lost, a pair counts once.
    """
    summary = summarize(numbers)
    if summary is None or summary.deviation is None:
        return summary
    if summary.mean in (0, 1):
        return replace(summary, interval=wilson_interval(summary.mean, summary.count))
    variance = summary.mean * (1 - summary.mean)  # of a single game that is won or lost
    games = summary.count * variance / max(summary.deviation**2, variance / summary.count)
    return replace(summary, interval=wilson_interval(summary.mean, games, student_quantile_95(summary.count - 1)))


@mutable
class Ratio:
    """So many of one thing for each of another, all games together, added up game by game."""

    count: int = 0
    part_sum: int = 0
    whole_sum: int = 0
    squares: tuple[int, int, int] = (0, 0, 0)  # of parts, of both together, of wholes

    def add(self, part: int, whole: int) -> None:
        """One game more; one without any of the other thing does not count."""
        if whole:
            self.count += 1
            self.part_sum += part
            self.whole_sum += whole
            a, b, c = self.squares
            self.squares = a + part * part, b + part * whole, c + whole * whole

    def merge(self, other: Ratio) -> None:
        """All games of another."""
        self.count += other.count
        self.part_sum += other.part_sum
        self.whole_sum += other.whole_sum
        (a, b, c), (d, e, f) = self.squares, other.squares
        self.squares = a + d, b + e, c + f

    def mean(self) -> Fraction | None:
        """The ratio; None of none."""
        return Fraction(self.part_sum, self.whole_sum) if self.whole_sum else None

    def interval(self) -> Interval | None:
        """Its 95 % interval: games are independent, what is counted within one is not."""
        mean = self.mean()
        if mean is None or self.count < 2:
            return None
        a, b, c = self.squares
        residue = exact_sqrt((a - 2 * mean * b + mean * mean * c) / (self.count - 1))
        return mean_interval(float(mean), residue / (self.whole_sum / self.count) / sqrt(self.count), self.count - 1)


# ---- Student's t ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def student_quantile_95(freedom: int) -> float:
    """How many standard errors to either side 95 % of Student's t with these degrees of freedom lie, to nine digits.

    Abramowitz and Stegun, Handbook of Mathematical Functions: the probability is 26.7.3 and 26.7.4; where these sums
    get long, the series 26.7.5.
    """
    if freedom > MIN_SERIES_DEGREES:
        return round(_series(freedom), 9)
    low, high = 1.0, 13.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 0.95 else (low, middle)
    return round(high, 9)


def _within(t: float, freedom: int) -> float:
    """The probability to be within t of 0."""
    angle = atan(t / sqrt(freedom))
    square = cos(angle) ** 2
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(3 if odd else 2, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _series(freedom: int) -> float:
    x, n = NORMAL_QUANTILE_95, freedom
    return (
        x
        + (x**3 + x) / (4 * n)
        + (5 * x**5 + 16 * x**3 + 3 * x) / (96 * n**2)
        + (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / (384 * n**3)
    )


__all__ = [
    "NORMAL_QUANTILE_95",
    "QUANTILE_LEVELS",
    "Interval",
    "Numeric",
    "Ratio",
    "Summary",
    "SummaryData",
    "json_number",
    "quantile",
    "student_quantile_95",
    "summarize",
    "summarize_paired_shares",
    "summarize_shares",
    "wilson_interval",
]  # fmt: skip
