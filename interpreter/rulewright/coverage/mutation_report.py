"""What became of mutants, in words.

In: `MutationResult`s. Out: lines for each that no case noticed, and one that sums up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.coverage.mutation_run import MutationResult, MutationTask


def survivor_lines(result: MutationResult) -> Iterator[str]:
    """The address and the change of a mutant that no case notices, and where games first differ; none for others."""
    if result.verdict in ("unnoticed", "never reached"):
        yield _title(result.task) + (": no scenario comes by" if result.verdict == "never reached" else "")
        yield f"    {result.hint.words or 'no random game differed'}"


def equivalence_lines(results: Sequence[MutationResult]) -> Iterator[str]:
    """The mutants that are proved to change no game, each with the reason."""
    proved = [result for result in results if result.verdict == "proved alike"]
    if proved:
        yield "\nproved to change no game by these rules:"
    for result in proved:
        yield _title(result.task)
        yield f"    {result.proof}"
    if proved:
        yield ""


def _title(task: MutationTask) -> str:
    origin = "" if task.origin == task.game else f" ({task.origin})"
    return f"{task.game}: {task.address}{origin}: {task.words}"


def mutation_summary(results: Sequence[MutationResult]) -> str:
    """How many were noticed, of those that are rules at all, and how many cannot be."""
    counts = Counter(result.verdict for result in results)
    tried = len(results) - counts["not rules"]

    def part(words: str, count: int) -> list[str]:
        return [f"{count} {words} ({percent(count, tried)} %)"] if count else []

    parts = [f"{counts['noticed']} of {tried} noticed ({percent(counts['noticed'], tried)} %)"]
    parts += part("proved to change no game", counts["proved alike"])
    parts += part("unnoticed", counts["unnoticed"])
    parts += part("in rules that no scenario comes by", counts["never reached"])
    return ", ".join(parts)


def percent(part: int, whole: int) -> str:
    """With one decimal, rounded down, so that only all of them are 100."""
    return f"{1000 * part // whole / 10:.1f}" if whole else "100.0"


__all__ = ["equivalence_lines", "mutation_summary", "percent", "survivor_lines"]
