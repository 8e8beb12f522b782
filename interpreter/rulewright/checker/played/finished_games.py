"""Was one of the games that were tried over?

In: games that are played. Out: yes or no; a game that is given up is not over.
"""

from __future__ import annotations

from rulewright.checker.common.tried_games import GameWatcher
from rulewright.engine.state import State


class FinishedGames(GameWatcher):
    """Whether one was."""

    def __init__(self) -> None:
        self.is_any = False

    def end_game(self, state: State) -> None:
        """Closes a game."""
        self.is_any = self.is_any or state.over


__all__ = ["FinishedGames"]
