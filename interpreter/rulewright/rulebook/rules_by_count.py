"""The rules of a game for every number of players that it can be played by.

In: a game, perhaps one number of players, variants. Out: rules by number of players, and which addresses each of the
variants changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.model.loader import (
    build_composition,
    common_player_counts,
    compose_document,
    compose_game,
    default_game,
)
from rulewright.model.rules import Rules


def load_rules_by_count(
    game: str | None, players: int | None, variants: Sequence[str]
) -> tuple[dict[int, Rules], dict[str, frozenset[str]]]:
    """Raises `NotFound` for unknown names and `RulesError` when the rules have errors."""
    diagnostics = Diagnostics()
    first = compose_game(game or default_game(), players, variants, diagnostics)
    if first is None:
        raise RulesError(diagnostics)
    counts = (
        [players] if players is not None else list(common_player_counts(first.base_document, first.chosen_variants))
    )
    found: dict[int, Rules] = {}
    changes: dict[str, set[str]] = {}
    for count in counts or [first.players]:
        diagnostics = Diagnostics()
        resolved = (
            first if count == first.players else compose_document(first.base_document, count, variants, diagnostics)
        )
        rules = build_composition(resolved, diagnostics) if resolved is not None else None
        if resolved is None or rules is None or diagnostics.error_count:
            raise RulesError(diagnostics)
        found[count] = rules
        for one in resolved.chosen_variants:
            changes.setdefault(one.name, set()).update(change.address for change in one.changes)
    return found, {name: frozenset(addresses) for name, addresses in changes.items()}


def load_rules_without_variants(game: str | None, rules: Mapping[int, Rules]) -> dict[int, Rules]:
    """The same game without variants, for as many players, or for the nearest number that it can be played by."""
    found, _ = load_rules_by_count(game, None, ())
    nearest = min(found, key=lambda count: (abs(count - max(rules)), count))
    return {count: one for count, one in found.items() if count in rules} or {nearest: found[nearest]}


__all__ = ["load_rules_by_count", "load_rules_without_variants"]
