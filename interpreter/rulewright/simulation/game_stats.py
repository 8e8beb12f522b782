"""What is kept of one simulated game.

In: nothing. Out: the class of these data.
"""

from __future__ import annotations

from fractions import Fraction

from rulewright.frozen import frozen


@frozen
class GameStats:
    """One game. `option_counts`: pairs of a number of legal actions and how many decisions had it, ascending;
    `forced_decisions`: those where no offer was legal and the fallback action was taken; `is_draw`: all finished level,
    and so all are winners; `ending`: the address of the step that ended it, if one did.
    """

    seed: int
    is_finished: bool
    winners: tuple[int, ...]
    places: tuple[int, ...]
    decisions: int
    turns: int
    option_counts: tuple[tuple[int, int], ...]
    forced_decisions: int
    measures: tuple[tuple[str, int | tuple[int, ...]], ...]
    is_draw: bool = False
    ending: str = ""

    @property
    def legal_count(self) -> int:
        """Legal actions of all its decisions together."""
        return sum(actions * decisions for actions, decisions in self.option_counts)

    def win_share(self, seat: int) -> Fraction:
        """The seat's share of the win, equal among all winners."""
        return Fraction(1, len(self.winners)) if seat in self.winners else Fraction()


__all__ = ["GameStats"]
