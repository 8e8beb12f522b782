"""How many can play a game, with variants too.

In: a game's document, variants. Out: numbers of players, and a diagnostic where they are more than there can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright import limits
from rulewright.diagnostics import Cause, Diagnostics
from rulewright.document.document import Document
from rulewright.document.editing import adjust_value
from rulewright.model import codes
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant, parse_player_range


def player_counts(document: Document) -> tuple[int, int]:
    """The fewest and the most players of a game."""
    return parse_player_range(document.root.get("players")) or (1, 1)


def common_player_counts(document: Document, variants: Iterable[Variant]) -> Sequence[int]:
    """The numbers of players that a game and variants have in common; a variant may change those of the game."""
    fewest, most = player_counts(document)
    ranges = []
    for variant in variants:
        changed = [_changed_range(document, change) for change in variant.changes if change.parts == ("players",)]
        fewest, most = next((players for players in changed if players is not None), (fewest, most))
        ranges.append(variant.players)
    for players in ranges:
        if players is not None:
            fewest, most = max(fewest, players[0]), min(most, players[1])
    return range(fewest, min(most, limits.MAX_PLAYERS) + 1)


def _changed_range(document: Document, change: Change) -> tuple[int, int] | None:
    before = document.root.get("players")
    if change.operation == "adjust" and before is not None and change.payload is not None:
        return parse_player_range(adjust_value(before, change.parts, change.payload))
    return parse_player_range(change.payload)


def min_common_players(document: Document, variants: Iterable[Variant]) -> int:
    """The fewest players with which variants can be played; where no number is common, the game's fewest."""
    counts = common_player_counts(document, variants)
    return counts[0] if counts else player_counts(document)[0]


def check_player_limit(document: Document, diagnostics: Diagnostics) -> bool:
    """Reports a game for more players than there can be; returns whether it did."""
    most = max(player_counts(document))
    if most > limits.MAX_PLAYERS:
        node = document.root.get("players") or document.root
        message = f"{most} players, over the limit of {limits.MAX_PLAYERS}"
        diagnostics.add(node.span, codes.TOO_MANY, message, label="too many", address="players", cause=Cause("players"))
    return most > limits.MAX_PLAYERS


__all__ = ["check_player_limit", "common_player_counts", "min_common_players", "player_counts"]
