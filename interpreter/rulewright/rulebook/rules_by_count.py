"""The rules of a game for every number of players that it can be played by.

In: a game, perhaps one number of players, variants. Out: rules by number of players, and which addresses each variant
changes, without the sentences that it says are still true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.frozen import frozen
from rulewright.model.allowed_players import common_player_counts
from rulewright.model.loader import build_composition, compose_document, compose_game
from rulewright.model.locate import default_game
from rulewright.model.rules import Rules
from rulewright.variants.change import Change


@frozen
class VariantChanges:
    """The addresses that a variant changes, those that are more than words, those of sentences that it says are still
    true.
    """

    addresses: frozenset[str]
    rules: frozenset[str]
    still_true: frozenset[str] = frozenset()


def load_rules_by_count(
    game: str | None, players: int | None, variants: Sequence[str]
) -> tuple[dict[int, Rules], dict[str, VariantChanges]]:
    """The rules by number of players, and what each variant changes, by its name.

    `players`: only for that number. Raises `NotFound` for unknown names and `RulesError` when the rules have errors.
    """
    diagnostics = Diagnostics()
    first = compose_game(game or default_game(), players, variants, diagnostics)
    if first is None:
        raise RulesError(diagnostics)
    counts = common_player_counts(first.base_document, first.chosen_variants) if players is None else [players]
    rules_by_count: dict[int, Rules] = {}
    changes: dict[str, list[Change]] = {}
    own_passages: dict[str, set[str]] = {}  # of those that several write differently
    still_true: dict[str, frozenset[str]] = {}
    for count in list(counts) or [first.players]:
        diagnostics = Diagnostics()
        composition = (
            first if count == first.players else compose_document(first.base_document, count, variants, diagnostics)
        )
        rules = build_composition(composition, diagnostics) if composition is not None else None
        if composition is None or rules is None or diagnostics.error_count:
            raise RulesError(diagnostics)
        rules_by_count[count] = rules
        passage_variants = composition.document.passage_variants
        for variant in composition.chosen_variants:
            changes.setdefault(variant.name, []).extend(variant.changes)
            passages = {f"book.{passage}" for passage, name in passage_variants if name == variant.name}
            own_passages.setdefault(variant.name, set()).update(passages)
            still_true[variant.name] = variant.still_true
    return rules_by_count, {
        name: VariantChanges(
            frozenset(change.address for change in made) | own_passages[name],
            frozenset(change.address for change in made if not change.is_of_words),
            still_true[name],
        )
        for name, made in changes.items()
    }


def load_rules_without_variants(game: str | None, rules: Mapping[int, Rules]) -> dict[int, Rules]:
    """The same game without variants for the same numbers of players, or for the nearest number that it allows."""
    base, _ = load_rules_by_count(game, None, ())
    nearest = min(base, key=lambda count: (abs(count - max(rules)), count))
    return {count: base[count] for count in base if count in rules} or {nearest: base[nearest]}


__all__ = ["VariantChanges", "load_rules_by_count", "load_rules_without_variants"]
