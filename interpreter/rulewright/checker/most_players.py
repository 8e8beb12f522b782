"""The same rules for as many players as can play: what holds there, too, is told there.

In: a composition. Out: the one for the most players, and its rules.
"""

from __future__ import annotations

from rulewright.diagnostics import Diagnostics
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import Composition, build_composition, compose_document
from rulewright.model.rules import Rules


def has_most_players(composition: Composition) -> bool:
    """Whether no more could play by these rules."""
    return composition.players >= player_counts(composition.document)[1]


def with_most_players(composition: Composition) -> tuple[Composition, Rules] | None:
    """The composition for the most players, and its rules; None where they cannot be built."""
    diagnostics = Diagnostics()
    paths = [str(variant.path) for variant in composition.chosen_variants]
    most = player_counts(composition.document)[1]
    larger = compose_document(composition.base_document, most, paths, diagnostics)
    rules = None if larger is None else build_composition(larger, diagnostics)
    return None if larger is None or rules is None else (larger, rules)


__all__ = ["has_most_players", "with_most_players"]
