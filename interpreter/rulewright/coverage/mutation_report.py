"""What became of mutants, in words.

In: `MutationResult`s. Out: a line for each that no case noticed, and one that sums up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulewright.coverage.mutation_run import MutationResult


def survivor_line(result: MutationResult) -> str:
    """The address and the change of a mutant that no case notices; empty for all others."""
    if result.verdict in ("noticed", "not rules"):
        return ""
    task = result.task
    origin = "" if task.origin == task.game else f" ({task.origin})"
    reason = ": no scenario comes by" if result.verdict == "never reached" else ""
    return f"{task.game}: {task.address}{origin}: {task.words}{reason}"


def mutation_summary(results: Sequence[MutationResult]) -> str:
    """How many were noticed, of those that are rules at all."""
    counts = Counter(result.verdict for result in results)
    tried = len(results) - counts["not rules"]
    parts = [f"{counts['noticed']} of {tried} noticed ({percent(counts['noticed'], tried)} %)"]
    parts += [f"{counts['unnoticed']} unnoticed"] if counts["unnoticed"] else []
    parts += [f"{counts['never reached']} in rules that no scenario comes by"] if counts["never reached"] else []
    return ", ".join(parts)


def percent(part: int, whole: int) -> str:
    """With one decimal, rounded down, so that only all of them are 100."""
    return f"{1000 * part // whole / 10:.1f}" if whole else "100.0"


__all__ = ["mutation_summary", "percent", "survivor_line"]
