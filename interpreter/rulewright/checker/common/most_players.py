"""The same rules for as many players as can play, where what holds there, too, is told, and for as few.

In: a composition. Out: the one for so many players, and its rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import Composition, build_composition, compose_document
from rulewright.model.rules import Rules
from rulewright.source.node_memo import Same
from rulewright.source.nodes import MappingNode

MAX_KEPT: Final = 4  # compositions with their rules, for which several checks ask


def has_most_players(composition: Composition) -> bool:
    """Whether no more could play by these rules."""
    return composition.players >= player_counts(composition.document)[1]


def with_most_players(composition: Composition) -> tuple[Composition, Rules] | None:
    """The composition for the most players, and its rules; None where they cannot be built."""
    return _with_players(composition, player_counts(composition.document)[1])


def with_fewest_players(composition: Composition) -> tuple[Composition, Rules] | None:
    """The same for the fewest."""
    return _with_players(composition, player_counts(composition.document)[0])


def _with_players(composition: Composition, players: int) -> tuple[Composition, Rules] | None:
    variants = tuple((str(variant.path), Same(variant.root)) for variant in composition.chosen_variants)
    return _with_players_once(Same(composition.base_document), variants, players)


@lru_cache(MAX_KEPT)
def _with_players_once(
    base: Same[Document], variants: tuple[tuple[str, Same[MappingNode]], ...], players: int
) -> tuple[Composition, Rules] | None:
    diagnostics = Diagnostics()
    other = compose_document(base.value, players, [path for path, _ in variants], diagnostics)
    rules = None if other is None else build_composition(other, diagnostics)
    return None if other is None or rules is None else (other, rules)


__all__ = ["has_most_players", "with_fewest_players", "with_most_players"]
