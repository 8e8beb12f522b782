"""Many places in files, of which it is asked whether one lies around another or within it, without a look at each.

In: spans. Out: yes or no.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from rulewright.diagnostics import Span


class Spans:
    """Some spans, by their sources and in the order in which they begin."""

    def __init__(self, spans: Iterable[Span]) -> None:
        found: dict[int, list[tuple[int, int]]] = {}
        self._sources = []  # kept, so that no other gets the id of one
        for span in spans:
            found.setdefault(id(span.source), []).append((span.start, span.end))
            self._sources.append(span.source)
        self._starts: dict[int, list[int]] = {}
        self._ends_before: dict[int, list[int]] = {}  # the last end of those that begin up to each
        self._ends_from: dict[int, list[int]] = {}  # the first end of those that begin from each on
        for source, ranges in found.items():
            ranges.sort()
            ends = [end for _, end in ranges]
            self._starts[source] = [start for start, _ in ranges]
            self._ends_before[source] = list(accumulate(ends, max))
            self._ends_from[source] = list(accumulate(reversed(ends), min))[::-1]

    def has_around(self, span: Span) -> bool:
        """Whether one of them contains a span."""
        source = id(span.source)
        index = bisect_right(self._starts.get(source, []), span.start)
        return index > 0 and self._ends_before[source][index - 1] >= span.end

    def has_within(self, span: Span) -> bool:
        """Whether a span contains one of them."""
        source = id(span.source)
        starts = self._starts.get(source, [])
        index = bisect_left(starts, span.start)
        return index < len(starts) and self._ends_from[source][index] <= span.end


__all__ = ["Spans"]
