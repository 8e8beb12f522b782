"""Players that want nothing: they do anything, or anything but one action.

In: what a seat knows. Out: one of its legal actions.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from rulewright.engine import chance
from rulewright.engine.state import Action

if TYPE_CHECKING:  # with it comes all that bots think in
    from rulewright.bots.player_view import SeatView

BLIND_BOTS: Final = frozenset({"random"})  # bots whose choice depends on the number of legal actions alone


def are_blind(bots: Collection[str]) -> bool:
    """Whether none of these bots, by name, looks at the position."""
    return BLIND_BOTS.issuperset(bots)


class RandomBot:
    """Does any legal action, each as likely as the others."""

    def __init__(self, seed: int, seat: int) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)

    def choose(self, view: SeatView) -> Action:
        """One of the legal actions."""
        actions = view.legal()
        self._rng, index = chance.rand_below(self._rng, len(actions))
        return actions[index]


class AvoidingBot:
    """Does anything but one action, as long as something else can be done. `action`: its number; -1: it avoids none."""

    def __init__(self, seed: int, seat: int, action: int = -1) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)
        self._action = action

    def choose(self, view: SeatView) -> Action:
        """One of the legal actions."""
        actions = view.legal()
        others = [action for action in actions if action.number != self._action] or actions
        self._rng, index = chance.rand_below(self._rng, len(others))
        return others[index]


__all__ = ["BLIND_BOTS", "AvoidingBot", "RandomBot", "are_blind"]
