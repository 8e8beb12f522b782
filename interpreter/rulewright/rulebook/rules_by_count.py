"""The rules of a game for every number of players that it can be played by.

In: a game, perhaps one number of players, variants. Out: rules by number of players, and which addresses each of the
variants changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.diagnostics import Report, RulesError
from rulewright.model.loader import counts_together, default_game, resolve, resolve_document, understood
from rulewright.model.rules import Rules


def for_all_counts(
    game: str | None, players: int | None, variants: Sequence[str]
) -> tuple[dict[int, Rules], dict[str, frozenset[str]]]:
    """Raises `NotFound` for unknown names and `RulesError` when the rules have errors."""
    report = Report()
    first = resolve(game or default_game(), players, variants, report)
    if first is None:
        raise RulesError(report)
    counts = [players] if players is not None else list(counts_together(first.base, first.chosen))
    found: dict[int, Rules] = {}
    changes: dict[str, set[str]] = {}
    for count in counts or [first.players]:
        report = Report()
        resolved = first if count == first.players else resolve_document(first.base, count, variants, report)
        rules = understood(resolved, report) if resolved is not None else None
        if resolved is None or rules is None or report.errors:
            raise RulesError(report)
        found[count] = rules
        for one in resolved.chosen:
            changes.setdefault(one.name, set()).update(change.address for change in one.changes)
    return found, {name: frozenset(addresses) for name, addresses in changes.items()}


def without(game: str | None, rules: Mapping[int, Rules]) -> dict[int, Rules]:
    """The same game without variants, for as many players, or for the nearest number that it can be played by."""
    found, _ = for_all_counts(game, None, ())
    nearest = min(found, key=lambda count: (abs(count - max(rules)), count))
    return {count: one for count, one in found.items() if count in rules} or {nearest: found[nearest]}


__all__ = ["for_all_counts", "without"]
