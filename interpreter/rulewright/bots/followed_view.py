"""What a seat may ask about a game that a program plays: the same as of any other game, see `player_view`.

In: a game that is followed as a bot may know it, a program in which it thinks. Out: a `FollowedView`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.bots.compiled_positions import ThinkingProgram, WordActions
from rulewright.bots.imagined_positions import AnyPositions
from rulewright.bots.player_view import PlayerView
from rulewright.engine.compiled.playing.followed_game import FollowedGame
from rulewright.engine.state import Action


class FollowedView:
    """What a seat may ask about a game that a program plays. `thinking`: a program of the same rules, which has its
    `position` and the `words` of the legal actions; `in_reference`: the same seat's view of the same position of the
    engine that defines what rules mean, made where what the seat does not know is more than what lies in places.
    """

    __slots__ = ("_actions", "_game", "_in_reference", "_position", "_thinking")

    def __init__(
        self,
        game: FollowedGame,
        thinking: ThinkingProgram,
        position: Any,
        words: Sequence[int],
        in_reference: Callable[[], PlayerView],
    ) -> None:
        self._game = game
        self._position = position
        self._thinking = thinking
        self._actions = WordActions(game.program, words)
        self._in_reference = in_reference

    @property
    def seat(self) -> int:
        """The seat that chooses."""
        return self._game.seat

    def legal(self) -> Sequence[Action]:
        """The legal actions, in their fixed order."""
        return self._actions

    @property
    def is_choosing_in_secret(self) -> bool:
        """Whether others choose at the same time, unseen."""
        return self._game.decides_in_secret and self._in_reference().is_choosing_in_secret

    def positions(self) -> AnyPositions:
        """Positions to think in."""
        if self._game.is_deal_of_cells():
            return self._thinking.dealt_positions(self._position, self._game.deal)
        return self._in_reference().positions()


__all__ = ["FollowedView"]
