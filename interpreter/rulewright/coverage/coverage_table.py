"""Coverage as lines of text: a table of rules with how often each was seen, and what was not.

In: `Coverage`. Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.coverage.scenario_coverage import Coverage, SiteCoverage

HEADER: Final = ("rule", "true", "false", "first seen by")


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """For each game its table and a line that sums it up."""
    for game, sites in coverage.games.items():
        yield from _table([HEADER, *(_row(covered, game) for covered in sites)])
        yield f"{game}: {coverage_summary(sites)}"
        yield ""


def coverage_summary(sites: Sequence[SiteCoverage]) -> str:
    """How many conditions were seen true and false, and how many other rules were reached."""
    conditions = [covered for covered in sites if covered.site.kind == "condition"]
    others = [covered for covered in sites if covered.site.kind != "condition"]
    seen, reached = (sum(not covered.missing for covered in part) for part in (conditions, others))
    parts = [f"{seen} of {len(conditions)} conditions seen true and false"] if conditions else []
    parts += [f"{reached} of {len(others)} steps, choices and values reached"] if others else []
    return ", ".join(parts)


def _row(covered: SiteCoverage, game: str) -> tuple[str, ...]:
    is_condition = covered.site.kind == "condition"
    seen_by = covered.missing or (covered.when_true or covered.when_false)[:1]
    return (
        covered.name + ("" if covered.site.origin == game else f" ({covered.site.origin})"),
        str(len(covered.when_true)),
        str(len(covered.when_false)) if is_condition else "",
        (" and ".join(seen_by)).upper() if covered.missing else seen_by[0],
    )


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for name, *numbers, last in rows:
        middle = "  ".join(cell.rjust(width) for cell, width in zip(numbers, widths[1:-1], strict=True))
        yield f"{name.ljust(widths[0])}  {middle}  {last}".rstrip()


__all__ = ["coverage_lines", "coverage_summary"]
