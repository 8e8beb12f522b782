"""Can a game be played by the numbers of players that it gives?

In: a game's document. Out: a yes or no, and diagnostics.
"""

from __future__ import annotations

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.model.allowed_players import check_player_limit, player_counts
from rulewright.model.codes import PLAYERS


def check_player_range(document: Document, diagnostics: Diagnostics) -> bool:
    """Reports numbers of players that cannot be; returns whether they are valid."""
    fewest, most = player_counts(document)
    if check_player_limit(document, diagnostics):
        return False
    if fewest > most:
        value = document.root.get("players")
        assert value is not None
        message = f"the range of players is empty: {fewest} is more than {most}"
        hint = f"write `{most} to {fewest}`"
        diagnostics.add(value.span, PLAYERS, message, label="wrong order", help=hint, address="players")
    return fewest <= most


__all__ = ["check_player_range"]
